// Delta debugging: what is left out of a program while the two libraries still differ on it.
#include <algorithm>
#include <functional>
#include <set>
#include <utility>

#include "tests/differential/programs/both.h"

namespace differential::programs {
namespace {

class Reducer {
 public:
  explicit Reducer(const Program& program) : best_(program) {}

  Program run() {
    for (size_t before = SIZE_MAX; size() < before && left_ > 0;) {
      before = size();
      drop_calls();
      drop_objects();
      simplify_calls();
      drop_entries();
      shrink_sizes();
    }
    return best_;
  }

 private:
  /// Whether the libraries differ on it; the calls that have no right answer are gone from it then.
  bool differs(Program& program) {
    if (left_ == 0) return false;
    --left_;
    LeftOut ignored;
    Expected expected;
    try {
      expected = ask_oracle(program, ignored);
    } catch (const std::exception&) {
      return false;
    }
    return !compare(program, expected).empty();
  }

  bool take(Program candidate) {
    if (!differs(candidate)) return false;
    best_ = std::move(candidate);
    return true;
  }

  size_t size() const {
    size_t n = best_.steps.size() + best_.objects.size();
    for (const Object& o : best_.objects) n += o.entries.size() + size_t(o.rows > 3) + size_t(o.columns > 3);
    for (const Step& s : best_.steps) n += s.tuples.size() + options(s.configuration);
    return n;
  }
  static size_t options(const Configuration& c) {
    return size_t(c.mask != MaskKind::none) + size_t(!c.accumulate.empty()) + size_t(c.replace) +
           size_t(c.complement);
  }

  /// Leaves out runs of elements, long ones first.
  template <class T>
  void drop_runs(const std::function<std::vector<T>&(Program&)>& list) {
    for (size_t run = std::max<size_t>(1, list(best_).size() / 2); run > 0; run /= 2) {
      for (size_t at = 0; at < list(best_).size() && left_ > 0;) {
        Program candidate = best_;
        auto& elements = list(candidate);
        elements.erase(elements.begin() + long(at),
                       elements.begin() + long(std::min(at + run, elements.size())));
        if (!take(std::move(candidate))) at += run;
      }
    }
  }

  void drop_calls() {
    drop_runs<Step>([](Program& p) -> std::vector<Step>& { return p.steps; });
  }

  void drop_entries() {
    for (size_t k = 0; k < best_.objects.size(); ++k)
      drop_runs<Tuple>([k](Program& p) -> std::vector<Tuple>& { return p.objects[k].entries; });
  }

  /// Objects that no call names make no difference.
  void drop_objects() {
    std::vector<int> place(best_.objects.size(), -1);
    for (const Step& s : best_.steps) {
      for (const int k : {s.out, s.first, s.second, s.mask}) {
        if (k >= 0) place[size_t(k)] = 0;
      }
    }
    Program candidate;
    candidate.steps = best_.steps;
    for (size_t k = 0; k < place.size(); ++k) {
      if (place[k] < 0) continue;
      place[k] = int(candidate.objects.size());
      candidate.objects.push_back(best_.objects[k]);
    }
    for (Step& s : candidate.steps) {
      for (int* k : {&s.out, &s.first, &s.second, &s.mask}) {
        if (*k >= 0) *k = place[size_t(*k)];
      }
    }
    if (candidate.objects.size() < best_.objects.size()) take(std::move(candidate));
  }

  template <class Change>
  void try_call(size_t n, const Change& change) {
    Program candidate = best_;
    if (n < candidate.steps.size() && change(candidate.steps[n])) take(std::move(candidate));
  }

  void simplify_calls() {
    for (size_t n = 0; n < best_.steps.size(); ++n) {
      try_call(n, [](Step& s) {
        const bool had = s.mask >= 0;
        s.mask = -1;
        s.configuration.mask = MaskKind::none;
        s.configuration.complement = false;
        return had;
      });
      try_call(n, [](Step& s) { return std::exchange(s.configuration.complement, false); });
      try_call(n, [](Step& s) { return std::exchange(s.configuration.replace, false); });
      try_call(n, [](Step& s) {
        const bool had = !s.configuration.accumulate.empty();
        s.configuration.accumulate.clear();
        return had;
      });
      try_call(n, [](Step& s) {
        const bool had = !s.tuples.empty() && s.configuration.operation < Operation::split;
        if (had) s.tuples.clear();
        return had;
      });
    }
    for (size_t k = 0; k < best_.objects.size(); ++k) {
      Program candidate = best_;
      Object& o = candidate.objects[k];
      if (!o.iso && o.form == 0 && !o.by_column && o.making == Making::build) continue;
      o.iso = o.by_column = false;
      o.form = 0;
      o.making = Making::build;
      take(std::move(candidate));
    }
  }

  /// A size is replaced wherever it stands, and what lies beyond it goes.
  void shrink_sizes() {
    std::set<GrB_Index> sizes;
    for (const Object& o : best_.objects) sizes.insert({o.rows, o.columns});
    for (const GrB_Index from : sizes) {
      for (const GrB_Index to : {GrB_Index(1), GrB_Index(2), GrB_Index(3), GrB_Index(5), from / 2}) {
        if (to == 0 || to >= from) continue;
        Program candidate = best_;
        replace_size(candidate, from, to);
        if (take(std::move(candidate))) break;
      }
    }
  }
  static void replace_size(Program& program, GrB_Index from, GrB_Index to) {
    const auto change = [&](GrB_Index& n) { n = n == from ? to : n; };
    for (Object& o : program.objects) {
      change(o.rows);
      if (o.is_matrix) change(o.columns);
      std::erase_if(o.entries, [&](const Tuple& t) { return t.i >= o.rows || t.j >= o.columns; });
    }
    for (Step& s : program.steps) {
      change(s.new_rows);
      change(s.new_columns);
      if (s.rows.kind == List::Kind::all) change(s.rows.length);
      if (s.columns.kind == List::Kind::all) change(s.columns.length);
    }
  }

  Program best_;
  int left_ = 1500;  ///< so many runs at most
};

}  // namespace

Program reduced(const Program& program) { return Reducer(program).run(); }

}  // namespace differential::programs
