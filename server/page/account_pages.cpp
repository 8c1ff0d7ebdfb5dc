// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "base/sha256.h"
#include "server/api/account_actions.h"
#include "server/page/html.h"
#include "server/page/tables.h"

namespace bolza::server {
namespace {

using Form = std::map<std::string, std::string>;

Form form_of(const Call& call) { return form_values(call.question.body); }

/// Within this server alone.
std::string safe_target(const std::string& next) {
  bool is_path = next.starts_with('/') && !next.starts_with("//") && next.find('\\') == std::string::npos &&
                 next.find_first_of("\r\n") == std::string::npos;
  return is_path ? next : "/jobs";
}

Answer login_form(const Call& call, const std::string& wrong, const std::string& name, const std::string& next, int status) {
  std::string body =
      alert(wrong) + "<div class=\"card narrow\">" +
      form_to(call, "/login",
              field("name", "Name", name, "autocomplete=\"username\" required") +
                  field("password", "Password", "", "type=\"password\" autocomplete=\"current-password\" required") +
                  "<input type=\"hidden\" name=\"next\" value=\"" + html(next) + "\"><p class=\"actions\">" +
                  button("Log in") + "</p>") +
      "</div>\n";
  if (call.application.settings.open_registration) body += "<p><a href=\"/register\">Open an account</a></p>\n";
  return page(call, {.title = "Log in", .body = body, .here = "/login", .status = status});
}

Answer login_page(const Call& call) { return login_form(call, "", "", call.question.parameter("next"), 200); }

Answer with_session(const Call& call, const std::string& secret, const std::string& to) {
  Answer answer = redirect(to);
  answer.headers.emplace_back("Set-Cookie", session_cookie(call.application, secret));
  return answer;
}

Answer login_action(const Call& call) {
  Form form = form_of(call);
  LoginResult done = log_in_visitor(call, form["name"], form["password"]);
  if (!done.wrong.empty()) return login_form(call, done.wrong, form["name"], form["next"], done.status);
  return with_session(call, done.secret, safe_target(form["next"]));
}

Answer logout_action(const Call& call) {
  call.application.pool.with([&](Database& d) { end_session(d, call.visitor.session); });
  Answer answer = redirect("/");
  answer.headers.emplace_back("Set-Cookie", ended_cookie(call.application));
  return answer;
}

Answer register_form(const Call& call, const std::string& wrong, const std::string& name, const std::string& invitation,
                     int status) {
  bool is_open = call.application.settings.open_registration;
  std::string body =
      alert(wrong) + "<div class=\"card narrow\">" +
      form_to(
          call, "/register",
          field("name", "Name", name, "autocomplete=\"username\" required", "letters, digits, . - _ @") +
              field("password", "Password", "", "type=\"password\" autocomplete=\"new-password\" minlength=\"10\" required",
                    "at least 10 characters") +
              field("invitation", "Invitation", invitation, is_open ? "" : "required", is_open ? "where you have one" : "") +
              "<p class=\"actions\">" + button("Open the account") + "</p>") +
      "</div>\n";
  return page(call, {.title = "Open an account", .body = body, .here = "/register", .status = status});
}

Answer register_page(const Call& call) { return register_form(call, "", "", call.question.parameter("invitation"), 200); }

Answer register_action(const Call& call) {
  Form form = form_of(call);
  LoginResult done = register_account(call.application, form["name"], form["password"], form["invitation"]);
  if (!done.wrong.empty()) return register_form(call, done.wrong, form["name"], form["invitation"], done.status);
  return with_session(call, done.secret, "/new");
}

std::string tokens_card(const Call& call) {
  std::string out =
      "<div class=\"card\"><h2>Tokens for programs</h2>\n<div "
      "class=\"table\"><table><thead><tr><th>Name</th><th>May</th><th>Since</th>"
      "<th>Remove</th></tr></thead><tbody>\n";
  for (const TokenRecord& t :
       call.application.pool.with([&](Database& d) { return list_tokens(d, call.visitor.account.id); }))
    out += "<tr><td>" + html(t.name) + "</td><td>" + html(t.scope) + "</td><td>" + shown_time(t.created) + "</td><td>" +
           form_to(call, "/account/tokens/" + t.id + "/remove", button("Remove " + t.name, "danger")) + "</td></tr>\n";
  out += "</tbody></table></div>\n";
  return out +
         form_to(call, "/account/tokens",
                 "<div class=\"row\">" + field("token_name", "Name of a new token", "", "required maxlength=\"100\"") +
                     choice("scope", "It may", {{"write", "submit, cancel and read"}, {"read", "read alone"}}, "write") +
                     button("Make it") + "</div>") +
         "</div>\n";
}

std::string password_card(const Call& call) {
  return "<div class=\"card\"><h2>Password</h2>\n" +
         form_to(call, "/account/password",
                 "<div class=\"row\">" +
                     field("old", "Old password", "", "type=\"password\" autocomplete=\"current-password\" required") +
                     field("new", "New password", "",
                           "type=\"password\" autocomplete=\"new-password\" minlength=\"10\" required") +
                     button("Change it") + "</div>") +
         "<p class=\"hint\">Other sessions and all tokens end then.</p></div>\n";
}

std::string invite_card(const Call& call) {
  if (!call.visitor.is_admin()) return "";
  std::string out =
      "<div class=\"card\"><h2>Accounts</h2>\n<div "
      "class=\"table\"><table><thead><tr><th>Name</th><th>Role</th><th>Since</th></tr></thead><tbody>\n";
  for (const AccountRecord& a : call.application.pool.with([](Database& d) { return list_accounts(d); }))
    out += "<tr><td>" + html(a.name) + (a.is_disabled ? " (disabled)" : "") + "</td><td>" + html(a.role) + "</td><td>" +
           shown_time(a.created) + "</td></tr>\n";
  out += "</tbody></table></div>\n";
  return out +
         form_to(call, "/account/invite",
                 "<div class=\"row\">" +
                     choice("role", "Invite", {{"user", "a user"}, {"admin", "an administrator"}}, "user") +
                     button("Make a link") + "</div>") +
         "</div>\n";
}

Answer account_page_with(const Call& call, const std::string& news, const std::string& wrong, int status) {
  Quota used = call.application.pool.with([&](Database& d) { return used_by(d, call.visitor.account.id); });
  std::string body = alert(wrong) + news + "<div class=\"card\"><dl class=\"facts\"><dt>Name</dt><dd>" +
                     html(call.visitor.account.name) + "</dd><dt>Role</dt><dd>" + html(call.visitor.account.role) +
                     "</dd><dt>Waiting and running</dt><dd>" + std::to_string(used.jobs) +
                     " jobs</dd><dt>Computed in 30 days</dt><dd>" + std::to_string(used.seconds) +
                     " s</dd><dt>Kept</dt><dd>" + shown_bytes(used.bytes) + "</dd></dl></div>\n" + tokens_card(call) +
                     password_card(call) + invite_card(call);
  return page(call, {.title = "Account", .body = body, .here = "/account", .status = status});
}

Answer account_page(const Call& call) { return account_page_with(call, "", "", 200); }

std::string told_once(const std::string& what, const std::string& secret) {
  return "<div class=\"card\" role=\"status\"><p>" + html(what) + "</p><p class=\"secret\">" + html(secret) + "</p></div>\n";
}

Answer token_action(const Call& call) {
  constexpr std::size_t longest = 100;
  Form form = form_of(call);
  bool fits = !form["token_name"].empty() && form["token_name"].size() <= longest &&
              (form["scope"] == "read" || form["scope"] == "write");
  if (!fits || call.visitor.way != Visitor::Way::session)
    return account_page_with(call, "", "a token has a name and may read or write", unprocessable);
  std::string secret = call.application.pool.with(
      [&](Database& d) { return add_token(d, call.visitor.account.id, form["token_name"], form["scope"]); });
  return account_page_with(call, told_once("The token, which is shown this once:", secret), "", 200);
}

Answer remove_token_action(const Call& call) {
  call.application.pool.with([&](Database& d) { remove_token(d, call.visitor.account.id, call.question.places[0]); });
  return redirect("/account");
}

Answer password_action(const Call& call) {
  Form form = form_of(call);
  LoginResult done = change_own_password(call, form["old"], form["new"]);
  if (!done.wrong.empty()) return account_page_with(call, "", done.wrong, done.status);
  return account_page_with(call, "<p role=\"status\">The password was changed.</p>\n", "", 200);
}

Answer invite_action(const Call& call) {
  std::string role = form_of(call)["role"] == "admin" ? "admin" : "user";
  std::string secret = call.application.pool.with([&](Database& d) { return add_invitation(d, role); });
  return account_page_with(
      call, told_once("Good for one account, within a week:", call.application.address + "/register?invitation=" + secret),
      "", 200);
}

constexpr std::array routes_of_account_pages{
    Route{"GET", "/login", Access::anyone, login_page},
    Route{"POST", "/login", Access::anyone, login_action},
    Route{"POST", "/logout", Access::known, logout_action},
    Route{"GET", "/register", Access::anyone, register_page},
    Route{"POST", "/register", Access::anyone, register_action},
    Route{"GET", "/account", Access::known, account_page},
    Route{"POST", "/account/tokens", Access::writer, token_action},
    Route{"POST", "/account/tokens/{id}/remove", Access::writer, remove_token_action},
    Route{"POST", "/account/password", Access::writer, password_action},
    Route{"POST", "/account/invite", Access::admin, invite_action},
};

}  // namespace

std::span<const Route> account_pages() { return routes_of_account_pages; }

}  // namespace bolza::server
