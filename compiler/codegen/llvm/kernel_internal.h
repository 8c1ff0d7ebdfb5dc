// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>

#include "compiler/codegen/llvm/body_internal.h"

namespace bolza::codegen {

/// Writes one kernel: loops over instances and blocks of points around the parts of its body.
class KernelLowering {
 public:
  KernelLowering(ModuleBuilder& module, const KernelShape& shape, std::string name);
  void lower();

 private:
  /// What the loops run over: the body, or, before it, only the Programs whose tape might not fit ("dry"): a kernel that
  /// adds to out must not give up half way.
  struct Sweep {
    Schedule schedule;
    Frame frame;
    bool dry = false;
  };
  using LoopBody = std::function<void(llvm::Value* index)>;

  llvm::Value* field(std::size_t offset, llvm::Type* type);
  void read_call();
  void place_frame();
  void loop(llvm::Value* begin, llvm::Value* end, std::uint64_t step, const char* name, const LoopBody& body);
  void for_each(std::uint32_t begin, std::uint32_t end, const LoopBody& body);
  void lower_sweep(const Sweep& sweep);
  void lower_across(const Sweep& sweep);
  void gather(const Sweep& sweep, llvm::Value* first);
  void scatter(const Sweep& sweep, llvm::Value* first);
  llvm::Value* lane(llvm::Value* first, std::uint32_t k);
  void set_up_instance(const Sweep& sweep, llvm::Value* instance);
  void set_up_slots(const Sweep& sweep, llvm::Value* instance);
  void set_up_rows(std::uint32_t rows, std::uint32_t n, llvm::Value* base, llvm::Value* index, llvm::Value* instance);
  llvm::Value* table_entry(llvm::Value* index, llvm::Value* row, llvm::Value* instance);
  void store_row(std::uint32_t rows, llvm::Value* k, llvm::Value* base, llvm::Value* row);
  void lower_parts(const Sweep& sweep, std::uint32_t begin, std::uint32_t end, llvm::Value* point);
  void lower_block(const Sweep& sweep, llvm::Value* point);
  void add_check(const Sweep& sweep, llvm::Value* point);
  void call_part(const Sweep& sweep, std::uint32_t part, llvm::Value* point);
  void return_status(const Sweep& sweep);
  llvm::Value* frame_at(std::uint32_t offset);
  llvm::Value* status_has(int bits);
  bool needs_dry_sweep() const;

  ModuleBuilder& module_;
  const KernelShape& shape_;
  std::string name_;
  std::uint32_t width_;
  llvm::IRBuilder<> b_;
  llvm::Function* function_ = nullptr;
  std::vector<Sweep> sweeps_;
  llvm::Value *n_ = nullptr, *ld_ = nullptr, *point_ = nullptr, *shared_ = nullptr, *datum_ = nullptr, *index_ = nullptr,
              *instances_ = nullptr, *first_ = nullptr, *last_ = nullptr, *weight_ = nullptr, *weight_index_ = nullptr,
              *direction_ = nullptr, *out_ = nullptr, *out_index_ = nullptr, *scratch_ = nullptr, *scratch_size_ = nullptr,
              *frame_ = nullptr;
};

}  // namespace bolza::codegen
