// SPDX-License-Identifier: Apache-2.0
#include "server/http/exchange.h"

#include <cctype>
#include <charconv>
#include <nlohmann/json.hpp>
#include <sstream>

namespace bolza::server {
namespace {

std::string found_or_empty(const std::map<std::string, std::string>& map, const std::string& name) {
  auto at = map.find(name);
  return at == map.end() ? "" : at->second;
}

/// What JSON would read as more than a character of a text.
std::string without_marks_of_json(std::string text) {
  for (char& c : text)
    if (c == '"' || c == '\\' || (c > 0 && c < ' ')) c = ' ';
  return text;
}

}  // namespace

std::string Question::header(const std::string& name) const { return found_or_empty(headers, name); }
std::string Question::parameter(const std::string& name) const { return found_or_empty(query, name); }

std::string percent_decoded(const std::string& text, bool plus_is_blank) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    int byte = 0;
    bool is_code = text[at] == '%' && at + 2 < text.size() &&
                   std::from_chars(&text[at + 1], &text[at + 1] + 2, byte, 16).ptr == &text[at + 1] + 2;
    if (is_code) {
      out += static_cast<char>(byte);
      at += 2;
    } else {
      out += plus_is_blank && text[at] == '+' ? ' ' : text[at];
    }
  }
  return out;
}

bool is_text(const std::string& bytes) {
  return bytes.find('\0') == std::string::npos && nlohmann::json::accept('"' + without_marks_of_json(bytes) + '"');
}

bool is_text(const Question& question) {
  for (const auto& [name, value] : question.query)
    if (!is_text(name) || !is_text(value)) return false;
  for (const auto* map : {&question.headers, &question.cookies})
    for (const auto& [name, value] : *map)
      if (!is_text(value)) return false;
  bool is_form = question.header("content-type").starts_with("application/x-www-form-urlencoded");
  return is_text(question.path) && (!is_form || is_text(percent_decoded(question.body, /*plus_is_blank=*/true)));
}

std::string percent_encoded(const std::string& text) {
  constexpr std::string_view digits = "0123456789ABCDEF", plain = "-._~";
  std::string out;
  for (unsigned char c : text)
    if (c < 128 && (std::isalnum(c) || plain.find(static_cast<char>(c)) != std::string_view::npos))
      out += static_cast<char>(c);
    else (out += '%') += {digits[c >> 4], digits[c & 15]};
  return out;
}

std::map<std::string, std::string> form_values(const std::string& text) {
  std::map<std::string, std::string> values;
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, '&');) {
    std::size_t equals = part.find('=');
    std::string value = equals == std::string::npos ? "" : part.substr(equals + 1);
    if (!part.empty())
      values[percent_decoded(part.substr(0, equals), /*plus_is_blank=*/true)] =
          percent_decoded(value, /*plus_is_blank=*/true);
  }
  return values;
}

}  // namespace bolza::server
