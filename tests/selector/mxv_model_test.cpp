// The choice of a matrix-vector kernel is a pure function of numbers: what it must choose in clear cases.
#include "src/selector/mxv_problem.h"

#include <algorithm>
#include <cmath>

#include "src/operations/multiply/mxv/csb/csb.h"
#include "src/operations/multiply/mxv/tile_composite/tile_composite.h"
#include "src/operations/multiply/registry.h"
#include "tests/catch.h"
#include "tests/selector/candidates.h"

using namespace cugrb;
using selector::Candidate;
using selector::Decision;
using selector::Hardware;
using selector::MxvProblem;
using test::choose_mxv;
using test::named;

namespace {

/// A product of an RMAT-like graph of n vertices and `degree` entries a row, PLUS_SECOND over a full FP32
/// vector.
MxvProblem graph(uint64_t n, double degree, uint64_t longest) {
  MxvProblem p;
  p.operation = "mxv PLUS_SECOND_FP32";
  p.rows = p.columns = n;
  p.entries = uint64_t(double(n) * degree);
  p.vector_value_bytes = 4;
  p.vector_entries = n;
  p.pull_lengths = {n, p.entries, longest, n / 3, degree, 10 * degree};
  return p;
}

MxvProblem breadth_first(uint64_t n, uint64_t frontier, double unvisited) {
  MxvProblem p = graph(n, 30, 200000);
  p.vector_value_bytes = 0;
  p.vector_entries = frontier;
  p.vector_form = frontier * 20 < n ? Form::sparse : Form::bitmap;
  p.allowed_share = unvisited;
  p.stops_early = p.stops_at_once = true;
  return p;
}

/// Columns that all have the same number of entries.
formats::ColumnPopularity even_columns(uint64_t columns, uint64_t entries) {
  formats::ColumnPopularity popularity;
  for (uint64_t k = 0; k < columns; k += 1024) popularity.entries_of_first.push_back(k * entries / columns);
  popularity.entries_of_first.push_back(entries);
  popularity.popular_columns = entries / columns >= formats::least_gathered ? columns : 0;
  return popularity;
}

bool is_one_of(const std::string& kernel, std::initializer_list<const char*> names) {
  return std::find(names.begin(), names.end(), kernel) != names.end();
}

bool close(double a, double b) { return std::abs(a - b) < 1e-6 * b; }

std::string choice(const MxvProblem& problem) { return choose_mxv(problem, Hardware()).chosen.kernel->name; }

}  // namespace

TEST_CASE("a dense vector is pulled; one row of many entries does not fall to one thread") {
  const Decision decision = choose_mxv(graph(1 << 22, 30, 200000), Hardware(), "");
  CHECK(decision.chosen.kernel->name != "vxm_push");
  CHECK(decision.chosen.kernel->name != "mxv_row_thread");
  CHECK(decision.candidates.size() == operations::mxv_kernels().size());
  CHECK(named(decision, "mxv_merge").predicted_seconds < 1.5e-3);
  CHECK(named(decision, "mxv_merge").predicted_seconds > 0.8e-3);  // gathers alone take 0.85 ms
}

TEST_CASE("entries that gather together are predicted faster, by every kernel that gathers in their order") {
  const MxvProblem apart = graph(1 << 22, 30, 2000);
  MxvProblem together = apart;
  together.gathers.lines = together.gathers.sectors_4 = 0.1;
  const Decision far = choose_mxv(apart, Hardware(), ""), near = choose_mxv(together, Hardware(), "");
  for (const char* kernel : {"mxv_merge", "mxv_coo", "mxv_row_16"})
    CHECK(named(near, kernel).predicted_seconds < 0.6 * named(far, kernel).predicted_seconds);
  // Operands of 8 bytes go by their own sectors.
  together.vector_value_bytes = 8;
  CHECK(named(choose_mxv(together, Hardware(), ""), "mxv_merge").predicted_seconds >
        1.5 * named(near, "mxv_merge").predicted_seconds);
}

