// SPDX-License-Identifier: Apache-2.0
// Which equations belong together [MLS, 16.7.3, 16.7.4]: variables of a row do, except through operators of clocks.
#include "compiler/flatten/equations/clock_partitions_internal.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/union_find.h"
#include "compiler/flatten/nodes/clock_codes.h"

namespace bolza::flatten {

std::uint32_t owner_of(std::uint32_t id) {
  if ((id & provisional::kind) == provisional::derivative) return id & ~provisional::kind;
  return id & ~provisional::previous;
}

std::uint32_t ClockPartitions::of(std::uint32_t id) const {
  auto at = of_variable.find(owner_of(id));
  return at == of_variable.end() ? none : at->second;
}

std::vector<std::uint32_t> clock_variables(const Model& model) {
  std::vector<std::uint32_t> out;
  for (const auto& [component, first] : model.first_id)
    if (component->type == instance::Type::clock)
      for (std::uint32_t e = 0; e < ir::variable_of(model.flat, ir::VariableId(std::size_t{first})).size; ++e)
        out.push_back(first + e);
  for (const AuxiliaryRun& run : model.auxiliaries)
    if (run.stem == "$clock")
      for (std::uint32_t e = 0; e < run.size; ++e) out.push_back(provisional::auxiliary | (run.first + e));
  std::sort(out.begin(), out.end());
  return out;
}

bool is_constructor(ClockOperator op) {
  return op == ClockOperator::rational || op == ClockOperator::counted || op == ClockOperator::real ||
         op == ClockOperator::paced || op == ClockOperator::event;
}

bool is_conversion(ClockOperator op) {
  return (op >= ClockOperator::sub_sample && op <= ClockOperator::no_clock) || op == ClockOperator::solver;
}

const char* name_of(ClockOperator op) {
  switch (op) {
    case ClockOperator::sample:
      return "sample";
    case ClockOperator::hold:
      return "hold";
    case ClockOperator::previous:
      return "previous";
    case ClockOperator::sub_sample:
      return "subSample";
    case ClockOperator::super_sample:
      return "superSample";
    case ClockOperator::shift_sample:
      return "shiftSample";
    case ClockOperator::back_sample:
      return "backSample";
    case ClockOperator::no_clock:
      return "noClock";
    case ClockOperator::interval:
      return "interval";
    case ClockOperator::first_tick:
      return "firstTick";
    case ClockOperator::tick:
      return "when";
    default:
      return "Clock";
  }
}

namespace {

class Partitioning {
 public:
  explicit Partitioning(Model& model) : model_(model) {}

  ClockPartitions run() {
    find_kinds();
    find_used();
    connect();
    number();
    for (std::size_t k = 0; k < model_.clock_uses.size(); ++k)
      if (out_.used[k]) describe(k);
    for (std::uint32_t clock : clock_variables(model_)) {
      marks_[out_.of(clock)].has_clock = true;
      marks_[out_.of(clock)].clocked.push_back(*node_of(clock));
    }
    describe_rows();
    for (std::uint32_t p = 0; p < out_.partitions.size(); ++p) check(p);
    find_bases();
    return std::move(out_);
  }

 private:
  // ------------------------------------------------------------ nodes: variables, then rows

  void find_kinds() {
    auxiliary_kind_.resize(model_.n_auxiliary);
    for (const AuxiliaryRun& run : model_.auxiliaries)
      for (std::uint32_t e = 0; e < run.size; ++e) auxiliary_kind_[run.first + e] = run.kind;
    kind_.resize(model_.flat.n_scalars);
    for (const ir::Variable& v : model_.flat.variables)
      for (std::uint32_t e = 0; e < v.size; ++e) kind_[v.first.value + e] = v.kind;
    for (const Instance* parameter : model_.set_at_start) {
      auto first = model_.first_id.find(parameter);
      if (first == model_.first_id.end()) continue;
      const ir::Variable& v = ir::variable_of(model_.flat, ir::VariableId(std::size_t{first->second}));
      for (std::uint32_t e = 0; e < v.size; ++e) kind_[first->second + e] = ir::VariableKind::parameter;
    }
  }

