// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <tuple>

#include "compiler/passes/interior/fixed_branches.h"

namespace bolza::passes {

/// The relations of a model that may change sides while it runs, and what everything is where they stay on one.
class ModeBranches final : public Branches {
 public:
  /// What keeps a relation on its side in one piece: positive times the side.
  struct Guard {
    Applied indicator;
  };

  /// @param system    the literal model; its discrete variables are definitions that have been inserted
  /// @param sequence  may have no sides yet
  ModeBranches(System& system, const ir::ModeSequence& sequence);

  const std::vector<ir::ModeRelation>& relations() const { return relations_; }
  Applied in_piece(const Applied& what, std::size_t piece) override;
  /// Tells it of what the sections do not have: its relations are known then, too.
  void add(const GroupInstance& what);
  /// Those in an expression, each once.
  std::vector<std::uint32_t> relations_in(const Applied& what);
  struct Decided {
    std::size_t relation = 0;
    bool rises = true;  ///< its difference is the relation's indicator, else the opposite
  };
  /// Which relation a node is, null: none.
  const Decided* decided_by(ExprId e, const Applied& what);
  /// By piece and relation: those that decided on something in the pieces asked for until now.
  const std::map<std::pair<std::size_t, std::size_t>, Guard>& guards() const { return guards_; }

 private:
  using Key = std::tuple<std::vector<ExprId>, std::vector<VariableId>, std::vector<std::uint64_t>>;

  void collect(const ir::Section& section);
  std::string text_of(ExprId e, const GroupInstance& i);
  std::vector<ExprId> deciding(std::span<const ExprId> roots) const;
  bool moves(ExprId e, std::span<const VariableId> slots) const;
  Applied indicator_of(ExprId e, const Applied& what, bool rises);
  const Decided* find(ExprId e, const Applied& what);
  ExprId fold(ExprId e, const Applied& what, std::size_t piece, std::map<ExprId, ExprId>& made);

  System& system_;
  ir::Dag& dag_;
  Composer composer_;
  const ir::ModeSequence& sequence_;
  std::vector<ir::ModeRelation> relations_;
  std::map<Key, Decided> known_;
  std::map<std::pair<std::size_t, std::size_t>, Guard> guards_;
};

}  // namespace bolza::passes