TEST_CASE("a push's updates of one place wait for each other only where they are no single instruction") {
  MxvProblem p = graph(1 << 16, 30, 20000);
  const double swapped = named(choose_mxv(p, Hardware(), ""), "vxm_push").predicted_seconds;
  p.swaps_to_add = false;
  const double added = named(choose_mxv(p, Hardware(), ""), "vxm_push").predicted_seconds;
  CHECK(swapped > added + 20000 * Hardware().contended_update_seconds);
}

TEST_CASE("short even rows get few lanes, long ones many") {
  MxvProblem grid = graph(1 << 22, 5, 5);
  grid.matrix_value_bytes = 4;
  const Decision decision = choose_mxv(grid, Hardware(), "");
  CHECK_FALSE(is_one_of(decision.chosen.kernel->name, {"mxv_row_16", "mxv_row_warp", "mxv_row_block"}));
  CHECK(named(decision, "mxv_row_4").predicted_seconds < named(decision, "mxv_row_16").predicted_seconds);
  CHECK(named(decision, "mxv_row_16").predicted_seconds < named(decision, "mxv_row_block").predicted_seconds);
  const MxvProblem dense = graph(2000, 2000, 2000);
  CHECK(is_one_of(choice(dense), {"mxv_row_warp", "mxv_row_block", "mxv_merge"}));
}

TEST_CASE("where a few terms end a row, one long row makes nobody wait and few lanes a row are best") {
  MxvProblem p = graph(1 << 20, 30, 200000);
  p.vector_value_bytes = p.result_bytes = 1;
  p.stops_early = p.stops_at_once = true;
  CHECK(is_one_of(choice(p), {"mxv_row_thread", "mxv_ell", "mxv_sell"}));
  p.stops_early = p.stops_at_once = false;
  CHECK_FALSE(is_one_of(choice(p), {"mxv_row_thread", "mxv_ell", "mxv_sell"}));
}

TEST_CASE("updates of one place wait for each other: a popular row keeps dense pushes away") {
  MxvProblem p = graph(1 << 20, 30, 64703);
  const double popular = named(choose_mxv(p, Hardware(), ""), "vxm_push").predicted_seconds;
  CHECK(popular > 0.02);
  CHECK(popular < 0.04);
  p.pull_lengths.longest = 100;
  CHECK(named(choose_mxv(p, Hardware(), ""), "vxm_push").predicted_seconds < popular / 5);
}

TEST_CASE("breadth-first search pushes tiny frontiers and pulls large ones") {
  CHECK(choice(breadth_first(1 << 22, 1, 1)) == "vxm_push");
  CHECK(choice(breadth_first(1 << 22, 500, 1)) == "vxm_push");
  CHECK(choice(breadth_first(1 << 22, 1 << 21, 0.6)) != "vxm_push");
}

TEST_CASE("a missing transpose is charged, less with every use, and made in the end") {
  MxvProblem p = graph(1 << 20, 30, 2000);
  p.pull_ready = false;
  const Decision first = choose_mxv(p, Hardware(), "");
  CHECK(first.chosen.kernel->name == "vxm_push");
  CHECK(named(first, "mxv_merge").conversion_seconds > 0);
  CHECK(named(first, "vxm_push").conversion_seconds == 0);
  p.push_uses = 1000;
  const Decision later = choose_mxv(p, Hardware(), "");
  CHECK(later.chosen.kernel->name != "vxm_push");
  CHECK(named(later, "mxv_merge").conversion_seconds < named(first, "mxv_merge").conversion_seconds / 900);
}

