// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "server/entry.h"
#include "server/store/jobs.h"

namespace bolza::server {

/// What jobs do: words of the command line.
inline constexpr std::array<std::string_view, 7> job_commands{"solve", "simulate",       "fit",      "verify",
                                                              "sweep", "sweep simulate", "sweep fit"};

/// The options of the commands that jobs may give, from the program's own table (`bolza completion --json`).
class JobOptions {
 public:
  explicit JobOptions(const nlohmann::json& table);
  struct Option {
    std::string help, type;
    std::vector<std::string> words;
    bool takes_value = false, repeated = false, is_file = false;
  };
  /// Null where the command has no such option, or jobs may not give it.
  const Option* find(const std::string& command, const std::string& name) const;
  bool has_command(const std::string& command) const { return commands_.contains(command); }
  const std::map<std::string, Option>& of(const std::string& command) const { return commands_.at(command); }

 private:
  std::map<std::string, std::map<std::string, Option>> commands_;
};

struct ProcessLimits {
  double seconds = 0;            ///< it is killed after that
  std::size_t output_bytes = 0;  ///< of standard output; it is killed when there are more
  std::size_t file_bytes = 0;    ///< of each file
};

struct ProcessEnd {
  int code = 0;  ///< 128 + the signal where that ended it
  bool is_late = false, says_too_much = false;
  std::string out, err;  ///< of standard error what is no progress, its last part
};

/// Runs this program with these words in a folder, as a child that ends with this process, and waits for it.
/// @param line   gets each line of progress, a JSON object
/// @param look   called some ten times a second; true: it is to end (SIGTERM, after a grace SIGKILL)
ProcessEnd run_program(const std::vector<std::string>& words, const std::string& folder, const ProcessLimits& limits,
                       const std::function<void(const std::string&)>& line, const std::function<bool()>& look);

/// Standard output of a command that lists something, as JSON; null where there is none.
nlohmann::json ask_program(const std::vector<std::string>& words);

/// "0.2.0" and 16 hexadecimal digits of the hash of the program's file.
std::string version_of_program();

/// The folder of a job cannot be made or written.
class ScratchFault : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A folder of one's own that is removed with all that is in it.
class ScratchFolder {
 public:
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  const std::string& path() const { return path_; }
  /// Removes those that processes of this user left which were killed.
  static void remove_left();

 private:
  std::string path_;
};
void write_scratch(const std::string& file, const std::string& content);

/// Names in the folder of a job that are not its files'.
inline constexpr std::array<std::pair<std::string_view, const char*>, 3> names_in_scratch{
    std::pair{"guess.mat", "the trajectory of another job"}, std::pair{"out", "the folder of the results"},
    std::pair{"job.study", "the study of a sweep"}};

/// The words of the command that runs a job, in a folder where its files lie; results go to the folder `out` in it.
/// @param cache  folder with the kernels of the job's owner, "" none
std::vector<std::string> words_of_job(const JobRequest& request, const JobOptions& options, const JobLimits& limits,
                                      bool sandbox, bool has_guess, const std::string& cache);

}  // namespace bolza::server
