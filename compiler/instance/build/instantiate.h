// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>

#include "compiler/instance/build/outputs.h"
#include "compiler/instance/instance.h"

namespace bolza::instance {

/// Makes the instance tree of a class.
///
/// @param name           "VDP_pack.VDP_Opt", looked up from the top
/// @param modifications  texts such as "k=2" or "a.b(start=3)", as if the class were extended with them
/// @param outputs        each becomes the point constraint that it is 0, in the source `--of`, which begins with their text
/// Errors  E2xx; every mistake in the tree that stands on its own is reported, then there is no tree.
/// Cost    linear in the number of declared components (arrays count once) and modifications.
Result<InstanceTree> instantiate(Library& library, std::string_view name, std::span<const std::string> modifications,
                                 Diagnostics& diagnostics, const Outputs& outputs = {});

/// A component in another one, which may be a nonuniform array; null when there is none.
const Instance* component_in(InstanceTree& tree, const Instance& parent, std::string_view name);
/// The elements of a nonuniform array, complete, row by row.
Result<std::span<const Instance* const>> elements_of(InstanceTree& tree, const Instance& array, Diagnostics& diagnostics);

/// Makes what is in a constant of a package and decides its sizes, if that has not been done; other instances are complete.
Result<Done> complete_constant(InstanceTree& tree, const Instance& constant, Diagnostics& diagnostics);

/// The instance of a function (children: inputs, outputs, locals; one algorithm or `external`), or of a record (children:
/// its fields, for constructor calls). Dimensions are evaluated where they do not depend on inputs. Made once per class.
/// @param enclosing  what `Resolved::enclosing` says; null for global classes
Result<const Instance*> instance_of(InstanceTree& tree, const Definition& definition, const Instance* enclosing,
                                    Span used_at, Diagnostics& diagnostics);

}  // namespace bolza::instance
