// SPDX-License-Identifier: Apache-2.0
#include "base/expects.h"
#include "compiler/derive/activity_internal.h"
#include "compiler/derive/given_derivatives_internal.h"
#include "compiler/derive/jacobian.h"
#include "compiler/derive/program_derivatives.h"
#include "compiler/derive/without_exits.h"

namespace bolza::derive {

using ir::BlockId;
using ir::Dag;
using ir::ExprId;
using ir::Program;
using ir::ProgramId;
using ir::ScalarType;
using ir::Statement;
using ir::StatementKind;

namespace {

/// Writes, before each statement that gives a local or an array element a new value, the one that gives its tangent.
/// The tangent of local k is local n + k, of array k array n + k.
class TangentBuilder {
 public:
  TangentBuilder(ir::Expressions& all, Program program)
      : all_(all),
        dag_(all.dag),
        old_(std::move(program)),
        activity_(activity_of(all, old_)) {}

  Program run() {
    n_locals_ = static_cast<std::uint32_t>(old_.locals.size());
    n_arrays_ = static_cast<std::uint32_t>(old_.arrays.size());
    new_ = old_;
    ir::forget_annotations(new_);
    new_.name = "tangent of " + old_.name;
    for (const ir::Local& local : old_.locals)
      new_.locals.push_back({local.name.empty() ? "" : "d" + local.name, ScalarType::real});
    for (const ir::LocalArray& array : old_.arrays) new_.arrays.push_back(beside(array, "d" + array.name));
    for (const Program::Port& port : old_.inputs) new_.inputs.push_back(direction_port(port));
    new_.outputs.clear();
    for (const Program::Port& port : old_.outputs) new_.outputs.push_back(tangent_port(port));
    for (std::uint32_t k = 0; k < n_locals_; ++k) tangents_.push_back(activity_(k) ? dag_.slot(n_locals_ + k) : ExprId());
    new_.blocks.assign(1, {});
    std::vector<Statement> body = convert(old_.blocks[0]);
    new_.blocks[0] = std::move(body);
    return std::move(new_);
  }

 private:
  Program::Port tangent_port(Program::Port port) const {
    return {port.is_array, port.id + (port.is_array ? n_arrays_ : n_locals_)};
  }

  /// Directions of integers go where nobody reads them.
  Program::Port direction_port(Program::Port port) {
    if (is_real(old_, port)) return tangent_port(port);
    if (!port.is_array) return {false, add_local(new_, "unused", ScalarType::real)};
    new_.arrays.push_back({"unused", old_.arrays[port.id].size, ScalarType::real});
    return {true, static_cast<std::uint32_t>(new_.arrays.size() - 1)};
  }

  ExprId tangent_of(ExprId e) { return tangents(all_, std::span(&e, 1), tangents_)[0]; }

  std::vector<Statement> convert(const std::vector<Statement>& statements) {
    std::vector<Statement> result;
    for (const Statement& s : statements) convert(s, result);
    return result;
  }

  BlockId convert(BlockId block) {
    if (!block) return block;
    std::vector<Statement> statements = convert(old_.blocks[block.index()]);
    return add_block(new_, std::move(statements));
  }

  void convert(const Statement& s, std::vector<Statement>& out) {
    Statement copy = s;
    switch (s.kind) {
      case StatementKind::assign:
        if (activity_(s.target)) out.push_back(assign(n_locals_ + s.target, tangent_of(s.value), s.span));
        break;
      case StatementKind::load:
      case StatementKind::store:
        if (s.kind == StatementKind::load ? activity_(s.target) : bool(activity_.arrays[s.array])) {
          copy.target += n_locals_;
          copy.array += n_arrays_;
          if (s.kind == StatementKind::store) copy.value = tangent_of(s.value);
          out.push_back(copy);
        }
        break;
      case StatementKind::call:
        convert_call(s, out);
        break;
      case StatementKind::branch:
        copy.body = convert(s.body);
        copy.otherwise = convert(s.otherwise);
        out.push_back(copy);
        return;
      case StatementKind::loop_for:
        convert_for(s, out);
        return;
      case StatementKind::loop_while:
        copy.body = convert(s.body);
        out.push_back(copy);
        return;
      case StatementKind::push:
        convert_push(s, out);
        return;
      case StatementKind::pop:
        if (activity_(s.target)) {
          copy.target += n_locals_;
          out.push_back(copy);
        }
        break;
      case StatementKind::check:
        return;  // the Program itself says so
      case StatementKind::exit_loop:
      case StatementKind::exit_program:
        break;
    }
    out.push_back(s);
  }

