// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "compiler/instance/instance.h"
#include "compiler/instance/library/library.h"

namespace bolza::instance {

namespace {

bool has_attribute(const ast::Modification* attributes, std::string_view name) {
  return find_argument(attributes, name) != nullptr;
}

bool states_a_problem(const ast::Class& cls) {
  if (cls.kind == ast::ClassKind::optimization) return true;
  if (has_attribute(cls.attributes, "objective") || has_attribute(cls.attributes, "objectiveIntegrand")) return true;
  for (const ast::Element* element : cls.elements) {
    if (element->kind == ast::ElementKind::objective) return true;
    if (element->kind != ast::ElementKind::component) continue;
    const ast::Modification* annotation = element->component->comment.annotation;
    if (find_argument(annotation, "isMayer") || find_argument(annotation, "isLagrange")) return true;
  }
  return false;
}

bool is_model(const ast::Class& cls) {
  if (cls.kind == ast::ClassKind::optimization) return true;
  if (cls.kind != ast::ClassKind::model && cls.kind != ast::ClassKind::block && cls.kind != ast::ClassKind::class_)
    return false;
  if (cls.form != ast::ClassForm::composition) return true;
  if (!cls.equations.empty() || !cls.algorithms.empty()) return true;
  return std::any_of(cls.elements.begin(), cls.elements.end(), [](const ast::Element* e) {
    return e->kind == ast::ElementKind::component || e->kind == ast::ElementKind::extends;
  });
}

template <class Wanted>
bool gather_classes(Library& library, const Definition& at, Wanted wanted, std::vector<const Definition*>& out,
                    Diagnostics& d) {
  if (!at.ast->partial && wanted(*at.ast)) out.push_back(&at);
  bool good = true;
  for (const std::string& name : library.member_names(at)) {
    auto member = library.member(at, name, d);
    if (!member) good = false;
    else if (*member) good = gather_classes(library, **member, wanted, out, d) && good;
  }
  return good;
}

template <class Wanted>
Result<std::vector<const Definition*>> survey(Library& library, const std::vector<const Definition*>& given, Wanted wanted,
                                              Diagnostics& d) {
  std::vector<const Definition*> out;
  bool good = true;
  for (const Definition* definition : given) good = gather_classes(library, *definition, wanted, out, d) && good;
  if (!good) return d.already_reported();
  return out;
}

}  // namespace

Result<std::vector<const Definition*>> optimization_classes(Library& library, std::vector<const Definition*> given,
                                                            Diagnostics& d) {
  return survey(library, given, states_a_problem, d);
}

Result<std::vector<const Definition*>> model_classes(Library& library, std::vector<const Definition*> given,
                                                     Diagnostics& d) {
  return survey(library, given, is_model, d);
}

}  // namespace bolza::instance
