// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/optimization/constraint_rows.h"

#include <algorithm>
#include <cmath>

#include "base/bit_order.h"
#include "compiler/passes/parameters/parameter_order.h"
#include "compiler/passes/structure/check_balance.h"
#include "compiler/passes/system/add_rows.h"
#include "compiler/passes/system/codes.h"
#include "compiler/passes/system/parameter_values.h"

namespace bolza::passes {

using ir::Relation;

namespace {

/// One constraint: the instances whose left and right roots add up.
struct Constraint {
  std::vector<Applied> left, right;
  std::vector<std::uint32_t> origins;
};

class Rows {
 public:
  Rows(const System& system, Diagnostics& diagnostics)
      : system_(system),
        diagnostics_(diagnostics),
        values_(system),
        dag_(const_cast<ir::Dag&>(system.dag())),
        composer_(dag_) {}

  std::vector<LoweredRow> run(const ir::ConstraintSection& section) {
    std::vector<Constraint> constraints(section.section.n_rows);
    for_each_instance(section.section, [&](const GroupInstance& i) {
      Constraint& c = constraints[i.rows[0].index()];
      c.left.push_back(composer_.canonical({{i.applied.roots[0]}, i.applied.slots, i.applied.data}));
      c.right.push_back(composer_.canonical({{i.applied.roots[1]}, i.applied.slots, i.applied.data}));
      c.origins.push_back(i.origin);
    });
    std::vector<LoweredRow> rows;
    for (std::size_t r = 0; r < constraints.size(); ++r)
      if (!constraints[r].origins.empty()) add(constraints[r], section.relations[r], rows);
    return rows;
  }

 private:
  bool fixed(const std::vector<Applied>& parts) const {
    return std::all_of(parts.begin(), parts.end(), [&](const Applied& a) { return is_fixed(system_, a.slots); });
  }

  double total(const std::vector<Applied>& parts) {
    double sum = 0;
    for (const Applied& part : parts) sum += values_.of(part);
    return sum;
  }

  void add(Constraint& c, Relation relation, std::vector<LoweredRow>& rows) {
    bool left = fixed(c.left), right = fixed(c.right);
    if (left && right) return check(c, relation);
    LoweredRow row;
    row.name = text_of_origin(system_, c.origins[0]);
    double bound = 0;
    if (right) {
      bound = total(c.right);
      take(c.left, c.origins, row);
    } else if (left) {
      bound = total(c.left);
      relation = flipped(relation);
      take(c.right, c.origins, row);
    } else {
      std::vector<Applied> differences;
      for (std::size_t k = 0; k < c.left.size(); ++k) differences.push_back(difference(dag_, c.left[k], c.right[k]));
      take(differences, c.origins, row);
    }
    row.lower = relation == Relation::less_equal ? -infinite : bound;
    row.upper = relation == Relation::greater_equal ? infinite : bound;
    if (std::isnan(bound)) {
      diagnostics_.error(not_finite, system_.span_of_origin(c.origins[0]), {"a side", row.name, "not a number"});
      return;
    }
    if (row.parts.empty()) return check(c, relation);
    if (bound != (relation == Relation::less_equal ? infinite : relation == Relation::greater_equal ? -infinite : NAN))
      rows.push_back(std::move(row));  // x <= ∞ says nothing
  }

  static Relation flipped(Relation relation) {
    switch (relation) {
      case Relation::less_equal:
        return Relation::greater_equal;
      case Relation::greater_equal:
        return Relation::less_equal;
      case Relation::equal:
        return Relation::equal;
    }
    return relation;
  }

  void take(const std::vector<Applied>& parts, const std::vector<std::uint32_t>& origins, LoweredRow& row) {
    for (std::size_t k = 0; k < parts.size(); ++k) {
      if (dag_.is_number(parts[k].root(), 0)) continue;
      row.parts.push_back(parts[k]);
      row.origins.push_back(origins[k]);
    }
  }

  /// Nothing in it can change: it holds, or the model contradicts itself.
  void check(const Constraint& c, Relation relation) {
    double left = total(c.left), right = total(c.right);
    if (!fixed(c.left) || !fixed(c.right)) left = right = 0;  // the sides cancelled
    double margin = constraint_margin(std::max(std::fabs(left), std::fabs(right)));
    bool holds = relation == Relation::less_equal      ? left <= right + margin
                 : relation == Relation::greater_equal ? left >= right - margin
                                                       : std::fabs(left - right) <= margin;
    if (holds) return;
    std::string text = text_of_origin(system_, c.origins[0]);
    diagnostics_.error(
        never_satisfied, system_.span_of_origin(c.origins[0]),
        {(text.empty() ? "" : text + ": ") + "left side " + number_text(left) + ", right side " + number_text(right)});
  }

  const System& system_;
  Diagnostics& diagnostics_;
  ParameterValues values_;
  ir::Dag& dag_;
  Composer composer_;
};

}  // namespace

double constraint_margin(double value) { return 1e-9 * std::max(1.0, std::fabs(value)); }

std::vector<LoweredRow> constraint_rows(const System& system, const ir::ConstraintSection& section,
                                        Diagnostics& diagnostics) {
  return Rows(system, diagnostics).run(section);
}

std::vector<LoweredRow> joined(std::vector<LoweredRow> rows) {
  std::vector<LoweredRow> result;
  using Key = std::tuple<std::vector<ExprId>, std::vector<VariableId>, std::vector<std::uint64_t>>;
  std::map<Key, std::size_t> place;
  for (LoweredRow& row : rows) {
    if (row.parts.size() != 1 || row.lower == row.upper) {
      result.push_back(std::move(row));
      continue;
    }
    const Applied& a = row.parts[0];
    auto [at, is_new] = place.emplace(Key{a.roots, a.slots, bits_of(a.data)}, result.size());
    if (is_new) {
      result.push_back(std::move(row));
      continue;
    }
    LoweredRow& first = result[at->second];
    double lower = std::max(first.lower, row.lower), upper = std::min(first.upper, row.upper);
    if (lower > upper) {  // infeasible together: keep both, the report will name them
      result.push_back(std::move(row));
      continue;
    }
    bool changes = lower != first.lower || upper != first.upper;
    first.lower = lower;
    first.upper = upper;
    if (changes && !row.name.empty() && row.name != first.name) first.name += ", " + row.name;
  }
  return result;
}

}  // namespace bolza::passes
