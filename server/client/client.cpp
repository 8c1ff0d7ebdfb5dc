// SPDX-License-Identifier: Apache-2.0
#include "server/client/client.h"

#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <thread>

#include "base/printable.h"
#include "base/replacement.h"
#include "server/client/connection.h"
#include "server/store/secrets.h"

namespace bolza::server {
namespace {

constexpr int exit_fine = 0, exit_not_solved = 1, exit_wrong_input = 2, exit_interrupted = 130;
constexpr int tries_to_follow = 30;
constexpr std::chrono::seconds between_tries{2};

volatile std::sig_atomic_t is_interrupted = 0;

int complain(const std::string& what, bool json) {
  if (json) std::printf("%s\n", nlohmann::json{{"status", "server_error"}, {"error", what}}.dump(2).c_str());
  else std::fprintf(stderr, "error: %s\n", printable(what).c_str());
  return exit_wrong_input;
}

/// As text it would not be what it was.
bool is_utf8(const std::string& bytes) {
  using Handler = nlohmann::json::error_handler_t;
  std::string text = nlohmann::json(bytes).dump(-1, ' ', /*ensure_ascii=*/false, Handler::ignore);
  return nlohmann::json::parse(text) == bytes;
}

nlohmann::json content_of_file(const std::string& bytes) {
  if (is_utf8(bytes)) return bytes;
  return {{"base64", to_base64(bytes)}};
}

/// Several values of one option become a list.
nlohmann::json options_of(const RemoteRequest& request) {
  nlohmann::json options = nlohmann::json::object();
  for (const auto& [name, value] : request.options)
    if (!options.contains(name)) options[name] = value;
    else if (options[name].is_array()) options[name].push_back(value);
    else options[name] = nlohmann::json::array({options[name], value});
  return options;
}

nlohmann::json job_of_request(const RemoteRequest& request, std::string& missing) {
  nlohmann::json job{{"command", request.command},
                     {"model", request.model},
                     {"class", request.class_name},
                     {"options", options_of(request)},
                     {"files", nlohmann::json::object()}};
  for (const auto& [name, file] : request.files) {
    std::ifstream in(file, std::ios::binary);
    std::ostringstream bytes;
    bytes << in.rdbuf();
    if (!in) missing = file;
    job["files"][name] = content_of_file(bytes.str());
  }
  return job;
}

/// Server-sent events as they come in pieces.
class EventReader {
 public:
  explicit EventReader(bool shows) : shows_(shows && isatty(STDERR_FILENO)) {}
  bool add(const std::string& text) {
    rest_ += text;
    for (std::size_t end = rest_.find("\n\n"); end != std::string::npos; end = rest_.find("\n\n")) {
      take(rest_.substr(0, end));
      rest_.erase(0, end + 2);
    }
    return !is_interrupted;
  }
  void clear() const {
    if (shows_) std::fputs("\r\x1b[K", stderr);
  }
  std::string last_id;
  bool is_over = false;

