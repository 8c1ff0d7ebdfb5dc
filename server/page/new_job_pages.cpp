// SPDX-License-Identifier: Apache-2.0
// The form of a new job, made of the table of options: what is used most stands at the top, everything else below it.
#include <algorithm>
#include <array>

#include "server/api/submission.h"
#include "server/page/html.h"
#include "server/page/tables.h"

namespace bolza::server {
namespace {

constexpr const char* prefix = "option.";

/// What is shown first of the commands that begin with a form.
const std::map<std::string, std::vector<std::string>>& options_shown_first() {
  static const std::map<std::string, std::vector<std::string>> table{
      {"solve", {"method", "mesh", "refine", "tol", "set"}},
      {"simulate", {"start", "stop", "step", "tol", "integrator", "set"}},
      {"fit", {"free", "noise", "observe", "starts", "set"}},
      {"sweep", {"set", "draws", "guesses", "sampling", "results", "mesh"}},
      {"sweep simulate", {"set", "draws", "sampling", "results", "start", "stop"}},
      {"sweep fit", {"set", "free", "noise", "observe", "guesses", "results"}}};
  return table;
}

bool reads_measurements(const std::string& command) { return command.ends_with("fit"); }

/// The form as it is filled in.
struct Draft {
  JobRequest request;
  std::string data_name, data;
  std::string wrong;
  int status = 200;

