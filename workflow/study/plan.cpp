// SPDX-License-Identifier: Apache-2.0
#include "workflow/study/plan.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/numbers.h"
#include "workflow/study_codes.h"

namespace bolza::workflow {

Result<Plan> Plan::make(const PlanRequest& request, Diagnostics& diagnostics) {
  Plan plan;
  plan.request_ = request;
  for (const std::string& setting : request.settings) {
    auto axis = read_axis(setting, diagnostics);
    if (!axis) return diagnostics.already_reported();
    if (!*axis) plan.common_.push_back(setting);
    else if (std::ranges::find(plan.axes_, (*axis)->name, &StudyAxis::name) != plan.axes_.end())
      return diagnostics.error(bad_plan, {}, {"`" + (*axis)->name + "` is set twice"});
    else plan.axes_.push_back(**std::move(axis));
  }
  if (!plan.count(diagnostics) || !plan.find_continuation(diagnostics)) return diagnostics.already_reported();
  return plan;
}

Result<Done> Plan::count(Diagnostics& diagnostics) {
  auto wrong = [&](const std::string& why) { return diagnostics.error(bad_plan, {}, {why}); };
  auto drawn =
      static_cast<std::size_t>(std::ranges::count_if(axes_, [](const StudyAxis& a) { return a.drawn.has_value(); }));
  if (axes_.empty() && request_.guesses == 0)
    return wrong("nothing varies: add `--set NAME=range(from, to, count)`, or `--guesses N`");
  if (drawn > 0 && request_.samples == 0)
    return wrong("`" + std::ranges::find_if(axes_, [](const StudyAxis& a) { return a.drawn.has_value(); })->name +
                 "` is drawn: add `--draws N`");
  if (drawn == 0 && request_.samples > 0)
    return wrong("`--draws` draws nothing: `range(from, to)` and `normal(mean, deviation)` are drawn, lists are not");
  if (drawn > most_of_sobol && request_.sampling == PointSampling::sobol)
    return wrong("Sobol's sequence is known here for " + std::to_string(most_of_sobol) + " axes: take latin-hypercube");
  if (request_.sampling == PointSampling::latin_hypercube && request_.samples > most_of_hypercube)
    return wrong("a Latin hypercube has at most " + std::to_string(most_of_hypercube) + " points: take sobol or random");
  guesses_ = std::max<std::size_t>(request_.guesses, 1);
  std::size_t points = guesses_;
  auto multiply = [&](std::size_t by) {
    bool fits = points <= most_points / by;
    points = fits ? points * by : points;
    return fits;
  };
  stride_.assign(axes_.size(), 0);
  place_.assign(axes_.size(), 0);
  bool fits = multiply(std::max<std::size_t>(request_.samples, 1));
  for (std::size_t k = axes_.size(), place = drawn; k-- > 0;) {
    if (axes_[k].drawn) place_[k] = --place;
    if (axes_[k].drawn) continue;
    stride_[k] = points;
    fits = fits && multiply(axes_[k].count());
  }
  if (!fits) return wrong("it would have more than " + shown(most_points, 9) + " points");
  size_ = points;
  sequence_ = Sequence(request_.sampling, request_.samples, drawn, request_.seed);
  return Done{};
}

Result<Done> Plan::find_continuation(Diagnostics& diagnostics) {
  const std::string& name = request_.continuation;
  if (name.empty()) return Done{};
  auto axis = std::ranges::find(axes_, name, &StudyAxis::name);
  if (axis == axes_.end())
    return diagnostics.error(bad_plan, {},
                             {"`--continuation " + name + "`: no `--set` gives several values to `" + name + "`"});
  if (axis->drawn || !axis->is_numeric() || request_.guesses > 0)
    return diagnostics.error(
        bad_plan, {},
        {request_.guesses > 0 ? "a continuation has one guess for each point, that of its neighbour"
                              : "a continuation needs numbers in a list: `" + name + "=range(from, to, count)`"});
  along_ = static_cast<std::size_t>(axis - axes_.begin());
  return Done{};
}

std::size_t Plan::digit(std::size_t point, std::size_t axis) const { return point / stride_[axis] % axes_[axis].count(); }

double Plan::share(std::size_t point, std::size_t axis) const {
  return sequence_.at(point / guesses_ % request_.samples, place_[axis]);
}

std::vector<std::string> Plan::values(std::size_t point) const {
  std::vector<std::string> texts;
  for (std::size_t k = 0; k < axes_.size(); ++k)
    texts.push_back(axes_[k].drawn ? exact_text(axes_[k].drawn->quantile(share(point, k)))
                                   : axes_[k].value(digit(point, k)));
  return texts;
}

std::vector<double> Plan::numbers(std::size_t point) const {
  std::vector<double> numbers;
  for (std::size_t k = 0; k < axes_.size(); ++k)
    numbers.push_back(axes_[k].drawn ? axes_[k].drawn->quantile(share(point, k)) : axes_[k].number(digit(point, k)));
  return numbers;
}

std::string Plan::setting(std::size_t axis, const std::string& value) const {
  return axes_[axis].before + value + axes_[axis].after;
}

std::vector<std::string> Plan::settings(std::size_t point) const {
  std::vector<std::string> settings = values(point);
  for (std::size_t k = 0; k < settings.size(); ++k) settings[k] = setting(k, settings[k]);
  return settings;
}

std::size_t Plan::guess(std::size_t point) const { return point % guesses_; }

std::optional<std::size_t> Plan::before(std::size_t point) const {
  if (!along_ || digit(point, *along_) == 0) return {};
  return point - stride_[*along_];
}

std::optional<std::size_t> Plan::after(std::size_t point) const {
  if (!along_ || digit(point, *along_) + 1 == axes_[*along_].count()) return {};
  return point + stride_[*along_];
}

std::size_t Plan::line(std::size_t point) const {
  if (!along_) return point;
  std::size_t stride = stride_[*along_];
  return point / (stride * axes_[*along_].count()) * stride + point % stride;
}

nlohmann::ordered_json Plan::json() const {
  return {{"points", size_},
          {"settings", request_.settings},
          {"samples", request_.samples},
          {"sampling", sampling_names[static_cast<std::size_t>(request_.sampling)]},
          {"seed", request_.seed},
          {"guesses", request_.guesses},
          {"continuation", request_.continuation}};
}

Result<Plan> Plan::read(const std::string& json, Diagnostics& diagnostics) {
  try {
    nlohmann::json plan = nlohmann::json::parse(json);
    PlanRequest request{.settings = plan.at("settings"),
                        .samples = plan.at("samples"),
                        .sampling = sampling_named(plan.at("sampling").get<std::string>()).value(),
                        .seed = plan.at("seed"),
                        .guesses = plan.at("guesses"),
                        .continuation = plan.at("continuation")};
    return make(request, diagnostics);
  } catch (const std::exception& e) {
    return diagnostics.error(bad_plan, {}, {std::string("its description cannot be read: ") + e.what()});
  }
}

}  // namespace bolza::workflow
