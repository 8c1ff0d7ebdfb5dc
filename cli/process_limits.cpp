// SPDX-License-Identifier: Apache-2.0
#include "cli/process_limits.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "base/diagnostics.h"
#include "base/interrupt.h"
#include "base/numbers.h"
#include "cli/commands.h"
#include "cli/print.h"
#include "workflow/codes.h"
#include "workflow/outside_libraries.h"

namespace bolza::cli {
namespace {

constexpr std::size_t megabyte = 1 << 20;
constexpr rlim_t stack_wanted = 100 * megabyte;
constexpr double least_grace = 0.5, share_of_grace = 0.1, grace_of_files = 10;

// A signal handler can reach nothing but globals, and must allocate nothing: its last words are made beforehand.
struct LastWords {
  char text[400] = {};
  int file = STDERR_FILENO;

  void say() const {
    if (::write(file, text, std::strlen(text)) < 0) return;  // nobody is left to be told
  }
};
LastWords late_words, deep_words, memory_words;
volatile bool cooperates = false, is_late = false;
volatile std::sig_atomic_t last_signal = 0;
double grace_after_limit = least_grace, grace_after_signal = least_grace, waited_before = 0;
bool has_waited_for_files = false;
Budget budget(&interrupt_flag());
std::uintptr_t stack_top = 0, stack_size = 0;
alignas(16) char handler_stack[64 * 1024];

/// One diagnostic as this command prints it.
std::string words_of(const Arguments& arguments, const Code& code, Diagnostics::Arguments values,
                     std::vector<Note> notes = {}) {
  Sources sources;
  Diagnostics diagnostics;
  diagnostics.error(code, {}, values, std::move(notes));
  if (!arguments.print.json) return render(diagnostics.all()[0], sources);
  return nlohmann::json{{"status", "limit"}, {"diagnostics", to_json(diagnostics, sources)}}.dump() + "\n";
}

void prepare(LastWords& words, const Arguments& arguments, const std::string& text) {
  std::snprintf(words.text, sizeof words.text, "%s", text.c_str());
  words.file = arguments.print.json ? STDOUT_FILENO : STDERR_FILENO;
}

void wake_after(double seconds) {
  itimerval timer{};
  timer.it_value.tv_sec = static_cast<time_t>(seconds);
  timer.it_value.tv_usec = std::max<suseconds_t>(1, static_cast<suseconds_t>((seconds - std::floor(seconds)) * 1e6));
  setitimer(ITIMER_REAL, &timer, nullptr);
}

/// How long this process was ready to run while others had the processors. 0 where the kernel does not count it.
double seconds_waited() {
  char text[96] = {};
  int file = ::open("/proc/self/schedstat", O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  ssize_t length = ::read(file, text, sizeof text - 1);
  ::close(file);
  const char* second = length > 0 ? std::strchr(text, ' ') : nullptr;  // nanoseconds run, waited
  double nanoseconds = 0;
  for (const char* c = second ? second + 1 : ""; *c >= '0' && *c <= '9'; ++c) nanoseconds = 10 * nanoseconds + (*c - '0');
  return 1e-9 * nanoseconds;
}

void begin_grace(double seconds) {
  waited_before = seconds_waited();
  wake_after(seconds);
}

/// A grace is longer by what a busy machine took of it.
bool grace_goes_on() {
  constexpr double noticeable = 0.1;
  double waited = seconds_waited(), taken = waited - waited_before;
  waited_before = waited;
  if (taken > noticeable) wake_after(taken);
  return taken > noticeable;
}

/// What was found is being written: that is waited for, once.
bool files_are_written() {
  if (!writing_flag() || std::exchange(has_waited_for_files, true)) return false;
  wake_after(grace_of_files);
  return true;
}

/// The limit of time, or the end of the grace after it or after a signal.
void on_alarm(int) {
  if (interrupt_flag() && (grace_goes_on() || files_are_written())) return;
  if (interrupt_flag() && !is_late) _exit(128 + static_cast<int>(last_signal));
  if (interrupt_flag() || !cooperates) {
    late_words.say();
    _exit(not_solved);
  }
  is_late = true;
  interrupt_flag() = true;
  begin_grace(grace_after_limit);
}

void on_signal(int signal) {
  if (interrupt_flag()) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
  last_signal = signal;
  interrupt_flag() = true;
  begin_grace(grace_after_signal);
}

/// Whether there is no memory for what libraries allocate in one piece.
bool memory_is_used_up() {
  void* room = mmap(nullptr, 16 * megabyte, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (room == MAP_FAILED) return true;
  munmap(room, 16 * megabyte);
  return false;
}

/// Below the stack nothing is mapped: a fault there is its end. Any other, and an `abort`, is that of a library which did
/// not look whether it got what it asked for or freed it twice, where there is no more memory.
void on_fault(int signal, siginfo_t* info, void*) {
  if (memory_is_used_up()) {
    memory_words.say();
    _exit(not_solved);
  }
  auto at = reinterpret_cast<std::uintptr_t>(info->si_addr);
  if (signal == SIGSEGV && stack_size > 0 && at < stack_top && at > stack_top - stack_size - 64 * megabyte) {
    deep_words.say();
    _exit(bad_input);
  }
  std::signal(signal, SIG_DFL);  // the instruction is tried again, or the signal raised, and ends the process
}

std::string memory_of(const Arguments& arguments) {
  return arguments.limits.megabytes > 0 ? shown(arguments.limits.megabytes) + " MB (--max-memory)" : "there is";
}

bool is_bounded(__rlimit_resource_t resource) {
  rlimit limit{};
  return getrlimit(resource, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

/// The commands that optimise; a simulation does for its initial values at most.
bool needs_blas(const Arguments& arguments) {
  constexpr std::array<std::string_view, 6> optimise{"solve", "fit", "identify", "gradient", "sweep", "study"};
  bool simulates = arguments.command == "simulate" && arguments.limits.megabytes > 0;
  return simulates || std::ranges::find(optimise, arguments.command) != optimise.end();
}

void bound_memory(const Arguments& arguments) {
  bool bounded = arguments.limits.megabytes > 0 || is_bounded(RLIMIT_AS) || is_bounded(RLIMIT_DATA);
  std::size_t set_aside = bounded && needs_blas(arguments) ? workflow::reserve_blas_buffer() : 0;
  if (!(arguments.limits.megabytes > 0)) return;
  rlimit limit{};
  getrlimit(RLIMIT_DATA, &limit);
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, static_cast<rlim_t>(arguments.limits.megabytes * megabyte) + set_aside);
  setrlimit(RLIMIT_DATA, &limit);
}

void make_room_on_stack() {
  rlimit limit{};
  if (getrlimit(RLIMIT_STACK, &limit) != 0) return;
  bool unlimited = limit.rlim_cur == RLIM_INFINITY;
  if (!unlimited && limit.rlim_cur < stack_wanted) {
    limit.rlim_cur = std::min<rlim_t>(stack_wanted, limit.rlim_max);
    setrlimit(RLIMIT_STACK, &limit);
  }
  stack_size = unlimited ? 0 : limit.rlim_cur;
}

/// Sanitizers have a handler of their own, which says more.
void watch_faults(const Arguments& arguments) {
  struct sigaction present{};
  if (sigaction(SIGSEGV, nullptr, &present) != 0 || present.sa_handler != SIG_DFL) return;
  int here = 0;
  stack_top = reinterpret_cast<std::uintptr_t>(&here) + megabyte;
  prepare(deep_words, arguments, words_of(arguments, workflow::nests_too_deep, {std::to_string(stack_size / megabyte)}));
  prepare(memory_words, arguments, words_of(arguments, workflow::took_too_much_memory, {memory_of(arguments)}));
  stack_t stack{};
  stack.ss_sp = handler_stack;
  stack.ss_size = sizeof handler_stack;
  struct sigaction action{};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  if (sigaltstack(&stack, nullptr) != 0) return;
  for (int signal : {SIGSEGV, SIGBUS, SIGABRT}) sigaction(signal, &action, nullptr);
}

/// Of `solve` it stands among the options, of a study it is that of each point; 0: none.
double limit_of_time(const Arguments& arguments) {
  if (arguments.command == "sweep" || arguments.command == "study") return 0;
  for (const auto& [name, value] : arguments.method.options)
    if (name == "max-time") return std::strtod(value.c_str(), nullptr);
  return arguments.limits.seconds;
}

}  // namespace

bool bounds_memory(int argc, char** argv) {
  return std::any_of(argv, argv + argc, [](std::string_view word) { return word.starts_with("--max-memory"); });
}

void begin_limits(const Arguments& arguments) {
  make_room_on_stack();
  watch_faults(arguments);
  bound_memory(arguments);
  double seconds = limit_of_time(arguments);
  if (!(seconds > 0)) return;
  budget = Budget(seconds, &interrupt_flag());
  grace_after_limit = least_grace + share_of_grace * seconds;
  prepare(late_words, arguments, words_of(arguments, workflow::took_too_long, {shown(seconds)}));
  std::signal(SIGALRM, on_alarm);
  wake_after(std::min(seconds, 1e8));
}

int out_of_memory(const Arguments& arguments) {
  std::string words = words_of(arguments, workflow::took_too_much_memory, {memory_of(arguments)});
  std::fputs(words.c_str(), arguments.print.json ? stdout : stderr);
  return not_solved;
}

const Budget& budget_of_process() { return budget; }

const Budget& catch_interrupts(double grace) {
  cooperates = true;
  grace_after_signal = grace;
  if (!budget.is_limited()) std::signal(SIGALRM, on_alarm);
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
  if (std::signal(SIGHUP, on_signal) == SIG_IGN) std::signal(SIGHUP, SIG_IGN);  // nohup
  return budget;
}

int end_of_process(int code) {
  if (!budget.over()) return code;
  std::fflush(nullptr);
  _exit(code);
}

int exit_code_of_interrupt(int otherwise, const Arguments& arguments) {
  if (!interrupt_flag()) return otherwise;
  if (!is_late) return 128 + static_cast<int>(last_signal);
  if (!arguments.print.json) late_words.say();
  return not_solved;
}

}  // namespace bolza::cli
