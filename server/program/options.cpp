// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstdlib>
#include <sstream>

#include "server/program/program.h"

namespace bolza::server {
namespace {

/// What names files of the machine, says what runs, or is the server's own to say.
constexpr std::array<std::string_view, 36> not_for_jobs{"output",     "csv",        "report",
                                                        "journal",    "trust",      "sandbox",
                                                        "path",       "json",       "colour",
                                                        "color",      "quiet",      "help",
                                                        "o",          "q",          "h",
                                                        "no-cache",   "progress",   "max-memory",
                                                        "server",     "token",      "jobs",
                                                        "pareto",     "model",      "class",
                                                        "receipt",    "engine",     "print",
                                                        "tasks",      "cpus",       "partition",
                                                        "shard",      "time-limit", "memory-limit",
                                                        "total-time", "again",      "keep-trajectories"};

template <std::size_t n>
bool is_one_of(const std::array<std::string_view, n>& list, std::string_view name) {
  return std::ranges::find(list, name) != list.end();
}

/// Options that name files and are not among `options_of_files` are none of jobs, whatever they will be called.
bool names_a_file(const nlohmann::json& row) {
  std::string type = row.value("type", "");
  return std::ranges::any_of(std::array{"FILE", "DIR", "FOLDER", "PAGE"},
                             [&](const char* word) { return type.find(word) != std::string::npos; });
}

JobOptions::Option option_of(const nlohmann::json& row, const std::string& name) {
  return {row.value("help", ""), row.value("type", ""), row.value("words", std::vector<std::string>{}),
          row.at("takes_value"), row.at("repeated"),    is_one_of(options_of_files, name)};
}

bool is_sweep(const std::string& command) { return command.starts_with("sweep"); }

/// What the command reads, and where its results go. A study is no result: in a sandbox it lies in a /tmp of its own.
void add_files(std::vector<std::string>& words, const JobRequest& request, bool sandbox, bool has_guess) {
  if (request.command == "verify") {
    words.insert(words.end(), {"guess.mat", "--model=" + request.model});
    if (!request.class_name.empty()) words.push_back("--class=" + request.class_name);
    return;
  }
  words.push_back(request.model);
  if (!request.class_name.empty()) words.push_back(request.class_name);
  words.insert(words.end(), {"--progress=json", "--report=out/report.html"});
  if (is_sweep(request.command))
    words.insert(words.end(), {sandbox ? "--output=/tmp/job.study" : "--output=job.study", "--table=out/result.csv"});
  else if (request.command == "fit") words.emplace_back("--output=out/result.csv");
  else words.insert(words.end(), {"--output=out/result.mat", "--csv=out/result.csv"});
  if (has_guess) words.emplace_back("--init-from=guess.mat");
}

std::string bounded(const std::string& given, double most) {
  double value = std::strtod(given.c_str(), nullptr);
  return value > 0 && value < most ? given : std::to_string(most);
}

/// Texts of an option; what is none counts for nothing.
std::vector<std::string> texts_of(const nlohmann::json& value) {
  std::vector<std::string> texts;
  for (const nlohmann::json& one : value.is_array() ? value : nlohmann::json::array({value}))
    if (one.is_string()) texts.push_back(one);
  return texts;
}

void add_limits(std::vector<std::string>& words, const JobRequest& request, const JobLimits& limits) {
  std::vector<std::string> given = texts_of(request.options.value("max-time", nlohmann::json()));
  words.push_back("--max-time=" + bounded(given.empty() ? "" : given.back(), limits.seconds));
  if (is_sweep(request.command)) words.push_back("--total-time=" + std::to_string(limits.seconds));
  words.push_back("--max-memory=" + std::to_string(static_cast<std::int64_t>(limits.megabytes)));
  if (request.command == "fit" || is_sweep(request.command)) words.emplace_back("--jobs=1");  // of a worker's one processor
}

}  // namespace

JobOptions::JobOptions(const nlohmann::json& table) {
  nlohmann::json commands = table.at("commands");
  for (const nlohmann::json& sweep : table.at("sweeps")) commands.push_back(sweep);
  for (const nlohmann::json& command : commands) {
    std::string name = command.at("name");
    if (!is_one_of(job_commands, name)) continue;
    for (const nlohmann::json& row : command.at("options"))
      for (std::string option : row.at("names").get<std::vector<std::string>>()) {
        option.erase(0, option.find_first_not_of('-'));
        if (is_one_of(options_of_files, option) || !(is_one_of(not_for_jobs, option) || names_a_file(row)))
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
                                      bool sandbox, bool has_guess, const std::string& cache) {
  std::vector<std::string> words;
  std::istringstream command(request.command);  // "sweep simulate"
  for (std::string word; command >> word;) words.push_back(word);
  add_files(words, request, sandbox, has_guess);
  if (sandbox) words.emplace_back("--sandbox");
  if (sandbox && !cache.empty()) words.push_back("--sandbox-cache=" + cache);
  words.insert(words.end(), {"--trust=none", "--json"});
  for (const auto& [name, value] : request.options.items()) {
    const JobOptions::Option* option = options.find(request.command, name);
    if (!option || name == "max-time") continue;
    for (const std::string& v : texts_of(value))
      if (option->takes_value || (v != "true" && v != "false")) words.push_back("--" + name + "=" + v);
      else if (v == "true") words.push_back("--" + name);
  }
  add_limits(words, request, limits);
  return words;
}

}  // namespace bolza::server
