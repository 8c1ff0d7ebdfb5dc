#pragma once
#include <chrono>
#include <string>

namespace bolza::cli {

/// One live line on a terminal ("radau 50: iteration 12  objective 3.1762  infeasibility 2e-09  0.4 s"); nothing in a pipe.
class ProgressLine {
 public:
  explicit ProgressLine(bool wanted);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  bool due() const;                    ///< whether `show` would show something now: texts need not be made before
  void show(const std::string& text);  ///< at most ten times a second
  void clear();

 private:
  bool on_;
  bool visible_ = false;
  std::chrono::steady_clock::time_point last_{};
};

/// Ctrl-C and SIGTERM raise the flag; a second one ends the program. The flag is what solvers look at.
const volatile bool* catch_interrupts();
/// 130 after Ctrl-C, 143 after SIGTERM, as shells expect; `otherwise` when there was no signal.
int exit_code_of_interrupt(int otherwise);

}  // namespace bolza::cli
