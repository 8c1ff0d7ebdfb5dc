// SPDX-License-Identifier: Apache-2.0
// The queue: who takes which job, and whose it is meanwhile. Times are compared by the database, whose clock alone counts.
#include "server/store/jobs.h"

namespace bolza::server {
namespace {

constexpr std::int64_t most_lost_workers = 5;
constexpr const char* mine = " WHERE id = $1 AND worker = $2 AND attempt = $3 AND state = 'running'";

/// Jobs whose workers have not been heard of go back to the queue; those that ended so many of them have failed.
void take_back_lost_jobs(Database& database) {
  database.run(
      "UPDATE jobs SET state = 'failed', finished = {now}, worker = NULL, lost = lost + 1,"
      " message = 'its workers ended without a word, the last of them while it ran'"
      " WHERE state = 'running' AND lease_until < {now} AND lost + 1 >= $1",
      {most_lost_workers});
  database.run(
      "UPDATE jobs SET state = 'queued', worker = NULL, lost = lost + 1 WHERE state = 'running' AND lease_until < {now}");
}

SqlRows take_oldest_of(Database& database, const std::string& owner, const std::string& worker, double lease_seconds) {
  return database.run(
      "UPDATE jobs SET state = 'running', worker = $2, attempt = attempt + 1, started = {now}, lease_until = {now} + $3"
      " WHERE id = (SELECT id FROM jobs WHERE state = 'queued' AND owner = $1 ORDER BY created, id LIMIT 1 {skip_locked})"
      " RETURNING id",
      {owner, worker, lease_seconds});
}

void store_results(Database& database, const JobRecord& job, const JobEnd& end) {
  for (const auto& [name, content] : end.results)
    database.run("INSERT INTO job_results (job, name, content) VALUES ($1, $2, $3)", {job.id, name, Blob{content}});
}

}  // namespace

std::optional<JobRecord> claim_job(Database& database, const std::string& worker, double lease_seconds) {
  take_back_lost_jobs(database);
  SqlRows owners = database.run(
      "SELECT owner FROM queues WHERE EXISTS (SELECT 1 FROM jobs WHERE jobs.owner = queues.owner AND state = 'queued')"
      " ORDER BY last_served, owner");
  for (std::size_t k = 0; k < owners.size(); ++k) {
    SqlTransaction transaction(database);
    SqlRows taken = take_oldest_of(database, owners.text(k, "owner"), worker, lease_seconds);
    if (taken.empty()) continue;
    database.run("UPDATE queues SET last_served = {now} WHERE owner = $1", {owners.text(k, "owner")});
    std::optional<JobRecord> job = find_job(database, taken.text(0, "id"));
    transaction.commit();
    return job;
  }
  return {};
}

Heartbeat keep_job(Database& database, const JobRecord& job, double lease_seconds,
                   const std::vector<ProgressLineOfJob>& lines) {
  SqlTransaction transaction(database);
  SqlRows kept = database.run(std::string("UPDATE jobs SET lease_until = {now} + $4") + mine + " RETURNING cancel_requested",
                              {job.id, job.worker, job.attempt, lease_seconds});
  if (kept.empty()) return {};
  for (const ProgressLineOfJob& line : lines)
    database.run("INSERT INTO job_progress (job, attempt, number, line) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING",
                 {job.id, job.attempt, line.number, line.line});
  transaction.commit();
  return {true, kept.integer(0, "cancel_requested") != 0};
}

std::string as_text(std::string bytes) {
  std::erase(bytes, '\0');
  using Handler = nlohmann::json::error_handler_t;
  return nlohmann::json::parse(nlohmann::json(bytes).dump(-1, ' ', /*ensure_ascii=*/false, Handler::replace));
}

bool finish_job(Database& database, const JobRecord& job, const JobEnd& end) {
  std::int64_t bytes = 0;
  for (const auto& [name, content] : end.results) bytes += static_cast<std::int64_t>(content.size());
  SqlTransaction transaction(database);
  SqlRows ended = database.run(
      std::string("UPDATE jobs SET state = $4, verdict = $5, message = $6, version = $7, objective = $8, exit_code = $9,"
                  " result_bytes = $10, finished = {now}, worker = NULL") +
          mine + " RETURNING id",
      {job.id, job.worker, job.attempt, end.state, as_text(end.verdict), as_text(end.message), end.version,
       end.objective ? SqlValue(*end.objective) : SqlValue(nullptr), std::int64_t{end.exit_code}, bytes});
  if (ended.empty()) return false;
  store_results(database, job, end);
  count_kept(database, job.owner, bytes);
  transaction.commit();
  database.notify();
  return true;
}

void release_job(Database& database, const JobRecord& job) {
  database.run(std::string("UPDATE jobs SET state = 'queued', worker = NULL") + mine, {job.id, job.worker, job.attempt});
  database.notify();
}

void report_worker(Database& database, const std::string& worker, const std::string& host) {
  constexpr double forgotten_after = 3600;
  database.run("INSERT INTO workers (id, host, seen) VALUES ($1, $2, {now}) ON CONFLICT (id) DO UPDATE SET seen = {now}",
               {worker, host});
  database.run("DELETE FROM workers WHERE seen < {now} - $1", {forgotten_after});
}

void forget_worker(Database& database, const std::string& worker) {
  database.run("DELETE FROM workers WHERE id = $1", {worker});
}

}  // namespace bolza::server
