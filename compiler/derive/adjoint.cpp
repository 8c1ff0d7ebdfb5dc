// SPDX-License-Identifier: Apache-2.0
#include <map>

#include "base/expects.h"
#include "compiler/derive/activity_internal.h"
#include "compiler/derive/given_derivatives_internal.h"
#include "compiler/derive/jacobian.h"
#include "compiler/derive/plain_loops_internal.h"
#include "compiler/derive/program_derivatives.h"
#include "compiler/derive/without_exits.h"
#include "compiler/ir/substitute.h"

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

/// Reverse mode [GRIEWANK]: the forward sweep runs the Program, saving on the tape what it overwrites and which way it went;
/// the reverse sweep undoes one statement after the other, restoring values before it needs them. The adjoint of local k is
/// local n + k, of array k array n + k.
class AdjointBuilder {
 public:
  AdjointBuilder(ir::Expressions& all, Program program)
      : all_(all),
        dag_(all.dag),
        old_(std::move(program)),
        activity_(activity_of(all, old_)) {}

  Program run(const std::string& name) {
    n_locals_ = static_cast<std::uint32_t>(old_.locals.size());
    n_arrays_ = static_cast<std::uint32_t>(old_.arrays.size());
    new_ = old_;
    ir::forget_annotations(new_);
    new_.name = "adjoint of " + name;
    for (const ir::Local& local : old_.locals)
      new_.locals.push_back({local.name.empty() ? "" : "b" + local.name, ScalarType::real});
    for (const ir::LocalArray& array : old_.arrays) new_.arrays.push_back(beside(array, "b" + array.name));
    new_.blocks.assign(1, {});
    temporary_ = add_local(new_, "t", ScalarType::real);
    needed_.assign(n_locals_, 0);
    for (const auto& block : old_.blocks)
      for (const Statement& s : block) note_needed(s);
    std::vector<Statement> body = forward(BlockId(std::size_t{0}));
    std::vector<Statement> seeding = set_ports();
    body.insert(body.end(), seeding.begin(), seeding.end());
    std::vector<Statement> back = reverse(BlockId(std::size_t{0}));
    body.insert(body.end(), back.begin(), back.end());
    new_.blocks[0] = std::move(body);
    return std::move(new_);
  }

 private:
  using Statements = std::vector<Statement>;

  // -------------------------------------------------------------- ports

  Program::Port adjoint_port(Program::Port port) const {
    return {port.is_array, port.id + (port.is_array ? n_arrays_ : n_locals_)};
  }

  Program::Port fresh_port(Program::Port like) {
    if (!like.is_array) return {false, add_local(new_, "seed", ScalarType::real)};
    new_.arrays.push_back({"seed", old_.arrays[like.id].size, ScalarType::real});
    return {true, static_cast<std::uint32_t>(new_.arrays.size() - 1)};
  }

  bool is_active(Program::Port port) const { return port.is_array ? activity_.arrays[port.id] : activity_.locals[port.id]; }

  /// Seeds enter through fresh ports and are added to the adjoints of the outputs; two outputs may be one local.
  Statements set_ports() {
    Statements result;
    new_.outputs.clear();
    for (const Program::Port& port : old_.inputs) new_.outputs.push_back(adjoint_port(port));
    for (const Program::Port& port : old_.outputs) {
      Program::Port seed = fresh_port(port);
      new_.inputs.push_back(seed);
      if (!is_active(port)) continue;
      if (port.is_array) add_seed_array(seed.id, port.id + n_arrays_, result);
      else add_to(port.id, dag_.slot(seed.id), {}, result);
    }
    return result;
  }

