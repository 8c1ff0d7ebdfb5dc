// SPDX-License-Identifier: Apache-2.0
#include "compiler/derive/assertions.h"

#include <algorithm>

#include "compiler/derive/without_exits.h"

namespace bolza::derive {

using ir::BlockId;
using ir::ExprId;
using ir::Op;
using ir::Program;
using ir::ScalarType;
using ir::Statement;
using ir::StatementKind;

namespace {

class Watching {
 public:
  Watching(ir::Expressions& all, AssertionTable& table, const Program& program)
      : dag_(all.dag),
        table_(table),
        old_(program),
        new_(program) {
    forget_annotations(new_);
    new_.only_asserts = false;
    new_.blocks.assign(1, {});
    new_.outputs.clear();
  }

  std::vector<ProgramAssertion> run() {
    std::vector<Statement> body = convert(old_.blocks[0]);
    new_.blocks[0] = std::move(body);
    return std::move(found_);
  }
  Program take() { return std::move(new_); }

 private:
  std::vector<Statement> convert(const std::vector<Statement>& statements) {
    std::vector<Statement> out;
    for (const Statement& s : statements) convert(s, out);
    return out;
  }

  BlockId convert(BlockId block) { return block ? add_block(new_, convert(old_.blocks[block.index()])) : block; }

  void convert(const Statement& s, std::vector<Statement>& out) {
    if (s.kind == StatementKind::check) return convert_check(s, out);
    if (s.kind == StatementKind::call) convert_call(s, out);
    Statement copy = s;
    copy.body = convert(s.body);
    copy.otherwise = convert(s.otherwise);
    out.push_back(std::move(copy));
  }

  void convert_check(const Statement& s, std::vector<Statement>& out) {
    std::size_t k = place_of({s.span, s.text, s.level, s.action, static_cast<std::uint32_t>(s.arguments.size()), s.goes_on});
    note(k, dag_.make(Op::logical_not, s.value), s.arguments, s.span, out);
  }

  /// The assertions of what is called are looked at first; then the call can be made as it was.
  void convert_call(const Statement& s, std::vector<Statement>& out) {
    const ProgramAssertions* inner = table_.of(s.program);
    if (!inner) return;
    Statement watch = s;
    watch.program = inner->program;
    watch.targets.clear();
    std::vector<ExprId> results;
    for (const ProgramAssertion& a : inner->all)
      for (std::uint32_t v = 0; v <= a.n_values; ++v) {
        watch.targets.push_back(add_result(v == 0));
        results.push_back(dag_.slot(watch.targets.back()));
      }
    out.push_back(std::move(watch));
    for (const ProgramAssertion& a : inner->all) {
      note(place_of(a), results[a.first], std::span(results).subspan(a.first + 1, a.n_values), s.span, out);
    }
  }

  /// Where it failed for the first time: values are kept; where it ends the Program, that.
  void note(std::size_t k, ExprId failed, std::span<const ExprId> values, Span span, std::vector<Statement>& out) {
    const ProgramAssertion& a = found_[k];
    std::uint32_t own = new_.outputs[a.first].id;
    std::vector<Statement> body{assign(own, dag_.one(), span)};
    for (std::uint32_t v = 0; v < a.n_values; ++v) body.push_back(assign(new_.outputs[a.first + 1 + v].id, values[v], span));
    if (!a.goes_on) body.push_back({.kind = StatementKind::exit_program, .span = span});
    ExprId first = dag_.make(Op::logical_and, failed, dag_.make(Op::logical_not, dag_.slot(own)));
    out.push_back(branch(first, add_block(new_, std::move(body)), {}, span));
  }

  std::size_t place_of(ProgramAssertion a) {
    for (std::size_t k = 0; k < found_.size(); ++k)
      if (found_[k].span == a.span && found_[k].text == a.text && found_[k].level == a.level &&
          found_[k].n_values == a.n_values)
        return k;
    a.first = static_cast<std::uint32_t>(new_.outputs.size());
    for (std::uint32_t v = 0; v <= a.n_values; ++v) new_.outputs.push_back({false, add_result(v == 0)});
    found_.push_back(std::move(a));
    return found_.size() - 1;
  }

  /// Nobody differentiates what a message shows: its locals are not Reals.
  std::uint32_t add_result(bool is_flag) {
    return add_local(new_, is_flag ? "failed" : "shown", is_flag ? ScalarType::boolean : ScalarType::integer);
  }

  ir::Dag& dag_;
  AssertionTable& table_;
  const Program old_;
  Program new_;
  std::vector<ProgramAssertion> found_;
};

}  // namespace

const ProgramAssertions* AssertionTable::of(ir::ProgramId program) {
  auto [at, is_new] = known_.try_emplace(program);
  if (is_new && !all_.programs[program.index()].foreign) {
    Watching watching(all_, *this, all_.programs[program.index()]);
    std::vector<ProgramAssertion> found = watching.run();
    if (!found.empty()) {
      at->second = ProgramAssertions{ir::ProgramId(all_.programs.size()), std::move(found)};
      all_.programs.push_back(watching.take());
    }
  }
  return at->second ? &*at->second : nullptr;
}

void AssertionTable::let_go_on() {
  for (const auto& [program, assertions] : known_)
    for (std::vector<Statement>& block : all_.programs[program.index()].blocks)
      for (Statement& s : block) s.goes_on = s.goes_on || s.kind == StatementKind::check;
}

}  // namespace bolza::derive