TEST_CASE("a product is shared out where that saves more than the vectors' way takes") {
  MxvProblem p = graph(1 << 22, 30, 2000);
  p.vector_value_bytes = 4;
  p.pull_uses = 1000;
  CHECK_FALSE(named(choose_mxv(p, Hardware(), ""), "mxv_parts").applicable);
  const double alone = choose_mxv(p, Hardware(), "").chosen.predicted_seconds;
  p.parts_refusal = "";
  p.devices = 2;
  const Decision shared = choose_mxv(p, Hardware(), "");
  CHECK(shared.chosen.kernel->name == "mxv_parts");
  CHECK(shared.chosen.predicted_seconds > alone / 2);
  CHECK(shared.chosen.predicted_seconds < alone);
  CHECK(named(shared, "mxv_parts").reason.rfind("2 devices, shares 0.5", 0) == 0);
  // Parts that are there are what they are.
  p.part_shares = {0.2, 0.8};
  CHECK(named(choose_mxv(p, Hardware(), ""), "mxv_parts").predicted_seconds > 0.75 * alone);
  p.part_shares.clear();
  Hardware slow;
  slow.peer_bytes_per_second = 1e9;
  CHECK(choose_mxv(p, slow, "").chosen.kernel->name != "mxv_parts");
  MxvProblem small = graph(1000, 4, 10);
  small.parts_refusal = "";
  small.devices = 2;
  CHECK(choose_mxv(small, Hardware(), "").chosen.kernel->name != "mxv_parts");
}

TEST_CASE(
    "vectors that stay in parts cost less than those at home; other kernels wait for a vector in parts") {
  MxvProblem p = graph(1 << 24, 30, 2000);
  p.vector_value_bytes = 4;
  p.pull_uses = 1000;
  p.parts_refusal = "";
  p.devices = 4;
  const double at_home = named(choose_mxv(p, Hardware(), ""), "mxv_parts").predicted_seconds;
  p.result_stays = true;
  const Decision stays = choose_mxv(p, Hardware(), "");
  CHECK(named(stays, "mxv_parts").predicted_seconds < at_home);
  const std::string& reason = named(stays, "mxv_parts").reason;
  CHECK(reason.rfind("4 devices, shares 0.25 0.25 0.25 0.25, vectors in parts", 0) == 0);
  // Blocks near the diagonal need little of each other, and what is counted counts.
  const double scattered = named(stays, "mxv_parts").predicted_seconds;
  p.entries_outside_of_blocks = 1000;
  const double in_blocks = named(choose_mxv(p, Hardware(), ""), "mxv_parts").predicted_seconds;
  CHECK(in_blocks < scattered);
  p.sent_between_parts = p.columns * 3;
  CHECK(named(choose_mxv(p, Hardware(), ""), "mxv_parts").predicted_seconds > in_blocks);
  p.sent_between_parts = std::nullopt;
  p.entries_outside_of_blocks = std::nullopt;
  // An unequal device has its share.
  p.device_paces = {1, 1, 1, 0.5};
  CHECK(named(choose_mxv(p, Hardware(), ""), "mxv_parts").reason.find("0.29 0.29 0.29 0.14") !=
        std::string::npos);
  p.device_paces.clear();
  const double alone = named(stays, "mxv_merge").predicted_seconds;
  p.vector_in_parts = true;
  const double collected = named(choose_mxv(p, Hardware(), ""), "mxv_merge").predicted_seconds;
  const double bytes = double(p.columns) * 4 * 3 / 4;
  CHECK(collected - alone >= bytes / Hardware().peer_bytes_per_second);
  CHECK(collected - alone < 2 * bytes / Hardware().peer_bytes_per_second + 1e-4);
}

TEST_CASE("a push is shared out where its entries take longer than the sums' way home") {
  const auto times_alone = [](MxvProblem p) {
    p.push_ready = true;
    p.vector_value_bytes = 4;
    p.vector_form = Form::sparse;
    p.vector_entries = p.columns / 4;
    p.push_parts_refusal = "";
    p.devices = 2;
    const Decision decision = choose_mxv(p, Hardware(), "");
    return named(decision, "vxm_push").predicted_seconds / named(decision, "vxm_parts").predicted_seconds;
  };
  CHECK(times_alone(graph(1 << 22, 200, 2000)) > 1.3);
  CHECK(times_alone(graph(1 << 22, 200, 2000)) < 2);
  CHECK(times_alone(graph(1000, 4, 10)) < 1);
  MxvProblem p = graph(1 << 22, 30, 2000);
  CHECK_FALSE(named(choose_mxv(p, Hardware(), ""), "vxm_parts").applicable);
}

