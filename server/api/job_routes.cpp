// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstdlib>
#include <memory>

#include "base/sha256.h"
#include "server/api/submission.h"
#include "server/store/secrets.h"

namespace bolza::server {
namespace {

constexpr int most_listed = 200, usually_listed = 50, lines_at_a_time = 500;
constexpr int looks_of_silence = 60;  // after which a comment keeps the connection
/// What is shown of a job's own pages stays in a frame without an origin: their scripts reach nothing of this server.
constexpr const char* policy_of_reports =
    "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:;"
    " frame-ancestors 'self'";

Answer no_such_job() { return refusal(not_found, "there is no such job"); }

Answer submit_route(const Call& call) {
  auto object = object_of(call.question.body);
  if (!object) return refusal(bad_question, "the body is no JSON object");
  ParsedSubmission parsed = parse_submission(*object, call.application.options);
  if (!parsed.wrong.empty()) return refusal(unprocessable, parsed.wrong);
  return queue_job(call, parsed.request);
}

Answer list_route(const Call& call) {
  JobQuery query = query_of_list(call);
  int most = std::atoi(call.question.parameter("limit").c_str());
  query.most = most > 0 ? std::min(most, most_listed) : usually_listed;
  nlohmann::json jobs = nlohmann::json::array();
  for (const JobRecord& job : call.application.pool.with([&](Database& d) { return list_jobs(d, query); }))
    jobs.push_back(json_of_job(job));
  return json_answer({{"jobs", jobs}});
}

Answer show_route(const Call& call) {
  auto job = visible_job(call, call.question.places[0], /*to_change=*/false);
  if (!job) return no_such_job();
  nlohmann::json out = json_of_job(*job);
  call.application.pool.with([&](Database& d) {
    out["files"] = files_of(d, job->id);
    out["results"] = results_of(d, job->id);
  });
  return json_answer(out);
}

/// One of the places for readers of events, while it lives.
class WatcherPlace {
 public:
  explicit WatcherPlace(Application& application)
      : application_(application),
        is_mine_(application.watchers.try_acquire()) {}
  ~WatcherPlace() {
    if (is_mine_) application_.watchers.release();
  }
  WatcherPlace(const WatcherPlace&) = delete;
  WatcherPlace& operator=(const WatcherPlace&) = delete;
  bool is_mine() const { return is_mine_; }

 private:
  Application& application_;
  bool is_mine_;
};

/// The events of a job: those that there are, then those that come, until it is over.
class JobEvents {
 public:
  JobEvents(Application& application, std::shared_ptr<WatcherPlace> place, std::string id, std::int64_t attempt,
            std::int64_t after)
      : application_(&application),
        place_(std::move(place)),
        id_(std::move(id)),
        attempt_(attempt),
        after_(after) {}

  std::optional<std::string> operator()() {
    if (is_over_ || application_->is_stopping) return {};
    try {
      return next();
    } catch (const DatabaseFault&) {
      return "";  // it comes back, or the reader goes
    }
  }

 private:
  std::string next() {
    auto [job, lines] = application_->pool.with([&](Database& d) {
      std::optional<JobRecord> found = find_job(d, id_);
      if (found && found->attempt != attempt_) begin_attempt(found->attempt);
      return std::pair(found, progress_of(d, id_, attempt_, after_, lines_at_a_time));
    });
    std::string text;
    for (const ProgressLineOfJob& line : lines) {
      after_ = line.number;
      text += "id: " + std::to_string(attempt_) + "." + std::to_string(after_) + "\nevent: progress\ndata: " + line.line +
              "\n\n";
    }
    if (job && job->state != state_) text += event("state", *job);
    if (job) state_ = job->state;
    is_over_ = !job || (job->is_over() && lines.empty());
    if (is_over_ && job) text += event("end", *job);
    silence_ = text.empty() ? silence_ + 1 : 0;
    return silence_ % looks_of_silence == looks_of_silence - 1 ? ": still here\n\n" : text;
  }
  void begin_attempt(std::int64_t attempt) {
    attempt_ = attempt;
    after_ = 0;
  }
  static std::string event(const std::string& kind, const JobRecord& job) {
    return "event: " + kind +
           "\ndata: " + json_of_job(job).dump(-1, ' ', /*ensure_ascii=*/true, nlohmann::json::error_handler_t::replace) +
           "\n\n";
  }

