// SPDX-License-Identifier: Apache-2.0
#include "compiler/flatten/nodes/node_internal.h"
#include "compiler/flatten/nodes/run_time_sizes_internal.h"

#include <algorithm>

#include "base/bit_order.h"
#include "base/expects.h"
#include "compiler/flatten/nodes/lower_internal.h"
#include "compiler/flatten/nodes/space_internal.h"

namespace bolza::flatten {
namespace {

/// Level and flags are those of the parts.
void join(Node& node, const Node* part) {
  if (part == nullptr) return;
  node.level = std::max(node.level, part->level);
  node.has_sum |= part->has_sum;
  node.has_call |= part->has_call;
}

/// How the node changes when nothing in it makes events.
Level literal_level(const Node& node) {
  Level level = node.level;
  if (node.kind == NodeKind::apply || node.kind == NodeKind::select)
    for (const Node* child : node.children) level = std::max(level, literal_level(*child));
  return level;
}

void join_all(Node& node) {
  for (const Node* child : node.children) join(node, child);
  for (const Node* subscript : node.subscripts) join(node, subscript);
  if (node.kind != NodeKind::apply) return;
  if (node.op == ir::Op::no_event) node.level = literal_level(*node.children[0]);
  else if (cuts(node.op)) node.level = std::min(node.level, Level::discrete);
}

}  // namespace

bool cuts(ir::Op op) {
  bool relation = op >= ir::Op::less && op <= ir::Op::not_equal;
  return relation || op == ir::Op::floor || op == ir::Op::ceil || op == ir::Op::quotient;
}

std::int64_t size_of(const std::vector<std::int64_t>& dims) {
  std::int64_t size = 1;
  for (std::int64_t d : dims) {
    if (d == 0) return 0;
    if (is_run_time_size(d)) return most_elements + 1;
    size = d > most_elements ? most_elements + 1 : std::min(size * d, most_elements + 1);
  }
  return size;
}

bool is_numeric(Basic basic) { return basic == Basic::real || basic == Basic::integer; }

bool same_place(const Node& a, const Node& b) {
  if (a.kind != b.kind || a.instance != b.instance || bits_of(a.value) != bits_of(b.value) || a.axes != b.axes ||
      a.dims != b.dims || a.op != b.op || a.counts != b.counts || a.text != b.text ||
      a.children.size() != b.children.size() || a.subscripts.size() != b.subscripts.size())
    return false;
  auto same = [](const Node* x, const Node* y) { return x == y || (x != nullptr && y != nullptr && same_place(*x, *y)); };
  return std::equal(a.children.begin(), a.children.end(), b.children.begin(), same) &&
         std::equal(a.subscripts.begin(), a.subscripts.end(), b.subscripts.begin(), same) &&
         bits_of(a.numbers) == bits_of(b.numbers);
}

namespace {

std::size_t hash_to_depth(const Node* node, std::uint32_t depth) {
  if (node == nullptr) return 0;
  auto mix = [](std::size_t h, std::size_t more) { return (h ^ more) * 0x9E3779B97F4A7C15ull + (h >> 29); };
  std::size_t h = mix(static_cast<std::size_t>(node->kind), static_cast<std::size_t>(node->op));
  h = mix(mix(h, std::hash<const Instance*>()(node->instance)), bits_of(node->value));
  if (depth == 0) return h;
  for (const auto* list : {&node->children, &node->subscripts})
    for (const Node* child : *list) h = mix(h, hash_to_depth(child, depth - 1));
  return h;
}

}  // namespace

std::size_t hash_of_place(const Node& node) { return hash_to_depth(&node, 3); }

bool makes_events(const Node& node) {
  if (node.kind == NodeKind::call && node.call != nullptr)
    for (const Call::Argument& argument : node.call->arguments)
      if (makes_events(*argument.value)) return true;
  if (node.kind == NodeKind::apply && node.op == ir::Op::no_event) return false;
  bool own = node.kind == NodeKind::apply && (cuts(node.op) || node.op == ir::Op::mod || node.op == ir::Op::rem);
  if (own && node.level > Level::parameter) return true;
  return std::any_of(node.children.begin(), node.children.end(),
                     [](const Node* child) { return child != nullptr && makes_events(*child); });
}

std::string dims_text(const std::vector<std::int64_t>& dims) {
  if (dims.empty()) return "scalar";
  std::string text = "[";
  for (std::size_t d = 0; d < dims.size(); ++d)
    text += (d ? ", " : "") + (is_run_time_size(dims[d]) ? "known at run time" : std::to_string(dims[d]));
  return text + "]";
}

std::string type_text(const Node& node) {
  std::string text;
  switch (node.basic) {
    case Basic::real:
      text = "Real";
      break;
    case Basic::integer:
      text = "Integer";
      break;
    case Basic::boolean:
      text = "Boolean";
      break;
    case Basic::string:
      text = "String";
      break;
    case Basic::clock:
      text = "Clock";
      break;
    case Basic::enumeration:
      text = node.definition ? instance::full_name(*node.definition) : "enumeration";
      break;
    case Basic::record:
      text = node.instance && node.instance->definition ? instance::full_name(*node.instance->definition) : "record";
      break;
  }
  return node.dims.empty() ? text : text + dims_text(node.dims);
}

std::vector<std::int64_t> indices_at(const std::vector<std::int64_t>& dims, std::int64_t position) {
  std::vector<std::int64_t> indices(dims.size());
  for (std::size_t d = dims.size(); d-- > 0;) {
    indices[d] = position % dims[d] + 1;
    position /= dims[d];
  }
  return indices;
}

const Node* Nodes::add(Node node) {
  bool is_auxiliary = node.kind == NodeKind::auxiliary, is_number = is_auxiliary && node.axes.empty();
  bool discrete =
      is_auxiliary || node.kind == NodeKind::previous || node.kind == NodeKind::sample || node.kind == NodeKind::flag;
  if (node.kind == NodeKind::timed || node.kind == NodeKind::extremum || node.kind == NodeKind::integral || is_number)
    node.level = Level::timed;
  else if (node.kind == NodeKind::delayed || node.kind == NodeKind::transported) node.level = Level::continuous;
  else if (node.kind == NodeKind::clocked) node.level = node.basic == Basic::real ? Level::continuous : Level::discrete;
  else if (discrete) node.level = Level::discrete;
  else join_all(node);
  nodes.push_back(std::move(node));
  return &nodes.back();
}

const Node* Nodes::number(double value, Basic basic, Span span) {
  Node node;
  node.basic = basic;
  node.value = value;
  node.span = span;
  return add(std::move(node));
}

const Node* Nodes::axis(AxisId axis, Span span, Basic basic) {
  Node node;
  node.kind = NodeKind::axis;
  node.basic = basic;
  node.axes = {axis};
  node.span = span;
  return add(std::move(node));
}

const Node* Nodes::integral(const Node* integrand, Span span) {
  Node node;
  node.kind = NodeKind::integral;
  node.basic = Basic::real;
  node.children = {integrand};
  node.span = span;
  return add(std::move(node));
}

const Node* Nodes::previous(const Node* place, Span span) {
  Node node;
  node.kind = NodeKind::previous;
  node.basic = place->basic;
  node.definition = place->definition;
  node.dims = place->dims;
  node.children = {place};
  node.span = span;
  return add(std::move(node));
}

const Node* Nodes::timed(const Node* place, const Node* time, Span span) {
  Node node;
  node.kind = NodeKind::timed;
  node.basic = place->basic;
  node.dims = place->dims;
  node.children = {place, time};
  node.span = span;
  return add(std::move(node));
}

const Node* Nodes::flag(Flag flag, Span span) {
  Node node;
  node.kind = NodeKind::flag;
  node.basic = flag == Flag::homotopy ? Basic::real : Basic::boolean;
  node.value = static_cast<double>(flag);
  node.span = span;
  return add(std::move(node));
}

const Node* Nodes::time_of_event(Span span) {
  Node node;
  node.kind = NodeKind::variable;
  node.level = Level::discrete;
  node.span = span;
  return add(std::move(node));
}

const Node* Nodes::table(std::vector<double> numbers, std::vector<std::int64_t> dims, Basic basic, Span span) {
  if (dims.empty()) return number(numbers.at(0), basic, span);
  Node node;
  node.kind = NodeKind::table;
  node.basic = basic;
  node.numbers = std::move(numbers);
  node.dims = std::move(dims);
  node.span = span;
  return add(std::move(node));
}

const Node* Nodes::apply(ir::Op op, std::vector<const Node*> children, Basic basic, Span span) {
  Node node;
  node.kind = NodeKind::apply;
  node.op = op;
  node.basic = basic;
  node.span = span;
  for (const Node* child : children)
    if (!child->dims.empty()) node.dims = child->dims;
  node.children = std::move(children);
  return add(std::move(node));
}

const Node* Nodes::index(const Node* base, std::vector<const Node*> subscripts, Span span) {
  expects(subscripts.size() <= base->dims.size(), "no more subscripts than dimensions");
  while (!subscripts.empty() && subscripts.back() == nullptr) subscripts.pop_back();
  if (subscripts.empty()) return base;
  Node node;
  node.kind = NodeKind::index;
  node.basic = base->basic;
  node.definition = base->definition;
  node.instance = base->instance;
  node.span = span;
  for (std::size_t d = 0; d < base->dims.size(); ++d) {
    if (d >= subscripts.size() || subscripts[d] == nullptr) node.dims.push_back(base->dims[d]);
    else node.dims.insert(node.dims.end(), subscripts[d]->dims.begin(), subscripts[d]->dims.end());
  }
  node.children = {base};
  node.subscripts = std::move(subscripts);
  return add(std::move(node));
}

const Node* Nodes::comprehension(const Node* body, std::vector<AxisId> axes, std::vector<const Node*> ranges,
                                 const std::vector<std::int64_t>& sizes, Span span) {
  Node node;
  node.kind = NodeKind::comprehension;
  node.basic = body->basic;
  node.definition = body->definition;
  node.instance = body->instance;
  node.span = span;
  node.dims = sizes;
  node.dims.insert(node.dims.end(), body->dims.begin(), body->dims.end());
  node.children = {body};
  node.children.insert(node.children.end(), ranges.begin(), ranges.end());
  node.axes = std::move(axes);
  return add(std::move(node));
}

const Node* Nodes::reduce(ir::Op op, const Node* body, std::vector<AxisId> axes, std::vector<const Node*> ranges,
                          std::vector<std::int64_t> sizes, Span span) {
  expects(body->dims.empty(), "what is summed is scalar");
  Node node;
  node.kind = NodeKind::reduce;
  node.op = op;
  node.basic = body->basic;
  node.definition = body->definition;
  node.span = span;
  node.children = {body};
  node.children.insert(node.children.end(), ranges.begin(), ranges.end());
  node.axes = std::move(axes);
  node.has_sum = op == ir::Op::add && size_of(sizes) > longest_written_sum;
  node.counts = std::move(sizes);
  return add(std::move(node));
}

const Node* Nodes::choose(NodeKind kind, const Node* condition, const Node* yes, const Node* no, Span span) {
  Node node;
  node.kind = kind;
  node.basic = yes->basic == Basic::integer ? no->basic : yes->basic;
  node.definition = yes->definition;
  node.instance = yes->instance;
  node.span = span;
  node.dims = yes->dims;
  node.children = {condition, yes, no};
  return add(std::move(node));
}

const Node* Nodes::array(std::vector<const Node*> elements, Span span) {
  expects(!elements.empty(), "an array constructor has elements");
  bool literal = true, real = false;
  for (const Node* e : elements) {
    literal &= (e->kind == NodeKind::number || e->kind == NodeKind::table) && e->basic != Basic::record;
    real |= e->basic == Basic::real;
  }
  std::vector<std::int64_t> dims{static_cast<std::int64_t>(elements.size())};
  dims.insert(dims.end(), elements[0]->dims.begin(), elements[0]->dims.end());
  Node node;
  node.kind = literal ? NodeKind::table : NodeKind::array;
  node.basic = real ? Basic::real : elements[0]->basic;
  node.definition = elements[0]->definition;
  node.instance = elements[0]->instance;
  node.span = span;
  node.dims = std::move(dims);
  if (!literal) {
    node.children = std::move(elements);
    return add(std::move(node));
  }
  for (const Node* e : elements) {
    if (e->kind == NodeKind::table) node.numbers.insert(node.numbers.end(), e->numbers.begin(), e->numbers.end());
    else node.numbers.insert(node.numbers.end(), static_cast<std::size_t>(size_of(e->dims)), e->value);
  }
  return add(std::move(node));
}

const Node* Nodes::element(const Node* array, const std::vector<std::int64_t>& indices) {
  std::vector<const Node*> subscripts;
  for (std::int64_t i : indices) subscripts.push_back(number(static_cast<double>(i), Basic::integer, array->span));
  return index(array, std::move(subscripts), array->span);
}

const Node* row_of(Nodes& nodes, const Node* array, std::size_t k) {
  if (array->kind == NodeKind::array) return array->children[k];
  std::vector<const Node*> subscripts{nodes.number(static_cast<double>(k + 1), Basic::integer, array->span)};
  return nodes.index(array, std::move(subscripts), array->span);
}

const Node* both(Nodes& nodes, const Node* a, const Node* b) {
  if (a == nullptr || b == nullptr) return a ? a : b;
  return nodes.apply(ir::Op::logical_and, {a, b}, Basic::boolean, b->span);
}

}  // namespace bolza::flatten