  void add_seed_array(std::uint32_t seed, std::uint32_t array, Statements& out) {
    std::uint32_t i = add_local(new_, "i", ScalarType::integer);
    std::uint32_t a = add_local(new_, "a", ScalarType::real), b = add_local(new_, "b", ScalarType::real);
    Statement loop{.kind = StatementKind::loop_for};
    loop.target = i;
    loop.from = dag_.zero();
    loop.step = dag_.one();
    loop.to = dag_.number(static_cast<double>(new_.arrays[seed].size) - 1);
    loop.body = add_block(new_, {load(a, seed, dag_.slot(i), {}), load(b, array, dag_.slot(i), {}),
                                 store(array, dag_.slot(i), dag_.add(dag_.slot(a), dag_.slot(b)), {})});
    out.push_back(std::move(loop));
  }

  // -------------------------------------------------------------- small statements

  static Statement load(std::uint32_t target, std::uint32_t array, ExprId index, Span span) {
    Statement s{.kind = StatementKind::load, .span = span};
    s.target = target;
    s.array = array;
    s.index = index;
    return s;
  }

  static Statement store(std::uint32_t array, ExprId index, ExprId value, Span span) {
    Statement s{.kind = StatementKind::store, .span = span};
    s.array = array;
    s.index = index;
    s.value = value;
    return s;
  }

  void push(std::uint32_t local, Span span, Statements& out) {
    Statement s{.kind = StatementKind::push, .span = span};
    s.value = dag_.slot(local);
    out.push_back(std::move(s));
  }

  static void pop(std::uint32_t local, Span span, Statements& out) {
    Statement s{.kind = StatementKind::pop, .span = span};
    s.target = local;
    out.push_back(std::move(s));
  }

  ExprId adjoint_of(std::uint32_t local) { return dag_.slot(n_locals_ + local); }

  void add_to(std::uint32_t local, ExprId term, Span span, Statements& out) {
    out.push_back(assign(n_locals_ + local, dag_.add(adjoint_of(local), term), span));
  }

  void clear(std::uint32_t local, Span span, Statements& out) {
    out.push_back(assign(n_locals_ + local, dag_.zero(), span));
  }

  std::vector<GradientEntry> gradient_of(ExprId e, ExprId factor) {
    std::vector<std::uint32_t> slots = activity_.active_slots(all_, e);
    return weighted_gradient(all_, std::span(&e, 1), std::span(&factor, 1), std::span<const std::uint32_t>(slots));
  }

  // -------------------------------------------------------------- what the reverse sweep reads

  void note_expression(ExprId e) {
    for (std::uint32_t k : ir::leaves_of(dag_, std::span(&e, 1), ir::Op::slot))
      if (k < n_locals_) needed_[k] = 1;
  }

  void note_derivatives(ExprId e) {
    for (const GradientEntry& entry : gradient_of(e, dag_.slot(temporary_))) note_expression(entry.value);
  }

  void note_needed(const Statement& s) {
    switch (s.kind) {
      case StatementKind::assign:
        if (activity_(s.target)) note_derivatives(s.value);
        break;
      case StatementKind::load:
      case StatementKind::store:
        if (activity_.arrays[s.array]) note_expression(s.index);
        if (s.kind == StatementKind::store && activity_.arrays[s.array]) note_derivatives(s.value);
        break;
      case StatementKind::call:
        for (ExprId e : s.arguments) {
          note_expression(e);
          note_derivatives(e);
        }
        break;
      case StatementKind::push:
      case StatementKind::pop:
        expects(false, "a Program with a tape has no adjoint");
        break;
      case StatementKind::exit_loop:
      case StatementKind::exit_program:
        expects(false, "exits have been removed");
        break;
      case StatementKind::branch:
      case StatementKind::loop_for:
      case StatementKind::loop_while:
      case StatementKind::check:
        break;
    }
  }

  bool is_needed(std::uint32_t local) const { return needed_[local]; }

  // -------------------------------------------------------------- forward sweep

  Statements forward(BlockId block) {
    Statements result;
    if (block)
      for (const Statement& s : old_.blocks[block.index()]) forward(s, result);
    return result;
  }

