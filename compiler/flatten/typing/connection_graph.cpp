// SPDX-License-Identifier: Apache-2.0
#include "compiler/flatten/typing/connection_graph_internal.h"

#include <algorithm>
#include <deque>

#include "base/union_find.h"
#include "compiler/flatten/nodes/codes.h"
#include "compiler/flatten/nodes/space_internal.h"
#include "compiler/flatten/typing/connect_equations_internal.h"
#include "compiler/flatten/typing/typer_internal.h"
#include "compiler/instance/overconstrained.h"

namespace bolza::flatten {

bool is_overconstrained(Model& model, const Instance& component) {
  auto key = std::make_pair(component.declaration, component.definition);
  auto [at, is_new] = model.overconstrained_types.try_emplace(key, false);
  if (is_new) at->second = instance::is_overconstrained(model.tree, component);
  return at->second;
}

bool has_overconstrained(Model& model, const Instance& component) {
  auto known = model.overconstrained.find(&component);
  if (known != model.overconstrained.end()) return known->second;
  bool found = is_overconstrained(model, component) ||
               std::any_of(component.children.begin(), component.children.end(),
                           [&](const Instance* child) { return has_overconstrained(model, *child); });
  model.overconstrained.emplace(&component, found);
  return found;
}

namespace {

/// The nodes that a place is, per instance.
Outcome<std::vector<std::vector<ConnectionGraph::Key>>> keys_of(Model& model, Work& work, const Node& place) {
  auto elements = elements_of(model, work, place);
  if (!elements) return elements.failure();
  std::vector<std::vector<ConnectionGraph::Key>> keys(work.space.n);
  for (const auto& element : *elements)
    for (std::size_t i = 0; i < keys.size(); ++i) {
      ConnectionGraph::Key key = element[i];
      key.second.resize(key.second.size() - key.first->rank());
      if (keys[i].empty() || keys[i].back() != key) keys[i].push_back(std::move(key));
    }
  return keys;
}

class GraphBuilder {
 public:
  GraphBuilder(Model& model, ConnectionGraph& graph) : model_(model), graph_(graph) {}

  void run() {
    std::size_t errors = model_.diagnostics.errors();
    for_each_connection(model_, [&](const ast::Equation& equation, const Context& context) {
      for_each_part(context.space, [&](Work& work) -> Outcome<Done> {
        Typer typer = typer_in(model_, work, context);
        return equation.kind == ast::EquationKind::connect ? connection(typer, equation) : call(typer, equation);
      });
    });
    grow_trees();
    if (model_.diagnostics.errors() == errors) check_roots();
    measure();
    graph_.complete = true;
  }

 private:
  struct Edge {
    std::uint32_t from = 0, to = 0;
    const ast::Equation* equation = nullptr;
  };
  struct Candidate {
    std::uint32_t node = 0;
    std::int64_t priority = 0;
    Span span;
  };

  std::uint32_t node(const ConnectionGraph::Key& key, Span span) {
    auto [at, is_new] = graph_.node_of.emplace(key, static_cast<std::uint32_t>(spans_.size()));
    if (is_new) {
      spans_.push_back(span);
      graph_.branch_to.push_back(ConnectionGraph::none);
    }
    return at->second;
  }

  // ------------------------------------------------------------ reading

  /// A component that is there; null, perhaps with a message of its own, for everything else.
  const Instance* component(Typer& typer, const ast::Expr& expr, instance::Resolved& resolved) {
    if (expr.kind != ast::ExprKind::name) return nullptr;
    auto found = instance::lookup(model_.tree, typer.scope, *expr.reference, model_.diagnostics);
    if (!found || found->kind != instance::ResolvedKind::component || found->removed) return nullptr;
    resolved = std::move(*found);
    return &resolved.component();
  }

  Outcome<Done> connection(Typer& typer, const ast::Equation& equation) {
    instance::Resolved a, b;
    const Instance *left = component(typer, *equation.left, a), *right = component(typer, *equation.right, b);
    if (left == nullptr || right == nullptr || !has_overconstrained(model_, *left)) return Done{};
    auto of_left = typer.place(a, equation.left->span), of_right = of_left ? typer.place(b, equation.right->span) : of_left;
    if (!of_right) return of_right.failure();
    return members(typer, equation, {of_left, left}, {of_right, right});
  }

  using Part = std::pair<const Node*, const Instance*>;

  Outcome<Done> members(Typer& typer, const ast::Equation& equation, Part a, Part b) {
    if (!has_overconstrained(model_, *a.second)) return Done{};
    if (is_overconstrained(model_, *a.second)) {
      auto from = keys_of(model_, typer.work, *a.first), to = from ? keys_of(model_, typer.work, *b.first) : from;
      if (!to) return to.failure();
      for (std::size_t i = 0; i < from->size(); ++i)
        for (std::size_t k = 0; k < std::min((*from)[i].size(), (*to)[i].size()); ++k)
          connections_.push_back({node((*from)[i][k], equation.span), node((*to)[i][k], equation.span), &equation});
      return Done{};
    }
    for (const Instance* child : a.second->children) {
      const Instance* other = b.second->child(child->name);
      if (other == nullptr || child->removed || other->removed) continue;  // said where the connection is made
      auto x = typer.member(a.first, child->name, equation.span),
           y = x ? typer.member(b.first, child->name, equation.span) : x;
      if (!y) return y.failure();
      if (auto done = members(typer, equation, {x, child}, {y, other}); !done) return done;
    }
    return Done{};
  }

