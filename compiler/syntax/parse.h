// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "base/result.h"
#include "compiler/syntax/ast.h"
#include "compiler/syntax/print.h"

namespace bolza::syntax {

/// Parts of a text in the order in which they are read. What lies after `own_end` was put there by us: messages speak of
/// the end of what stands before it.
struct Arrangement {
  struct Part {
    std::uint32_t begin = 0, end = 0;
  };
  std::vector<Part> parts;
  std::uint32_t own_end = 0;
};

/// Parses one file of `sources`. The file refers to the text in `sources`, which must outlive it.
/// @param arrangement  what of the text is read, in which order; null: all as it stands
///
/// Errors  E1xx at the first mistake of syntax, and every further one that stands on its own; then there is no file.
///         W1xx for what is accepted although Modelica forbids it.
/// Cost    linear in the length of the text.
Result<std::unique_ptr<ast::StoredFile>> parse(SourceId source, const Sources& sources, Diagnostics& diagnostics,
                                               const Arrangement* arrangement = nullptr);

}  // namespace bolza::syntax
