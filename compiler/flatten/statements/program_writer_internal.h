// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/flatten/model/model_internal.h"
#include "compiler/flatten/nodes/node_internal.h"
#include "compiler/flatten/statements/algorithm_section_internal.h"

namespace bolza::flatten {

/// The Program under construction: locals, arrays, and the block that statements go to.
class ProgramWriter {
 public:
  ProgramWriter(Model& model, const Instance* function);

  struct Storage {
    bool is_array = false;
    std::uint32_t id = 0;
    std::vector<std::int64_t> dims;
  };
  /// A scalar that is computed outside an algorithm section.
  ir::ExprId outside(const Node& node);
  /// Makes events where a relation of discrete variables that an algorithm section assigns changes.
  void watch(const Node& relation);
  /// The values of a variable before the event: an input of an algorithm section.
  const AlgorithmSection::Input& before(const Instance& leaf);
  const Storage& storage_of(const Instance& leaf) const { return storage_.at(&leaf); }
  bool has(const Instance& leaf) const { return storage_.contains(&leaf); }
  std::uint32_t new_local(std::string name, ir::ScalarType type = ir::ScalarType::real);
  std::uint32_t new_array(std::string name, std::size_t size, ir::ScalarType type = ir::ScalarType::real);
  void declare(const Instance& leaf, std::vector<std::int64_t> dims);

  void push(ir::Statement statement) { program.blocks[block_].push_back(std::move(statement)); }
  void assign(std::uint32_t local, ir::ExprId value, Span span);
  void store(std::uint32_t array, ir::ExprId index, ir::ExprId value, Span span);
  ir::ExprId load(std::uint32_t array, ir::ExprId index, Span span);  ///< into a fresh local
  std::uint32_t new_block();
  std::uint32_t enter(std::uint32_t block) { return std::exchange(block_, block); }  ///< gives the block before
  std::uint32_t block() const { return block_; }
  bool empty(std::uint32_t block) const { return program.blocks[block].empty(); }
  /// for local = from, from + step, … to: `body` writes into the loop's block.
  void loop(std::uint32_t local, ir::ExprId from, ir::ExprId step, ir::ExprId to, Span span,
            const std::function<void()>& body);
  /// A literal array: data, not statements.
  std::uint32_t literal_array(const Node& table);

  /// An interpreted call of an algorithm section: its number becomes another one each time it is reached, and its time is
  /// that only where all branches around it are taken. (They may become selections, which evaluate what is not selected.)
  void tell_apart(ir::Statement& call);
  /// Begins a part that is written into a block of its own and run where the condition holds; `leave`, in the block around
  /// it, before the branch itself.
  void reach(ir::ExprId condition) { reached_.push_back({condition, {}}); }
  void leave(Span span);

  /// What an attempt may change; to be put back when a loop has to be written out instead.
  struct Snapshot {
    ir::Program program;
    std::optional<AlgorithmSection> section;
    std::vector<ir::Statement> prologue;
    std::map<const Node*, std::uint32_t> literals;
    std::uint32_t block = 0;
  };
  Snapshot save() const { return {program, section, prologue, literals_, block_}; }
  void restore(Snapshot snapshot);
  /// A new statement: calls made for the one before do not hold any more. `bindings` are those of the loops around it.
  void begin_statement(std::size_t bindings) {
    call_outputs.clear();
    loop_bindings = bindings;
  }

  Model& model;
  ir::Program program;
  std::optional<std::uint32_t> time_local;  ///< of an algorithm section that reads time
  std::optional<std::uint32_t> holds;       ///< of a function without outputs: whether its assertions hold so far
  std::optional<AlgorithmSection> section;
  bool can_write_out = true;  ///< the loops around, if any, are over few values known now
  std::vector<ir::Statement> prologue;
  std::map<const Call*, std::vector<ir::ExprId>> call_outputs;  ///< of the statement being written
  std::size_t loop_bindings = 0;                                ///< number of axes bound by loops around the statement

 private:
  std::map<const Instance*, Storage> storage_;
  std::map<const Node*, std::uint32_t> literals_;
  std::optional<std::uint32_t> count_of_calls_;
  struct Branch {
    ir::ExprId condition;
    std::optional<std::uint32_t> local;  ///< what the condition was, once a call needs that
  };
  std::vector<Branch> reached_;  ///< around the present block
  std::uint32_t block_ = 0;
};

ir::ScalarType scalar_type_of(Basic basic);

}  // namespace bolza::flatten
