#pragma once
#include "compiler/flatten/function_internal.h"
#include "compiler/flatten/type_internal.h"

namespace bolza::flatten {

/// Writes the body of a specialised function as a Program. False when it failed (with a message, or with `frame.asked`).
bool write_program(Model& model, Frame& frame);

/// The Program under construction: locals, arrays, and the block that statements go to.
class ProgramWriter {
 public:
  ProgramWriter(Model& model, const Instance* function);

  struct Storage {
    bool is_array = false;
    std::uint32_t id = 0;
    std::vector<std::int64_t> dims;
  };
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
  /// A literal array, filled once at the beginning.
  std::uint32_t literal_array(const Node& table);

  /// What an attempt may change; to be put back when a loop has to be written out instead.
  struct Snapshot {
    ir::Program program;
    std::vector<ir::Statement> prologue;
    std::map<const Node*, std::uint32_t> literals;
    std::uint32_t block = 0;
  };
  Snapshot save() const { return {program, prologue, literals_, block_}; }
  void restore(Snapshot snapshot);
  /// A new statement: calls made for the one before do not hold any more. `bindings` are those of the loops around it.
  void begin_statement(std::size_t bindings) { call_outputs.clear(), loop_bindings = bindings; }

  Model& model;
  ir::Program program;
  std::optional<std::uint32_t> time_local;  ///< of an algorithm section that reads time
  std::vector<ir::Statement> prologue;
  std::map<const Call*, std::vector<ir::ExprId>> call_outputs;  ///< of the statement being written
  std::size_t loop_bindings = 0;                                ///< number of axes bound by loops around the statement

 private:
  std::map<const Instance*, Storage> storage_;
  std::map<const Node*, std::uint32_t> literals_;
  std::uint32_t block_ = 0;
};

/// Leaves in the body of a function: locals, elements of local arrays, calls as statements.
class FunctionLeaves final : public Leaves {
 public:
  FunctionLeaves(Model& model, ProgramWriter& writer) : model_(model), writer_(writer) {}
  Scalar variable(Lowering& lowering, const Node& node, const Indices& indices) override;
  Scalar call(Lowering& lowering, const Node& node, const Indices& indices) override;
  ir::ExprId datum(const Known& known) override;
  Scalar select(Lowering& lowering, const Node& node, const Indices& indices) override;
  Scalar long_sum(Lowering& lowering, const Node& node, const Indices& indices) override;
  Scalar element_at_run_time(Lowering& lowering, const Node& node, const Indices& indices) override;
  Leaves& structural() override { return *this; }

 private:
  Model& model_;
  ProgramWriter& writer_;
};

ir::ScalarType scalar_type_of(Basic basic);

}  // namespace bolza::flatten
