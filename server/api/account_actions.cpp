// SPDX-License-Identifier: Apache-2.0
#include "server/api/account_actions.h"

#include "base/sha256.h"
#include "server/store/secrets.h"

namespace bolza::server {
namespace {

constexpr const char* cookie = "bolza_session=";
constexpr const char* two_weeks = "; Max-Age=1209600";

/// Seen by no script, sent with nothing that another site's page sends.
std::string attributes_of(const Application& application) {
  return std::string("; Path=/; HttpOnly; SameSite=Lax") + (application.is_secure() ? "; Secure" : "");
}

}  // namespace

std::string session_cookie(const Application& application, const std::string& secret) {
  return cookie + secret + two_weeks + attributes_of(application);
}

std::string ended_cookie(const Application& application) {
  return std::string(cookie) + "; Max-Age=0" + attributes_of(application);
}

LoginResult register_account(Application& application, const std::string& name, const std::string& password,
                             const std::string& invitation) {
  for (const std::string& wrong : {wrong_with_name(name), wrong_with_password(password)})
    if (!wrong.empty()) return {unprocessable, wrong, ""};
  return application.pool.with([&](Database& d) -> LoginResult {
    SqlTransaction transaction(d);
    std::optional<std::string> role = invitation.empty() ? std::nullopt : use_invitation(d, invitation);
    if (!role && !invitation.empty()) return {forbidden, "the invitation is not one, or was used", ""};
    if (!role && !application.settings.open_registration) return {forbidden, "accounts are opened by invitation", ""};
    std::optional<std::string> id = add_account(d, name, password, role.value_or("user"));
    if (!id) return {conflict, "the name is taken", ""};
    std::string secret = begin_session(d, *id);
    transaction.commit();
    return {200, "", secret};
  });
}

LoginResult change_own_password(const Call& call, const std::string& old_password, const std::string& new_password) {
  if (call.visitor.way != Visitor::Way::session) return {forbidden, "a token does not change the password", ""};
  if (std::string wrong = wrong_with_password(new_password); !wrong.empty()) return {unprocessable, wrong, ""};
  return call.application.pool.with([&](Database& d) -> LoginResult {
    const AccountRecord& account = call.visitor.account;
    if (is_held_off(d, account.name)) return {too_many, "too many passwords were wrong", ""};
    if (!log_in(d, account.name, old_password)) {
      note_failed_login(d, account.name);
      return {forbidden, "the old password is wrong", ""};
    }
    change_password(d, account.id, new_password, sha256(call.visitor.session));
    return {200, "", ""};
  });
}

LoginResult log_in_visitor(const Call& call, const std::string& name, const std::string& password) {
  return call.application.pool.with([&](Database& d) -> LoginResult {
    std::string by_address = "from " + call.question.address;
    if (is_held_off(d, name) || is_held_off(d, by_address))
      return {too_many, "too many logins have failed; try again in a quarter of an hour", ""};
    // What no password can be is not worth its hash; it takes as long as any other.
    std::optional<AccountRecord> account = log_in(d, name, wrong_with_password(password).empty() ? password : "");
    if (account) return {200, "", begin_session(d, account->id)};
    note_failed_login(d, name);
    note_failed_login(d, by_address);
    return {unknown_visitor, "name or password is wrong", ""};
  });
}

}  // namespace bolza::server
