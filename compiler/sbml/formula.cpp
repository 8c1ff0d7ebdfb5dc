// SPDX-License-Identifier: Apache-2.0
#include <sbml/math/ASTNode.h>
#include <sbml/math/L3Parser.h>

#include <cctype>
#include <memory>
#include <string>
#include <vector>

#include "compiler/sbml/codes.h"
#include "compiler/sbml/expression_internal.h"
#include "compiler/sbml/formula_internal.h"
#include "compiler/sbml/translate.h"

namespace bolza::sbml {
namespace {

/// libsbml makes log10(x) the same as log(10, x): it gets a name of its own before the base is moved.
std::string with_named_logarithms(const std::string& formula) {
  std::string out;
  auto is_of_name = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  for (std::size_t k = 0; k < formula.size(); ++k) {
    bool starts = k == 0 || !is_of_name(formula[k - 1]);
    if (starts && formula.compare(k, 5, "log10") == 0 && (k + 5 == formula.size() || !is_of_name(formula[k + 5]))) {
      out += decadic_logarithm;
      k += 4;
    } else {
      out += formula[k];
    }
  }
  return out;
}

/// log(x, base) has its base last; SBML has it first.
void turn_logarithms(ASTNode& node) {
  for (unsigned k = 0; k < node.getNumChildren(); ++k) turn_logarithms(*node.getChild(k));
  if (node.getType() != AST_FUNCTION_LOG || node.getNumChildren() != 2) return;
  std::unique_ptr<ASTNode> first(node.getChild(0)->deepCopy());
  node.removeChild(0);
  node.addChild(first.release());
}

/// Without what libsbml says around it: "at position 3: syntax error, unexpected ','".
std::string reason_in(std::string message) {
  for (char& c : message) c = c == '\n' ? ' ' : c;
  std::size_t at = message.find("at position ");
  message = at == std::string::npos ? message : message.substr(at);
  if (std::size_t two = message.find(":  "); two != std::string::npos) message.erase(two + 1, 1);
  while (message.ends_with(' ') || message.ends_with('.')) message.pop_back();
  return message;
}

bool has_decimal_comma(const std::string& formula) {
  for (std::size_t k = 1; k + 1 < formula.size(); ++k)
    if (formula[k] == ',' && std::isdigit(static_cast<unsigned char>(formula[k - 1])) &&
        std::isdigit(static_cast<unsigned char>(formula[k + 1])))
      return true;
  return false;
}

}  // namespace

Result<std::unique_ptr<ASTNode>> parsed_formula(const std::string& formula, Span at, Diagnostics& diagnostics) {
  std::string text = with_named_logarithms(formula);
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
    std::string why =
        formula.find_first_not_of(" \t") == std::string::npos ? "it is empty" : reason_in(error ? error.get() : "");
    std::vector<Note> notes;
    if (has_decimal_comma(formula)) notes.push_back({{}, "decimals are written with a point"});
    return diagnostics.error(bad_formula, at, {formula, why}, std::move(notes));
  }
  turn_logarithms(*tree);
  return tree;
}

Result<std::string> translate_formula(const std::string& formula, const Resolve& resolve, Span at,
                                      Diagnostics& diagnostics) {
  Result<std::unique_ptr<ASTNode>> tree = parsed_formula(formula, at, diagnostics);
  if (!tree) return diagnostics.already_reported();
  return Expressions({resolve}, at, diagnostics).number(**tree);
}

}  // namespace bolza::sbml
