// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

namespace bolza::server {

/// What a server answered; status 0: it was not reached.
struct Reply {
  int status = 0;
  std::string body, problem;

  bool is_good() const { return status >= 200 && status < 300; }
  nlohmann::json object() const { return nlohmann::json::parse(body, nullptr, /*allow_exceptions=*/false); }
  /// What went wrong, in the server's words where it has some.
  std::string why() const;
};

/// A server and who asks it.
class ServerConnection {
 public:
  /// @param address  https://host:port/prefix  @param token  "" none
  ServerConnection(const std::string& address, const std::string& token);

  Reply get(const std::string& path) const;
  Reply post(const std::string& path, const nlohmann::json& body) const;
  /// The text of an answer as it comes; false ends it.
  Reply follow(const std::string& path, const std::string& last_event,
               const std::function<bool(const std::string&)>& text) const;
  void set_secret(const std::string& secret) { headers_["X-Job-Secret"] = secret; }

 private:
  std::string origin_, prefix_;
  std::map<std::string, std::string> headers_;
};

}  // namespace bolza::server
