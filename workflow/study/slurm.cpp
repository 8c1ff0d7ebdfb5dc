// SPDX-License-Identifier: Apache-2.0
#include "workflow/study/slurm.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "base/replacement.h"
#include "workflow/study_codes.h"

namespace bolza::workflow {
namespace {

constexpr unsigned seconds_to_answer = 30;  // without a controller squeue tries for ten
constexpr int is_unknown_command = 127;

/// What a command answers, both streams.
struct Answer {
  int code = -1;
  std::string text;
};

[[noreturn]] void become(const std::vector<std::string>& words, int out) {
  std::vector<char*> pointers;
  for (const std::string& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
  pointers.push_back(nullptr);
  dup2(out, STDOUT_FILENO);
  dup2(out, STDERR_FILENO);
  alarm(seconds_to_answer);
  execvp(pointers[0], pointers.data());
  _exit(is_unknown_command);
}

Answer ask(const std::vector<std::string>& words) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return {-1, std::strerror(errno)};
  pid_t id = fork();
  if (id == 0) become(words, ends[1]);
  close(ends[1]);
  Answer answer;
  char buffer[4096];
  for (ssize_t count = 0; id > 0 && ((count = read(ends[0], buffer, sizeof buffer)) > 0 || (count < 0 && errno == EINTR));)
    if (count > 0) answer.text.append(buffer, static_cast<std::size_t>(count));
  close(ends[0]);
  int status = 0;
  while (id > 0 && waitpid(id, &status, 0) < 0 && errno == EINTR) {}
  answer.code = id > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  if (answer.code == is_unknown_command) answer.text = "there is no such command here";
  if (answer.code == -1 && answer.text.empty())
    answer.text = "it did not answer within " + std::to_string(seconds_to_answer) + " s";
  while (!answer.text.empty() && answer.text.back() == '\n') answer.text.pop_back();
  return answer;
}

/// A text as one word of a shell.
std::string shell_word(const std::string& text) {
  std::string out = "'";
  for (char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

/// "0-3,7": numbers in their order.
std::string text_of_array(const std::vector<std::size_t>& numbers) {
  std::string text;
  for (std::size_t k = 0; k < numbers.size();) {
    std::size_t last = k;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    text += (text.empty() ? "" : ",") + std::to_string(numbers[k]);
    if (last > k) text += "-" + std::to_string(numbers[last]);
    k = last + 1;
  }
  return text;
}

/// What becomes of signals; see docs/studies.md. SIGTERM reaches script and program at once, SIGUSR1 the script alone.
constexpr const char* end_of_script = R"(worker=$!
while kill -0 "$worker" 2>/dev/null; do wait "$worker"; done
wait "$worker"
code=$?
if [ "$code" = 75 ] && [ "$again" = 1 ]; then
  scontrol requeue "${SLURM_ARRAY_JOB_ID}_${SLURM_ARRAY_TASK_ID}"
fi
exit "$code"
)";

std::string jobs_file(const StudyFolder& folder) { return folder.file("slurm/jobs"); }

}  // namespace

SlurmShards shards_of(const SlurmRequest& request, const Plan& plan, const StudyResults& results) {
  std::size_t missing = plan.size() - results.points.size(),
              usual = std::min(usual_tasks, request.only_missing ? missing : plan.size());
  SlurmShards shards{.of = std::max<std::size_t>(1, request.tasks > 0 ? std::min(request.tasks, most_tasks) : usual)};
  std::set<std::size_t> wanted;
  for (std::size_t point = 0; point < plan.size() && wanted.size() < shards.of; ++point)
    if (!request.only_missing || !results.points.contains(point)) wanted.insert(shard_of(plan, point, shards.of));
  shards.shards.assign(wanted.begin(), wanted.end());
  return shards;
}

std::string sbatch_script(const StudyFolder& folder, const SlurmRequest& request, const SlurmShards& shards) {
  std::string text = "#!/bin/bash\n";
  auto option = [&](const std::string& words) { text += "#SBATCH --" + words + "\n"; };
  option("job-name=bolza-" + std::filesystem::path(folder.path()).stem().string());
  option("array=" + text_of_array(shards.shards));
  option("cpus-per-task=" + std::to_string(request.cpus));
  if (!request.partition.empty()) option("partition=" + request.partition);
  if (!request.time_limit.empty()) option("time=" + request.time_limit);
  if (request.memory > 0) option("mem=" + std::to_string(std::lround(request.memory)) + "M");
  option("output=" + folder.file("slurm/%A_%a.txt"));
  option("open-mode=append");
  option("requeue");
  option("signal=B:USR1@90");
  text += "again=0\n";
  text += "trap 'again=1; kill -TERM \"$worker\"' USR1  # the time ends\n";
  text += "trap : TERM                                # reaches the program by itself\n";
  text += shell_word(request.program) + " study run " + shell_word(folder.path()) +
          " --shard \"$((SLURM_ARRAY_TASK_ID + 1))/" + std::to_string(shards.of) +
          "\" --jobs \"${SLURM_CPUS_PER_TASK:-1}\" --quiet";
  for (const std::string& argument : request.arguments) text += " " + shell_word(argument);
  return text + " &\n" + end_of_script;
}

Result<std::string> write_script(const StudyFolder& folder, const std::string& script, Diagnostics& diagnostics) {
  std::error_code failed;
  std::filesystem::create_directories(folder.file("slurm"), failed);  // tasks whose output has no folder fail in silence
  std::string path = folder.file("slurm/array.sh");
  if (int failure = failed ? failed.value() : replace_file(path, script); failure != 0)
    return diagnostics.error(study_not_written, {}, {folder.path(), std::strerror(failure)});
  return path;
}

Result<std::string> submit(const StudyFolder& folder, const std::string& script, Diagnostics& diagnostics) {
  Answer answer = ask({"sbatch", "--parsable", script});
  std::string number = answer.text.substr(0, answer.text.find(';'));  // of a cluster with a name: `12;cluster`
  bool is_number = !number.empty() && std::ranges::all_of(number, [](char c) { return c >= '0' && c <= '9'; });
  if (answer.code != 0 || !is_number) return diagnostics.error(no_scheduler, {}, {"sbatch", answer.text});
  std::ofstream(jobs_file(folder), std::ios::app) << number << '\n';
  return number;
}

Result<std::vector<SlurmJob>> jobs_in_queue(const StudyFolder& folder, Diagnostics& diagnostics) {
  std::vector<SlurmJob> jobs;
  std::ifstream numbers(jobs_file(folder));
  for (std::string number; std::getline(numbers, number);) {
    SlurmJob job{number, {}};
    Answer answer = ask({"squeue", "--noheader", "--array", "--jobs=" + number, "--states=all", "--format=%T %r"});
    bool is_forgotten = answer.text.find("Invalid job id") != std::string::npos;
    if (answer.code != 0 && !is_forgotten) return diagnostics.error(no_scheduler, {}, {"squeue", answer.text});
    std::map<std::string, std::size_t> states;
    std::istringstream lines(is_forgotten ? "" : answer.text);
    for (std::string line; std::getline(lines, line);) {
      std::size_t blank = line.find(' ');
      std::string state = line.substr(0, blank), reason = blank == std::string::npos ? "None" : line.substr(blank + 1);
      ++states[state == "PENDING" && reason != "None" ? state + " (" + reason + ")" : state];
    }
    job.states.assign(states.begin(), states.end());
    jobs.push_back(std::move(job));
  }
  return jobs;
}

}  // namespace bolza::workflow
