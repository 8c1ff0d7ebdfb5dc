// SPDX-License-Identifier: Apache-2.0
#include "cli/sandbox_process.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/clock.h"
#include "cli/system_calls.h"

namespace bolza::cli {
namespace sandbox_process {  // names of its own: files of a room are compiled together
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

constexpr int filter_place = 3, report_place = 4;  // what bubblewrap looks for
constexpr double grace = 7;                        // seconds; the command ends itself before

/// A file that is closed at the end; -1 is none.
struct Descriptor {
  int number = -1;
  ~Descriptor() {
    if (number >= 0) close(number);
  }
};

int wait_for(pid_t process) {
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) {}
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// A file in memory that holds the filter; it is read from where it stands.
int filter_file() {
  std::vector<sock_filter> filter = system_call_filter();
  auto bytes = static_cast<ssize_t>(filter.size() * sizeof(sock_filter));
  int file = memfd_create("filter", MFD_CLOEXEC);
  if (file >= 0 && (write(file, filter.data(), static_cast<std::size_t>(bytes)) != bytes || lseek(file, 0, SEEK_SET) != 0)) {
    close(file);
    return -1;
  }
  return file;
}

/// In the child. Files that the caller has open are no business of foreign code.
[[noreturn]] void become(Words words, int filter, int report) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  int from = fcntl(filter, F_DUPFD, report_place + 1), to = fcntl(report, F_DUPFD, report_place + 1);  // out of the way
  if (dup2(from, filter_place) < 0 || dup2(to, report_place) < 0) _exit(127);
  closefrom(report_place + 1);
  execv(pointers[0], pointers.data());
  _exit(127);
}

/// What bubblewrap reports about itself: the first process of the sandbox; 0 when there is none.
pid_t first_process(int report) {
  std::string text;
  char piece[512];
  for (ssize_t n = 0; (n = read(report, piece, sizeof piece)) > 0 || (n < 0 && errno == EINTR);)
    if (n > 0 && (text.append(piece, static_cast<std::size_t>(n)), text.find('}') != std::string::npos)) break;
  auto object = nlohmann::json::parse(text, nullptr, false);
  return object.is_object() ? object.value("child-pid", 0) : 0;
}

pid_t parent_of(const fs::path& process) {
  std::ifstream file(process / "stat");
  std::string text((std::istreambuf_iterator<char>(file)), {});
  std::size_t name_end = text.rfind(')');  // PID (NAME) STATE PARENT
  return name_end + 4 < text.size() ? std::atoi(text.c_str() + name_end + 4) : 0;
}

/// The command: the process that the first one waits for.
pid_t command_of(pid_t first) {
  std::error_code none;
  pid_t found = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator("/proc", none))
    if (pid_t process = std::atoi(entry.path().filename().c_str()); process > 0 && parent_of(entry.path()) == first)
      found = found ? std::min(found, process) : process;
  return found;
}

/// Signals that are taken one at a time where the caller waits, so that none comes between two lines.
struct Signals {
  sigset_t set{}, before{};
  Signals() {
    sigemptyset(&set);
    for (int signal : {SIGINT, SIGTERM, SIGHUP, SIGCHLD}) sigaddset(&set, signal);
    std::signal(SIGCHLD, SIG_DFL);
    sigprocmask(SIG_BLOCK, &set, &before);
  }
  ~Signals() { sigprocmask(SIG_SETMASK, &before, nullptr); }
  /// 0 when none came in this time.
  int next(double seconds) const {
    timespec time{static_cast<time_t>(seconds),
                  static_cast<long>(1e9 * (seconds - static_cast<double>(static_cast<time_t>(seconds))))};
    int signal = sigtimedwait(&set, nullptr, &time);
    return std::max(0, signal);
  }
};

SandboxEnd watch(pid_t sandbox, pid_t first, const Signals& signals, double most_seconds) {
  auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                std::chrono::duration<double>(most_seconds > 0 ? most_seconds : 1e8));
  int ended_by = 0;
  for (;;) {
    int status = 0;
    if (pid_t done = waitpid(sandbox, &status, WNOHANG); done != 0) {
      int code = done > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : 128 + SIGKILL;
      if (code < 128) return {code};
      return {ended_by ? 128 + ended_by : code, ended_by == 0};
    }
    double left = std::chrono::duration<double>(end - Clock::now()).count();
    int signal = left > 0 ? signals.next(left) : 0;
    if (signal == SIGCHLD) continue;
    pid_t command = signal && !ended_by && first > 0 ? command_of(first) : 0;
    if (signal) ended_by = signal;
    if (command > 0 && kill(command, signal) == 0) end = Clock::now() + std::chrono::seconds(static_cast<int>(grace));
    else {
      kill(sandbox, SIGKILL);
      end = Clock::now() + std::chrono::seconds(1);
    }
  }
}

}  // namespace
}  // namespace sandbox_process

bool stands(const std::vector<std::string>& walls) {
  std::vector<std::string> words = walls;
  words.insert(words.end(), {"--", "/bin/true"});
  pid_t process = fork();
  if (process == 0) {
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    if (int nothing = open("/dev/null", O_RDWR); nothing >= 0) {
      dup2(nothing, 1);
      dup2(nothing, 2);
    }
    closefrom(3);
    execv(pointers[0], pointers.data());
    _exit(127);
  }
  return process > 0 && sandbox_process::wait_for(process) == 0;
}

SandboxEnd run_within(const std::vector<std::string>& walls, const std::vector<std::string>& command,
                      const ControlGroup& group, double most_seconds) {
  using namespace sandbox_process;
  std::vector<std::string> words = walls;
  words.insert(words.end(), {"--seccomp", std::to_string(filter_place), "--info-fd", std::to_string(report_place), "--"});
  words.insert(words.end(), command.begin(), command.end());
  int pipe_ends[2];
  Descriptor filter{filter_file()};
  if (filter.number < 0 || pipe2(pipe_ends, O_CLOEXEC) != 0) return {127};
  Descriptor report{pipe_ends[0]}, to_report{pipe_ends[1]};
  Signals signals;
  pid_t sandbox = fork();
  if (sandbox == 0) {
    sigprocmask(SIG_SETMASK, &signals.before, nullptr);
    if (!group.enter()) _exit(127);
    become(std::move(words), filter.number, to_report.number);
  }
  if (sandbox < 0) return {127};
  close(std::exchange(to_report.number, -1));
  return watch(sandbox, first_process(report.number), signals, most_seconds);
}

}  // namespace bolza::cli
