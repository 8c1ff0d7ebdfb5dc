// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "compiler/flatten/model/fields_internal.h"
#include "compiler/flatten/model/model_internal.h"
#include "compiler/instance/lookup.h"

/// What the names in equations of domains mean.
namespace bolza::flatten {

/// How first derivatives along coordinates are taken [docs/pde.md].
enum class DifferenceScheme : std::uint8_t { automatic, central, upwind, limited };

/// A domain, as an equation names it.
struct NamedDomain {
  const Instance* domain = nullptr;
  const ast::Reference* name = nullptr;  ///< of the domain, in the scope of the equation; without the side
  std::optional<Side> side;
  std::array<std::int64_t, 2> points{1, 1};
  std::array<bool, 2> uniform{true, true};  ///< equal distances, whatever the values of parameters
  DifferenceScheme scheme = DifferenceScheme::automatic;
  std::size_t rank() const { return domain->domain_rank; }
  std::string side_name(Side side) const;
};

/// Errors  E502, E511.
Result<NamedDomain> named_domain(Model& model, const ast::Reference& name, const Scope& scope);

/// A field in an expression.
struct FieldMention {
  const Instance* field = nullptr;
  std::array<int, 2> order{0, 0};  ///< of derivatives along the coordinates
  bool in_time = false;            ///< in `der`
};

/// Finds fields by name. Names that mean nothing are passed over: whoever translates the expression reports them.
class FieldNames {
 public:
  /// @param iterators  names that loops around the expression give a meaning
  FieldNames(Model& model, const Scope& scope, std::vector<std::string_view> iterators = {})
      : model_(&model),
        scope_(scope),
        iterators_(std::move(iterators)) {}

  /// The field that a name is, null for others and for elements that it chooses itself.
  const Instance* field(const ast::Reference& name);
  const Instance* field(const ast::Expr& name) {
    return name.kind == ast::ExprKind::name ? field(*name.reference) : nullptr;
  }
  /// Which coordinate of the domain a name is.
  std::optional<std::size_t> coordinate(const ast::Reference& name, const Instance& domain);
  std::vector<FieldMention> mentions(const ast::Expr& expr, const Instance& domain);
  /// The coordinates of `pder(e, x, …)`, as far as they are some.
  std::vector<std::size_t> along(const ast::Expr& pder, const Instance& domain);
  std::optional<instance::Resolved> component(const ast::Reference& name);

 private:
  void mentions(const ast::Expr& expr, const Instance& domain, FieldMention inside, std::vector<FieldMention>& out);

  Model* model_;
  Scope scope_;
  std::vector<std::string_view> iterators_;
  std::unordered_map<const ast::Reference*, std::optional<instance::Resolved>> known_;
};

/// Whether it is a call of that operator.
bool calls(const ast::Expr& expr, std::string_view name);

}  // namespace bolza::flatten
