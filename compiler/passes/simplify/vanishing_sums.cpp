// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/simplify/vanishing_sums.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "compiler/ir/interpret.h"
#include "compiler/ir/substitute.h"
#include "compiler/passes/shapes/linearity.h"
#include "compiler/passes/structure/incidence.h"

namespace bolza::passes {

namespace {

constexpr std::size_t most_terms = 40;

struct Multiple {
  VariableId v;
  double factor = 0;
  friend auto operator<=>(const Multiple&, const Multiple&) = default;
};

/// 0 = Σ factor·v
struct Sum {
  std::uint32_t instance = 0;
  std::vector<Multiple> terms;
};

/// Variables that are multiples of others, by equations of two terms: trees of little depth, no paths are shortened, so that
/// equal parts of a model are treated by the same roundings.
class Multiples {
 public:
  explicit Multiples(std::uint32_t n) : above_(n), depth_(n, 0) {}

  /// v = factor·(the variable that stands for it)
  Multiple of(VariableId v) const {
    Multiple out{v, 1};
    while (above_[out.v.index()].v) {
      const Multiple& up = above_[out.v.index()];
      out = {up.v, out.factor * up.factor};
    }
    return out;
  }

  /// 0 = a + b
  void join(const Multiple& a, const Multiple& b) {
    Multiple x = of(a.v), y = of(b.v);
    if (x.v == y.v) return;
    x.factor *= a.factor;
    y.factor *= b.factor;
    if (depth_[y.v.index()] > depth_[x.v.index()]) std::swap(x, y);
    above_[y.v.index()] = {x.v, -x.factor / y.factor};
    if (depth_[y.v.index()] == depth_[x.v.index()]) ++depth_[x.v.index()];
  }

 private:
  std::vector<Multiple> above_;
  std::vector<std::uint32_t> depth_;
};

class Sums {
 public:
  explicit Sums(System& system)
      : system_(system),
        dag_(system.dag()),
        linearity_(system.flat.expressions),
        interpreter_(system.flat.expressions),
        equations_(equations_of(system)),
        multiples_(system.n()) {}

  void run() {
    find_sums();
    for (const Sum& sum : sums_)
      if (sum.terms.size() == 2) {
        multiples_.join(sum.terms[0], sum.terms[1]);
        joined_.push_back(sum.instance);
      }
    std::map<std::vector<Multiple>, std::uint32_t> known;  // in multiples of the first term
    std::vector<std::vector<Multiple>> seen(sums_.size());
    for (std::size_t k = 0; k < sums_.size(); ++k) {
      seen[k] = in_multiples(sums_[k]);
      if (seen[k].size() > 1) known.emplace(scaled(seen[k]), static_cast<std::uint32_t>(k));
    }
    bool changed = false;
    for (std::size_t k = 0; k < sums_.size(); ++k)
      for (std::size_t without = 0; without < seen[k].size() && seen[k].size() > 2; ++without) {
        std::vector<Multiple> rest = seen[k];
        rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(without));
        auto other = known.find(scaled(rest));
        if (other == known.end() || !make_zero(sums_[k], seen[k][without].v, sums_[other->second])) continue;
        changed = true;
        break;
      }
    if (changed) rebuild();
  }

 private:
  void find_sums() {
    for (const std::vector<std::uint32_t>& parts : equations_.parts)
      if (parts.size() == 1)
        if (auto terms = terms_of(equations_.instances[parts[0]].applied)) sums_.push_back({parts[0], std::move(*terms)});
  }

  double value(ExprId e, std::span<const double> slots, std::span<const double> data) {
    auto [tape, is_new] = tapes_.try_emplace(e);
    if (is_new) tape->second = ir::make_tape(dag_, std::span(&e, 1));
    double result = NAN;
    return interpreter_.evaluate(tape->second, {.slots = slots, .data = data}, std::span(&result, 1)) ? result : NAN;
  }

