// SPDX-License-Identifier: Apache-2.0
#include "runtime/estimate/search/profile.h"

#include <cmath>

#include <nlohmann/json.hpp>

#include "base/processes.h"
#include "runtime/estimate/distributions.h"
#include "runtime/estimate/search/draws.h"

namespace bolza::estimate {
namespace {

using ProfileJson = nlohmann::ordered_json;

std::string text_of_side(const ProfileSide& side) {
  ProfileJson points = ProfileJson::array();
  for (const ProfilePoint& p : side.points) points.push_back({{"at", p.at}, {"value", p.value}, {"theta", p.theta}});
  ProfileJson json{{"end", static_cast<int>(side.end)},
                   {"at", side.at},
                   {"message", side.message},
                   {"evaluations", side.evaluations},
                   {"points", points}};
  return json.dump(-1, ' ', true, ProfileJson::error_handler_t::replace);
}

ProfileSide side_of(const TaskOutcome& outcome) {
  ProfileSide side;
  ProfileJson json = ProfileJson::parse(outcome.text, nullptr, false);
  if (outcome.kind != TaskOutcome::Kind::done || !json.is_object()) {
    side.message = "the process ended: " + outcome.text;
    return side;
  }
  side.end = static_cast<ProfileSide::End>(json["end"].get<int>());
  side.at = json["at"];
  side.message = json["message"];
  side.evaluations = json["evaluations"];
  for (const ProfileJson& p : json["points"])
    side.points.push_back({p["at"], p["value"], p["theta"].get<std::vector<double>>()});
  return side;
}

void note_better(const ProfileSide& side, double better, ProfileResult& result) {
  for (const ProfilePoint& p : side.points) {
    double best = result.better.theta.empty() ? result.optimum - better : result.better.value;
    if (p.value < best) result.better = p;
  }
}

}  // namespace

double profile_threshold(const ProfileOptions& options) {
  double t = student_quantile(0.5 * (1 + options.confidence), options.freedom);
  return 0.5 * t * t * options.noise_variance;
}

ProfileResult profile_likelihoods(FitObjective& objective, std::span<const double> optimum, const ProfileOptions& options) {
  ProfileResult result;
  result.threshold = profile_threshold(options);
  result.confidence = options.confidence;
  std::vector<std::size_t> chosen = options.parameters, tasks;
  for (std::size_t k = 0; chosen.empty() && k < optimum.size(); ++k) result.profiles.push_back({k, {}, {}});
  for (std::size_t k : chosen) result.profiles.push_back({k, {}, {}});
  for (std::size_t k = 0; k < 2 * result.profiles.size(); ++k) tasks.push_back(k);
  Likelihood at;
  objective.evaluate(optimum, Order::fisher, at);  // what is compiled here, no process compiles again
  result.optimum = at.value;
  std::size_t done = 0;
  result.interrupted = !run_in_processes(
      tasks, {.jobs = options.jobs, .budget = options.budget},
      [&](std::size_t k) {
        return text_of_side(profile_side(objective, optimum, result.profiles[k / 2].parameter, k % 2 ? 1 : -1, options));
      },
      [&](std::size_t k, const TaskOutcome& outcome) {
        ProfileSide& side = k % 2 ? result.profiles[k / 2].upper : result.profiles[k / 2].lower;
        side = side_of(outcome);
        note_better(side, options.better, result);
        if (options.progress) options.progress(options.progress_context, ++done, tasks.size());
      });
  return result;
}

}  // namespace bolza::estimate
