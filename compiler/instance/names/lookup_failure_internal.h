// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/instance/lookup.h"

/// What to say when a name is not found: the nearest names, the base class that is missing, the library that is not there.
namespace bolza::instance {

Reported unknown_first(InstanceTree& tree, const Scope& scope, const ast::Reference& reference, Diagnostics& diagnostics);
Reported unknown_type(InstanceTree& tree, const Scope& scope, const ast::Reference& name, Diagnostics& diagnostics);
Reported unknown_member(InstanceTree& tree, const Definition& definition, const ast::NamePart& part,
                        Diagnostics& diagnostics);
Reported unknown_child(InstanceTree& tree, const Instance& component, const ast::NamePart& part, Diagnostics& diagnostics);
Reported unknown_literal(const Definition& enumeration, const ast::NamePart& part, Diagnostics& diagnostics);
Reported unknown_in(const std::string& place, const ast::NamePart& part, std::vector<std::string> candidates,
                    Diagnostics& diagnostics);
/// Repeats why a component could not be made.
Reported report_broken(InstanceTree& tree, const Instance& component, Diagnostics& diagnostics);

}  // namespace bolza::instance
