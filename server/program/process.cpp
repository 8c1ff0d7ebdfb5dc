// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <utility>

#include "base/clock.h"
#include "base/sha256.h"
#include "server/program/program.h"

namespace bolza::server {
namespace {

namespace fs = std::filesystem;

constexpr int look_milliseconds = 100;
constexpr double grace_seconds = 10;             // the sandbox itself takes seven
constexpr std::size_t most_error_text = 64'000;  // bytes of standard error that are kept
constexpr std::size_t longest_line = 4096;
constexpr int no_program = 127;
constexpr std::string_view scratch_prefix = "bolza-job-";  // then the number of the process that made it

/// Bytes that come through a pipe, and whether there may be more.
struct PipeEnd {
  int number = -1;
  ~PipeEnd() { close_now(); }
  void close_now() {
    if (number >= 0) close(std::exchange(number, -1));
  }
  /// "" where there is nothing now.
  std::string read_some() {
    std::array<char, 65536> piece;
    ssize_t n = ::read(number, piece.data(), piece.size());
    if (n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN)) close_now();
    return n > 0 ? std::string(piece.data(), static_cast<std::size_t>(n)) : std::string();
  }
};

[[noreturn]] void become_program(const std::vector<std::string>& words, const std::string& folder, int out, int err,
                                 std::size_t file_bytes, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(no_program);  // it ended before it could be said
  setpgid(0, 0);
  int nothing = open("/dev/null", O_RDONLY);
  if (nothing < 0 || dup2(nothing, 0) < 0 || dup2(out, 1) < 0 || dup2(err, 2) < 0) _exit(no_program);
  closefrom(3);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  std::signal(SIGPIPE, SIG_DFL);
  if (!folder.empty() && chdir(folder.c_str()) != 0) _exit(no_program);
  rlimit files{file_bytes, file_bytes}, core{0, 0};
  if (file_bytes > 0) setrlimit(RLIMIT_FSIZE, &files);
  setrlimit(RLIMIT_CORE, &core);
  std::vector<char*> pointers;
  for (const std::string& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
  pointers.push_back(nullptr);
  execv(pointers[0], pointers.data());
  _exit(no_program);
}

/// Standard error: lines of progress are passed on, of the rest the last part is kept.
class ErrorText {
 public:
  explicit ErrorText(const std::function<void(const std::string&)>& line) : line_(line) {}
  void add(const std::string& text) {
    rest_ += text;
    for (std::size_t end = rest_.find('\n'); end != std::string::npos; end = rest_.find('\n')) {
      take(rest_.substr(0, end));
      rest_.erase(0, end + 1);
    }
    if (rest_.size() > longest_line) keep(std::exchange(rest_, ""));
  }
  std::string kept() {
    keep(std::exchange(rest_, ""));
    return kept_;
  }

 private:
  void take(const std::string& text) {
    if (text.starts_with("{\"") && nlohmann::json::accept(text)) {
      if (line_) line_(text);
    } else {
      keep(text + "\n");
    }
  }
  void keep(const std::string& text) {
    kept_ += text;
    if (kept_.size() > most_error_text) kept_.erase(0, kept_.size() - most_error_text);
  }
  const std::function<void(const std::string&)>& line_;
  std::string rest_, kept_;
};

/// Waits for the child and reads what it says.
class ChildProcess {
 public:
  ChildProcess(pid_t pid, int out, int err, const ProcessLimits& limits)
      : pid_(pid),
        out_{out},
        err_{err},
        limits_(limits) {}

  ProcessEnd wait(const std::function<void(const std::string&)>& line, const std::function<bool()>& look) {
    ErrorText error(line);
    auto due = after(limits_.seconds > 0 ? limits_.seconds : 1e8);
    bool is_ending = false;
    while (out_.number >= 0 || err_.number >= 0) {
      read_both(error);
      if (end_.out.size() > limits_.output_bytes) {
        end_.says_too_much = true;
        kill(-pid_, SIGKILL);
      }
      bool is_to_end = !is_ending && look && look();
      bool is_late = Clock::now() > due;
      if (is_to_end) kill(pid_, SIGTERM);
      if (is_to_end) due = after(grace_seconds);
      if (is_late) kill(-pid_, SIGKILL);
      end_.is_late |= is_late && !is_ending;
      is_ending |= is_to_end || is_late;
    }
    return finished(error);
  }

 private:
  static Clock::time_point after(double seconds) {
    return Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  }
  void read_both(ErrorText& error) {
    std::array<pollfd, 2> pipes{pollfd{out_.number, POLLIN, 0}, pollfd{err_.number, POLLIN, 0}};
    if (poll(pipes.data(), pipes.size(), look_milliseconds) <= 0) return;
    if (pipes[0].revents) end_.out += out_.read_some();
    if (pipes[1].revents) error.add(err_.read_some());
  }
  ProcessEnd finished(ErrorText& error) {
    int status = 0;
    while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {}
    end_.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    end_.err = error.kept();
    return end_;
  }

  pid_t pid_;
  PipeEnd out_, err_;
  ProcessLimits limits_;
  ProcessEnd end_;
};

std::string own_program() { return fs::read_symlink("/proc/self/exe").string(); }

}  // namespace

ProcessEnd run_program(const std::vector<std::string>& words, const std::string& folder, const ProcessLimits& limits,
                       const std::function<void(const std::string&)>& line, const std::function<bool()>& look) {
  std::vector<std::string> all{own_program()};
  all.insert(all.end(), words.begin(), words.end());
  int out[2], err[2];
  if (pipe2(out, O_CLOEXEC) != 0) return {no_program};
  if (pipe2(err, O_CLOEXEC) != 0) {
    close(out[0]);
    close(out[1]);
    return {no_program};
  }
  pid_t parent = getpid(), pid = fork();
  if (pid == 0) become_program(all, folder, out[1], err[1], limits.file_bytes, parent);
  close(out[1]);
  close(err[1]);
  ChildProcess child(pid, out[0], err[0], limits);
  if (pid < 0) return {no_program};
  return child.wait(line, look);
}

nlohmann::json ask_program(const std::vector<std::string>& words) {
  constexpr ProcessLimits limits{60, 16'000'000, 0};
  ProcessEnd end = run_program(words, "", limits, {}, {});
  return nlohmann::json::parse(end.out, nullptr, /*allow_exceptions=*/false);
}

std::string version_of_program() {
  constexpr std::size_t digits = 16;
  nlohmann::json said = ask_program({"version", "--json"});
  std::ifstream file(own_program(), std::ios::binary);
  std::ostringstream bytes;
  bytes << file.rdbuf();
  return said.value("version", "") + " " + sha256(bytes.str()).substr(0, digits);
}

ScratchFolder::ScratchFolder() {
  std::error_code none;
  fs::path parent = fs::temp_directory_path(none);
  std::string name = parent / (std::string(scratch_prefix) + std::to_string(getpid()) + "-XXXXXX");
  if (none || !mkdtemp(name.data())) throw ScratchFault("no folder can be made in `" + parent.string() + "` (TMPDIR)");
  path_ = name;
}

void ScratchFolder::remove_left() {
  std::error_code none;
  for (const fs::directory_entry& entry : fs::directory_iterator(fs::temp_directory_path(none), none)) {
    std::string name = entry.path().filename();
    struct stat about{};
    if (!name.starts_with(scratch_prefix) || lstat(entry.path().c_str(), &about) != 0) continue;
    pid_t maker = std::atoi(name.c_str() + scratch_prefix.size());
    bool is_left = S_ISDIR(about.st_mode) && about.st_uid == geteuid() && maker > 0 && kill(maker, 0) != 0 && errno == ESRCH;
    if (is_left) fs::remove_all(entry.path(), none);
  }
}

ScratchFolder::~ScratchFolder() {
  std::error_code none;
  fs::remove_all(path_, none);
}

void write_scratch(const std::string& file, const std::string& content) {
  std::ofstream out(file, std::ios::binary);
  out.write(content.data(), static_cast<std::streamsize>(content.size()));
  out.close();
  if (!out) throw ScratchFault("`" + file + "` cannot be written");
}

}  // namespace bolza::server