TEST_CASE("a forced kernel is taken, a refused one is not and the reason says why") {
  MxvProblem p = graph(1000, 4, 10);
  const formats::ColumnPopularity popularity = even_columns(1000, 4000);
  p.popularity = &popularity;
  p.tile_columns = 500;
  p.cusparse_refusal = p.parts_refusal = p.push_parts_refusal = "";
  p.devices = 2;
  for (const operations::MxvKernel* kernel : operations::mxv_kernels()) {
    const Decision decision = operations::choose_mxv(p, Hardware(), kernel);
    CHECK(decision.forced);
    CHECK(decision.chosen.kernel == kernel);
  }
  p.push_refusal = "values of 24 bytes have no atomic update";
  p.merge_refusal = "values of 24 bytes are too large";
  for (const char* kernel : {"vxm_push", "mxv_merge"}) {
    const Decision decision = choose_mxv(p, Hardware(), kernel);
    CHECK_FALSE(decision.forced);
    CHECK(decision.chosen.kernel->name != kernel);
    CHECK(decision.chosen.reason.find("24 bytes") != std::string::npos);
    CHECK_FALSE(named(decision, kernel).applicable);
    CHECK(to_text(decision).find("not applicable") != std::string::npos);
  }
}

TEST_CASE("popular columns make tiles pay, even ones do not, and counting comes first") {
  MxvProblem p = graph(1 << 22, 30, 200000);
  p.tile_columns = 57344;
  CHECK_FALSE(named(choose_mxv(p, Hardware(), ""), "mxv_tile_composite").applicable);
  const formats::ColumnPopularity even = even_columns(p.columns, p.entries);
  p.popularity = &even;
  CHECK(choice(p) != "mxv_tile_composite");
  formats::ColumnPopularity popular;
  for (uint64_t k = 0; k <= 7 * 57344; k += 1024) {  // half of the entries in the first tile
    popular.entries_of_first.push_back(
        uint64_t(double(p.entries) * std::pow(double(k) / double(p.columns), 0.16)));
  }
  popular.popular_columns = p.columns / 4;
  p.popularity = &popular;
  const Candidate first = named(choose_mxv(p, Hardware(), ""), "mxv_tile_composite");
  CHECK(first.applicable);
  CHECK(first.conversion_seconds > first.predicted_seconds);
  p.pull_uses = 10000;  // blocked is slower, but made in less time
  p.csb_failure = "its bands' entries do not fill steps";
  CHECK(choice(p) == "mxv_tile_composite");
  const auto plan = operations::plan_tile_composite(p, Hardware());
  CHECK(plan.tiles > 1);
  CHECK(plan.gathered >= uint64_t(plan.tiles) * 57344);
  CHECK(named(choose_mxv(p, Hardware(), ""), "mxv_tile_composite").predicted_seconds <
        named(choose_mxv(p, Hardware(), ""), "mxv_merge").predicted_seconds * 0.7);
  // What is not there counts a little more than its predicted time.
  CHECK(named(choose_mxv(p, Hardware(), ""), "mxv_blocked").doubt > 1);
  CHECK(named(choose_mxv(p, Hardware(), ""), "mxv_merge").doubt == 1);
  p.ready_formats = {&operations::mxv_blocked};
  CHECK(named(choose_mxv(p, Hardware(), ""), "mxv_blocked").doubt == 1);
  p.ready_formats = {};
  // A format of more tiles than are forecast takes as long as one of all of them, not no time.
  const auto seconds_of = [&](int tiles) {
    p.tiles_made = tiles;
    return named(choose_mxv(p, Hardware(), ""), "mxv_tile_composite").predicted_seconds;
  };
  CHECK(seconds_of(10 * most_tiles) == seconds_of(most_tiles));
  CHECK(seconds_of(1) > seconds_of(most_tiles));
}

