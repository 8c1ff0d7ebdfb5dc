// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "compiler/ir/program.h"

namespace bolza::ir {

/// Values of the leaves of a shape. A leaf that is read must have its value.
template <class T>
struct LeafValues {
  std::span<const T> slots = {}, data = {}, weights = {}, directions = {};
};

enum class RunStatus : std::uint8_t {
  ok,
  operation_limit,  ///< more operations than allowed: a loop that does not end
  index_out_of_range,
  check_failed,
  zero_step,   ///< of a for-loop
  tape_empty,  ///< pop without push
  too_deep,    ///< Programs call each other deeper than 200
  foreign_failed,
  integer_overflow,  ///< an Integer beyond ±2^53
};

struct RunReport {
  RunStatus status = RunStatus::ok;
  Span span;                                 ///< of the statement that failed
  std::string text;                          ///< the failed check's text, or index and size
  std::vector<double> values = {};           ///< of the check's text
  std::optional<std::uint32_t> action = {};  ///< of the check
  std::string program = {};                  ///< name of the Program in which it happened
  explicit operator bool() const { return status == RunStatus::ok; }
};

/// Reachable nodes of some roots as a straight list of operations: made once, evaluated often.
struct Tape {
  struct Step {
    Op op;
    std::uint32_t a = 0, b = 0,
                  c = 0;  ///< places of operands; leaf, output: number in b; call: arguments b … b+c of `arguments`
    ProgramId program;
    double literal = 0;
  };
  std::vector<Step> steps;
  std::vector<std::uint32_t> arguments;  ///< places of the arguments of calls
  std::vector<std::uint32_t> roots;      ///< places of the roots
};
Tape make_tape(const Dag& dag, std::span<const ExprId> roots);

/// Evaluates expressions and runs Programs in T = double, or long double for tests.
///
/// Keeps its workspace and the tapes it has made, so that repeated evaluation allocates little; one Interpreter per thread.
/// The expressions must outlive it; nodes and Programs may be added to them meanwhile.
template <class T>
class Interpreter {
 public:
  explicit Interpreter(const Expressions& expressions, std::uint64_t operation_limit = 100'000'000);
  ~Interpreter();

  /// values[r] = root r. The operation limit counts from zero with every call.
  RunReport evaluate(const Tape& tape, const LeafValues<T>& leaves, std::span<T> values);
  RunReport evaluate(std::span<const ExprId> roots, const LeafValues<T>& leaves, std::span<T> values);

  /// @param arguments  [argument_count]     @param outputs  [output_count]
  RunReport run(ProgramId program, std::span<const T> arguments, std::span<T> outputs);
  /// The first check of the last run that did not hold although the Program went on; a failure later is reported as this.
  const std::optional<RunReport>& objection() const { return objection_; }

 private:
  struct Frame;
  enum class Flow : std::uint8_t { next, leave_loop, leave_program, failed };

  bool execute(const Tape& tape, const LeafValues<T>& leaves, std::vector<T>& work);
  bool run_foreign(const Program& program, std::span<const T> arguments, std::span<T> outputs);
  bool run_program(ProgramId program, std::span<const T> arguments, std::span<T> outputs);
  Flow run_block(Frame& frame, BlockId block);
  Flow run_statement(Frame& frame, const Statement& s);
  Flow run_for(Frame& frame, const Statement& s);
  Flow run_while(Frame& frame, const Statement& s);
  Flow run_call(Frame& frame, const Statement& s);
  Flow run_check(Frame& frame, const Statement& s);
  bool value(Frame& frame, ExprId e, T& result);
  std::optional<std::size_t> element(Frame& frame, const Statement& s);
  static T loaded(const Frame& frame, std::uint32_t array, std::size_t at);
  bool spend(std::uint64_t operations);
  bool fail(RunStatus status, Span span, std::string text = {});
  bool fits(const auto& variable, T x, const Statement& s);

  const Expressions& all_;
  std::uint64_t limit_, left_ = 0;
  std::uint32_t depth_ = 0;
  RunReport report_;
  std::optional<RunReport> objection_;
  std::vector<T> work_;
  std::unordered_map<std::uint32_t, std::unique_ptr<Tape>> tapes_;  ///< by root
};

extern template class Interpreter<double>;
extern template class Interpreter<long double>;

/// One-off evaluation without Programs' failures in mind: NaN for every root when a Program fails.
std::vector<double> evaluate(const Expressions& expressions, std::span<const ExprId> roots,
                             const LeafValues<double>& leaves);

}  // namespace bolza::ir
