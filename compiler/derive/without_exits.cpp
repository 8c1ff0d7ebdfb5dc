// SPDX-License-Identifier: Apache-2.0
#include "compiler/derive/without_exits.h"

#include <optional>
#include <utility>

namespace bolza::derive {

using ir::BlockId;
using ir::Dag;
using ir::ExprId;
using ir::Op;
using ir::Program;
using ir::ScalarType;
using ir::Statement;
using ir::StatementKind;

Statement assign(std::uint32_t target, ExprId value, Span span) {
  Statement s{.kind = StatementKind::assign, .span = span};
  s.target = target;
  s.value = value;
  return s;
}

Statement branch(ExprId condition, BlockId body, BlockId otherwise, Span span) {
  Statement s{.kind = StatementKind::branch, .span = span};
  s.value = condition;
  s.body = body;
  s.otherwise = otherwise;
  return s;
}

std::uint32_t add_local(Program& program, std::string name, ScalarType type) {
  program.locals.push_back({std::move(name), type});
  return static_cast<std::uint32_t>(program.locals.size() - 1);
}

BlockId add_block(Program& program, std::vector<Statement> statements) {
  program.blocks.push_back(std::move(statements));
  return BlockId(program.blocks.size() - 1);
}

std::vector<Statement> as_while(ir::Expressions& expressions, Program& program, const Statement& loop,
                                std::vector<Statement> body, ExprId go_on) {
  Dag& dag = expressions.dag;
  ScalarType type = program.locals[loop.target].type;
  std::uint32_t from = add_local(program, "from", type), step = add_local(program, "step", type);
  std::uint32_t last = add_local(program, "last", ScalarType::integer),
                count = add_local(program, "count", ScalarType::integer);
  ExprId trips = dag.make(Op::floor, dag.add(dag.div(dag.sub(loop.to, dag.slot(from)), dag.slot(step)), dag.number(1e-9)));
  std::vector<Statement> result{assign(from, loop.from, loop.span), assign(step, loop.step, loop.span),
                                assign(last, trips, loop.span), assign(count, dag.zero(), loop.span)};
  ExprId value = dag.add(dag.slot(from), dag.mul(dag.slot(count), dag.slot(step)));
  body.insert(body.begin(),
              {assign(loop.target, value, loop.span), assign(count, dag.add(dag.slot(count), dag.one()), loop.span)});
  Statement repeat{.kind = StatementKind::loop_while, .span = loop.span};
  ExprId more = dag.make(Op::less_equal, dag.slot(count), dag.slot(last));
  repeat.value = go_on ? dag.make(Op::logical_and, go_on, more) : more;
  repeat.body = add_block(program, std::move(body));
  result.push_back(std::move(repeat));
  return result;
}

namespace {

class ExitRemover {
 public:
  ExitRemover(ir::Expressions& all, const Program& program) : all_(all), dag_(all.dag), old_(program), new_(program) {
    new_.blocks.assign(1, {});
  }

  Program run() {
    Converted body = convert(old_.blocks[0], std::nullopt);
    new_.blocks[0] = std::move(body.statements);
    return std::move(new_);
  }

 private:
  struct Converted {
    std::vector<Statement> statements;
    bool leaves_loop = false, leaves_program = false;
  };
  using Flag = std::optional<std::uint32_t>;
  using Statements = std::span<const Statement>;

  Converted convert(Statements statements, Flag broken) {
    Converted result;
    for (std::size_t i = 0; i < statements.size(); ++i) {
      Converted one = convert_statement(statements[i], broken);
      bool exits = one.leaves_loop || one.leaves_program;
      append(result, one);
      if (!exits) continue;
      bool always = statements[i].kind == StatementKind::exit_loop || statements[i].kind == StatementKind::exit_program;
      if (always || i + 1 == statements.size()) break;
      Converted rest = convert(statements.subspan(i + 1), broken);
      result.leaves_loop |= rest.leaves_loop;
      result.leaves_program |= rest.leaves_program;
      ExprId go_on = no_exit(one, broken);
      result.statements.push_back(branch(go_on, add_block(new_, std::move(rest.statements)), {}, statements[i].span));
      break;
    }
    return result;
  }

  static void append(Converted& result, Converted& part) {
    for (Statement& s : part.statements) result.statements.push_back(std::move(s));
    result.leaves_loop |= part.leaves_loop;
    result.leaves_program |= part.leaves_program;
  }

  Converted convert_statement(const Statement& s, Flag broken) {
    switch (s.kind) {
      case StatementKind::exit_loop:
        return {{assign(*broken, dag_.one(), s.span)}, true, false};
      case StatementKind::exit_program:
        return {{assign(returned(), dag_.one(), s.span)}, false, true};
      case StatementKind::branch:
        return convert_branch(s, broken);
      case StatementKind::loop_for:
      case StatementKind::loop_while:
        return convert_loop(s);
      case StatementKind::assign:
      case StatementKind::load:
      case StatementKind::store:
      case StatementKind::call:
      case StatementKind::check:
      case StatementKind::push:
      case StatementKind::pop:
        return {{s}};
    }
    return {};
  }

  Converted convert_branch(const Statement& s, Flag broken) {
    Converted yes = block(s.body, broken), no = block(s.otherwise, broken);
    Statement copy = s;
    copy.body = add_block(new_, std::move(yes.statements));
    copy.otherwise = add_block(new_, std::move(no.statements));
    return {{std::move(copy)}, yes.leaves_loop || no.leaves_loop, yes.leaves_program || no.leaves_program};
  }

  Converted convert_loop(const Statement& s) {
    std::uint32_t broken = add_local(new_, "broken", ScalarType::boolean);
    Converted body = block(s.body, broken);
    bool left_by_return = body.leaves_program;
    if (!body.leaves_loop && !left_by_return) {
      Statement copy = s;
      copy.body = add_block(new_, std::move(body.statements));
      return {{std::move(copy)}};
    }
    ExprId go_on = no_exit(body, broken);
    Converted result;
    result.leaves_program = left_by_return;
    if (body.leaves_loop) result.statements.push_back(assign(broken, dag_.zero(), s.span));
    if (s.kind == StatementKind::loop_for) {
      for (Statement& part : as_while(all_, new_, s, std::move(body.statements), go_on))
        result.statements.push_back(std::move(part));
      return result;
    }
    Statement copy = s;
    copy.value = dag_.make(Op::logical_and, go_on, s.value);
    copy.body = add_block(new_, std::move(body.statements));
    result.statements.push_back(std::move(copy));
    return result;
  }

  Converted block(BlockId id, Flag broken) { return id ? convert(old_.blocks[id.index()], broken) : Converted{}; }

  ExprId no_exit(const Converted& part, Flag broken) {
    ExprId left = part.leaves_loop ? dag_.slot(*broken) : dag_.zero();
    if (part.leaves_program) left = dag_.make(Op::logical_or, left, dag_.slot(returned()));
    return dag_.make(Op::logical_not, left);
  }

  std::uint32_t returned() {
    if (!returned_) returned_ = add_local(new_, "returned", ScalarType::boolean);
    return *returned_;
  }

  ir::Expressions& all_;
  Dag& dag_;
  const Program& old_;
  Program new_;
  Flag returned_;
};

}  // namespace

Program without_exits(ir::Expressions& expressions, const Program& program) {
  return ExitRemover(expressions, program).run();
}

}  // namespace bolza::derive