  /// The node of a variable that has or could have a clock.
  std::optional<std::uint32_t> node_of(std::uint32_t id) const {
    std::uint32_t own = owner_of(id);
    if ((own & provisional::kind) == provisional::timed) return {};
    bool auxiliary = (own & provisional::kind) == provisional::auxiliary;
    std::uint32_t at = own & ~provisional::kind;
    ir::VariableKind kind = auxiliary ? auxiliary_kind_[at] : kind_[at];
    if (kind != ir::VariableKind::unknown && kind != ir::VariableKind::discrete && kind != ir::VariableKind::input &&
        kind != ir::VariableKind::delayed)
      return {};
    return auxiliary ? model_.flat.n_scalars + at : at;
  }
  std::uint32_t variables() const { return model_.flat.n_scalars + model_.n_auxiliary; }
  std::uint32_t id_of(std::uint32_t node) const {
    return node < model_.flat.n_scalars ? node : provisional::auxiliary | (node - model_.flat.n_scalars);
  }

  template <class Visit>
  void for_each_entry(const ir::Section& section, Visit visit) const {
    for (const ir::Group& group : section.groups)
      for (std::size_t i = 0; i < group.n; ++i)
        for (const auto& rows : group.rows)
          for (const ir::Column& column : group.slots) visit(rows[i].value, column[i].value, group, i);
  }
  template <class Visit>
  void for_each_entry(Visit visit) const {
    std::uint32_t first = variables();
    for (const ir::Section* section : {&model_.flat.equations, &model_.flat.discrete_equations.section}) {
      for_each_entry(*section, [&](std::uint32_t row, std::uint32_t id, const ir::Group& group, std::size_t i) {
        visit(first + row, id, group, i);
      });
      first += section->n_rows;
    }
  }

  // ------------------------------------------------------------ which operators count

  void find_used() {
    std::set<std::uint32_t> read;
    auto add = [&](const std::optional<ir::Term>& term) {
      if (!term) return;
      for (ir::VariableId id : term->slots) read.insert(owner_of(id.value));
    };
    for_each_entry([&](std::uint32_t, std::uint32_t id, const ir::Group&, std::size_t) {
      if (id & provisional::kind) read.insert(owner_of(id));
    });
    for_each_entry(model_.flat.reinitialisations.section,
                   [&](std::uint32_t, std::uint32_t id, const ir::Group&, std::size_t) { read.insert(owner_of(id)); });
    for (const ir::Assertion& a : model_.flat.assertions) {
      add(a.condition);
      for (const ir::Term& value : a.values) add(value);
    }
    for (const ir::Termination& t : model_.flat.terminations) add(t.condition);
    for (const ir::Delay& delay : model_.flat.delays) add(delay.expression);
    out_.used.assign(model_.clock_uses.size(), false);
    for (std::size_t k = model_.clock_uses.size(); k-- > 0;) {
      const ClockUse& use = model_.clock_uses[k];
      if (!read.contains(use.result)) continue;
      out_.used[k] = true;
      add(use.operand);
      add(use.other);
    }
  }

  // ------------------------------------------------------------ what is connected

  void connect() {
    sets_ = UnionFind(variables() + model_.flat.equations.n_rows + model_.flat.discrete_equations.section.n_rows);
    for_each_entry([&](std::uint32_t row, std::uint32_t id, const ir::Group&, std::size_t) {
      if (auto node = node_of(id)) sets_.unite(row, *node);
    });
    const ir::Reinitialisations& set = model_.flat.reinitialisations;
    for_each_entry(set.section, [&](std::uint32_t row, std::uint32_t id, const ir::Group&, std::size_t) {
      auto state = node_of(set.states[row].value), other = node_of(id);
      if (state && other) sets_.unite(*state, *other);
    });
    for (const ir::Delay& delay : model_.flat.delays) unite(*node_of(delay.variable.value), delay.expression);
    for (std::size_t k = 0; k < model_.clock_uses.size(); ++k) {
      const ClockUse& use = model_.clock_uses[k];
      if (!out_.used[k]) continue;
      std::uint32_t result = *node_of(use.result);
      if (use.op == ClockOperator::sample && use.other) unite(result, *use.other);
      if (!use.operand) continue;
      bool same = use.op == ClockOperator::previous || use.op == ClockOperator::interval ||
                  use.op == ClockOperator::first_tick || use.op == ClockOperator::tick || use.op == ClockOperator::counted ||
                  use.op == ClockOperator::paced;
      if (same) unite(result, *use.operand);
      else if (is_conversion(use.op) && operand(use)) unite(*operand(use), *use.operand);
    }
    for (const ir::Assertion& a : model_.flat.assertions) unite_results(a);
  }

  void unite(std::uint32_t node, const ir::Term& term) {
    for (ir::VariableId id : term.slots)
      if (auto other = node_of(id.value)) sets_.unite(node, *other);
  }

