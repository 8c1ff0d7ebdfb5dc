// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/printable.h"
#include "cli/commands.h"
#include "cli/commands/sweep.h"
#include "cli/print.h"
#include "runtime/result/file.h"
#include "workflow/study/page.h"
#include "workflow/study/slurm.h"
#include "workflow/study/table.h"
#include "workflow/study_codes.h"

namespace bolza::cli {
namespace {

/// A study that lies in a folder, with its results.
struct OpenStudy {
  workflow::StudyFolder folder;
  workflow::StudyManifest manifest;
  workflow::Plan plan;
  workflow::StudyResults results;
  std::vector<workflow::SlurmJob> jobs = {};  ///< that were submitted, where the queue is asked
};

Result<OpenStudy> open_study(const std::string& path, Diagnostics& diagnostics) {
  workflow::StudyFolder folder(path);
  auto manifest = folder.manifest(diagnostics);
  if (!manifest) return diagnostics.already_reported();
  auto plan = workflow::Plan::read(manifest->plan, diagnostics);
  if (!plan) return diagnostics.already_reported();
  auto results = workflow::results_of(folder, *manifest, plan->size(), diagnostics);
  if (!results) return diagnostics.already_reported();
  return OpenStudy{std::move(folder), *std::move(manifest), *std::move(plan), *std::move(results)};
}

std::string place_of(const workflow::Plan& plan, std::size_t point) {
  std::string text = std::to_string(point);
  for (const std::string& setting : plan.settings(point)) text += "  " + setting;
  if (plan.has_guesses()) text += "  guess " + std::to_string(plan.guess(point));
  return text;
}

constexpr std::size_t most_told = 100'000;

/// The first ones.
std::vector<std::size_t> missing_points(const OpenStudy& study) {
  std::vector<std::size_t> missing;
  for (std::size_t point = 0; point < study.plan.size() && missing.size() < most_told; ++point)
    if (!study.results.points.contains(point)) missing.push_back(point);
  return missing;
}

nlohmann::json status_json(const OpenStudy& study, const StudyArguments& asked) {
  nlohmann::json o = json_of(study.folder.path(), study.results.counts(study.plan.size()), study.results.strange);
  o["kind"] = study.manifest.kind;
  o["jobs"] = nlohmann::json::array();
  for (const workflow::SlurmJob& job : study.jobs) {
    o["jobs"].push_back({{"job", job.number}, {"states", nlohmann::json::object()}});
    for (const auto& [state, count] : job.states) o["jobs"].back()["states"][state] = count;
  }
  if (asked.run.missing) o["missing_points"] = missing_points(study);
  if (!asked.failed) return o;
  o["failed_points"] = nlohmann::json::array();
  for (const auto& [point, record] : study.results.points)
    if (!record.is_good())
      o["failed_points"].push_back({{"point", point}, {"status", record.status}, {"message", record.message}});
  return o;
}

/// "2 RUNNING, 3 PENDING (Resources)".
std::string text_of(const workflow::SlurmJob& job) {
  std::string text;
  for (const auto& [state, count] : job.states) text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + state;
  return text.empty() ? "is not in the queue any more" : text;
}

void print_status(const OpenStudy& study, const StudyArguments& asked) {
  workflow::StudyCounts c = study.results.counts(study.plan.size());
  std::printf("%s: %zu of %zu points\n", study.folder.path().c_str(), c.done(), c.total);
  std::printf("  job          %s\n", study.manifest.kind.c_str());
  for (const workflow::StudyAxis& axis : study.plan.axes())
    std::printf("  %-12s %s\n", axis.name.c_str(), axis.text.c_str());
  std::printf("  solved       %zu, %zu of them with warnings\n", c.solved + c.warned, c.warned);
  std::printf("  not solved   %zu\n  broken       %zu\n  missing      %zu\n", c.failed, c.broken, c.missing());
  if (study.results.strange > 0)
    std::printf("  left out     %zu damaged or foreign lines of results\n", study.results.strange);
  for (const workflow::SlurmJob& job : study.jobs) std::printf("  job %-8s %s\n", job.number.c_str(), text_of(job).c_str());
  if (asked.failed)
    for (const auto& [point, record] : study.results.points)
      if (!record.is_good())
        std::printf("  point %s: %s: %s\n", place_of(study.plan, point).c_str(), record.status.c_str(),
                    printable(record.message).c_str());
  if (asked.run.missing)
    for (std::size_t point : missing_points(study)) std::printf("  point %s\n", place_of(study.plan, point).c_str());
  if (asked.run.missing && c.missing() > most_told) std::printf("  and %zu more\n", c.missing() - most_told);
}

int show_status(OpenStudy& study, const Arguments& arguments) {
  Diagnostics diagnostics;
  if (auto jobs = jobs_in_queue(study.folder, diagnostics)) study.jobs = *std::move(jobs);
  else print_diagnostics(diagnostics, {}, arguments);  // what is in the folder is known all the same
  if (arguments.print.json) print_json(status_json(study, arguments.study));
  else print_status(study, arguments.study);
  return fine;
}

int write_table(const OpenStudy& study, const Arguments& arguments, Diagnostics& diagnostics) {
  std::string text = arguments.study.is_long ? long_table(study.plan, study.results)
                                             : wide_table(study.plan, study.results, arguments.study.times);
  if (arguments.outputs.result.empty()) {
    std::fwrite(text.data(), 1, text.size(), stdout);
    return fine;
  }
  if (!result::write_file(arguments.outputs.result, text, diagnostics)) return refuse_input(diagnostics, {}, arguments);
  if (arguments.print.json) print_json({{"status", "written"}, {"csv", arguments.outputs.result}});
  else std::printf("wrote %s\n", arguments.outputs.result.c_str());
  return fine;
}

/// Records of other copies of the study, which this one lacks or has a worse one of, as a file of results of this one.
int merge(OpenStudy& study, const Arguments& arguments, Diagnostics& diagnostics) {
  workflow::Shard shard;
  std::string not_written;
  std::size_t taken = 0;
  bool is_open = false;
  for (const std::string& path : arguments.study.others) {
    auto other = open_study(path, diagnostics);
    if (!other) return refuse_input(diagnostics, {}, arguments);
    if (!(other->manifest.hash() == study.manifest.hash())) {
      diagnostics.error(workflow::study_refused, {},
                        {path, "it is another study: its digest is not that of " + study.folder.path()});
      return refuse_input(diagnostics, {}, arguments);
    }
    for (auto& [point, record] : other->results.points) {
      auto [at, is_new] = study.results.points.try_emplace(point, record);
      if (!is_new && !counts_before(record, at->second)) continue;
      at->second = record;
      if (!std::exchange(is_open, true)) not_written = shard.open(study.folder);
      if (not_written.empty()) not_written = shard.append(line_of(record, study.manifest.hash()));
      ++taken;
    }
  }
  if (!not_written.empty()) {
    diagnostics.error(workflow::study_not_written, {}, {study.folder.path(), not_written});
    return refuse_input(diagnostics, {}, arguments);
  }
  if (!arguments.print.json) std::printf("%s taken in\n", counted(taken, "point").c_str());
  return show_status(study, arguments);
}

int write_report(const OpenStudy& study, const Arguments& arguments, Diagnostics& diagnostics) {
  std::string file = arguments.outputs.result.empty() ? study.folder.file("report.html") : arguments.outputs.result;
  std::string title = std::filesystem::path(whole_path(study.folder.path())).filename().string();
  std::string page = study_page(title, study.manifest, study.plan, study.results, arguments.study.shown);
  if (!result::write_file(file, page, diagnostics)) return refuse_input(diagnostics, {}, arguments);
  if (arguments.print.json) print_json({{"status", "written"}, {"report", file}});
  else std::printf("wrote %s\n", file.c_str());
  return fine;
}

int go_on(const Arguments& arguments, Diagnostics& diagnostics) {
  workflow::StudyFolder folder(whole_path(arguments.study.folder));
  auto manifest = folder.manifest(diagnostics);
  if (!manifest) return refuse_input(diagnostics, {}, arguments);
  auto own = arguments_of(folder, *manifest, diagnostics);
  if (!own) return refuse_input(diagnostics, {}, arguments);
  own->fit.jobs = arguments.fit.jobs > 0 ? arguments.fit.jobs : own->fit.jobs;
  own->print.json = arguments.print.json;
  own->print.quiet = arguments.print.quiet;
  own->print.colour = arguments.print.colour;
  own->limits.megabytes = arguments.limits.megabytes;
  own->study.run = arguments.study.run;
  return run_points(*own, folder);
}

}  // namespace

int run_study(const Arguments& arguments) {
  Diagnostics diagnostics;
  const std::string& action = arguments.study.action;
  if (action == "run") return go_on(arguments, diagnostics);
  auto study = open_study(arguments.study.folder, diagnostics);
  if (!study) return refuse_input(diagnostics, {}, arguments);
  if (action == "status") return show_status(*study, arguments);
  if (action == "table") return write_table(*study, arguments, diagnostics);
  if (action == "report") return write_report(*study, arguments, diagnostics);
  return merge(*study, arguments, diagnostics);
}

}  // namespace bolza::cli
