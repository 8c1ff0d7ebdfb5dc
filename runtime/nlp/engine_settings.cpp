// SPDX-License-Identifier: Apache-2.0
#include "runtime/nlp/engine_settings.h"

#include <charconv>

#include "base/diagnostics.h"
#include "base/expects.h"
#include "base/numbers.h"

namespace bolza::nlp {
namespace {

const EngineSetting* setting_named(std::span<const EngineSetting> settings, std::string_view name) {
  for (const EngineSetting& setting : settings)
    if (setting.name == name) return &setting;
  return nullptr;
}

bool parse_setting(std::string_view text, double& value) {
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

bool has_word(std::string_view words, std::string_view word) {
  return !word.empty() && word.find(' ') == std::string_view::npos &&
         (" " + std::string(words) + " ").find(" " + std::string(word) + " ") != std::string::npos;
}

const std::string* given_value(const SettingValues& given, std::string_view name) {
  const std::string* value = nullptr;
  for (const auto& [option, text] : given)
    if (option == name) value = &text;
  return value;
}

}  // namespace

std::string check_setting(std::string_view engine, std::span<const EngineSetting> settings, std::string_view name,
                          std::string_view value) {
  const EngineSetting* setting = setting_named(settings, name);
  if (!setting) {
    std::vector<std::string> names;
    for (const EngineSetting& each : settings) names.emplace_back(each.name);
    std::string near = near_match(name, names);
    std::string text = std::string(engine) + " has no option `" + std::string(name) + "`";
    return near.empty() ? text : text + ", did you mean `" + near + "`?";
  }
  std::string wrong =
      "`" + std::string(value) + "` is not a value of " + std::string(engine) + "'s option `" + std::string(name) + "`: ";
  if (!setting->words.empty()) return has_word(setting->words, value) ? "" : wrong + "one of " + std::string(setting->words);
  double number = 0;
  if (!parse_setting(value, number)) return wrong + "a number is expected";
  if (number >= setting->least && number <= setting->most) return "";
  return wrong + "it must lie between " + shown(setting->least) + " and " + shown(setting->most);
}

double number_of(std::span<const EngineSetting> settings, const SettingValues& given, std::string_view name) {
  const EngineSetting* setting = setting_named(settings, name);
  expects(setting != nullptr, "an engine asks for settings that it has");
  double value = setting->fallback;
  if (const std::string* text = given_value(given, name)) parse_setting(*text, value);
  return value;
}

std::string word_of(std::span<const EngineSetting> settings, const SettingValues& given, std::string_view name) {
  const EngineSetting* setting = setting_named(settings, name);
  expects(setting != nullptr, "an engine asks for settings that it has");
  if (const std::string* text = given_value(given, name)) return *text;
  return std::string(setting->words.substr(0, setting->words.find(' ')));
}

}  // namespace bolza::nlp
