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
#include "workflow/study/lane_points.h"

namespace bolza::workflow {
namespace {

using Kind = PointRecord::Kind;

/// What is known of each point of the plan, in a bit each.
struct PointBits {
  explicit PointBits(std::size_t points) : done(points), good(points), begun(points) {}
  std::vector<bool> done, good, begun;
};

/// Points that one process does, one after the other.
struct Bundle {
  std::vector<std::size_t> points;
  std::size_t done = 0;  ///< of them
};
constexpr std::size_t most_of_bundle = 32, least_bundles = 4;  ///< of each process: they end at about the same time
constexpr std::size_t most_of_simulations = 1000;              ///< which may be done side by side

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
                                  [this](std::size_t bundle, const TaskVoice& voice) { return work(bundle, voice); },
                                  [this](std::size_t bundle, const TaskOutcome& outcome) { finished(bundle, outcome); },
                                  [this](std::size_t bundle, const std::string& text) { take_part(bundle, text); });
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
    Bundle bundle;
    std::size_t most = size_of_bundle();
    while (bundle.points.size() < most) {
      bool is_alone = !alone_.empty();
      if (is_alone && !bundle.points.empty()) break;
      std::optional<std::size_t> point = next_point();
      if (!point) break;
      bundle.points.push_back(*point);
      if (is_alone) break;
    }
    if (bundle.points.empty()) return {};
    bundles_.emplace(next_bundle_, std::move(bundle));
    return next_bundle_++;
  }

  /// Of a line that is continued each point waits for the one before.
  std::size_t size_of_bundle() const {
    if (plan_.along()) return 1;
    std::size_t of_each = run_.counts.missing() / std::max<std::size_t>(1, request_.jobs);
    if (may_be_in_lanes()) return std::clamp(of_each + 1, std::size_t{1}, most_of_simulations);
    return std::clamp(of_each / least_bundles, std::size_t{1}, most_of_bundle);
  }

  std::optional<std::size_t> next_point() {
    if (!run_.not_written.empty() || (request_.most > 0 && begun_ >= request_.most)) return {};
    for (std::deque<std::size_t>* queue : {&alone_, &queue_})
      while (!queue->empty()) {
        std::size_t point = queue->front();
        queue->pop_front();
        if (take(point)) return point;
      }
    for (; cursor_ < plan_.size(); ++cursor_) {
      if (!is_ours(cursor_) || bits_.done[cursor_]) continue;
      if (std::optional<std::size_t> before = plan_.before(cursor_); before && !bits_.done[*before]) continue;
      if (take(cursor_)) return cursor_;
    }
    return {};
  }

  /// False: it is done, or somebody is at it.
  bool take(std::size_t point) {
    if (bits_.begun[point] || bits_.done[point]) return false;
    bits_.begun[point] = true;
    ++begun_;
    return true;
  }

  void put_back(std::size_t point, std::deque<std::size_t>& queue) {
    bits_.begun[point] = false;
    --begun_;
    queue.push_back(point);
  }

  /// A matter of the study alone: what a run has left to do, and what it keeps, changes nothing in the records.
  bool may_be_in_lanes() const {
    constexpr std::size_t least = 8;  // it costs as much as some points
    return std::holds_alternative<SimulateJob>(job_.what) && plan_.size() >= least;
  }

  /// Of those that can be done side by side.
  std::vector<std::optional<PointRecord>> records_of_lanes(const std::vector<std::size_t>& points) {
    std::unique_ptr<LanePoints> lanes = may_be_in_lanes() ? LanePoints::make(job_, plan_) : nullptr;
    return lanes ? lanes->run(points) : std::vector<std::optional<PointRecord>>(points.size());
  }

  PointRecord record_of_point(std::size_t point, const std::optional<PointRecord>& of_lanes, const TaskVoice& voice) const {
    PointFiles files = files_of(point);
    if (of_lanes && files.trajectory.empty()) return *of_lanes;
    PointRecord record = run_point(job_, plan_, point, files, voice.ready);
    return of_lanes.value_or(record);
  }

  /// In the child: gives the line of each record, without its end.
  std::string work(std::size_t number, const TaskVoice& voice) {
    const std::vector<std::size_t>& points = bundles_.at(number).points;
    std::vector<std::optional<PointRecord>> side_by_side = records_of_lanes(points);
    for (std::size_t k = 0; k < points.size() && (k == 0 || !voice.is_to_end()); ++k) {
      PointRecord record;
      bool may_be_of_others = false;  // what points before have left: it is done again in a process of its own
      try {
        record = record_of_point(points[k], side_by_side[k], voice);
      } catch (const std::bad_alloc&) {
        may_be_of_others = k > 0;
        record = broken(points[k], "out_of_memory", "the system gives no more memory, or `--max-memory` allows no more");
      } catch (const std::exception& e) {
        may_be_of_others = k > 0;
        record = broken(points[k], "internal_error", e.what());
      }
      if (may_be_of_others) break;
      std::string line = line_of(record, study_);
      line.pop_back();
      voice.part(line);
    }
    return "";
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
    if (outcome.kind == TaskOutcome::Kind::done) return broken(point, "crashed", "it left no record");
    bool is_late = outcome.kind == TaskOutcome::Kind::timed_out;
    std::string message =
        is_late ? "it was ended after " + std::to_string(std::lround(request_.point_seconds)) + " s (--point-time)"
                : "it ended with " + outcome.text;
    if (!outcome.said.empty()) message += "; the last that it said: " + outcome.said;
    PointRecord record = broken(point, is_late ? "timed_out" : "crashed", message);
    record.seconds = outcome.seconds;
    return record;
  }

  void take_part(std::size_t number, const std::string& text) {
    Bundle& bundle = bundles_.at(number);
    if (bundle.done == bundle.points.size()) return;
    std::size_t point = bundle.points[bundle.done++];
    std::optional<PointRecord> record = read_record(text, study_);
    keep(record && record->point == point ? *record : broken(point, "crashed", "it left no record that can be read"));
  }

  /// A process has ended, perhaps before its points were done.
  void finished(std::size_t number, const TaskOutcome& outcome) {
    Bundle bundle = std::move(bundles_.at(number));
    bundles_.erase(number);
    if (bundle.done == bundle.points.size()) return;
    std::size_t point = bundle.points[bundle.done];
    constexpr const char* killed = "signal 9";  // from outside: by the system without memory, or with this process
    bool is_first = bundle.done == 0,
         was_killed = outcome.kind == TaskOutcome::Kind::crashed && outcome.text == killed && killed_[point]++ == 0;
    if (is_first && !was_killed) keep(record_of(point, outcome));
    else put_back(point, alone_);
    for (std::size_t k = bundle.done + 1; k < bundle.points.size(); ++k) put_back(bundle.points[k], queue_);
  }

  void keep(const PointRecord& record) {
    if (!run_.not_written.empty()) return;
    if (!is_open_) run_.not_written = shard_.open(folder_);
    is_open_ = true;
    if (run_.not_written.empty()) run_.not_written = shard_.append(line_of(record, study_));
    if (!run_.not_written.empty()) return;
    shard_.sync(/*now=*/false);
    run_.counts.add(record.kind);
    bits_.done[record.point] = true;
    bits_.good[record.point] = record.is_good();
    if (std::optional<std::size_t> after = plan_.after(record.point)) queue_.push_back(*after);
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
  std::deque<std::size_t> queue_, alone_;  ///< that are next; that get a process of their own
  std::map<std::size_t, Bundle> bundles_;  ///< under way
  std::size_t next_bundle_ = 0;
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