  void forward(const Statement& s, Statements& out) {
    switch (s.kind) {
      case StatementKind::assign:
      case StatementKind::load:
        save(s.target, s.span, out);
        out.push_back(s);
        break;
      case StatementKind::call:
        for (std::uint32_t target : s.targets) save(target, s.span, out);
        out.push_back(s);
        break;
      case StatementKind::branch:
        forward_branch(s, out);
        break;
      case StatementKind::loop_for:
      case StatementKind::loop_while:
        forward_loop(s, out);
        break;
      case StatementKind::store:
        out.push_back(s);
        break;
      case StatementKind::check:
      case StatementKind::push:
      case StatementKind::pop:
      case StatementKind::exit_loop:
      case StatementKind::exit_program:
        break;
    }
  }

  void save(std::uint32_t local, Span span, Statements& out) {
    if (is_needed(local)) push(local, span, out);
  }

  void forward_branch(const Statement& s, Statements& out) {
    std::uint32_t way = note(s, "way");
    Statements yes = forward(s.body), no = forward(s.otherwise);
    yes.push_back(assign(way, dag_.one(), s.span));
    no.push_back(assign(way, dag_.zero(), s.span));
    push(way, s.span, yes);
    push(way, s.span, no);
    out.push_back(branch(s.value, add_block(new_, std::move(yes)), add_block(new_, std::move(no)), s.span));
  }

  void forward_loop(const Statement& s, Statements& out) {
    std::uint32_t trips = note(s, "trips");
    out.push_back(assign(trips, dag_.zero(), s.span));
    Statements body = forward(s.body);
    body.push_back(assign(trips, dag_.add(dag_.slot(trips), dag_.one()), s.span));
    Statement loop = s;
    loop.body = add_block(new_, std::move(body));
    out.push_back(std::move(loop));
    push(trips, s.span, out);
  }

  /// The local that says which way a branch went, or how often a loop ran.
  std::uint32_t note(const Statement& s, const char* name) {
    auto [at, is_new] = notes_.emplace(&s, 0);
    if (is_new) at->second = add_local(new_, name, ScalarType::integer);
    return at->second;
  }

  // -------------------------------------------------------------- reverse sweep

  Statements reverse(BlockId block) {
    Statements result;
    if (!block) return result;
    const Statements& statements = old_.blocks[block.index()];
    for (std::size_t i = statements.size(); i-- > 0;) reverse(statements[i], result);
    return result;
  }

  void reverse(const Statement& s, Statements& out) {
    switch (s.kind) {
      case StatementKind::assign:
        restore(s.target, s.span, out);
        if (activity_(s.target)) reverse_assign(s, out);
        break;
      case StatementKind::load:
        restore(s.target, s.span, out);
        if (activity_(s.target)) reverse_load(s, out);
        break;
      case StatementKind::store:
        if (activity_.arrays[s.array]) reverse_store(s, out);
        break;
      case StatementKind::call:
        reverse_call(s, out);
        break;
      case StatementKind::branch:
        pop(note(s, "way"), s.span, out);
        out.push_back(branch(dag_.slot(note(s, "way")), add_block(new_, reverse(s.body)),
                             add_block(new_, reverse(s.otherwise)), s.span));
        break;
      case StatementKind::loop_for:
      case StatementKind::loop_while:
        reverse_loop(s, out);
        break;
      case StatementKind::check:
      case StatementKind::push:
      case StatementKind::pop:
      case StatementKind::exit_loop:
      case StatementKind::exit_program:
        break;
    }
  }

  void restore(std::uint32_t local, Span span, Statements& out) {
    if (is_needed(local)) pop(local, span, out);
  }

  void spread(ExprId e, ExprId factor, Span span, Statements& out) {
    for (const GradientEntry& entry : gradient_of(e, factor)) add_to(entry.slot, entry.value, span, out);
  }