TEST_CASE("tiles are refused with the reason why nothing is known of the columns") {
  const auto reason = [](const MxvProblem& p, const char* kernel) {
    const Candidate tiles = named(choose_mxv(p, Hardware(), ""), kernel);
    CHECK_FALSE(tiles.applicable);
    return tiles.reason;
  };
  for (const char* kernel : {"mxv_tile_composite", "mxv_tile_coo"}) {
    INFO(kernel);
    MxvProblem p = graph(1 << 22, 30, 200000);
    p.tile_columns = 57344;
    CHECK(reason(p, kernel) == "the columns are not sampled yet");
    p.stops_at_once = true;
    CHECK(reason(p, kernel) == "columns are not sampled where a few terms end a sum");
    p.entries = 1000;
    CHECK(reason(p, kernel) == "columns are not sampled where there are fewer than 1048576 entries");
    p.tile_refusal = "the vector is iso";
    CHECK(reason(p, kernel) == "the vector is iso");
  }
}

TEST_CASE("the table decides how long workloads are: short ones when long ones are slow, or few") {
  const auto plan_of = [](uint64_t rows, uint64_t longer, const Hardware& hardware) {
    const formats::LengthDistribution lengths({{2, rows / 2}, {longer, rows / 2}});
    MxvProblem p = graph(rows, double(lengths.entries()) / double(rows), longer);
    p.entries = lengths.entries();
    p.pull_distribution = &lengths;
    p.pull_lengths = lengths.summary();
    p.tile_columns = 57344;
    formats::ColumnPopularity popular;
    for (uint64_t k = 0; k <= std::min<uint64_t>(rows, 14 * 57344); k += 1024)
      popular.entries_of_first.push_back(
          uint64_t(double(p.entries) * std::pow(double(k) / double(rows), 0.16)));
    popular.popular_columns = rows / 4;
    p.popularity = &popular;
    return operations::plan_tile_composite(p, hardware);
  };
  Hardware slow;
  for (auto& kind : slow.workloads.entries_per_second) {
    for (auto& row_class : kind)
      row_class[2] = row_class[3] = row_class[4] = row_class[1] / 10;  // 4 steps and more
  }
  // Some twenty entries of a row in the first tile: 24 places instead of 32.
  CHECK(plan_of(1 << 22, 40, Hardware()).tile_steps > 4);
  CHECK(plan_of(1 << 22, 60, slow).tile_steps == 4);
  // 1024 workloads of 15 steps for 4224 warps, or 4096 of 4.
  CHECK(plan_of(1 << 16, 60, Hardware()).tile_steps < 16);
}

TEST_CASE("kernel names are known, others are not") {
  for (const operations::MxvKernel* kernel : operations::mxv_kernels()) {
    CHECK(operations::find_kernel(kernel->name) == kernel);
    CHECK(operations::kernel_names().find(kernel->name) != std::string::npos);
  }
  CHECK(operations::find_kernel("mxv_fastest") == nullptr);
  CHECK(operations::find_kernel("") == nullptr);
}

TEST_CASE("gather rates fall with the footprint, from the caches' to the memory's") {
  const Hardware h200;
  CHECK(close(h200.gathers_per_second(100), h200.near_gathers_per_second));
  CHECK(close(h200.gathers_per_second(uint64_t(h200.cached_bytes)), h200.near_gathers_per_second));
  CHECK(h200.gathers_per_second(uint64_t(1) << 40) < 1.001 * h200.far_gathers_per_second);
  CHECK(h200.gathers_per_second(uint64_t(1) << 40) > 0.999 * h200.far_gathers_per_second);
  double previous = 1e12;
  for (uint64_t bytes = 1 << 16; bytes < (uint64_t(1) << 34); bytes *= 2) {
    CHECK(h200.gathers_per_second(bytes) <= previous);
    previous = h200.gathers_per_second(bytes);
  }
}

