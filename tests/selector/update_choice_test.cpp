// The way of a batch into a matrix, beside what was measured (bench/results/dynamic.json); the form in which
// products read it.
#include "src/selector/update_choice.h"

#include "tests/catch.h"
#include "tests/selector/candidates.h"

using namespace cugrb;
using namespace cugrb::selector;

namespace {

/// Memory and its latencies as an H100 has them, beside the H200 of the defaults.
Hardware h100() {
  Hardware h;
  h.copy_bytes_per_second *= 3.35 / 4.8;
  h.far_gathers_per_second *= 3.35 / 4.8;
  return h;
}

/// R-MAT 22 with 16 drawn edges a vertex, FP32.
UpdateProblem rmat_22(uint64_t updates) {
  UpdateProblem p;
  p.rows = uint64_t(1) << 22;
  p.entries = 65244112;
  p.entry_bytes = 8;
  p.offset_bytes = 4;
  p.slots = 4;
  p.updates = updates;
  return p;
}

UpdateProblem in_a_stream(UpdateProblem p) {
  p.fragmented = true;
  p.batches = 100;
  return p;
}

}  // namespace

TEST_CASE("rows are put into bins where they are uneven and enough products follow") {
  UpdateProblem p = rmat_22(1 << 14);
  p.longest_row = 150000;
  CHECK_FALSE(bins_pay(p, h100()));  // no product is expected
  p.products = 5;
  p.batches = 3;
  CHECK(bins_pay(p, h100()));
  p.longest_row = 60;
  CHECK_FALSE(bins_pay(p, h100()));
  p.longest_row = 150000;
  p.products = 1;
  p.batches = 1;
  CHECK_FALSE(bins_pay(p, h100()));
}

TEST_CASE("products go along the merge path where rows are uneven and short, and there are enough of them") {
  UpdateProblem p = rmat_22(1 << 14);
  p.rows *= 2;  // the mean is 8
  p.longest_row = 150000;
  CHECK_FALSE(merge_path_pays(p));  // no product is expected
  p.products = 5;
  CHECK(merge_path_pays(p));
  p.longest_row = 60;
  CHECK_FALSE(merge_path_pays(p));
  p.longest_row = 150000;
  p.rows /= 2;  // the mean is 16
  CHECK_FALSE(merge_path_pays(p));
  p = rmat_22(552);
  p.products = 5;
  p.longest_row = 1392;
  p.rows = 69000;
  p.entries = 276000;
  CHECK_FALSE(merge_path_pays(p));  // bins are as fast
}

TEST_CASE("rows are laid out anew when products have paid for their segments what that takes") {
  UpdateProblem p = rmat_22(1 << 15);
  p.fragmented = true;
  const double each = apart_seconds(100000, h100());
  CHECK(each > 2e-6);
  CHECK(each < 20e-6);
  double paid = 0;
  int products = 0;
  for (; !laying_out_pays(p, paid, h100()); ++products) paid += each;
  CHECK(paid > 300e-6);  // a pass over R-MAT 22
  CHECK(paid < 1e-3);
  CHECK(products > 20);
}

TEST_CASE("long rows ask for bins in a small matrix, too, for its products wait for them") {
  UpdateProblem enron = rmat_22(552);
  enron.rows = 69000;
  enron.entries = 276000;
  enron.products = 5;
  enron.batches = 1;
  enron.longest_row = 1392;
  CHECK(bins_pay(enron, h100()));
  enron.longest_row = 40;
  CHECK_FALSE(bins_pay(enron, h100()));
}

TEST_CASE("the predicted times of merging and rebuilding are those of an H100, within a third") {
  // Seconds beside the sort of the batch itself.
  const struct {
    uint64_t updates;
    double merge, rebuild;
  } measured[] = {{1 << 10, 0.588e-3, 8.53e-3},
                  {1 << 14, 0.586e-3, 8.43e-3},
                  {1 << 16, 0.659e-3, 8.47e-3},
                  {1 << 18, 0.827e-3, 8.61e-3},
                  {1 << 20, 1.121e-3, 9.04e-3}};
  for (const auto& m : measured) {
    INFO(m.updates);
    const Decision decision = choose_update(rmat_22(m.updates), h100(), nullptr);
    const double merge = test::named(decision, "update_merge").predicted_seconds;
    const double rebuild = test::named(decision, "update_rebuild").predicted_seconds;
    CHECK(merge / m.merge > 0.75);
    CHECK(merge / m.merge < 1.33);
    CHECK(rebuild / m.rebuild > 0.75);
    CHECK(rebuild / m.rebuild < 1.33);
  }
}

