// SPDX-License-Identifier: Apache-2.0
#include <sbml/math/ASTNode.h>
#include <sbml/math/L3Parser.h>

#include <memory>

#include "compiler/sbml/codes.h"
#include "compiler/sbml/expression_internal.h"
#include "compiler/sbml/translate.h"

namespace bolza::sbml {

Result<std::string> translate_formula(const std::string& formula, const Resolve& resolve, Span at,
                                      Diagnostics& diagnostics) {
  std::string text = formula;
  for (std::size_t k = text.find("**"); k != std::string::npos; k = text.find("**", k)) text.replace(k, 2, "^");
  L3ParserSettings settings;
  settings.setParseLog(L3P_PARSE_LOG_AS_LN);
  settings.setParseCollapseMinus(L3P_EXPAND_UNARY_MINUS);
  settings.setParseUnits(L3P_NO_UNITS);
  settings.setParseAvogadroCsymbol(L3P_AVOGADRO_IS_NAME);
  settings.setComparisonCaseSensitivity(L3P_COMPARE_BUILTINS_CASE_SENSITIVE);
  std::unique_ptr<ASTNode> tree(SBML_parseL3FormulaWithSettings(text.c_str(), &settings));
  if (!tree) {
    std::unique_ptr<char, void (*)(void*)> error(SBML_getLastParseL3Error(), std::free);
    std::string why = error ? error.get() : "";
    for (char& c : why) c = c == '\n' ? ' ' : c;
    return diagnostics.error(bad_formula, at, {formula, why});
  }
  return Expressions({resolve}, at, diagnostics).number(*tree);
}

}  // namespace bolza::sbml
