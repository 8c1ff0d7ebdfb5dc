// SPDX-License-Identifier: Apache-2.0
#include "workflow/solve/attempts/guess_from_file.h"

#include <algorithm>

#include "runtime/result/file.h"
#include "runtime/result/restore.h"
#include "workflow/codes.h"

namespace bolza::workflow {

Result<abi::Solution> guess_from_file(Model& model, const std::string& path) {
  auto table = result::read_result(path, model.sources, model.diagnostics);
  if (!table) return model.diagnostics.already_reported();
  std::vector<result::ResultTable> tables(1, *std::move(table));
  result::Restored restored = result::restore(model.abi(), tables);
  auto is_missing = [&](ir::VariableId v) {
    return std::find(restored.missing.begin(), restored.missing.end(), ir::name_of(model.problem.flat, v)) !=
           restored.missing.end();
  };
  std::vector<ir::VariableId> wanted;
  for (const ir::Problem* of : ir::models_of(model.problem))
    for (const auto* list : {&of->x, &of->z, &of->u}) wanted.insert(wanted.end(), list->begin(), list->end());
  if (!wanted.empty() && std::all_of(wanted.begin(), wanted.end(), is_missing))
    return model.diagnostics.error(guess_unreadable, {},
                                   {path, "it has none of the model's states, algebraic variables and controls"});
  for (const std::string& name : restored.missing) model.diagnostics.warning(guess_incomplete, {}, {path, name});
  return std::move(restored.solution);
}

}  // namespace bolza::workflow
