// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/ir/program.h"

namespace bolza::derive {

/// The same Program without exit_loop and exit_program: flags record an exit, what follows it runs only if no flag is set,
/// and loops that can be left become while-loops that ask the flags. Same values for the same arguments.
ir::Program without_exits(ir::Expressions& expressions, const ir::Program& program);

/// `for target in from:step:to` as statements ending in a while-loop over `body` with the condition `go_on` added (absent:
/// none). New locals are added to `program`; the statements that set the target go in front of `body`.
std::vector<ir::Statement> as_while(ir::Expressions& expressions, ir::Program& program, const ir::Statement& loop,
                                    std::vector<ir::Statement> body, ir::ExprId go_on);

/// Small constructors of statements.
ir::Statement assign(std::uint32_t target, ir::ExprId value, Span span);
ir::Statement branch(ir::ExprId condition, ir::BlockId body, ir::BlockId otherwise, Span span);
std::uint32_t add_local(ir::Program& program, std::string name, ir::ScalarType type);
ir::BlockId add_block(ir::Program& program, std::vector<ir::Statement> statements);

}  // namespace bolza::derive
