// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <unordered_map>
#include <vector>

#include "compiler/ir/canonical.h"
#include "compiler/ir/group.h"

namespace bolza::passes {

using ir::ExprId;
using ir::RowId;
using ir::VariableId;

/// A shape with the variables and numbers of one instance. Passes work on instances one by one; what depends on the shape
/// alone is computed once per shape and looked up.
struct Applied {
  std::vector<ExprId> roots;
  std::vector<VariableId> slots;
  std::vector<double> data;

  ExprId root() const { return roots[0]; }
};

/// One instance of a group of a section.
struct GroupInstance {
  Applied applied;
  std::vector<RowId> rows;  ///< [roots]
  std::uint32_t origin = 0;
};

GroupInstance instance_of(const ir::Group& group, std::size_t i);
/// The same into an existing instance, without new memory when the shapes are alike.
void read_instance(const ir::Group& group, std::size_t i, GroupInstance& instance);
void for_each_instance(const ir::Section& section, const std::function<void(const GroupInstance&)>& visit);
std::size_t n_instances(const ir::Section& section);
/// All instances in the order of the groups.
std::vector<GroupInstance> instances_of(const ir::Section& section);

/// Collects instances into groups of equal shape, in the order of first occurrence. `merge` false: every instance alone.
class SectionBuilder {
 public:
  explicit SectionBuilder(bool merge = true) : merge_(merge) {}
  /// Instances of one shape with different keys make different groups.
  void add(const GroupInstance& instance, std::uint64_t key = 0);
  ir::Section finish(std::uint32_t n_rows);

 private:
  struct Collected {
    std::vector<ExprId> roots;
    std::vector<std::vector<VariableId>> slots;
    std::vector<ir::DataColumn> data;
    std::vector<std::vector<RowId>> rows;
    std::vector<std::uint32_t> origins;
  };
  std::size_t group_for(const GroupInstance& instance, std::uint64_t key);

  bool merge_;
  std::vector<Collected> groups_;
  std::size_t last_ = 0;  ///< the group of the last instance: most often that of the next
  std::uint64_t last_key_ = 0;
  std::map<std::pair<std::uint64_t, std::vector<ExprId>>, std::size_t> place_;
};

/// Puts expressions in the place of variables. The result is canonical (ir/canonical.h): equal shapes with equal
/// replacements give equal roots, so a rolled model stays rolled.
class Composer {
 public:
  explicit Composer(ir::Dag& dag) : dag_(dag) {}
  using Lookup = std::function<const Applied*(VariableId)>;

  /// @param replacement  what a variable stands for (first root), or null when it stays. Replacements are not searched
  /// again. Cost: the slots and data; the nodes of a shape only the first time that this combination is met.
  Applied compose(const Applied& what, const Lookup& replacement);
  /// The same for something canonical: unchanged when no slot has a replacement.
  Applied insert(const Applied& what, const Lookup& replacement) {
    return touches(what, replacement) ? compose(what, replacement) : what;
  }
  /// Canonical form alone: merges slots that name the same variable.
  Applied canonical(const Applied& what);
  /// Does any slot have a replacement?
  static bool touches(const Applied& what, const Lookup& replacement);
  ir::Dag& dag() { return dag_; }

 private:
  struct KeyHash {
    std::size_t operator()(const std::vector<std::uint32_t>& key) const;
  };
  const ir::CanonicalShape& shape_for(const Applied& what, const std::vector<const Applied*>& replaced,
                                      const std::vector<std::uint32_t>& representative);

  ir::Dag& dag_;
  std::unordered_map<std::vector<std::uint32_t>, ir::CanonicalShape, KeyHash> memo_;
};

}  // namespace bolza::passes
