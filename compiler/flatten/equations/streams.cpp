// SPDX-License-Identifier: Apache-2.0
#include "compiler/flatten/equations/streams_internal.h"

#include <algorithm>
#include <map>

#include "compiler/flatten/groups/group_builder_internal.h"
#include "compiler/flatten/model/components_internal.h"
#include "compiler/flatten/model/streams_internal.h"
#include "compiler/flatten/nodes/node_internal.h"
#include "compiler/flatten/nodes/space_internal.h"

namespace bolza::flatten {

using ir::ExprId;
using ir::Op;

namespace {

/// One that may flow into the others of its set: what flows, counted away from it, and the value that comes with it.
struct Source {
  std::uint32_t flow = 0, value = 0;
  bool outside = false;  ///< a flow into an outside connector comes from it
};

/// Rows of equal shape: the variable that is determined, and its sources.
struct MixedRows {
  std::vector<std::uint32_t> targets;
  std::vector<std::vector<Source>> sources;
  std::vector<double> nominal;
  std::vector<ir::RowId> rows;
  std::vector<Span> spans;
};

class StreamRows {
 public:
  explicit StreamRows(Model& model) : model_(model) {
    for_each_component(model.tree.root(), [&](const Instance& instance) {
      auto at = model_.streams.find(&instance);
      if (at != model_.streams.end()) by_first_.emplace(model_.first_id.at(&instance), &*at);
    });
  }

  void run(const std::vector<std::vector<StreamEnd>>& sets) {
    for (const auto& set : sets)
      for (std::size_t k = 0; k < set.size(); ++k) of_end(set, k);
    for (const auto& [first, of] : by_first_)
      for (std::uint32_t e = 0; e < size_at(first); ++e)
        if (!has_row_.contains(first + e)) see_itself({first + e, false, of->first->span});
    for (auto& [signs, shape] : shapes_) push(signs, shape);
  }

 private:
  using Found = std::pair<const Instance* const, Stream>;

  const Found& stream_at(std::uint32_t id, std::uint32_t& element) const {
    auto after = by_first_.upper_bound(id);
    --after;
    element = id - after->first;
    return *after->second;
  }

  std::uint32_t size_at(std::uint32_t first) const {
    return static_cast<std::uint32_t>(size_of(instance::all_dimensions(*by_first_.at(first)->first)));
  }

  /// Of an element: its flow, as an element of the flow variable.
  std::uint32_t flow_element(const Found& found, std::uint32_t element) const {
    std::vector<std::int64_t> dims = instance::all_dimensions(*found.first);
    dims.erase(dims.begin(), dims.begin() + static_cast<std::ptrdiff_t>(found.second.connector_rank));
    return element / static_cast<std::uint32_t>(size_of(dims));
  }

  std::uint32_t in_stream(std::uint32_t id) const {
    std::uint32_t element = 0;
    const Found& found = stream_at(id, element);
    return model_.first_id.at(found.second.in_stream) + element;
  }

  double nominal_flow(std::uint32_t id) const {
    std::uint32_t element = 0;
    const Found& found = stream_at(id, element);
    return model_.flow_ranges.at(found.second.flow).nominal[flow_element(found, element)];
  }

  /// Null where bounds say that nothing comes from it.
  std::optional<Source> source(const StreamEnd& end, bool only_other) const {
    std::uint32_t element = 0;
    const Found& found = stream_at(end.id, element);
    std::uint32_t of_flow = flow_element(found, element);
    const FlowRange& range = model_.flow_ranges.at(found.second.flow);
    bool blocked = end.outside ? range.max[of_flow] <= 0 : range.min[of_flow] >= 0;
    if (blocked && !only_other) return {};
    std::uint32_t flow = model_.first_id.at(found.second.flow) + of_flow;
    return Source{flow, end.outside ? in_stream(end.id) : end.id, end.outside};
  }

  void of_end(const std::vector<StreamEnd>& set, std::size_t k) {
    std::vector<Source> sources;
    double nominal = nominal_flow(set[k].id);
    for (std::size_t j = 0; j < set.size(); ++j) {
      if (j == k) continue;
      nominal = std::min(nominal, nominal_flow(set[j].id));
      if (auto from = source(set[j], set.size() == 2)) sources.push_back(*from);
    }
    if (!set[k].outside) has_row_.insert(set[k].id);
    if (sources.empty() && !set[k].outside) return see_itself(set[k]);
    add(set[k].outside ? set[k].id : in_stream(set[k].id), std::move(sources), nominal, set[k].span);
  }

  void see_itself(const StreamEnd& end) { add(in_stream(end.id), {Source{0, end.id, false}}, 1, end.span); }

