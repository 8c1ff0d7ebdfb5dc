// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace bolza::server {

/// What is asked for: nothing of it changes once it is in the archive.
struct JobRequest {
  std::string title, command, model, class_name;
  nlohmann::json options = nlohmann::json::object();  ///< name without dashes: text, or a list of texts
  std::string start_from;                             ///< job whose trajectory is the guess; "" none
  std::map<std::string, std::string> files;           ///< contents by name; `model` is one of the names
};

/// 64 hexadecimal digits of everything that decides the result, but the version of Bolza.
std::string hash_of(const JobRequest& request);

/// A job's row, without its files.
struct JobRecord {
  std::string id, owner, owner_name, title, command, model, class_name, start_from, hash, state, worker, verdict, message,
      version, secret_hash, share_hash;
  nlohmann::json options;
  double created = 0;
  std::optional<double> started, finished, objective;
  std::int64_t attempt = 0, input_bytes = 0, result_bytes = 0;
  std::optional<std::int64_t> exit_code;
  bool cancel_requested = false;

  bool is_over() const { return state == "done" || state == "failed" || state == "cancelled"; }
};

/// The owner of jobs without an account.
inline constexpr const char* anonymous_owner = "anonymous";

}  // namespace bolza::server
