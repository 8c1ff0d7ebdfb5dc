// SPDX-License-Identifier: Apache-2.0
#include "server/database/database.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>

#include "base/expects.h"

namespace bolza::server {

const std::optional<std::string>& SqlRows::at(std::size_t row, std::string_view name) const {
  auto column = std::ranges::find(names, name);
  expects(column != names.end() && row < rows.size(), "a query gives the column that is read");
  return rows[row][static_cast<std::size_t>(column - names.begin())];
}

std::string SqlRows::text(std::size_t row, std::string_view name) const { return at(row, name).value_or(""); }

std::int64_t SqlRows::integer(std::size_t row, std::string_view name) const {
  const std::optional<std::string>& value = at(row, name);
  return value ? std::strtoll(value->c_str(), nullptr, 10) : 0;
}

double SqlRows::number(std::size_t row, std::string_view name) const {
  const std::optional<std::string>& value = at(row, name);
  double number = 0;
  if (value) std::from_chars(value->data(), value->data() + value->size(), number);
  return number;
}

bool is_postgresql(std::string_view address) {
  return address.starts_with("postgresql://") || address.starts_with("postgres://");
}

std::unique_ptr<Database> open_database(const std::string& address) {
  return is_postgresql(address) ? open_postgresql(address) : open_sqlite(address);
}

std::string in_dialect(std::string_view sql, std::string_view now, std::string_view bytes, std::string_view skip_locked) {
  using Token = std::pair<std::string_view, std::string_view>;
  const std::array tokens{Token{"{now}", now}, Token{"{bytes}", bytes}, Token{"{skip_locked}", skip_locked}};
  std::string out;
  for (std::size_t at = 0; at < sql.size();) {
    auto token = std::ranges::find_if(tokens, [&](const auto& t) { return sql.substr(at).starts_with(t.first); });
    if (token != tokens.end()) {
      out += token->second;
      at += token->first.size();
    } else {
      out += sql[at++];
    }
  }
  return out;
}

}  // namespace bolza::server
