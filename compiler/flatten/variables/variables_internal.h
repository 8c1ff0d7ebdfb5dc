// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/flatten/model/model_internal.h"

namespace bolza::flatten {

/// One id after the other for every scalar and array that is a variable, in the order of declaration.
void lay_out_variables(Model& model);
/// Errors E383, E384 of constants, and those of their evaluation.
void check_constants(Model& model);
/// Attributes and bindings of what was laid out. Bindings of unknowns become equations.
void fill_variables(Model& model);

/// An attribute of every element, as far as it is known at compile time: where it is not, all are `otherwise`.
std::vector<double> known_attribute(Model& model, const Instance& instance, std::string_view name, double otherwise);

}  // namespace bolza::flatten
