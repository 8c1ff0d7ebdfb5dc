// SPDX-License-Identifier: Apache-2.0
#include "runtime/estimate/search/processes.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <exception>

#include "base/clock.h"

namespace bolza::estimate {
namespace {

struct Child {
  std::size_t task = 0;
  pid_t id = -1;
  int pipe = -1;
  std::string text;
  Clock::time_point begin;
  bool timed_out = false;
};

constexpr char complete = '\n';  // the last byte of a text that was written to its end

void write_all(int pipe, std::string_view text) {
  while (!text.empty()) {
    ssize_t written = write(pipe, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

/// The child's whole life.
[[noreturn]] void live(const std::function<std::string(std::size_t)>& task, std::size_t number, int pipe, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);  // it ended before that
  std::signal(SIGINT, SIG_IGN);
  try {
    write_all(pipe, task(number) + complete);
  } catch (const std::exception&) {
    _exit(1);
  }
  _exit(0);
}

class Processes {
 public:
  Processes(const ProcessOptions& options, const std::function<std::string(std::size_t)>& task,
            const std::function<void(std::size_t, const TaskOutcome&)>& finished)
      : options_(options),
        task_(task),
        finished_(finished) {}
  ~Processes() {
    for (Child& child : children_) end(child);
  }
  Processes(const Processes&) = delete;
  Processes& operator=(const Processes&) = delete;

  bool run(const std::vector<std::size_t>& tasks) {
    std::size_t next = 0;
    while (next < tasks.size() || !children_.empty()) {
      if (options_.budget.ended()) return false;
      while (next < tasks.size() && children_.size() < options_.jobs) {
        if (!start(tasks[next]) && children_.empty()) fail(tasks[next]);
        else if (children_.empty() || children_.back().task != tasks[next]) break;  // no process now: when another has ended
        ++next;
      }
      wait();
    }
    return true;
  }

 private:
  bool start(std::size_t number) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return false;
    pid_t parent = getpid(), id = fork();
    if (id == 0) {
      close(ends[0]);
      live(task_, number, ends[1], parent);
    }
    close(ends[1]);
    if (id < 0) {
      close(ends[0]);
      return false;
    }
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    children_.push_back({number, id, ends[0], {}, Clock::now(), false});
    return true;
  }

  void fail(std::size_t number) { finished_(number, {TaskOutcome::Kind::crashed, "the system gives no more processes", 0}); }

  /// Reads what is there; ends what takes too long.
  void wait() {
    constexpr int milliseconds = 50;
    std::vector<pollfd> open;
    for (const Child& child : children_) open.push_back({child.pipe, POLLIN, 0});
    poll(open.data(), open.size(), milliseconds);
    double limit = seconds_for_a_task();
    for (Child& child : children_) {
      if (seconds_since(child.begin) > limit && !child.timed_out) {
        child.timed_out = true;
        kill(child.id, SIGKILL);
      }
      if (read_from(child)) finish(child);
    }
    std::erase_if(children_, [](const Child& child) { return child.id < 0; });
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
    if (!child.text.empty() && child.text.back() == complete) {
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
  }

  const ProcessOptions& options_;
  const std::function<std::string(std::size_t)>& task_;
  const std::function<void(std::size_t, const TaskOutcome&)>& finished_;
  std::vector<Child> children_;
  double longest_ = 0;
};

}  // namespace

bool run_in_processes(const std::vector<std::size_t>& tasks, const ProcessOptions& options,
                      const std::function<std::string(std::size_t)>& task,
                      const std::function<void(std::size_t, const TaskOutcome&)>& finished) {
  if (options.jobs > 0) return Processes(options, task, finished).run(tasks);
  for (std::size_t number : tasks) {
    if (options.budget.ended()) return false;
    Clock::time_point begin = Clock::now();
    std::string text = task(number);
    if (options.budget.ended()) return false;
    finished(number, {TaskOutcome::Kind::done, std::move(text), seconds_since(begin)});
  }
  return true;
}

}  // namespace bolza::estimate
