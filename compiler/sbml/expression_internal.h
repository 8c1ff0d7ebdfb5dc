// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sbml/common/libsbml-namespace.h>

#include <functional>
#include <optional>
#include <string>

#include "base/result.h"

LIBSBML_CPP_NAMESPACE_BEGIN
class ASTNode;
LIBSBML_CPP_NAMESPACE_END

namespace bolza::sbml {

/// What formulas call a function of Modelica that computes factorials of what is not a number.
inline constexpr const char* factorial_name = "'factorial of SBML'";

/// What formulas of PEtab call log10 when libsbml reads them.
inline constexpr const char* decadic_logarithm = "decadic_logarithm_";

/// MathML to expressions of Modelica. Booleans and numbers are converted into each other where SBML mixes them.
class Expressions {
 public:
  /// Modelica's text for an identifier, absent: unknown; and for the time.
  struct Names {
    std::function<std::optional<std::string>(const std::string& id)> value;
    std::string time = "time";
    /// How fast an identifier changes; absent: `der` of its name.
    std::function<std::optional<std::string>(const std::string& id)> rate = {};
    /// The value of a call of `delay`; absent: there are no values of the past here.
    std::function<Result<std::string>(const ASTNode& call, Span at)> past = {};
  };

  Expressions(Names names, Span at, Diagnostics& diagnostics)
      : names_(std::move(names)),
        at_(at),
        diagnostics_(diagnostics) {}

  Result<std::string> number(const ASTNode& node) const;
  Result<std::string> condition(const ASTNode& node) const;

 private:
  Result<std::string> text(const ASTNode& node) const;
  Result<std::string> joined(const ASTNode& node, const char* between, const char* empty, bool conditions) const;
  Result<std::string> filled(const ASTNode& node, const char* pattern) const;
  Result<std::string> piecewise(const ASTNode& node, bool conditions) const;
  Result<std::string> side(const ASTNode& node) const;
  Result<std::string> relation(const ASTNode& node) const;
  Result<std::string> exclusive(const ASTNode& node) const;
  Result<std::string> extremum(const ASTNode& node, const char* name) const;
  Result<std::string> named_function(const ASTNode& node) const;
  Result<std::string> factorial(const ASTNode& node) const;
  Reported refuse(const std::string& what, const std::string& why) const;

  Names names_;
  Span at_;
  Diagnostics& diagnostics_;
};

/// Is the node a condition, not a number?
bool is_condition(const ASTNode& node);

}  // namespace bolza::sbml