  std::string option(const std::string& name) const {
    auto at = request.options.find(name);
    if (at == request.options.end()) return "";
    if (at->is_string()) return *at;
    std::string out;
    for (const nlohmann::json& value : *at) out += (out.empty() ? "" : "\n") + value.get<std::string>();
    return out;
  }
};

std::vector<Choice> rows_of(const nlohmann::json& table) {
  std::vector<Choice> choices{{"", "as the model says, or the usual one"}};
  for (const nlohmann::json& row : table)
    if (row.value("available", nlohmann::json()) == true)
      choices.push_back({row.value("name", ""), row.value("name", "") + " – " + row.value("help", "")});
  return choices;
}

std::string option_field(const Call& call, const Draft& draft, const std::string& name) {
  const JobOptions::Option& option = *call.application.options.find(draft.request.command, name);
  std::string id = prefix + name, value = draft.option(name);
  if (name == "method") return choice(id, name, rows_of(call.application.methods["methods"]), value);
  if (name == "integrator") return choice(id, name, rows_of(call.application.methods["integrators"]), value);
  if (!option.words.empty()) {
    std::vector<Choice> choices{{"", ""}};
    for (const std::string& word : option.words) choices.push_back({word, word});
    return "<div>" + choice(id, name, choices, value) + "<p class=\"hint\">" + html(option.help) + "</p></div>";
  }
  return field(id, name, value, "", option.help);
}

std::string option_fields(const Call& call, const Draft& draft) {
  const std::string& command = draft.request.command;
  const std::vector<std::string>& first = options_shown_first().at(command);
  std::string out = "<div class=\"options\">";
  for (const std::string& name : first) out += option_field(call, draft, name);
  out += "</div><details><summary>All options</summary><div class=\"options\">";
  for (const auto& [name, option] : call.application.options.of(command))
    if (std::ranges::find(first, name) == first.end() && name != "data" && name != "init-from")
      out += option_field(call, draft, name);
  return out + "</div></details>\n";
}

std::string command_links(const Draft& draft) {
  std::string out = "<p class=\"actions\" role=\"group\" aria-label=\"Command\">";
  for (std::string_view word : job_commands) {
    std::string command(word);
    if (!options_shown_first().contains(command)) continue;
    out += std::string("<a class=\"button") + (draft.request.command == command ? "\" aria-current=\"true\"" : " plain\"") +
           " href=\"/new?command=" + percent_encoded(command) + "\">" + command + "</a> ";
  }
  return out + "</p>\n";
}

std::string model_fields(const Draft& draft) {
  std::vector<Choice> examples{{"", "an example …"}};
  for (const std::string& name : example_names()) examples.push_back({name, name});
  auto text = draft.request.files.find(draft.request.model);
  return "<div class=\"row\">" +
         field("model_name", "File", draft.request.model, "required pattern=\"[A-Za-z0-9_][A-Za-z0-9_.\\-]*\"") +
         field("class", "Class", draft.request.class_name, "", "where the file has several") +
         choice("example", "Begin with", examples, "") +
         "</div><label for=\"model\">Model</label><textarea id=\"model\" name=\"model\" aria-label=\"Model\" "
         "spellcheck=\"false\" required>\n" +
         html(text == draft.request.files.end() ? "" : text->second) +
         "</textarea><p id=\"checked\" role=\"status\" class=\"hint\"></p><ul id=\"diagnostics\" "
         "class=\"diagnostics\"></ul>\n";
}

std::string data_fields(const Draft& draft) {
  return "<details" + std::string(draft.data.empty() && !reads_measurements(draft.request.command) ? "" : " open") +
         "><summary>Measurements</summary><div class=\"row\">" +
         field("data_name", "File", draft.data_name, "", "a .csv, named by the option data") +
         "<div><label for=\"upload\">From this computer</label><input id=\"upload\" type=\"file\" "
         "accept=\".csv,.tsv,.txt\"></div></div>"
         "<label for=\"data\">Table</label><textarea id=\"data\" name=\"data\" class=\"short\" spellcheck=\"false\">\n" +
         html(draft.data) + "</textarea></details>\n";
}

Answer form_page(const Call& call, const Draft& draft) {
  const JobRequest& r = draft.request;
  std::string start = r.start_from.empty() ? ""
                                           : "<p>The guess is the trajectory of <a href=\"/jobs/" + html(r.start_from) +
                                                 "\">" + html(r.start_from) + "</a>.</p>";
  std::string fields = "<input type=\"hidden\" name=\"command\" value=\"" + html(r.command) +
                       "\"><input type=\"hidden\" name=\"start_from\" value=\"" + html(r.start_from) + "\">" + start +
                       field("title", "Title", r.title, "maxlength=\"200\"") + model_fields(draft) + data_fields(draft) +
                       option_fields(call, draft) + "<p class=\"actions\">" + button("Submit") + "</p>";
  std::string body = alert(draft.wrong) + command_links(draft) + "<div class=\"card\">" +
                     form_to(call, "/new", fields, "id=\"new-job\"") + "</div>\n";
  return page(call, {.title = "New job: " + r.command, .body = body, .here = "/new", .status = draft.status});
}

/// Files of a job that is copied: its model, and its first table.
void copy_into(Draft& draft, const JobRequest& from) {
  draft.request = from;
  for (const auto& [name, content] : from.files)
    if (name != from.model) {
      draft.data_name = name;
      draft.data = content;
    }
  draft.request.options.erase("data");
  draft.request.options.erase("init-from");
}

Answer new_page(const Call& call) {
  Draft draft;
  const Question& q = call.question;
  std::string command = q.parameter("command");
  draft.request.command = options_shown_first().contains(command) ? command : "solve";
  bool optimises = draft.request.command == "solve" || draft.request.command == "sweep";
  draft.request.model = optimises ? "model.mop" : "model.mo";
  for (const char* name : {"from", "start"}) {
    if (q.parameter(name).empty()) continue;
    auto job = visible_job(call, q.parameter(name), /*to_change=*/false);
    auto request = job ? call.application.pool.with([&](Database& d) { return request_of(d, *job); }) : std::nullopt;
    if (request && !options_shown_first().contains(request->command)) request.reset();
    if (request) copy_into(draft, *request);
    if (request && std::string_view(name) == "start") draft.request.start_from = job->id;
  }
  return form_page(call, draft);
}

/// A line each; of options that are given once, the whole.
nlohmann::json option_value(const JobOptions::Option* option, std::string text) {
  std::erase(text, '\r');
  if (!option || !option->repeated) return text;
  nlohmann::json lines = nlohmann::json::array();
  std::size_t begin = 0;
  while (begin < text.size()) {
    std::size_t end = std::min(text.find('\n', begin), text.size());
    if (end > begin) lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

nlohmann::json job_of_form(const JobOptions& options, std::map<std::string, std::string>& form) {
  std::erase(form["model"], '\r');
  std::erase(form["data"], '\r');
  nlohmann::json job{{"title", form["title"]},
                     {"command", form["command"]},
                     {"class", form["class"]},
                     {"model", form["model_name"]},
                     {"files", {{form["model_name"], form["model"]}}},
                     {"options", nlohmann::json::object()}};
  if (!form["start_from"].empty()) job["start_from"] = form["start_from"];
  if (!form["data"].empty()) {
    job["files"][form["data_name"].empty() ? "data.csv" : form["data_name"]] = form["data"];
    if (reads_measurements(form["command"]))
      job["options"]["data"] = form["data_name"].empty() ? "data.csv" : form["data_name"];
  }
  for (const auto& [name, value] : form)
    if (name.starts_with(prefix) && !value.empty()) {
      std::string option = name.substr(std::string_view(prefix).size());
      job["options"][option] = option_value(options.find(form["command"], option), value);
    }
  return job;
}

Answer submit_action(const Call& call) {
  std::map<std::string, std::string> form = form_values(call.question.body);
  nlohmann::json job = job_of_form(call.application.options, form);
  ParsedSubmission parsed = parse_submission(job, call.application.options);
  if (parsed.wrong.empty()) return page_of_queued(call, queue_job(call, parsed.request));
  Draft draft{.request = parsed.request,
              .data_name = form["data_name"],
              .data = form["data"],
              .wrong = parsed.wrong,
              .status = unprocessable};
  if (!options_shown_first().contains(draft.request.command)) draft.request.command = "solve";
  draft.request.model = form["model_name"];
  draft.request.files[draft.request.model] = form["model"];
  return form_page(call, draft);
}

constexpr std::array routes_of_new_jobs{
    Route{"GET", "/new", Access::known_or_anonymous, new_page},
    Route{"POST", "/new", Access::known_or_anonymous, submit_action},
};

}  // namespace

std::span<const Route> new_job_pages() { return routes_of_new_jobs; }

}  // namespace bolza::server
