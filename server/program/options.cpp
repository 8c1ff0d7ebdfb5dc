// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstdlib>

#include "server/program/program.h"

namespace bolza::server {
namespace {

constexpr std::array<std::string_view, 3> job_commands{"solve", "simulate", "fit"};
/// What names files of the machine, says what runs, or is the server's own to say.
constexpr std::array<std::string_view, 22> not_for_jobs{
    "output", "csv", "report", "journal", "trust",    "sandbox",  "path",       "json",   "colour", "color", "quiet",
    "help",   "o",   "q",      "h",       "no-cache", "progress", "max-memory", "server", "token",  "jobs",  "pareto"};
constexpr std::array<std::string_view, 6> named_files{"data", "parameters", "conditions", "scenarios", "init-from", "input"};

template <std::size_t n>
bool is_one_of(const std::array<std::string_view, n>& list, std::string_view name) {
  return std::ranges::find(list, name) != list.end();
}

/// Options that name files and are not among `named_files` are none of jobs, whatever they will be called.
bool names_a_file(const nlohmann::json& row) {
  std::string type = row.value("type", "");
  return std::ranges::any_of(std::array{"FILE", "DIR", "FOLDER", "PAGE"},
                             [&](const char* word) { return type.find(word) != std::string::npos; });
}

JobOptions::Option option_of(const nlohmann::json& row, const std::string& name) {
  return {row.value("help", ""), row.value("type", ""), row.value("words", std::vector<std::string>{}),
          row.at("takes_value"), row.at("repeated"),    is_one_of(named_files, name)};
}

std::string bounded(const std::string& given, double most) {
  double value = std::strtod(given.c_str(), nullptr);
  return value > 0 && value < most ? given : std::to_string(most);
}

void add_limits(std::vector<std::string>& words, const JobRequest& request, const JobLimits& limits) {
  std::string given = request.options.contains("max-time") ? request.options["max-time"].get<std::string>() : "";
  words.push_back("--max-time=" + bounded(given, limits.seconds));
  words.push_back("--max-memory=" + std::to_string(static_cast<std::int64_t>(limits.megabytes)));
  if (request.command == "fit") words.emplace_back("--jobs=1");  // a worker is one processor's
}

}  // namespace

JobOptions::JobOptions(const nlohmann::json& table) {
  for (const nlohmann::json& command : table.at("commands")) {
    std::string name = command.at("name");
    if (!is_one_of(job_commands, name)) continue;
    for (const nlohmann::json& row : command.at("options"))
      for (std::string option : row.at("names").get<std::vector<std::string>>()) {
        option.erase(0, option.find_first_not_of('-'));
        if (is_one_of(named_files, option) || !(is_one_of(not_for_jobs, option) || names_a_file(row)))
          commands_[name][option] = option_of(row, option);
      }
  }
}

const JobOptions::Option* JobOptions::find(const std::string& command, const std::string& name) const {
  auto options = commands_.find(command);
  if (options == commands_.end()) return nullptr;
  auto option = options->second.find(name);
  return option == options->second.end() ? nullptr : &option->second;
}

std::vector<std::string> words_of_job(const JobRequest& request, const JobOptions& options, const JobLimits& limits,
                                      bool sandbox, bool has_guess) {
  std::vector<std::string> words{request.command, request.model};
  if (!request.class_name.empty()) words.push_back(request.class_name);
  if (sandbox) words.emplace_back("--sandbox");
  for (const char* word : {"--trust=none", "--json", "--progress=json", "--report=out/report.html"})
    words.emplace_back(word);
  words.emplace_back(request.command == "fit" ? "--output=out/result.csv" : "--output=out/result.mat");
  if (request.command != "fit") words.emplace_back("--csv=out/result.csv");
  if (has_guess) words.emplace_back("--init-from=guess.mat");
  for (const auto& [name, value] : request.options.items()) {
    const JobOptions::Option* option = options.find(request.command, name);
    if (!option || name == "max-time") continue;
    std::vector<std::string> values =
        value.is_array() ? value.get<std::vector<std::string>>() : std::vector{value.get<std::string>()};
    for (const std::string& v : values)
      if (option->takes_value || (v != "true" && v != "false")) words.push_back("--" + name + "=" + v);
      else if (v == "true") words.push_back("--" + name);
  }
  add_limits(words, request, limits);
  return words;
}

}  // namespace bolza::server
