// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "server/api/application.h"

namespace bolza::server {

/// What came of it: the cookie of a session, or why not.
struct LoginResult {
  int status = 200;
  std::string wrong;   ///< "" it is done
  std::string secret;  ///< of the session
};

/// Opens an account and a session of it. @param invitation  its secret; needed unless registration is open
LoginResult register_account(Application& application, const std::string& name, const std::string& password,
                             const std::string& invitation);
/// Takes as long whether the account is there or not; 429 after too many failures of one name or address.
LoginResult log_in_visitor(const Call& call, const std::string& name, const std::string& password);

/// The password of who asks, in his session. @returns status and what is wrong; no secret
LoginResult change_own_password(const Call& call, const std::string& old_password, const std::string& new_password);

std::string session_cookie(const Application& application, const std::string& secret);
std::string ended_cookie(const Application& application);

}  // namespace bolza::server
