// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/simplify/eliminate_explicit.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "compiler/ir/substitute.h"
#include "compiler/passes/shapes/is_linear.h"
#include "compiler/passes/shapes/operation_counts.h"
#include "compiler/passes/structure/incidence.h"
#include "compiler/passes/system/add_rows.h"
#include "compiler/passes/system/parameter_values.h"

namespace bolza::passes {

namespace {

constexpr std::uint32_t always_inlined = 4;  ///< operations: cheaper than a variable of their own, however often used
/// Loops with more tearing variables are networks: factors of sparse rows are cheaper there than rows that grow together.
constexpr std::size_t network = 200, slots_in_network = 6;

class ExplicitElimination {
 public:
  explicit ExplicitElimination(System& system)
      : system_(system),
        composer_(system.dag()),
        linearity_(system.flat.expressions),
        counts_(system.dag()),
        values_(system),
        equations_(equations_of(system)) {}

  Result<Done> run() {
    count_uses();
    find_delayed();
    system_.solved.rate_sum.assign(system_.n(), false);
    for (RowId row : system_.schedule) solve(row.value);
    keep_residuals();
    for (std::size_t v = 0; v < system_.n(); ++v)  // aliases and literal discrete values of what has gone meanwhile
      if (system_.merged[v] || (system_.definitions[v] && system_.roles[v] == ScalarRole::discrete))
        system_.definitions[v] = with_definitions_in(*system_.definitions[v]);
    insert_definitions(system_, composer_);
    number_variables();
    make_rates();
    make_residuals();
    make_initial();
    system_.stage = SystemStage::solved;
    return Done{};
  }

 private:
  // ------------------------------------------------------------ uses

  struct Use {
    std::uint32_t count = 0;
    std::uint64_t operations = 0;  ///< of all expressions that contain the variable
  };

  void count(const Applied& a) {
    std::uint64_t operations = counts_.of(a.roots);
    total_operations_ += operations;
    for (VariableId v : a.slots) {
      ++uses_[v.index()].count;
      uses_[v.index()].operations += operations;
    }
  }

  void count_uses() {
    uses_.resize(system_.n());
    for (ir::Section* section : sections_of(system_.flat))
      for_each_instance(*section, [&](const GroupInstance& i) { count(i.applied); });
    if (system_.keeps_events())
      for (const ir::Term* term : terms_of(system_.flat)) count({{term->root}, term->slots, term->data});
    for (const EventValue& value : system_.event_values) {
      count(value.literal);
      for (const Applied& indicator : value.indicators) count(indicator);
    }
    for (std::size_t v = 0; v < system_.n(); ++v)  // a rate that is read at a point needs an expression or a variable
      if (system_.roles[v] == ScalarRole::timed) ++uses_[system_.owner[v].index()].count;
  }

  void find_delayed() {
    if (!reads_delays_linearly(system_)) return;
    for (const ir::Delay& delay : system_.flat.delays)
      if (!is_sought(system_, delay)) delayed_.insert(delay.expression.slots.begin(), delay.expression.slots.end());
  }

  // ------------------------------------------------------------ solving

  const GroupInstance& only_part(std::uint32_t row) const { return equations_.instances[equations_.parts[row][0]]; }

  void solve(std::uint32_t row) {
    const Treatment& treatment = system_.treatments[row];
    VariableId v = treatment.matched;
    bool derivative = system_.role(v) == ScalarRole::derivative;
    if (treatment.is_explicit) {
      Applied solved = folded(solved_for(only_part(row).applied, v));
      // of a value that a delay reads the past is needed, which its operands tell where it is linear in them
      bool is_read_whole = delayed_.contains(v) && !is_linear(system_, linearity_, solved);
      if (derivative || (!is_read_whole && stays_small(row, v, solved))) {
        define(v, std::move(solved), only_part(row).origin);
        if (treatment.loop != Matching::none) loop_of(row).assign(v, system_.definitions[v.index()]->slots);
        return;
      }
    } else if (system_.options.form == Form::explicit_rates && derivative && solve_sum(row, v)) {
      return;
    } else if (treatment.loop != Matching::none) {
      return solve_residual(row);
    }
    kept_rows_.emplace_back(v, row);
  }

  static std::uint32_t slot_of(const Applied& a, VariableId v) {
    return static_cast<std::uint32_t>(std::find(a.slots.begin(), a.slots.end(), v) - a.slots.begin());
  }