  /// The equation as a sum; nothing when it is none.
  std::optional<std::vector<Multiple>> terms_of(const Applied& a) {
    if (a.roots.size() != 1) return {};
    std::vector<double> slots;
    std::vector<std::uint32_t> varying;
    for (std::uint32_t k = 0; k < a.slots.size(); ++k) {
      ScalarRole role = system_.role(a.slots[k]);
      bool counts = role == ScalarRole::algebraic || role == ScalarRole::state || role == ScalarRole::derivative;
      if (!counts && role != ScalarRole::fixed_parameter) return {};
      if (counts) varying.push_back(k);
      slots.push_back(counts ? 0 : system_.numbers[a.slots[k].index()].start);
    }
    if (varying.size() < 2 || varying.size() > most_terms) return {};
    std::vector<Multiple> terms;
    for (std::uint32_t k : varying) {
      const LinearParts& parts = linearity_.linear_parts(a.root(), k);
      if (!parts.linear) return {};
      for (std::uint32_t read : ir::leaves_of(dag_, std::span(&parts.coefficient, 1), ir::Op::slot))
        if (std::binary_search(varying.begin(), varying.end(), read)) return {};
      double factor = value(parts.coefficient, slots, a.data);
      if (!std::isfinite(factor) || factor == 0) return {};
      terms.push_back({a.slots[k], factor});
    }
    if (value(a.root(), slots, a.data) != 0) return {};
    std::sort(terms.begin(), terms.end());
    return terms;
  }

  /// The terms in the variables that stand for others; empty where terms meet, which is another matter.
  std::vector<Multiple> in_multiples(const Sum& sum) const {
    std::vector<Multiple> out;
    for (const Multiple& term : sum.terms) {
      Multiple at = multiples_.of(term.v);
      out.push_back({at.v, at.factor * term.factor});
    }
    std::sort(out.begin(), out.end());
    for (std::size_t k = 1; k < out.size(); ++k)
      if (out[k].v == out[k - 1].v) return {};
    return out;
  }

  static std::vector<Multiple> scaled(std::vector<Multiple> terms) {
    double first = terms.front().factor;
    for (Multiple& term : terms) term.factor /= first;
    return terms;
  }

  /// The equation `sum` becomes v = 0 for the state that `stands_for` stands for in it.
  bool make_zero(const Sum& sum, VariableId stands_for, const Sum& other) {
    for (const Multiple& term : sum.terms) {
      if (multiples_.of(term.v).v != stands_for) continue;
      if (system_.role(term.v) != ScalarRole::state) return false;
      GroupInstance& instance = equations_.instances[sum.instance];
      note(sum, other);
      instance.applied = variable_alone(dag_, term.v);
      return true;
    }
    return false;
  }

  void note(const Sum& sum, const Sum& other) {
    ir::VanishedTerm term{equations_.instances[sum.instance].origin, {}};
    auto add = [&](std::uint32_t instance) {
      for (VariableId v : equations_.instances[instance].applied.slots)
        if (system_.role(v) == ScalarRole::fixed_parameter &&
            std::find(term.parameters.begin(), term.parameters.end(), v) == term.parameters.end())
          term.parameters.push_back(v);
    };
    add(sum.instance);
    add(other.instance);
    for (std::uint32_t instance : joined_)
      for (VariableId v : equations_.instances[instance].applied.slots)
        if (v.index() < system_.n() && reads(sum, v)) add(instance);
    system_.structure.vanished.push_back(std::move(term));
  }

  static bool reads(const Sum& sum, VariableId v) {
    return std::any_of(sum.terms.begin(), sum.terms.end(), [&](const Multiple& term) { return term.v == v; });
  }

  void rebuild() {
    SectionBuilder builder(system_.options.enabled("group"));
    for (const GroupInstance& instance : equations_.instances) builder.add(instance);
    system_.flat.equations = builder.finish(system_.flat.equations.n_rows);
  }

  System& system_;
  ir::Dag& dag_;
  Linearity linearity_;
  ir::Interpreter<double> interpreter_;
  EquationRows equations_;
  std::vector<Sum> sums_;
  std::vector<std::uint32_t> joined_;  ///< instances of two terms
  Multiples multiples_;
  std::map<ExprId, ir::Tape> tapes_;
};

}  // namespace

Result<Done> find_vanishing_sums(System& system, Diagnostics&) {
  Sums(system).run();
  return Done{};
}

}  // namespace bolza::passes
