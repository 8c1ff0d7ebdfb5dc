// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/instance/build_internal.h"

/// What the kind of a class allows it to contain and to extend [MLS, 4.6 and 7.1.3].
namespace bolza::instance {

inline bool is_record(ast::ClassKind kind) {
  return kind == ast::ClassKind::record || kind == ast::ClassKind::operator_record;
}

/// Elements and sections of one class text. Errors E206, E209, E220, E225.
void check_text(const Definition& definition, Diagnostics& diagnostics);
/// Literals of an enumeration. Errors E225.
void check_literals(const ast::Class& enumeration, Diagnostics& diagnostics);
/// Whether a class may extend another, reached by `chain`. Errors E224.
bool check_base(const ast::Class& derived, const TypeChain& chain, Span at, Diagnostics& diagnostics);

/// Whether a connector has as many flow as potential variables, and in a block only inputs and outputs. Its children and
/// sizes are there. Errors E250, E252, E259.
bool check_connector(InstanceTree& tree, const Instance& component, Diagnostics& diagnostics);

}  // namespace bolza::instance
