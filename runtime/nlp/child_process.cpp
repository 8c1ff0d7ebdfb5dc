// SPDX-License-Identifier: Apache-2.0
#include "runtime/nlp/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstring>
#include <exception>

#include "base/clock.h"

namespace bolza::nlp {
namespace {

enum class Question : char { objective, gradient, constraints, jacobian, hessian, gauss_newton };

/// Text of a fixed length: the two processes share no other memory than one block.
template <std::size_t length>
struct SharedText {
  std::array<char, length> text{};
  void set(const std::string& from) {
    text.fill(0);
    std::copy_n(from.begin(), std::min(from.size(), length - 1), text.begin());
  }
  std::string get() const { return {text.data(), strnlen(text.data(), length)}; }
};

/// What both processes see, before the arrays.
struct SharedHead {
  bool moved = false, finite = false;
  double sigma = 0, objective = 0;
  volatile bool stop = false;
  // what the child has to tell
  bool found = false, ended = false;
  double best = 0;
  Status status = Status::failed;
  int iterations = 0, nodes = 0;
  double bound = 0;
  SharedText<400> message, stopped;
  SharedText<80> method;
};

/// One block of memory for parent and child.
class Shared {
 public:
  explicit Shared(const Nlp& nlp) {
    std::size_t doubles = 0;
    auto reserve = [&](std::size_t count) {
      doubles += count;
      return doubles - count;
    };
    std::array<std::size_t, 8> begin{reserve(nlp.n()),
                                     reserve(nlp.n()),
                                     reserve(nlp.m()),
                                     reserve(nlp.n()),
                                     reserve(nlp.m()),
                                     reserve(nlp.jacobian.size()),
                                     reserve(nlp.hessian.size()),
                                     reserve(nlp.gauss_newton.size())};
    constexpr std::size_t head_size = (sizeof(SharedHead) + 63) / 64 * 64;
    size_ = head_size + doubles * sizeof(double);
    memory_ = mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (!there()) return;
    head = new (memory_) SharedHead;
    auto* values = reinterpret_cast<double*>(static_cast<char*>(memory_) + head_size);
    point = values + begin[0];
    best = values + begin[1];
    lambda = values + begin[2];
    for (std::size_t k = 0; k < 5; ++k) answer[k] = values + begin[3 + k];
  }
  ~Shared() {
    if (there()) munmap(memory_, size_);
  }
  Shared(const Shared&) = delete;
  Shared& operator=(const Shared&) = delete;

  bool there() const { return memory_ != MAP_FAILED; }

  SharedHead* head = nullptr;
  double *point = nullptr, *best = nullptr, *lambda = nullptr;
  std::array<double*, 5> answer{};  ///< to questions but the objective, in the order of `Question`

 private:
  void* memory_ = MAP_FAILED;
  std::size_t size_ = 0;
};

double* answer_to(Shared& shared, Question question) { return shared.answer[static_cast<std::size_t>(question) - 1]; }

// ------------------------------------------------------------ the child

/// The functions of the problem as the child has them.
class AskedFunctions final : public Functions, public Incumbents {
 public:
  AskedFunctions(const Nlp& nlp, Shared& shared, int socket) : nlp_(nlp), shared_(shared), socket_(socket) {}

  void move_to(std::span<const double> w) override {
    std::copy(w.begin(), w.end(), shared_.point);
    shared_.head->moved = true;
    known_.fill(false);
  }
  bool objective(double& f) override {
    if (!known(Question::objective)) {
      finite_[0] = ask(Question::objective);
      objective_ = shared_.head->objective;
    }
    f = objective_;
    return finite_[0];
  }
  const double* gradient() override { return remembered(Question::gradient); }
  const double* constraints() override { return remembered(Question::constraints); }
  const double* jacobian() override { return remembered(Question::jacobian); }
  const double* hessian(double sigma, std::span<const double> lambda) override {
    std::copy(lambda.begin(), lambda.end(), shared_.lambda);
    return asked_with(sigma, Question::hessian);
  }
  const double* gauss_newton(double sigma) override { return asked_with(sigma, Question::gauss_newton); }

  void offer(std::span<const double> w, double objective) override {
    if (shared_.head->found && objective >= shared_.head->best) return;
    std::copy_n(w.begin(), nlp_.n(), shared_.best);
    shared_.head->best = objective;
    shared_.head->found = true;
  }

