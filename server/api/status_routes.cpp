// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "server/api/submission.h"

namespace bolza::server {
namespace {

constexpr double worker_is_there = 60;  // seconds since it was heard of

Answer routes_route(const Call& call) {
  nlohmann::json list = nlohmann::json::array();
  for (std::span<const Route> table : {job_routes(), account_routes(), status_routes()})
    for (const Route& route : table) list.push_back({{"method", route.method}, {"path", route.pattern}});
  return json_answer({{"version", call.application.version}, {"routes", list}});
}

Answer openapi_route(const Call&) {
  std::string folder = shared_folder("docs");
  std::string text = folder.empty() ? "" : text_of_file(folder + "/openapi.json");
  if (text.empty()) return refusal(not_found, "the description was not installed");
  return {.status = 200, .type = "application/json", .body = text, .headers = {}, .more = {}};
}

Answer methods_route(const Call& call) { return json_answer(call.application.methods); }

Answer options_route(const Call& call) {
  nlohmann::json out = nlohmann::json::object();
  for (std::string_view command : job_commands)
    for (const auto& [name, option] : call.application.options.of(std::string(command)))
      out[std::string(command)].push_back({{"name", name},
                                           {"help", option.help},
                                           {"words", option.words},
                                           {"takes_value", option.takes_value},
                                           {"repeated", option.repeated},
                                           {"file", option.is_file}});
  return json_answer(out);
}

struct CheckTurn {
  explicit CheckTurn(Application& from) : application(from), is_mine(from.checks.try_acquire()) {}
  ~CheckTurn() {
    if (is_mine) application.checks.release();
  }
  CheckTurn(const CheckTurn&) = delete;
  CheckTurn& operator=(const CheckTurn&) = delete;
  Application& application;
  bool is_mine;
};

nlohmann::json checked(const Call& call, const JobRequest& request) {
  constexpr ProcessLimits limits{30, 4'000'000, 1'000'000};
  ScratchFolder scratch;
  for (const auto& [name, content] : request.files) write_scratch(scratch.path() + "/" + name, content);
  std::vector<std::string> words{"check", request.model};
  if (!request.class_name.empty()) words.push_back(request.class_name);
  for (const char* word : {"--json", "--trust=none", "--max-time=10", "--max-memory=1000"}) words.emplace_back(word);
  if (call.application.settings.work.sandbox) words.emplace_back("--sandbox");
  ProcessEnd end = run_program(words, scratch.path(), limits, {}, [&] { return call.application.is_stopping.load(); });
  return nlohmann::json::parse(end.out, nullptr, /*allow_exceptions=*/false);
}

Answer check_route(const Call& call) {
  auto object = object_of(call.question.body);
  if (!object) return refusal(bad_question, "the body is no JSON object");
  ParsedSubmission parsed = parse_submission(*object, call.application.options);
  if (!parsed.wrong.empty()) return refusal(unprocessable, parsed.wrong);
  CheckTurn turn(call.application);
  if (!turn.is_mine) return refusal(unavailable, "other models are being checked");
  nlohmann::json said = checked(call, parsed.request);
  if (!said.is_object()) said = {{"status", "limit"}};
  return json_answer(
      {{"status", said.value("status", "")}, {"diagnostics", said.value("diagnostics", nlohmann::json::array())}});
}

Answer health_route(const Call& call) {
  std::int64_t workers = call.application.pool.with([](Database& d) {
    return d.run("SELECT count(*) AS n FROM workers WHERE seen > {now} - $1", {worker_is_there}).integer(0, "n");
  });
  return json_answer({{"status", "ok"}, {"workers", workers}, {"version", call.application.version}});
}

double resident_bytes() {
  std::ifstream file("/proc/self/statm");
  double size = 0, resident = 0;
  file >> size >> resident;
  constexpr double page = 4096;
  return page * resident;
}

std::string prometheus(const Call& call) {
  auto [counts, oldest, workers] = call.application.pool.with([](Database& d) {
    SqlRows rows = d.run("SELECT coalesce(max({now} - created), 0) AS oldest FROM jobs WHERE state = 'queued'");
    SqlRows seen = d.run("SELECT count(*) AS n FROM workers WHERE seen > {now} - $1", {worker_is_there});
    return std::tuple(count_jobs(d), rows.number(0, "oldest"), seen.integer(0, "n"));
  });
  std::ostringstream out;
  out << "# HELP bolza_jobs Jobs by state.\n# TYPE bolza_jobs gauge\n";
  for (const auto& [state, count] : counts) out << "bolza_jobs{state=\"" << state << "\"} " << count << '\n';
  out << "# HELP bolza_queue_oldest_seconds Age of the job that waits longest.\n# TYPE bolza_queue_oldest_seconds gauge\n"
      << "bolza_queue_oldest_seconds " << oldest << "\n# HELP bolza_workers Workers that were heard of within a minute.\n"
      << "# TYPE bolza_workers gauge\nbolza_workers " << workers << "\n# HELP bolza_answers_total Answers by status.\n"
      << "# TYPE bolza_answers_total counter\n";
  {
    std::lock_guard lock(call.application.mutex);
    for (const auto& [status, count] : call.application.answers)
      out << "bolza_answers_total{status=\"" << status << "\"} " << count << '\n';
  }
  out << "# HELP process_resident_memory_bytes Memory of the server's process.\n# TYPE process_resident_memory_bytes gauge\n"
      << "process_resident_memory_bytes " << static_cast<std::int64_t>(resident_bytes()) << '\n';
  return out.str();
}

/// Told to administrators, and to who asks on this machine.
Answer metrics_route(const Call& call) {
  const std::string& address = call.question.address;
  bool is_local = address.starts_with("127.") || address == "::1" || address == "::ffff:127.0.0.1";
  if (!is_local && !call.visitor.is_admin()) return refusal(forbidden, "this is for administrators");
  return {.status = 200,
          .type = "text/plain; version=0.0.4; charset=utf-8",
          .body = prometheus(call),
          .headers = {},
          .more = {}};
}

constexpr std::array routes_of_status{
    Route{"GET", "/api/v1", Access::anyone, routes_route},
    Route{"GET", "/api/v1/openapi.json", Access::anyone, openapi_route},
    Route{"GET", "/api/v1/methods", Access::anyone, methods_route},
    Route{"GET", "/api/v1/options", Access::anyone, options_route},
    Route{"POST", "/api/v1/check", Access::known_or_anonymous, check_route},
    Route{"GET", "/healthz", Access::anyone, health_route},
    Route{"GET", "/metrics", Access::anyone, metrics_route},
};

}  // namespace

std::span<const Route> status_routes() { return routes_of_status; }

}  // namespace bolza::server