TEST_CASE("the most popular columns hold what the longest rows do, where columns are not sampled") {
  // 100 of 1000 rows hold 1100 of 2000 entries, 11 each; the others one.
  const formats::LengthDistribution lengths({{1, 900}, {11, 100}});
  MxvProblem p;
  p.rows = p.columns = 1000;
  p.entries = 2000;
  p.vector_value_bytes = 4;
  CHECK(share_of_popular(p, 400) == 0.1);  // nothing is known of the rows, either
  p.pull_distribution = &lengths;
  CHECK(close(share_of_popular(p, 200), 550 / 2000.));
  CHECK(close(share_of_popular(p, 400), 1100 / 2000.));
  CHECK(close(share_of_popular(p, 2200), (1100 + 450) / 2000.));
  CHECK(share_of_popular(p, 4000) == 1);
  p.columns = 2000;  // 100 of the columns stand for 50 of the rows
  CHECK(close(share_of_popular(p, 400), 550 / 2000.));
}

TEST_CASE("sampled columns tell of themselves, but no more than decisions know of them") {
  const formats::LengthDistribution lengths({{256, 2048}, {768, 2048}});
  formats::ColumnPopularity sampled;
  sampled.entries_of_first = {0, 3 << 19, 2 << 20};  // three quarters in the first 1024 columns
  MxvProblem p;
  p.rows = p.columns = 4096;
  p.entries = 2 << 20;
  p.vector_value_bytes = 4;
  p.pull_distribution = &lengths;
  p.popularity = &sampled;
  CHECK(close(share_of_popular(p, 4096), 0.75));
  p.stops_at_once = true;  // a quarter of the rows, 768 entries each
  CHECK(close(share_of_popular(p, 4096), 0.375));
  p.stops_at_once = false;
  p.entries = (1 << 20) - 1;
  CHECK(close(share_of_popular(p, 4096), 0.375));
}

TEST_CASE("an update that changes nothing is cheap: pushes of minima do not wait for each other") {
  MxvProblem p = graph(1 << 20, 30, 64703);
  const double sums = named(choose_mxv(p, Hardware(), ""), "vxm_push").predicted_seconds;
  p.stops_early = true;
  CHECK(named(choose_mxv(p, Hardware(), ""), "vxm_push").predicted_seconds < sums / 5);
}

TEST_CASE("a reference is predicted where it is asked for or forced, and never chosen freely") {
  const MxvProblem p = graph(1 << 22, 30, 200000);
  const Decision product = operations::choose_mxv(p, Hardware(), nullptr), listed = choose_mxv(p, Hardware());
  CHECK(product.chosen.kernel == listed.chosen.kernel);
  size_t references = 0;
  for (const operations::MxvKernel* kernel : operations::mxv_kernels()) {
    if (kernel->role == operations::Role::candidate) continue;
    ++references;
    INFO(kernel->name);
    for (const Candidate& c : product.candidates) CHECK(c.kernel != kernel);
    CHECK(named(listed, kernel->name).kernel == kernel);
  }
  CHECK(references > 0);
  CHECK(product.candidates.size() + references == listed.candidates.size());
  const Decision forced = operations::choose_mxv(p, Hardware(), &operations::mxv_coo);
  CHECK(forced.chosen.kernel == &operations::mxv_coo);
  CHECK(forced.candidates.size() == product.candidates.size() + 1);
}

TEST_CASE("the numbers of a kernel are called like the kernel") {
  for (const operations::MxvKernel* kernel : operations::mxv_kernels()) {
    if (!kernel->numbers) continue;
    const std::string stem(selector::measured_kernels[kernel->numbers->index]), &name = kernel->name;
    const bool by_rows = (stem == "rows" || stem == "few_lanes") && name.rfind("mxv_row_", 0) == 0;
    CHECK((by_rows || name == "mxv_" + stem || name == "vxm_" + stem));
  }
}

