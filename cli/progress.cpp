// SPDX-License-Identifier: Apache-2.0
#include "cli/progress.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "base/clock.h"

namespace bolza::cli {

namespace {
constexpr std::chrono::milliseconds between_lines{100};
}  // namespace

ProgressLine::ProgressLine(bool wanted) : on_(wanted && isatty(STDERR_FILENO)) {}
ProgressLine::~ProgressLine() { clear(); }

bool ProgressLine::due() const { return on_ && (!visible_ || Clock::now() - last_ >= between_lines); }

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

void ProgressRecords::iteration(const workflow::Progress& p) const {
  if (!wanted_) return;
  nlohmann::json record{{"stage", p.stage},
                        {"iteration", p.iteration},
                        {"objective", p.objective},
                        {"infeasibility", p.infeasibility},
                        {"seconds", p.seconds}};
  std::fprintf(stderr, "%s\n",
               record.dump(-1, ' ', /*ensure_ascii=*/false, nlohmann::json::error_handler_t::replace).c_str());
}

void ProgressRecords::studied(const workflow::StudyProgress& p) {
  bool is_end = p.counts.missing() == 0;
  if (!wanted_ || (!is_end && Clock::now() - last_ < between_lines)) return;
  last_ = Clock::now();
  nlohmann::json record{
      {"points", p.counts.done()}, {"of", p.counts.total}, {"not_solved", p.counts.failed + p.counts.broken}};
  std::fprintf(stderr, "%s\n", record.dump().c_str());
}

void ProgressRecords::simulated(double t, double stop) {
  if (!wanted_ || Clock::now() - last_ < between_lines) return;
  last_ = Clock::now();
  std::fprintf(stderr, "%s\n", nlohmann::json{{"time", t}, {"stop", stop}}.dump().c_str());
}

}  // namespace bolza::cli