  /// One node for every instance; nothing for components that are not there.
  Outcome<std::vector<std::uint32_t>> argument(Typer& typer, const ast::Expr& expr) {
    instance::Resolved resolved;
    const Instance* of = component(typer, expr, resolved);
    std::vector<std::uint32_t> nodes;
    if (of == nullptr) return nodes;
    if (!is_overconstrained(model_, *of)) return typer.wrong(not_overconstrained, expr.span, {instance::path_of(*of)});
    auto place = typer.place(resolved, expr.span);
    if (!place) return place.failure();
    auto keys = keys_of(model_, typer.work, *place);
    if (!keys) return keys.failure();
    for (const auto& key : *keys) {
      if (key.empty()) return nodes;  // an empty array
      if (key.size() != 1)
        return typer.wrong(expected_type, expr.span, {"one overconstrained component", "an array of such"});
      nodes.push_back(node(key[0], expr.span));
    }
    return nodes;
  }

  Outcome<Done> call(Typer& typer, const ast::Equation& equation) {
    const ast::Expr& call = *equation.left;
    std::string_view name = call.reference->parts.back().identifier;
    const auto& given = call.arguments->positional;
    bool branch = name == "branch", root = name == "root", potential = name == "potentialRoot";
    if (call.reference->parts.size() != 2 || (!branch && !root && !potential)) return Done{};  // said by the translator
    std::size_t least = branch ? 2 : 1, most = root ? 1 : 2, n = given.size() + call.arguments->named.size();
    if (given.size() < least || n > most)
      return typer.wrong(argument_count, call.span, {name, std::to_string(least), std::to_string(n)});
    auto first = argument(typer, *given[0]);
    if (!first) return first.failure();
    if (branch) return branches(typer, equation, *first);
    std::int64_t priority = 0;
    if (n == 2) {
      auto value = typer.expression(call.arguments->named.empty() ? *given[1] : *call.arguments->named[0].value);
      auto known = value ? typer.known_integer(value) : value.failure();
      if (!known) return known.failure();
      priority = *known;
    }
    for (std::uint32_t node : *first) (root ? roots_ : candidates_).push_back({node, priority, equation.span});
    return Done{};
  }

  Outcome<Done> branches(Typer& typer, const ast::Equation& equation, const std::vector<std::uint32_t>& from) {
    auto to = argument(typer, *equation.left->arguments->positional[1]);
    if (!to) return to.failure();
    for (std::size_t i = 0; i < std::min(from.size(), to->size()); ++i) branches_.push_back({from[i], (*to)[i], &equation});
    return Done{};
  }

  // ------------------------------------------------------------ trees

  void join(UnionFind& sets, const Edge& edge) {
    sets.unite(edge.from, edge.to);
    neighbours_[edge.from].push_back(edge.to);
    neighbours_[edge.to].push_back(edge.from);
  }

  void grow_trees() {
    auto n = static_cast<std::uint32_t>(spans_.size());
    graph_.is_root.assign(n, false);
    neighbours_.resize(n);
    UnionFind sets(n + 1);  // node n stands for all roots
    std::map<std::uint32_t, Span> root_of;
    for (const Edge& edge : branches_) {
      if (sets.find(edge.from) == sets.find(edge.to)) model_.diagnostics.error(branches_in_loop, edge.equation->span);
      else join(sets, edge);
      for (auto [from, to] : {std::make_pair(edge.from, edge.to), std::make_pair(edge.to, edge.from)})
        if (graph_.branch_to[from] == ConnectionGraph::none) graph_.branch_to[from] = to;
    }
    std::stable_sort(candidates_.begin(), candidates_.end(),
                     [](const Candidate& a, const Candidate& b) { return a.priority < b.priority; });
    for (const Candidate& root : roots_) {
      auto [other, is_first] = root_of.emplace(sets.find(root.node), root.span);
      if (!is_first && !graph_.is_root[root.node])
        model_.diagnostics.error(two_roots, root.span, {}, {{other->second, "the other one"}});
      graph_.is_root[root.node] = true;
    }
    for (const Candidate& root : roots_) sets.unite(root.node, n);
    for (const Edge& edge : connections_) {
      if (sets.find(edge.from) == sets.find(edge.to)) graph_.broken.emplace(edge.equation, edge.from, edge.to);
      else join(sets, edge);
    }
    for (const Candidate& candidate : candidates_) {
      if (sets.find(candidate.node) == sets.find(n)) continue;
      sets.unite(candidate.node, n);
      graph_.is_root[candidate.node] = true;
    }
    tree_of_ = std::move(sets);
  }

