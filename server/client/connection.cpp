// SPDX-License-Identifier: Apache-2.0
#include "server/client/connection.h"

#include <httplib.h>

namespace bolza::server {
namespace {

constexpr int seconds_to_connect = 20, seconds_to_answer = 120;

httplib::Headers headers_of(const std::map<std::string, std::string>& headers) { return {headers.begin(), headers.end()}; }

httplib::Client client_of(const std::string& origin) {
  httplib::Client client(origin);
  client.set_connection_timeout(seconds_to_connect);
  client.set_read_timeout(seconds_to_answer);
  client.set_write_timeout(seconds_to_answer);
  return client;
}

Reply reply_of(const httplib::Result& result) {
  if (!result) return {0, "", httplib::to_string(result.error())};
  return {result->status, result->body, ""};
}

}  // namespace

std::string Reply::why() const {
  if (status == 0) return "the server was not reached: " + problem;
  nlohmann::json said = object();
  if (said.is_object() && said.contains("error") && said["error"].is_string()) return said["error"];
  return "the server answered with status " + std::to_string(status);
}

ServerConnection::ServerConnection(const std::string& address, const std::string& token) : origin_(address) {
  std::size_t host = address.find("://");
  std::size_t path = address.find('/', host == std::string::npos ? 0 : host + 3);
  if (path != std::string::npos) {
    origin_ = address.substr(0, path);
    prefix_ = address.substr(path, address.find_last_not_of('/') + 1 - path);
  }
  if (!token.empty()) headers_["Authorization"] = "Bearer " + token;
}

Reply ServerConnection::get(const std::string& path) const {
  return reply_of(client_of(origin_).Get(prefix_ + path, headers_of(headers_)));
}

Reply ServerConnection::post(const std::string& path, const nlohmann::json& body) const {
  return reply_of(client_of(origin_).Post(prefix_ + path, headers_of(headers_), body.dump(), "application/json"));
}

Reply ServerConnection::follow(const std::string& path, const std::string& last_event,
                               const std::function<bool(const std::string&)>& text) const {
  httplib::Headers headers = headers_of(headers_);
  if (!last_event.empty()) headers.emplace("Last-Event-ID", last_event);
  return reply_of(client_of(origin_).Get(prefix_ + path, headers,
                                         [&](const char* data, std::size_t size) { return text(std::string(data, size)); }));
}

}  // namespace bolza::server
