// SPDX-License-Identifier: Apache-2.0
#include "cli/progress.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>

#include "base/clock.h"

namespace bolza::cli {

ProgressLine::ProgressLine(bool wanted) : on_(wanted && isatty(STDERR_FILENO)) {}
ProgressLine::~ProgressLine() { clear(); }

bool ProgressLine::due() const { return on_ && (!visible_ || Clock::now() - last_ >= std::chrono::milliseconds(100)); }

void ProgressLine::show(const std::string& text) {
  if (!due()) return;
  last_ = Clock::now();
  visible_ = true;
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

}  // namespace bolza::cli