  void add(std::uint32_t target, std::vector<Source> sources, double nominal, Span span) {
    std::vector<bool> signs;
    for (const Source& s : sources) signs.push_back(sources.size() > 1 && s.outside);
    MixedRows& shape = shapes_[signs];
    shape.targets.push_back(target);
    shape.sources.push_back(std::move(sources));
    shape.nominal.push_back(nominal);
    shape.spans.push_back(span);
    shape.rows.emplace_back(std::size_t{model_.flat.equations.n_rows++});
  }

  void push(const std::vector<bool>& signs, MixedRows& shape) {
    GroupBuilder builder(model_, shape.rows.size());
    ir::Dag& dag = model_.dag();
    ExprId target = builder.slot(std::move(shape.targets));
    std::vector<ExprId> flows, values;
    for (std::size_t j = 0; j < signs.size(); ++j) {
      std::vector<std::uint32_t> of_flow, of_value;
      for (const auto& sources : shape.sources) {
        of_flow.push_back(sources[j].flow);
        of_value.push_back(sources[j].value);
      }
      values.push_back(builder.slot(std::move(of_value)));
      if (signs.size() == 1) break;
      ExprId flow = builder.slot(std::move(of_flow));
      flows.push_back(signs[j] ? flow : dag.neg(flow));
    }
    ExprId value = signs.empty() ? dag.zero() : values[0];
    if (signs.size() > 1) value = mixture(flows, values, builder, Known(std::move(shape.nominal)));
    Space space;
    space.n = shape.rows.size();
    ir::Group group = builder.finish({dag.sub(target, value)}, {std::move(shape.rows)}, shape.spans[0], space, {});
    for (std::size_t i = 0; i < shape.spans.size(); ++i) model_.flat.origins[group.origins[i]].span = shape.spans[i];
    model_.flat.equations.groups.push_back(std::move(group));
  }

  /// Σ w·value/Σ w, where w is what flows in, and never all zero.
  ExprId mixture(const std::vector<ExprId>& flows, const std::vector<ExprId>& values, GroupBuilder& builder,
                 const Known& nominal) {
    ir::Dag& dag = model_.dag();
    ExprId size = nominal.is_uniform() ? dag.number(nominal.uniform()) : builder.datum(nominal);
    std::vector<ExprId> weights = model_.smooth_streams ? smooth_weights(flows, size) : weights_with_rest(flows, size);
    ExprId sum = weights[0], carried = dag.mul(weights[0], values[0]);
    for (std::size_t j = 1; j < weights.size(); ++j) {
      sum = dag.add(sum, weights[j]);
      carried = dag.add(carried, dag.mul(weights[j], values[j]));
    }
    return dag.div(carried, sum);
  }

  /// (v + √(v² + δ²))/2 + δ/1000, differentiable of all orders. The last term is more than the rounding error of the first
  /// where v is far below zero, so that all weights together stay away from zero.
  std::vector<ExprId> smooth_weights(const std::vector<ExprId>& flows, ExprId nominal) {
    ir::Dag& dag = model_.dag();
    ExprId width = dag.mul(dag.number(stream_at_rest), nominal), half = dag.number(0.5);
    ExprId least = dag.mul(dag.number(1e-3), width);
    std::vector<ExprId> weights;
    for (ExprId v : flows) {
      ExprId size = dag.make(Op::sqrt, dag.add(dag.mul(v, v), dag.mul(width, width)));
      weights.push_back(dag.add(least, dag.mul(half, dag.add(v, size))));
    }
    return weights;
  }

  /// positiveMax of the specification: max(v, 0) where more than ε flows in, ε of each where nothing does, and a cubic
  /// blend of both between.
  std::vector<ExprId> weights_with_rest(const std::vector<ExprId>& flows, ExprId nominal) {
    ir::Dag& dag = model_.dag();
    ExprId zero = dag.zero(), one = dag.one(), rest = dag.mul(dag.number(stream_at_rest), nominal), sum = zero;
    std::vector<ExprId> positive;
    for (ExprId v : flows) {
      positive.push_back(dag.make(Op::no_event, dag.make(Op::max, v, zero)));
      sum = dag.add(sum, positive.back());
    }
    ExprId share = dag.div(sum, rest);
    ExprId blend = dag.mul(dag.mul(share, share), dag.sub(dag.number(3), dag.mul(dag.number(2), share)));
    ExprId alpha = dag.make(Op::no_event, dag.select(dag.make(Op::greater, share, one), one, blend));
    std::vector<ExprId> weights;
    for (ExprId v : positive) weights.push_back(dag.add(dag.mul(alpha, v), dag.mul(dag.sub(one, alpha), rest)));
    return weights;
  }

  Model& model_;
  std::map<std::uint32_t, const Found*> by_first_;
  std::unordered_set<std::uint32_t> has_row_;
  std::map<std::vector<bool>, MixedRows> shapes_;
};

}  // namespace

void stream_rows(Model& model, const std::vector<std::vector<StreamEnd>>& sets) {
  if (!model.streams.empty()) StreamRows(model).run(sets);
}

}  // namespace bolza::flatten
