// SPDX-License-Identifier: Apache-2.0
// Studies on a cluster: an array of tasks, each a shard. Nothing here is linked with Slurm: its commands are called.
#pragma once
#include <string>
#include <vector>

#include "base/result.h"
#include "workflow/study/run_study.h"

namespace bolza::workflow {

/// What a cluster is asked for.
struct SlurmRequest {
  std::string program;                 ///< path of bolza on the nodes
  std::string partition, time_limit;   ///< "": the cluster's own; "2:00:00"
  double memory = 0;                   ///< MB for each task; 0: the cluster's own
  std::size_t tasks = 0, cpus = 1;     ///< shards, and processes of each; 0: as many as points, up to `usual_tasks`
  bool only_missing = false;           ///< only shards that have missing points
  std::vector<std::string> arguments;  ///< of `bolza study run` on the nodes, besides
};
/// The most that MaxArraySize of a cluster that nobody has changed allows.
inline constexpr std::size_t usual_tasks = 16, most_tasks = 1000;

/// Shards that are to be submitted, from 0, of how many.
struct SlurmShards {
  std::vector<std::size_t> shards;
  std::size_t of = 1;
};
SlurmShards shards_of(const SlurmRequest& request, const Plan& plan, const StudyResults& results);

/// The script for sbatch. A task that is told that its time ends finishes the points under way and is put into the queue
/// again; so it is after SIGTERM where the cluster does that. `folder` is absolute.
std::string sbatch_script(const StudyFolder& folder, const SlurmRequest& request, const SlurmShards& shards);

/// Writes the script into the folder. @returns its path. Errors  E987.
Result<std::string> write_script(const StudyFolder& folder, const std::string& script, Diagnostics& diagnostics);
/// Gives it to sbatch, and keeps the number of the job in the folder. @returns the number. Errors  E989.
Result<std::string> submit(const StudyFolder& folder, const std::string& script, Diagnostics& diagnostics);

/// What the queue says of a job: states with how many tasks are in them, as "RUNNING"; empty: it knows the job no more.
struct SlurmJob {
  std::string number;
  std::vector<std::pair<std::string, std::size_t>> states;
};
/// Of every job that was submitted for the study. Errors  E989; none where none was.
Result<std::vector<SlurmJob>> jobs_in_queue(const StudyFolder& folder, Diagnostics& diagnostics);

}  // namespace bolza::workflow
