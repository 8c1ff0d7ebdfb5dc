// SPDX-License-Identifier: Apache-2.0
#include "compiler/flatten/functions/write_program_internal.h"

#include "compiler/flatten/model/components_internal.h"
#include "compiler/flatten/model/frame_internal.h"
#include "compiler/flatten/model/model_internal.h"
#include "compiler/flatten/nodes/node_internal.h"
#include "compiler/flatten/nodes/space_internal.h"
#include "compiler/flatten/statements/program_writer_internal.h"
#include "compiler/flatten/statements/statements_internal.h"
#include "compiler/flatten/typing/typer_internal.h"

namespace bolza::flatten {

Outcome<Done> write_program(Model& model, Frame& frame) {
  const Instance& function = *frame.function;
  ProgramWriter writer(model, &function);
  writer.program.span = function.definition ? function.definition->ast->name_span : function.span;
  std::map<const Instance*, std::vector<std::int64_t>> dims;
  Work work;
  Typer sizes(model, work, instance::scope_of(function), &frame);
  for (const Instance* child : function.children)
    for (const Instance* leaf : leaves_in(frame, *child)) {
      if (leaf->type == instance::Type::string) continue;
      if (leaf->variability == instance::Variability::constant && leaf->binding && !is_input(*leaf)) continue;
      writer.declare(*leaf, sizes.dimensions_of(*leaf));
      const ProgramWriter::Storage& storage = writer.storage_of(*leaf);
      if (is_input(*child)) writer.program.inputs.push_back({storage.is_array, storage.id, unit_of(model, *leaf)});
      if (!is_output(*child)) continue;
      writer.program.outputs.push_back({storage.is_array, storage.id, unit_of(model, *leaf)});
      frame.n_outputs += static_cast<std::uint32_t>(size_of(storage.dims));
    }
  if (writer.program.outputs.empty()) {  // it can only object: the output says whether its assertions hold
    writer.holds = writer.new_local("holds", ir::ScalarType::boolean);
    writer.assign(*writer.holds, model.dag().one(), writer.program.span);
    writer.program.outputs.push_back({false, *writer.holds});
    writer.program.only_asserts = true;
    frame.n_outputs = 1;
  }
  StatementWriter statements(model, writer, &frame, instance::scope_of(function));
  Outcome<Done> all = Done{};
  auto note = [&](const Outcome<Done>& done) {
    if (!done && (all || all.failure().reported())) all = done;
  };
  for (const Instance* child : function.children)
    if (!is_input(*child) && child->variability != instance::Variability::constant) note(statements.initialise(*child));
  for (const auto& section : function.algorithms) {
    StatementWriter body(model, writer, &frame, section.scope);
    note(body.statements(section.node->items));
  }
  frame.now.clear();
  if (!all) return all;
  auto& entry = writer.program.blocks[0];
  entry.insert(entry.begin(), writer.prologue.begin(), writer.prologue.end());
  std::size_t before = model.flat.expressions.programs.size();
  frame.program = ir::ProgramId(before);
  model.flat.expressions.programs.push_back(std::move(writer.program));
  return Done{};
}

}  // namespace bolza::flatten