  /// One message for every tree without a root.
  void check_roots() {
    auto all = static_cast<std::uint32_t>(spans_.size());
    for (std::uint32_t k = 0; k < all; ++k) {
      if (tree_of_.find(k) == tree_of_.find(all)) continue;
      model_.diagnostics.error(no_root, spans_[k], {instance::path_of(*key_of_node(k).first)});
      tree_of_.unite(k, all);
    }
  }

  const ConnectionGraph::Key& key_of_node(std::uint32_t node) const {
    return std::find_if(graph_.node_of.begin(), graph_.node_of.end(), [&](const auto& at) { return at.second == node; })
        ->first;
  }

  void measure() {
    graph_.distance.assign(spans_.size(), ConnectionGraph::none);
    std::deque<std::uint32_t> next;
    for (std::uint32_t k = 0; k < spans_.size(); ++k)
      if (graph_.is_root[k]) {
        graph_.distance[k] = 0;
        next.push_back(k);
      }
    for (; !next.empty(); next.pop_front())
      for (std::uint32_t other : neighbours_[next.front()])
        if (graph_.distance[other] == ConnectionGraph::none) {
          graph_.distance[other] = graph_.distance[next.front()] + 1;
          next.push_back(other);
        }
  }

  Model& model_;
  ConnectionGraph& graph_;
  std::vector<Edge> branches_, connections_;
  std::vector<Candidate> roots_, candidates_;
  std::vector<Span> spans_;  ///< [nodes] where each was first named
  std::vector<std::vector<std::uint32_t>> neighbours_;
  UnionFind tree_of_;  ///< of the nodes, and of one more for all roots
};

}  // namespace

const ConnectionGraph& connection_graph(Model& model) {
  if (!model.graph) {
    model.graph = std::make_unique<ConnectionGraph>();
    GraphBuilder(model, *model.graph).run();
  }
  return *model.graph;
}

Outcome<std::vector<std::vector<std::uint32_t>>> graph_nodes(Model& model, Work& work, const ConnectionGraph& graph,
                                                             const Node& place) {
  auto keys = keys_of(model, work, place);
  if (!keys) return keys.failure();
  std::vector<std::vector<std::uint32_t>> nodes(keys->size());
  for (std::size_t i = 0; i < nodes.size(); ++i)
    for (const ConnectionGraph::Key& key : (*keys)[i]) {
      auto at = graph.node_of.find(key);
      nodes[i].push_back(at == graph.node_of.end() ? ConnectionGraph::none : at->second);
    }
  return nodes;
}

std::optional<Typed> Typer::graph_operator(std::string_view name, const ast::Expr& expr) {
  bool is_root = name == "Connections.isRoot", is_rooted = name == "Connections.rooted" || name == "rooted";
  if (!is_root && !is_rooted) return {};
  if (frame != nullptr) return wrong(not_in_function, expr.span);
  const auto& given = expr.arguments->positional;
  std::string_view short_name = expr.reference->parts.back().identifier;
  if (given.size() != 1 || !expr.arguments->named.empty())
    return wrong(argument_count, expr.span, {short_name, "1", std::to_string(given.size())});
  if (given[0]->kind != ast::ExprKind::name) return wrong(not_overconstrained, given[0]->span, {"an expression"});
  auto resolved = instance::lookup(model.tree, scope, *given[0]->reference, model.diagnostics);
  if (!resolved) return reported();
  if (resolved->kind != instance::ResolvedKind::component) return wrong(not_overconstrained, given[0]->span, {"a class"});
  if (resolved->removed) return nodes().number(0, Basic::boolean, expr.span);
  if (!is_overconstrained(model, resolved->component()))
    return wrong(not_overconstrained, given[0]->span, {instance::path_of(resolved->component())});
  const ConnectionGraph& graph = connection_graph(model);
  if (!graph.complete) return wrong(graph_needs_itself, expr.span, {short_name});
  auto of = place(*resolved, given[0]->span);
  auto all = of ? graph_nodes(model, work, graph, *of) : of.failure();
  if (!all) return all.failure();
  std::vector<double> values;
  for (const auto& at : *all) {
    if (at.size() > 1) return wrong(expected_type, given[0]->span, {"one overconstrained component", "an array of such"});
    std::uint32_t node = at.empty() ? ConnectionGraph::none : at[0],
                  other = node == ConnectionGraph::none ? node : graph.branch_to[node];
    if (is_rooted && !at.empty() && other == ConnectionGraph::none)
      return wrong(not_in_branch, expr.span, {instance::path_of(*of->instance)});
    bool holds =
        node != ConnectionGraph::none && (is_root ? graph.is_root[node] : graph.distance[node] < graph.distance[other]);
    values.push_back(holds ? 1 : 0);
  }
  auto value = work.uniform(Known(std::move(values)));
  if (!value) return value.failure();
  return nodes().number(*value, Basic::boolean, expr.span);
}

}  // namespace bolza::flatten
