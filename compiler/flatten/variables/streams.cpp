// SPDX-License-Identifier: Apache-2.0
#include "compiler/flatten/variables/streams_internal.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "compiler/flatten/model/components_internal.h"
#include "compiler/flatten/variables/variables_internal.h"

namespace bolza::flatten {
namespace {

/// The connector that a variable is a member of, perhaps in a record.
const Instance& connector_of(const Instance& member) {
  const Instance* around = member.parent;
  while (!around->is_connector && around->parent) around = around->parent;
  return *around;
}

/// The flow variable of a connector; flows in connectors inside of it are theirs.
const Instance* flow_in(const Instance& connector) {
  for (const Instance* leaf : leaves_of(connector))
    if (leaf->connection == ast::Connection::flow && &connector_of(*leaf) == &connector) return leaf;
  return nullptr;
}

/// A variable of the dimensions and places of another.
const Instance& add_in_stream(Model& model, const Instance& of) {
  Instance& in = model.stream_instances.emplace_back(of);
  in.name = model.stream_names.emplace_back("inStream(" + std::string(of.name) + ")");
  in.connection = ast::Connection::none;
  in.binding = {};
  in.is_protected = true;
  in.is_final = false;
  std::erase_if(in.attributes, [](const instance::GivenAttribute& attribute) {
    constexpr std::array kept{"displayUnit", "nominal", "quantity", "start", "unit"};
    return std::find(kept.begin(), kept.end(), attribute.name) == kept.end();
  });
  if (of.rank() > 0) model.first_axis.emplace(&in, model.axis_of(of, 0));
  return in;
}

}  // namespace

const Instance* add_stream(Model& model, const Instance& instance) {
  if (instance.connection != ast::Connection::stream || !model.first_id.contains(&instance)) return nullptr;
  const Instance& connector = connector_of(instance);
  Stream stream;
  stream.flow = flow_in(connector);
  if (stream.flow == nullptr) return nullptr;
  stream.connector_rank = instance::all_dimensions(connector).size();
  stream.in_stream = &add_in_stream(model, instance);
  model.streams.emplace(&instance, stream);
  return stream.in_stream;
}

void find_flow_ranges(Model& model) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  for_each_component(model.tree.root(), [&](const Instance& instance) {
    auto stream = model.streams.find(&instance);
    if (stream == model.streams.end()) return;
    const Instance& flow = *stream->second.flow;
    auto [at, is_new] = model.flow_ranges.try_emplace(&flow);
    if (!is_new) return;
    FlowRange& range = at->second;
    range.min = known_attribute(model, flow, "min", -infinite);
    range.max = known_attribute(model, flow, "max", infinite);
    range.nominal = known_attribute(model, flow, "nominal", 1);
    for (double& nominal : range.nominal) nominal = nominal != 0 ? std::fabs(nominal) : 1;
  });
}

}  // namespace bolza::flatten
