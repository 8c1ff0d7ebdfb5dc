// SPDX-License-Identifier: Apache-2.0
#include "runtime/estimate/statistics/identifiability.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/numbers.h"
#include "runtime/estimate/statistics/integer_relations.h"
#include "runtime/linalg/dense_decompositions.h"

namespace bolza::estimate {
namespace {

// dθ/d ln|p|; at p = 0 the scale's own unit, which makes relative changes absolute ones.
Eigen::VectorXd relative_steps(std::span<const Parameter> parameters, std::span<const double> theta) {
  Eigen::VectorXd out(static_cast<Eigen::Index>(theta.size()));
  for (std::size_t i = 0; i < theta.size(); ++i) {
    double p = from_scale(theta[i], parameters[i].scale);
    out[static_cast<Eigen::Index>(i)] = p == 0 ? 1 : p / slope_of(p, parameters[i].scale);
  }
  return out;
}

// Entries of a row below `share` of its largest are rounding, or the curvature of the model.
void prune(Eigen::MatrixXd& echelon, double share) {
  for (Eigen::Index r = 0; r < echelon.rows(); ++r) {
    double least = share * echelon.row(r).cwiseAbs().maxCoeff();
    for (double& entry : echelon.row(r))
      if (std::fabs(entry) < least) entry = 0;
  }
}

// Rows span the directions: columns that share none are told apart. Gives the columns of every group.
std::vector<std::vector<Eigen::Index>> groups_of(const Eigen::MatrixXd& echelon) {
  std::vector<Eigen::Index> leader(static_cast<std::size_t>(echelon.cols()));
  std::iota(leader.begin(), leader.end(), 0);
  auto first_of = [&](Eigen::Index c) {
    while (leader[static_cast<std::size_t>(c)] != c) c = leader[static_cast<std::size_t>(c)];
    return c;
  };
  auto used = [&](Eigen::Index r, Eigen::Index c) { return echelon(r, c) != 0; };
  for (Eigen::Index r = 0; r < echelon.rows(); ++r)
    for (Eigen::Index c = 0, last = -1; c < echelon.cols(); ++c) {
      if (!used(r, c)) continue;
      if (last >= 0) {
        auto [low, high] = std::minmax({first_of(last), first_of(c)});
        leader[static_cast<std::size_t>(high)] = low;
      }
      last = c;
    }
  std::vector<std::vector<Eigen::Index>> groups(leader.size());
  for (Eigen::Index c = 0; c < echelon.cols(); ++c) {
    bool any = false;
    for (Eigen::Index r = 0; r < echelon.rows(); ++r) any = any || used(r, c);
    if (any) groups[static_cast<std::size_t>(first_of(c))].push_back(c);
  }
  std::erase_if(groups, [](const auto& g) { return g.empty(); });
  return groups;
}

std::string power_text(const std::string& name, long power) {
  static constexpr const char* raised[] = {"", "", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  return power < 10 ? name + raised[power] : name + "^" + std::to_string(power);
}

// "p1²·p3/p2²"
std::string product_text(const std::vector<long>& powers, const std::vector<std::string>& names) {
  std::string above, below;
  int factors_below = 0;
  for (std::size_t i = 0; i < powers.size(); ++i) {
    if (powers[i] > 0) above += (above.empty() ? "" : "·") + power_text(names[i], powers[i]);
    if (powers[i] < 0) {
      below += (below.empty() ? "" : "·") + power_text(names[i], -powers[i]);
      ++factors_below;
    }
  }
  if (above.empty()) above = "1";
  return below.empty() ? above : above + "/" + (factors_below > 1 ? "(" + below + ")" : below);
}

// "a + 2 b − c"
std::string sum_text(const std::vector<long>& factors, const std::vector<std::string>& names) {
  std::string out;
  for (std::size_t i = 0; i < factors.size(); ++i) {
    if (factors[i] == 0) continue;
    if (out.empty()) out = factors[i] < 0 ? "−" : "";
    else out += factors[i] < 0 ? " − " : " + ";
    if (std::labs(factors[i]) != 1) out += std::to_string(std::labs(factors[i])) + " ";
    out += names[i];
  }
  return out;
}

struct Named {
  std::span<const Parameter> parameters;
  std::span<const double> theta;
  double share;      // below which an entry of a direction is none
  double tolerance;  // of ratios of small integers
};

// Gives the relation its text: products where the relative changes are in small integers, sums where the absolute ones are;
// the simpler one where both are.
void recognise(Combination& relation, const Named& known) {
  std::vector<std::string> names;
  Eigen::VectorXd values(static_cast<Eigen::Index>(relation.parameters.size()));
  bool zero = false;
  for (std::size_t i = 0; i < relation.parameters.size(); ++i) {
    const Parameter& p = known.parameters[relation.parameters[i]];
    double value = from_scale(known.theta[relation.parameters[i]], p.scale);
    names.push_back(p.name);
    zero = zero || value == 0;
    values[static_cast<Eigen::Index>(i)] = value == 0 ? 1 : value;
  }
  auto products = zero ? std::nullopt : as_integers(relation.directions, known.tolerance);
  auto sums = as_integers(relation.directions * values.asDiagonal(), known.tolerance);
  bool as_sum = sums && (!products || size_of(*sums) < size_of(*products));
  relation.recognised = products || sums;
  if (!relation.recognised) return;
  relation.is_sum = as_sum;
  relation.whole = as_sum ? *sums : *products;
  for (const auto& c : kernel_of(relation.whole, names.size()))
    relation.determined.push_back(as_sum ? sum_text(c, names) : product_text(c, names));
}

// Relations among the parameters `who`, from a basis of directions [directions × who] in ln p × length. A parameter whose
// part of a direction moves the data less than the others by `share` takes no part in it.
std::vector<Combination> relations_of(const Eigen::MatrixXd& basis, const Eigen::VectorXd& length,
                                      const std::vector<std::size_t>& who, const Named& known) {
  std::vector<Combination> out;
  if (basis.rows() == 0) return out;
  Eigen::MatrixXd echelon = reduced_echelon(basis);
  prune(echelon, known.share);
  echelon *= length.cwiseInverse().asDiagonal();
  for (const auto& group : groups_of(echelon)) {
    Combination relation;
    std::vector<Eigen::Index> rows;
    for (Eigen::Index r = 0; r < echelon.rows(); ++r)
      if (echelon(r, group).cwiseAbs().maxCoeff() > 0) rows.push_back(r);
    relation.directions = reduced_echelon(echelon(rows, group));
    prune(relation.directions, known.share);
    for (Eigen::Index c : group) relation.parameters.push_back(who[static_cast<std::size_t>(c)]);
    recognise(relation, known);
    out.push_back(std::move(relation));
  }
  return out;
}

// Nothing beyond what holds structurally?
bool is_known(const Combination& found, const std::vector<Combination>& structural) {
  return std::any_of(structural.begin(), structural.end(), [&](const Combination& r) {
    return r.parameters == found.parameters && r.directions.rows() >= found.directions.rows();
  });
}

std::string list_of(const std::vector<std::string>& names) {
  std::string out;
  for (std::size_t i = 0; i < names.size(); ++i) out += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  return out;
}

std::vector<std::string> names_of(const Combination& relation, std::span<const Parameter> parameters) {
  std::vector<std::string> names;
  for (std::size_t i : relation.parameters) names.push_back("`" + parameters[i].name + "`");
  return names;
}

}  // namespace

Identifiability structure_of(const Eigen::MatrixXd& rows, std::span<const Parameter> parameters,
                             std::span<const double> theta, double tolerance) {
  Identifiability out;
  out.open.assign(theta.size(), 0);
  Eigen::MatrixXd relative = rows * relative_steps(parameters, theta).asDiagonal();
  Eigen::VectorXd size = relative.colwise().norm();
  std::vector<std::size_t> who;
  std::vector<Eigen::Index> columns;
  double largest = size.size() ? size.maxCoeff() : 0;
  for (std::size_t i = 0; i < theta.size(); ++i) {
    auto k = static_cast<Eigen::Index>(i);
    if (size[k] > 1e-12 * largest) {
      who.push_back(i);
      columns.push_back(k);
    } else {
      out.without_effect.push_back(i);
      out.open[i] = 1;
    }
  }
  if (who.empty()) return out;
  Eigen::VectorXd length = size(columns);
  Eigen::MatrixXd unit = relative(Eigen::all, columns) * length.cwiseInverse().asDiagonal();
  linalg::SingularValues svd = linalg::singular_values(unit);
  const Eigen::VectorXd& s = svd.values;
  out.singular_values.assign(s.begin(), s.end());
  while (out.rank < out.singular_values.size() && s[static_cast<Eigen::Index>(out.rank)] > tolerance * s[0]) ++out.rank;
  auto null = static_cast<Eigen::Index>(who.size() - out.rank);
  out.relations = relations_of(svd.V.rightCols(null).transpose(), length, who, {parameters, theta, 1e-4, 0.01});
  for (const Combination& r : out.relations)
    for (std::size_t i : r.parameters) out.open[i] = 1;
  return out;
}

std::vector<Combination> poorly_determined(const Eigen::MatrixXd& rows, const Identifiability& structure,
                                           std::span<const Parameter> parameters, std::span<const double> theta,
                                           double most) {
  std::vector<std::size_t> who;
  std::vector<Eigen::Index> columns;
  const std::vector<std::size_t>& none = structure.without_effect;
  for (std::size_t i = 0; i < theta.size(); ++i)
    if (std::find(none.begin(), none.end(), i) == none.end()) {
      who.push_back(i);
      columns.push_back(static_cast<Eigen::Index>(i));
    }
  if (who.empty()) return {};
  Eigen::MatrixXd relative = (rows * relative_steps(parameters, theta).asDiagonal())(Eigen::all, columns);
  linalg::SingularValues svd = linalg::singular_values(relative);
  Eigen::Index weak = 0, n = relative.cols();
  while (weak < n && (n - 1 - weak >= svd.values.size() || svd.values[n - 1 - weak] < 1 / most)) ++weak;
  auto found =
      relations_of(svd.V.rightCols(weak).transpose(), Eigen::VectorXd::Ones(n), who, {parameters, theta, 0.05, 0.05});
  std::erase_if(found, [&](const Combination& r) { return is_known(r, structure.relations); });
  return found;
}

bool covers(const Combination& wide, const Combination& narrow) {
  return std::includes(wide.parameters.begin(), wide.parameters.end(), narrow.parameters.begin(), narrow.parameters.end());
}

std::string sentence_of(const Combination& relation, std::span<const Parameter> parameters) {
  std::vector<std::string> names = names_of(relation, parameters);
  if (!relation.determined.empty()) {
    std::vector<std::string> quoted;
    for (const std::string& c : relation.determined) quoted.push_back("`" + c + "`");
    return "only " + list_of(quoted) + (quoted.size() == 1 ? " is" : " are") + " determined, not " + list_of(names);
  }
  if (relation.recognised || names.size() == 1)
    return list_of(names) + (names.size() == 1 ? " is" : " are") + " not determined";
  std::string out = list_of(names) + " change together: in proportion ";
  constexpr Eigen::Index most = 3;
  Eigen::Index rows = relation.directions.rows();
  for (Eigen::Index r = 0; r < std::min(rows, most); ++r) {
    if (r > 0) out += " and ";
    for (Eigen::Index c = 0; c < relation.directions.cols(); ++c)
      out += (c ? " : " : "") + shown(relation.directions(r, c), 2);
  }
  return out + (rows > most ? ", and in " + std::to_string(rows - most) + " more directions" : "");
}

}  // namespace bolza::estimate
