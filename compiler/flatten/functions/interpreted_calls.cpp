// SPDX-License-Identifier: Apache-2.0
// Functions that the interpreter runs where an event calls them: those that act outside, and those that cannot be Programs.
#include "compiler/flatten/functions/interpreted_calls_internal.h"

#include <algorithm>

#include "compiler/flatten/model/components_internal.h"
#include "compiler/flatten/model/frame_internal.h"
#include "compiler/flatten/model/model_internal.h"
#include "compiler/flatten/nodes/node_internal.h"
#include "compiler/flatten/statements/program_writer_internal.h"
#include "compiler/instance/functions/interpreted_function.h"

namespace bolza::flatten {
namespace {

int call_interpreted(const void* self, const double* arguments, double* outputs) {
  return static_cast<const instance::InterpretedFunction*>(self)->run(arguments, outputs) ? 0 : 1;
}

/// Whether the interpreter can be given, or gives, such a component or field.
bool passes(const Instance& component, bool gives) {
  if (component.type == instance::Type::string || component.external_object) return !gives;
  if (component.type != instance::Type::none) return true;
  bool is_record = component.class_kind == ast::ClassKind::record && !instance::is_functional_input(component);
  return is_record && std::all_of(component.children.begin(), component.children.end(),
                                  [&](const Instance* field) { return passes(*field, gives); });
}

/// What an input is in all calls, with zeros for its numbers.
instance::Value value_in_all_calls(const Frame& frame, const Instance& component) {
  if (component.type == instance::Type::none) {
    instance::Value record{.kind = instance::ValueKind::record, .definition = component.definition};
    record.dimensions = dims_in(frame, component);
    for (const Instance* field : component.children)
      record.fields.push_back({std::string(field->name), value_in_all_calls(frame, *field)});
    if (component.external_object) record.object = frame.objects.at(&component).pointer.get();
    return record;
  }
  instance::Value value = instance::filled(instance::kind_of(component.type), dims_in(frame, component));
  value.definition = component.enumeration;
  if (component.type == instance::Type::string) value.strings = frame.texts.at(&component);
  return value;
}

}  // namespace

bool can_be_interpreted(const Instance& function) {
  if (function.external == nullptr && function.algorithms.empty()) return false;
  bool gives = false;
  for (const Instance* child : function.children) {
    if ((is_input(*child) || is_output(*child)) && !passes(*child, is_output(*child))) return false;
    gives = gives || is_output(*child);
  }
  return gives;
}

void write_interpreted(Model& model, Frame& frame) {
  const Instance& function = *frame.function;
  ProgramWriter writer(model, &function);
  writer.program.span = function.definition->ast->name_span;
  std::vector<instance::InterpretedFunction::Input> inputs;
  auto add = [&](const Instance& component, const std::vector<std::int64_t>& dims, auto& ports) {
    writer.declare(component, dims);
    const ProgramWriter::Storage& storage = writer.storage_of(component);
    ports.push_back({storage.is_array, storage.id, unit_of(model, component)});
  };
  auto add_leaves = [&](const Instance& component, auto& ports) {
    for (const Instance* leaf : leaves_of(component))
      if (leaf->type != instance::Type::string) add(*leaf, dims_in(frame, *leaf), ports);
  };
  for (const Instance* child : function.children) {
    if (!is_input(*child)) continue;
    inputs.push_back({child, value_in_all_calls(frame, *child)});
    add_leaves(*child, writer.program.inputs);
  }
  for (const char* hidden : {"call", "time"}) {
    Instance& input = frame.made.emplace_back();
    input.name = hidden;
    input.type = instance::Type::real;
    add(input, {}, writer.program.inputs);
  }
  for (const Instance* child : function.children) {
    if (!is_output(*child)) continue;
    add_leaves(*child, writer.program.outputs);
    for (const Instance* leaf : leaves_of(*child))
      frame.n_outputs += static_cast<std::uint32_t>(size_of(dims_in(frame, *leaf)));
  }
  instance::InterpretedFunction::Objects objects;
  for (const auto& [input, object] : frame.objects) objects.push_back(object.pointer);
  std::string name = instance::full_name(*function.definition);
  std::size_t id = model.flat.expressions.programs.size();
  auto run = std::make_shared<instance::InterpretedFunction>(model.tree, function, std::move(inputs), std::move(objects),
                                                             frame.n_outputs);
  writer.program.foreign = ir::Foreign{name, "interpreted " + std::to_string(id) + " " + name, call_interpreted, run};
  frame.program = ir::ProgramId(id);
  model.flat.expressions.programs.push_back(std::move(writer.program));
}

}  // namespace bolza::flatten