  Application* application_;
  std::shared_ptr<WatcherPlace> place_;
  std::string id_, state_;
  std::int64_t attempt_, after_;
  int silence_ = 0;
  bool is_over_ = false;
};

Answer events_route(const Call& call) {
  auto job = visible_job(call, call.question.places[0], /*to_change=*/false);
  if (!job) return no_such_job();
  auto place = std::make_shared<WatcherPlace>(call.application);
  if (!place->is_mine()) return refusal(unavailable, "as many watch jobs as can; ask for the job's state instead");
  std::string last = call.question.header("last-event-id");
  std::size_t dot = last.find('.');
  bool is_known = dot != std::string::npos && std::atoll(last.c_str()) == job->attempt;
  std::int64_t after = is_known ? std::atoll(last.c_str() + dot + 1) : 0;
  return {.status = 200,
          .type = "text/event-stream",
          .body = "retry: 2000\n\n",
          .headers = {},
          .more = JobEvents(call.application, std::move(place), job->id, job->attempt, after)};
}

Answer cancel_route(const Call& call) {
  auto job = visible_job(call, call.question.places[0], /*to_change=*/true);
  if (!job) return no_such_job();
  bool is_cancelled = call.application.pool.with([&](Database& d) { return cancel_job(d, job->id); });
  if (!is_cancelled) return refusal(conflict, "the job is over");
  return json_answer({{"id", job->id}, {"cancel_requested", true}}, accepted);
}

Answer rerun_route(const Call& call) {
  auto job = visible_job(call, call.question.places[0], /*to_change=*/false);
  if (!job) return no_such_job();
  auto request = call.application.pool.with([&](Database& d) { return request_of(d, *job); });
  if (!request) return refusal(conflict, "what is kept of the job does not have the hash that was noted for it");
  return queue_job(call, *request);
}

Answer share_route(const Call& call) {
  auto job = visible_job(call, call.question.places[0], /*to_change=*/true);
  if (!job) return no_such_job();
  std::string secret = random_secret();
  call.application.pool.with([&](Database& d) { share_job(d, job->id, sha256(secret)); });
  return json_answer({{"id", job->id}, {"share", secret}, {"url", call.application.address + "/s/" + secret}});
}

Answer unshare_route(const Call& call) {
  auto job = visible_job(call, call.question.places[0], /*to_change=*/true);
  if (!job) return no_such_job();
  call.application.pool.with([&](Database& d) { share_job(d, job->id, ""); });
  return json_answer({{"id", job->id}, {"shared", false}});
}

std::string type_of(const std::string& name) {
  if (name.ends_with(".json")) return "application/json";
  if (name.ends_with(".html")) return "text/html; charset=utf-8";
  if (name.ends_with(".mat")) return "application/octet-stream";
  return "text/plain; charset=utf-8";
}

Answer file_answer(const std::string& name, const std::optional<std::string>& content, bool is_shown) {
  if (!content) return refusal(not_found, "there is no such file");
  Answer answer{.status = 200, .type = type_of(name), .body = *content, .headers = {}, .more = {}};
  answer.headers.emplace_back("Content-Security-Policy", policy_of_reports);
  if (!is_shown) answer.headers.emplace_back("Content-Disposition", "attachment");
  return answer;
}

Answer result_route(const Call& call) {
  auto job = visible_job(call, call.question.places[0], /*to_change=*/false);
  if (!job) return no_such_job();
  const std::string& name = call.question.places[1];
  auto content = call.application.pool.with([&](Database& d) { return result_of(d, job->id, name); });
  return file_answer(name, content, name == "report.html" || name == "log.txt" || name == "result.json");
}

Answer file_route(const Call& call) {
  auto job = visible_job(call, call.question.places[0], /*to_change=*/false);
  if (!job) return no_such_job();
  auto content = call.application.pool.with([&](Database& d) { return file_of(d, job->id, call.question.places[1]); });
  Answer answer = file_answer("input", content, /*is_shown=*/false);
  return answer;
}

constexpr std::array routes{
    Route{"POST", "/api/v1/jobs", Access::known_or_anonymous, submit_route},
    Route{"GET", "/api/v1/jobs", Access::known, list_route},
    Route{"GET", "/api/v1/jobs/{id}", Access::anyone, show_route},
    Route{"GET", "/api/v1/jobs/{id}/events", Access::anyone, events_route},
    Route{"POST", "/api/v1/jobs/{id}/cancel", Access::anyone, cancel_route},
    Route{"POST", "/api/v1/jobs/{id}/rerun", Access::known_or_anonymous, rerun_route},
    Route{"POST", "/api/v1/jobs/{id}/share", Access::anyone, share_route},
    Route{"DELETE", "/api/v1/jobs/{id}/share", Access::anyone, unshare_route},
    Route{"GET", "/api/v1/jobs/{id}/results/{name}", Access::anyone, result_route},
    Route{"GET", "/api/v1/jobs/{id}/files/{name}", Access::anyone, file_route},
};

}  // namespace

std::span<const Route> job_routes() { return routes; }

}  // namespace bolza::server
