// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/shapes/fuse_groups.h"

#include "compiler/ir/substitute.h"
#include "compiler/passes/shapes/operation_counts.h"

namespace bolza::passes {

namespace {

class Fusing {
 public:
  Fusing(ir::Expressions& expressions, const PassOptions& options)
      : dag_(expressions.dag),
        options_(options),
        counts_(expressions.dag) {}

  void add(const GroupInstance& instance) {
    std::uint32_t operations = counts_.of(instance.applied.roots);
    if (operations_ > 0 && operations_ + operations > options_.fuse_limit) close();
    operations_ += operations;
    std::vector<ExprId> slots, data;
    for (VariableId v : instance.applied.slots) slots.push_back(dag_.slot(slot_of(v)));
    for (double value : instance.applied.data) data.push_back(dag_.number(value));
    std::vector<ExprId> roots = ir::substitute(dag_, instance.applied.roots, {.slots = slots, .data = data});
    for (std::size_t r = 0; r < roots.size(); ++r) add_root(roots[r], instance.rows[r]);
    if (roots_.size() == roots.size()) origin_ = instance.origin;
  }

  void close() {
    if (roots_.empty()) return;
    ir::Group group;
    group.n = 1;
    for (VariableId v : slots_) group.slots.push_back(ir::Column::affine(v, 0));
    for (RowId row : rows_) group.rows.push_back({row});
    group.roots = std::move(roots_);
    group.origins = {origin_};
    groups.push_back(std::move(group));
    roots_.clear();
    rows_.clear();
    slots_.clear();
    numbers_.clear();
    row_places_.clear();
    operations_ = 0;
  }

  std::vector<ir::Group> groups;

 private:
  std::uint32_t slot_of(VariableId v) {
    auto [at, is_new] = numbers_.emplace(v, static_cast<std::uint32_t>(slots_.size()));
    if (is_new) slots_.push_back(v);
    return at->second;
  }

  void add_root(ExprId root, RowId row) {
    auto [at, is_new] = row_places_.emplace(row, roots_.size());
    if (!is_new) {
      roots_[at->second] = dag_.add(roots_[at->second], root);
      return;
    }
    roots_.push_back(root);
    rows_.push_back(row);
  }

  ir::Dag& dag_;
  const PassOptions& options_;
  OperationCounts counts_;
  std::vector<ExprId> roots_;
  std::vector<RowId> rows_;
  std::vector<VariableId> slots_;
  std::map<VariableId, std::uint32_t> numbers_;
  std::map<RowId, std::size_t> row_places_;
  std::uint32_t operations_ = 0, origin_ = 0;
};

}  // namespace

void fuse_groups(ir::Expressions& expressions, ir::Section& section, const PassOptions& options) {
  Fusing fusing(expressions, options);
  std::vector<ir::Group> rolled;
  for (ir::Group& group : section.groups) {
    if (group.n >= options.roll_from) rolled.push_back(std::move(group));
    else
      for (std::size_t i = 0; i < group.n; ++i) fusing.add(instance_of(group, i));
  }
  fusing.close();
  section.groups = std::move(fusing.groups);
  for (ir::Group& group : rolled) section.groups.push_back(std::move(group));
}

}  // namespace bolza::passes
