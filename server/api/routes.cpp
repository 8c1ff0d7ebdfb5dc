// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdio>
#include <sstream>

#include "base/printable.h"
#include "server/api/application.h"

namespace bolza::server {
namespace {

constexpr const char* cookie_name = "bolza_session";

std::vector<std::string> parts_of(const std::string& path) {
  std::vector<std::string> parts;
  std::istringstream in(path);
  for (std::string part; std::getline(in, part, '/');)
    if (!part.empty()) parts.push_back(part);
  return parts;
}

/// Fills `places` where the path is one of the pattern.
bool fits(std::string_view pattern, const std::vector<std::string>& path, std::vector<std::string>& places) {
  std::vector<std::string> wanted = parts_of(std::string(pattern));
  if (wanted.size() != path.size()) return false;
  places.clear();
  for (std::size_t k = 0; k < path.size(); ++k)
    if (wanted[k].starts_with('{')) places.push_back(path[k]);
    else if (wanted[k] != path[k]) return false;
  return true;
}

struct Found {
  const Route* route = nullptr;
  bool is_other_method = false;
};

Found find_route(const Application& application, Question& question) {
  Found found;
  std::vector<std::string> path = parts_of(question.path);
  std::string method = question.method == "HEAD" ? "GET" : question.method;
  for (std::span<const Route> table : application.routes)
    for (const Route& route : table) {
      std::vector<std::string> places;
      if (found.route || !fits(route.pattern, path, places)) continue;
      if (route.method != method) {
        found.is_other_method = true;
        continue;
      }
      question.places = places;
      found.route = &route;
    }
  return found;
}

/// Absent where a token is given that is none.
std::optional<Visitor> visitor_of(Application& application, const Question& question) {
  Visitor visitor;
  constexpr std::string_view bearer = "Bearer ";
  std::string authorization = question.header("authorization");
  if (!authorization.empty()) {
    if (!authorization.starts_with(bearer)) return {};
    auto holder = application.pool.with([&](Database& d) { return find_token(d, authorization.substr(bearer.size())); });
    if (!holder) return {};
    visitor.way = Visitor::Way::token;
    visitor.account = holder->account;
    visitor.scope = holder->scope;
    return visitor;
  }
  auto cookie = question.cookies.find(cookie_name);
  if (cookie == question.cookies.end()) return visitor;
  auto session = application.pool.with([&](Database& d) { return find_session(d, cookie->second); });
  if (!session) return visitor;
  visitor.way = Visitor::Way::session;
  visitor.account = session->account;
  visitor.csrf = session->csrf;
  visitor.session = cookie->second;
  return visitor;
}

bool is_page(const Question& question) { return !question.path.starts_with("/api/"); }

/// Whether the browser says that another site's page asks.
bool is_from_elsewhere(const Question& question) {
  std::string origin = question.header("origin"), host = question.header("host"), site = question.header("sec-fetch-site");
  if (site == "cross-site" || site == "same-site") return true;
  if (origin.empty()) return false;
  std::size_t begin = origin.find("://");
  return begin == std::string::npos || origin.substr(begin + 3) != host;
}

/// What changes something by a session carries the session's own secret, which other sites cannot read.
bool is_forged(const Question& question, const Visitor& visitor) {
  if (question.method == "GET" || question.method == "HEAD" || visitor.way == Visitor::Way::token) return false;
  if (is_from_elsewhere(question)) return true;
  if (visitor.way != Visitor::Way::session) return false;
  std::string given = question.header("x-csrf-token");
  if (given.empty() && question.header("content-type").starts_with("application/x-www-form-urlencoded"))
    given = form_values(question.body)["csrf"];
  return given != visitor.csrf;
}

/// Absent: he may.
std::optional<Answer> denied(const Call& call, Access access) {
  const Visitor& visitor = call.visitor;
  auto no = [&](const char* why) -> Answer {
    if (visitor.is_known()) return refusal(forbidden, why);
    if (is_page(call.question)) {
      Answer to_login{.status = see_other, .type = "text/plain", .body = {}, .headers = {}, .more = {}};
      to_login.headers.emplace_back("Location", "/login?next=" + percent_encoded(call.question.path));
      return to_login;
    }
    return refusal(unknown_visitor, "log in, or give a token: `Authorization: Bearer …`");
  };
  switch (access) {
    case Access::anyone:
      return {};
    case Access::known:
      return visitor.is_known() ? std::optional<Answer>() : no("");
    case Access::known_or_anonymous:
      if (visitor.is_known() ? visitor.may_write() : call.application.settings.anonymous) return {};
      return no("the token may only read");
    case Access::writer:
      return visitor.may_write() ? std::optional<Answer>() : no("the token may only read");
    case Access::admin:
      return visitor.is_admin() ? std::optional<Answer>() : no("this is for administrators");
  }
  return no("");
}

Answer answer_of(Application& application, Question& question) {
  Found found = find_route(application, question);
  if (!found.route)
    return found.is_other_method ? refusal(wrong_method, "this address does not take " + question.method)
                                 : refusal(not_found, "there is no such page");
  std::optional<Visitor> visitor = visitor_of(application, question);
  if (!visitor) return refusal(unknown_visitor, "the token is not one of this server");
  if (is_forged(question, *visitor)) return refusal(forbidden, "the question does not come from this server's page");
  Call call{application, question, *visitor};
  if (std::optional<Answer> no = denied(call, found.route->access)) return *no;
  return found.route->answer(call);
}

void add_headers(const Application& application, Answer& answer) {
  auto has = [&](std::string_view name) {
    return std::ranges::any_of(answer.headers, [&](const auto& header) { return header.first == name; });
  };
  auto add = [&](const char* name, const char* value) {
    if (!has(name)) answer.headers.emplace_back(name, value);
  };
  add("Content-Security-Policy",
      "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self';"
      " frame-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'");
  add("X-Content-Type-Options", "nosniff");
  add("Referrer-Policy", "same-origin");
  add("Cache-Control", "no-store");
  add("Cross-Origin-Opener-Policy", "same-origin");
  if (application.is_secure()) add("Strict-Transport-Security", "max-age=31536000");
}

}  // namespace

Answer answer_question(Application& application, const Question& asked) {
  Question question = asked;
  Answer answer;
  try {
    answer = is_text(question) ? answer_of(application, question)
                               : refusal(bad_question, "the question has bytes that are no text");
  } catch (const DatabaseFault& fault) {
    std::fprintf(stderr, "bolza serve: %s\n", printable(fault.what()).c_str());
    answer = refusal(unavailable, "the database does not answer; try again");
  } catch (const std::exception& fault) {
    std::fprintf(stderr, "bolza serve: internal error: %s\n", printable(fault.what()).c_str());
    answer = refusal(500, "this is a defect of the server");
  }
  if (answer.status == unavailable || answer.status == too_many) answer.headers.emplace_back("Retry-After", "5");
  add_headers(application, answer);
  std::lock_guard lock(application.mutex);
  ++application.answers[answer.status];
  return answer;
}

}  // namespace bolza::server
