// SPDX-License-Identifier: Apache-2.0
#include "workflow/study/run_study.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <filesystem>
#include <new>
#include <utility>

#include "base/clock.h"
#include "base/processes.h"
#include "workflow/install_paths.h"

namespace bolza::workflow {
namespace {

using Kind = PointRecord::Kind;

/// What is known of each point of the plan, in a bit each.
struct PointBits {
  explicit PointBits(std::size_t points) : done(points), good(points), begun(points) {}
  std::vector<bool> done, good, begun;
};

/// A run of a study: which point is next, and what becomes of it.
class StudyRunner {
 public:
  StudyRunner(const StudyFolder& folder, const StudyManifest& manifest, const StudyJob& job, const Plan& plan,
              const StudyRequest& request)
      : folder_(folder),
        study_(manifest.hash()),
        job_(job),
        plan_(plan),
        request_(request),
        bits_(plan.size()) {}

  Result<StudyRun> run(Diagnostics& diagnostics) {
    for (std::size_t point = 0; point < plan_.size(); ++point) run_.counts.total += is_ours(point);
    auto strange = folder_.read(study_, [this](PointRecord record) { resume(record); }, diagnostics);
    if (!strange) return diagnostics.already_reported();
    count_resumed();
    run_.strange = *strange;
    ProcessOptions how{.jobs = request_.jobs,
                       .task_seconds = request_.point_seconds,
                       .budget = request_.budget,
                       .grace = request_.grace,
                       .keeps_what_is_said = true,
                       .first_alone = true};
    tell();
    bool whole = run_in_processes([this] { return next(); }, how,
                                  [this](std::size_t point, const Ready& ready) { return work(point, ready); },
                                  [this](std::size_t point, const TaskOutcome& outcome) { finished(point, outcome); });
    run_.interrupted = !whole;
    return std::move(run_);
  }

 private:
  bool is_ours(std::size_t point) const { return shard_of(plan_, point, request_.shards) == request_.shard; }

  void resume(const PointRecord& record) {
    if (record.point >= plan_.size() || (request_.again && record.kind == Kind::broken)) return;
    auto [at, is_new] = best_.try_emplace(record.point, record.kind);
    at->second = std::min(at->second, record.kind);
    bits_.done[record.point] = true;
    if (record.is_good()) bits_.good[record.point] = true;
  }

  void count_resumed() {
    for (const auto& [point, kind] : best_)
      if (is_ours(point)) run_.counts.add(kind);
    run_.resumed = run_.counts.done();
    best_.clear();
  }

  std::optional<std::size_t> next() {
    if (!run_.not_written.empty() || (request_.most > 0 && begun_ >= request_.most)) return {};
    while (!queue_.empty()) {
      std::size_t point = queue_.front();
      queue_.pop_front();
      if (std::optional<std::size_t> taken = take(point)) return taken;
    }
    for (; cursor_ < plan_.size(); ++cursor_) {
      if (!is_ours(cursor_) || bits_.done[cursor_]) continue;
      if (std::optional<std::size_t> before = plan_.before(cursor_); before && !bits_.done[*before]) continue;
      if (std::optional<std::size_t> taken = take(cursor_)) return taken;
    }
    return {};
  }

  std::optional<std::size_t> take(std::size_t point) {
    if (bits_.begun[point] || bits_.done[point]) return {};
    bits_.begun[point] = true;
    ++begun_;
    return point;
  }

  /// In the child: the line of the record, without its end.
  std::string work(std::size_t point, const Ready& ready) {
    PointRecord record;
    try {
      record = run_point(job_, plan_, point, files_of(point), ready);
    } catch (const std::bad_alloc&) {
      record = broken(point, "out_of_memory", "the system gives no more memory, or `--max-memory` allows no more");
    } catch (const std::exception& e) {
      record = broken(point, "internal_error", e.what());
    }
    std::string line = line_of(record, study_);
    line.pop_back();
    return line;
  }

  PointFiles files_of(std::size_t point) const {
    PointFiles files;
    if (request_.keeps_trajectories || plan_.along()) files.trajectory = folder_.trajectory(point);
    std::optional<std::size_t> before = plan_.before(point);
    std::error_code none;
    if (before && bits_.good[*before] && std::filesystem::exists(folder_.trajectory(*before), none))
      files.guess = folder_.trajectory(*before);
    return files;
  }

