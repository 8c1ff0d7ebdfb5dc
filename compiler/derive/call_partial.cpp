// SPDX-License-Identifier: Apache-2.0
#include "compiler/derive/call_partial_internal.h"

#include "base/expects.h"
#include "compiler/derive/program_derivatives.h"

namespace bolza::derive {

using ir::Dag;
using ir::Expressions;
using ir::ExprId;
using ir::Program;
using ir::ProgramId;

namespace {

/// The port that entry k of the flattened arguments or outputs belongs to.
Program::Port port_at(const Program& program, const std::vector<Program::Port>& ports, std::size_t k) {
  for (const Program::Port& port : ports) {
    std::size_t n = port.is_array ? program.arrays[port.id].size : 1;
    if (k < n) return port;
    k -= n;
  }
  expects(false, "calls have as many arguments and outputs as their Program");
  return {};
}

/// A call with the arguments of `call`, then n numbers that are 0 but for a 1 at `unit`.
ExprId call_with_unit(Dag& dag, ProgramId program, std::span<const ExprId> arguments, std::size_t n, std::size_t unit) {
  std::vector<ExprId> all(arguments.begin(), arguments.end());
  for (std::size_t i = 0; i < n; ++i) all.push_back(i == unit ? dag.one() : dag.zero());
  return dag.call(program, all);
}

std::size_t real_arguments(const Program& program) {
  std::size_t n = 0;
  for (const Program::Port& port : program.inputs)
    if (is_real(program, port)) n += port.is_array ? program.arrays[port.id].size : 1;
  return n;
}

bool by_tangent(const Program& program) {
  return has_own_tangent(program) || has_tape(program) || real_arguments(program) < output_count(program);
}

std::vector<ExprId> unit(Dag& dag, std::size_t n, std::size_t k) {
  std::vector<ExprId> directions(n, dag.zero());
  directions[k] = dag.one();
  return directions;
}

}  // namespace

bool call_is_differentiable(const Expressions& expressions, ExprId output, std::size_t k) {
  const Dag& dag = expressions.dag;
  const Program& program = expressions.programs[dag.program(dag.operands(output)[0]).index()];
  return is_real(program, port_at(program, program.inputs, k)) &&
         is_real(program, port_at(program, program.outputs, dag.index(output)));
}

ExprId call_partial(Expressions& expressions, ExprId output, std::size_t k) {
  Dag& dag = expressions.dag;
  ExprId call = dag.operands(output)[0];
  ProgramId id = dag.program(call);
  std::span<const ExprId> arguments = dag.operands(call);
  std::size_t n_outputs = output_count(expressions.programs[id.index()]);
  std::uint32_t r = dag.index(output);
  if (by_tangent(expressions.programs[id.index()])) {
    ProgramId along = tangent_along(expressions, id, arguments, unit(dag, arguments.size(), k), By::variables);
    return dag.output(call_with_unit(dag, along, arguments, arguments.size(), k), r);
  }
  return dag.output(call_with_unit(dag, adjoint(expressions, id), arguments, n_outputs, r), static_cast<std::uint32_t>(k));
}

ExprId call_second_partial(Expressions& expressions, ExprId output, std::size_t k, std::size_t m) {
  ExprId first = call_partial(expressions, output, k);
  Dag& dag = expressions.dag;
  ExprId call = dag.operands(first)[0];
  std::span<const ExprId> arguments = dag.operands(call);
  ProgramId along = tangent_along(expressions, dag.program(call), arguments, unit(dag, arguments.size(), m), By::variables);
  return dag.output(call_with_unit(dag, along, arguments, arguments.size(), m), dag.index(first));
}

}  // namespace bolza::derive
