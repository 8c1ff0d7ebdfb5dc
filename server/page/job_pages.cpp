// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "base/numbers.h"
#include "base/sha256.h"
#include "server/api/submission.h"
#include "server/page/html.h"
#include "server/page/tables.h"
#include "server/store/secrets.h"

namespace bolza::server {
namespace {

constexpr int jobs_of_a_page = 50;
constexpr int digits = 9;  ///< of numbers on these pages
constexpr int rough = 3;   ///< of what is looked at and not computed with

std::string state_of(const JobRecord& job) {
  return "<span class=\"state " + html(job.state) + "\">" + html(job.state) + "</span>";
}

std::string title_of(const JobRecord& job) {
  if (!job.title.empty()) return job.title;
  return job.class_name.empty() ? job.model : job.class_name;
}

std::string row_of(const JobRecord& job, bool with_owner) {
  std::string owner = job.owner_name.empty() ? anonymous_owner : job.owner_name;
  return "<tr><td><a href=\"/jobs/" + job.id + "\">" + html(title_of(job)) + "</a></td>" +
         (with_owner ? "<td>" + html(owner) + "</td>" : "") + "<td>" + html(job.command) + "</td><td>" + state_of(job) +
         "</td><td>" + html(job.verdict) + "</td><td class=\"number\">" +
         (job.objective ? shown(*job.objective, digits) : "") + "</td><td>" + shown_time(job.created) + "</td></tr>\n";
}

std::string search_form(const Question& q, bool is_admin) {
  std::string states = choice("state", "State",
                              {{"", "any"},
                               {"queued", "queued"},
                               {"running", "running"},
                               {"done", "done"},
                               {"failed", "failed"},
                               {"cancelled", "cancelled"}},
                              q.parameter("state"));
  std::vector<Choice> of_commands{{"", "any"}};
  for (std::string_view command : job_commands) of_commands.push_back({std::string(command), std::string(command)});
  std::string commands = choice("command", "Command", of_commands, q.parameter("command"));
  std::string all = !is_admin ? "" : choice("all", "Of", {{"", "mine"}, {"true", "everybody"}}, q.parameter("all"));
  return "<form method=\"get\" action=\"/jobs\" class=\"card row\" role=\"search\">" +
         field("search", "Search", q.parameter("search"), "type=\"search\"", "title, class, file, hash") + states +
         commands + all + button("Search") + "</form>\n";
}

Answer list_page(const Call& call) {
  const Question& q = call.question;
  JobQuery query = query_of_list(call);
  query.most = jobs_of_a_page;
  bool is_all = query.owner.empty();
  std::vector<JobRecord> jobs = call.application.pool.with([&](Database& d) { return list_jobs(d, query); });
  std::string body = search_form(q, call.visitor.is_admin());
  if (jobs.empty()) body += "<p>There are no such jobs. <a href=\"/new\">A new one</a></p>\n";
  else
    body += std::string("<div class=\"card table\"><table><thead><tr><th>Title</th>") + (is_all ? "<th>Owner</th>" : "") +
            "<th>Command</th><th>State</th><th>Verdict</th><th>Objective</th><th>Submitted</th></tr></thead><tbody>\n";
  for (const JobRecord& job : jobs) body += row_of(job, is_all);
  if (!jobs.empty()) body += "</tbody></table></div>\n";
  if (static_cast<int>(jobs.size()) == jobs_of_a_page) {
    const JobRecord& last = jobs.back();
    std::string further = "/jobs?before=" + percent_encoded(exact_text(last.created)) + "&before_id=" + last.id;
    for (const char* name : {"search", "state", "command", "all"})
      further += std::string("&") + name + "=" + percent_encoded(q.parameter(name));
    body += "<p><a href=\"" + html(further) + "\">Older jobs</a></p>\n";
  }
  return page(call, {.title = "Jobs", .body = body, .here = "/jobs"});
}

std::string facts_of(const JobRecord& job) {
  std::string out = "<dl class=\"facts\">";
  auto fact = [&](const char* name, const std::string& value) {
    if (!value.empty()) out += std::string("<dt>") + name + "</dt><dd>" + value + "</dd>";
  };
  fact("State", "<span id=\"state\" class=\"state " + html(job.state) + "\">" + html(job.state) + "</span>");
  fact("Verdict", html(job.verdict));
  fact("Message", html(job.message));
  if (job.objective) fact("Objective", shown(*job.objective, digits));
  fact("Command", html(job.command + " " + job.model + " " + job.class_name));
  for (const auto& [name, value] : job.options.items())
    fact("Option",
         "<code>" + html(name + " = " + (value.is_string() ? value.get<std::string>() : value.dump())) + "</code>");
  if (!job.start_from.empty())
    fact(job.command == "verify" ? "Verifies" : "Starts from",
         "<a href=\"/jobs/" + html(job.start_from) + "\">" + html(job.start_from) + "</a>");
  fact("Submitted", shown_time(job.created));
  if (job.started && job.finished) fact("Took", shown(*job.finished - *job.started, rough) + " s");
  fact("Version", html(job.version));
  fact("Hash", "<code>" + html(job.hash) + "</code>");
  return out + "</dl>\n";
}

/// What the address of a link or of an anonymous job carries on.
std::string query_of(const Call& call) {
  for (const char* name : {"share", "secret"})
    if (std::string value = call.question.parameter(name); !value.empty())
      return std::string("?") + name + "=" + percent_encoded(value);
  return "";
}

std::string actions_of(const Call& call, const JobRecord& job, bool may_change) {
  std::string at = "/jobs/" + job.id, query = query_of(call), out = "<div class=\"actions\">";
  bool may_submit = call.visitor.may_write() || call.application.settings.anonymous;
  if (may_change && !job.is_over()) out += form_to(call, at + "/cancel" + query, button("Cancel", "danger"));
  if (may_submit) out += form_to(call, at + "/rerun" + query, button("Run again", "plain"));
  if (may_submit && job.command == "solve" && job.state == "done")
    out += form_to(call, at + "/verify" + query, button("Verify", "plain"));
  if (may_submit && job.command != "verify")
    out += "<a class=\"button plain\" href=\"/new?from=" + job.id + (query.empty() ? "" : "&" + query.substr(1)) +
           "\">Edit a copy</a>";
  if (may_submit && job.command == "solve" && job.state == "done")
    out += "<a class=\"button plain\" href=\"/new?start=" + job.id + (query.empty() ? "" : "&" + query.substr(1)) +
           "\">Go on from this result</a>";
  if (may_change && job.share_hash.empty()) out += form_to(call, at + "/share" + query, button("Share by a link", "plain"));
  if (may_change && !job.share_hash.empty())
    out += form_to(call, at + "/unshare" + query, button("Take the link back", "danger"));
  return out + "</div>\n";
}

std::string downloads(const JobRecord& job, const std::string& query, const std::map<std::string, std::int64_t>& results,
                      const std::map<std::string, std::int64_t>& files) {
  std::string out = "<ul>";
  auto link = [&](const std::string& kind, const std::string& name, std::int64_t size) {
    out += "<li><a href=\"/api/v1/jobs/" + job.id + "/" + kind + "/" + percent_encoded(name) + query + "\">" + html(name) +
           "</a> <span class=\"hint\">" + shown_bytes(size) + (kind == "files" ? ", sent" : "") + "</span></li>";
  };
  for (const auto& [name, size] : results) link("results", name, size);
  for (const auto& [name, size] : files) link("files", name, size);
  return out + "</ul>\n";
}

std::string pictures_of(const JobRecord& job, const std::string& query, const std::map<std::string, std::int64_t>& results) {
  bool iterates = job.command == "solve" || job.command == "fit";
  if (job.command == "verify" && job.is_over()) return "";  // it says nothing on the way
  std::string attributes = " data-job=\"" + job.id + "\" data-query=\"" + html(query) + "\"";
  std::string out = "<section" + attributes + " data-over=\"" + (job.is_over() ? "true" : "false") + "\"><h2>" +
                    (iterates ? "Convergence" : "Progress") +
                    "</h2><p id=\"progress\" aria-live=\"polite\" class=\"hint\"></p><div "
                    "id=\"convergence\" class=\"plot\"></div>"
                    "<div id=\"infeasibility\" class=\"plot\"></div></section>\n";
  bool has_trajectories = results.contains("result.csv") && !job.command.starts_with("sweep");
  if (has_trajectories)
    out += "<section id=\"trajectories\" hidden" + attributes +
           "><h2>Trajectories</h2><p class=\"hint\">Drag to zoom, double-click to see everything.</p><div id=\"curves\" "
           "class=\"plot\"></div>"
           "<fieldset class=\"names\" id=\"names\"><legend>Curves</legend></fieldset><form id=\"compare\" class=\"row\">" +
           field("other", "Compare with the job", "", "pattern=\".*[0-9a-f]{32}\"", "its id or address") +
           button("Compare", "plain") + "</form><p id=\"compared\" role=\"status\" class=\"hint\"></p></section>\n";
  if (results.contains("report.html"))
    out += "<section><h2>Report</h2><iframe title=\"Report\" sandbox=\"allow-scripts\" src=\"/api/v1/jobs/" + job.id +
           "/results/report.html" + html(query) + "\"></iframe></section>\n";
  return out;
}

/// What `bolza verify` found, as a table.
std::string checks_of(const std::string& result) {
  nlohmann::json said = nlohmann::json::parse(result, nullptr, /*allow_exceptions=*/false);
  if (!said.is_object() || !said.contains("checks") || !said["checks"].is_array()) return "";
  std::string out =
      "<section><h2>Checks</h2><div class=\"card table\"><table><thead><tr><th>Condition</th><th>Result</th><th>Value</th>"
      "<th>Limit</th><th>Remark</th></tr></thead><tbody>\n";
  for (const nlohmann::json& check : said["checks"]) {
    auto text = [&](const char* name) {
      return check.contains(name) && check[name].is_string() ? html(check[name].get<std::string>()) : std::string();
    };
    auto number = [&](const char* name) {
      return check.contains(name) && check[name].is_number() ? shown(check[name].get<double>(), rough) : std::string();
    };
    out += "<tr><td>" + text("name") + "</td><td>" + text("result") + "</td><td class=\"number\">" + number("value") +
           "</td><td class=\"number\">" + number("limit") + "</td><td>" + text("text") + "</td></tr>\n";
  }
  return out + "</tbody></table></div></section>\n";
}

Answer page_of_job(const Call& call, const JobRecord& job, bool may_change, const std::string& news) {
  bool verifies = job.command == "verify";
  auto [results, files, model, log, said] = call.application.pool.with([&](Database& d) {
    return std::tuple(results_of(d, job.id), files_of(d, job.id), file_of(d, job.id, job.model).value_or(""),
                      result_of(d, job.id, "log.txt").value_or(""),
                      verifies ? result_of(d, job.id, "result.json").value_or("") : "");
  });
  std::string query = query_of(call);
  std::string body = news + "<div class=\"card\">" + facts_of(job) + actions_of(call, job, may_change) + "</div>\n" +
                     checks_of(said) + pictures_of(job, query, results) + "<section><h2>Files</h2>" +
                     downloads(job, query, results, files) + "</section>\n";
  if (!log.empty()) body += "<section><h2>What was said</h2><pre tabindex=\"0\">" + html(log) + "</pre></section>\n";
  body += "<section><h2>Model</h2><pre tabindex=\"0\">" + html(model) + "</pre></section>\n";
  return page(call, {.title = title_of(job), .body = body, .here = ""});
}

Answer no_job_page(const Call& call) {
  return page_of_trouble(call, not_found, "there is no such job, or it is not yours to see");
}

Answer job_page(const Call& call) {
  auto job = visible_job(call, call.question.places[0], /*to_change=*/false);
  if (!job) return no_job_page(call);
  return page_of_job(call, *job, visible_job(call, job->id, /*to_change=*/true).has_value(), "");
}

Answer shared_page(const Call& call) {
  const std::string& secret = call.question.places[0];
  auto job = call.application.pool.with([&](Database& d) { return find_shared_job(d, sha256(secret)); });
  if (!job) return no_job_page(call);
  return redirect("/jobs/" + job->id + "?share=" + percent_encoded(secret));
}

Answer cancel_action(const Call& call) {
  auto job = visible_job(call, call.question.places[0], /*to_change=*/true);
  if (!job) return no_job_page(call);
  call.application.pool.with([&](Database& d) { cancel_job(d, job->id); });
  return redirect("/jobs/" + job->id + query_of(call));
}

Answer rerun_action(const Call& call) {
  auto job = visible_job(call, call.question.places[0], /*to_change=*/false);
  if (!job) return no_job_page(call);
  auto request = call.application.pool.with([&](Database& d) { return request_of(d, *job); });
  if (!request)
    return page_of_trouble(call, conflict, "what is kept of the job does not have the hash that was noted for it");
  return page_of_queued(call, queue_job(call, *request));
}

Answer verify_action(const Call& call) {
  JobRequest request;
  request.command = "verify";
  request.start_from = call.question.places[0];
  return page_of_queued(call, queue_job(call, request));
}

Answer share_action(const Call& call) {
  auto job = visible_job(call, call.question.places[0], /*to_change=*/true);
  if (!job) return no_job_page(call);
  std::string secret = random_secret();
  call.application.pool.with([&](Database& d) { share_job(d, job->id, sha256(secret)); });
  job->share_hash = sha256(secret);
  std::string news =
      "<div class=\"card\" role=\"status\"><p>Whoever has this link sees the job; it is shown this once:</p><p "
      "class=\"secret\">" +
      html(call.application.address + "/s/" + secret) + "</p></div>\n";
  return page_of_job(call, *job, /*may_change=*/true, news);
}

Answer unshare_action(const Call& call) {
  auto job = visible_job(call, call.question.places[0], /*to_change=*/true);
  if (!job) return no_job_page(call);
  call.application.pool.with([&](Database& d) { share_job(d, job->id, ""); });
  return redirect("/jobs/" + job->id + query_of(call));
}

constexpr std::array routes_of_job_pages{
    Route{"GET", "/jobs", Access::known, list_page},
    Route{"GET", "/jobs/{id}", Access::anyone, job_page},
    Route{"GET", "/s/{secret}", Access::anyone, shared_page},
    Route{"POST", "/jobs/{id}/cancel", Access::anyone, cancel_action},
    Route{"POST", "/jobs/{id}/rerun", Access::known_or_anonymous, rerun_action},
    Route{"POST", "/jobs/{id}/verify", Access::known_or_anonymous, verify_action},
    Route{"POST", "/jobs/{id}/share", Access::anyone, share_action},
    Route{"POST", "/jobs/{id}/unshare", Access::anyone, unshare_action},
};

}  // namespace

Answer page_of_queued(const Call& call, const Answer& answer) {
  nlohmann::json said = nlohmann::json::parse(answer.body, nullptr, /*allow_exceptions=*/false);
  if (answer.status != accepted) return page_of_trouble(call, answer.status, said.value("error", ""));
  std::string secret = said.value("secret", "");
  return redirect("/jobs/" + said.value("id", "") + (secret.empty() ? "" : "?secret=" + percent_encoded(secret)));
}

std::span<const Route> job_pages() { return routes_of_job_pages; }

}  // namespace bolza::server
