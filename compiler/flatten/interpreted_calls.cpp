// Functions that the interpreter runs where an event calls them: those that act outside, and those that cannot be Programs.
#include <algorithm>

#include "compiler/flatten/function_internal.h"
#include "compiler/flatten/program_internal.h"
#include "compiler/instance/interpreted_function.h"

namespace bolza::flatten {
namespace {

int call_interpreted(const void* self, const double* arguments, double* outputs) {
  return static_cast<const instance::InterpretedFunction*>(self)->run(arguments, outputs) ? 0 : 1;
}

bool is_text(const Instance& component) { return component.type == instance::Type::string; }

}  // namespace

bool can_be_interpreted(const Instance& function) {
  if (function.external == nullptr && function.algorithms.empty()) return false;
  bool gives = false;
  for (const Instance* child : function.children) {
    if (!is_input(*child) && !is_output(*child)) continue;
    bool passes = child->type != instance::Type::none && !instance::is_functional_input(*child);
    if (!passes || (is_text(*child) && (is_output(*child) || child->rank() > 0))) return false;
    gives = gives || is_output(*child);
  }
  return gives;
}

bool write_interpreted(Model& model, Frame& frame) {
  const Instance& function = *frame.function;
  ProgramWriter writer(model, &function);
  writer.program.span = function.definition->ast->name_span;
  std::vector<instance::InterpretedFunction::Input> numbers;
  auto add = [&](const Instance& component, const std::vector<std::int64_t>& dims, auto& ports) {
    writer.declare(component, dims);
    const ProgramWriter::Storage& storage = writer.storage_of(component);
    ports.push_back({storage.is_array, storage.id, unit_of(model, component)});
  };
  for (const Instance* child : function.children) {
    if (!is_input(*child) || is_text(*child)) continue;
    numbers.push_back({child, frame.dims.at(child)});
    add(*child, frame.dims.at(child), writer.program.inputs);
  }
  for (const char* hidden : {"call", "time"}) {
    Instance& input = frame.made.emplace_back();
    input.name = hidden, input.type = instance::Type::real;
    add(input, {}, writer.program.inputs);
  }
  for (const Instance* child : function.children) {
    if (!is_output(*child)) continue;
    add(*child, frame.dims.at(child), writer.program.outputs);
    frame.n_outputs += static_cast<std::uint32_t>(size_of(frame.dims.at(child)));
  }
  std::string name = instance::full_name(*function.definition);
  std::size_t id = model.flat.expressions.programs.size();
  auto run = std::make_shared<instance::InterpretedFunction>(model.tree, function, std::move(numbers), frame.texts,
                                                             frame.n_outputs);
  writer.program.foreign = ir::Foreign{name, "interpreted " + std::to_string(id) + " " + name, call_interpreted, run};
  frame.program = ir::ProgramId(id);
  model.flat.expressions.programs.push_back(std::move(writer.program));
  return true;
}

}  // namespace bolza::flatten
