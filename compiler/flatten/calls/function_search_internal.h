// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <unordered_map>

#include "compiler/flatten/model/model_internal.h"
#include "compiler/flatten/nodes/node_internal.h"
#include "compiler/flatten/typing/typer_internal.h"

namespace bolza::flatten {

/// Something a function has when it has it itself or a function has it that it calls, however far down.
class FunctionSearch {
 public:
  struct Property {
    /// What the function itself says, whatever it calls; nothing: its calls decide.
    std::optional<bool> (*own)(const Instance& function);
    bool of_recursive = false;    ///< a function that calls itself has it
    bool in_expressions = true;   ///< calls in expressions count, not only those that stand as statements
    bool in_assertions = true;    ///< and those in the arguments of `assert`
    bool in_declarations = true;  ///< and those in what locals and outputs begin with
  };
  /// @param known  the answers so far; kept for all functions of the model
  FunctionSearch(Model& model, const Property& property, std::unordered_map<const Instance*, bool>& known)
      : model_(model),
        property_(property),
        known_(known) {}

  /// Cost: linear in the text of the functions that were not asked about before.
  bool has(const Instance& function);

 private:
  bool in_text(const Instance& function);
  bool in(ast::List<const ast::Statement*> statements, const Scope& scope);
  bool in(const ast::Statement& statement, const Scope& scope);
  bool in(const ast::Expr& expr, const Scope& scope);
  bool called(const ast::Reference& name, const Scope& scope);

  Model& model_;
  const Property& property_;
  std::unordered_map<const Instance*, bool>& known_;
  std::vector<const Instance*> seen_;
};

/// The function that a name stands for; null when it is none, or was reported.
const Instance* function_named(Typer& typer, const ast::Reference& name);

}  // namespace bolza::flatten