  PointRecord broken(std::size_t point, const std::string& status, const std::string& message) const {
    PointRecord record;
    record.kind = Kind::broken;
    record.point = point;
    record.values = plan_.values(point);
    record.status = status;
    record.message = message;
    return record;
  }

  PointRecord record_of(std::size_t point, const TaskOutcome& outcome) const {
    if (outcome.kind == TaskOutcome::Kind::done) {
      if (std::optional<PointRecord> record = read_record(outcome.text, study_)) return *std::move(record);
      return broken(point, "crashed", "it left no record that can be read");
    }
    bool is_late = outcome.kind == TaskOutcome::Kind::timed_out;
    std::string message =
        is_late ? "it was ended after " + std::to_string(std::lround(request_.point_seconds)) + " s (--point-time)"
                : "it ended with " + outcome.text;
    if (!outcome.said.empty()) message += "; the last that it said: " + outcome.said;
    PointRecord record = broken(point, is_late ? "timed_out" : "crashed", message);
    record.seconds = outcome.seconds;
    return record;
  }

  void finished(std::size_t point, const TaskOutcome& outcome) {
    constexpr const char* killed = "signal 9";  // from outside: by the system without memory, or with this process
    if (outcome.kind == TaskOutcome::Kind::crashed && outcome.text == killed && killed_[point]++ == 0) {
      bits_.begun[point] = false;
      queue_.push_back(point);
      return;
    }
    if (!run_.not_written.empty()) return;
    PointRecord record = record_of(point, outcome);
    if (!is_open_) run_.not_written = shard_.open(folder_);
    is_open_ = true;
    if (run_.not_written.empty()) run_.not_written = shard_.append(line_of(record, study_));
    if (!run_.not_written.empty()) return;
    shard_.sync(/*now=*/false);
    run_.counts.add(record.kind);
    bits_.done[point] = true;
    bits_.good[point] = record.is_good();
    if (std::optional<std::size_t> after = plan_.after(point)) queue_.push_back(*after);
    tell();
  }

  void tell() const {
    if (!request_.progress) return;
    StudyProgress progress{.counts = run_.counts, .seconds_left = std::nan("")};
    auto own = static_cast<double>(run_.counts.done() - run_.resumed);
    double seconds = seconds_since(begin_);
    if (own > 0 && seconds > 0) progress.rate = own / seconds;
    if (own > 0) progress.seconds_left = static_cast<double>(run_.counts.missing()) / progress.rate;
    request_.progress(progress);
  }

  const StudyFolder& folder_;
  ContentHash study_;
  const StudyJob& job_;
  const Plan& plan_;
  const StudyRequest& request_;
  PointBits bits_;
  std::map<std::size_t, Kind> best_;  ///< while results are read
  std::map<std::size_t, int> killed_;
  std::deque<std::size_t> queue_;
  std::size_t cursor_ = 0, begun_ = 0;
  Shard shard_;
  bool is_open_ = false;
  StudyRun run_;
  Clock::time_point begin_ = Clock::now();
};

}  // namespace

void StudyCounts::add(PointRecord::Kind kind) {
  std::size_t& count = kind == Kind::solved   ? solved
                       : kind == Kind::warned ? warned
                       : kind == Kind::failed ? failed
                                              : broken;
  ++count;
}

std::size_t shard_of(const Plan& plan, std::size_t point, std::size_t shards) { return plan.line(point) % shards; }

Result<StudyRun> run_study(const StudyFolder& folder, const StudyManifest& manifest, const StudyJob& job, const Plan& plan,
                           const StudyRequest& request, Diagnostics& diagnostics) {
  for (const char* library : {"bolza_solver", "bolza_ipopt"}) open_library(library);  // once for all points
  return StudyRunner(folder, manifest, job, plan, request).run(diagnostics);
}

StudyCounts StudyResults::counts(std::size_t total) const {
  StudyCounts counts{.total = total};
  for (const auto& [point, record] : points) counts.add(record.kind);
  return counts;
}

Result<StudyResults> results_of(const StudyFolder& folder, const StudyManifest& manifest, std::size_t total,
                                Diagnostics& diagnostics) {
  StudyResults results;
  auto take = [&](PointRecord record) {
    if (record.point >= total) return;
    auto [at, is_new] = results.points.try_emplace(record.point, record);
    if (!is_new && counts_before(record, at->second)) at->second = std::move(record);
  };
  auto strange = folder.read(manifest.hash(), take, diagnostics);
  if (!strange) return diagnostics.already_reported();
  results.strange = *strange;
  return results;
}

}  // namespace bolza::workflow
