// SPDX-License-Identifier: Apache-2.0
// Algorithm sections of models: what they take from outside, and `when`.
#include "compiler/flatten/statements/algorithm_section_internal.h"

#include <algorithm>

#include "base/expects.h"
#include "compiler/flatten/groups/emit_internal.h"
#include "compiler/flatten/groups/equation_leaves_internal.h"
#include "compiler/flatten/model/auxiliaries_internal.h"
#include "compiler/flatten/model/components_internal.h"
#include "compiler/flatten/nodes/codes.h"
#include "compiler/flatten/nodes/lower_internal.h"
#include "compiler/flatten/nodes/node_internal.h"
#include "compiler/flatten/statements/function_leaves_internal.h"
#include "compiler/flatten/statements/program_writer_internal.h"
#include "compiler/flatten/statements/statements_internal.h"
#include "compiler/flatten/typing/events_internal.h"

namespace bolza::flatten {

using ir::ExprId;
using ir::Op;

bool AlgorithmSection::assigns(const Instance& leaf) const {
  return std::find(assigned.begin(), assigned.end(), &leaf) != assigned.end();
}

std::size_t AlgorithmSection::outer_dimensions(const Instance& leaf) const {
  for (const Instance* i = &leaf; i != nullptr; i = i->parent)
    if (i == component) return outer;
  return 0;
}

ExprId ProgramWriter::outside(const Node& node) {
  std::size_t hash = hash_of_place(node);
  for (auto [at, last] = section->places.equal_range(hash); at != last; ++at) {
    const AlgorithmSection::Input& input = section->inputs[at->second];
    if (same_place(*input.node, node)) return model.dag().slot(input.id);
  }
  std::uint32_t local = new_local("outside", scalar_type_of(node.basic));
  program.inputs.push_back({false, local});
  section->places.emplace(hash, section->inputs.size());
  section->inputs.push_back({&node, nullptr, false, local});
  return model.dag().slot(local);
}

void ProgramWriter::watch(const Node& relation) {
  std::size_t hash = hash_of_place(relation);
  for (auto [at, last] = section->watched_places.equal_range(hash); at != last; ++at)
    if (same_place(*at->second, relation)) return;
  section->watched_places.emplace(hash, &relation);
  section->watched.push_back(&relation);
}

const AlgorithmSection::Input& ProgramWriter::before(const Instance& leaf) {
  for (const AlgorithmSection::Input& input : section->inputs)
    if (input.before == &leaf) return input;
  std::vector<std::int64_t> dims = instance::all_dimensions(leaf);
  dims.erase(dims.begin(), dims.begin() + static_cast<std::ptrdiff_t>(section->outer_dimensions(leaf)));
  ir::ScalarType type = leaf.type == instance::Type::boolean ? ir::ScalarType::boolean
                        : leaf.type == instance::Type::real  ? ir::ScalarType::real
                                                             : ir::ScalarType::integer;
  std::string name = "pre(" + instance::path_of(leaf) + ")";
  bool is_array = !dims.empty();
  std::uint32_t id = is_array ? new_array(name, static_cast<std::size_t>(size_of(dims)), type) : new_local(name, type);
  program.inputs.push_back({is_array, id});
  section->inputs.push_back({nullptr, &leaf, is_array, id});
  return section->inputs.back();
}

namespace {

/// Whether an expression has its value before the section begins: it reads nothing that the section assigns, and no
/// iterator.
bool is_independent(const AlgorithmSection& section, const Node& node) {
  bool before = node.kind == NodeKind::clocked && node.value == static_cast<double>(ClockOperator::previous);
  if (node.kind == NodeKind::previous || node.kind == NodeKind::sample || node.kind == NodeKind::flag || before)
    return std::all_of(node.children.begin(), node.children.end(), [&](const Node* child) {
      return child == nullptr || std::all_of(child->subscripts.begin(), child->subscripts.end(),
                                             [&](const Node* s) { return s == nullptr || is_independent(section, *s); });
    });
  if (node.kind == NodeKind::variable && node.instance != nullptr && section.assigns(*node.instance)) return false;
  if (node.kind == NodeKind::axis && section.space.find(node.axes[0]) == nullptr) return false;
  if (node.kind == NodeKind::reduce || node.kind == NodeKind::comprehension) return false;
  if (node.call != nullptr)
    for (const Call::Argument& argument : node.call->arguments)
      if (!is_independent(section, *argument.value)) return false;
  auto part = [&](const Node* p) { return p == nullptr || is_independent(section, *p); };
  return std::all_of(node.children.begin(), node.children.end(), part) &&
         std::all_of(node.subscripts.begin(), node.subscripts.end(), part);
}

/// What a relation reads that has another value in the section than before it.
struct Reads {
  bool iterator = false, varies = false;  ///< an iterator; time, or a continuous variable
  bool other = false;                     ///< a continuous variable that the section assigns, a sum, a call
};

void find_reads(const AlgorithmSection& section, const Node& node, Reads& reads) {
  if (node.kind == NodeKind::previous || node.kind == NodeKind::sample || node.kind == NodeKind::flag) return;
  if (node.kind == NodeKind::variable && node.level == Level::continuous) {
    reads.varies = true;
    if (node.instance != nullptr && section.assigns(*node.instance)) reads.other = true;
  }
  if (node.kind == NodeKind::axis && section.space.find(node.axes[0]) == nullptr) reads.iterator = true;
  if (node.kind == NodeKind::reduce || node.kind == NodeKind::comprehension || node.call != nullptr) reads.other = true;
  for (const auto* parts : {&node.children, &node.subscripts})
    for (const Node* part : *parts)
      if (part != nullptr) find_reads(section, *part, reads);
}

}  // namespace

/// der(x), pre(v), initial(), sample(…), delay(…).
Scalar FunctionLeaves::of_section(Lowering& lowering, const Node& node, const Indices& indices) {
  const Node* place = node.kind == NodeKind::previous ? node.children[0] : nullptr;
  const Node* base = place && place->kind == NodeKind::index ? place->children[0] : place;
  if (base != nullptr && base->kind == NodeKind::variable) {
    Indices at = indices;
    if (place->kind == NodeKind::index) {
      auto inside = lowering.base_indices(*place, indices);
      if (!inside) return inside.failure();
      at = std::move(*inside);
    }
    if (auto inside = in_range(lowering, *base, at); !inside) return inside.failure();
    auto outer = static_cast<std::ptrdiff_t>(writer_.section->outer_dimensions(*base->instance));
    at.erase(at.begin(), at.begin() + outer);
    AlgorithmSection::Input input = writer_.before(*base->instance);
    if (!input.is_array) return model_.dag().slot(input.id);
    Scalar where = position(lowering, {base->dims.begin() + outer, base->dims.end()}, at);
    return where.failed() ? where : Scalar(writer_.load(input.id, lowering.expression(where), node.span));
  }
  if (node.kind == NodeKind::clocked && node.children[0] && node.children[0]->kind == NodeKind::index &&
      node.children[0]->children[0]->kind == NodeKind::variable && !is_independent(*writer_.section, node))
    return clocked_element(lowering, node, indices);
  std::vector<const Node*> fixed;
  for (const Scalar& index : indices) {
    if (!index.is_known() || !index.known.is_uniform())
      return model_.diagnostics.error(not_known_at_compile_time, node.span, {"the subscript"});
    fixed.push_back(model_.nodes.number(index.known.uniform(), Basic::integer, node.span));
  }
  const Node* scalar = fixed.empty() ? model_.nodes.add(node) : model_.nodes.index(model_.nodes.add(node), fixed, node.span);
  if (!is_independent(*writer_.section, *scalar))
    return model_.diagnostics.error(not_known_at_compile_time, node.span, {"a subscript or argument"});
  return writer_.outside(*scalar);
}

/// previous(x[i]) with an i that varies in the section: all elements come from outside.
Scalar FunctionLeaves::clocked_element(Lowering& lowering, const Node& node, const Indices& indices) {
  const Node &place = *node.children[0], &base = *place.children[0];
  auto at = lowering.base_indices(place, indices);
  if (!at) return at.failure();
  if (auto inside = in_range(lowering, base, *at); !inside) return inside.failure();
  auto outer = static_cast<std::ptrdiff_t>(writer_.section->outer_dimensions(*base.instance));
  std::vector<std::int64_t> dims(base.dims.begin() + outer, base.dims.end());
  std::uint32_t array = writer_.new_array("previous", static_cast<std::size_t>(size_of(dims)), scalar_type_of(node.basic));
  for (std::int64_t e = 0; e < size_of(dims); ++e) {
    std::vector<const Node*> subscripts(place.subscripts.begin(), place.subscripts.begin() + outer);
    for (std::int64_t i : indices_at(dims, e))
      subscripts.push_back(model_.nodes.number(static_cast<double>(i), Basic::integer, node.span));
    Node one = node;
    one.children[0] = model_.nodes.index(&base, std::move(subscripts), node.span);
    one.dims.clear();
    const Node* scalar = model_.nodes.add(std::move(one));
    if (!is_independent(*writer_.section, *scalar))
      return model_.diagnostics.error(not_known_at_compile_time, node.span, {"a subscript or argument"});
    writer_.store(array, model_.dag().number(static_cast<double>(e)), writer_.outside(*scalar), node.span);
  }
  at->erase(at->begin(), at->begin() + outer);
  Scalar where = position(lowering, dims, *at);
  return where.failed() ? where : Scalar(writer_.load(array, lowering.expression(where), node.span));
}

/// Relations that do not depend on what the section assigns are evaluated outside: there they make events. Those of
/// discrete variables that it assigns, which change at events only, are evaluated here and watched outside. A loop whose
/// iterator stands in one is written out.
std::optional<Scalar> FunctionLeaves::instead(Lowering& lowering, const Node& node, const Indices& indices) {
  if (!writer_.section) return {};
  AlgorithmSection& section = *writer_.section;
  if (node.op == Op::no_event) {
    bool saved = std::exchange(section.literal, true);
    Scalar value = lowering.element(*node.children[0], indices);
    writer_.section->literal = saved;
    return value;
  }
  if (section.literal || !cuts(node.op) || node.level < Level::discrete || !node.dims.empty()) return {};
  if (is_independent(section, node)) return writer_.outside(node);
  Reads reads;
  find_reads(section, node, reads);
  if (reads.other || !reads.varies) return {};
  if (reads.iterator && writer_.can_write_out) return Work::written_out();
  if (!reads.iterator) writer_.watch(node);
  return {};
}

// ---------------------------------------------------------------- statements

Outcome<Done> StatementWriter::begin_with_previous(const Instance& component) {
  AlgorithmSection::Input from = writer_.before(component);
  const ProgramWriter::Storage& to = writer_.storage_of(component);
  ir::Dag& dag = model_.dag();
  if (!to.is_array) {
    writer_.assign(to.id, dag.slot(from.id), component.span);
    return Done{};
  }
  std::uint32_t i = writer_.new_local("i", ir::ScalarType::integer);
  writer_.loop(i, dag.zero(), dag.one(), dag.number(static_cast<double>(size_of(to.dims) - 1)), component.span, [&] {
    writer_.store(to.id, dag.slot(i), writer_.load(from.id, dag.slot(i), component.span), component.span);
  });
  return Done{};
}

/// c and not pre(c), where c is the condition: a discrete variable, or an auxiliary that equals it.
Outcome<ExprId> StatementWriter::edge(const Node& condition) {
  AlgorithmSection& section = *writer_.section;
  ir::Dag& dag = model_.dag();
  const Node* place = condition.kind == NodeKind::index ? condition.children[0] : &condition;
  bool independent = is_independent(section, condition);
  bool plain = independent && place->kind == NodeKind::variable && place->instance != nullptr &&
               is_discrete(model_, *place->instance) && !is_top_level_input(*place->instance);
  const Node* c = &condition;
  if (!plain) c = new_condition(model_, section.space.n, section.number, "$when", condition.span);
  ExprId now;
  if (plain || !independent) {
    Scalar value = lowering_.scalar(condition);
    if (value.failed()) return value.failure();
    now = lowering_.expression(value);
    if (!independent) {  // computed here: an output of the section
      std::uint32_t local = writer_.new_local("when", ir::ScalarType::boolean);
      writer_.assign(local, now, condition.span);
      now = dag.slot(local);
      writer_.section->conditions.push_back({local, static_cast<std::uint32_t>(c->value)});
    }
  } else {
    emit_pairs(model_, section.space, *c, condition,
               {&model_.flat.discrete_equations.section, ExpressionPlace::discrete, condition.span, &section.names});
    now = writer_.outside(*c);
  }
  Scalar before = lowering_.scalar(*model_.nodes.previous(c, condition.span));
  if (before.failed()) return before.failure();
  return dag.make(Op::logical_and, now, dag.make(Op::logical_not, lowering_.expression(before)));
}

Outcome<ExprId> StatementWriter::fires(const ast::Expr& condition) {
  ir::Dag& dag = model_.dag();
  std::vector<const ast::Expr*> items{&condition};
  bool listed = condition.kind == ast::ExprKind::array && condition.iterators.empty();
  if (listed) items.assign(condition.operands.begin(), condition.operands.end());
  bool has_initial = false;
  ExprId any;
  for (const ast::Expr* item : items) {
    if (is_initial_call(*item)) {
      has_initial = true;
      continue;
    }
    auto node = typer_.expression(*item);
    if (!node) return node.failure();
    if (node->basic != Basic::boolean || node->dims.size() > (listed ? 0 : 1))
      return model_.diagnostics.error(expected_type, item->span, {"a Boolean or a vector of Booleans", type_text(*node)});
    if (node->level == Level::continuous) return model_.diagnostics.error(not_discrete, item->span, {"condition"});
    for (std::int64_t e = 0; e < size_of(node->dims); ++e) {
      auto one = edge(*model_.nodes.element(node, indices_at(node->dims, e)));
      if (!one) return one;
      any = any ? dag.make(Op::logical_or, any, *one) : *one;
    }
  }
  ExprId initial = writer_.outside(*model_.nodes.flag(Flag::initial, condition.span));
  ExprId value = any ? dag.select(initial, has_initial ? dag.one() : dag.zero(), any) : initial;
  std::uint32_t local = writer_.new_local("fires", ir::ScalarType::boolean);
  writer_.assign(local, value, condition.span);
  return dag.slot(local);
}

Outcome<Done> StatementWriter::when(const ast::Statement& s) {
  const char* place = !writer_.section           ? "a function"
                      : writer_.section->initial ? "an initial algorithm"
                      : depth_ > 1               ? "a loop, an `if` or another `when`"
                                                 : nullptr;
  if (place != nullptr) return model_.diagnostics.error(when_place, s.span, {place});
  std::vector<ExprId> all;
  for (const auto& branch : s.branches) {
    auto one = fires(*branch.condition);
    if (!one) return one.failure();
    all.push_back(*one);
  }
  writer_.section->literal = true;
  typer_.in_when = true;
  auto done = branches_of_when(s, all, 0);
  typer_.in_when = false;
  writer_.section->literal = false;
  return done;
}

Outcome<Done> StatementWriter::branches_of_when(const ast::Statement& s, const std::vector<ExprId>& fires,
                                                std::size_t from) {
  if (from == fires.size()) return Done{};
  ir::Statement out{ir::StatementKind::branch, s.branches[from].span};
  out.value = fires[from];
  out.body = ir::BlockId(std::size_t{writer_.new_block()});
  std::uint32_t outside = writer_.enter(out.body.value);
  writer_.reach(fires[from]);
  auto done = statements(s.branches[from].body);
  writer_.enter(outside);
  writer_.leave(out.span);
  if (done && from + 1 < fires.size()) {
    out.otherwise = ir::BlockId(std::size_t{writer_.new_block()});
    writer_.enter(out.otherwise.value);
    writer_.reach(model_.dag().make(ir::Op::logical_not, fires[from]));
    done = branches_of_when(s, fires, from + 1);
    writer_.enter(outside);
    writer_.leave(out.span);
  }
  writer_.push(std::move(out));
  return done;
}

}  // namespace bolza::flatten
