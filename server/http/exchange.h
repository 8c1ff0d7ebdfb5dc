// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace bolza::server {

/// What was asked, free of the library that read it.
struct Question {
  std::string method, path, body, address;
  std::map<std::string, std::string> query;    ///< of the address, decoded
  std::map<std::string, std::string> headers;  ///< names in lower case
  std::map<std::string, std::string> cookies;
  std::vector<std::string> places;  ///< what stands for {…} in the route, decoded

  std::string header(const std::string& name) const;
  std::string parameter(const std::string& name) const;
};

/// More of an answer that goes on: text to be sent now, "" to be asked again a little later; absent: it is over.
using Continuation = std::function<std::optional<std::string>()>;

struct Answer {
  int status = 200;
  std::string type = "application/json", body;
  std::vector<std::pair<std::string, std::string>> headers;
  Continuation more;  ///< of an answer that goes on, after `body`
};

/// name=value&…, as forms send it.
std::map<std::string, std::string> form_values(const std::string& text);
std::string percent_decoded(const std::string& text, bool plus_is_blank);
/// UTF-8 without NUL.
bool is_text(const std::string& bytes);
/// Whether path, query, cookies, the headers that are looked at, and the values of a form are text.
bool is_text(const Question& question);
/// For a part of an address.
std::string percent_encoded(const std::string& text);

}  // namespace bolza::server
