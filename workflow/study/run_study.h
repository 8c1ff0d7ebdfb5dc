// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <map>
#include <string>

#include "base/budget.h"
#include "workflow/study/folder.h"
#include "workflow/study/point_job.h"

namespace bolza::workflow {

/// How far a study, or a shard of one, is.
struct StudyCounts {
  std::size_t total = 0, solved = 0, warned = 0, failed = 0, broken = 0;  ///< as `PointRecord::Kind`
  std::size_t done() const { return solved + warned + failed + broken; }
  std::size_t missing() const { return total - done(); }
  void add(PointRecord::Kind kind);
};

struct StudyProgress {
  StudyCounts counts;
  double rate = 0;          ///< points per second of this run
  double seconds_left = 0;  ///< NaN: not known yet
};

/// Which points are done, and how.
struct StudyRequest {
  std::size_t jobs = 1;               ///< processes at a time
  std::size_t shard = 0, shards = 1;  ///< of the points every `shards`-th, from number `shard` on
  std::size_t most = 0;               ///< points that are begun; 0: all that are missing
  double point_seconds = 600;         ///< after which a point is ended by force
  double grace = 20;                  ///< seconds that points under way have after an interrupt
  bool keeps_trajectories = false;
  bool again = false;  ///< points that did not end by themselves are done again
  Budget budget;
  std::function<void(const StudyProgress&)> progress;
};

struct StudyRun {
  StudyCounts counts;       ///< of the shard, at the end
  std::size_t resumed = 0;  ///< of them, from runs before
  std::size_t strange = 0;  ///< lines of results that are none of this study's: their points count as missing
  bool interrupted = false;
  std::string not_written;  ///< why results could not be written; "" they were
};

/// Does what is missing of a study, some points after each other in a process, and appends a record of each to a new file of
/// the folder. A point after which its process dies is done again, alone. Whenever it is ended, what is recorded counts, and
/// the next run goes on; two runs at the same time disturb each other in nothing, and do points twice at worst. The records
/// of a point are the same whichever run it is of, but for its time.  Requires  no other threads in this process.  Errors
/// E986: results that cannot be read.
Result<StudyRun> run_study(const StudyFolder& folder, const StudyManifest& manifest, const StudyJob& job, const Plan& plan,
                           const StudyRequest& request, Diagnostics& diagnostics);

/// The record that counts of every point that has one.
struct StudyResults {
  std::map<std::size_t, PointRecord> points;
  std::size_t strange = 0;
  StudyCounts counts(std::size_t total) const;
};
Result<StudyResults> results_of(const StudyFolder& folder, const StudyManifest& manifest, std::size_t total,
                                Diagnostics& diagnostics);

/// Which shard a point belongs to: points of a line that is continued stay together.
std::size_t shard_of(const Plan& plan, std::size_t point, std::size_t shards);

}  // namespace bolza::workflow