TEST_CASE("small batches of a stream are inserted, large ones and lone ones merged, huge ones sorted in") {
  for (const unsigned k : {0, 4, 10, 14}) {
    INFO("2^" << k);
    CHECK(choose_update(in_a_stream(rmat_22(uint64_t(1) << k)), h100(), nullptr).chosen.kernel ==
          &update_insert);
    CHECK(choose_update(rmat_22(uint64_t(1) << k), h100(), nullptr).chosen.kernel == &update_merge);
  }
  UpdateProblem copied = in_a_stream(rmat_22(1 << 10));
  copied.shared = true;
  CHECK(test::named(choose_update(copied, h100(), nullptr), "update_insert").predicted_seconds > 0.5e-3);
  CHECK(choose_update(in_a_stream(rmat_22(uint64_t(1) << 24)), h100(), nullptr).chosen.kernel ==
        &update_merge);
  UpdateProblem few = rmat_22(uint64_t(1) << 24);
  few.entries = 1000;
  CHECK(choose_update(few, h100(), nullptr).chosen.kernel == &update_rebuild);
  few.rebuild_refusal = "entries are removed";
  const Decision refused = choose_update(few, h100(), nullptr);
  CHECK(refused.chosen.kernel == &update_merge);
  CHECK(to_text(refused).find("update_rebuild (csr): not applicable: entries are removed") !=
        std::string::npos);
}

TEST_CASE("a matrix in CSR becomes a dynamic one after some batches, and what closes that way is obeyed") {
  UpdateProblem p = rmat_22(1 << 8);
  bool inserted = false;
  unsigned batches = 1;
  for (; batches < 20 && !inserted; ++batches) {
    p.batches = batches;
    inserted = choose_update(p, h100(), nullptr).chosen.kernel == &update_insert;
  }
  CHECK(inserted);
  CHECK(batches > 2);
  CHECK(batches < 8);
  p.insert_refusal = "closed";
  CHECK(choose_update(p, h100(), nullptr).chosen.kernel == &update_merge);
  CHECK(choose_update(p, h100(), &update_rebuild).forced);
  CHECK(choose_update(p, h100(), &update_rebuild).chosen.kernel == &update_rebuild);
  CHECK_FALSE(choose_update(p, h100(), operations::find_kernel("mxv_row_4")).forced);
  CHECK(operations::find_kernel("update_insert") == &update_insert);
  CHECK(operations::kernel_names().find("update_merge") != std::string::npos);
}

TEST_CASE("products after a batch speak for insertion, until they gain more by CSR than it costs") {
  UpdateProblem p = rmat_22(1 << 14);
  p.batches = 2;
  CHECK(choose_update(p, h100(), nullptr).chosen.kernel == &update_merge);
  const double alone = test::named(choose_update(p, h100(), nullptr), "update_merge").predicted_seconds;
  p.products = 1;
  const Decision one = choose_update(p, h100(), nullptr);
  CHECK(test::named(one, "update_merge").predicted_seconds > alone);
  CHECK(to_text(one).find("1 products after each") != std::string::npos);
  p = in_a_stream(p);
  p.products = 5;
  CHECK(choose_update(p, h100(), nullptr).chosen.kernel == &update_insert);
  p.products = 100;
  CHECK(choose_update(p, h100(), nullptr).chosen.kernel == &update_merge);
}

TEST_CASE("fragments are read until the products to come pay for CSR") {
  FragmentsProblem p;
  p.rows = uint64_t(1) << 22;
  p.entries = 65244112;
  p.entry_bytes = 8;
  p.offset_bytes = 4;
  const FragmentsChoice one = choose_form(p, h100());
  CHECK_FALSE(one.defragments);
  CHECK(to_text(p, one).find("read as fragments: 1 products expected") == 0);
  CHECK(one.convert_seconds < 6.0 * 65244112 * 8 / h100().copy_bytes_per_second);
  p.products = 1000;
  CHECK(choose_form(p, h100()).defragments);
  p.products = one.convert_seconds / one.extra_seconds * 0.99;
  CHECK_FALSE(choose_form(p, h100()).defragments);
  p.pushes = true;
  CHECK(choose_form(p, h100()).convert_seconds > one.convert_seconds);
  p.refusal = "no kernel";
  CHECK(choose_form(p, h100()).defragments);
  CHECK(to_text(p, choose_form(p, h100())) == "defragmented: no kernel");
}

TEST_CASE(
    "operations that need the CSR copy the fragments until as many are expected as pay for changing the "
    "form") {
  const UpdateProblem p = in_a_stream(rmat_22(1 << 14));
  CHECK_FALSE(csr_pays(p, 1, h100()));
  CHECK(csr_pays(p, 10, h100()));
  UpdateProblem more_slots = p;  // a larger table is made anew by the batch that follows
  more_slots.slots = 400;
  CHECK_FALSE(csr_pays(more_slots, 10, h100()));
}

TEST_CASE(
    "batches of 2^18 edges are inserted on an H200, and of 2^20 where the matrix is large beside them") {
  const auto chosen = [](UpdateProblem p) {
    return choose_update(in_a_stream(p), Hardware(), nullptr).chosen.kernel;
  };
  UpdateProblem rmat_20 = rmat_22(1 << 18);
  rmat_20.rows = uint64_t(1) << 20;
  rmat_20.entries = 16085856;
  CHECK(chosen(rmat_20) == &update_insert);
  rmat_20.updates = 1 << 20;
  CHECK(chosen(rmat_20) == &update_merge);
  CHECK(chosen(rmat_22(1 << 18)) == &update_insert);
  CHECK(chosen(rmat_22(1 << 20)) == &update_insert);
  CHECK(chosen(rmat_22(1 << 22)) == &update_merge);
}
