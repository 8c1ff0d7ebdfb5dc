// SPDX-License-Identifier: Apache-2.0
#include "server/api/submission.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "base/sha256.h"
#include "base/text_table.h"
#include "server/store/secrets.h"

namespace bolza::server {
namespace {

constexpr std::size_t most_files = 50, longest_file_name = 100, longest_title = 200, longest_value = 20'000,
                      most_values = 200;

constexpr const char* list_of_commands = "solve, simulate, fit, verify, sweep, sweep simulate, sweep fit";
constexpr std::array<std::string_view, 7> members_of_jobs{"title",      "command", "model",  "class",
                                                          "start_from", "files",   "options"};

/// A plain name without folders, which no shell and no option takes for something else.
bool is_file_name(const std::string& name) {
  bool begins = !name.empty() && name.size() <= longest_file_name && name[0] != '.' && name[0] != '-';
  return begins && std::ranges::all_of(name, [](unsigned char c) {
           return c < 128 && (std::isalnum(c) || c == '.' || c == '_' || c == '-');
         });
}

/// Package.Class, with quoted names.
bool is_class_name(const std::string& name) {
  return name.size() <= longest_title && !name.starts_with('-') &&
         std::ranges::none_of(name, [](unsigned char c) { return c < 33 || c == 127; });
}

bool is_plain_text(const std::string& text, std::size_t longest) {
  return text.size() <= longest && text.find('\0') == std::string::npos;
}

std::string take_file(const std::string& name, const nlohmann::json& value, JobRequest& request) {
  if (!is_file_name(name)) return "a file's name has letters, digits, `.`, `_`, `-`, and does not begin with a dot";
  if (value.is_string()) {
    request.files[name] = value;
    return "";
  }
  if (!value.is_object() || !value.contains("base64") || !value["base64"].is_string())
    return "the file `" + name + "` is neither text nor {\"base64\": …}";
  bool is_good = false;
  request.files[name] = from_base64(value["base64"].get_ref<const std::string&>(), is_good);
  return is_good ? "" : "the file `" + name + "` is no base64";
}

std::string take_files(const nlohmann::json& object, JobRequest& request) {
  bool takes_those_of_start = request.command == "verify" && !object.contains("files") && !request.start_from.empty();
  if (takes_those_of_start) return "";
  if (!object.contains("files") || !object["files"].is_object() || object["files"].empty()) return "there are no `files`";
  if (object["files"].size() > most_files) return "there are more than 50 files";
  for (const auto& [name, value] : object["files"].items())
    if (std::string wrong = take_file(name, value, request); !wrong.empty()) return wrong;
  if (request.model.empty() && request.files.size() == 1) request.model = request.files.begin()->first;
  if (!request.files.contains(request.model)) return "`model` is not one of the `files`";
  for (const auto& [name, what] : names_in_scratch)
    if (request.files.contains(std::string(name))) return "`" + std::string(name) + "` is what the server calls " + what;
  return "";
}

std::string text_of(const nlohmann::json& value) {
  if (value.is_string()) return value;
  return value.is_boolean() || value.is_number() ? value.dump() : "";
}

std::string wrong_with_value(const std::string& name, const std::string& value, const JobOptions::Option& option,
                             const JobRequest& request) {
  if (value.empty() || !is_plain_text(value, longest_value))
    return "the option `" + name + "` has no value that can be used";
  if (option.is_file && !request.files.contains(value)) return "the option `" + name + "` names no file of the job";
  bool is_word = option.words.empty() || std::ranges::find(option.words, value) != option.words.end();
  if (!is_word) return "the option `" + name + "` cannot be `" + value.substr(0, longest_title) + "`";
  return "";
}

std::string take_option(const std::string& name, const nlohmann::json& value, const JobOptions& options,
                        JobRequest& request) {
  const JobOptions::Option* option = options.find(request.command, name);
  if (!option) return "`" + name.substr(0, longest_title) + "` is no option of a `" + request.command + "` job";
  if (value.is_array() && !option->repeated) return "the option `" + name + "` has one value, and not a list";
  nlohmann::json values = value.is_array() ? value : nlohmann::json::array({value});
  if (values.empty() || values.size() > most_values) return "the option `" + name + "` has too many values, or none";
  nlohmann::json texts = nlohmann::json::array();
  for (const nlohmann::json& one : values) {
    std::string text = text_of(one);
    if (std::string wrong = wrong_with_value(name, text, *option, request); !wrong.empty()) return wrong;
    texts.push_back(text);
  }
  request.options[name] = value.is_array() ? texts : texts[0];
  return "";
}

std::string take_options(const nlohmann::json& object, const JobOptions& options, JobRequest& request) {
  if (!object.contains("options")) return "";
  if (!object["options"].is_object()) return "`options` is not an object";
  for (const auto& [name, value] : object["options"].items())
    if (std::string wrong = take_option(name, value, options, request); !wrong.empty()) return wrong;
  return "";
}

std::string take_texts(const nlohmann::json& object, JobRequest& request) {
  struct Text {
    const char* name;
    std::string& to;
  };
  request.command = "solve";
  for (Text text : {Text{"title", request.title}, Text{"command", request.command}, Text{"model", request.model},
                    Text{"class", request.class_name}, Text{"start_from", request.start_from}}) {
    auto value = text_member(object, text.name, text.to);
    if (!value || !is_plain_text(*value, longest_title)) return std::string("`") + text.name + "` is no short text";
    text.to = *value;
  }
  return "";
}

Quota quota_of(const Call& call) {
  constexpr std::int64_t million = 1'000'000;
  const ServeRequest& all = call.application.settings;
  const AccountRecord& account = call.visitor.account;
  return {account.most_jobs.value_or(all.account_jobs), account.most_seconds.value_or(all.account_seconds),
          account.most_bytes.value_or(all.account_megabytes * million)};
}

Answer answer_of_refused(const std::string& refused) {
  if (refused == "full") return refusal(unavailable, "the queue of the server is full; try again later");
  if (refused == "jobs") return refusal(too_many, "as many jobs of yours wait and run as may");
  if (refused == "seconds") return refusal(too_many, "your seconds of computing of the last 30 days are used up");
  return refusal(too_many, "what is kept of your jobs would take more than your share of the archive");
}

/// "" when the guess can be taken from there.
std::optional<Answer> wrong_start(const Call& call, const JobRequest& request) {
  bool verifies = request.command == "verify";
  if (verifies && request.start_from.empty())
    return refusal(unprocessable, "`start_from` is the job whose result is verified");
  if (request.start_from.empty()) return {};
  if (request.command != "solve" && request.command != "sweep" && !verifies)
    return refusal(unprocessable, "only a solve starts from another job's result");
  if (request.options.contains("init-from"))
    return refusal(unprocessable, "`start_from` and `init-from` exclude each other");
  std::optional<JobRecord> start = visible_job(call, request.start_from, /*to_change=*/false);
  if (!start) return refusal(not_found, "there is no job `start_from`");
  bool has_result = start->state == "done" &&
                    call.application.pool.with([&](Database& d) { return results_of(d, start->id).contains("result.mat"); });
  if (!has_result) return refusal(conflict, "the job `start_from` has no trajectory (yet)");
  if (verifies && start->command != "solve") return refusal(conflict, "only the result of a solve is verified");
  return {};
}

/// The files of the job that is verified, where none were sent. False: they are not what they were.
bool take_files_of_start(const Call& call, JobRequest& request) {
  if (!request.files.empty()) return true;
  std::optional<JobRecord> start = visible_job(call, request.start_from, /*to_change=*/false);
  auto from = start ? call.application.pool.with([&](Database& d) { return request_of(d, *start); }) : std::nullopt;
  if (!from) return false;
  request.files = from->files;
  request.model = from->model;
  if (request.class_name.empty()) request.class_name = from->class_name;
  if (request.title.empty()) request.title = from->title;
  return true;
}

}  // namespace

ParsedSubmission parse_submission(const nlohmann::json& object, const JobOptions& options) {
  ParsedSubmission out;
  for (const auto& [name, value] : object.items())
    if (std::ranges::find(members_of_jobs, name) == members_of_jobs.end())
      out.wrong = "`" + name.substr(0, longest_title) + "` is not known";
  if (out.wrong.empty()) out.wrong = take_texts(object, out.request);
  if (out.wrong.empty() && !options.has_command(out.request.command))
    out.wrong = "`command` is one of " + std::string(list_of_commands);
  if (out.wrong.empty() && !is_class_name(out.request.class_name)) out.wrong = "`class` is no name of a class";
  if (out.wrong.empty()) out.wrong = take_files(object, out.request);
  if (out.wrong.empty()) out.wrong = take_options(object, options, out.request);
  return out;
}

Answer queue_job(const Call& call, JobRequest request) {
  if (std::optional<Answer> wrong = wrong_start(call, request)) return *wrong;
  if (!take_files_of_start(call, request))
    return refusal(conflict, "what is kept of the job `start_from` does not have the hash that was noted for it");
  bool is_known = call.visitor.is_known();
  std::string secret = is_known ? "" : random_secret();
  std::string owner = is_known ? call.visitor.account.id : anonymous_owner;
  Submission done = call.application.pool.with([&](Database& d) {
    return submit(d, request, owner, is_known ? "" : sha256(secret), quota_of(call), call.application.settings.most_queued);
  });
  if (!done.refused.empty()) return answer_of_refused(done.refused);
  nlohmann::json body{{"id", done.id}, {"state", "queued"}, {"url", call.application.address + "/api/v1/jobs/" + done.id}};
  if (!is_known) body["secret"] = secret;
  Answer answer = json_answer(body, accepted);
  answer.headers.emplace_back("Location", "/api/v1/jobs/" + done.id);
  return answer;
}

std::optional<JobRecord> visible_job(const Call& call, const std::string& id, bool to_change) {
  std::optional<JobRecord> job = call.application.pool.with([&](Database& d) { return find_job(d, id); });
  if (!job) return {};
  const Visitor& visitor = call.visitor;
  bool is_own = visitor.is_known() && job->owner == visitor.account.id;
  if (is_own || visitor.is_admin()) return !to_change || visitor.may_write() ? job : std::nullopt;
  std::string secret = call.question.header("x-job-secret");
  if (secret.empty()) secret = call.question.parameter("secret");
  if (!job->secret_hash.empty() && is_same_secret(sha256(secret), job->secret_hash)) return job;
  bool is_shared = !job->share_hash.empty() && is_same_secret(sha256(call.question.parameter("share")), job->share_hash);
  return is_shared && !to_change ? job : std::nullopt;
}

JobQuery query_of_list(const Call& call) {
  const Question& q = call.question;
  bool is_all = call.visitor.is_admin() && q.parameter("all") == "true";
  return {.owner = is_all ? "" : call.visitor.account.id,
          .state = q.parameter("state"),
          .command = q.parameter("command"),
          .words = q.parameter("search").substr(0, longest_title),
          .before = number_in(q.parameter("before")).value_or(0),
          .before_id = q.parameter("before_id")};
}

nlohmann::json json_of_job(const JobRecord& job) {
  auto or_null = [](const auto& value) { return value ? nlohmann::json(*value) : nlohmann::json(); };
  return {{"id", job.id},
          {"owner", job.owner_name.empty() ? anonymous_owner : job.owner_name},
          {"title", job.title},
          {"command", job.command},
          {"model", job.model},
          {"class", job.class_name},
          {"options", job.options},
          {"start_from", job.start_from.empty() ? nlohmann::json() : nlohmann::json(job.start_from)},
          {"hash", job.hash},
          {"state", job.state},
          {"created", job.created},
          {"started", or_null(job.started)},
          {"finished", or_null(job.finished)},
          {"attempt", job.attempt},
          {"cancel_requested", job.cancel_requested},
          {"exit_code", or_null(job.exit_code)},
          {"verdict", job.verdict},
          {"objective", or_null(job.objective)},
          {"message", job.message},
          {"version", job.version},
          {"input_bytes", job.input_bytes},
          {"result_bytes", job.result_bytes},
          {"shared", !job.share_hash.empty()}};
}

}  // namespace bolza::server