  /// What an assertion says of the clock is about that of its when-clause.
  void unite_results(const ir::Assertion& assertion) {
    std::optional<std::uint32_t> first;
    auto each = [&](const ir::Term& term) {
      for (ir::VariableId id : term.slots) {
        auto use = std::find_if(model_.clock_uses.begin(), model_.clock_uses.end(),
                                [&](const ClockUse& u) { return u.result == id.value && u.op != ClockOperator::hold; });
        if (use == model_.clock_uses.end()) continue;
        if (!first) first = node_of(id.value);
        sets_.unite(*first, *node_of(id.value));
      }
    };
    each(assertion.condition);
    for (const ir::Term& value : assertion.values) each(value);
  }

  /// The first variable of an operand.
  std::optional<std::uint32_t> operand(const ClockUse& use) const {
    if (!use.operand) return {};
    for (ir::VariableId id : use.operand->slots)
      if (auto node = node_of(id.value)) return node;
    return {};
  }

  void number() {
    std::vector<std::uint32_t> number(sets_.size(), ClockPartitions::none);
    auto of = [&](std::uint32_t node) {
      std::uint32_t& own = number[sets_.find(node)];
      if (own == ClockPartitions::none) {
        own = static_cast<std::uint32_t>(out_.partitions.size());
        out_.partitions.emplace_back();
      }
      return own;
    };
    for (std::uint32_t node = 0; node < variables(); ++node)
      if (node_of(id_of(node))) out_.of_variable.emplace(id_of(node), of(node));
    std::uint32_t first = variables(), n = model_.flat.equations.n_rows;
    for (std::uint32_t r = 0; r < n; ++r) out_.of_row.push_back(of(first + r));
    first += n;
    for (std::uint32_t r = 0; r < model_.flat.discrete_equations.section.n_rows; ++r)
      out_.of_discrete_row.push_back(of(first + r));
    marks_.resize(out_.partitions.size());
  }

  // ------------------------------------------------------------ what is clocked

  struct Marks {
    std::optional<std::size_t> given;       ///< a use that gives it a clock, or values of a clock
    bool has_clock = false;                 ///< a variable of type Clock
    std::optional<std::size_t> asked;       ///< a use that asks for its clock
    std::vector<std::uint32_t> clocked;     ///< nodes that have a clock
    std::vector<std::uint32_t> continuous;  ///< nodes that have none
  };

  void describe(std::size_t k) {
    const ClockUse& use = model_.clock_uses[k];
    std::uint32_t result = *node_of(use.result), own = out_.of(use.result);
    if (use.op == ClockOperator::hold) marks_[own].continuous.push_back(result);
    else {
      bool gives = use.op == ClockOperator::sample || is_constructor(use.op) || is_conversion(use.op) ||
                   use.op == ClockOperator::inferred;
      auto& first = gives ? marks_[own].given : marks_[own].asked;
      if (!first) first = k;
      marks_[own].clocked.push_back(result);
    }
    if (is_constructor(use.op)) out_.partitions[own].clocks.push_back(k);
    if (use.op == ClockOperator::solver && !use.method.empty()) out_.partitions[own].solvers.push_back(k);
    if (!use.operand) return;
    for (ir::VariableId id : use.operand->slots) {
      auto node = node_of(id.value);
      if (!node) continue;
      Marks& marks = marks_[out_.of(id.value)];
      if (use.op == ClockOperator::sample || use.op == ClockOperator::event) marks.continuous.push_back(*node);
      else if ((use.op == ClockOperator::hold || is_conversion(use.op)) && !marks.asked) marks.asked = k;
    }
  }

  void describe_rows() {
    for_each_entry([&](std::uint32_t row, std::uint32_t id, const ir::Group&, std::size_t) {
      if ((id & provisional::kind) != provisional::derivative) return;
      ClockPartition& p = out_.partitions[out_.of(owner_of(id))];
      p.differentiates = true;
      p.states.push_back(owner_of(id));
      (void)row;
    });
    for (ClockPartition& p : out_.partitions) {
      std::sort(p.states.begin(), p.states.end());
      p.states.erase(std::unique(p.states.begin(), p.states.end()), p.states.end());
    }
  }

