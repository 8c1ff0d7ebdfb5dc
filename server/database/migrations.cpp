// SPDX-License-Identifier: Apache-2.0
#include "server/database/migrations.h"

#include <array>

namespace bolza::server {
namespace {

// Steps are never changed once they are released: what is to be different is a further step.
constexpr std::string_view accounts_and_jobs[] = {
    "CREATE TABLE users (id TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, password TEXT NOT NULL, role TEXT NOT NULL,"
    " created DOUBLE PRECISION NOT NULL, disabled BIGINT NOT NULL DEFAULT 0)",
    "CREATE TABLE sessions (secret_hash TEXT PRIMARY KEY, user_id TEXT NOT NULL REFERENCES users(id), csrf TEXT NOT NULL,"
    " expires DOUBLE PRECISION NOT NULL)",
    "CREATE TABLE invitations (secret_hash TEXT PRIMARY KEY, role TEXT NOT NULL, expires DOUBLE PRECISION NOT NULL)",
    "CREATE TABLE failed_logins (who TEXT NOT NULL, at DOUBLE PRECISION NOT NULL)",
    "CREATE INDEX failed_logins_who ON failed_logins (who, at)",
    "CREATE TABLE queues (owner TEXT PRIMARY KEY, last_served DOUBLE PRECISION NOT NULL)",
    "CREATE TABLE jobs (id TEXT PRIMARY KEY, owner TEXT NOT NULL, secret_hash TEXT, title TEXT NOT NULL,"
    " command TEXT NOT NULL, model TEXT NOT NULL, class TEXT NOT NULL, options TEXT NOT NULL, start_from TEXT,"
    " hash TEXT NOT NULL, input_bytes BIGINT NOT NULL, state TEXT NOT NULL, created DOUBLE PRECISION NOT NULL,"
    " started DOUBLE PRECISION, finished DOUBLE PRECISION, attempt BIGINT NOT NULL DEFAULT 0, lost BIGINT NOT NULL DEFAULT "
    "0, worker TEXT,"
    " lease_until DOUBLE PRECISION, cancel_requested BIGINT NOT NULL DEFAULT 0, exit_code BIGINT, verdict TEXT,"
    " objective DOUBLE PRECISION, message TEXT, version TEXT, result_bytes BIGINT NOT NULL DEFAULT 0)",
    "CREATE INDEX jobs_queue ON jobs (state, owner, created)",
    "CREATE INDEX jobs_of_owner ON jobs (owner, created)",
    "CREATE TABLE job_files (job TEXT NOT NULL REFERENCES jobs(id), name TEXT NOT NULL, content {bytes} NOT NULL,"
    " PRIMARY KEY (job, name))",
    "CREATE TABLE job_results (job TEXT NOT NULL REFERENCES jobs(id), name TEXT NOT NULL, content {bytes} NOT NULL,"
    " PRIMARY KEY (job, name))",
    "CREATE TABLE job_progress (job TEXT NOT NULL REFERENCES jobs(id), attempt BIGINT NOT NULL, number BIGINT NOT NULL,"
    " line TEXT NOT NULL, PRIMARY KEY (job, attempt, number))",
    "CREATE TABLE workers (id TEXT PRIMARY KEY, host TEXT NOT NULL, seen DOUBLE PRECISION NOT NULL)",
};

constexpr std::string_view tokens_shares_and_quotas[] = {
    "CREATE TABLE tokens (id TEXT PRIMARY KEY, secret_hash TEXT NOT NULL UNIQUE, user_id TEXT NOT NULL REFERENCES users(id),"
    " name TEXT NOT NULL, scope TEXT NOT NULL, created DOUBLE PRECISION NOT NULL)",
    "ALTER TABLE jobs ADD COLUMN share_hash TEXT",
    "ALTER TABLE users ADD COLUMN most_jobs BIGINT",
    "ALTER TABLE users ADD COLUMN most_seconds BIGINT",
    "ALTER TABLE users ADD COLUMN most_bytes BIGINT",
};

// What is kept of an account is counted as it comes: to add it up would take longer with every job.
constexpr std::string_view kept_bytes[] = {
    "ALTER TABLE queues ADD COLUMN kept_bytes BIGINT NOT NULL DEFAULT 0",
    "UPDATE queues SET kept_bytes ="
    " (SELECT coalesce(sum(input_bytes + result_bytes), 0) FROM jobs WHERE jobs.owner = queues.owner)",
    "CREATE INDEX jobs_finished ON jobs (owner, finished)",
};

constexpr std::array steps{SchemaStep{1, accounts_and_jobs}, SchemaStep{2, tokens_shares_and_quotas},
                           SchemaStep{3, kept_bytes}};

int version_of(Database& database) {
  SqlRows found = database.run("SELECT max(version) AS version FROM schema_version");
  return static_cast<int>(found.integer(0, "version"));
}

void take(Database& database, const SchemaStep& step) {
  for (std::string_view statement : step.statements) database.run(statement);
  database.run("INSERT INTO schema_version (version) VALUES ($1)", {std::int64_t{step.version}});
}

}  // namespace

std::span<const SchemaStep> schema_steps() { return steps; }

void migrate(Database& database, int last) {
  database.lock_schema();
  database.run("CREATE TABLE IF NOT EXISTS schema_version (version BIGINT PRIMARY KEY)");
  int version = version_of(database), newest = steps.back().version;
  if (version > newest)
    throw DatabaseFault("the database has version " + std::to_string(version) + " of the schema, this program knows " +
                        std::to_string(newest) + ": it was used by a newer Bolza");
  for (const SchemaStep& step : steps)
    if (step.version > version && (last == 0 || step.version <= last)) take(database, step);
  database.unlock_schema();
}

}  // namespace bolza::server
