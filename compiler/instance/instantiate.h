#pragma once
#include <span>

#include "compiler/instance/instance.h"

namespace bolza::instance {

/// Makes the instance tree of a class.
///
/// @param name           "VDP_pack.VDP_Opt", looked up from the top
/// @param modifications  texts such as "k=2" or "a.b(start=3)", as if the class were extended with them
/// @param outputs        expressions of point values such as "x(2.5) + k": each becomes the point constraint that it is 0,
///                       in the source `--of`, the k-th (from 1) in line k + 2
/// Errors  E2xx; every mistake in the tree that stands on its own is told, then there is no tree.
/// Cost    linear in the number of declared components (arrays count once) and modifications.
Result<InstanceTree> instantiate(Library& library, std::string_view name, std::span<const std::string> modifications,
                                 Diagnostics& diagnostics, std::span<const std::string> outputs = {});

/// The instance of a function (children: inputs, outputs, locals; one algorithm or `external`), or of a record (children:
/// its fields, for constructor calls). Dimensions are evaluated where they do not depend on inputs. Made once per class.
/// @param enclosing  what `Resolved::enclosing` says; null for global classes
Result<const Instance*> instance_of(InstanceTree& tree, const Definition& definition, const Instance* enclosing,
                                    Span used_at, Diagnostics& diagnostics);

}  // namespace bolza::instance
