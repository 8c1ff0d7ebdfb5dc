// SPDX-License-Identifier: Apache-2.0
// Derivatives of Programs that do not come from their statements: given by the model, or difference quotients of a foreign
// function.
#include <cmath>
#include <limits>

#include "compiler/derive/given_derivatives_internal.h"
#include "compiler/derive/program_derivatives.h"
#include "compiler/derive/without_exits.h"

namespace bolza::derive {

using ir::Dag;
using ir::ExprId;
using ir::GivenDerivative;
using ir::Op;
using ir::Program;
using ir::ProgramId;
using ir::ScalarType;
using ir::Statement;
using ir::StatementKind;

namespace {

bool applies(const Dag& dag, const GivenDerivative& given, std::span<const ExprId> arguments,
             std::span<const ExprId> directions, By by) {
  for (std::size_t k = 0; k < given.arguments.size(); ++k) {
    using Takes = GivenDerivative::Takes;
    Takes takes = given.arguments[k].takes;
    if (takes == Takes::zero && !dag.is_number(directions[k], 0)) return false;
    if (takes == Takes::assumed && by != By::time) return false;
    if (takes == Takes::same && directions[k] != arguments[given.arguments[k].same_as]) return false;
  }
  return true;
}

/// One entry of the flattened arguments or outputs of a Program.
struct Entry {
  Program::Port port;
  std::uint32_t element = 0;
  bool is_real = false;
};

std::vector<Entry> entries(const Program& program, const std::vector<Program::Port>& ports) {
  std::vector<Entry> result;
  for (const Program::Port& port : ports)
    for (std::uint32_t e = 0; e < (port.is_array ? program.arrays[port.id].size : 1); ++e)
      result.push_back({port, e, is_real(program, port)});
  return result;
}

/// A Program in which every argument is a local of its own.
class ScalarBuilder {
 public:
  ScalarBuilder(ir::Expressions& all, std::string name, Span span) : dag(all.dag), span(span) {
    made.name = std::move(name);
    made.span = span;
    made.blocks.emplace_back();
  }

  std::uint32_t local(const char* name, ScalarType type = ScalarType::real) { return add_local(made, name, type); }
  std::uint32_t input(const char* name, bool is_real) {
    made.inputs.push_back({false, local(name, is_real ? ScalarType::real : ScalarType::integer)});
    return made.inputs.back().id;
  }
  std::uint32_t output(ExprId value, const char* name) {
    std::uint32_t to = assigned(value, name);
    made.outputs.push_back({false, to});
    return to;
  }
  std::uint32_t assigned(ExprId value, const char* name) {
    std::uint32_t to = local(name);
    made.blocks[0].push_back(assign(to, value, span));
    return to;
  }
  std::vector<std::uint32_t> call(ProgramId program, std::vector<ExprId> arguments, std::size_t n_outputs) {
    Statement s{.kind = StatementKind::call, .span = span};
    s.program = program;
    s.arguments = std::move(arguments);
    for (std::size_t k = 0; k < n_outputs; ++k) s.targets.push_back(local("y"));
    made.blocks[0].push_back(s);
    return s.targets;
  }

