// SPDX-License-Identifier: Apache-2.0
#include "workflow/written.h"

#include "workflow/codes.h"

namespace bolza::workflow {

Result<std::unique_ptr<Model>> with_form(Model& model, const std::string& form) {
  auto other = std::make_unique<Model>();
  LoadRequest request = model.request;
  request.form = passes::form_named(form);
  if (other->load(request) && other->compile({.calls = codegen::Calls::one})) return other;
  return model.diagnostics.error(
      cannot_combine, {},
      {"the form `" + form + "` of the equations cannot be had: `bolza check --structure --form " + form + "` says why"});
}

}  // namespace bolza::workflow
