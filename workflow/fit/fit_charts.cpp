// SPDX-License-Identifier: Apache-2.0
#include "workflow/fit/fit_charts.h"

#include <algorithm>
#include <cmath>

namespace bolza::workflow {
namespace {

/// An observable in an experiment: rows of the likelihood and their measurements.
struct DataSeries {
  std::size_t experiment = 0, observable = 0;
  std::vector<std::size_t> rows;
  std::vector<const estimate::Measurement*> measurements;
};

std::vector<DataSeries> series_of_data(const estimate::Estimation& estimation) {
  std::vector<DataSeries> out;
  std::size_t row = 0;
  for (std::size_t e = 0; e < estimation.experiments.size(); ++e)
    for (const estimate::Measurement& m : estimation.experiments[e].measurements) {
      auto own = std::find_if(out.begin(), out.end(),
                              [&](const DataSeries& s) { return s.experiment == e && s.observable == m.observable; });
      if (own == out.end()) own = out.insert(out.end(), {e, m.observable, {}, {}});
      own->rows.push_back(row++);
      own->measurements.push_back(&m);
    }
  return out;
}

std::string title_of(const DataSeries& s, const estimate::Estimation& estimation) {
  const estimate::Observable& o = estimation.observables[s.observable];
  std::string name = estimation.experiments[s.experiment].name;
  return o.name + (o.unit.empty() ? "" : " [" + o.unit + "]") + (estimation.experiments.size() > 1 ? " · " + name : "");
}

bool is_outlier(const FitOutcome& outcome, std::size_t row) {
  const auto& all = outcome.analysis.statistics.residuals.outliers;
  return std::any_of(all.begin(), all.end(), [&](const estimate::Outlier& o) { return o.row == row; });
}

// Steady states are drawn at the end of the curve.
double time_of(const estimate::Measurement& m, double last) { return std::isfinite(m.time) ? m.time : last; }

result::Chart::Points data_points(const DataSeries& s, const FitOutcome& outcome, double last) {
  const estimate::Observable& o = outcome.estimation.observables[s.observable];
  double factor = outcome.analysis.known ? std::sqrt(outcome.analysis.statistics.noise_factor) : 0;
  result::Chart::Points points{.label = o.name};
  for (std::size_t k = 0; k < s.rows.size(); ++k) {
    const estimate::Measurement& m = *s.measurements[k];
    double sigma = factor * outcome.result.fit.at.sigma[s.rows[k]], centre = estimate::to_scale(m.value, o.scale);
    points.x.push_back(time_of(m, last));
    points.y.push_back(m.value);
    points.low.push_back(estimate::from_scale(centre - sigma, o.scale));
    points.high.push_back(estimate::from_scale(centre + sigma, o.scale));
    points.hollow.push_back(m.weight == 0 || is_outlier(outcome, s.rows[k]));
  }
  return points;
}

// The curve of an observable with its bands; no times where it was not simulated.
result::Chart::Curve curve_of(const DataSeries& s, const FitOutcome& outcome) {
  result::Chart::Curve curve;
  for (std::size_t c = 0; c < outcome.result.curves.size(); ++c) {
    const estimate::ExperimentCurves& one = outcome.result.curves[c];
    auto at = std::find(one.observables.begin(), one.observables.end(), s.observable);
    if (one.experiment != s.experiment || at == one.observables.end()) continue;
    curve.x = one.curves.time;
    for (long k = 0; k < one.curves.value.rows(); ++k)
      curve.y.push_back(one.curves.value(k, static_cast<long>(s.observable)));
    auto place = static_cast<std::size_t>(at - one.observables.begin());
    if (c >= outcome.analysis.bands.size() || place >= outcome.analysis.bands[c].size()) continue;
    const estimate::Band& band = outcome.analysis.bands[c][place];
    curve.lower = band.lower;
    curve.upper = band.upper;
    curve.outer_lower = band.measured_lower;
    curve.outer_upper = band.measured_upper;
  }
  return curve;
}

result::Chart residual_chart(const DataSeries& s, const FitOutcome& outcome, double last) {
  result::Chart chart{.title = title_of(s, outcome.estimation), .levels = {-2, 0, 2}, .height = 170};
  double factor = outcome.analysis.known ? std::sqrt(outcome.analysis.statistics.noise_factor) : 1;
  result::Chart::Points points{.label = outcome.estimation.observables[s.observable].name};
  for (std::size_t k = 0; k < s.rows.size(); ++k) {
    points.x.push_back(time_of(*s.measurements[k], last));
    points.y.push_back(outcome.result.fit.at.residuals[s.rows[k]] / (factor > 0 ? factor : 1));
    points.hollow.push_back(s.measurements[k]->weight == 0 || is_outlier(outcome, s.rows[k]));
  }
  chart.points.push_back(std::move(points));
  return chart;
}

// Values of all starts that were fitted, ascending, above the best; who has not reached it is a ring.
result::Chart waterfall_of(const estimate::SearchResult& search) {
  result::Chart chart{.title = "−log likelihood above the best, + 1", .log_y = true};
  constexpr double equal = 1e-3;
  result::Chart::Points points{.label = "start"};
  for (std::size_t k = 0; k < search.good; ++k) {
    double above = search.fits[k].value - search.fits.front().value;
    points.x.push_back(static_cast<double>(k + 1));
    points.y.push_back(1 + (above < equal ? 0 : above));
    points.hollow.push_back(k >= search.hits);
  }
  chart.points.push_back(std::move(points));
  return chart;
}

// A parameter's profile on the scale of its search, above the optimum, with the rise at which the interval ends.
result::Chart profile_chart(const estimate::Profile& profile, const FitOutcome& outcome) {
  const estimate::Parameter& p = outcome.estimation.parameters[profile.parameter];
  const char* scale = p.scale == estimate::Scale::lin ? "" : p.scale == estimate::Scale::log ? "ln " : "log10 ";
  result::Chart chart{.title = scale + p.name, .levels = {0, outcome.profiles->threshold}, .height = 170};
  result::Chart::Curve curve{.label = p.name};
  auto add = [&](double theta, double value) {
    curve.x.push_back(theta);
    curve.y.push_back(value - outcome.profiles->optimum);
  };
  auto side = [&](auto from, auto to) {
    for (; from != to; ++from) add(from->theta[profile.parameter], from->value);
  };
  side(profile.lower.points.rbegin(), profile.lower.points.rend());
  add(outcome.result.fit.theta[profile.parameter], outcome.profiles->optimum);
  side(profile.upper.points.begin(), profile.upper.points.end());
  result::Chart::Points optimum{.label = p.name, .x = {outcome.result.fit.theta[profile.parameter]}, .y = {0}};
  chart.curves.push_back(std::move(curve));
  chart.points.push_back(std::move(optimum));
  return chart;
}

}  // namespace

void add_charts(const FitOutcome& outcome, result::FitPage& page) {
  constexpr std::size_t most = 200;  // charts of a page
  if (outcome.search && outcome.search->good > 1) page.waterfall.push_back(waterfall_of(*outcome.search));
  if (!outcome.result.fit.at.good) return;
  if (outcome.profiles)
    for (const estimate::Profile& profile : outcome.profiles->profiles)
      page.profiles.push_back(profile_chart(profile, outcome));
  for (const DataSeries& s : series_of_data(outcome.estimation)) {
    if (page.fits.size() >= most) break;
    const estimate::Observable& o = outcome.estimation.observables[s.observable];
    result::Chart chart{.title = title_of(s, outcome.estimation), .log_y = o.scale != estimate::Scale::lin};
    result::Chart::Curve curve = curve_of(s, outcome);
    double last = outcome.estimation.experiments[s.experiment].start;
    if (!curve.x.empty()) last = curve.x.back();
    chart.points.push_back(data_points(s, outcome, last));
    if (!curve.x.empty()) chart.curves.push_back(std::move(curve));
    page.fits.push_back(std::move(chart));
    page.residuals.push_back(residual_chart(s, outcome, last));
  }
}

}  // namespace bolza::workflow
