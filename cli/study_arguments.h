// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "workflow/study/folder.h"

namespace bolza::cli {

struct Arguments;

/// Where and when points are done.
struct StudyRunArguments {
  std::string shard;      ///< "2/8", "" all points
  double point_time = 0;  ///< seconds, 0: as long as docs/studies.md says
  double total_time = 0;  ///< seconds until which points are begun, 0: no limit
  bool keeps_trajectories = false, again = false;
  std::string engine = "local", partition, time_limit;  ///< here, or by slurm
  bool print = false;                                   ///< its script, and submit nothing
  double memory_limit = 0;                              ///< MB, 0: the cluster's own
  std::size_t tasks = 0, cpus = 1;
  bool missing = false;  ///< submit only what is missing; of `status`: list it
};

/// What the command line says of a study.
struct StudyArguments {
  std::string job = "solve";  ///< sweep: what is done at each point: solve, simulate or fit
  std::size_t samples = 0, guesses = 0;
  std::string sampling = "random", continuation;
  std::uint64_t seed = 1;
  std::vector<std::string> results;
  std::vector<workflow::GivenOption> given;  ///< sweep: what makes the study what it is

  std::string action, folder;
  std::vector<std::string> others;  ///< merge: folders
  bool failed = false, is_long = false, times = false;
  std::vector<std::string> shown;  ///< report: results
  StudyRunArguments run;
};

inline constexpr std::string_view study_jobs[] = {"solve", "simulate", "fit"};

/// Options of `bolza sweep`, after those of the job; takes away what a point cannot have.
void add_study_plan(CLI::App& app, Arguments& a);
/// Options of where and when points are done: they do not make another study.
void add_study_run(CLI::App& app, Arguments& a);
void describe_study(CLI::App& app, Arguments& a);

/// What was given of a command but for what `add_study_run` has, in one form: `words_of` makes the same of it again.
std::vector<workflow::GivenOption> options_of_study(const CLI::App& app);
/// "sweep", and the word for what it does at each point where it is no solve: how a command line begins.
std::vector<std::string> words_of_sweep(const std::string& job);
std::vector<std::string> words_of(const std::string& job, const std::vector<workflow::GivenOption>& given);

}  // namespace bolza::cli
