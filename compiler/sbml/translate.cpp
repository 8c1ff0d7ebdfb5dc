// SPDX-License-Identifier: Apache-2.0
#include "compiler/sbml/translate.h"

#include <sbml/SBMLTypes.h>
#include <sbml/extension/SBasePlugin.h>

#include <memory>

#include "compiler/sbml/additions_internal.h"
#include "compiler/sbml/codes.h"
#include "compiler/sbml/submodels_internal.h"
#include "compiler/sbml/units_internal.h"
#include "compiler/sbml/writer_internal.h"

namespace bolza::sbml {
namespace {

/// The name of the file as an identifier.
std::string stem_of(const std::string& path) {
  std::size_t slash = path.find_last_of('/');
  std::string stem = path.substr(slash == std::string::npos ? 0 : slash + 1);
  stem = stem.substr(0, stem.find('.'));
  for (char& c : stem)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return stem.empty() || std::isdigit(static_cast<unsigned char>(stem[0])) ? "model_" + stem : stem;
}

Result<Done> check_document(SBMLDocument& document, const std::string& path, const Lines& lines, Diagnostics& diagnostics) {
  for (unsigned k = 0; k < document.getNumErrors(); ++k) {
    const SBMLError& error = *document.getError(k);
    if (error.getSeverity() < LIBSBML_SEV_ERROR) continue;
    std::string message = error.getMessage();
    message = message.substr(0, message.find('\n'));
    while (!message.empty() && (message.back() == ' ' || message.back() == '.')) message.pop_back();
    return diagnostics.error(not_sbml, lines.line(error.getLine()), {path, message});
  }
  if (!document.getModel()) return diagnostics.error(not_sbml, {}, {path, "it contains no model"});
  for (unsigned k = 0; document.getLevel() > 2 && k < document.getNumPlugins(); ++k) {
    std::string package = document.getPlugin(k)->getPackageName();
    if (document.getPackageRequired(package) && package != "l3v2extendedmath" && package != "comp")
      return diagnostics.error(not_supported, lines.line(2), {path, "it requires the package `" + package + "`"});
  }
  return Done{};
}

void rename(ASTNode& node, const std::string& from, const std::string& to) {
  if (node.getType() == AST_NAME && node.getName() == from) node.setName(to.c_str());
  for (unsigned k = 0; k < node.getNumChildren(); ++k) rename(*node.getChild(k), from, to);
}

/// Arguments are put into the body of a function one after the other: names of their own keep one from being taken for
/// another argument.
void name_arguments(Model& model) {
  for (unsigned k = 0; k < model.getNumFunctionDefinitions(); ++k) {
    FunctionDefinition& function = *model.getFunctionDefinition(k);
    if (!function.isSetMath()) continue;
    std::unique_ptr<ASTNode> lambda(function.getMath()->deepCopy());
    for (unsigned i = 0; i < function.getNumArguments(); ++i) {
      std::string name = function.getArgument(i)->getName() ? function.getArgument(i)->getName() : "";
      rename(*lambda, name, "argument_" + std::to_string(i + 1) + "_of_function_" + std::to_string(k + 1));
    }
    function.setMath(lambda.get());
  }
}

/// What there is once submodels are put together, and the packages that mean nothing here.
SbmlSummary summary_of(const SBMLDocument& document, const Model& model) {
  SbmlSummary out{document.getLevel(), document.getVersion(), {}, {}};
  unsigned assignments = 0, rates = 0, algebraic = 0;
  for (unsigned k = 0; k < model.getNumRules(); ++k) {
    const Rule& rule = *model.getRule(k);
    (rule.isAssignment() ? assignments : rule.isRate() ? rates : algebraic) += 1;
  }
  for (auto [kind, count] :
       {std::pair{"compartment", model.getNumCompartments()}, std::pair{"species", model.getNumSpecies()},
        std::pair{"parameter", model.getNumParameters()}, std::pair{"reaction", model.getNumReactions()},
        std::pair{"initial assignment", model.getNumInitialAssignments()}, std::pair{"assignment rule", assignments},
        std::pair{"rate rule", rates}, std::pair{"algebraic rule", algebraic}, std::pair{"event", model.getNumEvents()},
        std::pair{"constraint", model.getNumConstraints()}, std::pair{"unit", model.getNumUnitDefinitions()}})
    if (count > 0) out.counts.emplace_back(kind, count);
  for (unsigned k = 0; document.getLevel() > 2 && k < document.getNumPlugins(); ++k) {
    std::string package = document.getPlugin(k)->getPackageName();
    if (package != "l3v2extendedmath" && package != "comp") out.left_out.push_back("package " + package);
  }
  return out;
}

}  // namespace

Result<Translation> translate(const std::string& path, const std::string& text, UnitFindings units,
                              const Additions& additions, Sources& sources, Diagnostics& diagnostics) {
  Lines lines(sources.add(path, text), sources);
  std::unique_ptr<SBMLDocument> document(readSBMLFromString(text.c_str()));
  if (!check_document(*document, path, lines, diagnostics) || !flatten_submodels(*document, path, lines, diagnostics))
    return diagnostics.already_reported();
  if (!add(additions, *document->getModel(), diagnostics)) return diagnostics.already_reported();
  name_arguments(*document->getModel());
  if (document->getModel()->getNumFunctionDefinitions() > 0 && !document->expandFunctionDefinitions())
    return diagnostics.error(not_supported, lines.line(1), {path, "its function definitions could not be expanded"});
  const Model& model = *document->getModel();
  if (!check_units(model, units, lines, diagnostics)) return diagnostics.already_reported();
  Result<Quantities> quantities = collect(model, lines, diagnostics);
  if (!quantities) return diagnostics.already_reported();
  Result<Translation> out = ModelWriter(model, *std::move(quantities), lines, diagnostics).run(stem_of(path));
  if (!out) return diagnostics.already_reported();
  out->summary = summary_of(*document, model);
  return out;
}

}  // namespace bolza::sbml
