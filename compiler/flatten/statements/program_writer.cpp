// SPDX-License-Identifier: Apache-2.0
#include "compiler/flatten/statements/program_writer_internal.h"

#include <algorithm>

#include "base/expects.h"
#include "compiler/flatten/model/model_internal.h"
#include "compiler/flatten/nodes/node_internal.h"
#include "compiler/instance/functions/interpreted_function.h"

namespace bolza::flatten {

using ir::ExprId;
using ir::Op;

ir::ScalarType scalar_type_of(Basic basic) {
  if (basic == Basic::integer || basic == Basic::enumeration) return ir::ScalarType::integer;
  return basic == Basic::boolean ? ir::ScalarType::boolean : ir::ScalarType::real;
}

ProgramWriter::ProgramWriter(Model& model, const Instance* function) : model(model) {
  if (function != nullptr) program.name = std::string(function->name);
  program.blocks.emplace_back();
}

std::uint32_t ProgramWriter::new_local(std::string name, ir::ScalarType type) {
  program.locals.push_back({std::move(name), type});
  return static_cast<std::uint32_t>(program.locals.size() - 1);
}

std::uint32_t ProgramWriter::new_array(std::string name, std::size_t size, ir::ScalarType type) {
  program.arrays.push_back({std::move(name), static_cast<std::uint32_t>(size), type});
  return static_cast<std::uint32_t>(program.arrays.size() - 1);
}

void ProgramWriter::declare(const Instance& leaf, std::vector<std::int64_t> dims) {
  Basic basic = leaf.type == instance::Type::integer || leaf.type == instance::Type::enumeration ? Basic::integer
                : leaf.type == instance::Type::boolean                                           ? Basic::boolean
                                                                                                 : Basic::real;
  Storage storage{!dims.empty(), 0, std::move(dims)};
  std::string name = leaf.parent ? instance::path_of(leaf) : std::string(leaf.name);
  storage.id = storage.is_array ? new_array(name, static_cast<std::size_t>(size_of(storage.dims)), scalar_type_of(basic))
                                : new_local(name, scalar_type_of(basic));
  storage_.emplace(&leaf, std::move(storage));
}

void ProgramWriter::assign(std::uint32_t local, ExprId value, Span span) {
  ir::Statement s{ir::StatementKind::assign, span};
  s.target = local;
  s.value = value;
  push(std::move(s));
}

void ProgramWriter::store(std::uint32_t array, ExprId index, ExprId value, Span span) {
  ir::Statement s{ir::StatementKind::store, span};
  s.array = array;
  s.index = index;
  s.value = value;
  push(std::move(s));
}

ExprId ProgramWriter::load(std::uint32_t array, ExprId index, Span span) {
  ir::Statement s{ir::StatementKind::load, span};
  s.target = new_local(program.arrays[array].name, program.arrays[array].type);
  s.array = array;
  s.index = index;
  ExprId value = model.dag().slot(s.target);
  push(std::move(s));
  return value;
}

std::uint32_t ProgramWriter::new_block() {
  program.blocks.emplace_back();
  return static_cast<std::uint32_t>(program.blocks.size() - 1);
}

void ProgramWriter::loop(std::uint32_t local, ExprId from, ExprId step, ExprId to, Span span,
                         const std::function<void()>& body) {
  ir::Statement s{ir::StatementKind::loop_for, span};
  s.target = local;
  s.from = from;
  s.step = step;
  s.to = to;
  s.body = ir::BlockId(std::size_t{new_block()});
  std::uint32_t outside = enter(s.body.value);
  body();
  enter(outside);
  push(std::move(s));
}

std::uint32_t ProgramWriter::literal_array(const Node& table) {
  if (auto known = literals_.find(&table); known != literals_.end()) return known->second;
  auto array = static_cast<std::uint32_t>(program.arrays.size());
  program.arrays.push_back(ir::fixed_array("table", table.numbers, scalar_type_of(table.basic)));
  literals_.emplace(&table, array);
  return array;
}

void ProgramWriter::tell_apart(ir::Statement& call) {
  ir::Dag& dag = model.dag();
  auto begins_with = [&](std::uint32_t local, double value) {
    ir::Statement s{ir::StatementKind::assign, call.span};
    s.target = local;
    s.value = dag.number(value);
    prologue.push_back(std::move(s));
    return local;
  };
  if (!count_of_calls_) count_of_calls_ = begins_with(new_local("calls", ir::ScalarType::integer), 0);
  assign(*count_of_calls_, dag.add(dag.slot(*count_of_calls_), dag.one()), call.span);
  ExprId& number = call.arguments[call.arguments.size() - 2];
  number = dag.add(number, dag.make(Op::mul, dag.slot(*count_of_calls_), dag.number(0x1p-20)));
  if (section->space.n > 1)
    number = dag.add(number, dag.make(Op::mul, outside(*model.nodes.axis(section->number, call.span)), dag.number(0x1p20)));
  for (Branch& branch : reached_) {
    if (!branch.local) branch.local = new_local("reached", ir::ScalarType::boolean);
    call.arguments.back() =
        dag.select(dag.slot(*branch.local), call.arguments.back(), dag.number(instance::InterpretedFunction::never));
  }
}

void ProgramWriter::leave(Span span) {
  if (Branch& branch = reached_.back(); branch.local) assign(*branch.local, branch.condition, span);
  reached_.pop_back();
}

void ProgramWriter::restore(Snapshot snapshot) {
  program = std::move(snapshot.program);
  section = std::move(snapshot.section);
  prologue = std::move(snapshot.prologue);
  literals_ = std::move(snapshot.literals);
  block_ = snapshot.block;
  auto forget = [&](std::optional<std::uint32_t>& local) {
    if (local && *local >= program.locals.size()) local.reset();
  };
  forget(count_of_calls_);
  for (Branch& branch : reached_) forget(branch.local);
}

}  // namespace bolza::flatten
