// FactorFeed: parts of a product's factors come from host memory to the device, the next ones while the
// present ones are multiplied.
#pragma once
#include <future>
#include <optional>

#include "src/formats/host_stream.h"

namespace cugrb::operations {

/// Rows of T, and a block of the summed index.
struct FactorParts {
  formats::Range rows, inner;
  friend bool operator==(const FactorParts&, const FactorParts&) = default;
};

/// left(rows, inner) and right(inner, all columns), both by rows.
struct Factors {
  formats::Csr left, right;
};

class FactorFeed {
 public:
  /// Both sources outlive the feed. `columns`: of the right factor.
  FactorFeed(const formats::MatrixSource& left, bool left_transposed, const formats::MatrixSource& right,
             bool right_transposed, uint64_t columns)
      : left_(left),
        right_(right),
        left_transposed_(left_transposed),
        right_transposed_(right_transposed),
        columns_(columns) {}

  /// The parts, on the device. A right part that was the last one's, too, is not copied again; where the left
  /// part is empty the right one may be. Throws what MatrixSource::by_rows throws.
  Factors take(const FactorParts& parts);
  /// From now on these parts are on their way. Does nothing after stop().
  void bring_ahead(const FactorParts& parts);
  /// Gives back what was brought ahead, and brings nothing ahead any more. Whether there was anything.
  bool stop();
  /// Copied to the device by bring_ahead().
  uint64_t bytes_ahead() const { return bytes_ahead_; }

 private:
  struct Ahead {
    FactorParts parts;
    std::future<std::pair<Factors, uint64_t>> factors;  ///< and the bytes copied
  };
  Factors load(const FactorParts& parts, const std::optional<formats::Csr>& right) const;
  std::optional<formats::Csr> kept_right(formats::Range inner) const;
  /// What is on its way, if it is these parts and has arrived.
  std::optional<Factors> arrived(const FactorParts& parts);

  const formats::MatrixSource &left_, &right_;
  bool left_transposed_, right_transposed_;
  uint64_t columns_;
  std::optional<Ahead> ahead_;
  std::optional<formats::Csr> last_right_;
  formats::Range last_inner_;
  bool stopped_ = false;
  uint64_t bytes_ahead_ = 0;
};

}  // namespace cugrb::operations
