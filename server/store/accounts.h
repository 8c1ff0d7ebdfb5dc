// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "server/database/database.h"
#include "server/store/jobs.h"

namespace bolza::server {

struct AccountRecord {
  std::string id, name, role;  ///< role: user or admin
  double created = 0;
  bool is_disabled = false;
  std::optional<std::int64_t> most_jobs, most_seconds, most_bytes;  ///< absent: as for everybody

  bool is_admin() const { return role == "admin"; }
};

/// Somebody who has logged in.
struct SessionRecord {
  AccountRecord account;
  std::string csrf;  ///< that forms and scripts of the page send back
};

struct TokenRecord {
  std::string id, name, scope;  ///< scope: read, or write (submit and cancel, too)
  double created = 0;
};

// All of them: errors are DatabaseFault.

/// "" when it is one: 1 to 64 letters, digits, '.', '-', '_', '@'.
std::string wrong_with_name(const std::string& name);
/// "" when it is good: 10 to 256 characters.
std::string wrong_with_password(const std::string& password);

/// The id; absent where the name is taken. Names are compared without case.
std::optional<std::string> add_account(Database& database, const std::string& name, const std::string& password,
                                       const std::string& role);
std::int64_t count_accounts(Database& database);
std::vector<AccountRecord> list_accounts(Database& database);
std::optional<AccountRecord> find_account(Database& database, const std::string& id);
/// Takes as long for an account that is not there.
std::optional<AccountRecord> log_in(Database& database, const std::string& name, const std::string& password);
/// Whether so many logins failed for this name or address within a quarter of an hour that no more are looked at.
bool is_held_off(Database& database, const std::string& who);
void note_failed_login(Database& database, const std::string& who);
/// Ends sessions and tokens of the account too. @param keep_session  hash of one that goes on
void change_password(Database& database, const std::string& account, const std::string& password,
                     const std::string& keep_session);
void change_account(Database& database, const AccountRecord& account);

/// The secret of a new session.
std::string begin_session(Database& database, const std::string& account);
std::optional<SessionRecord> find_session(Database& database, const std::string& secret);
void end_session(Database& database, const std::string& secret);

/// The secret, which is told once.
std::string add_token(Database& database, const std::string& account, const std::string& name, const std::string& scope);
std::vector<TokenRecord> list_tokens(Database& database, const std::string& account);
bool remove_token(Database& database, const std::string& account, const std::string& id);
struct TokenHolder {
  AccountRecord account;
  std::string scope;
};
std::optional<TokenHolder> find_token(Database& database, const std::string& secret);

/// The secret; good for one account, within a week.
std::string add_invitation(Database& database, const std::string& role);
/// The role that a good invitation gives; it is used up. Run in a transaction with what it is used for.
std::optional<std::string> use_invitation(Database& database, const std::string& secret);

}  // namespace bolza::server
