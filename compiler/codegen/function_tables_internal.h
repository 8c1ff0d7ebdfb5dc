// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "compiler/codegen/assign_internal.h"
#include "compiler/codegen/derivatives_internal.h"
#include "compiler/codegen/kernels.h"
#include "compiler/codegen/prepare_internal.h"
#include "runtime/abi/bolza.h"

namespace bolza::codegen {

/// When a function's patterns are made: with the function, those of first derivatives with it, or each with the first kind
/// that needs it.
enum class Patterns : std::uint8_t { at_once, first_at_once, on_demand };

/// One function in the ABI's form; the tables and kernels of a kind are made when asked for. Addresses stay valid.
class FunctionTables {
 public:
  /// @param n_global  entries of shared by which we differentiate
  /// @param batch     the function is evaluated at many points; else its kernels are scalar code
  FunctionTables(ir::Expressions& expressions, DerivativeTable& derivatives, const ir::Function& function, std::string name,
                 std::uint32_t n_global, bool batch, Patterns patterns);

  bolza_function& abi() { return abi_; }
  const std::vector<PreparedGroup>& groups() const { return groups_; }
  std::uint32_t n_global() const { return n_global_; }

  /// What each group computes for a kind.
  const std::vector<GroupOutputs>& outputs(bolza_kind kind);
  /// Compiles a kind, or compiles it again at a higher tier; fills abi().kernels[kind]. False: not a kind of a function.
  bool compile(KernelStore& store, bolza_kind kind, Tier tier, Calls calls);
  /// The shapes of a kind's groups, in order.
  std::vector<KernelShape> shapes(bolza_kind kind);
  /// The tables of a kind; their kernels are null unless compiled. `width`: lanes of the machine.
  const bolza_kernels& tables(bolza_kind kind, std::uint32_t width);
  bool batch() const { return batch_; }
  /// Takes the numbers of the same function's groups; everything else is as it was.
  void update_data(const ir::Function& function);
  bool compiled(bolza_kind kind) const { return kinds_[kind] && kinds_[kind]->ready; }

 private:
  struct GroupTables {
    std::vector<std::int32_t> index, out_index, weight_index;
    std::vector<double> datum;
  };
  struct Kind {
    std::vector<GroupOutputs> outputs;
    Assignment assignment;
    std::vector<GroupTables> tables;
    std::vector<bolza_group> groups;
    bolza_kernels kernels{};
    bool filled = false;  ///< tables and groups
    bool ready = false;   ///< kernels
  };
  /// Derivatives up to an order and their patterns.
  void differentiate(int order);
  void make_jacobian_pattern();
  void make_hessian_pattern();
  void make_gradient_pattern();
  void verify_patterns() const;
  Kind& kind(bolza_kind kind);
  std::size_t n_out(bolza_kind kind) const;
  GroupOutputs value_outputs(std::size_t group) const;
  GroupOutputs jacobian_outputs(std::size_t group) const;
  GroupOutputs hessian_outputs(std::size_t group) const;
  GroupOutputs gradient_outputs(std::size_t group, std::int32_t offset) const;
  GroupOutputs group_outputs(std::size_t group, bolza_kind kind);
  GroupTables group_tables(const PreparedGroup& group, const GroupOutputs& outputs, bolza_kind kind) const;
  KernelShape shape(std::size_t group, bolza_kind kind);
  KernelShape at_one_point(KernelShape shape, std::size_t group, bolza_kind kind) const;
  void fill_groups(Kind& made, bolza_kind kind, std::uint32_t width);

  ir::Expressions& expressions_;
  DerivativeTable& derivatives_;
  std::string name_;
  std::uint32_t n_global_;
  bool batch_;
  std::vector<PreparedGroup> groups_;
  int order_ = 0;                                           ///< of the derivatives that are there
  std::vector<const ShapeDerivatives*> shape_derivatives_;  ///< [groups]
  /// [groups][entries of the shape][instances] → entry of the function.
  std::vector<std::vector<std::vector<std::int32_t>>> jacobian_entry_, hessian_entry_, gradient_entry_;
  std::vector<std::int32_t> jac_row_, jac_col_, hess_row_, hess_col_, grad_col_;
  std::vector<std::uint8_t> jac_constant_;
  bolza_function abi_{};
  std::array<std::unique_ptr<Kind>, BOLZA_KINDS> kinds_;
};

}  // namespace bolza::codegen
