// SPDX-License-Identifier: Apache-2.0
#include "workflow/all_codes.h"

#include <algorithm>

#include "compiler/driver/code_table.h"
#include "compiler/sbml/codes.h"
#include "runtime/integrate/codes.h"
#include "runtime/nlp/codes.h"
#include "runtime/result/codes.h"
#include "workflow/codes.h"
#include "workflow/sbml_codes.h"
#include "workflow/study_codes.h"

namespace bolza::workflow {

std::vector<const Code*> all_codes() {
  std::vector<const Code*> codes = driver::compiler_codes();
  codes.insert(codes.end(), sbml::all_codes.begin(), sbml::all_codes.end());
  codes.insert(codes.end(), integrate::all_codes.begin(), integrate::all_codes.end());
  codes.insert(codes.end(), nlp::all_codes.begin(), nlp::all_codes.end());
  codes.insert(codes.end(), result::all_codes.begin(), result::all_codes.end());
  codes.insert(codes.end(), all_codes_of_petab.begin(), all_codes_of_petab.end());
  codes.insert(codes.end(), all_codes_of_workflow.begin(), all_codes_of_workflow.end());
  codes.insert(codes.end(), all_codes_of_studies.begin(), all_codes_of_studies.end());
  std::sort(codes.begin(), codes.end(), [](const Code* a, const Code* b) { return a->id < b->id; });
  return codes;
}

}  // namespace bolza::workflow
