// SPDX-License-Identifier: Apache-2.0
// An engine looks at its budget between iterations, and an iteration may be long: a first ordering of a large matrix takes
// seconds. Where time is limited the engine works on a thread of its own, with a copy of the problem, and is left behind
// when it does not come back in time: the best point that it saw is the answer.
#include <pthread.h>

#include <chrono>
#include <cmath>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <utility>

#include "base/clock.h"
#include "base/flush_denormals.h"
#include "runtime/nlp/best_point.h"
#include "runtime/nlp/layer.h"
#include "runtime/nlp/whole_numbers.h"

namespace bolza::nlp {
namespace {

constexpr double grace = 0.2;                         ///< seconds that an iteration under way has to end
constexpr auto look = std::chrono::milliseconds(20);  ///< how often a caller's interrupt is passed on
constexpr std::size_t stack = 64 << 20;               ///< bytes, as deep as that of the main thread of most systems

/// The functions of somebody who may have left: then they fail, and nothing of his is touched.
class Guarded final : public Functions {
 public:
  Guarded(Functions& functions, std::mutex& turn, const bool& left) : functions_(functions), turn_(turn), left_(left) {}

  void move_to(std::span<const double> w) override {
    std::lock_guard lock(turn_);
    if (!left_) functions_.move_to(w);
  }
  bool objective(double& f) override {
    std::lock_guard lock(turn_);
    return !left_ && functions_.objective(f);
  }
  const double* gradient() override {
    std::lock_guard lock(turn_);
    return left_ ? nullptr : functions_.gradient();
  }
  const double* constraints() override {
    std::lock_guard lock(turn_);
    return left_ ? nullptr : functions_.constraints();
  }
  const double* jacobian() override {
    std::lock_guard lock(turn_);
    return left_ ? nullptr : functions_.jacobian();
  }
  const double* hessian(double sigma, std::span<const double> lambda) override {
    std::lock_guard lock(turn_);
    return left_ ? nullptr : functions_.hessian(sigma, lambda);
  }
  const double* gauss_newton(double sigma) override {
    std::lock_guard lock(turn_);
    return left_ ? nullptr : functions_.gauss_newton(sigma);
  }
  bool rescale(std::span<const double> variable, std::span<const double> row, double objective) override {
    std::lock_guard lock(turn_);
    return !left_ && functions_.rescale(variable, row, objective);
  }

 private:
  Functions& functions_;
  std::mutex& turn_;
  const bool& left_;
};

thread_local bool is_left_to_others = false;  ///< this thread is an engine's: who waits for it looks at the time

/// What caller and engine share; it lives as long as the later of the two.
class Work {
 public:
  Work(const SolveTask& task, LayerRows below)
      : nlp_(*task.nlp),
        seen_(nlp_, task.options.tol),
        guarded_(seen_, turn_, left_),
        asked_(task.options),
        start_(task.start),
        below_(below) {
    nlp_.functions = &guarded_;
    task_ = task;
    task_.nlp = task_.own = &nlp_;
    task_.options.budget = Budget(asked_.budget.left(), &stop_);
    if (asked_.progress) {
      task_.options.progress = tell;
      task_.options.progress_context = this;
    }
  }

  static void* run(void* shared) {
    std::unique_ptr<std::shared_ptr<Work>> mine(static_cast<std::shared_ptr<Work>*>(shared));
    (*mine)->work();
    return nullptr;
  }

  /// Waits for the report, or until the budget is over and the grace after it.
  Report wait() {
    std::unique_lock lock(turn_);
    while (!done_.wait_for(lock, look, [&] { return has_report_; })) {
      if (asked_.budget.interrupted()) stop_ = true;
      if (asked_.budget.over_by(grace)) break;
    }
    if (error_) std::rethrow_exception(error_);
    if (has_report_) return std::move(report_);
    left_ = true;
    return last_point();
  }

 private:
  void work() {
    FlushDenormals flush;
    is_left_to_others = true;
    Report report;
    std::exception_ptr error;
    try {
      report = walk(std::move(task_), below_);
    } catch (...) {
      error = std::current_exception();
    }
    std::lock_guard lock(turn_);
    report_ = std::move(report);
    error_ = error;
    has_report_ = true;
    done_.notify_all();
  }

  Report last_point() {
    Report report;
    report.status = Status::time_limit;
    report.message = "time limit reached within an iteration";
    report.iterations = iterations_;
    report.iterate.w = start_.w;
    seen_.move_to(start_.w);
    if (!seen_.objective(report.objective) || !seen_.constraints()) report.objective = std::nan("");
    report.iterate.lambda.resize(nlp_.m());
    report.iterate.z_lower.resize(nlp_.n());
    report.iterate.z_upper.resize(nlp_.n());
    seen_.take_its_place(report);
    return report;
  }

  static void tell(void* context, const EngineProgress& at) {
    Work& work = *static_cast<Work*>(context);
    std::lock_guard lock(work.turn_);
    work.iterations_ = at.iteration;
    if (!work.left_) work.asked_.progress(work.asked_.progress_context, at);
  }

  std::mutex turn_;  ///< of all below, and of the caller's functions
  std::condition_variable done_;
  bool left_ = false, has_report_ = false;
  Report report_;
  std::exception_ptr error_;
  int iterations_ = 0;
  Nlp nlp_;
  BestPoint seen_;
  Guarded guarded_;
  EngineOptions asked_;
  Iterate start_;
  LayerRows below_;
  SolveTask task_;
  volatile bool stop_ = false;
};

/// False: the system gives no thread.
bool begin(const std::shared_ptr<Work>& work) {
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) return false;
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_attr_setstacksize(&attributes, stack);
  auto own = std::make_unique<std::shared_ptr<Work>>(work);
  pthread_t thread{};
  bool begun = pthread_create(&thread, &attributes, Work::run, own.get()) == 0;
  pthread_attr_destroy(&attributes);
  if (begun) static_cast<void>(own.release());  // it is the thread's
  return begun;
}

std::optional<Report> solve_until_deadline(const SolveTask& task, LayerRows below) {
  bool in_child = task.engine->integers == Integers::own && seeks_whole_numbers(task);  // looked after by child_process.h
  if (!task.options.budget.is_limited() || in_child || is_left_to_others) return std::nullopt;
  auto work = std::make_shared<Work>(task, below);
  if (!begin(work)) return std::nullopt;
  return work->wait();
}

}  // namespace

extern const LayerRow deadline_layer;
const LayerRow deadline_layer{.name = "deadline", .answer = solve_until_deadline};

}  // namespace bolza::nlp
