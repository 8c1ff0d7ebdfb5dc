// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

namespace bolza::sbml {

/// The identifier, quoted when Modelica gives it a meaning of its own.
std::string modelica_name(std::string_view id);
/// `'initial value of ID'`.
std::string initial_name(std::string_view name);

}  // namespace bolza::sbml
