// SPDX-License-Identifier: Apache-2.0
#include "compiler/flatten/statements/statements_internal.h"

#include <algorithm>

#include "base/expects.h"
#include "compiler/flatten/model/components_internal.h"
#include "compiler/flatten/nodes/codes.h"
#include "compiler/flatten/nodes/lower_internal.h"
#include "compiler/flatten/nodes/node_internal.h"
#include "compiler/flatten/nodes/run_time_sizes_internal.h"
#include "compiler/flatten/nodes/space_internal.h"
#include "compiler/flatten/statements/program_writer_internal.h"
#include "compiler/flatten/typing/context_internal.h"
#include "compiler/flatten/typing/typer_internal.h"

namespace bolza::flatten {

using ir::ExprId;

Outcome<Done> StatementWriter::statements(ast::List<const ast::Statement*> items) {
  Outcome<Done> all = Done{};
  ++depth_;
  for (const ast::Statement* item : items) {
    auto done = statement(*item);
    if (done) continue;
    all = done;
    if (!done.failure().reported()) break;
  }
  --depth_;
  return all;
}

Outcome<Done> StatementWriter::statement(const ast::Statement& s) {
  writer_.begin_statement(lowering_.bindings().size());
  switch (s.kind) {
    case ast::StatementKind::assign:
      return assignment(s);
    case ast::StatementKind::multi_assign:
      return several(s);
    case ast::StatementKind::call:
      return call(s);
    case ast::StatementKind::if_:
      return branch(s, 0);
    case ast::StatementKind::for_: {
      auto done = loop(s, 0);
      forget_values();
      return done;
    }
    case ast::StatementKind::while_:
      return loop_while(s);
    case ast::StatementKind::when:
      return when(s);
    case ast::StatementKind::break_:
      writer_.push({ir::StatementKind::exit_loop, s.span});
      return Done{};
    case ast::StatementKind::return_:
      writer_.push({ir::StatementKind::exit_program, s.span});
      return Done{};
  }
  expects(false, "every kind of statement is written");
  return Done{};
}

/// Whether a place is a String of a function that computes with numbers: what it holds is never known, so nothing is written
/// there. Messages leave it out, and whatever else needs it says so.
bool StatementWriter::is_unwritten_text(const ast::Expr& target) const {
  if (writer_.section || target.kind != ast::ExprKind::name) return false;
  for (const Instance* child : typer_.frame->function->children)
    if (child->name == target.reference->parts[0].identifier) return child->type == instance::Type::string;
  return false;
}

Outcome<Done> StatementWriter::assignment(const ast::Statement& s) {
  if (is_unwritten_text(*s.target)) return Done{};
  auto target = target_of(*s.target), value = typer_.expression(*s.value);
  if (!target || !value) return target ? value.failure() : target.failure();
  return assign(*target, *value, s.span);
}

Typed StatementWriter::target_of(const ast::Expr& expr) {
  typer_.names_target = true;
  auto target = typer_.expression(expr);
  typer_.names_target = false;
  return target;
}

/// Notes what an Integer or Boolean is now: a call that the next statements make may depend on it, and end a recursion.
void StatementWriter::note_value(const Node& target, const Scalar& number) {
  bool counts = target.basic == Basic::integer || target.basic == Basic::boolean || target.basic == Basic::enumeration;
  if (typer_.frame == nullptr || target.kind != NodeKind::variable || !target.dims.empty() || !counts) return;
  if (number.is_known() && number.known.is_uniform()) typer_.frame->now[target.instance] = number.known.uniform();
  else typer_.frame->now.erase(target.instance);
}

/// Where statements are written that run more than once, or not always.
void StatementWriter::forget_values() {
  if (typer_.frame != nullptr) typer_.frame->now.clear();
}

Outcome<Done> StatementWriter::several(const ast::Statement& s) {
  auto call = typer_.expression(*s.value);
  if (!call) return call.failure();
  std::vector<const Node*> outputs = typer_.outputs_of(call);
  if (s.target->operands.size() > outputs.size())
    return model_.diagnostics.error(too_many_outputs, s.target->span,
                                    {std::to_string(outputs.size()), std::to_string(s.target->operands.size())});
  for (std::size_t k = 0; k < s.target->operands.size(); ++k) {
    if (s.target->operands[k] == nullptr || is_unwritten_text(*s.target->operands[k])) continue;
    auto target = target_of(*s.target->operands[k]);
    if (!target) return target.failure();
    if (auto done = assign(*target, *outputs[k], s.span); !done) return done;
  }
  return Done{};
}

// ---------------------------------------------------------------- assignments

namespace {

constexpr std::int64_t longest_written_loop = 200;

/// Whether a component is read in an expression.
bool mentions(const Node& node, const Instance& instance) {
  if (node.kind == NodeKind::variable)
    for (const Instance* i = node.instance; i != nullptr; i = i->parent)
      if (i == &instance) return true;
  auto part = [&](const Node* p) { return p != nullptr && mentions(*p, instance); };
  if (node.call)
    for (const Call::Argument& argument : node.call->arguments)
      if (mentions(*argument.value, instance)) return true;
  return std::any_of(node.children.begin(), node.children.end(), part) ||
         std::any_of(node.subscripts.begin(), node.subscripts.end(), part);
}

bool can_be_rolled(const Node& node) {
  if (node.kind == NodeKind::array || node.kind == NodeKind::call || node.kind == NodeKind::choice) return false;
  auto part = [](const Node* p) { return p == nullptr || can_be_rolled(*p); };
  return std::all_of(node.children.begin(), node.children.end(), part) &&
         std::all_of(node.subscripts.begin(), node.subscripts.end(), part);
}

/// Whether a `break` among the statements ends the loop around them.
bool leaves_loop(ast::List<const ast::Statement*> items) {
  return std::any_of(items.begin(), items.end(), [](const ast::Statement* s) {
    return s->kind == ast::StatementKind::break_ ||
           (s->kind == ast::StatementKind::if_ && std::any_of(s->branches.begin(), s->branches.end(),
                                                              [](const auto& branch) { return leaves_loop(branch.body); }));
  });
}

/// Whether a size or a relation in the body of a loop depends on the loop's iterator.
bool asks_to_be_written_out(const Outcome<Done>& done) { return !done && done.failure().is(Again::How::written_out); }

/// How large a place can be: its sizes, and those of what it is a part of where only the run tells.
std::vector<std::int64_t> most_of(const Node& target) {
  std::vector<std::int64_t> most = target.dims;
  if (target.kind != NodeKind::index) return most;
  const std::vector<std::int64_t>& whole = target.children[0]->dims;
  std::size_t at = 0;
  for (std::size_t d = 0; d < whole.size(); ++d) {
    const Node* subscript = d < target.subscripts.size() ? target.subscripts[d] : nullptr;
    std::size_t own = subscript ? subscript->dims.size() : 1;
    for (std::size_t k = 0; k < own; ++k, ++at)
      if (is_run_time_size(most[at])) most[at] = whole[d];
  }
  return most;
}

const Node& place_in(const Node& target) { return target.kind == NodeKind::index ? *target.children[0] : target; }

}  // namespace

Outcome<Done> StatementWriter::pair_up(const Node& target, const Node& value, Span span, std::vector<Pair>& out) {
  if (target.dims != value.dims)
    return model_.diagnostics.error(sizes_differ, span, {"assignment", dims_text(target.dims), dims_text(value.dims)});
  bool records = target.basic == Basic::record;
  bool numbers = is_numeric(target.basic) && is_numeric(value.basic);
  bool texts = target.basic == Basic::string && value.basic == Basic::string;
  if (texts && !writer_.section) return Done{};  // as is_unwritten_text says
  if (texts)
    return model_.diagnostics.error(unsupported, span,
                                    {"a String variable of a function that is not computed at compile time"});
  if (!numbers && target.basic != value.basic)
    return model_.diagnostics.error(types_differ, span, {type_text(target), type_text(value)});
  if (!records) {
    out.push_back({&target, &value});
    return Done{};
  }
  for (const Instance* field : target.instance->children) {
    if (writer_.section && is_part_parameter(*field)) continue;
    auto to = typer_.member(&target, field->name, span), from = to ? typer_.member(&value, field->name, span) : to;
    if (!from) return from.failure();
    if (auto done = pair_up(*to, *from, span, out); !done) return done;
  }
  return Done{};
}

Outcome<Done> StatementWriter::assign(const Node& target, const Node& value, Span span) {
  if (target.kind == NodeKind::array && !target.children.empty()) {  // elements of a nonuniform array
    if (target.dims != value.dims)
      return model_.diagnostics.error(sizes_differ, span, {"assignment", dims_text(target.dims), dims_text(value.dims)});
    for (std::size_t k = 0; k < target.children.size(); ++k)
      if (auto done = assign(*target.children[k], *row_of(model_.nodes, &value, k), span); !done) return done;
    return Done{};
  }
  const Node& place = place_in(target);
  if (place.kind != NodeKind::variable || place.instance == nullptr) return model_.diagnostics.error(not_assignable, span);
  std::vector<Pair> pairs;
  if (auto done = pair_up(target, value, span, pairs); !done) return done;
  bool in_itself = (pairs.size() > 1 || !target.dims.empty()) && mentions(value, *place.instance);
  if (in_itself)
    for (Pair& pair : pairs) {
      auto temporary = in_temporary(*pair.value, most_of(*pair.target), span);
      if (!temporary) return temporary.failure();
      pair.value = temporary;
    }
  for (const Pair& pair : pairs)
    if (auto done = write(pair, span); !done) return done;
  return Done{};
}

/// The value in a local of its own, so that the target may be overwritten while it is read.
/// @param most  the sizes that there is room for
Typed StatementWriter::in_temporary(const Node& value, std::vector<std::int64_t> most, Span span) {
  Instance& temporary = temporaries_.emplace_back();
  temporary.name = "temporary";
  temporary.type = value.basic == Basic::integer   ? instance::Type::integer
                   : value.basic == Basic::boolean ? instance::Type::boolean
                                                   : instance::Type::real;
  writer_.declare(temporary, std::move(most));
  Node node;
  node.kind = NodeKind::variable;
  node.basic = value.basic;
  node.level = Level::continuous;
  node.instance = &temporary;
  node.dims = value.dims;
  node.span = span;
  const Node* place = model_.nodes.add(std::move(node));
  if (auto done = write({place, &value}, span); !done) return done.failure();
  return place;
}

Outcome<Done> StatementWriter::write(const Pair& pair, Span span) {
  if (has_run_time_size(pair.target->dims)) return by_loops(pair, span);
  std::int64_t size = size_of(pair.target->dims);
  if (size > longest_written_sum && can_be_rolled(*pair.value) && can_be_rolled(*pair.target)) return by_loops(pair, span);
  for (std::int64_t e = 0; e < size; ++e) {
    Indices at;
    for (std::int64_t i : indices_at(pair.target->dims, e)) at.push_back(static_cast<double>(i));
    if (auto done = write_element(*pair.target, *pair.value, at, span); !done) return done;
  }
  return Done{};
}

Outcome<Done> StatementWriter::by_loops(const Pair& pair, Span span) {
  ir::Dag& dag = model_.dag();
  Indices at;
  Outcome<Done> all = Done{};
  std::function<void(std::size_t)> nest = [&](std::size_t d) {
    if (d == pair.target->dims.size()) {
      if (auto done = write_element(*pair.target, *pair.value, at, span); !done) all = done;
      return;
    }
    Scalar end = lowering_.scalar(*typer_.size_node(pair.target->dims[d], span));
    if (end.failed()) {
      all = end.failure();
      return;
    }
    std::uint32_t i = writer_.new_local("i", ir::ScalarType::integer);
    writer_.loop(i, dag.one(), dag.one(), lowering_.expression(end), span, [&] {
      at.emplace_back(dag.slot(i));
      nest(d + 1);
      at.pop_back();
    });
  };
  nest(0);
  return all;
}

Outcome<Done> StatementWriter::write_element(const Node& target, const Node& value, const Indices& at, Span span) {
  Scalar number = lowering_.element(value, value.dims.empty() ? Indices{} : at);
  if (number.failed()) return number.failure();
  note_value(target, number);
  const Node& place = place_in(target);
  Indices inside = at;
  if (target.kind == NodeKind::index) {
    auto base = lowering_.base_indices(target, at);
    if (!base) return base.failure();
    inside = std::move(*base);
  }
  if (auto fits = in_range(lowering_, place, inside); !fits) return fits;
  if (writer_.section)  // the place is one for each instance of the section
    inside.erase(inside.begin(),
                 inside.begin() + static_cast<std::ptrdiff_t>(writer_.section->outer_dimensions(*place.instance)));
  if (!writer_.has(*place.instance)) return model_.diagnostics.error(not_assignable, span);
  const ProgramWriter::Storage& storage = writer_.storage_of(*place.instance);
  if (!storage.is_array) {
    writer_.assign(storage.id, lowering_.expression(number), span);
    return Done{};
  }
  Scalar position_of = position(lowering_, storage.dims, inside);
  if (position_of.failed()) return position_of.failure();
  writer_.store(storage.id, lowering_.expression(position_of), lowering_.expression(number), span);
  return Done{};
}

Outcome<Done> StatementWriter::initialise(const Instance& component) {
  bool is_record = component.type == instance::Type::none && !component.children.empty();
  if (!component.binding && is_record) return initialise_fields(component, *typer_.own_component(component, component.span));
  if (!component.binding || component.type == instance::Type::string) return Done{};
  writer_.begin_statement(0);
  const Node* target = typer_.own_component(component, component.span);
  auto value = typer_.expression(*component.binding.expr);
  if (!value) return value.failure();
  return assign(*target, *value, component.span);
}

/// What the declarations in a record, or modifications of them, give its fields; of an array of records, element by element.
Outcome<Done> StatementWriter::initialise_fields(const Instance& record, const Node& whole) {
  bool has_values = false;
  for (const Instance* leaf : leaves_of(record)) has_values = has_values || leaf->binding;
  if (!has_values) return Done{};
  std::vector<std::int64_t> sizes = whole.dims;
  Outcome<Done> done = Done{};
  for (std::int64_t e = 0; done && e < size_of(sizes); ++e) {
    std::vector<std::int64_t> at = indices_at(sizes, e);
    for (std::size_t d = 0; d < at.size(); ++d)
      work_.space.axes.emplace_back(model_.axis_of(record, d), Known(static_cast<double>(at[d])));
    const Node* one = sizes.empty() ? &whole : model_.nodes.element(&whole, at);
    for (const Instance* field : record.children)
      if (done) done = initialise_field(*field, *one);
    work_.space.axes.resize(work_.space.axes.size() - at.size());
  }
  return done;
}

Outcome<Done> StatementWriter::initialise_field(const Instance& field, const Node& record) {
  if (field.variability == instance::Variability::constant || field.type == instance::Type::string) return Done{};
  if (!field.binding && field.type != instance::Type::none) return Done{};
  auto target = typer_.member(&record, field.name, field.span);
  if (!target) return target.failure();
  if (!field.binding) return initialise_fields(field, *target);
  writer_.begin_statement(0);
  Typer typer(model_, work_, field.binding.scope, typer_.frame);
  auto value = typer.expression(*field.binding.expr);
  if (!value) return value.failure();
  std::vector<const Node*> which;  // of the elements of the records around
  for (const instance::ArrayLevel& level : field.binding.levels)
    for (std::size_t d = 0; d < level.count; ++d)
      which.push_back(model_.nodes.axis(model_.axis_of(*level.instance, level.first + d), field.binding.span));
  if (which.size() > value->dims.size())
    return model_.diagnostics.error(sizes_differ, field.binding.span,
                                    {"modification", dims_text(target->dims), dims_text(value->dims)});
  if (!which.empty()) value = model_.nodes.index(value, std::move(which), field.binding.span);
  return assign(*target, *value, field.span);
}

Outcome<Done> StatementWriter::begin_with(const Instance& component, const instance::ScopedExpr& start) {
  Typer typer(model_, work_, start.scope);
  auto value = typer.expression(*start.expr);
  if (!value) return value.failure();
  const Node* target = typer_.own_component(component, component.span);
  if (value->dims.empty() && !target->dims.empty()) value = typer_.repeated(value, target->dims);
  if (!value) return value.failure();
  return assign(*target, *value, start.span);
}

// ---------------------------------------------------------------- control flow

Outcome<Done> StatementWriter::branch(const ast::Statement& s, std::size_t from) {
  const auto& here = s.branches[from];
  if (here.condition == nullptr) return statements(here.body);
  auto condition = typer_.boolean_condition(*here.condition);
  if (!condition) return condition.failure();
  Scalar value = lowering_.scalar(*condition);
  if (value.failed()) return value.failure();
  bool more = from + 1 < s.branches.size();
  if (value.is_known()) {
    if (value.known.uniform() != 0) return statements(here.body);
    return more ? branch(s, from + 1) : Done{};
  }
  ir::Statement out{ir::StatementKind::branch, here.span};
  out.value = value.expr;
  out.body = ir::BlockId(std::size_t{writer_.new_block()});
  std::uint32_t outside = writer_.enter(out.body.value);
  writer_.reach(value.expr);
  std::map<const Instance*, double> before;
  if (typer_.frame != nullptr) before = typer_.frame->now;
  auto done = statements(here.body);
  if (typer_.frame != nullptr) std::swap(before, typer_.frame->now);
  writer_.enter(outside);
  writer_.leave(here.span);
  if (more && done) {
    out.otherwise = ir::BlockId(std::size_t{writer_.new_block()});
    writer_.enter(out.otherwise.value);
    writer_.reach(model_.dag().make(ir::Op::logical_not, value.expr));
    done = branch(s, from + 1);
    writer_.enter(outside);
    writer_.leave(here.span);
  }
  if (typer_.frame != nullptr)
    std::erase_if(typer_.frame->now, [&](const auto& known) {
      auto there = before.find(known.first);
      return there == before.end() || there->second != known.second;
    });
  writer_.push(std::move(out));
  return done;
}

Outcome<Done> StatementWriter::loop(const ast::Statement& s, std::size_t k) {
  if (k == s.iterators.size()) return statements(s.body);
  const ast::Iterator& iterator = s.iterators[k];
  bool is_range = iterator.range && iterator.range->kind == ast::ExprKind::range;
  if (is_range) return loop_over_range(s, k);
  auto range = typer_.range_of(iterator, iterator.range ? Subscripted{} : subscripted_by(s.body, iterator.name));
  return range ? loop_over_values(s, k, *range) : range.failure();
}

/// Is a range of known ends (first, [step,] last) one of few numbers?
Outcome<bool> StatementWriter::is_short(const std::vector<const Node*>& ends) {
  std::vector<double> values;
  for (const Node* end : ends) {
    auto known = typer_.known(*end);
    if (!known) return known.failure();
    const std::optional<Known>& value = *known;
    if (!value || !value->is_uniform()) return false;
    values.push_back(value->uniform());
  }
  double step = values.size() == 3 ? values[1] : 1;
  return (values.back() - values.front()) / step < static_cast<double>(longest_written_loop);
}

Outcome<Done> StatementWriter::loop_over_range(const ast::Statement& s, std::size_t k) {
  const ast::Expr& given = *s.iterators[k].range;
  std::vector<ExprId> ends;
  std::vector<const Node*> limits;
  bool known = true, integers = true;
  for (const ast::Expr* end : given.operands) {
    auto node = typer_.expression(*end);
    if (!node) return node.failure();
    if (!node->dims.empty() || node->basic == Basic::string || node->basic == Basic::record)
      return model_.diagnostics.error(expected_type, end->span, {"a number as the end of a range", type_text(*node)});
    if (node->basic == Basic::boolean || node->basic == Basic::enumeration) {
      auto range = typer_.range_of(s.iterators[k], {});
      return range ? loop_over_values(s, k, *range) : range.failure();
    }
    Scalar value = lowering_.scalar(*node);
    if (value.failed()) return value.failure();
    known &= value.is_known() || (writer_.section && node->level <= Level::parameter);
    integers &= node->basic == Basic::integer;
    ends.push_back(lowering_.expression(value));
    limits.push_back(node);
  }
  forget_values();
  ProgramWriter::Snapshot saved = writer_.save();
  AxisId axis = model_.nodes.new_axis();
  typer_.iterators.emplace_back(s.iterators[k].name,
                                model_.nodes.axis(axis, s.iterators[k].span, integers ? Basic::integer : Basic::real));
  std::uint32_t i =
      writer_.new_local(std::string(s.iterators[k].name), integers ? ir::ScalarType::integer : ir::ScalarType::real);
  lowering_.bind(axis, model_.dag().slot(i));
  Outcome<Done> done = Done{};
  ExprId step = ends.size() == 3 ? ends[1] : model_.dag().one();
  bool outer = writer_.can_write_out;
  Outcome<bool> few = outer && known ? is_short(limits) : false;
  writer_.can_write_out = few && *few;
  writer_.loop(i, ends.front(), step, ends.back(), s.span, [&] { done = few ? loop(s, k + 1) : few.failure(); });
  writer_.can_write_out = outer;
  lowering_.unbind(1);
  typer_.iterators.pop_back();
  if (!asks_to_be_written_out(done)) return done;
  if (!known) return model_.diagnostics.error(size_depends_on_loop, s.span, {s.iterators[k].name});
  writer_.restore(std::move(saved));  // a size in the body depends on the iterator: write the loop out
  auto range = typer_.range_of(s.iterators[k], {});
  return range ? written_out(s, k, *range) : range.failure();
}

Outcome<Done> StatementWriter::loop_over_values(const ast::Statement& s, std::size_t k, const Node& range) {
  forget_values();
  ProgramWriter::Snapshot saved = writer_.save();
  ir::Dag& dag = model_.dag();
  AxisId axis = model_.nodes.new_axis();
  Node name = *model_.nodes.axis(axis, s.iterators[k].span, range.basic);
  name.definition = range.definition;
  typer_.iterators.emplace_back(s.iterators[k].name, model_.nodes.add(std::move(name)));
  std::uint32_t i = writer_.new_local(std::string(s.iterators[k].name), ir::ScalarType::integer);
  Outcome<Done> done = Done{};
  bool outer = writer_.can_write_out;
  writer_.can_write_out = outer && range.dims[0] <= longest_written_loop;
  writer_.loop(i, dag.one(), dag.one(), dag.number(static_cast<double>(range.dims[0])), s.span, [&] {
    Scalar value = lowering_.element(range, {Scalar(dag.slot(i))});
    if (value.failed()) {
      done = value.failure();
      return void();
    }
    lowering_.bind(axis, value);
    done = loop(s, k + 1);
    lowering_.unbind(1);
  });
  writer_.can_write_out = outer;
  typer_.iterators.pop_back();
  if (!asks_to_be_written_out(done)) return done;
  writer_.restore(std::move(saved));
  return written_out(s, k, range);
}

Outcome<Done> StatementWriter::written_out(const ast::Statement& s, std::size_t k, const Node& range) {
  forget_values();
  Outcome<Done> done = Done{};
  auto trips = [&] {
    for (std::int64_t e = 1; e <= range.dims[0] && done; ++e) {
      typer_.iterators.emplace_back(s.iterators[k].name, model_.nodes.element(&range, {e}));
      done = loop(s, k + 1);
      typer_.iterators.pop_back();
    }
  };
  ExprId one = model_.dag().one();
  if (leaves_loop(s.body)) writer_.loop(writer_.new_local("once", ir::ScalarType::integer), one, one, one, s.span, trips);
  else trips();
  return done;
}

Outcome<Done> StatementWriter::loop_while(const ast::Statement& s) {
  forget_values();
  bool outer = std::exchange(writer_.can_write_out, false);
  auto done = write_while(s);
  writer_.can_write_out = outer;
  forget_values();
  return done;
}

Outcome<Done> StatementWriter::write_while(const ast::Statement& s) {
  auto condition = typer_.boolean_condition(*s.value);
  if (!condition) return condition.failure();
  ir::Statement out{ir::StatementKind::loop_while, s.span};
  out.body = ir::BlockId(std::size_t{writer_.new_block()});
  std::uint32_t outside = writer_.enter(out.body.value);
  Scalar value = lowering_.scalar(*condition);
  if (value.failed()) {
    writer_.enter(outside);
    return value.failure();
  }
  if (writer_.empty(out.body.value)) {
    out.value = lowering_.expression(value);
  } else {  // the condition takes statements: while true, leave when it does not hold
    out.value = model_.dag().one();
    ir::Statement leave{ir::StatementKind::branch, s.span};
    leave.value = model_.dag().make(ir::Op::logical_not, lowering_.expression(value));
    leave.body = ir::BlockId(std::size_t{writer_.new_block()});
    std::uint32_t body = writer_.enter(leave.body.value);
    writer_.push({ir::StatementKind::exit_loop, s.span});
    writer_.enter(body);
    writer_.push(std::move(leave));
  }
  auto done = statements(s.body);
  writer_.enter(outside);
  writer_.push(std::move(out));
  return done;
}

}  // namespace bolza::flatten
