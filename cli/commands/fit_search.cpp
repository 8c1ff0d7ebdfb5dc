// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/fit_search.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "cli/print.h"

namespace bolza::cli {
namespace {

using estimate::ProfileSide;

std::vector<std::string> names_of_profiles(const std::string& given) {
  std::vector<std::string> names;
  std::stringstream in(given);
  for (std::string name; given != "*" && std::getline(in, name, ',');) names.push_back(name);
  return names;
}

nlohmann::json number_or_null(double value) { return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json(); }

nlohmann::json parameters_json(const workflow::FitOutcome& outcome, const std::vector<double>& theta) {
  nlohmann::json o = nlohmann::json::object();
  for (std::size_t k = 0; k < theta.size(); ++k)
    o[outcome.estimation.parameters[k].name] = number_or_null(workflow::physical(outcome, k, theta[k]));
  return o;
}

const char* word_of_end(ProfileSide::End end) {
  switch (end) {
    case ProfileSide::End::crossed:
      return "crossed";
    case ProfileSide::End::bound:
      return "bound";
    case ProfileSide::End::far:
      return "far";
    case ProfileSide::End::failed:
      return "failed";
    case ProfileSide::End::lost:
      return "lost";
  }
  return "";
}

nlohmann::json side_json(const workflow::FitOutcome& outcome, std::size_t parameter, const ProfileSide& side) {
  nlohmann::json points = nlohmann::json::array();
  for (const estimate::ProfilePoint& p : side.points)
    points.push_back({{"at", number_or_null(workflow::physical(outcome, parameter, p.at))},
                      {"value", number_or_null(p.value)},
                      {"parameters", parameters_json(outcome, p.theta)}});
  nlohmann::json o{{"end", word_of_end(side.end)},
                   {"at", number_or_null(workflow::physical(outcome, parameter, side.at))},
                   {"points", points}};
  if (!side.message.empty()) o["message"] = side.message;
  return o;
}

/// "0.31", or what keeps it from being an end: "open (bound 10)".
std::string text_of_side(const workflow::FitOutcome& outcome, std::size_t parameter, const ProfileSide& side) {
  std::string at = readable(workflow::physical(outcome, parameter, side.at));
  switch (side.end) {
    case ProfileSide::End::crossed:
      return at;
    case ProfileSide::End::bound:
      return "open: bound " + at;
    case ProfileSide::End::far:
      return "open: beyond " + at;
    case ProfileSide::End::failed:
      return "no fit beyond " + at;
    case ProfileSide::End::lost:
      return "interrupted at " + at;
  }
  return at;
}

/// "37 of 100 starts, best -12.34 in 14, 2 failed, 20 s left".
std::string text_of_progress(const estimate::SearchProgress& p) {
  std::string text = std::to_string(p.done) + " of " + std::to_string(p.total) + " starts";
  if (!std::isnan(p.best)) text += ", best " + readable(p.best) + " in " + std::to_string(p.hits);
  if (p.failed > 0) text += ", " + std::to_string(p.failed) + " failed";
  if (!std::isnan(p.seconds_left)) text += ", " + std::to_string(std::lround(p.seconds_left)) + " s left";
  return text;
}

/// "on both sides", "below", "above".
const char* open_sides(const estimate::Profile& profile) {
  bool lower = profile.lower.end != ProfileSide::End::crossed, upper = profile.upper.end != ProfileSide::End::crossed;
  return lower && upper ? "on both sides" : lower ? "below" : "above";
}

}  // namespace

void add_search(const Arguments& arguments, ProgressLine& line, workflow::FitRequest& request) {
  std::size_t jobs = arguments.fit.jobs > 0 ? arguments.fit.jobs : std::max(1u, std::thread::hardware_concurrency());
  if (arguments.measured.starts > 0) {
    estimate::SearchOptions& o = request.search.emplace();
    o.starts = arguments.measured.starts;
    o.seed = arguments.measured.seed;
    o.jobs = jobs;
    o.journal = arguments.fit.journal;
    o.start_seconds = arguments.fit.start_time;
    o.progress_context = &line;
    o.progress = [](void* context, const estimate::SearchProgress& progress) {
      auto& shown = *static_cast<ProgressLine*>(context);
      if (shown.due()) shown.show(text_of_progress(progress));
    };
  }
  if (arguments.fit.profiles.empty()) return;
  estimate::ProfileOptions& o = request.profiles.emplace();
  o.jobs = jobs;
  request.profiled = names_of_profiles(arguments.fit.profiles);
  o.progress_context = &line;
  o.progress = [](void* context, std::size_t done, std::size_t total) {
    auto& shown = *static_cast<ProgressLine*>(context);
    if (shown.due()) shown.show("profiles: " + std::to_string(done) + " of " + std::to_string(total) + " sides");
  };
}

void print_search(const workflow::FitOutcome& outcome) {
  if (!outcome.search) return;
  const estimate::SearchResult& s = *outcome.search;
  std::printf("  starts       %zu, %zu reach the best value (%.3g %%)", s.fits.size(), s.hits, 100 * s.share);
  if (s.hits > 0) std::printf(", %.3g s for each of these", s.seconds_per_hit);
  if (s.good < s.fits.size()) std::printf("; %zu without a fit", s.fits.size() - s.good);
  if (s.redrawn > 0) std::printf("; %zu drawn again", s.redrawn);
  if (s.resumed > 0) std::printf("; %zu from the journal", s.resumed);
  std::printf("%s\n", s.interrupted ? "; interrupted" : "");
  constexpr std::size_t most = 5;
  for (std::size_t k = 0; k < std::min(most, s.optima.size()); ++k) {
    const estimate::SearchFit& best = s.fits[s.optima[k].fit];
    std::printf("  optimum %-4zu %s from %zu start%s:", k + 1, readable(best.value).c_str(), s.optima[k].starts,
                s.optima[k].starts == 1 ? "" : "s");
    for (std::size_t i = 0; i < best.theta.size() && i < most; ++i)
      std::printf(" %s = %s", outcome.estimation.parameters[i].name.c_str(),
                  readable(workflow::physical(outcome, i, best.theta[i])).c_str());
    std::printf("%s\n", best.theta.size() > most ? " …" : "");
  }
  if (s.optima.size() > most) std::printf("  %zu more optima\n", s.optima.size() - most);
}

void print_profiles(const workflow::FitOutcome& outcome) {
  if (!outcome.profiles) return;
  std::printf("  %-24s %s %% interval\n", "profile", readable(100 * outcome.profiles->confidence).c_str());
  for (const estimate::Profile& p : outcome.profiles->profiles) {
    std::printf("  %-24s [%s, %s]", outcome.estimation.parameters[p.parameter].name.c_str(),
                text_of_side(outcome, p.parameter, p.lower).c_str(), text_of_side(outcome, p.parameter, p.upper).c_str());
    std::printf("%s%s\n", p.identifiable() ? "" : "   practically not identifiable ", p.identifiable() ? "" : open_sides(p));
  }
  const estimate::ProfilePoint& better = outcome.profiles->better;
  if (better.theta.empty()) return;
  std::printf("  a refit found a lower objective, %s, at", readable(better.value).c_str());
  for (std::size_t i = 0; i < better.theta.size(); ++i)
    std::printf(" %s = %s", outcome.estimation.parameters[i].name.c_str(),
                readable(workflow::physical(outcome, i, better.theta[i])).c_str());
  std::printf(": start there, or use --starts\n");
}

void add_search_json(const workflow::FitOutcome& outcome, nlohmann::json& report) {
  if (outcome.search) {
    const estimate::SearchResult& s = *outcome.search;
    nlohmann::json values = nlohmann::json::array(), optima = nlohmann::json::array();
    for (std::size_t k = 0; k < s.good; ++k) values.push_back(s.fits[k].value);
    for (const estimate::Optimum& o : s.optima)
      optima.push_back({{"objective", s.fits[o.fit].value},
                        {"starts", o.starts},
                        {"parameters", parameters_json(outcome, s.fits[o.fit].theta)}});
    report["multi_start"] = {
        {"starts", s.fits.size()}, {"fitted", s.good},     {"hits", s.hits},
        {"share", s.share},        {"seconds", s.seconds}, {"seconds_per_hit", number_or_null(s.seconds_per_hit)},
        {"redrawn", s.redrawn},    {"resumed", s.resumed}, {"interrupted", s.interrupted},
        {"values", values},        {"optima", optima}};
  }
  if (!outcome.profiles) return;
  report["profiles"] = nlohmann::json::object();
  for (const estimate::Profile& p : outcome.profiles->profiles)
    report["profiles"][outcome.estimation.parameters[p.parameter].name] = {
        {"identifiable", p.identifiable()},
        {"lower", side_json(outcome, p.parameter, p.lower)},
        {"upper", side_json(outcome, p.parameter, p.upper)}};
}

}  // namespace bolza::cli