TEST_CASE("a stream is as fast as the share of it that L2 keeps from product to product") {
  const Hardware h200;
  CHECK(h200.kept_share(20e6, 4e6) == 1);
  CHECK(h200.kept_share(1e9, 4e6) == 0);
  const double part = h200.kept_share(80e6, 4e6);
  CHECK((part > 0 && part < 1));
  CHECK(close(h200.streamed_bytes_per_second(0), h200.copy_bytes_per_second));
  CHECK(close(h200.streamed_bytes_per_second(1), h200.cached_bytes_per_second));
  CHECK(h200.streamed_bytes_per_second(part) > h200.streamed_bytes_per_second(0));
  CHECK(h200.streamed_bytes_per_second(part) < h200.streamed_bytes_per_second(1));
}

TEST_CASE("unknown devices are scaled from their properties") {
  runtime::Properties small;
  small.kind = runtime::Kind::cuda;
  small.name = "a small GPU";
  small.multiprocessors = 40;
  small.l2_bytes = 4 << 20;
  small.shared_bytes_per_block = 99 << 10;
  const Hardware scaled = Hardware::from_properties(small);
  CHECK(scaled.copy_bytes_per_second < Hardware().copy_bytes_per_second / 3);
  CHECK(scaled.shared_bytes_per_block == 99 << 10);
  CHECK(scaled.kept_share(4e6, 0) < Hardware().kept_share(4e6, 0));
  CHECK(scaled.gathers_per_second(16000000) < Hardware().gathers_per_second(16000000) / 3);
}

TEST_CASE("compressed sparse blocks pay where no columns are popular") {
  MxvProblem p = graph(1 << 22, 16, 40);
  CHECK_FALSE(named(choose_mxv(p, Hardware(), ""), "mxv_csb").applicable);  // no tiles are described
  p.tile_columns = 57344;
  const Candidate once = named(choose_mxv(p, Hardware(), ""), "mxv_csb");
  CHECK(once.conversion_seconds > 10e-3);  // 15 ms measured with 67 M entries
  CHECK(once.conversion_seconds < 20e-3);
  CHECK(choice(p) != "mxv_csb");
  p.pull_uses = 10000;
  CHECK(choice(p) == "mxv_csb");
  const double pattern = named(choose_mxv(p, Hardware(), ""), "mxv_csb").predicted_seconds;
  CHECK(pattern > 0.17e-3);  // 0.215 ms measured
  CHECK(pattern < 0.26e-3);
  p.matrix_value_bytes = 4;
  const double weighted = named(choose_mxv(p, Hardware(), ""), "mxv_csb").predicted_seconds;
  CHECK(weighted > 0.20e-3);  // 0.249 ms measured
  CHECK(weighted < 0.30e-3);
  MxvProblem any = p;
  any.has_identity = false;
  CHECK_FALSE(named(choose_mxv(any, Hardware(), ""), "mxv_csb").applicable);
  p.csb_failure = "its bands' entries do not fill steps";
  CHECK(named(choose_mxv(p, Hardware(), ""), "mxv_csb").reason == p.csb_failure);
  CHECK(choice(p) == "mxv_blocked");
}

TEST_CASE("clusters that share a band are as large as leaves each one band, if that is possible") {
  const auto cluster_of = [](uint64_t rows) {
    MxvProblem p = graph(rows, 16, 40);
    p.pull_lengths.empty = 0;
    const formats::CsbParameters plan = operations::plan_csb(p, Hardware());
    CHECK(plan.most_slots <= formats::most_csb_slots);
    CHECK(plan.blocks <= 132);
    CHECK(plan.blocks % plan.cluster == 0);
    return plan.cluster;
  };
  CHECK(cluster_of(1000000) >= 3);  // 30 clusters of 4 have 33,000 rows each
  CHECK(cluster_of(2200000) == 2);
  CHECK(cluster_of(4500000) == 1);
  Hardware before_hopper;
  before_hopper.clusters = {0, 132, 0, 0, 0, 0, 0, 0, 0};
  CHECK(operations::plan_csb(graph(200000, 16, 40), before_hopper).cluster == 0);
}

