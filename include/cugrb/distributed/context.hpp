// Distributed: the ranks of a program that runs as several processes, and how they talk and fail together.
//
// Every rank runs the same program on its part of the data. Collective operations are called by all ranks in
// the same order. A rank waits for others with non-blocking requests, so it can give up. It does so when a
// rank reports an error, when one has not been heard from for the deadline, and when all ranks have waited
// for each other that long. The error names the rank and the operation, and goes to all other ranks.
//
// While a rank waits it tells the others so, some times a deadline. A rank that works for longer than the
// deadline without waiting calls check_in(). So silence means that a process is dead, stopped or stuck.
#pragma once
// Without MPI's former C++ interface.
#ifndef OMPI_SKIP_MPICXX
#define OMPI_SKIP_MPICXX 1
#endif
#ifndef MPICH_SKIP_MPICXX
#define MPICH_SKIP_MPICXX 1
#endif
#include <mpi.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "cugrb/error.hpp"
#include "cugrb/types.hpp"

namespace cugrb {

/// What a collective operation throws on every rank when one of them fails: GrB_PANIC, with a text that names
/// the rank and the operation.
class RankFailure : public Error {
 public:
  RankFailure(const std::string& operation, const std::string& text) : Error(GrB_PANIC, operation, text) {}
};

struct DistributedOptions {
  /// Seconds without a word after which a rank is given up. Errors reach every rank within one second more.
  /// 0: what CUGRB_DEADLINE says, or 7.
  double deadline = 0;
};

namespace detail {

using Clock = std::chrono::steady_clock;

inline double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// What ranks tell each other beside the data. It is small enough that MPI sends it at once.
struct RankState {
  enum Kind : uint32_t { working, waiting, failed };
  Kind kind = working;
  uint64_t operation = 0;  ///< the number of the operation that it waits in
  double waited = 0;       ///< seconds
  char name[64] = "";      ///< of the operation
  char text[512] = "";     ///< failed: why
};

inline void copy_text(const std::string& from, char* to, size_t size) {
  const size_t length = std::min(from.size(), size - 1);
  std::memcpy(to, from.data(), length);
  to[length] = '\0';
}

inline std::string seconds_text(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f s", seconds);
  return text;
}

/// Whether a rank takes the GPU of its number on its host. Not where the user has named a device or several
/// for each rank, nor where a launcher shows each rank one GPU. The arguments are the values of CUGRB_DEVICE,
/// CUGRB_DEVICES and CUDA_VISIBLE_DEVICES; null: unset.
inline bool chooses_by_rank(const char* device, const char* devices, const char* visible) {
  const std::string named = device == nullptr ? "" : device;
  const bool any = named.empty() || named == "auto" || named == "gpu";
  return any && devices == nullptr && (visible == nullptr || std::strchr(visible, ',') != nullptr);
}

}  // namespace detail

/// The ranks of this program. One object a process, made before the Context, by every rank.
/// It starts MPI where the program has not, and ends it then. Not for use by several threads at once.
///
///     cugrb::Distributed ranks;
///     cugrb::Context context;
///     const double sum = ranks.all_reduce(part, std::plus<>());
class Distributed {
 public:
  /// Collective. Chooses this process's GPU where CUGRB_DEVICE is unset, `auto` or `gpu`: that of its
  /// number among the ranks of its host. Errors: RankFailure when MPI cannot start; GrB_INVALID_VALUE for a
  /// deadline that is not positive.
  explicit Distributed(const DistributedOptions& options = {})
      : deadline_(options.deadline == 0 ? usual_deadline() : options.deadline) {
    if (!(deadline_ > 0)) throw Error(GrB_INVALID_VALUE, "Distributed", "the deadline is positive");
    int initialised = 0;
    MPI_Initialized(&initialised);
    if (initialised == 0) {
      int provided = 0;
      if (MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS) {
        throw RankFailure("MPI_Init_thread", "MPI does not start");
      }
      ends_mpi_ = true;
    }
    MPI_Comm_dup(MPI_COMM_WORLD, &data_);
    MPI_Comm_dup(MPI_COMM_WORLD, &control_);
    MPI_Comm_set_errhandler(data_, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(control_, MPI_ERRORS_RETURN);
    MPI_Comm_rank(data_, &rank_);
    MPI_Comm_size(data_, &size_);
    peers_.resize(static_cast<size_t>(size_));
    unwinding_ = std::uncaught_exceptions();
    choose_device();
  }
  /// Where an exception is on its way, the other ranks are told that this one has left.
  ~Distributed() {
    if (std::uncaught_exceptions() > unwinding_ && !has_failed()) announce("it has left by an exception");
    if (!has_failed()) {
      try {
        barrier("the end of the program");
      } catch (const RankFailure&) {
        // The rank that is missing cannot be told, and the others know.
      }
    }
    // MPI's end waits for all ranks, so it is left out where one is missing.
    if (has_failed() || !ends_mpi_) return;
    MPI_Comm_free(&control_);
    MPI_Comm_free(&data_);
    MPI_Finalize();
  }
  Distributed(const Distributed&) = delete;
  Distributed& operator=(const Distributed&) = delete;

  int rank() const { return rank_; }
  int size() const { return size_; }
  /// This process's number among the ranks of its host.
  int rank_on_host() const { return rank_on_host_; }
  double deadline() const { return deadline_; }
  /// For a phase of the program in which ranks may be apart for longer. Returns the one until now.
  double set_deadline(double seconds) { return std::exchange(deadline_, seconds); }

  // ---- failures -----------------------------------------------------------------------------------------

  /// Tells the other ranks that this one works, and hears from them. To be called several times a deadline
  /// in work that takes longer. Throws RankFailure when a rank has failed.
  void check_in() {
    operation_name_ = nullptr;
    pulse();
  }
  /// Tells all ranks that this one cannot go on, and why: their next wait throws RankFailure with the text.
  /// Returns when they have heard it, at the latest after a second.
  void announce(const std::string& text) noexcept {
    if (has_failed()) return;
    // Whoever passes it on keeps the rank that it is from.
    const std::string own = "rank " + std::to_string(rank_);
    failure_ = text.rfind(own + " ", 0) == 0 ? text : own + ": " + text;
    tell_failure();
  }
  bool has_failed() const { return !failure_.empty(); }
  /// A connection between the ranks beside MPI's. It fails with the ranks, and they with it.
  class Connection {
   public:
    /// Why it has failed; empty when it has not.
    virtual std::string failure() = 0;
    virtual void abort() noexcept = 0;

   protected:
    ~Connection() = default;
  };
  void add(Connection* connection) { connections_.push_back(connection); }
  void remove(Connection* connection) {
    connections_.erase(std::remove(connections_.begin(), connections_.end(), connection), connections_.end());
  }
  /// Runs `work`; where it throws, the other ranks are told the error's text.
  template <class Work>
  void together(const Work& work) {
    try {
      work();
    } catch (const std::exception& error) {
      announce(error.what());
      throw;
    }
  }
  /// Ends the program on all ranks, at once.
  [[noreturn]] void abort(int exit_code) {
    MPI_Abort(MPI_COMM_WORLD, exit_code);
    std::_Exit(exit_code);
  }

  // ---- collective operations on host memory -------------------------------------------------------------

  /// Waits until all ranks are there.
  void barrier(const char* operation = "barrier") {
    begin(operation);
    MPI_Request request;
    check(MPI_Ibarrier(data_, &request));
    wait(&request, 1);
  }
  /// Every rank's value, by rank. T is trivially copyable.
  template <class T>
  std::vector<T> all_values(const T& value, const char* operation = "all_values") {
    static_assert(std::is_trivially_copyable_v<T>);
    std::vector<T> values(static_cast<size_t>(size_));
    begin(operation);
    MPI_Request request;
    check(MPI_Iallgather(&value, sizeof(T), MPI_BYTE, values.data(), sizeof(T), MPI_BYTE, data_, &request));
    wait(&request, 1);
    return values;
  }
  /// ((x_0 ⊕ x_1) ⊕ x_2) ⊕ … over the ranks' values, in this order: the same bits on every rank.
  template <class T, class Op>
  T all_reduce(const T& value, const Op& op, const char* operation = "all_reduce") {
    const std::vector<T> values = all_values(value, operation);
    T result = values[0];
    for (size_t r = 1; r < values.size(); ++r) result = static_cast<T>(op(result, values[r]));
    return result;
  }
  /// values[k] becomes ⊕ over the ranks' values[k].
  template <class T, class Op>
  void all_reduce(std::vector<T>& values, const Op& op, const char* operation = "all_reduce") {
    std::vector<T> all(values.size() * static_cast<size_t>(size_));
    begin(operation);
    MPI_Request request;
    const Unit unit(sizeof(T));
    check(MPI_Iallgather(values.data(), count_of(values.size()), unit.type(), all.data(),
                         count_of(values.size()), unit.type(), data_, &request));
    wait(&request, 1);
    for (size_t k = 0; k < values.size(); ++k) {
      values[k] = all[k];
      for (size_t r = 1; r < static_cast<size_t>(size_); ++r)
        values[k] = static_cast<T>(op(values[k], all[r * values.size() + k]));
    }
  }
  /// `bytes` bytes of rank `root` to all ranks.
  void broadcast(void* data, size_t bytes, int root, const char* operation = "broadcast") {
    begin(operation);
    char* const first = static_cast<char*>(data);
    for (size_t done = 0; done < bytes; done += most_bytes) {
      MPI_Request request;
      check(MPI_Ibcast(first + done, count_of(std::min(most_bytes, bytes - done)), MPI_BYTE, root, data_,
                       &request));
      wait(&request, 1);
    }
  }
  /// outgoing[r] goes to rank r. Returns what has arrived, in the order of the ranks that sent it. T is
  /// trivially copyable. Memory: what is sent and what arrives once more.
  template <class T>
  std::vector<T> all_to_all(const std::vector<std::vector<T>>& outgoing,
                            const char* operation = "all_to_all") {
    static_assert(std::is_trivially_copyable_v<T>);
    const size_t ranks = static_cast<size_t>(size_);
    std::vector<uint64_t> sent(ranks), arriving(ranks);
    for (size_t r = 0; r < ranks; ++r) sent[r] = outgoing[r].size();
    begin(operation);
    MPI_Request request;
    check(MPI_Ialltoall(sent.data(), 1, MPI_UINT64_T, arriving.data(), 1, MPI_UINT64_T, data_, &request));
    wait(&request, 1);
    uint64_t all = 0;
    for (const uint64_t count : arriving) all += count;
    std::vector<T> result(all);
    const Unit unit(sizeof(T));
    std::vector<MPI_Request> requests;
    uint64_t at = 0;
    for (int r = 0; r < size_; ++r) {
      pieces(arriving[static_cast<size_t>(r)], [&](uint64_t first, int count) {
        requests.emplace_back();
        check(
            MPI_Irecv(result.data() + at + first, count, unit.type(), r, data_tag, data_, &requests.back()));
      });
      at += arriving[static_cast<size_t>(r)];
    }
    for (int k = 0; k < size_; ++k) {
      const int r = (rank_ + k) % size_;  // not all to rank 0 first
      const std::vector<T>& message = outgoing[static_cast<size_t>(r)];
      pieces(message.size(), [&](uint64_t first, int count) {
        requests.emplace_back();
        check(MPI_Isend(message.data() + first, count, unit.type(), r, data_tag, data_, &requests.back()));
      });
    }
    wait(requests.data(), static_cast<int>(requests.size()));
    return result;
  }

  // ---- for operations on GraphBLAS objects (exchange.hpp) -----------------------------------------------

  /// MPI's type of one value of so many bytes, so that counts of values fit an int.
  class Unit {
   public:
    explicit Unit(size_t bytes) {
      MPI_Type_contiguous(static_cast<int>(bytes), MPI_BYTE, &type_);
      MPI_Type_commit(&type_);
    }
    ~Unit() { MPI_Type_free(&type_); }
    Unit(const Unit&) = delete;
    Unit& operator=(const Unit&) = delete;
    MPI_Datatype type() const { return type_; }

   private:
    MPI_Datatype type_;
  };
  MPI_Comm communicator() const { return data_; }
  /// Names the operation that the next waits belong to.
  void begin(const char* operation) {
    if (has_failed()) throw RankFailure(operation, failure_);
    operation_name_ = operation;
    ++operation_;
    for (Connection* connection : connections_) {
      if (const std::string text = connection->failure(); !text.empty()) fail(text);
    }
  }
  /// Throws RankFailure, on all ranks, where MPI's result is an error.
  void check(int mpi_result) {
    if (mpi_result == MPI_SUCCESS) return;
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    MPI_Error_string(mpi_result, text, &length);
    fail(std::string("MPI: ") + text);
  }
  /// Waits for requests, and hears from the other ranks meanwhile. Throws RankFailure.
  void wait(MPI_Request* requests, int count) {
    wait_until([&] {
      int done = 0;
      check(MPI_Testall(count, requests, &done, MPI_STATUSES_IGNORE));
      return done != 0;
    });
  }
  /// The same for anything that is done when `done()` says so.
  template <class Done>
  void wait_until(const Done& done) {
    waits_since_ = detail::Clock::now();
    for (unsigned turn = 0; !done(); ++turn) {
      if (turn < 64) continue;
      if (turn % 64 == 0) pulse();
      if (turn < 4096) {
        sched_yield();
      } else {
        usleep(50);
      }
    }
  }
  /// Announces that this rank cannot go on in the operation that was begun, and throws.
  [[noreturn]] void fail(const std::string& text) {
    const std::string operation = operation_name_ == nullptr ? "check_in" : operation_name_;
    announce("rank " + std::to_string(rank_) + " in " + operation + ": " + text);
    throw RankFailure(operation, text);
  }
  static int count_of(size_t count) { return static_cast<int>(count); }

 private:
  static constexpr int control_tag = 1, data_tag = 2;
  static constexpr size_t most_bytes = size_t{1} << 30;
  static constexpr uint64_t most_values = uint64_t{1} << 26;  ///< of one message
  struct Peer {
    detail::RankState state, outgoing;
    detail::Clock::time_point heard = detail::Clock::now();
    MPI_Request sending = MPI_REQUEST_NULL;
  };

  template <class Piece>
  static void pieces(uint64_t count, const Piece& piece) {
    for (uint64_t first = 0; first < count; first += most_values)
      piece(first, static_cast<int>(std::min(most_values, count - first)));
  }

  static double usual_deadline() {
    const char* const text = std::getenv("CUGRB_DEADLINE");
    return text == nullptr ? 7 : std::atof(text);
  }
  void choose_device() {
    MPI_Comm host;
    MPI_Comm_split_type(data_, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &host);
    MPI_Comm_rank(host, &rank_on_host_);
    MPI_Comm_free(&host);
    if (detail::chooses_by_rank(std::getenv("CUGRB_DEVICE"), std::getenv("CUGRB_DEVICES"),
                                std::getenv("CUDA_VISIBLE_DEVICES")))
      setenv("CUGRB_DEVICE", ("gpu:" + std::to_string(rank_on_host_)).c_str(), 1);
  }

  /// Speaks and hears where it is time to; throws where a rank has failed, is silent, or nothing moves.
  void pulse() {
    const auto now = detail::Clock::now();
    if (std::chrono::duration<double>(now - spoken_).count() > deadline_ / 8) {
      spoken_ = now;
      speak();
    }
    hear();
    for (int r = 0; r < size_; ++r) {
      const detail::RankState& state = peers_[static_cast<size_t>(r)].state;
      if (r != rank_ && state.kind == detail::RankState::failed) join_failure(r, state.text);
    }
    if (operation_name_ != nullptr && size_ > 1) look_for_silence();
  }
  detail::RankState own_state() const {
    detail::RankState state;
    state.kind = operation_name_ == nullptr ? detail::RankState::working : detail::RankState::waiting;
    state.operation = operation_;
    state.waited = operation_name_ == nullptr ? 0 : detail::seconds_since(waits_since_);
    if (operation_name_ != nullptr) detail::copy_text(operation_name_, state.name, sizeof state.name);
    if (has_failed()) {
      state.kind = detail::RankState::failed;
      detail::copy_text(failure_, state.text, sizeof state.text);
    }
    return state;
  }
  /// To whom the last message is still under way, none is sent: it may be stopped.
  void speak() {
    const detail::RankState state = own_state();
    for (int r = 0; r < size_; ++r) {
      if (r != rank_) send_state(r, state);
    }
  }
  bool send_state(int r, const detail::RankState& state) {
    Peer& peer = peers_[static_cast<size_t>(r)];
    int sent = 1;
    if (peer.sending != MPI_REQUEST_NULL) MPI_Test(&peer.sending, &sent, MPI_STATUS_IGNORE);
    if (sent == 0) return false;
    peer.outgoing = state;
    return MPI_Isend(&peer.outgoing, sizeof peer.outgoing, MPI_BYTE, r, control_tag, control_,
                     &peer.sending) == MPI_SUCCESS;
  }
  void hear() {
    for (int there = 1; there != 0;) {
      MPI_Status status;
      if (MPI_Iprobe(MPI_ANY_SOURCE, control_tag, control_, &there, &status) != MPI_SUCCESS || there == 0)
        return;
      Peer& peer = peers_[static_cast<size_t>(status.MPI_SOURCE)];
      MPI_Recv(&peer.state, sizeof peer.state, MPI_BYTE, status.MPI_SOURCE, control_tag, control_,
               MPI_STATUS_IGNORE);
      peer.heard = detail::Clock::now();
    }
  }
  void look_for_silence() {
    bool all_wait = detail::seconds_since(waits_since_) > deadline_;
    std::string where;
    for (int r = 0; r < size_; ++r) {
      if (r == rank_) continue;
      const Peer& peer = peers_[static_cast<size_t>(r)];
      const double silent = detail::seconds_since(std::max(peer.heard, waits_since_));
      if (silent > deadline_) {
        fail("rank " + std::to_string(r) + " has not been heard from for " + detail::seconds_text(silent) +
             last_words(peer));
      }
      all_wait = all_wait && peer.state.kind == detail::RankState::waiting && peer.state.waited > deadline_;
      where += (where.empty() ? "rank " : ", rank ") + std::to_string(r) + " in " + peer.state.name;
    }
    if (all_wait) fail("nothing has moved for " + detail::seconds_text(deadline_) + "; waiting are " + where);
  }
  static std::string last_words(const Peer& peer) {
    return peer.state.name[0] == '\0' ? "" : std::string("; its last word came from ") + peer.state.name;
  }
  [[noreturn]] void join_failure(int r, const std::string& text) {
    const std::string operation = operation_name_ == nullptr ? "check_in" : operation_name_;
    failure_ = text.empty() ? "rank " + std::to_string(r) + " has failed" : text;
    tell_failure();
    throw RankFailure(operation, failure_);
  }
  /// All ranks that can still hear it are told, and have a second to tell that they know.
  void tell_failure() noexcept {
    for (Connection* connection : connections_) connection->abort();
    const auto start = detail::Clock::now();
    std::vector<bool> told(static_cast<size_t>(size_), false);
    for (bool all = false; !all && detail::seconds_since(start) < 1;) {
      all = true;
      for (int r = 0; r < size_; ++r) {
        const size_t peer = static_cast<size_t>(r);
        if (r == rank_) continue;
        if (!told[peer]) told[peer] = send_state(r, own_state());
        all = all && told[peer] && peers_[peer].state.kind == detail::RankState::failed;
      }
      hear();
      usleep(200);
    }
  }

  double deadline_;
  bool ends_mpi_ = false;
  int rank_ = 0, size_ = 1, rank_on_host_ = 0, unwinding_ = 0;
  MPI_Comm data_ = MPI_COMM_NULL, control_ = MPI_COMM_NULL;
  std::vector<Peer> peers_;
  detail::Clock::time_point spoken_ = detail::Clock::now(), waits_since_ = detail::Clock::now();
  const char* operation_name_ = nullptr;  ///< null: this rank works
  uint64_t operation_ = 0;
  std::string failure_;
  std::vector<Connection*> connections_;
};

}  // namespace cugrb
