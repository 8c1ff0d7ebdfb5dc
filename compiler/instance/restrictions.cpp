#include "compiler/instance/restrictions_internal.h"

#include <algorithm>
#include <set>

#include "compiler/instance/class_lookup_internal.h"
#include "compiler/instance/codes.h"
#include "compiler/syntax/print.h"

namespace bolza::instance {

using Kind = ast::ClassKind;

namespace {

bool is_record(Kind kind) { return kind == Kind::record || kind == Kind::operator_record; }

class TextCheck {
 public:
  TextCheck(const ast::Class& cls, Diagnostics& d) : cls_(cls), d_(d) {}

  void all() {
    for (const ast::Element* element : cls_.elements) {
      if (element->kind == ast::ElementKind::class_) name(element->class_->name, element->class_->name_span);
      if (element->kind != ast::ElementKind::component) continue;
      name(element->component->name, element->component->name_span);
      component(*element->component);
    }
    sections();
  }

 private:
  void refuse(Span at, std::string_view what) { d_.error(codes::not_in_this_kind, at, {syntax::spelling(cls_.kind), what}); }

  void name(std::string_view name, Span at) {
    if (builtin_type(name) != Type::none) d_.error(codes::reserved_name, at, {name});
  }

  void component(const ast::Component& c) {
    bool record = is_record(cls_.kind), connector = cls_.kind == Kind::connector;
    if ((record || connector) && c.prefixes.protected_) refuse(c.name_span, "protected components");
    if ((record || connector) && (c.prefixes.inner || c.prefixes.outer)) refuse(c.name_span, "inner or outer components");
    if (record && c.connection != ast::Connection::none) refuse(c.name_span, "flow or stream components");
    if (record && c.causality != ast::Causality::none) refuse(c.name_span, "inputs or outputs");
    bool function = cls_.kind == Kind::function || cls_.kind == Kind::operator_function;
    bool local = c.causality == ast::Causality::none && c.variability == ast::Variability::none;
    if (function && local && !c.prefixes.protected_ && !c.prefixes.redeclare)
      refuse(c.name_span, "public components that are neither input nor output");
  }

  void sections() {
    bool plain = is_record(cls_.kind) || cls_.kind == Kind::connector;
    if (plain && !cls_.equations.empty()) refuse(cls_.equations[0].span, "equations");
    if (plain && !cls_.algorithms.empty()) refuse(cls_.algorithms[0].span, "an algorithm");
    bool function = cls_.kind == Kind::function || cls_.kind == Kind::operator_function;
    if (function && !cls_.equations.empty()) refuse(cls_.equations[0].span, "equations");
    if (function && cls_.algorithms.size() > 1) refuse(cls_.algorithms[1].span, "more than one algorithm");
  }

  const ast::Class& cls_;
  Diagnostics& d_;
};

/// Modelica specification, 7.1.3. `class` may be extended by all (icons are written so).
bool may_extend(Kind derived, Kind base) {
  if (derived == Kind::class_ || base == Kind::class_ || base == Kind::type || base == derived) return true;
  switch (derived) {
    case Kind::connector:
      return is_record(base);
    case Kind::block:
      return is_record(base);
    case Kind::model:
    case Kind::optimization:
      return is_record(base) || base == Kind::block || base == Kind::model;
    case Kind::record:
    case Kind::operator_record:
      return is_record(base);
    case Kind::function:
    case Kind::operator_function:
      return base == Kind::function || base == Kind::operator_function;
    case Kind::operator_:
      return base == Kind::package;
    case Kind::package:
    case Kind::type:
    case Kind::class_:
      return false;
  }
  return false;
}

}  // namespace

void check_text(const Definition& definition, Diagnostics& d) { TextCheck(*definition.ast, d).all(); }

void check_literals(const ast::Class& enumeration, Diagnostics& d) {
  static constexpr std::string_view attributes[] = {"fixed", "max", "min", "quantity", "start"};
  std::set<std::string_view> seen;
  for (const ast::EnumerationLiteral& literal : enumeration.literals) {
    bool attribute = std::find(std::begin(attributes), std::end(attributes), literal.name) != std::end(attributes);
    std::string named = "`" + std::string(literal.name) + "`";
    if (attribute) d.error(codes::not_in_this_kind, literal.span, {"enumeration", "a literal " + named});
    else if (!seen.insert(literal.name).second)
      d.error(codes::not_in_this_kind, literal.span, {"enumeration", "two literals " + named});
  }
}

bool check_base(const ast::Class& derived, const TypeChain& chain, Span at, Diagnostics& d) {
  std::string place = "the base of a " + std::string(syntax::spelling(derived.kind));
  for (const AliasStep& step : chain.steps) {
    if (step.dimensions.empty() && step.causality == ast::Causality::none) continue;
    d.error(codes::wrong_kind, at,
            {step.dimensions.empty() ? "class with the prefix input or output" : "class with dimensions", place},
            {{step.definition->ast->name_span, "declared here"}});
    return false;
  }
  if (may_extend(derived.kind, chain.kind)) return true;
  d.error(codes::wrong_kind, at, {syntax::spelling(chain.kind), place},
          {{chain.definition->ast->name_span, "declared here"}});
  return false;
}

}  // namespace bolza::instance