TEST_CASE("a small matrix's blocks have a band each, which is less to wait for than a full step") {
  MxvProblem p = graph(16384, 16, 35);
  p.pull_lengths.empty = 0;
  p.tile_columns = 57344;
  CHECK(operations::plan_csb(p, Hardware()).cluster == 1);
  const double seconds = named(choose_mxv(p, Hardware(), ""), "mxv_csb").predicted_seconds;
  CHECK(seconds > 4.5e-6);  // 5.3 us measured, 7.5 with clusters of two
  CHECK(seconds < 6.5e-6);
}

TEST_CASE("compressed sparse blocks that have been made are predicted by the steps of their slowest block") {
  MxvProblem p = graph(36692, 10, 1383);
  p.tile_columns = 57344;
  const auto seconds_of = [&](uint32_t steps) {
    p.csb_steps = steps;
    p.csb_cluster = 1;
    return named(choose_mxv(p, Hardware(), ""), "mxv_csb").predicted_seconds;
  };
  const double expected = seconds_of(0);
  CHECK(seconds_of(1) <= expected);  // its rows may have to wait for slots, and its bands be uneven
  CHECK(seconds_of(2) > expected);
  CHECK(seconds_of(9) > expected + 4e-6);
  CHECK(operations::plan_csb(p, Hardware()).cluster == 1);
}

TEST_CASE("products that the host keeps waiting are predicted at its pace, large ones are not") {
  const auto seconds_of = [](uint64_t rows, double host_call_seconds, bool deterministic = false) {
    MxvProblem p = graph(rows, 4, 8);
    p.host_call_seconds = host_call_seconds;
    p.deterministic = deterministic;
    return named(choose_mxv(p, Hardware(), ""), "mxv_row_4").predicted_seconds;
  };
  const double usual = selector::usual_host_call_seconds;
  const double small = seconds_of(1000, 0), large = seconds_of(1 << 22, 0);
  CHECK(seconds_of(1000, usual) == small);
  CHECK(seconds_of(1000, 1.5 * usual) == Approx(1.5 * small).epsilon(0.1));
  CHECK(seconds_of(1000, 100 * usual) == Approx(2 * small).epsilon(0.1));  // it waited for something else
  CHECK(seconds_of(1 << 22, 1.5 * usual) == Approx(large).epsilon(1e-3));
  CHECK(seconds_of(1000, 1.5 * usual, /*deterministic=*/true) == small);
}

TEST_CASE("blocked pays where gathers do not hit: even columns, far more of them than L2 holds") {
  MxvProblem p = graph(1 << 22, 16, 40);
  p.csb_failure = "its bands' entries do not fill steps";
  CHECK_FALSE(named(choose_mxv(p, Hardware(), ""), "mxv_blocked").applicable);  // no tiles are described
  p.tile_columns = 57344;
  p.pull_uses = 10000;
  const Candidate pattern = named(choose_mxv(p, Hardware(), ""), "mxv_blocked");
  CHECK(choice(p) == "mxv_blocked");
  CHECK(pattern.predicted_seconds > 0.30e-3);  // 0.341 ms measured with 67 M entries
  CHECK(pattern.predicted_seconds < 0.38e-3);
  p.matrix_value_bytes = 4;
  const Candidate blocked = named(choose_mxv(p, Hardware(), ""), "mxv_blocked");
  CHECK(choice(p) == "mxv_blocked");
  CHECK(blocked.predicted_seconds > 0.38e-3);  // 0.426 ms measured
  CHECK(blocked.predicted_seconds < 0.47e-3);
  p.tile_refusal = "the vector is iso";
  CHECK_FALSE(named(choose_mxv(p, Hardware(), ""), "mxv_blocked").applicable);
  p.tile_refusal.clear();
  p.columns = uint64_t(1) << 31;  // 37,000 tiles
  CHECK_FALSE(named(choose_mxv(p, Hardware(), ""), "mxv_blocked").applicable);
}
