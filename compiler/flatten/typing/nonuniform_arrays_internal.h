// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "compiler/flatten/model/model_internal.h"
#include "compiler/flatten/nodes/node_internal.h"
#include "compiler/instance/lookup.h"

namespace bolza::flatten {

/// Whether a path goes through a nonuniform array, and where first.
std::optional<std::size_t> first_nonuniform(const instance::Resolved& resolved);
/// Paths through elements of nonuniform arrays, as many as the array of these sizes that subscripts choose has elements.
struct Ways {
  std::vector<instance::Resolved> all;  ///< row-major
  std::vector<std::int64_t> dims;       ///< empty where all subscripts are scalars
};
/// The components that a name may mean: those of all elements of nonuniform arrays, or of the one that literals choose.
std::vector<const Instance*> meant_by(Model& model, const instance::Resolved& resolved);

}  // namespace bolza::flatten
