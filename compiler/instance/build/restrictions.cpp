// SPDX-License-Identifier: Apache-2.0
#include "compiler/instance/build/restrictions_internal.h"

#include "compiler/instance/library/codes.h"
#include "compiler/instance/names/class_lookup_internal.h"
#include "compiler/syntax/print.h"

namespace bolza::instance {

using Kind = ast::ClassKind;

/// [MLS, 7.1.3]. `class` may be extended by all (icons are written so).
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

namespace {

/// An operator record in the text of a class, at any depth: its operators are looked up in its type, so a class around it is
/// not inherited. [MLS, 4.7].
const ast::Class* operator_record_in(const ast::Class& cls) {
  for (const ast::Element* element : cls.elements) {
    if (element->kind != ast::ElementKind::class_) continue;
    if (element->class_->kind == Kind::operator_record) return element->class_;
    if (const ast::Class* inner = operator_record_in(*element->class_)) return inner;
  }
  return nullptr;
}

}  // namespace

bool check_base(const ast::Class& derived, const TypeChain& chain, Span at, Diagnostics& d) {
  std::string place = "the base of a " + std::string(syntax::spelling(derived.kind));
  for (const AliasStep& step : chain.steps) {
    if (step.dimensions.empty() && step.causality == ast::Causality::none) continue;
    d.error(codes::wrong_kind, at,
            {step.dimensions.empty() ? "class with the prefix input or output" : "class with dimensions", place},
            {{step.definition->ast->name_span, "declared here"}});
    return false;
  }
  if (const ast::Class* record = operator_record_in(*chain.definition->ast)) {
    d.error(codes::wrong_kind, at, {"class around the operator record `" + std::string(record->name) + "`", place},
            {{record->name_span, "declared here"}});
    return false;
  }
  if (may_extend(derived.kind, chain.kind)) return true;
  d.error(codes::wrong_kind, at, {syntax::spelling(chain.kind), place},
          {{chain.definition->ast->name_span, "declared here"}});
  return false;
}

}  // namespace bolza::instance
