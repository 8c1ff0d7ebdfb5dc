// SPDX-License-Identifier: Apache-2.0
#include "cli/identification_page.h"

#include <cmath>

#include "base/numbers.h"
#include "cli/print.h"
#include "runtime/result/file.h"
#include "runtime/result/page.h"

namespace bolza::cli {
namespace {

using Outcome = workflow::IdentificationOutcome;
using result::Figure;
using result::PageSection;
using result::Series;

std::string text_of(double v, int digits) { return std::isfinite(v) ? shown(v, digits) : "undetermined"; }

PageSection terms(const Outcome& o) {
  const estimate::InversionResult &fit = o.result.selection.chosen, &all = o.result.selection.all;
  PageSection s{"Terms", {}, {{"term", "value", "standard error", "ratio", "with all terms"}, {}}, {}};
  s.text.push_back(std::to_string(fit.n_active()) + " of " + std::to_string(o.terms.terms.size()) +
                   " terms stay; terms leave below " + shown(o.threshold, 3) + " standard errors. Sum of squares " +
                   shown(fit.sum_of_squares, 6) + ", standard deviation of the residuals " + shown(fit.deviation, 4) + ".");
  for (std::size_t j = 0; j < o.terms.terms.size(); ++j) {
    auto at = static_cast<Eigen::Index>(j);
    std::string before = text_of(all.a[at], 5) + " ± " + text_of(all.standard_error[at], 2);
    if (!fit.active[j]) s.table.rows.push_back({o.terms.terms[j].name, "–", "", "", before});
    else
      s.table.rows.push_back({o.terms.terms[j].name, shown(fit.a[at], 6), text_of(fit.standard_error[at], 3),
                              text_of(std::abs(fit.a[at]) / fit.standard_error[at], 3), before});
  }
  return s;
}

PageSection removed(const Outcome& o) {
  PageSection s{"Terms in the order in which they left",
                {},
                {{"term", "value", "standard error", "sum of squares without it"}, {}},
                {}};
  for (const estimate::Removal& r : o.result.selection.removed)
    s.table.rows.push_back(
        {o.terms.terms[r.term].name, shown(r.value, 3), text_of(r.standard_error, 3), shown(r.sum_of_squares, 6)});
  return s;
}

PageSection correlated(const Outcome& o) {
  PageSection s{"Terms that the data hardly tell apart", {}, {{"term", "and", "correlation"}, {}}, {}};
  s.text.emplace_back("Either of two correlated terms may be able to stand for both.");
  for (const estimate::CorrelatedPair& c : o.result.selection.correlated)
    s.table.rows.push_back({o.terms.terms[c.first].name, o.terms.terms[c.second].name, shown(c.correlation, 4)});
  return s;
}

Figure data_and_fit(const Outcome& o, std::size_t set) {
  const estimate::Experiment& e = o.estimation.experiments[set];
  Figure figure{e.name, "time [s]", {}};
  for (std::size_t k = 0; k < o.measured; ++k) {
    Series fit{o.estimation.observables[k].name, o.estimation.observables[k].unit, {}, {}};
    const estimate::Estimator::Curves& curves = o.result.curves[set];
    for (std::size_t i = 0; i < curves.time.size(); ++i) {
      fit.x.push_back(curves.time[i]);
      fit.y.push_back(curves.value(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(k)));
    }
    figure.series.push_back(std::move(fit));
  }
  for (std::size_t k = 0; k < o.measured; ++k) {
    Series data{o.estimation.observables[k].name + ", measured", o.estimation.observables[k].unit, {}, {}, true};
    for (const estimate::Measurement& m : e.measurements)
      if (m.observable == k && std::isfinite(m.time)) {
        data.x.push_back(m.time);
        data.y.push_back(m.value);
      }
    figure.series.push_back(std::move(data));
  }
  return figure;
}

PageSection fits(const Outcome& o) {
  PageSection s{"Data and fit", {}, {}, {}};
  for (std::size_t i = 0; i < o.result.curves.size(); ++i) s.figures.push_back(data_and_fit(o, i));
  return s;
}

PageSection functions(const Outcome& o) {
  PageSection s{"Fitted functions, over the arguments that the data visit", {}, {}, {}};
  for (const estimate::FittedFunction& f : o.result.functions) {
    std::string set = o.estimation.experiments.size() > 1 ? " in " + o.estimation.experiments[f.set].name : "";
    s.figures.push_back({f.name + set, f.name + ".u", {{f.name + ".y", "", f.argument, f.value}}});
  }
  return s;
}

PageSection iterations(const Outcome& o) {
  PageSection s{"Iterations with all terms", {}, {}, {}};
  Series sums{"log10 of the sum of squares", "", {}, {}};
  for (std::size_t k = 0; k < o.result.selection.all.history.size(); ++k) {
    double sum = o.result.selection.all.history[k];
    sums.x.push_back(static_cast<double>(k));
    sums.y.push_back(sum > 0 && std::isfinite(sum) ? std::log10(sum) : std::nan(""));
  }
  s.figures.push_back({"log10 of the sum of squares", "iteration", {std::move(sums)}});
  return s;
}

}  // namespace

Result<Done> write_identification_page(const Outcome& o, const std::string& path, Diagnostics& diagnostics) {
  std::vector<PageSection> sections{terms(o)};
  if (!o.result.selection.removed.empty()) sections.push_back(removed(o));
  if (!o.result.selection.correlated.empty()) sections.push_back(correlated(o));
  sections.push_back(fits(o));
  if (!o.result.functions.empty()) sections.push_back(functions(o));
  sections.push_back(iterations(o));
  std::string where =
      counted(o.estimation.experiments.size(), "data set") + ", " + counted(o.estimation.n_measurements(), "measurement");
  return result::write_file(path, result::html_page(o.class_name + ": terms", where, sections), diagnostics);
}

}  // namespace bolza::cli
