// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bolza {

/// The words that users write for the values of an enumeration, in the order in which they are listed: the one place that
/// knows them. `constexpr Words<Colour, 2> colours{{{"red", Colour::red}, {"blue", Colour::blue}}};`
template <typename Value, std::size_t n>
struct Words {
  std::array<std::pair<std::string_view, Value>, n> rows;

  /// The value of a word; absent for others.
  constexpr std::optional<Value> find(std::string_view word) const {
    for (const auto& [name, value] : rows)
      if (name == word) return value;
    return {};
  }
  /// The word of a value, the first of several; "" where it has none.
  constexpr std::string_view of(Value wanted) const {
    for (const auto& [name, value] : rows)
      if (value == wanted) return name;
    return "";
  }
  std::vector<std::string> list() const {
    std::vector<std::string> words;
    for (const auto& row : rows) words.emplace_back(row.first);
    return words;
  }
};

}  // namespace bolza