  void check(std::uint32_t p) {
    const Marks& marks = marks_[p];
    if (!marks.given && !marks.asked && !marks.has_clock) return;
    out_.partitions[p].clocked = true;
    bool continuous = !marks.continuous.empty() || out_.partitions[p].differentiates;
    if (!marks.given && !marks.has_clock && continuous) {
      const ClockUse& use = model_.clock_uses[*marks.asked];
      auto node = operand(use);
      std::string name = node && *node < model_.flat.n_scalars ? ir::name_of(model_.flat, ir::VariableId(std::size_t{*node}))
                                                               : "its operand";
      model_.diagnostics.error(not_clocked, use.span, {name_of(use.op), name});
    } else if (!marks.continuous.empty()) {
      explain(marks);
    }
  }

  // ------------------------------------------------------------ both at once

  /// The shortest way from what is clocked to what is continuous, over variables and rows.
  std::vector<std::uint32_t> way(const Marks& marks) const {
    std::map<std::uint32_t, std::vector<std::uint32_t>> next;
    for_each_entry([&](std::uint32_t row, std::uint32_t id, const ir::Group&, std::size_t) {
      auto node = node_of(id);
      if (!node) return;
      next[row].push_back(*node);
      next[*node].push_back(row);
    });
    std::map<std::uint32_t, std::uint32_t> before;
    std::vector<std::uint32_t> queue = marks.clocked;
    for (std::uint32_t node : queue) before.emplace(node, node);
    for (std::size_t k = 0; k < queue.size(); ++k) {
      std::uint32_t node = queue[k];
      if (std::find(marks.continuous.begin(), marks.continuous.end(), node) != marks.continuous.end()) {
        std::vector<std::uint32_t> found{node};
        while (before.at(found.back()) != found.back()) found.push_back(before.at(found.back()));
        return {found.rbegin(), found.rend()};
      }
      for (std::uint32_t other : next[node])
        if (before.emplace(other, node).second) queue.push_back(other);
    }
    return {};
  }

  std::string text_of(std::uint32_t node) const {
    if (node < model_.flat.n_scalars) return ir::name_of(model_.flat, ir::VariableId(std::size_t{node}));
    for (const ClockUse& use : model_.clock_uses)
      if (use.result == id_of(node)) return std::string(name_of(use.op)) + "(…)";
    return "an expression";
  }

  Span span_of_row(std::uint32_t row) const {
    Span span;
    for_each_entry([&](std::uint32_t r, std::uint32_t, const ir::Group& group, std::size_t i) {
      if (r == row) span = model_.flat.origins[group.origins[i]].span;
    });
    return span;
  }

  void explain(const Marks& marks) {
    std::vector<std::uint32_t> nodes = way(marks);
    if (nodes.size() < 2) {  // one variable is both, as in sample(sample(x))
      auto use = marks.given ? marks.given : marks.asked;
      std::string name = nodes.empty() ? "it" : text_of(nodes[0]);
      Span span = use ? model_.clock_uses[*use].span : model_.flat.span;
      model_.diagnostics.error(clocked_and_continuous, span, {name, name});
      return;
    }
    std::size_t row = nodes.size() > 3 ? 3 : 1;
    model_.diagnostics.error(clocked_and_continuous, span_of_row(nodes[row]),
                             {text_of(nodes[row - 1]), text_of(nodes[row + 1])});
  }

  // ------------------------------------------------------------ base clocks

  void find_bases() {
    UnionFind bases(out_.partitions.size());
    std::vector<ClockLink> links;
    for (std::size_t k = 0; k < model_.clock_uses.size(); ++k) {
      const ClockUse& use = model_.clock_uses[k];
      if (!out_.used[k] || !is_conversion(use.op)) continue;
      auto node = operand(use);
      if (!node) continue;
      links.push_back({out_.of(id_of(*node)), out_.of(use.result), k});
      bases.unite(links.back().from, links.back().to);
    }
    std::map<std::uint32_t, std::uint32_t> number;
    for (std::uint32_t p = 0; p < out_.partitions.size(); ++p) {
      if (!out_.partitions[p].clocked) continue;
      auto [at, is_new] = number.emplace(bases.find(p), static_cast<std::uint32_t>(out_.bases.size()));
      if (is_new) out_.bases.emplace_back();
      out_.partitions[p].base = at->second;
      out_.bases[at->second].partitions.push_back(p);
    }
    for (const ClockLink& link : links)
      if (out_.partitions[link.to].clocked) out_.bases[out_.partitions[link.to].base].links.push_back(link);
  }

  Model& model_;
  ClockPartitions out_;
  UnionFind sets_{0};
  std::vector<ir::VariableKind> kind_, auxiliary_kind_;
  std::vector<Marks> marks_;
};

}  // namespace

ClockPartitions find_clock_partitions(Model& model) { return Partitioning(model).run(); }

}  // namespace bolza::flatten
