// SPDX-License-Identifier: Apache-2.0
#include "workflow/solve/outcome/piece_names.h"

#include <cctype>

#include "runtime/result/phases.h"

namespace bolza::workflow {
namespace {

constexpr std::string_view opening = "piece[";

/// Takes every `piece[12].` out of a text.
void take_out_pieces(std::string& text) {
  for (std::size_t at = text.find(opening); at != std::string::npos; at = text.find(opening, at + 1)) {
    std::size_t end = at + opening.size();
    while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end]))) ++end;
    if (end < text.size() && text.compare(end, 2, "].") == 0) text.erase(at, end + 2 - at);
  }
}

}  // namespace

result::ResultTable without_pieces(result::ResultTable table) {
  std::erase_if(table.variables, [](const result::ResultVariable& v) {
    return v.name.compare(result::place_of_phase(v.name), opening.size(), opening) == 0;
  });
  return table;
}

bool is_of_piece(const Model& model, const std::string& name) {
  return model.problem.flat.are_pieces && name.compare(0, opening.size(), opening) == 0;
}

void tell_without_pieces(const Model& model, SolveOutcome& outcome) {
  if (!model.problem.flat.are_pieces) return;
  take_out_pieces(outcome.accuracy.name);
  take_out_pieces(outcome.accuracy.slope_name);
  for (ArcOfOptimum& arc : outcome.arcs) take_out_pieces(arc.text);
  for (StageOutcome& stage : outcome.stages)
    if (stage.refinement) take_out_pieces(stage.refinement->name);
  for (Warning& warning : outcome.warnings) {
    take_out_pieces(warning.text);
    take_out_pieces(warning.remedy);
    take_out_pieces(warning.name);
  }
  for (abi::Finding& finding : outcome.solution.findings) {
    take_out_pieces(finding.name);
    take_out_pieces(finding.text);
  }
}

}  // namespace bolza::workflow
