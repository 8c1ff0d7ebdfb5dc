// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "server/database/database.h"
#include "server/store/job_record.h"

namespace bolza::server {

/// What one account may have; 0: no limit.
struct Quota {
  std::int64_t jobs = 0;     ///< queued and running
  std::int64_t seconds = 0;  ///< of computing in the last 30 days
  std::int64_t bytes = 0;    ///< kept, of inputs and results
};

struct JobQuery {
  std::string owner;  ///< "" of everybody
  std::string state, command, words;
  double before = 0;      ///< created earlier than this; 0: any time
  std::string before_id;  ///< of those created at `before`, the ones that a list has after this job; "" none of them
  int most = 50;
};

struct Submission {
  std::string id;
  std::string refused;  ///< "" it is queued; else "full" or the quota that is used up: jobs, seconds, bytes
};

/// What a worker that has finished hands in.
struct JobEnd {
  std::string state, verdict, message, version;
  std::optional<double> objective;
  int exit_code = 0;
  std::map<std::string, std::string> results;  ///< contents by name
};

struct ProgressLineOfJob {
  std::int64_t attempt = 0, number = 0;
  std::string line;  ///< a JSON object
};

// All of them: errors are DatabaseFault.

/// Queues a job. @param secret_hash  of a job without an account, else "". @param most_queued  of all accounts, 0: no limit
Submission submit(Database& database, const JobRequest& request, const std::string& owner, const std::string& secret_hash,
                  const Quota& quota, std::int64_t most_queued);
std::optional<JobRecord> find_job(Database& database, const std::string& id);
std::optional<JobRecord> find_shared_job(Database& database, const std::string& share_hash);
std::vector<JobRecord> list_jobs(Database& database, const JobQuery& query);
/// The request of a job as it was, for a worker and to run it again.
std::optional<JobRequest> request_of(Database& database, const JobRecord& job);
std::optional<std::string> file_of(Database& database, const std::string& job, const std::string& name);
std::optional<std::string> result_of(Database& database, const std::string& job, const std::string& name);
/// Names and sizes.
std::map<std::string, std::int64_t> results_of(Database& database, const std::string& job);
std::map<std::string, std::int64_t> files_of(Database& database, const std::string& job);
std::vector<ProgressLineOfJob> progress_of(Database& database, const std::string& job, std::int64_t attempt,
                                           std::int64_t after, int most);
/// A queued job is cancelled, a running one when its worker looks next. False: it is over.
bool cancel_job(Database& database, const std::string& id);
void share_job(Database& database, const std::string& id, const std::string& share_hash);
/// Adds to what is kept of an account; in the transaction that keeps it.
void count_kept(Database& database, const std::string& owner, std::int64_t bytes);
Quota used_by(Database& database, const std::string& owner);
/// Numbers of jobs by state.
std::map<std::string, std::int64_t> count_jobs(Database& database);

/// Takes the next job for a worker: of the owner who was served longest ago, the oldest. Jobs whose workers have not been
/// heard of within their lease are taken again, or failed when that happened too often.
std::optional<JobRecord> claim_job(Database& database, const std::string& worker, double lease_seconds);
struct Heartbeat {
  bool is_mine = false, cancel_requested = false;
};
/// Says that the worker is at it; adds lines of progress.
Heartbeat keep_job(Database& database, const JobRecord& job, double lease_seconds,
                   const std::vector<ProgressLineOfJob>& lines);
/// UTF-8 without NUL, as databases take it: marks (U+FFFD) stand for bytes that are none.
std::string as_text(std::string bytes);
/// Stores what came of it. False: another worker has it by now, nothing is stored.
bool finish_job(Database& database, const JobRecord& job, const JobEnd& end);
/// Back to the queue: the worker ends, and it is not the job's fault.
void release_job(Database& database, const JobRecord& job);
void report_worker(Database& database, const std::string& worker, const std::string& host);
void forget_worker(Database& database, const std::string& worker);

}  // namespace bolza::server
