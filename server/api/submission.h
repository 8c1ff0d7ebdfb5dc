// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "server/api/application.h"

namespace bolza::server {

/// A job as it was sent, or what is wrong with it.
struct ParsedSubmission {
  JobRequest request;
  std::string wrong;  ///< "" nothing
};

/// {"command", "files": {name: text or {"base64": bytes}}, "model", "class", "title", "options", "start_from"}
ParsedSubmission parse_submission(const nlohmann::json& object, const JobOptions& options);

/// Queues it for who asks; a `verify` without files has those of the job whose result it is about. Answers 202 with its id,
/// and with the secret of a job without an account; 409, 422, 429, 503.
Answer queue_job(const Call& call, JobRequest request);

/// The job, if who asks may see it: its owner, an administrator, who knows its secret (X-Job-Secret, or `secret` in the
/// address) or a link that shares it (`share`). @param to_change  links do not give that
std::optional<JobRecord> visible_job(const Call& call, const std::string& id, bool to_change);

/// The list of jobs that a question asks for, of who asks: state, command, search, before, before_id, all.
JobQuery query_of_list(const Call& call);

nlohmann::json json_of_job(const JobRecord& job);

}  // namespace bolza::server
