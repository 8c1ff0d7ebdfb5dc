// SPDX-License-Identifier: Apache-2.0
#include "base/processes.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <exception>
#include <new>
#include <string_view>

#include "base/clock.h"
#include "base/interrupt.h"

namespace bolza {
namespace {

struct Child {
  std::size_t task = 0;
  pid_t id = -1;
  int pipe = -1, said = -1;
  std::string text;
  Clock::time_point begin;
  bool timed_out = false;
};

constexpr char complete = '\n';                      // the last byte of a text that was written to its end
constexpr char is_ready = '\x01', is_part = '\x02';  // at the beginning of what is said before

void write_all(int pipe, std::string_view text) {
  while (!text.empty()) {
    ssize_t written = write(pipe, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

/// The last words in a file, of which nothing else is kept.
std::string end_of(int file) {
  constexpr off_t most = 400;
  std::array<char, most> text{};
  off_t size = lseek(file, 0, SEEK_END);
  ssize_t count = pread(file, text.data(), text.size(), std::max<off_t>(0, size - most));
  std::string said(text.data(), count > 0 ? static_cast<std::size_t>(count) : 0);
  while (!said.empty() && (said.back() == '\n' || said.back() == ' ')) said.pop_back();
  return said;
}

class Processes {
 public:
  using Task = std::function<std::string(std::size_t, const TaskVoice&)>;

  Processes(const NextTask& next, const ProcessOptions& options, const Task& task,
            const std::function<void(std::size_t, const TaskOutcome&)>& finished, const TakePart& part)
      : next_(next),
        options_(options),
        task_(task),
        finished_(finished),
        part_(part),
        are_ready_(!options.first_alone) {
    void* shared = mmap(nullptr, sizeof(std::atomic<bool>), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared != MAP_FAILED) is_to_end_ = new (shared) std::atomic<bool>{};
  }
  ~Processes() {
    for (Child& child : children_) end(child);
    if (is_to_end_) munmap(is_to_end_, sizeof(std::atomic<bool>));
  }
  Processes(const Processes&) = delete;
  Processes& operator=(const Processes&) = delete;

  bool run() {
    while (!options_.budget.ended()) {
      start_some();
      if (children_.empty() && !waiting_) return true;
      wait();
    }
    if (is_to_end_) *is_to_end_ = true;
    Clock::time_point ended = Clock::now();
    while (!children_.empty() && seconds_since(ended) < options_.grace) wait();
    return children_.empty() && !waiting_ && !next_();
  }

 private:
  void start_some() {
    while (children_.size() < (are_ready_ ? options_.jobs : 1)) {
      if (!waiting_) waiting_ = next_();
      if (!waiting_) return;
      if (!start(*waiting_)) {
        if (!children_.empty()) return;  // no process now: when another has ended
        finished_(*waiting_, {TaskOutcome::Kind::crashed, "the system gives no more processes", {}, 0});
      }
      waiting_.reset();
    }
  }

  bool start(std::size_t number) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return false;
    int said = options_.keeps_what_is_said ? memfd_create("said", MFD_CLOEXEC) : -1;
    pid_t parent = getpid(), id = fork();
    if (id == 0) {
      close(ends[0]);
      live(number, ends[1], said, parent);
    }
    close(ends[1]);
    if (id < 0) {
      close(ends[0]);
      if (said >= 0) close(said);
      return false;
    }
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    children_.push_back({number, id, ends[0], said, {}, Clock::now(), false});
    return true;
  }

  /// The child's whole life.
  [[noreturn]] void live(std::size_t number, int pipe, int said, pid_t parent) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(1);  // it ended before that
    std::signal(SIGINT, SIG_IGN);
    for (int signal : {SIGTERM, SIGHUP})
      if (options_.grace > 0) std::signal(signal, SIG_IGN);
    if (options_.grace > 0) interrupt_flag() = false;  // raised before the fork: the task ends as it would have
    for (int stream : {STDOUT_FILENO, STDERR_FILENO})
      if (said >= 0) dup2(said, stream);
    try {
      TaskVoice voice{.ready = [&] { write_all(pipe, {&is_ready, 1}); },
                      .part = [&](const std::string& text) { write_all(pipe, is_part + text + complete); },
                      .is_to_end = [this] { return is_to_end_ && *is_to_end_; }};
      write_all(pipe, task_(number, voice) + complete);
    } catch (const std::exception&) {
      _exit(1);
    }
    _exit(0);
  }

  /// Reads what is there; ends what takes too long.
  void wait() {
    constexpr int milliseconds = 50;
    std::vector<pollfd> open;
    for (const Child& child : children_) open.push_back({child.pipe, POLLIN, 0});
    poll(open.data(), open.size(), milliseconds);
    double limit = seconds_for_a_task();
    for (std::size_t k = 0; k < children_.size(); ++k) {
      Child& child = children_[k];
      if (seconds_since(child.begin) > limit && !child.timed_out) {
        child.timed_out = true;
        kill(child.id, SIGKILL);
      }
      bool has_ended = read_from(child);
      take_what_is_said(child);
      if (has_ended) are_ready_ = true;
      if (has_ended) finish(child);
    }
    std::erase_if(children_, [](const Child& child) { return child.id < 0; });
  }

  /// What comes before the outcome.
  void take_what_is_said(Child& child) {
    std::size_t at = 0;
    while (at < child.text.size() && (child.text[at] == is_ready || child.text[at] == is_part)) {
      are_ready_ = true;
      if (child.text[at] == is_ready) {
        ++at;
        continue;
      }
      std::size_t end = child.text.find(complete, at);
      if (end == std::string::npos) break;
      if (part_) part_(child.task, child.text.substr(at + 1, end - at - 1));
      child.begin = Clock::now();
      at = end + 1;
    }
    child.text.erase(0, at);
  }

  double seconds_for_a_task() const {
    constexpr double first = 600, least = 60, times = 30;
    if (options_.task_seconds > 0) return options_.task_seconds;
    return longest_ > 0 ? std::max(least, times * longest_) : first;
  }

  /// True: the child has closed its end.
  static bool read_from(Child& child) {
    char buffer[65536];
    while (true) {
      ssize_t count = read(child.pipe, buffer, sizeof buffer);
      if (count > 0) child.text.append(buffer, static_cast<std::size_t>(count));
      else if (count == 0) return true;
      else if (errno != EINTR) return false;
    }
  }

  void finish(Child& child) {
    int status = 0;
    while (waitpid(child.id, &status, 0) < 0 && errno == EINTR) {}
    close(child.pipe);
    TaskOutcome outcome;
    outcome.seconds = seconds_since(child.begin);
    if (child.said >= 0) {
      outcome.said = end_of(child.said);
      close(child.said);
    }
    if (!child.text.empty() && child.text.front() != is_part && child.text.back() == complete) {
      child.text.pop_back();
      outcome.text = std::move(child.text);
      longest_ = std::max(longest_, outcome.seconds);
    } else {
      outcome.kind = child.timed_out ? TaskOutcome::Kind::timed_out : TaskOutcome::Kind::crashed;
      outcome.text = child.timed_out       ? "it took too long"
                     : WIFSIGNALED(status) ? "signal " + std::to_string(WTERMSIG(status))
                                           : "exit code " + std::to_string(WEXITSTATUS(status));
    }
    child.id = -1;
    finished_(child.task, outcome);
  }

  static void end(Child& child) {
    if (child.id < 0) return;
    kill(child.id, SIGKILL);
    while (waitpid(child.id, nullptr, 0) < 0 && errno == EINTR) {}
    close(child.pipe);
    if (child.said >= 0) close(child.said);
  }

  const NextTask& next_;
  const ProcessOptions& options_;
  const Task& task_;
  const std::function<void(std::size_t, const TaskOutcome&)>& finished_;
  const TakePart& part_;
  std::atomic<bool>* is_to_end_ = nullptr;  ///< seen by all processes
  std::vector<Child> children_;
  std::optional<std::size_t> waiting_;  ///< a task that is to be started next
  bool are_ready_;
  double longest_ = 0;
};

}  // namespace

bool run_in_processes(const NextTask& next, const ProcessOptions& options,
                      const std::function<std::string(std::size_t, const TaskVoice&)>& task,
                      const std::function<void(std::size_t, const TaskOutcome&)>& finished, const TakePart& part) {
  if (options.jobs > 0) return Processes(next, options, task, finished, part).run();
  while (std::optional<std::size_t> number = next()) {
    if (options.budget.ended()) return false;
    Clock::time_point begin = Clock::now();
    TaskVoice voice{.ready = [] {},
                    .part = [&](const std::string& text) { part(*number, text); },
                    .is_to_end = [&] { return options.budget.ended(); }};
    std::string text = task(*number, voice);
    if (options.budget.ended()) return false;
    finished(*number, {TaskOutcome::Kind::done, std::move(text), {}, seconds_since(begin)});
  }
  return true;
}

bool run_in_processes(const std::vector<std::size_t>& tasks, const ProcessOptions& options,
                      const std::function<std::string(std::size_t)>& task,
                      const std::function<void(std::size_t, const TaskOutcome&)>& finished) {
  std::size_t k = 0;
  NextTask next = [&] { return k < tasks.size() ? std::optional(tasks[k++]) : std::nullopt; };
  return run_in_processes(next, options, [&](std::size_t number, const TaskVoice&) { return task(number); }, finished);
}

}  // namespace bolza