  void convert_call(const Statement& s, std::vector<Statement>& out) {
    bool any = false;
    for (std::uint32_t target : s.targets) any = any || activity_(target);
    if (!any) return;
    Statement call = s;
    std::vector<ExprId> directions;
    for (ExprId e : s.arguments) directions.push_back(tangent_of(e));
    call.program = tangent_along(all_, s.program, s.arguments, directions, By::variables);
    call.arguments.insert(call.arguments.end(), directions.begin(), directions.end());
    for (std::uint32_t& target : call.targets)
      target = activity_(target) ? target + n_locals_ : add_local(new_, "unused", ScalarType::real);
    out.push_back(std::move(call));
  }

  void convert_for(const Statement& s, std::vector<Statement>& out) {
    Statement copy = s;
    if (!activity_(s.target)) {
      copy.body = convert(s.body);
      out.push_back(std::move(copy));
      return;
    }
    // The value from + i·step has a tangent: count the trips.
    std::uint32_t i = add_local(new_, "trip", ScalarType::integer);
    std::uint32_t dfrom = add_local(new_, "dfrom", ScalarType::real), dstep = add_local(new_, "dstep", ScalarType::real);
    out.push_back(assign(dfrom, tangent_of(s.from), s.span));
    out.push_back(assign(dstep, tangent_of(s.step), s.span));
    out.push_back(assign(i, dag_.zero(), s.span));
    std::vector<Statement> body{
        assign(n_locals_ + s.target, dag_.add(dag_.slot(dfrom), dag_.mul(dag_.slot(i), dag_.slot(dstep))), s.span),
        assign(i, dag_.add(dag_.slot(i), dag_.one()), s.span)};
    if (s.body)
      for (Statement& part : convert(old_.blocks[s.body.index()])) body.push_back(std::move(part));
    copy.body = add_block(new_, std::move(body));
    out.push_back(std::move(copy));
  }

  /// What is pushed of an active local goes with its tangent on top; `pop` takes both.
  void convert_push(const Statement& s, std::vector<Statement>& out) {
    out.push_back(s);
    if (dag_.op(s.value) == ir::Op::number) return;
    expects(dag_.op(s.value) == ir::Op::slot, "only locals and numbers are pushed");
    if (!activity_(dag_.index(s.value))) return;
    Statement copy = s;
    copy.value = dag_.slot(n_locals_ + dag_.index(s.value));
    out.push_back(std::move(copy));
  }

  ir::Expressions& all_;
  Dag& dag_;
  const Program old_;
  Activity activity_;
  Program new_;
  std::uint32_t n_locals_ = 0, n_arrays_ = 0;
  std::vector<ExprId> tangents_;
};

}  // namespace

ProgramId tangent(ir::Expressions& expressions, ProgramId program) {
  if (program.index() < expressions.tangents.size() && expressions.tangents[program.index()])
    return expressions.tangents[program.index()];
  if (expressions.tangents.size() <= program.index()) expressions.tangents.resize(program.index() + 1);
  ProgramId made(expressions.programs.size());
  expressions.tangents[program.index()] = made;  // known before it is written: Programs may call themselves
  expressions.programs.emplace_back();
  if (expressions.programs[program.index()].foreign) {
    Program quotient = difference_quotient(expressions, program);
    expressions.programs[made.index()] = std::move(quotient);
    return made;
  }
  Program derivative = TangentBuilder(expressions, expressions.programs[program.index()]).run();
  expressions.programs[made.index()] = std::move(derivative);
  return made;
}

}  // namespace bolza::derive
