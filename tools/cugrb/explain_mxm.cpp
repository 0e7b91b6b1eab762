// `cugrb explain --mxm A B`: products, entries, predictions and the choice for C<mask> = A B, measured if
// asked.
#include "src/operations/matrix_operations.h"
#include "src/operations/multiply/registry.h"
#include "tools/calibration/timing.h"
#include "tools/cugrb/command.h"
#include "tools/cugrb/explain.h"
#include "tools/cugrb/explain_device.h"
#include "tools/cugrb/explain_measure.h"
#include "tools/cugrb/memory_errors.h"

namespace cugrb::command {

namespace {

using formats::DeviceMatrix;
using nlohmann::json;

/// The three matrices; those that were not named are the first one, or empty.
struct Graphs {
  graph_files::Csr first, second, mask;
  bool square = false;  ///< the second is the first
};

struct Shape {
  uint64_t rows, columns;
};
Shape shape_of(const graph_files::Csr& graph, bool transposed) {
  return transposed ? Shape{graph.ncols, graph.nrows} : Shape{graph.nrows, graph.ncols};
}
std::string text_of(const Shape& shape) {
  return std::to_string(shape.rows) + " x " + std::to_string(shape.columns);
}

Graphs load_all(const ExplainRequest& request) {
  Graphs graphs;
  graphs.first = load(request.graph, request.directed);
  graphs.square = request.second.empty() || request.second == request.graph;
  if (!graphs.square) graphs.second = load(request.second, request.directed);
  const graph_files::Csr& second = graphs.square ? graphs.first : graphs.second;
  const Shape a = shape_of(graphs.first, request.transpose_first),
              b = shape_of(second, request.transpose_second);
  if (a.columns != b.rows)
    throw Failure("a " + text_of(a) + " matrix cannot be multiplied by a " + text_of(b) + " one");
  if (request.mask.empty()) return graphs;
  graphs.mask = load(request.mask, request.directed);
  const Shape m = shape_of(graphs.mask, false);
  if (m.rows != a.rows || m.columns != b.columns)
    throw Failure("the mask is " + text_of(m) + ", the product " + text_of({a.rows, b.columns}));
  return graphs;
}

/// One product C<mask> = A B, ready to run.
struct MatrixProduct {
  const Semiring& semiring;
  const DeviceMatrix& a;
  const DeviceMatrix& b;
  operations::MatrixMask mask;
  bool transpose_a, transpose_b;

  operations::MatrixMatrix call() const { return {semiring, a, b, transpose_a, transpose_b}; }
  DeviceMatrix run() const {
    DeviceMatrix c =
        formats::matrix_by(formats::empty_csr(semiring.add.type(), transpose_a ? a.columns : a.rows,
                                              transpose_b ? b.rows : b.columns),
                           /*by_column=*/false);
    operations::mxm({c, mask, std::nullopt, true}, call());
    return c;
  }
  double workspace() const {
    return double(calibration::workspace_of([&] { return run().bytes(); }));
  }
  void forget() const {
    a.drop_caches();
    b.drop_caches();
    if (mask.object != nullptr) mask.object->drop_caches();
  }
};

json describe_estimate(const selector::MxmProblem& p) {
  return {{"products", p.products},
          {"counted", p.products_counted},
          {"entries", p.entries.all},
          {"kept", p.entries.kept},
          {"counted_rows", p.entries.counted_rows},
          {"deviation", p.entries.deviation},
          {"uncounted_share", p.entries.uncounted_share},
          {"by_mean_row", selector::entries_by_means(p).all},
          {"basis", selector::to_text(p.entries)}};
}

json explain_product(const ExplainRequest& request, const MatrixProduct& product,
                     const selector::Hardware& hardware) {
  const auto decide = [&] {
    return operations::decide_mxm(product.mask, product.call(), hardware, operations::forced_kernel());
  };
  const operations::MxmOutlook outlook = decide();
  json report = {
      {"semiring", product.semiring.name}, {"operation", "mxm " + product.semiring.name}, {"uses", 1}};
  if (outlook.decision.candidates.empty()) {
    report["nothing"] = "no entry has a term: nothing is multiplied";
    return report;
  }
  report["estimate"] = describe_estimate(outlook.problem);
  report["candidates"] = describe_candidates(outlook.decision.candidates, 1);
  describe_choice(report, outlook.decision);
  if (!request.measure) return report;
  report["decision_seconds"] = settled_seconds_of(decide);
  report["result_entries"] = product.run().nvals();
  const Measurable measurable{{"GrB_mxm", [&] { product.run(); }, [&] { product.forget(); }},
                              [&] { return product.workspace(); }};
  Measured measured = measure(applicable_kernels(report["candidates"]), report["chosen"]["kernel"],
                              measurable, request.repeat);
  describe_measured(report, measured, measurable, request.repeat);
  return report;
}

DeviceMatrix factor(const graph_files::Csr& graph, const Type& type, bool read) {
  return to_device(graph, read ? type : Type::of(TypeCode::Bool), !read);
}

json explain_graphs(const ExplainRequest& request, const Graphs& graphs) {
  const graph_files::Csr& second = graphs.square ? graphs.first : graphs.second;
  json report;
  report["graph"] = describe_graph(request.graph, graphs.first);
  if (!graphs.square) report["second"] = describe_graph(request.second, graphs.second);
  DeviceMatrix mask;
  if (!request.mask.empty()) {
    mask = to_device(graphs.mask, Type::of(TypeCode::Bool), true);
    report["mask"] = describe_graph(request.mask, graphs.mask);
  }
  report["complement"] = request.complement;
  report["transposed"] = {request.transpose_first, request.transpose_second};
  report["device"] = describe_device(request);
  report["products"] = json::array();
  for (const std::string& name : request.semirings) {
    const Semiring semiring = catalogue::semiring(name).value();
    const BinaryOp& multiply = semiring.multiply;
    const DeviceMatrix a = factor(graphs.first, multiply.x, multiply.reads_x);
    const bool same = graphs.square && multiply.reads_x == multiply.reads_y && multiply.x == multiply.y;
    const DeviceMatrix b = same ? a : factor(second, multiply.y, multiply.reads_y);
    if (report["products"].empty()) {
      report["lengths"] = {{"rows", describe_lengths(a.row_distribution(request.transpose_first))},
                           {"columns", describe_lengths(b.row_distribution(request.transpose_second))}};
    }
    const operations::MatrixMask given{request.mask.empty() ? nullptr : &mask, true, request.complement};
    report["products"].push_back(
        explain_product(request, {semiring, a, b, given, request.transpose_first, request.transpose_second},
                        hardware_of(request)));
  }
  return report;
}

/// The larger factor: of it a lack of memory is said.
MatrixSize size_of_larger(const ExplainRequest& request, const Graphs& graphs) {
  const bool first = graphs.square || graphs.first.entries() + graphs.first.nrows >=
                                          graphs.second.entries() + graphs.second.nrows;
  const graph_files::Csr& larger = first ? graphs.first : graphs.second;
  return {first ? request.graph : request.second, larger.nrows, larger.ncols, larger.entries()};
}

}  // namespace

json explain_mxm(const ExplainRequest& request) {
  const Graphs graphs = load_all(request);
  return with_memory_for(size_of_larger(request, graphs), [&] { return explain_graphs(request, graphs); });
}

}  // namespace cugrb::command
