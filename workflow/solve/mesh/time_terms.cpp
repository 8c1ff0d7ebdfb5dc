// SPDX-License-Identifier: Apache-2.0
#include "workflow/solve/mesh/time_terms.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>

#include "compiler/ir/apply.h"
#include "compiler/ir/print.h"

namespace bolza::workflow {
namespace {

using ir::ExprId;
using ir::Op;

constexpr std::size_t most_terms = 2000, block = 256;
constexpr std::size_t operations_of_call = 100;  // that a Program is taken for

}  // namespace

TimeTerms::TimeTerms(const ir::Problem& problem, std::size_t phase)
    : problem_(problem),
      model_(*ir::models_of(problem)[phase]),
      interpreter_(problem.flat.expressions) {
  for (const ir::Function* f : {&model_.rates, &model_.residuals})
    for (const ir::Group& group : f->section.groups) add_group(*f, group);
}

void TimeTerms::add_group(const ir::Function& f, const ir::Group& group) {
  std::map<std::vector<Slot>, std::vector<Found>> found;
  std::vector<Slot> slots(group.slots.size());
  for (std::uint32_t i = 0; i < group.n && terms_.size() < most_terms; ++i) {
    for (std::size_t k = 0; k < slots.size(); ++k) {
      std::uint32_t position = group.slots[k][i].index();
      slots[k] = position == 0 ? Slot::time : position < f.n_point ? Slot::unknown : Slot::constant;
    }
    if (std::ranges::find(slots, Slot::time) == slots.end()) continue;
    auto [at, is_new] = found.try_emplace(slots);
    if (is_new) at->second = found_in(group, slots);
    for (const Found& what : at->second) add(f, group, i, what);
  }
}

TimeTerms::Kind TimeTerms::kind_of(ExprId e, std::span<const Slot> slots, const ir::NodeMap<Kind>& kinds) const {
  const ir::Dag& dag = problem_.flat.expressions.dag;
  Op op = dag.op(e);
  if (op == Op::number || op == Op::datum) return Kind::constant;
  if (op == Op::weight || op == Op::direction) return Kind::unknown;
  if (op == Op::slot) {
    Slot slot = slots[dag.index(e)];
    return slot == Slot::time ? Kind::line : slot == Slot::constant ? Kind::constant : Kind::unknown;
  }
  if (op == Op::call && problem_.flat.expressions.programs[dag.program(e).index()].foreign) return Kind::unknown;
  Kind least = Kind::timed, most = Kind::constant;
  for (ExprId x : dag.operands(e)) {
    least = std::min(least, *kinds.find(x));
    most = std::max(most, *kinds.find(x));
  }
  if (least == Kind::unknown && !dag.operands(e).empty()) return Kind::unknown;
  if (most == Kind::constant || most == Kind::timed) return most;
  Kind last = *kinds.find(dag.operands(e).back());
  bool straight = op == Op::add || op == Op::sub || op == Op::neg || op == Op::no_event ||
                  (op == Op::mul && least == Kind::constant) || (op == Op::div && last == Kind::constant);
  return straight ? Kind::line : Kind::timed;
}

std::vector<TimeTerms::Found> TimeTerms::found_in(const ir::Group& group, std::span<const Slot> slots) const {
  const ir::Dag& dag = problem_.flat.expressions.dag;
  std::vector<ExprId> nodes = ir::reachable(dag, group.roots), largest;
  ir::NodeMap<Kind> kinds(nodes.size());
  for (ExprId e : nodes) {
    Kind kind = kind_of(e, slots, kinds);
    kinds[e] = kind;
    if (kind != Kind::unknown) continue;
    for (ExprId x : dag.operands(e))
      if (*kinds.find(x) == Kind::timed) largest.push_back(x);
  }
  for (ExprId root : group.roots)
    if (*kinds.find(root) == Kind::timed) largest.push_back(root);
  std::sort(largest.begin(), largest.end());
  largest.erase(std::unique(largest.begin(), largest.end()), largest.end());
  std::vector<Found> found;
  for (ExprId e : largest) look_at(e, kinds, found);
  return found;
}

void TimeTerms::look_at(ExprId sum, const ir::NodeMap<Kind>& kinds, std::vector<Found>& found) const {
  const ir::Dag& dag = problem_.flat.expressions.dag;
  std::vector<ExprId> open{sum};
  while (!open.empty()) {
    ExprId e = open.back();
    open.pop_back();
    if (*kinds.find(e) != Kind::timed) continue;
    Op op = dag.op(e);
    if (op == Op::add || op == Op::sub || op == Op::neg) {
      for (ExprId x : dag.operands(e)) open.push_back(x);
      continue;
    }
    Found& what = found.emplace_back();
    what.root = e;
    for (ExprId leaf : ir::reachable(dag, std::span(&e, 1))) {
      if (dag.op(leaf) == Op::slot) what.slots.push_back(dag.index(leaf));
      if (dag.op(leaf) == Op::datum) what.data.push_back(dag.index(leaf));
    }
  }
}

void TimeTerms::add(const ir::Function& f, const ir::Group& group, std::uint32_t instance, const Found& found) {
  if (terms_.size() == most_terms) return;
  Term term{.root = found.root, .tape = {}, .slots = std::vector<std::uint32_t>(group.slots.size(), 0), .data = {}};
  std::vector<std::uint64_t> key{found.root.index()};
  for (std::uint32_t k : found.slots) {
    std::uint32_t position = group.slots[k][instance].index();
    term.slots[k] = position < f.n_point ? 0 : 1 + position - f.n_point;
    term.is_free = term.is_free || (position >= f.n_point && position - f.n_point < model_.n_global &&
                                    !model_.shared_numbers[position - f.n_point].fixed);
    key.push_back(term.slots[k]);
  }
  for (const ir::DataColumn& column : group.data) term.data.push_back(column[instance]);
  for (std::uint32_t k : found.data) key.push_back(std::bit_cast<std::uint64_t>(term.data[k]));
  if (!known_.insert(std::move(key)).second) return;
  term.tape = ir::make_tape(problem_.flat.expressions.dag, std::span(&found.root, 1));
  term.calls = std::ranges::any_of(term.tape.steps, [](const ir::Tape::Step& s) { return s.op == Op::call; });
  terms_.push_back(std::move(term));
}

std::size_t TimeTerms::operations(std::size_t term) const {
  const Term& t = terms_[term];
  return t.tape.steps.size() * (t.calls ? operations_of_call : 1);
}

std::string TimeTerms::text(std::size_t term) const {
  const Term& t = terms_[term];
  return ir::to_text(problem_.flat.expressions, t.root, [&](Op op, std::uint32_t k) {
    if (op == Op::datum) return ir::to_text(t.data[k]);
    if (t.slots[k] == 0) return std::string("time");
    return ir::name_of(problem_.flat, model_.shared[t.slots[k] - 1]);
  });
}

void TimeTerms::evaluate(std::size_t term, std::span<const double> shared, std::span<const double> times,
                         std::span<double> values) {
  const Term& t = terms_[term];
  for (std::size_t first = 0; first < times.size(); first += block) {
    std::size_t n = std::min(block, times.size() - first);
    if (!t.calls) evaluate_block(t, shared, times.subspan(first, n), values.data() + first);
    for (std::size_t i = first; t.calls && i < first + n; ++i) values[i] = value(t, shared, times[i]);
  }
}

double TimeTerms::value(const Term& term, std::span<const double> shared, double time) {
  std::vector<double> slots;
  for (std::uint32_t s : term.slots) slots.push_back(s == 0 ? time : shared[s - 1]);
  double value = NAN;
  auto report = interpreter_.evaluate(term.tape, {.slots = slots, .data = term.data}, std::span(&value, 1));
  return report ? value : NAN;
}

void TimeTerms::evaluate_block(const Term& term, std::span<const double> shared, std::span<const double> times,
                               double* values) {
  work_.resize(term.tape.steps.size() * block);
  for (std::size_t s = 0; s < term.tape.steps.size(); ++s) {
    const ir::Tape::Step& step = term.tape.steps[s];
    double* out = work_.data() + s * block;
    const double *a = work_.data() + step.a * block, *b = work_.data() + step.b * block, *c = work_.data() + step.c * block;
    if (step.op == Op::number) std::fill_n(out, times.size(), step.literal);
    else if (step.op == Op::datum) std::fill_n(out, times.size(), term.data[step.b]);
    else if (step.op == Op::slot && term.slots[step.b] == 0) std::copy(times.begin(), times.end(), out);
    else if (step.op == Op::slot) std::fill_n(out, times.size(), shared[term.slots[step.b] - 1]);
    else
      for (std::size_t i = 0; i < times.size(); ++i) out[i] = ir::apply(step.op, a[i], b[i], c[i]);
  }
  std::copy_n(work_.data() + term.tape.roots[0] * block, times.size(), values);
}

}  // namespace bolza::workflow
