// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "compiler/codegen/machine.h"
#include "compiler/driver/compile.h"
#include "compiler/ir/problem.h"
#include "runtime/abi/bolza.h"
#include "workflow/scenarios.h"

namespace bolza::codegen {
class CompiledProblem;
}

namespace bolza::workflow {

struct LoadRequest : passes::Transformation {
  Sources options;  ///< texts that options stand in: whatever is loaded instead of a model begins with them, as it did
  std::string file, class_name;
  std::vector<driver::SourceText> texts;   ///< read after the file, which may be ""
  std::vector<std::string> settings;       ///< "k=2"
  flatten::GivenHorizon horizon;           ///< of a problem that is solved, in the place of the class's
  instance::Outputs outputs;               ///< expressions that become rows of the point function, source `--of`
  std::vector<std::string> library_paths;  ///< searched before MODELICAPATH
  std::uint32_t max_scalars = ir::FlatModel::usual_scalars;  ///< that the model may have
  bool cache = true;                                         ///< are compiled kernels and parsed files kept?
  ScenarioRequest scenarios;                                 ///< values of parameters of which one row will turn out
  instance::Trust trust;                                     ///< which foreign code may run
};

/// What the compiler's driver gets for a request: the file, the search path with MODELICAPATH, our own library.
driver::CompileOptions compile_options(const LoadRequest& request);
/// The same with the scenarios of the request's table. Errors as read_scenarios.
Result<driver::CompileOptions> compile_options_with_scenarios(const LoadRequest& request, Sources& sources,
                                                              Diagnostics& diagnostics);

/// What is foreseen for the kernels.
struct KernelRequest {
  codegen::Calls calls = codegen::Calls::many;
  double expected_evaluations = 0;  ///< points × evaluations; decides how much the code is optimised
};

/// A model from its text to compiled kernels. Everything that points into it stays valid as long as it lives.
class Model {
 public:
  Model();
  ~Model();
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;

  /// Parses, instantiates, flattens, runs the passes. Errors are in `diagnostics`.
  Result<Done> load(const LoadRequest& request);
  /// Opens the compiler back end and makes the tables; kernels are compiled when first asked for. Errors E906.
  Result<Done> compile(const KernelRequest& request = {});

  Sources sources;
  Diagnostics diagnostics;
  LoadRequest request;  ///< what was loaded
  std::string class_name;
  ir::Problem problem;                          ///< after load
  driver::Options annotated;                    ///< solver options that the class states
  bool is_implicit = false;                     ///< the form is not `explicit`
  std::size_t n_equations = 0, n_unknowns = 0;  ///< scalars of the flat model
  std::size_t n_scenarios = 0;                  ///< alongside each other in the problem; 0: none were given
  double seconds_load = 0, seconds_compile = 0;
  Clock::time_point began = Clock::now();

  const bolza_problem& abi() const;  ///< after compile
  bolza_problem& abi();              ///< for the solvers: kernels are filled in on demand, the numbers stay
  codegen::CompiledProblem& compiled() const;

 private:
  struct Inside;
  std::unique_ptr<Inside> inside_;
};

}  // namespace bolza::workflow
