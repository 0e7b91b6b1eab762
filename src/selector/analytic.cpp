#include "src/selector/analytic.h"

#include <algorithm>
#include <cmath>

#include "src/selector/analytic_terms.h"

namespace cugrb::selector::analytic {

double seconds(const Estimate& estimate, Counted counted) {
  return counted == Counted::compute ? estimate.compute_seconds() : estimate.total_seconds();
}

double coo_bytes(double entries, const Parameters& p) {
  return double(p.value_bytes) * entries + 2 * double(p.index_bytes) * entries;
}

double csr_bytes(const LengthDistribution& d, const Parameters& p) {
  const double entries = double(d.entries());
  return double(p.value_bytes) * entries + double(p.index_bytes) * entries +
         double(p.index_bytes) * double(d.rows() + 1);
}

double ell_bytes_of_all_rows(double rows, double k, const Parameters& p) {
  return double(p.value_bytes) * rows * k + double(p.index_bytes) * rows * k;
}

double ell_bytes(const LengthDistribution& d, double k, const Parameters& p) {
  const double rows = terms::rows_with_entries(d);
  return ell_bytes_of_all_rows(rows, k, p) + double(p.index_bytes) * rows;
}

namespace terms {

double rows_with_entries(const LengthDistribution& d) { return double(d.rows() - d.empty_rows()); }

double transfer_seconds(double matrix_bytes, const LengthDistribution& d, const Parameters& p) {
  return (matrix_bytes + 2 * double(p.value_bytes) * double(d.rows())) / p.transfer_rate;
}

double access_seconds(double bytes, const Parameters& p) {
  return std::ceil(bytes / double(p.bus_bytes)) / p.memory_clock;
}

double element_seconds(double elements, const Parameters& p) { return elements / p.memory_clock; }

double coo_memory_seconds(double entries, const Parameters& p) {
  return entries / p.processors * (element_seconds(2, p) + element_seconds(2, p));
}

double coo_multiply_seconds(double entries, const Parameters& p) {
  return entries / (p.processors * p.value_rate);
}

double coo_add_seconds(double rows, double mean, const Parameters& p) {
  const double warp = double(p.warp_threads);
  return rows * warp / p.processors * std::ceil(mean / warp) / p.value_rate;
}

double ell_arrays_seconds(double k, const Parameters& p) {
  return access_seconds(double(p.index_bytes) * k, p) + access_seconds(double(p.value_bytes) * k, p);
}

double beyond_block(double k, const Parameters& p) { return std::max(0.0, k - double(p.block_threads)); }

}  // namespace terms

namespace {

/// E(Q), Eq. 32.
double mean_of_fractiles(const LengthDistribution& d, const Parameters& p) {
  return p.fractiles == Fractiles::with_longest ? d.fractile_mean(p.warp_threads)
                                                : d.break_point_mean(p.warp_threads);
}

/// Eq. 35.
double csr_memory_seconds(const LengthDistribution& d, double longest_of_warp, const Parameters& p) {
  const double arrays = terms::access_seconds(double(p.value_bytes) * longest_of_warp, p) +
                        terms::access_seconds(double(p.index_bytes) * longest_of_warp, p);
  const double offset = terms::element_seconds(1, p), result = terms::element_seconds(1, p);
  const double vector = terms::element_seconds(longest_of_warp, p);
  return double(d.rows()) / p.processors * (arrays + offset + result + vector);
}

/// Eq. 39.
double ell_memory_seconds(const LengthDistribution& d, double k, const Parameters& p) {
  const double vector = terms::element_seconds(terms::beyond_block(k, p), p);
  const double row_index = terms::element_seconds(1, p), result = terms::element_seconds(1, p);
  return terms::rows_with_entries(d) / p.processors *
         (terms::ell_arrays_seconds(k, p) + vector + row_index + result);
}

}  // namespace

Estimate coo(const LengthDistribution& d, const Parameters& p) {
  const double entries = double(d.entries());
  Estimate e;
  e.storage_bytes = coo_bytes(entries, p);                                // Eq. 15
  e.transfer_seconds = terms::transfer_seconds(e.storage_bytes, d, p);    // Eq. 24, 25
  e.memory_seconds = terms::coo_memory_seconds(entries, p);               // Eq. 26
  e.multiply_seconds = terms::coo_multiply_seconds(entries, p);           // Eq. 27
  e.add_seconds = terms::coo_add_seconds(double(d.rows()), d.mean(), p);  // Eq. 28
  return e;
}

Estimate csr(const LengthDistribution& d, const Parameters& p) {
  const double rounds = double(d.rows()) / p.processors;
  const double length = mean_of_fractiles(d, p);
  Estimate e;
  e.storage_bytes = csr_bytes(d, p);                                           // Eq. 16
  e.transfer_seconds = terms::transfer_seconds(e.storage_bytes, d, p);         // Eq. 30, 31
  e.multiply_seconds = rounds * length / p.value_rate;                         // Eq. 33
  e.add_seconds = rounds * (length / p.value_rate + length / p.integer_rate);  // Eq. 34
  e.memory_seconds = csr_memory_seconds(d, length, p);                         // Eq. 35
  return e;
}

Estimate ell(const LengthDistribution& d, const Parameters& p) {
  const double rounds = terms::rows_with_entries(d) / p.processors, k = double(d.longest());
  const double length = mean_of_fractiles(d, p);
  Estimate e;
  e.storage_bytes = ell_bytes(d, k, p);                                 // Eq. 18
  e.transfer_seconds = terms::transfer_seconds(e.storage_bytes, d, p);  // Eq. 37, 38
  e.memory_seconds = ell_memory_seconds(d, k, p);                       // Eq. 39
  e.multiply_seconds = rounds * length / p.value_rate;                  // Eq. 40
  e.add_seconds = rounds * length / p.value_rate;                       // Eq. 41
  return e;
}

const char* name(Format format) {
  static const char* const names[] = {"COO", "CSR", "ELL", "HYB"};
  return names[static_cast<int>(format)];
}

std::vector<FormatEstimate> estimates(const LengthDistribution& d, const Parameters& p) {
  return {{Format::coo, 0, coo(d, p)}, {Format::csr, 0, csr(d, p)}, {Format::ell, d.longest(), ell(d, p)}};
}

const FormatEstimate& best_of(const std::vector<FormatEstimate>& all, Counted counted) {
  return *std::min_element(all.begin(), all.end(), [&](const FormatEstimate& a, const FormatEstimate& b) {
    return seconds(a.estimate, counted) < seconds(b.estimate, counted);
  });
}

}  // namespace cugrb::selector::analytic