  /// −rest/coefficient over the other slots.
  Applied solved_for(const Applied& a, VariableId v) {
    auto [at, is_new] = solved_shapes_.try_emplace({a.root(), slot_of(a, v)});
    ir::CanonicalShape& shape = at->second;
    if (is_new) {
      const LinearParts parts = linearity_.solvable_parts(a.root(), slot_of(a, v));
      ir::Dag& dag = system_.dag();
      ExprId solved = quotient(dag, dag.neg(parts.rest), parts.coefficient);
      shape = ir::canonical_shape(dag, std::span(&solved, 1));
    }
    Applied solved{shape.roots, {}, {}};
    for (std::uint32_t slot : shape.slots) solved.slots.push_back(a.slots[slot]);
    for (const auto& source : shape.data) solved.data.push_back(source.is_literal ? source.literal : a.data[source.datum]);
    return with_definitions_in(solved);
  }

  // ------------------------------------------------------------ loops

  struct LoopWork {
    std::vector<VariableId> assigned;                       ///< with a definition
    std::map<VariableId, std::vector<std::size_t>> within;  ///< of which of these a definition has had the variable in it
    std::vector<VariableId> torn;                           ///< tearing variables
    std::map<VariableId, std::size_t> tears;                ///< those without a definition, by their place in `torn`
    std::vector<std::uint32_t> rows;                        ///< residuals that stay

    void assign(VariableId v, const std::vector<VariableId>& slots) {
      assigned.push_back(v);
      note(assigned.size() - 1, slots);
    }
    void note(std::size_t place, const std::vector<VariableId>& slots) {
      for (VariableId u : slots) within[u].push_back(place);
    }
  };

  LoopWork& loop_of(std::uint32_t row) {
    std::uint32_t number = system_.treatments[row].loop;
    auto [at, is_new] = loops_.try_emplace(number);
    if (is_new) {
      at->second.torn = system_.structure.loops[number].torn;
      for (VariableId v : at->second.torn) at->second.tears.emplace(v, at->second.tears.size());
    }
    return at->second;
  }

  /// A residual of a torn loop, with the loop's assignments inserted: where it is linear in a tearing variable that cannot
  /// cancel, that variable becomes explicit too, and the assignments get it inserted.
  void solve_residual(std::uint32_t row) {
    LoopWork& loop = loop_of(row);
    if (equations_.parts[row].size() == 1) {
      Applied inserted = with_definitions_in(only_part(row).applied);
      std::vector<std::pair<std::size_t, VariableId>> candidates;
      for (VariableId v : inserted.slots)
        if (auto at = loop.tears.find(v); at != loop.tears.end()) candidates.emplace_back(at->second, v);
      std::sort(candidates.begin(), candidates.end());
      for (auto [place, v] : candidates) {
        if (inserted.slots.size() > most_slots(row) || !is_linear_in(inserted, v)) continue;
        loop.tears.erase(v);
        define(v, folded(solved_for(inserted, v)), only_part(row).origin);
        insert_into_assigned(loop, v);
        loop.assign(v, system_.definitions[v.index()]->slots);
        return;
      }
    }
    loop.rows.push_back(row);
  }

  void insert_into_assigned(LoopWork& loop, VariableId v) {
    std::vector<std::size_t> places = std::move(loop.within[v]);
    loop.within.erase(v);
    std::sort(places.begin(), places.end());
    places.erase(std::unique(places.begin(), places.end()), places.end());
    for (std::size_t place : places) {
      std::optional<Applied>& definition = system_.definitions[loop.assigned[place].index()];
      definition = folded(with_definitions_in(*definition));
      loop.note(place, system_.definitions[v.index()]->slots);  // the others are noted already
    }
  }

  bool is_linear_in(const Applied& a, VariableId v) {
    std::uint32_t slot = slot_of(a, v);
    if (is_bounded(v) || slot == a.slots.size() || a.slots.size() > system_.options.inline_slots) return false;
    if (counts_.of(a.root()) > system_.options.inline_depth) return false;
    const LinearParts& parts = linearity_.solvable_parts(a.root(), slot);
    return parts.linear && cannot_cancel(parts.coefficient, a);
  }

