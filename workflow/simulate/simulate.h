// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <optional>

#include "runtime/integrate/simulate/simulate.h"
#include "runtime/result/table.h"
#include "workflow/model.h"

namespace bolza::workflow {

struct SimulateRequest {
  driver::Options options;                                          ///< integrator, rtol
  std::optional<double> start, stop;                                ///< default: experiment annotation, else 0 and 1
  double max_result = 0;                                            ///< MB of the trajectory; 0: 1000
  double step = 0;                                                  ///< distance of output times; 0: 500 of them
  std::string input_file;                                           ///< .csv or .mat with the inputs over time, "" none
  std::vector<std::pair<std::string, std::string>> method_options;  ///< name, value: what integrators have to set
  std::string output, csv, report;                                  ///< output "": "<Class>.mat"
  bool files = true;                                                ///< false: none are written
  std::function<void(double t, double stop)> progress;
  Budget budget;  ///< ended: the trajectory until then
};

struct SimulateOutcome {
  integrate::SimulateReport report;
  std::string status;  ///< "finished", "convergence", …
  double start = 0, stop = 0;
  std::size_t choices = 1;  ///< of states, one after the other
  double seconds_compile = 0, seconds_total = 0;
  std::vector<std::pair<std::string, double>> final;  ///< states and algebraics at the end
  std::vector<std::pair<std::string, double>> held;   ///< inputs that no file gives, and their value throughout
  std::string result, csv, page;                      ///< files written
  result::ResultTable table;                          ///< the trajectory, as in the files
};

/// Integrates a model and writes the trajectory, also the part before a failure. Fails for errors of the input: E603 no such
/// integrator, E604 one that cannot take the model, …; a numerical failure is in the report, and a diagnostic E601 or E602.
Result<SimulateOutcome> simulate(Model& model, const SimulateRequest& request);

}  // namespace bolza::workflow
