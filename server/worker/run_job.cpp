// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <fstream>
#include <sstream>

#include "server/worker/worker.h"

namespace bolza::server {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t million = 1'000'000;
constexpr double share_for_the_sandbox = 1.2,
                 seconds_for_the_sandbox = 30;   // it ends what is late, and is ended itself then
constexpr std::size_t most_said = 64 * million;  // bytes of JSON
constexpr int exit_solved = 0, exit_not_solved = 1, exit_warned = 4;

/// The first message of an error, with its code; "" when there is none.
std::string first_error(const nlohmann::json& said) {
  if (!said.is_object() || !said.contains("diagnostics")) return "";
  for (const nlohmann::json& diagnostic : said["diagnostics"])
    if (diagnostic.value("severity", "") == "error")
      return diagnostic.value("message", "") + " [" + diagnostic.value("code", "") + "]";
  return "";
}

std::string last_line(const std::string& text) {
  std::size_t end = text.find_last_not_of('\n');
  if (end == std::string::npos) return "";
  std::size_t begin = text.rfind('\n', end);
  return text.substr(begin == std::string::npos ? 0 : begin + 1, end - (begin == std::string::npos ? 0 : begin + 1) + 1);
}

std::string what_happened(const ProcessEnd& end, const nlohmann::json& said, const JobLimits& limits) {
  std::string most = std::to_string(static_cast<std::int64_t>(limits.seconds));
  if (end.is_late) return "it took longer than the " + most + " s of this server, and did not end by itself";
  if (end.says_too_much) return "it printed more than " + std::to_string(most_said / million) + " MB";
  if (std::string error = first_error(said); !error.empty()) return error;
  if (end.code > 128) return "it ended by signal " + std::to_string(end.code - 128);
  if (std::string line = last_line(end.err); !line.empty()) return line;
  return "it ended with exit code " + std::to_string(end.code);
}

/// Regular files alone, whatever lies there; "" fits, else what does not.
std::string collect(const std::string& folder, const JobLimits& limits, JobEnd& end) {
  std::size_t total = 0;
  for (const char* name : {"result.mat", "result.csv", "report.html"}) {
    fs::path file = fs::path(folder) / name;
    std::error_code none;
    if (!fs::is_regular_file(fs::symlink_status(file, none))) continue;
    total += fs::file_size(file, none);
    if (static_cast<double>(total) > limits.result_megabytes * million)
      return "its results take more than the " + std::to_string(static_cast<std::int64_t>(limits.result_megabytes)) +
             " MB that this server keeps of a job";
    std::ifstream in(file, std::ios::binary);
    std::ostringstream bytes;
    bytes << in.rdbuf();
    end.results[name] = bytes.str();
  }
  return "";
}

bool is_answer(const ProcessEnd& end, const nlohmann::json& said) {
  bool fits = end.code == exit_solved || end.code == exit_not_solved || end.code == exit_warned;
  return fits && said.is_object() && first_error(said).empty() && !end.is_late && !end.says_too_much;
}

void read_answer(const nlohmann::json& said, JobEnd& end) {
  for (const char* name : {"verdict", "status"})
    if (end.verdict.empty() && said.contains(name) && said[name].is_string()) end.verdict = said[name];
  if (end.verdict.empty()) end.verdict = end.exit_code == exit_solved ? "done" : "not solved";
  if (said.contains("objective") && said["objective"].is_number()) end.objective = said["objective"];
}

JobEnd end_of(const ProcessEnd& process, const std::string& folder, const JobLimits& limits) {
  JobEnd end;
  end.exit_code = process.code;
  nlohmann::json said = nlohmann::json::parse(process.out, nullptr, /*allow_exceptions=*/false);
  if (said.is_object()) end.results["result.json"] = process.out;
  if (!process.err.empty()) end.results["log.txt"] = as_text(process.err);
  std::string too_much = collect(folder, limits, end);
  bool is_good = too_much.empty() && is_answer(process, said);
  end.state = is_good ? "done" : "failed";
  if (is_good) read_answer(said, end);
  else end.message = too_much.empty() ? what_happened(process, said, limits) : too_much;
  if (!too_much.empty()) end.results = {{"log.txt", too_much + "\n"}};
  return end;
}

/// The folder with the kernels of an account's jobs, for each version of the program; begun again once it is too large.
std::string cache_of(const WorkRequest& work, const std::string& owner) {
  constexpr std::uintmax_t most_bytes = 200 * million;
  if (work.cache.empty() || owner == anonymous_owner) return "";  // strangers have nothing in common
  fs::path folder = fs::absolute(work.cache) / owner;
  std::error_code none;
  std::uintmax_t bytes = 0;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder, none))
    if (entry.is_regular_file(none) && !entry.is_symlink(none)) bytes += entry.file_size(none);
  if (bytes > most_bytes) fs::remove_all(folder, none);
  return folder;
}

}  // namespace

JobEnd run_job(const JobRequest& request, const std::string& owner, const JobOptions& options, const WorkRequest& work,
               const std::string& guess, const std::function<void(const std::string&)>& line,
               const std::function<bool()>& look) try {
  ScratchFolder scratch;
  for (const auto& [name, content] : request.files) write_scratch(scratch.path() + "/" + name, content);
  if (!guess.empty()) write_scratch(scratch.path() + "/guess.mat", guess);
  std::string out = scratch.path() + "/out";
  fs::create_directory(out);
  ProcessLimits limits{share_for_the_sandbox * work.limits.seconds + seconds_for_the_sandbox, most_said,
                       static_cast<std::size_t>(work.limits.result_megabytes * million)};
  std::vector<std::string> words =
      words_of_job(request, options, work.limits, work.sandbox, !guess.empty(), cache_of(work, owner));
  ProcessEnd process = run_program(words, scratch.path(), limits, line, look);
  return end_of(process, out, work.limits);
} catch (const std::runtime_error& fault) {  // of the scratch folder, or the file system's own
  return {.state = "failed", .message = std::string("the worker has no room: ") + fault.what()};
} catch (const std::exception& fault) {  // of what is kept of the job: the worker goes on
  return {.state = "failed", .message = std::string("the job cannot be run as it is kept: ") + fault.what()};
}

}  // namespace bolza::server