  /// Is the coefficient away from zero by more than rounding? Sums of parameters may cancel. And does it keep its size when
  /// a switch moves?
  bool cannot_cancel(ExprId coefficient, const Applied& a) {
    constexpr double width = 1e-7;
    double sign = 0;
    for (int trial = 0; trial < 4; ++trial) {
      auto moved = [&](double value, std::size_t k) {
        return value * (1 + width * std::sin(1.0 + 2.3 * static_cast<double>(k) + 5.1 * trial));
      };
      std::vector<Interval> ranges;
      std::vector<double> data;
      for (VariableId v : a.slots) {
        Interval range = range_of(system_, v);
        ranges.push_back({moved(range.lower, ranges.size()), moved(range.upper, ranges.size())});
      }
      for (double number : a.data) data.push_back(moved(number, ranges.size() + data.size()));
      Interval range = range_of(system_.dag(), coefficient, ranges, data);
      double own = range.lower > 0 ? 1 : range.upper < 0 ? -1 : 0;
      if (own == 0 || (sign != 0 && own != sign) || !is_steady(range)) return false;
      sign = own;
    }
    return true;
  }

  void keep_residuals() {
    for (auto& [number, loop] : loops_) {
      std::erase_if(loop.torn, [&](VariableId v) { return !loop.tears.contains(v); });
      for (std::size_t k = 0; k < loop.rows.size(); ++k) kept_rows_.emplace_back(loop.torn[k], loop.rows[k]);
      system_.structure.loops[number].is_solved = loop.rows.empty();
    }
  }

  static ExprId quotient(ir::Dag& dag, ExprId a, ExprId by) { return dag.is_number(by, -1) ? dag.neg(a) : dag.div(a, by); }

  /// Σ a·v + b with numbers a, b in its shortest form: chains of proportional variables do not grow.
  Applied folded(Applied a) {
    std::size_t n = a.slots.size();
    if (n > 4 || counts_.of(a.root()) <= 2 * n + 1) return a;
    ir::Dag& dag = system_.dag();
    ExprId rest = a.root(), root;
    Applied result{{}, a.slots, {}};
    for (std::uint32_t k = 0; k <= n; ++k) {
      LinearParts parts{true, rest, {}};
      if (k < n) parts = linearity_.linear_parts(rest, k);
      if (!parts.linear || !ir::leaves_of(dag, std::span(&parts.coefficient, 1), ir::Op::slot).empty()) return a;
      double number = values_.of(parts.coefficient, {}, a.data);
      if (!std::isfinite(number)) return a;
      result.data.push_back(number);
      ExprId term = k < n ? dag.mul(dag.datum(k), dag.slot(k)) : dag.datum(k);
      root = root ? dag.add(root, term) : term;
      rest = parts.rest;
    }
    result.roots = {root};
    return composer_.canonical(result);
  }

  std::size_t most_slots(std::uint32_t row) const {
    std::uint32_t loop = system_.treatments[row].loop;
    bool large = loop != Matching::none && system_.structure.loops[loop].torn.size() > network;
    return large ? std::min<std::size_t>(slots_in_network, system_.options.inline_slots) : system_.options.inline_slots;
  }

  bool stays_small(std::uint32_t row, VariableId v, const Applied& solved) {
    if (solved.slots.size() > most_slots(row)) return false;
    const Applied& written = only_part(row).applied;
    std::uint64_t own = counts_.of(solved.root());
    if (own > always_inlined && is_bounded(v)) return false;
    if (own > system_.options.inline_depth && own > 2 * counts_.of(written.root())) return false;
    const Use& use = uses_[v.index()];
    if (own <= always_inlined || total_operations_ <= system_.options.fuse_limit)
      return true;                          // fused: computed once anyway
    std::uint64_t others = use.operations;  // contains the defining equation itself
    return others + own * (use.count - 1) <= system_.options.inline_growth * (others + own);
  }

  /// In an optimisation the bounds of what is inlined are rows: as many unknowns (slacks) as the variable itself, but they
  /// hide how far the bound is, and a row through many expressions is less linear than each of them.
  bool is_bounded(VariableId v) const {
    const ir::Numbers& numbers = system_.numbers[v.index()];
    return system_.flat.optimization && (std::isfinite(numbers.min) || std::isfinite(numbers.max));
  }

  void define(VariableId v, Applied solved, std::uint32_t origin) {
    system_.definitions[v.index()] = std::move(solved);
    system_.definition_origins[v.index()] = origin;
  }

