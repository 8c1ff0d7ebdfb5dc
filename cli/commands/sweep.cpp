// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/sweep.h"

#include <sched.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/digest.h"
#include "base/own_folder.h"
#include "base/text_table.h"
#include "cli/commands.h"
#include "cli/commands/fit_search.h"
#include "cli/commands/job_requests.h"
#include "cli/print.h"
#include "cli/process_limits.h"
#include "cli/progress.h"
#include "runtime/result/file.h"
#include "workflow/study/page.h"
#include "workflow/study/slurm.h"
#include "workflow/study/table.h"
#include "workflow/study_codes.h"

namespace bolza::cli {
namespace {

namespace fs = std::filesystem;
using workflow::StudyCounts;

constexpr double grace = 20;           // seconds for points under way after a signal: Slurm's own is 30 until it kills
constexpr double point_seconds = 600;  // unless --point-time or --max-time say more
constexpr int try_again = 75;          // EX_TEMPFAIL

std::size_t processors() {
  cpu_set_t set;
  CPU_ZERO(&set);
  return sched_getaffinity(0, sizeof set, &set) == 0 ? static_cast<std::size_t>(std::max(1, CPU_COUNT(&set))) : 1;
}

Result<workflow::StudyJob> job_of_points(const Arguments& arguments, Sources& sources, Diagnostics& diagnostics) {
  Arguments own = arguments;
  own.command = arguments.study.job;
  own.model.settings.clear();  // they are the plan's
  for (std::string* file : {&own.outputs.result, &own.outputs.csv, &own.outputs.page})
    file->clear();  // of the study, not of its points
  workflow::StudyJob study;
  study.results = arguments.study.results;
  if (arguments.limits.seconds > 0) study.seconds = arguments.limits.seconds;
  if (own.command == "simulate") {
    auto job = simulate_job(own, sources, diagnostics);
    if (!job) return diagnostics.already_reported();
    study.what = *std::move(job);
  } else if (own.command == "fit") {
    auto job = fit_request(own, sources, diagnostics);
    if (!job) return diagnostics.already_reported();
    ProgressLine none(/*wanted=*/false);
    add_search(own, none, *job);
    if (job->search) {
      job->search->jobs = 0;  // the points are what is done at the same time
      job->search->progress = nullptr;
    }
    study.what = *std::move(job);
  } else {
    auto job = solve_job(own, sources, diagnostics);
    if (!job) return diagnostics.already_reported();
    study.what = *std::move(job);
  }
  return study;
}

/// "2/8" → 1 of 8. Errors  E985.
Result<std::pair<std::size_t, std::size_t>> shard_of_text(const std::string& text, Diagnostics& diagnostics) {
  if (text.empty()) return std::pair<std::size_t, std::size_t>(0, 1);
  std::size_t slash = std::min(text.find('/'), text.size());
  auto number = number_in(text.substr(0, slash));
  auto of = number_in(text.substr(std::min(slash + 1, text.size())));
  auto is_whole = [](std::optional<double> v) { return v && *v >= 1 && *v <= 1e6 && *v == std::floor(*v); };
  if (!is_whole(number) || !is_whole(of) || *number > *of)
    return diagnostics.error(workflow::bad_plan, {},
                             {"`--shard " + text + "` is not a share of the points: 2/8 is the second of eight"});
  return std::pair(static_cast<std::size_t>(*number) - 1, static_cast<std::size_t>(*of));
}

bool is_utf8(const std::string& text) {
  try {
    (void)nlohmann::json(text).dump();
    return true;
  } catch (const nlohmann::json::type_error&) {
    return false;
  }
}

/// What is kept of the command has to come back as it was. Errors  E985.
Result<Done> check_texts(const std::vector<workflow::GivenOption>& given, Diagnostics& diagnostics) {
  for (const workflow::GivenOption& option : given)
    if (!std::ranges::all_of(option.values, is_utf8))
      return diagnostics.error(workflow::bad_plan, {}, {"`" + option.name + "` has bytes that are not UTF-8"});
  return Done{};
}

std::string percent_bar(const StudyCounts& counts) {
  constexpr std::size_t width = 20;
  std::size_t filled = counts.total == 0 ? width : counts.done() * width / counts.total;
  return "[" + std::string(filled, '#') + std::string(width - filled, '.') + "]";
}

std::string text_of_seconds(double seconds) {
  if (seconds < 100) return std::to_string(std::lround(seconds)) + " s";
  if (seconds < 6000) return std::to_string(std::lround(seconds / 60)) + " min";
  return readable(std::round(seconds / 360) / 10) + " h";
}

std::string text_of_progress(const workflow::StudyProgress& p) {
  std::string text = percent_bar(p.counts) + " " + std::to_string(p.counts.done()) + " of " + std::to_string(p.counts.total);
  if (std::size_t bad = p.counts.failed + p.counts.broken; bad > 0) text += ", " + std::to_string(bad) + " not solved";
  char rate[32];
  std::snprintf(rate, sizeof rate, "%.3g", p.rate);
  if (p.rate > 0) text += std::string(", ") + rate + " a second";
  if (std::isfinite(p.seconds_left)) text += ", " + text_of_seconds(p.seconds_left) + " left";
  return text;
}

void print_run(const workflow::StudyFolder& folder, const workflow::StudyRun& run, double seconds) {
  const StudyCounts& c = run.counts;
  std::size_t own = c.done() - run.resumed;
  std::printf("%s: %zu of %zu points\n", folder.path().c_str(), c.done(), c.total);
  std::printf("  solved       %zu", c.solved + c.warned);
  if (c.warned > 0) std::printf(", %zu of them with warnings", c.warned);
  std::printf("\n");
  if (c.failed > 0) std::printf("  not solved   %zu\n", c.failed);
  if (c.broken > 0)
    std::printf("  broken       %zu: `bolza study status %s --failed` says why\n", c.broken, folder.path().c_str());
  if (run.strange > 0)
    std::printf("  left out     %zu damaged or foreign lines of results: their points are missing\n", run.strange);
  if (run.resumed > 0) std::printf("  done before  %zu\n", run.resumed);
  if (own > 0)
    std::printf("  effort       %s in %.3g s, %.3g a second\n", counted(own, "point").c_str(), seconds,
                static_cast<double>(own) / seconds);
  if (c.missing() > 0) std::printf("  missing      %zu: `bolza study run %s` goes on\n", c.missing(), folder.path().c_str());
}

int exit_code_of(const workflow::StudyRun& run, const Arguments& arguments) {
  if (run.interrupted) {
    int code = exit_code_of_interrupt(not_solved, arguments);
    return code == 128 + SIGTERM ? try_again : code;
  }
  const StudyCounts& c = run.counts;
  if (!run.not_written.empty() || c.missing() + c.failed + c.broken > 0) return not_solved;
  return c.warned > 0 ? warned : fine;
}

/// Kernels are compiled into the study's folder, so that they travel with it; into the user's where others can write there.
void use_kernels_of(const workflow::StudyFolder& folder) {
  std::string kernels = whole_path(folder.file("kernels"));
  if (folder_of_others(kernels).empty()) setenv("BOLZA_CACHE", kernels.c_str(), /*overwrite=*/1);
}

/// What the folder belongs to. The model is read once here; its warnings are told. Errors  those of its text.
std::optional<workflow::StudyManifest> manifest_of(const Arguments& arguments, const StatedStudy& study) {
  auto model = workflow::model_at(study.job, study.plan, 0);
  if (workflow::has_wrong_text(*model)) {
    auto last = workflow::model_at(study.job, study.plan, study.plan.size() - 1);
    if (workflow::has_wrong_text(*last)) {
      refuse_input(model->diagnostics, model->sources, arguments);
      return {};
    }
  }
  if (model->diagnostics.errors() == 0) print_diagnostics(model->diagnostics, model->sources, arguments);
  workflow::StudyManifest m;
  m.program = BOLZA_VERSION;
  m.kind = arguments.study.job;
  m.directory = fs::current_path().string();
  m.command = arguments.study.given;
  m.plan = study.plan.json().dump();
  m.model = workflow::digest_of_model(*model);
  std::string words;
  for (const std::string& word : words_of(m.kind, m.command)) words += word + '\n';
  m.options = digest(words);
  m.files = workflow::digest_of_files(study.job);
  return m;
}

/// The kernels of the first missing point are compiled here, so that no node compiles; then the rest is an array of tasks.
int run_by_slurm(const Arguments& arguments, const workflow::StudyFolder& given, const workflow::StudyManifest& manifest,
                 const StatedStudy& study, workflow::StudyRequest first) {
  Diagnostics diagnostics;
  auto refuse = [&] { return refuse_input(diagnostics, {}, arguments); };
  workflow::StudyFolder folder(whole_path(given.path()));
  first.jobs = first.most = 1;
  auto run = run_study(folder, manifest, study.job, study.plan, first, diagnostics);
  if (!run) return refuse();
  auto results = results_of(folder, manifest, study.plan.size(), diagnostics);
  if (!results) return refuse();
  const StudyRunArguments& s = arguments.study.run;
  workflow::SlurmRequest request{.program = fs::canonical("/proc/self/exe").string(),
                                 .partition = s.partition,
                                 .time_limit = s.time_limit,
                                 .memory = s.memory_limit,
                                 .tasks = s.tasks,
                                 .cpus = s.cpus,
                                 .only_missing = s.missing};
  if (s.keeps_trajectories) request.arguments.push_back("--keep-trajectories");
  if (s.again) request.arguments.push_back("--again");
  if (arguments.limits.megabytes > 0) request.arguments.push_back("--max-memory=" + readable(arguments.limits.megabytes));
  if (s.point_time > 0) request.arguments.push_back("--point-time=" + readable(s.point_time));
  workflow::SlurmShards shards = shards_of(request, study.plan, *results);
  std::string script = sbatch_script(folder, request, shards);
  if (s.print) return std::printf("%s", script.c_str()) < 0 ? not_solved : fine;
  if (shards.shards.empty()) {
    if (arguments.print.json) print_json(json_of(given.path(), run->counts, run->strange));
    else std::printf("%s: nothing is missing\n", given.path().c_str());
    return fine;
  }
  auto file = write_script(folder, script, diagnostics);
  if (!file) return refuse();
  auto number = submit(folder, *file, diagnostics);
  if (!number) return refuse();
  if (arguments.print.json)
    print_json({{"status", "submitted"}, {"job", *number}, {"tasks", shards.shards.size()}, {"script", *file}});
  else
    std::printf("%s: job %s with %s; `bolza study status %s` says how far it is\n", given.path().c_str(), number->c_str(),
                counted(shards.shards.size(), "task").c_str(), given.path().c_str());
  return fine;
}

/// The table and the page of what is there.
Result<Done> write_outputs(const Arguments& arguments, const workflow::StudyFolder& folder,
                           const workflow::StudyManifest& manifest, const workflow::Plan& plan, Diagnostics& diagnostics) {
  if (arguments.outputs.csv.empty() && arguments.outputs.page.empty()) return Done{};
  auto results = results_of(folder, manifest, plan.size(), diagnostics);
  if (!results) return diagnostics.already_reported();
  if (!arguments.outputs.csv.empty() &&
      !result::write_file(arguments.outputs.csv, wide_table(plan, *results, /*times=*/false), diagnostics))
    return diagnostics.already_reported();
  if (arguments.outputs.page.empty()) return Done{};
  std::string title = fs::path(whole_path(folder.path())).filename().string();
  return result::write_file(arguments.outputs.page, study_page(title, manifest, plan, *results, {}), diagnostics);
}

}  // namespace

nlohmann::json json_of(const std::string& folder, const StudyCounts& c, std::size_t strange_lines) {
  return {{"status", c.missing() == 0 ? "complete" : "incomplete"},
          {"folder", folder},
          {"points", c.total},
          {"solved", c.solved},
          {"solved_with_warnings", c.warned},
          {"not_solved", c.failed},
          {"broken", c.broken},
          {"missing", c.missing()},
          {"strange_lines", strange_lines}};
}

std::string whole_path(const std::string& name) {
  std::string path = fs::absolute(name).lexically_normal().string();
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  return path;
}

Result<StatedStudy> stated_study(const Arguments& arguments, Sources& sources, Diagnostics& diagnostics) {
  const StudyArguments& s = arguments.study;
  if (!check_texts(s.given, diagnostics)) return diagnostics.already_reported();
  auto job = job_of_points(arguments, sources, diagnostics);
  if (!job) return diagnostics.already_reported();
  auto plan = workflow::Plan::make({.settings = arguments.model.settings,
                                    .samples = s.samples,
                                    .sampling = *workflow::sampling_named(s.sampling),
                                    .seed = s.seed,
                                    .guesses = s.guesses,
                                    .continuation = s.continuation},
                                   diagnostics);
  if (!plan) return diagnostics.already_reported();
  if (!check_job(*job, *plan, s.run.keeps_trajectories, diagnostics)) return diagnostics.already_reported();
  return StatedStudy{*std::move(job), *std::move(plan)};
}

Result<Arguments> arguments_of(const workflow::StudyFolder& folder, const workflow::StudyManifest& manifest,
                               Diagnostics& diagnostics) {
  std::error_code failed;
  fs::current_path(manifest.directory, failed);
  if (failed)
    return diagnostics.error(workflow::study_refused, {},
                             {folder.path(), "it was begun in `" + manifest.directory + "`, which " + failed.message()});
  std::vector<std::string> words = words_of(manifest.kind, manifest.command);
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  Parsed parsed = parse_arguments(static_cast<int>(pointers.size()), pointers.data());
  if (parsed.done)
    return diagnostics.error(workflow::study_refused, {}, {folder.path(), "its command is not one of this program"});
  return std::move(parsed.arguments);
}

int run_points(const Arguments& arguments, const workflow::StudyFolder& folder) {
  Sources sources;
  Diagnostics diagnostics;
  auto refuse = [&] { return refuse_input(diagnostics, sources, arguments); };
  auto study = stated_study(arguments, sources, diagnostics);
  if (!study) return refuse();
  auto shard = shard_of_text(arguments.study.run.shard, diagnostics);
  if (!shard) return refuse();
  auto manifest = manifest_of(arguments, *study);
  if (!manifest) return bad_input;
  if (!folder.begin(*manifest, diagnostics)) return refuse();
  if (!arguments.model.no_cache) use_kernels_of(folder);
  ProgressLine line(!arguments.print.quiet && !arguments.print.json);
  workflow::StudyRequest request{.jobs = arguments.fit.jobs > 0 ? arguments.fit.jobs : processors(),
                                 .shard = shard->first,
                                 .shards = shard->second,
                                 .point_seconds = std::max(point_seconds, 2 * arguments.limits.seconds),
                                 .grace = grace,
                                 .keeps_trajectories = arguments.study.run.keeps_trajectories,
                                 .again = arguments.study.run.again};
  if (arguments.study.run.point_time > 0) request.point_seconds = arguments.study.run.point_time;
  request.budget = catch_interrupts(2 * grace);
  if (arguments.study.run.total_time > 0) request.budget = request.budget.part(arguments.study.run.total_time);
  ProgressRecords records(arguments.print.progress == ProgressForm::json);
  request.progress = [&](const workflow::StudyProgress& p) {
    records.studied(p);
    if (line.due()) line.show(text_of_progress(p));
  };
  if (arguments.study.run.engine == "slurm") return run_by_slurm(arguments, folder, *manifest, *study, request);
  Clock::time_point begin = Clock::now();
  auto run = workflow::run_study(folder, *manifest, study->job, study->plan, request, diagnostics);
  line.clear();
  if (!run) return refuse();
  if (!run->not_written.empty()) {
    diagnostics.error(workflow::study_not_written, {}, {folder.path(), run->not_written});
    print_diagnostics(diagnostics, sources, arguments);
  }
  if (run->not_written.empty() && !write_outputs(arguments, folder, *manifest, study->plan, diagnostics)) return refuse();
  if (!arguments.print.json) print_run(folder, *run, seconds_since(begin));
  else {
    nlohmann::json report = json_of(folder.path(), run->counts, run->strange);
    report["resumed"] = run->resumed;
    print_json(report);
  }
  return exit_code_of(*run, arguments);
}

int run_sweep(const Arguments& arguments) {
  std::string name =
      arguments.outputs.result.empty() ? fs::path(arguments.file).stem().string() + ".study" : arguments.outputs.result;
  return run_points(arguments, workflow::StudyFolder(name));
}

}  // namespace bolza::cli
