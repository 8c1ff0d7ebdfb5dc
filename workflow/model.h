#pragma once
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "compiler/driver/option_table.h"
#include "compiler/ir/problem.h"
#include "runtime/abi/bolza.h"

namespace bolza::workflow {

struct LoadRequest {
  std::string file, class_name;
  std::vector<std::string> settings;        ///< "k=2"
  std::vector<std::string> library_paths;   ///< searched before MODELICAPATH
  bool cache = true;
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
  /// Opens the compiler back end and makes the tables; kernels are compiled when first asked for.
  Result<Done> compile();

  Sources sources;
  Diagnostics diagnostics;
  ir::Problem problem;                       ///< after load
  driver::Options annotated;                 ///< solver options that the class states
  double seconds_load = 0, seconds_compile = 0;

  bolza_problem* abi() const;                ///< after compile
  /// "expression, operands and their values" of the first non-finite value of a row; see codegen.
  struct Inside;
  Inside& inside() { return *inside_; }

 private:
  std::unique_ptr<Inside> inside_;
};

}  // namespace bolza::workflow
