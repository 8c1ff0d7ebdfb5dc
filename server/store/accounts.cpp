// SPDX-License-Identifier: Apache-2.0
#include "server/store/accounts.h"

#include <algorithm>
#include <cctype>

#include "base/sha256.h"
#include "server/store/secrets.h"

namespace bolza::server {
namespace {

constexpr std::size_t longest_name = 64, shortest_password = 10, longest_password = 256;
constexpr double quarter_of_an_hour = 900, session_seconds = 14 * 86'400.0, invitation_seconds = 7 * 86'400.0;
constexpr std::int64_t most_failed_logins = 10;
constexpr std::string_view account_columns =
    "users.id, users.name, users.role, users.created, users.disabled, users.most_jobs, users.most_seconds, users.most_bytes";

std::string lower_case(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

std::optional<std::int64_t> integer_or_none(const SqlRows& rows, std::size_t k, std::string_view name) {
  if (!rows.at(k, name)) return {};
  return rows.integer(k, name);
}

AccountRecord account_of(const SqlRows& rows, std::size_t k) {
  return {rows.text(k, "id"),
          rows.text(k, "name"),
          rows.text(k, "role"),
          rows.number(k, "created"),
          rows.integer(k, "disabled") != 0,
          integer_or_none(rows, k, "most_jobs"),
          integer_or_none(rows, k, "most_seconds"),
          integer_or_none(rows, k, "most_bytes")};
}

SqlValue integer_or_null(const std::optional<std::int64_t>& value) { return value ? SqlValue(*value) : SqlValue(nullptr); }

}  // namespace

std::string wrong_with_name(const std::string& name) {
  bool fits = !name.empty() && name.size() <= longest_name && std::ranges::all_of(name, [](unsigned char c) {
    return c < 128 && (std::isalnum(c) || std::string_view(".-_@").find(static_cast<char>(c)) != std::string_view::npos);
  });
  return fits ? "" : "a name has 1 to 64 letters, digits, `.`, `-`, `_`, `@`";
}

std::string wrong_with_password(const std::string& password) {
  if (password.size() < shortest_password) return "a password has at least 10 characters";
  return password.size() > longest_password ? "a password has at most 256 characters" : "";
}

std::optional<std::string> add_account(Database& database, const std::string& name, const std::string& password,
                                       const std::string& role) {
  std::string id = random_id();
  SqlRows added = database.run(
      "INSERT INTO users (id, name, password, role, created) VALUES ($1, $2, $3, $4, {now}) ON CONFLICT (name) DO NOTHING"
      " RETURNING id",
      {id, lower_case(name), hash_password(password), role});
  if (added.empty()) return {};
  return id;
}

std::int64_t count_accounts(Database& database) { return database.run("SELECT count(*) AS n FROM users").integer(0, "n"); }

std::vector<AccountRecord> list_accounts(Database& database) {
  SqlRows rows = database.run("SELECT " + std::string(account_columns) + " FROM users ORDER BY name");
  std::vector<AccountRecord> out;
  for (std::size_t k = 0; k < rows.size(); ++k) out.push_back(account_of(rows, k));
  return out;
}

std::optional<AccountRecord> find_account(Database& database, const std::string& id) {
  SqlRows rows = database.run("SELECT " + std::string(account_columns) + " FROM users WHERE id = $1", {id});
  if (rows.empty()) return {};
  return account_of(rows, 0);
}

std::optional<AccountRecord> log_in(Database& database, const std::string& name, const std::string& password) {
  SqlRows rows =
      database.run("SELECT password, " + std::string(account_columns) + " FROM users WHERE name = $1", {lower_case(name)});
  bool is_right = is_password(password, rows.empty() ? "" : rows.text(0, "password"));
  if (!is_right || rows.integer(0, "disabled") != 0) return {};
  return account_of(rows, 0);
}

bool is_held_off(Database& database, const std::string& who) {
  SqlRows rows = database.run("SELECT count(*) AS n FROM failed_logins WHERE who = $1 AND at > {now} - $2",
                              {lower_case(who), quarter_of_an_hour});
  return rows.integer(0, "n") >= most_failed_logins;
}

void note_failed_login(Database& database, const std::string& who) {
  database.run("INSERT INTO failed_logins (who, at) VALUES ($1, {now})", {lower_case(who)});
  database.run("DELETE FROM failed_logins WHERE at < {now} - $1", {quarter_of_an_hour});
}

void change_password(Database& database, const std::string& account, const std::string& password,
                     const std::string& keep_session) {
  std::string hash = hash_password(password);
  SqlTransaction transaction(database);
  database.run("UPDATE users SET password = $2 WHERE id = $1", {account, hash});
  database.run("DELETE FROM sessions WHERE user_id = $1 AND secret_hash <> $2", {account, keep_session});
  database.run("DELETE FROM tokens WHERE user_id = $1", {account});
  transaction.commit();
}

void change_account(Database& database, const AccountRecord& account) {
  SqlTransaction transaction(database);
  database.run("UPDATE users SET role = $2, disabled = $3, most_jobs = $4, most_seconds = $5, most_bytes = $6 WHERE id = $1",
               {account.id, account.role, std::int64_t{account.is_disabled}, integer_or_null(account.most_jobs),
                integer_or_null(account.most_seconds), integer_or_null(account.most_bytes)});
  if (account.is_disabled) database.run("DELETE FROM sessions WHERE user_id = $1", {account.id});
  transaction.commit();
}

std::string begin_session(Database& database, const std::string& account) {
  std::string secret = random_secret();
  database.run("DELETE FROM sessions WHERE expires < {now}");
  database.run("INSERT INTO sessions (secret_hash, user_id, csrf, expires) VALUES ($1, $2, $3, {now} + $4)",
               {sha256(secret), account, random_secret(), session_seconds});
  return secret;
}

std::optional<SessionRecord> find_session(Database& database, const std::string& secret) {
  SqlRows rows = database.run("SELECT sessions.csrf, " + std::string(account_columns) +
                                  " FROM sessions JOIN users ON users.id = sessions.user_id"
                                  " WHERE sessions.secret_hash = $1 AND sessions.expires > {now} AND users.disabled = 0",
                              {sha256(secret)});
  if (rows.empty()) return {};
  return SessionRecord{account_of(rows, 0), rows.text(0, "csrf")};
}

void end_session(Database& database, const std::string& secret) {
  database.run("DELETE FROM sessions WHERE secret_hash = $1", {sha256(secret)});
}

std::string add_token(Database& database, const std::string& account, const std::string& name, const std::string& scope) {
  std::string secret = "bolza_" + random_secret();
  database.run("INSERT INTO tokens (id, secret_hash, user_id, name, scope, created) VALUES ($1, $2, $3, $4, $5, {now})",
               {random_id(), sha256(secret), account, name, scope});
  return secret;
}

std::vector<TokenRecord> list_tokens(Database& database, const std::string& account) {
  SqlRows rows =
      database.run("SELECT id, name, scope, created FROM tokens WHERE user_id = $1 ORDER BY created, id", {account});
  std::vector<TokenRecord> out;
  for (std::size_t k = 0; k < rows.size(); ++k)
    out.push_back({rows.text(k, "id"), rows.text(k, "name"), rows.text(k, "scope"), rows.number(k, "created")});
  return out;
}

bool remove_token(Database& database, const std::string& account, const std::string& id) {
  return database.run("DELETE FROM tokens WHERE user_id = $1 AND id = $2", {account, id}).changed > 0;
}

std::optional<TokenHolder> find_token(Database& database, const std::string& secret) {
  SqlRows rows = database.run("SELECT tokens.scope, " + std::string(account_columns) +
                                  " FROM tokens JOIN users ON users.id = tokens.user_id"
                                  " WHERE tokens.secret_hash = $1 AND users.disabled = 0",
                              {sha256(secret)});
  if (rows.empty()) return {};
  return TokenHolder{account_of(rows, 0), rows.text(0, "scope")};
}

std::string add_invitation(Database& database, const std::string& role) {
  std::string secret = random_secret();
  database.run("DELETE FROM invitations WHERE expires < {now}");
  database.run("INSERT INTO invitations (secret_hash, role, expires) VALUES ($1, $2, {now} + $3)",
               {sha256(secret), role, invitation_seconds});
  return secret;
}

std::optional<std::string> use_invitation(Database& database, const std::string& secret) {
  SqlRows rows =
      database.run("DELETE FROM invitations WHERE secret_hash = $1 AND expires > {now} RETURNING role", {sha256(secret)});
  if (rows.empty()) return {};
  return rows.text(0, "role");
}

}  // namespace bolza::server
