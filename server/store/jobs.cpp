// SPDX-License-Identifier: Apache-2.0
#include "server/store/jobs.h"

#include "base/sha256.h"
#include "server/store/secrets.h"

namespace bolza::server {
namespace {

constexpr std::string_view columns =
    "jobs.id, jobs.owner, users.name AS owner_name, jobs.secret_hash, jobs.title, jobs.command, jobs.model, jobs.class,"
    " jobs.options, jobs.start_from, jobs.hash, jobs.input_bytes, jobs.state, jobs.created, jobs.started, jobs.finished,"
    " jobs.attempt, jobs.worker, jobs.cancel_requested, jobs.exit_code, jobs.verdict, jobs.objective, jobs.message,"
    " jobs.version, jobs.result_bytes, jobs.share_hash FROM jobs LEFT JOIN users ON users.id = jobs.owner ";

std::optional<double> number_or_none(const SqlRows& rows, std::size_t row, std::string_view name) {
  if (!rows.at(row, name)) return {};
  return rows.number(row, name);
}

void read_request(const SqlRows& rows, std::size_t k, JobRecord& job) {
  job.id = rows.text(k, "id");
  job.owner = rows.text(k, "owner");
  job.owner_name = rows.text(k, "owner_name");
  job.secret_hash = rows.text(k, "secret_hash");
  job.title = rows.text(k, "title");
  job.command = rows.text(k, "command");
  job.model = rows.text(k, "model");
  job.class_name = rows.text(k, "class");
  job.options = nlohmann::json::parse(rows.text(k, "options"), nullptr, /*allow_exceptions=*/false);
  if (job.options.is_discarded()) job.options = nlohmann::json::object();  // the hash is another one then
  job.start_from = rows.text(k, "start_from");
  job.hash = rows.text(k, "hash");
  job.input_bytes = rows.integer(k, "input_bytes");
  job.created = rows.number(k, "created");
}

JobRecord record_of(const SqlRows& rows, std::size_t k) {
  JobRecord job;
  read_request(rows, k, job);
  job.state = rows.text(k, "state");
  job.started = number_or_none(rows, k, "started");
  job.finished = number_or_none(rows, k, "finished");
  job.attempt = rows.integer(k, "attempt");
  job.worker = rows.text(k, "worker");
  job.cancel_requested = rows.integer(k, "cancel_requested") != 0;
  if (rows.at(k, "exit_code")) job.exit_code = rows.integer(k, "exit_code");
  job.verdict = rows.text(k, "verdict");
  job.objective = number_or_none(rows, k, "objective");
  job.message = rows.text(k, "message");
  job.version = rows.text(k, "version");
  job.result_bytes = rows.integer(k, "result_bytes");
  job.share_hash = rows.text(k, "share_hash");
  return job;
}

std::optional<JobRecord> first_of(const SqlRows& rows) {
  if (rows.empty()) return {};
  return record_of(rows, 0);
}

SqlValue text_or_null(const std::string& text) { return text.empty() ? SqlValue(nullptr) : SqlValue(text); }

std::optional<std::string> content_of(Database& database, const std::string& table, const std::string& job,
                                      const std::string& name) {
  SqlRows rows = database.run("SELECT content FROM " + table + " WHERE job = $1 AND name = $2", {job, name});
  if (rows.empty()) return {};
  return rows.text(0, "content");
}

std::map<std::string, std::int64_t> sizes_of(Database& database, const std::string& table, const std::string& job) {
  SqlRows rows = database.run("SELECT name, length(content) AS size FROM " + table + " WHERE job = $1", {job});
  std::map<std::string, std::int64_t> sizes;
  for (std::size_t k = 0; k < rows.size(); ++k) sizes[rows.text(k, "name")] = rows.integer(k, "size");
  return sizes;
}

/// "" when there is room.
std::string refusal(Database& database, const std::string& owner, std::int64_t bytes, const Quota& quota,
                    std::int64_t most_queued) {
  if (most_queued > 0 &&
      database.run("SELECT count(*) AS n FROM jobs WHERE state = 'queued'").integer(0, "n") >= most_queued)
    return "full";
  Quota used = used_by(database, owner);
  if (quota.jobs > 0 && used.jobs >= quota.jobs) return "jobs";
  if (quota.seconds > 0 && used.seconds >= quota.seconds) return "seconds";
  if (quota.bytes > 0 && used.bytes + bytes > quota.bytes) return "bytes";
  return "";
}

/// '%' and '_' of what is looked for are themselves.
std::string pattern_of(const std::string& words) {
  std::string pattern = "%";
  for (char c : words) {
    if (c == '%' || c == '_' || c == '\\') pattern += '\\';
    pattern += c;
  }
  return pattern + "%";
}

/// Ids are lower case hexadecimal digits: all of them come before this where none is given.
std::string after_all_ids(const std::string& id) { return id.empty() ? "g" : id; }

}  // namespace

std::string hash_of(const JobRequest& request) {
  nlohmann::json all{{"command", request.command},
                     {"model", request.model},
                     {"class", request.class_name},
                     {"options", request.options},
                     {"start_from", request.start_from}};
  for (const auto& [name, content] : request.files) all["files"][name] = sha256(content);
  return sha256(all.dump());
}

Submission submit(Database& database, const JobRequest& request, const std::string& owner, const std::string& secret_hash,
                  const Quota& quota, std::int64_t most_queued) {
  std::int64_t bytes = 0;
  for (const auto& [name, content] : request.files) bytes += static_cast<std::int64_t>(content.size());
  SqlTransaction transaction(database);
  // The row is locked by this: who submits at the same time waits, and counts what is submitted here.
  database.run(
      "INSERT INTO queues (owner, last_served) VALUES ($1, 0) ON CONFLICT (owner) DO UPDATE SET owner = excluded.owner",
      {owner});
  if (std::string refused = refusal(database, owner, bytes, quota, most_queued); !refused.empty()) return {"", refused};
  std::string id = random_id();
  database.run(
      "INSERT INTO jobs (id, owner, secret_hash, title, command, model, class, options, start_from, hash, input_bytes,"
      " state, created) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 'queued', {now})",
      {id, owner, text_or_null(secret_hash), request.title, request.command, request.model, request.class_name,
       request.options.dump(), text_or_null(request.start_from), hash_of(request), bytes});
  for (const auto& [name, content] : request.files)
    database.run("INSERT INTO job_files (job, name, content) VALUES ($1, $2, $3)", {id, name, Blob{content}});
  count_kept(database, owner, bytes);
  transaction.commit();
  database.notify();
  return {id, ""};
}

void count_kept(Database& database, const std::string& owner, std::int64_t bytes) {
  database.run("UPDATE queues SET kept_bytes = kept_bytes + $2 WHERE owner = $1", {owner, bytes});
}

std::optional<JobRecord> find_job(Database& database, const std::string& id) {
  return first_of(database.run("SELECT " + std::string(columns) + "WHERE jobs.id = $1", {id}));
}

std::optional<JobRecord> find_shared_job(Database& database, const std::string& share_hash) {
  return first_of(database.run("SELECT " + std::string(columns) + "WHERE jobs.share_hash = $1", {share_hash}));
}

std::vector<JobRecord> list_jobs(Database& database, const JobQuery& query) {
  std::string sql = "SELECT " + std::string(columns) + "WHERE 1 = 1";
  std::vector<SqlValue> values;
  auto place_of = [&](const SqlValue& value) {
    values.push_back(value);
    return "$" + std::to_string(values.size());
  };
  auto demand = [&](const std::string& condition, const SqlValue& value) {
    std::string place = place_of(value), text = condition;
    for (std::size_t at = text.find('#'); at != std::string::npos; at = text.find('#')) text.replace(at, 1, place);
    sql += " AND " + text;
  };
  if (!query.owner.empty()) demand("jobs.owner = #", query.owner);
  if (!query.state.empty()) demand("jobs.state = #", query.state);
  if (!query.command.empty()) demand("jobs.command = #", query.command);
  if (query.before > 0)
    demand("(jobs.created < # OR (jobs.created = # AND jobs.id > " + place_of(after_all_ids(query.before_id)) + "))",
           query.before);
  if (!query.words.empty())
    demand(
        "(lower(jobs.title) LIKE lower(#) ESCAPE '\\' OR lower(jobs.class) LIKE lower(#) ESCAPE '\\'"
        " OR lower(jobs.model) LIKE lower(#) ESCAPE '\\' OR jobs.id LIKE # ESCAPE '\\' OR jobs.hash LIKE # ESCAPE '\\')",
        pattern_of(query.words));
  values.emplace_back(std::int64_t{query.most});
  sql += " ORDER BY jobs.created DESC, jobs.id LIMIT $" + std::to_string(values.size());
  SqlRows rows = database.run(sql, values);
  std::vector<JobRecord> jobs;
  for (std::size_t k = 0; k < rows.size(); ++k) jobs.push_back(record_of(rows, k));
  return jobs;
}

std::optional<JobRequest> request_of(Database& database, const JobRecord& job) {
  JobRequest request{job.title, job.command, job.model, job.class_name, job.options, job.start_from, {}};
  SqlRows rows = database.run("SELECT name, content FROM job_files WHERE job = $1", {job.id});
  for (std::size_t k = 0; k < rows.size(); ++k) request.files[rows.text(k, "name")] = rows.text(k, "content");
  if (hash_of(request) != job.hash) return {};
  return request;
}

std::optional<std::string> file_of(Database& database, const std::string& job, const std::string& name) {
  return content_of(database, "job_files", job, name);
}
std::optional<std::string> result_of(Database& database, const std::string& job, const std::string& name) {
  return content_of(database, "job_results", job, name);
}
std::map<std::string, std::int64_t> results_of(Database& database, const std::string& job) {
  return sizes_of(database, "job_results", job);
}
std::map<std::string, std::int64_t> files_of(Database& database, const std::string& job) {
  return sizes_of(database, "job_files", job);
}

std::vector<ProgressLineOfJob> progress_of(Database& database, const std::string& job, std::int64_t attempt,
                                           std::int64_t after, int most) {
  SqlRows rows = database.run(
      "SELECT number, line FROM job_progress WHERE job = $1 AND attempt = $2 AND number > $3 ORDER BY number LIMIT $4",
      {job, attempt, after, std::int64_t{most}});
  std::vector<ProgressLineOfJob> lines;
  for (std::size_t k = 0; k < rows.size(); ++k) lines.push_back({attempt, rows.integer(k, "number"), rows.text(k, "line")});
  return lines;
}

bool cancel_job(Database& database, const std::string& id) {
  SqlTransaction transaction(database);
  std::size_t queued = database
                           .run(
                               "UPDATE jobs SET state = 'cancelled', finished = {now}, cancel_requested = 1,"
                               " message = 'cancelled before it began' WHERE id = $1 AND state = 'queued'",
                               {id})
                           .changed;
  std::size_t running =
      queued ? 0 : database.run("UPDATE jobs SET cancel_requested = 1 WHERE id = $1 AND state = 'running'", {id}).changed;
  transaction.commit();
  database.notify();
  return queued + running > 0;
}

void share_job(Database& database, const std::string& id, const std::string& share_hash) {
  database.run("UPDATE jobs SET share_hash = $2 WHERE id = $1", {id, text_or_null(share_hash)});
}

Quota used_by(Database& database, const std::string& owner) {
  constexpr double days = 30, seconds_of_a_day = 86'400;
  SqlRows rows = database.run(
      "SELECT (SELECT count(*) FROM jobs WHERE owner = $1 AND state IN ('queued', 'running')) AS jobs,"
      " (SELECT coalesce(sum(finished - started), 0) FROM jobs WHERE owner = $1 AND finished > {now} - $2) AS seconds,"
      " (SELECT coalesce(max(kept_bytes), 0) FROM queues WHERE owner = $1) AS bytes",
      {owner, days * seconds_of_a_day});
  return {rows.integer(0, "jobs"), static_cast<std::int64_t>(rows.number(0, "seconds")), rows.integer(0, "bytes")};
}

std::map<std::string, std::int64_t> count_jobs(Database& database) {
  SqlRows rows = database.run("SELECT state, count(*) AS n FROM jobs GROUP BY state");
  std::map<std::string, std::int64_t> counts;
  for (const char* state : {"queued", "running", "done", "failed", "cancelled"}) counts[state] = 0;
  for (std::size_t k = 0; k < rows.size(); ++k) counts[rows.text(k, "state")] = rows.integer(k, "n");
  return counts;
}

}  // namespace bolza::server
