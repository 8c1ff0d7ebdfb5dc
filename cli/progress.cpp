#include "cli/progress.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>

namespace bolza::cli {

ProgressLine::ProgressLine(bool wanted) : on_(wanted && isatty(STDERR_FILENO)) {}
ProgressLine::~ProgressLine() { clear(); }

bool ProgressLine::due() const {
  return on_ && (!visible_ || std::chrono::steady_clock::now() - last_ >= std::chrono::milliseconds(100));
}

void ProgressLine::show(const std::string& text) {
  if (!due()) return;
  last_ = std::chrono::steady_clock::now(), visible_ = true;
  winsize size{};
  int width = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col - 1 : 79;
  std::fprintf(stderr, "\r\x1b[K%.*s", width, text.c_str());
  std::fflush(stderr);
}

void ProgressLine::clear() {
  if (!visible_) return;
  std::fputs("\r\x1b[K", stderr);
  std::fflush(stderr);
  visible_ = false;
}

namespace {

volatile bool interrupted = false;  // a signal handler can reach nothing but a global
volatile std::sig_atomic_t last_signal = 0;

void on_signal(int signal) {
  if (interrupted) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
  last_signal = signal;
  interrupted = true;
}

}  // namespace

const volatile bool* catch_interrupts() {
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
  if (std::signal(SIGHUP, on_signal) == SIG_IGN) std::signal(SIGHUP, SIG_IGN);  // nohup
  return &interrupted;
}

int exit_code_of_interrupt(int otherwise) { return interrupted ? 128 + static_cast<int>(last_signal) : otherwise; }

}  // namespace bolza::cli