  /// der(x) = Σ: every part goes to the rate by itself, when nothing else reads der(x).
  bool solve_sum(std::uint32_t row, VariableId v) {
    const auto& parts = equations_.parts[row];
    if (parts.size() < 2 || uses_[v.index()].count != 1) return false;
    for (std::uint32_t part : parts)
      if (equations_.instances[part].applied.roots.size() != 1) return false;
    double coefficient = 0;
    std::uint32_t own = 0;
    for (std::uint32_t part : parts) {
      const Applied& a = equations_.instances[part].applied;
      if (slot_of(a, v) == a.slots.size()) continue;
      const LinearParts& linear = linearity_.linear_parts(a.root(), slot_of(a, v));
      if (!linear.linear || !system_.dag().is_number(linear.coefficient)) return false;
      coefficient = system_.dag().value(linear.coefficient);
      own = part;
    }
    if (coefficient == 0) return false;
    ir::Dag& dag = system_.dag();
    for (std::uint32_t part : parts) {
      const GroupInstance& i = equations_.instances[part];
      ExprId rest = part == own ? linearity_.linear_parts(i.applied.root(), slot_of(i.applied, v)).rest : i.applied.root();
      if (dag.is_number(rest, 0)) continue;
      Applied rate{{dag.mul(dag.number(-1 / coefficient), rest)}, i.applied.slots, i.applied.data};
      sums_.push_back({system_.owner[v.index()], composer_.canonical(rate), i.origin});
    }
    system_.solved.rate_sum[v.index()] = true;
    return true;
  }

  // ------------------------------------------------------------ results

  void number_variables() {
    Solved& solved = system_.solved;
    solved.position.assign(system_.n(), 0);
    for (std::size_t i = 0; i < system_.n(); ++i) {
      VariableId v(i);
      if (system_.definition(v)) continue;
      if (system_.role(v) == ScalarRole::state) solved.x.push_back(v);
      if (system_.role(v) == ScalarRole::input && !is_delayed(v)) solved.u.push_back(v);
      if (system_.is_unknown(v) && !solved.rate_sum[i]) solved.z.push_back(v);
    }
    for (const ir::Delay& delay : system_.flat.delays) solved.u.push_back(delay.variable);  // last, in their order
    for (const auto* list : {&solved.x, &solved.z, &solved.u})
      for (std::size_t k = 0; k < list->size(); ++k) solved.position[(*list)[k].index()] = static_cast<std::uint32_t>(k);
  }

  bool is_delayed(VariableId v) const { return ir::variable_of(system_.flat, v).kind == ir::VariableKind::delayed; }
  RowId row_of(VariableId v) const { return RowId(std::size_t{system_.solved.position[v.index()]}); }

  Applied with_definitions_in(const Applied& a) {
    return composer_.insert(a, [&](VariableId u) { return system_.definition(u); });
  }

  void make_rates() {
    SectionBuilder rates(system_.options.enabled("group"));
    for (VariableId x : system_.solved.x) {
      VariableId d = system_.derivative[x.index()];
      if (system_.solved.rate_sum[d.index()]) continue;
      const Applied* rate = system_.definition(d);
      rates.add({rate ? *rate : variable_alone(system_.dag(), d), {row_of(x)}, system_.definition_origins[d.index()]});
    }
    for (auto& [x, part, origin] : sums_) rates.add({with_definitions_in(part), {row_of(x)}, origin});
    system_.solved.rates = rates.finish(static_cast<std::uint32_t>(system_.solved.x.size()));
  }

  void make_residuals() {
    SectionBuilder residuals(system_.options.enabled("group"));
    system_.solved.residual_origins.assign(system_.solved.z.size(), 0);
    for (auto [v, row] : kept_rows_) {
      for (std::uint32_t part : equations_.parts[row]) {
        const GroupInstance& instance = equations_.instances[part];
        residuals.add({with_definitions_in(without_pole(instance.applied, v)), {row_of(v)}, instance.origin});
      }
      system_.solved.residual_origins[row_of(v).index()] = only_part(row).origin;
      if (system_.role(v) == ScalarRole::derivative) system_.definition_origins[v.index()] = only_part(row).origin;
    }
    system_.solved.residuals = residuals.finish(static_cast<std::uint32_t>(system_.solved.z.size()));
  }