 private:
  bool known(Question question) { return std::exchange(known_[static_cast<std::size_t>(question)], true); }
  const double* remembered(Question question) {
    auto k = static_cast<std::size_t>(question);
    if (!known(question)) finite_[k] = ask(question);
    return finite_[k] ? answer_to(shared_, question) : nullptr;
  }
  const double* asked_with(double sigma, Question question) {
    shared_.head->sigma = sigma;
    return ask(question) ? answer_to(shared_, question) : nullptr;
  }
  bool ask(Question question) {
    char byte = static_cast<char>(question);
    if (send(socket_, &byte, 1, MSG_NOSIGNAL) != 1) _exit(1);
    ssize_t got;
    do got = read(socket_, &byte, 1);
    while (got < 0 && errno == EINTR);
    if (got != 1) _exit(1);  // the parent is gone
    return shared_.head->finite;
  }

  const Nlp& nlp_;
  Shared& shared_;
  int socket_;
  std::array<bool, 4> known_{}, finite_{};
  double objective_ = 0;
};

/// Away from the terminal: no output, no Ctrl-C, no core; gone with its parent.
void become_quiet(int said) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
  for (int signal : {SIGABRT, SIGSEGV, SIGFPE, SIGBUS, SIGILL, SIGTERM, SIGINT}) std::signal(signal, SIG_DFL);
  int nothing = open("/dev/null", O_RDWR);
  dup2(nothing, STDIN_FILENO);
  dup2(nothing, STDOUT_FILENO);
  dup2(said < 0 ? nothing : said, STDERR_FILENO);
}

void tell(const Report& report, SharedHead& head) {
  head.status = report.status;
  head.iterations = report.iterations;
  head.nodes = report.integers.nodes;
  head.bound = report.integers.bound;
  head.message.set(report.message);
  head.stopped.set(report.integers.stopped);
  head.method.set(report.integers.method);
  head.ended = true;
}

[[noreturn]] void be_child(const Nlp& nlp, const EngineOptions& options, const Iterate& start, const ChildSolve& solve,
                           Shared& shared, int socket, int said) {
  become_quiet(said);
  AskedFunctions functions(nlp, shared, socket);
  Nlp asked = nlp;
  asked.functions = &functions;
  EngineOptions stoppable = options;
  stoppable.budget = Budget(options.budget.left(), &shared.head->stop);
  stoppable.progress = nullptr;
  try {
    Report report = solve(asked, stoppable, start, functions);
    if (report.integers.found) {
      std::copy(report.iterate.w.begin(), report.iterate.w.end(), shared.best);
      shared.head->best = report.objective;
      shared.head->found = true;
    }
    tell(report, *shared.head);
  } catch (const std::exception& error) {
    dprintf(STDERR_FILENO, "%s", error.what());
  } catch (...) {
    dprintf(STDERR_FILENO, "an exception");
  }
  _exit(0);
}

// ------------------------------------------------------------ the parent

class Parent {
 public:
  Parent(const Nlp& nlp, const EngineOptions& options, Shared& shared) : nlp_(nlp), options_(options), shared_(shared) {}
  ~Parent() {
    if (child_ > 0) {
      kill(child_, SIGKILL);
      reap();
    }
    for (int open_file : {socket_, said_})
      if (open_file >= 0) close(open_file);
  }
  Parent(const Parent&) = delete;
  Parent& operator=(const Parent&) = delete;

  bool start_child(const Iterate& start, const ChildSolve& solve) {
    std::array<int, 2> ends{};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) return false;
    socket_ = ends[0];
    said_ = memfd_create("said", MFD_CLOEXEC);
    child_ = fork();
    if (child_ == 0) {
      close(ends[0]);
      be_child(nlp_, options_, start, solve, shared_, ends[1], said_);
    }
    close(ends[1]);
    return child_ > 0;
  }

  /// Answers until the child has ended, or has been killed.
  void serve() {
    constexpr int look_every = 20;  // milliseconds
    pollfd from{socket_, POLLIN, 0};
    while (!overdue()) {
      int ready = poll(&from, 1, look_every);
      char question = 0;
      if (ready > 0 && recv(socket_, &question, 1, 0) <= 0) break;
      if (ready <= 0) continue;
      answer(static_cast<Question>(question));
      if (send(socket_, &question, 1, MSG_NOSIGNAL) != 1) break;
    }
    if (killed_ != Status::solved) kill(child_, SIGKILL);
    reap();
  }

