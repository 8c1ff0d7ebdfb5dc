// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "base/sha256.h"
#include "server/api/account_actions.h"

namespace bolza::server {
namespace {

constexpr std::size_t longest_token_name = 100;

nlohmann::json json_of_account(const AccountRecord& account) {
  auto or_null = [](const std::optional<std::int64_t>& value) { return value ? nlohmann::json(*value) : nlohmann::json(); };
  return {{"id", account.id},
          {"name", account.name},
          {"role", account.role},
          {"created", account.created},
          {"disabled", account.is_disabled},
          {"most_jobs", or_null(account.most_jobs)},
          {"most_seconds", or_null(account.most_seconds)},
          {"most_bytes", or_null(account.most_bytes)}};
}

/// The members of the body that are named; absent where one is missing or no text.
std::optional<std::vector<std::string>> texts_of(const Call& call, std::initializer_list<const char*> names) {
  auto object = object_of(call.question.body);
  if (!object) return {};
  std::vector<std::string> texts;
  for (const char* name : names) {
    auto text = text_member(*object, name, "");
    if (!text) return {};
    texts.push_back(*text);
  }
  return texts;
}

Answer bad_body() {
  return refusal(bad_question, "the body is not the JSON object that is described in /api/v1/openapi.json");
}

Answer answer_of_login(const Call& call, const LoginResult& done, int status) {
  if (!done.wrong.empty()) return refusal(done.status, done.wrong);
  auto session = call.application.pool.with([&](Database& d) { return find_session(d, done.secret); });
  Answer answer = json_answer({{"account", json_of_account(session->account)}, {"csrf", session->csrf}}, status);
  answer.headers.emplace_back("Set-Cookie", session_cookie(call.application, done.secret));
  return answer;
}

Answer register_route(const Call& call) {
  constexpr int created = 201;
  auto texts = texts_of(call, {"name", "password", "invitation"});
  if (!texts) return bad_body();
  return answer_of_login(call, register_account(call.application, (*texts)[0], (*texts)[1], (*texts)[2]), created);
}

Answer login_route(const Call& call) {
  auto texts = texts_of(call, {"name", "password"});
  if (!texts) return bad_body();
  return answer_of_login(call, log_in_visitor(call, (*texts)[0], (*texts)[1]), 200);
}

Answer logout_route(const Call& call) {
  call.application.pool.with([&](Database& d) { end_session(d, call.visitor.session); });
  Answer answer = json_answer({{"ended", true}});
  answer.headers.emplace_back("Set-Cookie", ended_cookie(call.application));
  return answer;
}

Answer account_route(const Call& call) {
  nlohmann::json out = json_of_account(call.visitor.account);
  Quota used = call.application.pool.with([&](Database& d) { return used_by(d, call.visitor.account.id); });
  out["used"] = {{"jobs", used.jobs}, {"seconds", used.seconds}, {"bytes", used.bytes}};
  if (call.visitor.way == Visitor::Way::session) out["csrf"] = call.visitor.csrf;
  return json_answer(out);
}

Answer password_route(const Call& call) {
  auto texts = texts_of(call, {"old", "new"});
  if (!texts) return bad_body();
  LoginResult done = change_own_password(call, (*texts)[0], (*texts)[1]);
  return done.wrong.empty() ? json_answer({{"changed", true}}) : refusal(done.status, done.wrong);
}

Answer tokens_route(const Call& call) {
  nlohmann::json tokens = nlohmann::json::array();
  for (const TokenRecord& t :
       call.application.pool.with([&](Database& d) { return list_tokens(d, call.visitor.account.id); }))
    tokens.push_back({{"id", t.id}, {"name", t.name}, {"scope", t.scope}, {"created", t.created}});
  return json_answer({{"tokens", tokens}});
}

Answer add_token_route(const Call& call) {
  auto texts = texts_of(call, {"name", "scope"});
  if (!texts) return bad_body();
  if (call.visitor.way != Visitor::Way::session) return refusal(forbidden, "tokens are made in a session, not by a token");
  const std::string &name = (*texts)[0], &scope = (*texts)[1];
  if (scope != "read" && scope != "write") return refusal(unprocessable, "`scope` is read or write");
  if (name.empty() || name.size() > longest_token_name) return refusal(unprocessable, "`name` has 1 to 100 characters");
  std::string secret =
      call.application.pool.with([&](Database& d) { return add_token(d, call.visitor.account.id, name, scope); });
  return json_answer({{"token", secret}, {"name", name}, {"scope", scope}}, 201);
}

Answer remove_token_route(const Call& call) {
  bool is_removed = call.application.pool.with(
      [&](Database& d) { return remove_token(d, call.visitor.account.id, call.question.places[0]); });
  return is_removed ? json_answer({{"removed", true}}) : refusal(not_found, "there is no such token");
}

Answer invite_route(const Call& call) {
  auto texts = texts_of(call, {"role"});
  if (!texts) return bad_body();
  std::string role = (*texts)[0].empty() ? "user" : (*texts)[0];
  if (role != "user" && role != "admin") return refusal(unprocessable, "`role` is user or admin");
  std::string secret = call.application.pool.with([&](Database& d) { return add_invitation(d, role); });
  return json_answer({{"invitation", secret}, {"url", call.application.address + "/register?invitation=" + secret}}, 201);
}

Answer users_route(const Call& call) {
  nlohmann::json users = nlohmann::json::array();
  for (const AccountRecord& account : call.application.pool.with([](Database& d) { return list_accounts(d); }))
    users.push_back(json_of_account(account));
  return json_answer({{"users", users}});
}

/// A number, or null for what holds for everybody. False: it is neither.
bool take_limit(const nlohmann::json& object, const char* name, std::optional<std::int64_t>& limit) {
  if (!object.contains(name)) return true;
  if (object[name].is_null()) limit.reset();
  else if (object[name].is_number_unsigned()) limit = object[name].get<std::int64_t>();
  return object[name].is_null() || object[name].is_number_unsigned();
}

/// Takes over what the object says of an account; false where it is not of the form.
bool take_changes(const nlohmann::json& object, AccountRecord& account) {
  auto role = text_member(object, "role", account.role);
  nlohmann::json disabled = object.contains("disabled") ? object["disabled"] : nlohmann::json(account.is_disabled);
  if (!role || (*role != "user" && *role != "admin") || !disabled.is_boolean()) return false;
  account.role = *role;
  account.is_disabled = disabled;
  return take_limit(object, "most_jobs", account.most_jobs) && take_limit(object, "most_seconds", account.most_seconds) &&
         take_limit(object, "most_bytes", account.most_bytes);
}

Answer change_user_route(const Call& call) {
  auto object = object_of(call.question.body);
  auto password = object ? text_member(*object, "password", "") : std::nullopt;
  if (!password) return bad_body();
  if (std::string wrong = wrong_with_password(*password); !password->empty() && !wrong.empty())
    return refusal(unprocessable, wrong);
  return call.application.pool.with([&](Database& d) {
    std::optional<AccountRecord> account = find_account(d, call.question.places[0]);
    if (!account) return refusal(not_found, "there is no such account");
    if (!take_changes(*object, *account))
      return refusal(unprocessable, "`role` is user or admin, limits are integers or null");
    bool is_own = account->id == call.visitor.account.id;
    if (is_own && (!account->is_admin() || account->is_disabled || !password->empty()))
      return refusal(conflict, "an administrator does not do that to himself");
    if (!password->empty()) change_password(d, account->id, *password, "");
    change_account(d, *account);
    return json_answer(json_of_account(*account));
  });
}

constexpr std::array routes_of_accounts{
    Route{"POST", "/api/v1/accounts", Access::anyone, register_route},
    Route{"POST", "/api/v1/session", Access::anyone, login_route},
    Route{"DELETE", "/api/v1/session", Access::known, logout_route},
    Route{"GET", "/api/v1/account", Access::known, account_route},
    Route{"POST", "/api/v1/account/password", Access::known, password_route},
    Route{"GET", "/api/v1/tokens", Access::known, tokens_route},
    Route{"POST", "/api/v1/tokens", Access::writer, add_token_route},
    Route{"DELETE", "/api/v1/tokens/{id}", Access::writer, remove_token_route},
    Route{"POST", "/api/v1/invitations", Access::admin, invite_route},
    Route{"GET", "/api/v1/users", Access::admin, users_route},
    Route{"PATCH", "/api/v1/users/{id}", Access::admin, change_user_route},
};

}  // namespace

std::span<const Route> account_routes() { return routes_of_accounts; }

}  // namespace bolza::server
