// SPDX-License-Identifier: Apache-2.0
#include "cli/study_arguments.h"

#include "cli/arguments.h"
#include "cli/option_groups.h"
#include "workflow/study/sequence.h"
#include "workflow/study/slurm.h"

namespace bolza::cli {
namespace {

constexpr const char* run_group = "Where and when";
constexpr std::size_t most_counted = 100'000'000;

/// Options of a job that a study has in another way, or not at all.
constexpr const char* not_of_points[] = {"--output",     "--csv",     "--report",  "--plot",
                                         "--start-time", "--journal", "--profiles"};
/// Options of a job that change nothing in what comes of it.
constexpr const char* of_running[] = {"--json",     "--colour",  "--quiet",  "--no-cache", "--max-memory",
                                      "--progress", "--sandbox", "--server", "--token"};

void add_study_cluster(CLI::App& app, StudyRunArguments& s) {
  app.add_option("--engine", s.engine,
                 "where points are done: local, on this machine, or slurm, as an array of tasks [local]")
      ->check(CLI::IsMember({"local", "slurm"}))
      ->group(run_group);
  app.add_flag("--print", s.print, "slurm: print the script and submit nothing")->group(run_group);
  app.add_option("--tasks", s.tasks, "slurm: tasks of the array [as many as points, up to 16]")
      ->check(CLI::Range(std::size_t{1}, workflow::most_tasks))
      ->type_name("N")
      ->group(run_group);
  app.add_option("--cpus", s.cpus, "slurm: processors of each task, and points at a time [1]")
      ->check(CLI::Range(std::size_t{1}, std::size_t{1024}))
      ->type_name("N")
      ->group(run_group);
  app.add_option("--partition", s.partition, "slurm: partition of the cluster [its own]")
      ->type_name("NAME")
      ->group(run_group);
  app.add_option("--time-limit", s.time_limit, "slurm: of each task, as 2:00:00 [its own]")
      ->type_name("TIME")
      ->group(run_group);
  app.add_option("--memory-limit", s.memory_limit, "slurm: megabytes of each task [its own]")
      ->check(positive())
      ->type_name("MB")
      ->group(run_group);
}

}  // namespace

void add_study_plan(CLI::App& app, Arguments& a) {
  StudyArguments& s = a.study;
  for (const char* name : not_of_points)
    if (CLI::Option* option = app.get_option_no_throw(name)) app.remove_option(option);
  app.get_option("--set")->description(
      "a parameter or any modifier; several values: k=range(0.1,2,20), n=choices(1,5), drawn: k=normal(1,0.2) (`bolza "
      "explain E984`)");
  app.add_option("--draws", s.samples, "points that are drawn, where values are: uniform, normal, …")
      ->check(CLI::Range(std::size_t{1}, most_counted))
      ->type_name("N");
  app.add_option("--sampling", s.sampling, "how they are drawn: random, latin-hypercube or sobol [random]")
      ->check(
          CLI::IsMember(std::vector<std::string>(std::begin(workflow::sampling_names), std::end(workflow::sampling_names))));
  app.add_option("--draw-seed", s.seed, "of what is drawn, and of guesses [1]")->type_name("N");
  app.add_option("--guesses", s.guesses, "every point from so many starts: the usual one, and random ones by their numbers")
      ->check(CLI::Range(std::size_t{2}, most_counted))
      ->type_name("N");
  app.add_option("--continuation", s.continuation, "each point starts from the solution of its neighbour along this setting")
      ->type_name("NAME");
  app.add_option("--results", s.results, "names of results to keep: objective,final.x [all, as far as 200]")
      ->delimiter(',')
      ->type_name("NAME,…");
  app.add_option("-o,--output", a.outputs.result, "folder of the study [FILE.study]")->type_name("FOLDER")->group(run_group);
  app.add_option("--table", a.outputs.csv, "at the end also write the table, as `bolza study table`")
      ->type_name("FILE.csv")
      ->group(run_group);
  app.add_option("--report", a.outputs.page, "at the end also write the page, as `bolza study report`")
      ->type_name("PAGE.html")
      ->group(run_group);
  add_study_run(app, a);
}

void add_study_run(CLI::App& app, Arguments& a) {
  StudyRunArguments& s = a.study.run;
  if (!app.get_option_no_throw("--jobs"))
    app.add_option("--jobs", a.fit.jobs, "processes at a time [as many as processors]")
        ->check(CLI::Range(std::size_t{1}, std::size_t{1024}))
        ->type_name("N");
  app.get_option("--jobs")->group(run_group);
  add_memory_limit(app, a);
  app.add_option("--shard", s.shard, "only this share of the points: 2/8 is the second of eight")
      ->type_name("I/N")
      ->group(run_group);
  app.add_option("--point-time", s.point_time, "seconds after which a point is ended by force [600]")
      ->check(positive())
      ->type_name("SECONDS")
      ->group(run_group);
  app.add_option("--total-time", s.total_time, "seconds after which no further point is begun [no limit]")
      ->check(positive())
      ->type_name("SECONDS")
      ->group(run_group);
  app.add_flag("--keep-trajectories", s.keeps_trajectories, "write the trajectory of every point")->group(run_group);
  app.add_flag("--again", s.again, "do points again that crashed, took too long or had refused values")->group(run_group);
  for (const char* name : of_running)
    if (CLI::Option* option = app.get_option_no_throw(name)) option->group(run_group);
  add_study_cluster(app, s);
}

void describe_study(CLI::App& app, Arguments& a) {
  StudyArguments& s = a.study;
  app.add_option(
         "action", s.action,
         "run: go on with what is missing; status: how far it is; table: its results; report: a page of them; merge: "
         "take in results of other copies of it")
      ->required()
      ->check(CLI::IsMember({"run", "status", "table", "report", "merge"}));
  app.add_option("folder", s.folder, "of the study")->required();
  app.add_option("others", s.others, "merge: folders of copies");
  app.add_flag("--missing", s.run.missing,
               "status: list the points that are missing; run by slurm: submit the shards of these alone");
  app.add_flag("--failed", s.failed, "status: list the points that are not solved, and why");
  app.add_flag("--long", s.is_long, "table: a row for each result of each point");
  app.add_flag("--times", s.times, "table: also the seconds that each point took");
  app.add_option("--show", s.shown, "report: these results [the first ones that differ]")
      ->delimiter(',')
      ->type_name("NAME,…");
  app.add_option("-o,--output", a.outputs.result,
                 "table: FILE.csv [to the terminal]; report: PAGE.html [FOLDER/report.html]")
      ->type_name("FILE");
  add_common(app, a);
  app.add_flag("-q,--quiet", a.print.quiet, "no progress line");
  add_study_run(app, a);
  app.footer("Example:\n  bolza study report vdp.study --show objective");
}

std::vector<workflow::GivenOption> options_of_study(const CLI::App& app) {
  std::vector<workflow::GivenOption> given;
  for (const CLI::Option* option : app.get_options()) {
    if (option->count() == 0 || option->get_group() == run_group) continue;
    std::string name = option->get_positional()       ? option->get_name(/*positional=*/true)
                             : option->get_lnames().empty() ? "-" + option->get_snames()[0]
                                                      : "--" + option->get_lnames()[0];
    bool takes_value = option->get_items_expected_max() > 0;
    given.push_back({name, takes_value || option->results()[0] != "true" ? option->results() : std::vector<std::string>{}});
  }
  return given;
}

std::vector<std::string> words_of_sweep(const std::string& job) {
  return job == study_jobs[0] ? std::vector<std::string>{"sweep"} : std::vector<std::string>{"sweep", job};
}

std::vector<std::string> words_of(const std::string& job, const std::vector<workflow::GivenOption>& given) {
  std::vector<std::string> words{"bolza", "sweep", job};
  for (const workflow::GivenOption& option : given) {
    bool is_positional = !option.name.starts_with('-');
    if (option.values.empty()) words.push_back(option.name);
    for (const std::string& value : option.values) words.push_back(is_positional ? value : option.name + "=" + value);
  }
  return words;
}

}  // namespace bolza::cli