  Report report(const Iterate& start, const std::string& who) const {
    const SharedHead& head = *shared_.head;
    Report report;
    report.iterate.w = start.w;
    report.iterate.lambda.resize(nlp_.m());
    report.iterate.z_lower.resize(nlp_.n());
    report.iterate.z_upper.resize(nlp_.n());
    report.status = head.status;
    report.message = head.message.get();
    report.iterations = head.iterations;
    IntegerReport& told = report.integers;
    told.method = head.method.get();
    told.stopped = head.stopped.get();
    told.nodes = head.nodes;
    told.bound = head.bound;
    told.found = head.found;
    if (head.found) {
      report.objective = head.best;
      report.iterate.w.assign(shared_.best, shared_.best + nlp_.n());
    }
    if (!head.ended) {
      told.bound = -INFINITY;
      told.stopped = killed_ == Status::solved        ? "the end of its process"
                     : killed_ == Status::interrupted ? "an interrupt"
                                                      : "the time limit";
      report.status = killed_ == Status::solved ? Status::failed : killed_;
      report.message = killed_ == Status::solved ? who + " ended its process" + last_words() : told.stopped;
    }
    report.seconds_evaluation = seconds_evaluation_;
    return report;
  }

 private:
  void answer(Question question) {
    auto began = Clock::now();
    SharedHead& head = *shared_.head;
    if (std::exchange(head.moved, false)) nlp_.functions->move_to({shared_.point, nlp_.n()});
    if (question == Question::objective) head.finite = nlp_.functions->objective(head.objective);
    else give(question, values(question));
    seconds_evaluation_ += seconds_since(began);
  }
  std::pair<const double*, std::size_t> values(Question question) {
    Functions& functions = *nlp_.functions;
    const SharedHead& head = *shared_.head;
    switch (question) {
      case Question::gradient:
        return {functions.gradient(), nlp_.n()};
      case Question::constraints:
        return {functions.constraints(), nlp_.m()};
      case Question::jacobian:
        return {functions.jacobian(), nlp_.jacobian.size()};
      case Question::hessian:
        return {functions.hessian(head.sigma, {shared_.lambda, nlp_.m()}), nlp_.hessian.size()};
      case Question::gauss_newton:
        return {functions.gauss_newton(head.sigma), nlp_.gauss_newton.size()};
      case Question::objective:
        break;
    }
    return {nullptr, 0};
  }
  void give(Question question, std::pair<const double*, std::size_t> values) {
    shared_.head->finite = values.first != nullptr;
    if (values.first) std::copy_n(values.first, values.second, answer_to(shared_, question));
  }

  /// Passes an interrupt on; true where the child has not heeded it, or the limit of time, for that long.
  bool overdue() {
    constexpr double grace = 0.3;
    if (options_.budget.interrupted() && !shared_.head->stop) {
      shared_.head->stop = true;
      stopped_ = Clock::now();
    }
    if (shared_.head->stop && seconds_since(stopped_) > grace) killed_ = Status::interrupted;
    if (options_.budget.over_by(grace)) killed_ = Status::time_limit;
    return killed_ != Status::solved;
  }
  void reap() {
    while (waitpid(child_, nullptr, 0) < 0 && errno == EINTR) {}
    child_ = -1;
  }
  /// The last line that the child wrote, in brackets.
  std::string last_words() const {
    std::array<char, 600> text{};
    off_t size = said_ < 0 ? 0 : lseek(said_, 0, SEEK_END);
    ssize_t got = size > 0 ? pread(said_, text.data(), text.size(), std::max<off_t>(0, size - 600)) : 0;
    std::string words(text.data(), static_cast<std::size_t>(std::max<ssize_t>(0, got)));
    while (!words.empty() && words.back() == '\n') words.pop_back();
    words.erase(0, words.rfind('\n') + 1);
    return words.empty() ? "" : " (" + words + ")";
  }

  const Nlp& nlp_;
  const EngineOptions& options_;
  Shared& shared_;
  pid_t child_ = -1;
  int socket_ = -1, said_ = -1;
  Status killed_ = Status::solved;
  double seconds_evaluation_ = 0;
  Clock::time_point began_ = Clock::now(), stopped_ = began_;
};

}  // namespace

Report solve_in_child(const Nlp& nlp, const EngineOptions& options, const Iterate& start, const std::string& who,
                      const ChildSolve& solve) {
  Shared shared(nlp);
  Parent parent(nlp, options, shared);
  if (!shared.there() || !parent.start_child(start, solve)) {
    Report report;
    report.iterate.w = start.w;
    report.message = "no process could be started for " + who + ": " + std::strerror(errno);
    return report;
  }
  parent.serve();
  return parent.report(start, who);
}

}  // namespace bolza::nlp