  void reverse_assign(const Statement& s, Statements& out) {
    out.push_back(assign(temporary_, adjoint_of(s.target), s.span));
    clear(s.target, s.span, out);
    spread(s.value, dag_.slot(temporary_), s.span, out);
  }

  void reverse_load(const Statement& s, Statements& out) {
    if (activity_.arrays[s.array]) {
      std::uint32_t array = s.array + n_arrays_;
      out.push_back(load(temporary_, array, s.index, s.span));
      out.push_back(store(array, s.index, dag_.add(dag_.slot(temporary_), adjoint_of(s.target)), s.span));
    }
    clear(s.target, s.span, out);
  }

  void reverse_store(const Statement& s, Statements& out) {
    std::uint32_t array = s.array + n_arrays_;
    out.push_back(load(temporary_, array, s.index, s.span));
    out.push_back(store(array, s.index, dag_.zero(), s.span));
    spread(s.value, dag_.slot(temporary_), s.span, out);
  }

  void reverse_call(const Statement& s, Statements& out) {
    for (std::size_t i = s.targets.size(); i-- > 0;) restore(s.targets[i], s.span, out);
    bool any = false;
    for (std::uint32_t target : s.targets) any = any || activity_(target);
    if (!any) return;
    Statement call = s;
    call.program = adjoint(all_, s.program);
    for (std::uint32_t target : s.targets) call.arguments.push_back(activity_(target) ? adjoint_of(target) : dag_.zero());
    call.targets.clear();
    for (std::size_t j = 0; j < s.arguments.size(); ++j) call.targets.push_back(add_local(new_, "g", ScalarType::real));
    std::vector<std::uint32_t> results = call.targets;
    out.push_back(std::move(call));
    for (std::uint32_t target : s.targets)
      if (activity_(target)) clear(target, s.span, out);
    for (std::size_t j = 0; j < s.arguments.size(); ++j) spread(s.arguments[j], dag_.slot(results[j]), s.span, out);
  }

  void reverse_loop(const Statement& s, Statements& out) {
    std::uint32_t trips = note(s, "trips");
    pop(trips, s.span, out);
    Statement loop{.kind = StatementKind::loop_for, .span = s.span};
    loop.target = add_local(new_, "back", ScalarType::integer);
    loop.from = dag_.one();
    loop.step = dag_.one();
    loop.to = dag_.slot(trips);
    loop.body = add_block(new_, reverse(s.body));
    out.push_back(std::move(loop));
  }

  ir::Expressions& all_;
  Dag& dag_;
  const Program old_;
  Activity activity_;
  Program new_;
  std::uint32_t n_locals_ = 0, n_arrays_ = 0, temporary_ = 0;
  std::vector<char> needed_;                         // [locals] values that the reverse sweep reads
  std::map<const Statement*, std::uint32_t> notes_;  // looked up only, never walked
};

}  // namespace

ProgramId adjoint(ir::Expressions& expressions, ProgramId program) {
  if (program.index() < expressions.adjoints.size() && expressions.adjoints[program.index()])
    return expressions.adjoints[program.index()];
  if (expressions.adjoints.size() <= program.index()) expressions.adjoints.resize(program.index() + 1);
  ProgramId made(expressions.programs.size());
  expressions.adjoints[program.index()] = made;  // known before it is written: Programs may call themselves
  expressions.programs.emplace_back();
  if (has_own_tangent(expressions.programs[program.index()])) {
    Program transposed = transposed_tangents(expressions, program);
    expressions.programs[made.index()] = std::move(transposed);
    return made;
  }
  Program plain = without_exits(expressions, expressions.programs[program.index()]);
  plain = with_plain_loops(expressions, plain);
  std::string name = plain.name;
  Program derivative = AdjointBuilder(expressions, std::move(plain)).run(name);
  expressions.programs[made.index()] = std::move(derivative);
  return made;
}

}  // namespace bolza::derive
