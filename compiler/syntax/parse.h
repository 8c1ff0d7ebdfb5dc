#pragma once
#include <memory>

#include "base/result.h"
#include "compiler/syntax/ast.h"
#include "compiler/syntax/print.h"

namespace bolza::syntax {

/// Parses one file of `sources`. The file refers to the text in `sources`, which must outlive it.
///
/// Errors  E1xx at the first mistake of syntax, and every further one that stands on its own; then there is no file.
///         W1xx for what is accepted although Modelica forbids it.
/// Cost    linear in the length of the text.
Result<std::unique_ptr<ast::StoredFile>> parse(SourceId source, const Sources& sources, Diagnostics& diagnostics);

}  // namespace bolza::syntax
