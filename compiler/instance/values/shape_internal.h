// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>

#include "compiler/instance/values/evaluator_internal.h"

namespace bolza::instance {

using Shape = std::vector<std::int64_t>;

/// Finds the dimensions of expressions.
class Shaper {
 public:
  using Names = std::span<const std::string_view>;

  /// @param frame  of the function that the expressions stand in; null outside of functions
  Shaper(InstanceTree& tree, const Scope& scope, Diagnostics& d, const EvaluationContext& context, Frame* frame = nullptr)
      : tree_(tree),
        scope_(scope),
        d_(d),
        context_(context),
        frame_(frame) {}

  Result<Shape> shape(const ast::Expr& expr);
  /// Of a field of a record that the expression gives (or of one of a record in it, …), with the record's own in front.
  Result<Shape> shape(const ast::Expr& expr, Names names);

 private:
  Result<Value> value(const ast::Expr& expr);
  Result<Shape> name(const ast::Reference& reference);
  Result<Shape> along(const Resolved& resolved);
  Result<Led> elements_in(const Resolved& resolved);
  Result<Shape> part(const Shape& dimensions, ast::List<ast::Subscript> subscripts);
  Result<Shape> product(const ast::Expr& expr);
  Result<Shape> first_array(std::span<const ast::Expr* const> operands);
  Result<Shape> matrix(const ast::Expr& expr);
  Result<Shape> loop(const ast::Expr& body, ast::List<ast::Iterator> iterators, const ast::Expr& whole);
  Result<Shape> call(const ast::Expr& expr);
  Result<Shape> builtin(std::string_view name, const ast::Expr& expr);
  Result<Shape> sizes(const ast::Expr& expr, std::size_t first);
  Result<Shape> concatenated(const ast::Expr& expr);
  Result<Shape> by_value(const ast::Expr& expr, Names names = {});

  // shape_of_call.cpp
  Result<Shape> output_of(const Instance& function, const ast::Expr& expr, Names names = {});
  bool pass(const Instance& input, const ast::Expr& argument, Evaluator& caller, Frame& callee, Shape& in_front);
  Result<Shape> declared(const Instance& output, Names names, Frame& callee, const ast::Expr& call);
  Result<Shape> sizes_in(const Instance& part, Frame& frame, const ast::Expr& call);
  Result<Shape> local(const Resolved& resolved, const ast::Reference& reference, Names names);
  Result<Shape> field_of_name(const ast::Expr& expr, Names names);
  Result<Shape> field_of_call(const ast::Expr& expr, Names names);
  Result<Value> argument_of_shape(const ast::Expr& expr, const Instance& input);

  InstanceTree& tree_;
  Scope scope_;
  Diagnostics& d_;
  const EvaluationContext& context_;
  Frame* frame_ = nullptr;
};

}  // namespace bolza::instance