 private:
  void take(const std::string& event) {
    std::istringstream lines(event);
    std::string kind, data;
    for (std::string line; std::getline(lines, line);)
      if (line.starts_with("id: ")) last_id = line.substr(4);
      else if (line.starts_with("event: ")) kind = line.substr(7);
      else if (line.starts_with("data: ")) data = line.substr(6);
    if (kind == "end") is_over = true;
    if (kind == "progress" && shows_) show(nlohmann::json::parse(data, nullptr, /*allow_exceptions=*/false));
  }
  static void show(const nlohmann::json& p) {
    auto number = [&](const char* name) { return p.contains(name) && p[name].is_number() ? p[name].get<double>() : 0.0; };
    if (p.is_object() && p.contains("iteration"))
      std::fprintf(stderr, "\r\x1b[K%s: iteration %.0f  objective %.8g  infeasibility %.1e",
                   printable(p.value("stage", "")).c_str(), number("iteration"), number("objective"),
                   number("infeasibility"));
    else if (p.is_object()) std::fprintf(stderr, "\r\x1b[Kt = %g of %g", number("time"), number("stop"));
  }
  bool shows_;
  std::string rest_;
};

/// Until the job is over; false: the server cannot be followed any more.
bool follow_job(const ServerConnection& server, const std::string& id, bool shows) {
  EventReader reader(shows);
  for (int k = 0; k < tries_to_follow && !reader.is_over; ++k) {
    if (k > 0) std::this_thread::sleep_for(between_tries);
    server.follow("/api/v1/jobs/" + id + "/events", reader.last_id,
                  [&](const std::string& text) { return reader.add(text); });
    if (is_interrupted) {
      server.post("/api/v1/jobs/" + id + "/cancel", nlohmann::json::object());
      break;
    }
  }
  reader.clear();
  return reader.is_over;
}

/// "" when the job has all of them.
std::string missing_result(const nlohmann::json& job, const std::map<std::string, std::string>& outputs) {
  std::string there;
  for (const auto& [name, size] : job["results"].items()) there += (there.empty() ? "" : ", ") + name;
  for (const auto& [name, file] : outputs)
    if (!job["results"].contains(name))
      return "`" + file + "` was not written: the job is " + job.value("state", "") + " and has no `" + name + "`" +
             (there.empty() ? "" : "; it has " + there);
  return "";
}

/// "" when all was written.
std::string fetch_outputs(const ServerConnection& server, const std::string& id, const nlohmann::json& results,
                          const std::map<std::string, std::string>& outputs) {
  for (const auto& [name, file] : outputs) {
    if (!results.contains(name)) continue;
    Reply reply = server.get("/api/v1/jobs/" + id + "/results/" + name);
    if (!reply.is_good()) return reply.why();
    Replacement out(file);
    if (!out.write(reply.body) || !out.finish()) return "`" + file + "` cannot be written";
  }
  return "";
}

void print_result(const nlohmann::json& job, const RemoteRequest& request,
                  const std::map<std::string, std::string>& outputs) {
  std::string name = job.value("class", "");
  std::printf("%s: %s", printable(name.empty() ? request.model : name).c_str(),
              printable(job.value("state", "") == "done" ? job.value("verdict", "") : job.value("state", "")).c_str());
  if (std::string message = job.value("message", ""); !message.empty()) std::printf(": %s", printable(message).c_str());
  std::printf("\n  job          %s\n", printable(job.value("id", "")).c_str());
  if (job["objective"].is_number()) std::printf("  objective    %.9g\n", job["objective"].get<double>());
  for (const auto& [result, file] : outputs)
    if (job["results"].contains(result)) std::printf("  %-12s %s\n", result.c_str(), printable(file).c_str());
}

int exit_code_of_job(const nlohmann::json& job) {
  if (is_interrupted) return exit_interrupted;
  bool is_done = job.value("state", "") == "done";
  if (job["exit_code"].is_number_integer() && (is_done || job["exit_code"] != 0)) return job["exit_code"];
  return is_done ? exit_fine : exit_not_solved;
}

int hand_over(const ServerConnection& server, const std::string& id, const RemoteRequest& request) {
  Reply shown = server.get("/api/v1/jobs/" + id);
  nlohmann::json job = shown.object();
  if (!shown.is_good() || !job.is_object()) return complain(shown.why(), request.json);
  std::map<std::string, std::string> outputs = request.outputs;
  Reply said = job["results"].contains("result.json") ? server.get("/api/v1/jobs/" + id + "/results/result.json") : Reply();
  nlohmann::json result = said.object();
  bool has_class = result.is_object() && result.contains("class") && result["class"].is_string();
  if (has_class) job["class"] = result["class"];
  bool has_trajectory = request.command == "solve" || request.command == "simulate";
  if (has_trajectory && !outputs.contains("result.mat") && has_class)
    outputs["result.mat"] = result["class"].get<std::string>() + ".mat";
  if (std::string wrong = fetch_outputs(server, id, job["results"], outputs); !wrong.empty())
    return complain(wrong, request.json);
  if (request.json) std::printf("%s\n", (result.is_object() ? result : job).dump(2).c_str());
  else print_result(job, request, outputs);
  return exit_code_of_job(job);
}

}  // namespace

int run_remotely(const RemoteRequest& request) {
  std::signal(SIGINT, [](int) { is_interrupted = 1; });
  ServerConnection server(request.server, request.token);
  std::string missing;
  nlohmann::json job = job_of_request(request, missing);
  if (!missing.empty()) return complain("`" + missing + "` cannot be read", request.json);
  Reply reply = server.post("/api/v1/jobs", job);
  nlohmann::json answer = reply.object();
  if (!reply.is_good() || !answer.is_object()) return complain(reply.why(), request.json);
  if (answer.contains("secret")) server.set_secret(answer["secret"]);
  std::string id = answer.value("id", "");
  bool is_over = follow_job(server, id, !request.quiet && !request.json);
  if (!is_over && !is_interrupted) return complain("the server was lost; the job " + id + " goes on there", request.json);
  return hand_over(server, id, request);
}

namespace {

/// The job that verifies another one's result, once it is over.
Reply verified(const ServerConnection& server, const RemoteJobsRequest& request) {
  Reply sent = server.post("/api/v1/jobs", {{"command", "verify"}, {"start_from", request.job}});
  nlohmann::json answer = sent.object();
  if (!sent.is_good() || !answer.is_object()) return sent;
  std::string id = answer.value("id", "");
  follow_job(server, id, /*shows=*/false);
  return server.get("/api/v1/jobs/" + id);
}

}  // namespace

int remote_jobs(const RemoteJobsRequest& request) {
  ServerConnection server(request.server, request.token);
  std::string path = "/api/v1/jobs" + (request.job.empty() ? "" : "/" + request.job);
  Reply reply = request.action == "cancel"   ? server.post(path + "/cancel", nlohmann::json::object())
                : request.action == "verify" ? verified(server, request)
                                             : server.get(path);
  nlohmann::json answer = reply.object();
  if (!reply.is_good() || !answer.is_object()) return complain(reply.why(), request.json);
  if (request.action == "get") {
    if (request.outputs.empty()) return complain("`get` needs -o or --report, the file to write", request.json);
    std::string wrong = fetch_outputs(server, request.job, answer["results"], request.outputs);
    if (wrong.empty()) wrong = missing_result(answer, request.outputs);
    return wrong.empty() ? exit_fine : complain(wrong, request.json);
  }
  if (request.json || request.action != "list") {
    std::printf("%s\n", answer.dump(2).c_str());
    return exit_fine;
  }
  for (const nlohmann::json& job : answer["jobs"])
    std::printf("%s  %-9s  %-8s  %s\n", printable(job.value("id", "")).c_str(), printable(job.value("state", "")).c_str(),
                printable(job.value("command", "")).c_str(),
                printable(job.value("title", "").empty() ? job.value("model", "") : job.value("title", "")).c_str());
  return exit_fine;
}

}  // namespace bolza::server
