// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bolza::nlp {

/// One option of an engine of our own: a number in a range, or one of some words.
struct EngineSetting {
  std::string_view name;
  double fallback = 0, least = 0, most = 0;
  std::string_view words;  ///< separated by spaces, the first is the default; empty: a number
  std::string_view help;
};

/// Empty, or what is wrong with the option, with a near match.
std::string check_setting(std::string_view engine, std::span<const EngineSetting> settings, std::string_view name,
                          std::string_view value);

using SettingValues = std::vector<std::pair<std::string, std::string>>;

/// The value given last, or the default.     Requires  `check_setting` found nothing wrong.
double number_of(std::span<const EngineSetting> settings, const SettingValues& given, std::string_view name);
std::string word_of(std::span<const EngineSetting> settings, const SettingValues& given, std::string_view name);

}  // namespace bolza::nlp
