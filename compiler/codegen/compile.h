// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/span.h"
#include "compiler/codegen/compile_statistics.h"
#include "compiler/codegen/machine.h"
#include "compiler/ir/problem.h"
#include "runtime/abi/bolza.h"

namespace bolza::codegen {

struct JitLibrary;
/// Opens what needs LLVM, or throws; called again it gives the same.
using OpenJit = std::function<const JitLibrary&()>;

struct KernelOptions {
  OpenJit open_jit;         ///< called when a kernel is not in the cache, and by `emit`
  std::uint32_t width = 0;  ///< lanes of a vector; 0: the machine's widest
  Calls calls = Calls::many;
  double expected_evaluations = 0;  ///< points × evaluations that are foreseen; above `hot` code is optimised at once
  unsigned small_code = codegen::small_code;  ///< with Calls::one: instructions of a module that is optimised in any case
  std::optional<std::string> cache;  ///< directory of the object cache; absent: Cache::default_directory(); "": no cache
};

/// Where optimised code begins to pay: its extra compile time is about 25 µs per operation, its gain 0.01 to 0.05 ns per
/// operation and point.
inline constexpr double hot = 1e6;

/// What a kernel computed that was not a finite number, in the model's words.
struct NonfiniteExplanation {
  bool found = false;
  std::uint32_t row = 0;  ///< of the function
  Span span;              ///< of the equation
  bolza_source source{};
  std::string equation;       ///< the whole expression of the row, shortened
  std::string expression;     ///< the innermost part that is not finite although its operands are
  double value = 0;           ///< its value: NaN or ±inf
  std::string derivative_by;  ///< name of the variable when a first derivative is concerned, else ""
  std::vector<std::pair<std::string, double>> operands;  ///< text and value of the part's operands
  std::string failure;  ///< why the function failed whose result the part is: its assertion, an index; "" it did not
  Span failure_span;    ///< of that statement
};

enum class ModuleForm : std::uint8_t { object, assembly, intermediate };

/// A problem in the runtime's form together with everything that its tables and kernels live in.
///
/// `problem()` and the functions in it stay where they are until destruction. Kinds are compiled when `request` asks for
/// them (thread-safe; evaluations of kinds that are there may go on meanwhile).
class CompiledProblem {
 public:
  virtual ~CompiledProblem() = default;
  virtual const bolza_problem& problem() const = 0;
  /// For the solvers, which ask for kernels: these are filled in on demand, the numbers stay.
  virtual bolza_problem& problem() = 0;

  /// Takes over numbers (values of parameters, starts, bounds, nominals, guesses, sides of constraints, places, data of
  /// groups) of the same problem with other parameter values; compiles nothing. False when the two differ in structure; then
  /// nothing is changed.
  virtual bool update_values(const ir::Problem& problem) = 0;
  /// Sets entry k of shared (fixed parameter or guess of a free one) for all functions.
  virtual void set_shared(std::size_t k, double value) = 0;

  /// Compiles what has been compiled so far again, as optimised code. The results have the same bits. Not during an
  /// evaluation.
  virtual void optimise() = 0;

  /// Looks for the first value that is not finite: among the function's values, then its first derivatives.
  /// @param point [n_point] one point     @param shared [n_shared]
  virtual NonfiniteExplanation explain_nonfinite(const bolza_function& function, std::span<const double> point,
                                                 std::span<const double> shared) = 0;

  /// The kernels of some kinds of all functions with constant tables of the whole problem and one exported function
  /// `const bolza_problem *bolza_<model>(void)`. Objects are linked with -lmvec -lm. Does not change what is loaded.
  virtual std::string emit(ModuleForm form, std::span<const bolza_kind> kinds, bool single) = 0;
  virtual std::string emitted_symbol() const = 0;

  virtual CompileStatistics statistics() const = 0;
};

/// Makes all tables and patterns; kernels are made when asked for. Cost of expressions and derivatives follows the number of
/// shapes, of tables the number of instances. `sources` gives the places in the tables and is not kept.
std::unique_ptr<CompiledProblem> compile(ir::Problem problem, const Sources& sources, const KernelOptions& options = {});

}  // namespace bolza::codegen
