#pragma once
#include <unordered_map>

#include "compiler/flatten/lower_internal.h"
#include "compiler/flatten/model_internal.h"

namespace bolza::flatten {

/// Collects the slots and data of one group while its roots are lowered.
class GroupBuilder {
 public:
  GroupBuilder(Model& model, std::size_t n) : model_(model), n_(n) {}

  /// The slot with these variables (one per instance, or one for all); the same column gives the same slot.
  ir::ExprId slot(std::vector<std::uint32_t> ids);
  ir::ExprId datum(const Known& known);
  /// The group; `rows` has one entry per root and instance.
  ir::Group finish(std::vector<ir::ExprId> roots, std::vector<std::vector<ir::RowId>> rows, Span span, const Space& space,
                   const std::vector<std::pair<std::string, AxisId>>& iterators);
  /// For a space of one instance.
  ir::Term finish_term(ir::ExprId root, Span span) const;
  /// One term per instance; one for all when they are the same.
  ir::ElementValues finish_values(ir::ExprId root, Span span) const;
  const std::vector<std::vector<std::uint32_t>>& columns() const { return columns_; }
  std::size_t n() const { return n_; }

 private:
  Model& model_;
  std::size_t n_;
  std::vector<std::vector<std::uint32_t>> columns_;  ///< of one entry when all are equal
  std::unordered_multimap<std::uint64_t, std::uint32_t> by_hash_;
  std::vector<Known> data_;
};

/// What may stand in an expression.
enum class Place : std::uint8_t { equation, initial_equation, discrete, attribute, path, point, time_argument, algorithm };

/// A sum of many terms that gets rows of its own.
struct PendingSum {
  const Node* node = nullptr;
  std::vector<std::pair<AxisId, Scalar>> bindings;
  std::uint32_t auxiliary = 0;  ///< first of n auxiliary variables that equal the sum
};

/// Leaves of equations, constraints, attributes: slots of a group.
class EquationLeaves final : public Leaves {
 public:
  EquationLeaves(Model& model, GroupBuilder& builder, Place place) : model_(model), builder_(builder), place_(place) {}
  Scalar variable(Lowering& lowering, const Node& node, const Indices& indices) override;
  Scalar call(Lowering& lowering, const Node& node, const Indices& indices) override;
  ir::ExprId datum(const Known& known) override { return builder_.datum(known); }
  Scalar select(Lowering& lowering, const Node& node, const Indices& indices) override;
  Scalar long_sum(Lowering& lowering, const Node& node, const Indices& indices) override;
  Scalar element_at_run_time(Lowering& lowering, const Node& node, const Indices& indices) override;
  Leaves& structural() override;

  Place place() const { return place_; }
  std::vector<PendingSum>& sums() { return sums_; }

 private:
  Scalar slot_of(std::vector<std::uint32_t> ids) { return builder_.slot(std::move(ids)); }
  Scalar timed(Lowering& lowering, const Node& node, const Indices& indices);
  Scalar derivative(Lowering& lowering, const Node& node, const Indices& indices);
  Scalar flag(const Node& node);
  Scalar sample(Lowering& lowering, const Node& node);
  Scalar delayed(Lowering& lowering, const Node& node, const Indices& indices);
  std::optional<ir::ElementValues> own_term(Lowering& lowering, const Node& node, const Indices& indices);

  Model& model_;
  GroupBuilder& builder_;
  Place place_;
  std::vector<PendingSum> sums_;
};

/// Leaves of subscripts, sizes, ranges and conditions that are computed now: constants and parameters have their values.
class StructuralLeaves final : public Leaves {
 public:
  explicit StructuralLeaves(Model& model, Frame* frame = nullptr) : model_(model), frame_(frame) {}
  Scalar variable(Lowering& lowering, const Node& node, const Indices& indices) override;
  Scalar call(Lowering& lowering, const Node& node, const Indices& indices) override;
  ir::ExprId datum(const Known& known) override;
  Scalar select(Lowering& lowering, const Node& node, const Indices& indices) override;
  Scalar long_sum(Lowering& lowering, const Node& node, const Indices& indices) override;
  Scalar element_at_run_time(Lowering& lowering, const Node& node, const Indices& indices) override;
  Leaves& structural() override { return *this; }

 private:
  Model& model_;
  Frame* frame_;
};

/// Value of a constant or parameter for every instance.
Scalar known_value(Model& model, Lowering& lowering, const Node& node, const Indices& indices);
/// The ids of a place of a variable: one entry, or one per instance. Empty when it failed.
std::vector<std::uint32_t> ids_of(Model& model, Lowering& lowering, const Node& place, const Indices& indices);

/// Lowers one scalar in a place of its own: attributes, times, conditions of assertions.
std::optional<ir::ElementValues> lower_values(Model& model, Work& work, const Node& node, const Indices& indices,
                                              Place place);
std::optional<ir::Term> lower_term(Model& model, Work& work, const Node& node, Place place);

}  // namespace bolza::flatten
