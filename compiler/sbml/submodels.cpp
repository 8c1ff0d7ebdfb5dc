// SPDX-License-Identifier: Apache-2.0
#include "compiler/sbml/submodels_internal.h"

#include <sbml/conversion/ConversionProperties.h>
#include <sbml/packages/comp/validator/CompSBMLError.h>

#include "compiler/sbml/codes.h"

namespace bolza::sbml {
namespace {

std::string folder_of(const std::string& path) {
  std::size_t slash = path.find_last_of('/');
  return slash == std::string::npos ? "." : path.substr(0, slash);
}

/// What is said beside that it failed.
std::string reason_of(const SBMLDocument& document) {
  for (unsigned k = 0; k < document.getNumErrors(); ++k) {
    const SBMLError& error = *document.getError(k);
    if (error.getSeverity() < LIBSBML_SEV_ERROR || error.getErrorId() == CompModelFlatteningFailed) continue;
    std::string message = error.getMessage();
    while (!message.empty() && (message.back() == ' ' || message.back() == '.' || message.back() == '\n'))
      message.pop_back();
    for (char& c : message)
      if (c == '\n') c = ' ';
    if (!message.empty()) return "its submodels cannot be put together: " + message;
  }
  return "its submodels cannot be put together";
}

}  // namespace

Result<Done> flatten_submodels(SBMLDocument& document, const std::string& path, const Lines& lines,
                               Diagnostics& diagnostics) {
  if (!document.isPackageEnabled("comp")) return Done{};
  document.setLocationURI("file:" + path);
  ConversionProperties how;
  how.addOption("flatten comp", "true");
  how.addOption("basePath", folder_of(path));
  how.addOption("performValidation", "false");
  how.addOption("leavePorts", "false");
  how.addOption("abortIfUnflattenable", "none");
  if (document.convert(how) == LIBSBML_OPERATION_SUCCESS && document.getModel()) return Done{};
  return diagnostics.error(not_supported, lines.line(2), {"`" + path + "`", reason_of(document)});
}

}  // namespace bolza::sbml