  Dag& dag;
  Span span;
  Program made;
};

/// Σ |x_k d_k| / Σ |d_k|, at least 1e-4: the size of what moves.
ExprId size_of_moving(ScalarBuilder& b, std::span<const std::uint32_t> x, std::span<const std::uint32_t> d, ExprId& length) {
  Dag& dag = b.dag;
  ExprId size = dag.zero();
  length = dag.zero();
  for (std::size_t k = 0; k < x.size(); ++k) {
    if (b.made.locals[d[k]].type != ScalarType::real) continue;
    ExprId way = dag.make(Op::abs, dag.slot(d[k]));
    size = dag.add(size, dag.mul(dag.make(Op::abs, dag.slot(x[k])), way));
    length = dag.add(length, way);
  }
  length = dag.slot(b.assigned(dag.make(Op::max, length, dag.number(std::numeric_limits<double>::min())), "length"));
  return dag.make(Op::max, dag.div(size, length), dag.number(1e-4));
}

}  // namespace

bool has_own_tangent(const Program& program) { return program.foreign || !program.derivatives.empty(); }

ProgramId tangent_along(ir::Expressions& expressions, ProgramId program, std::span<const ExprId> arguments,
                        std::span<const ExprId> directions, By by) {
  for (const GivenDerivative& given : expressions.programs[program.index()].derivatives)
    if (applies(expressions.dag, given, arguments, directions, by)) return given.program;
  return tangent(expressions, program);
}

Program difference_quotient(ir::Expressions& all, ProgramId foreign) {
  const Program old = all.programs[foreign.index()];
  ScalarBuilder b(all, "difference quotient of " + old.name, old.span);
  std::vector<Entry> inputs = entries(old, old.inputs), outputs = entries(old, old.outputs);
  std::vector<std::uint32_t> x, d;
  for (const Entry& entry : inputs) x.push_back(b.input("x", entry.is_real));
  for (const Entry& entry : inputs) d.push_back(b.input("d", entry.is_real));
  ExprId length, size = size_of_moving(b, x, d, length);
  ExprId step = b.dag.div(b.dag.mul(b.dag.number(std::cbrt(std::numeric_limits<double>::epsilon())), size), length);
  step = b.dag.slot(b.assigned(step, "h"));
  std::array<std::vector<std::uint32_t>, 2> values;
  for (std::size_t side = 0; side < 2; ++side) {
    std::vector<ExprId> moved;
    for (std::size_t k = 0; k < x.size(); ++k) {
      ExprId way = b.dag.mul(step, b.dag.slot(d[k]));
      moved.push_back(!inputs[k].is_real ? b.dag.slot(x[k])
                                         : b.dag.make(side == 0 ? Op::add : Op::sub, b.dag.slot(x[k]), way));
    }
    values[side] = b.call(foreign, std::move(moved), outputs.size());
  }
  for (std::size_t r = 0; r < outputs.size(); ++r) {
    ExprId change = b.dag.sub(b.dag.slot(values[0][r]), b.dag.slot(values[1][r]));
    ExprId twice = b.dag.mul(b.dag.number(2), step);
    b.output(outputs[r].is_real ? b.dag.div(change, twice) : b.dag.zero(), "dy");
  }
  return std::move(b.made);
}

Program transposed_tangents(ir::Expressions& all, ProgramId program) {
  const Program old = all.programs[program.index()];
  ScalarBuilder b(all, "adjoint of " + old.name, old.span);
  std::vector<Entry> inputs = entries(old, old.inputs), outputs = entries(old, old.outputs);
  std::vector<ExprId> x, seeds;
  for (const Entry& entry : inputs) x.push_back(b.dag.slot(b.input("x", entry.is_real)));
  for (const Entry& entry : outputs) seeds.push_back(b.dag.slot(b.input("seed", entry.is_real)));
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    ExprId sum = b.dag.zero();
    if (inputs[k].is_real) {
      std::vector<ExprId> directions(inputs.size(), b.dag.zero());
      directions[k] = b.dag.one();
      ProgramId along = tangent_along(all, program, x, directions, By::variables);
      std::vector<ExprId> arguments = x;
      arguments.insert(arguments.end(), directions.begin(), directions.end());
      std::vector<std::uint32_t> columns = b.call(along, std::move(arguments), outputs.size());
      for (std::size_t r = 0; r < outputs.size(); ++r)
        if (outputs[r].is_real) sum = b.dag.add(sum, b.dag.mul(b.dag.slot(columns[r]), seeds[r]));
    }
    b.output(sum, "g");
  }
  return std::move(b.made);
}

}  // namespace bolza::derive