  /// n/v + b = 0 as b·v + n = 0 where n cannot be zero: iterations may start at v = 0.
  Applied without_pole(const Applied& a, VariableId v) {
    std::uint32_t slot = slot_of(a, v);
    if (a.roots.size() != 1 || slot == a.slots.size() || linearity_.solvable_parts(a.root(), slot).linear) return a;
    LinearParts parts = linearity_.cleared_parts(a.root(), slot);
    if (!parts.linear || !range_of(system_, parts.rest, a.slots, a.data).excludes_zero()) return a;
    ir::Dag& dag = system_.dag();
    return composer_.canonical({{dag.add(dag.mul(parts.coefficient, dag.slot(slot)), parts.rest)}, a.slots, a.data});
  }

  // ------------------------------------------------------------ initial equations

  void make_initial() {
    std::vector<std::vector<GroupInstance>> rows(system_.flat.initial_equations.n_rows);
    for_each_instance(system_.flat.initial_equations, [&](const GroupInstance& i) { rows[i.rows[0].index()].push_back(i); });
    add_fixed_algebraics(rows);
    SectionBuilder initial(system_.options.enabled("group"));
    std::uint32_t n = 0;
    for (const std::vector<GroupInstance>& parts : rows) {
      if (parts.empty() || (parts.size() == 1 && becomes_start(parts[0].applied))) continue;
      for (GroupInstance part : parts) {
        part.rows = {RowId(std::size_t{n})};
        initial.add(part);
      }
      system_.solved.initial_origins.push_back(parts[0].origin);
      ++n;
    }
    system_.solved.initial = initial.finish(n);
  }

  /// fixed=true of a variable that is not a state: v = start at the beginning.
  void add_fixed_algebraics(std::vector<std::vector<GroupInstance>>& rows) {
    for (std::size_t i = 0; i < system_.n(); ++i) {
      VariableId v(i);
      if (system_.role(v) != ScalarRole::algebraic || !system_.numbers[i].fixed || system_.merged[i]) continue;
      ir::Dag& dag = system_.dag();
      Applied row = difference(dag, variable_alone(dag, v), constant(dag, system_.numbers[i].start));
      rows.push_back({{with_definitions_in(row), {RowId(std::size_t{0})}, add_origin(system_, system_.span_of(v))}});
    }
  }

  /// 0 = a·x + b with numbers a, b: a fixed start of the state x, unless it has one.
  bool becomes_start(const Applied& a) {
    std::uint32_t state = Matching::none;
    for (std::uint32_t k = 0; k < a.slots.size(); ++k) {
      VariableId v = a.slots[k];
      if (system_.role(v) == ScalarRole::state && state == Matching::none) state = k;
      else if (system_.varies(v) || system_.is_free(v)) return false;
    }
    if (a.roots.size() != 1 || state == Matching::none) return false;
    ir::Numbers& numbers = system_.numbers[a.slots[state].index()];
    const LinearParts parts = linearity_.linear_parts(a.root(), state);
    if (numbers.fixed || !parts.linear) return false;
    ParameterValues values(system_);
    double value = -values.of(parts.rest, a.slots, a.data) / values.of(parts.coefficient, a.slots, a.data);
    if (!std::isfinite(value)) return false;
    numbers.start = value;
    numbers.fixed = numbers.has_start = true;
    if (!numbers.has_guess) numbers.guess = value;
    return true;
  }

  struct RatePart {
    VariableId state;
    Applied rate;
    std::uint32_t origin;
  };

  System& system_;
  Composer composer_;
  Linearity linearity_;
  OperationCounts counts_;
  ParameterValues values_;
  EquationRows equations_;
  std::vector<Use> uses_;
  std::set<VariableId> delayed_;                                                  ///< read by delays whose times are known
  std::map<std::pair<ExprId, std::uint32_t>, ir::CanonicalShape> solved_shapes_;  ///< by root and slot
  std::uint64_t total_operations_ = 0;
  std::vector<std::pair<VariableId, std::uint32_t>> kept_rows_;
  std::map<std::uint32_t, LoopWork> loops_;
  std::vector<RatePart> sums_;
};

}  // namespace

Result<Done> eliminate_explicit(System& system, Diagnostics&) { return ExplicitElimination(system).run(); }

}  // namespace bolza::passes
