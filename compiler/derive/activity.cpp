// SPDX-License-Identifier: Apache-2.0
#include "compiler/derive/active_internal.h"
#include "compiler/derive/activity_internal.h"
#include "compiler/derive/program_derivatives.h"

namespace bolza::derive {

using ir::ExprId;
using ir::Program;
using ir::ScalarType;
using ir::Statement;
using ir::StatementKind;

std::vector<std::uint32_t> Activity::active_slots(const ir::Expressions& expressions, ExprId e) const {
  if (expressions.dag.op(e) == ir::Op::slot) {
    std::uint32_t k = expressions.dag.index(e);
    return (*this)(k) ? std::vector{k} : std::vector<std::uint32_t>{};
  }
  ActiveGraph graph = active_graph(expressions, std::span(&e, 1));
  std::vector<char> reached(graph.nodes.size(), 0);
  if (graph.roots[0] == ActiveGraph::inactive) return {};
  reached[graph.roots[0]] = 1;
  for (std::size_t v = graph.nodes.size(); v-- > 0;)
    if (reached[v])
      for (ActiveGraph::Edge edge : graph.edges[v]) reached[edge.child] = 1;
  std::vector<std::uint32_t> result;
  for (std::uint32_t s = 0; s < graph.n_slots; ++s)
    if (reached[s] && (*this)(graph.slots[s])) result.push_back(graph.slots[s]);
  return result;
}

bool is_real(const Program& program, Program::Port port) {
  return (port.is_array ? program.arrays[port.id].type : program.locals[port.id].type) == ScalarType::real;
}

bool has_tape(const Program& program) {
  for (const auto& block : program.blocks)
    for (const Statement& s : block)
      if (s.kind == StatementKind::push || s.kind == StatementKind::pop) return true;
  return false;
}

namespace {

/// One round over all statements; true when something became active.
class Spread {
 public:
  Spread(const ir::Expressions& all, const Program& program, Activity& activity)
      : all_(all),
        program_(program),
        activity_(activity) {}

  bool round() {
    changed_ = false;
    for (const auto& block : program_.blocks)
      for (const Statement& s : block) visit(s);
    return changed_;
  }

 private:
  void visit(const Statement& s) {
    switch (s.kind) {
      case StatementKind::assign:
        local(s.target, depends(s.value));
        break;
      case StatementKind::load:
        local(s.target, activity_.arrays[s.array]);
        break;
      case StatementKind::store:
        array(s.array, depends(s.value));
        break;
      case StatementKind::loop_for:
        local(s.target, depends(s.from) || depends(s.step));
        break;
      case StatementKind::call: {
        bool any = false;
        for (ExprId e : s.arguments) any = any || depends(e);
        for (std::uint32_t target : s.targets) local(target, any);
        break;
      }
      case StatementKind::branch:
      case StatementKind::loop_while:
      case StatementKind::exit_loop:
      case StatementKind::exit_program:
      case StatementKind::check:
      case StatementKind::push:
      case StatementKind::pop:  // pop gives a local its own earlier value
        break;
    }
  }

  bool depends(ExprId e) { return activity_.depends(all_, e); }

  void local(std::uint32_t id, bool active) {
    if (!active || activity_.locals[id] || program_.locals[id].type != ScalarType::real) return;
    activity_.locals[id] = 1;
    changed_ = true;
  }

  void array(std::uint32_t id, bool active) {
    if (!active || activity_.arrays[id] || program_.arrays[id].type != ScalarType::real) return;
    activity_.arrays[id] = 1;
    changed_ = true;
  }

  const ir::Expressions& all_;
  const Program& program_;
  Activity& activity_;
  bool changed_ = false;
};

}  // namespace

Activity activity_of(const ir::Expressions& expressions, const Program& program) {
  Activity activity{std::vector<char>(program.locals.size(), 0), std::vector<char>(program.arrays.size(), 0)};
  for (const Program::Port& port : program.inputs)
    if (is_real(program, port)) (port.is_array ? activity.arrays : activity.locals)[port.id] = 1;
  Spread spread(expressions, program, activity);
  while (spread.round()) {}
  return activity;
}

}  // namespace bolza::derive
