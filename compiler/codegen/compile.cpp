// SPDX-License-Identifier: Apache-2.0
#include "compiler/codegen/compile.h"

#include <mutex>

#include "base/expects.h"
#include "compiler/codegen/emit_internal.h"
#include "compiler/codegen/explain_internal.h"
#include "compiler/codegen/jit_library.h"
#include "compiler/codegen/kernels.h"
#include "compiler/codegen/problem_tables_internal.h"

namespace bolza::codegen {
namespace {

class Compilation final : public CompiledProblem {
 public:
  Compilation(ir::Problem problem, const Sources& sources, const KernelOptions& options)
      : tables_(std::move(problem), sources),
        open_jit_(options.open_jit),
        store_(host_machine(options.width), Cache(options.cache.value_or(Cache::default_directory())), open_jit_,
               options.calls == Calls::one ? options.small_code : 0),
        calls_(options.calls),
        tier_(options.expected_evaluations > hot ? Tier::optimised : Tier::quick) {
    tables_.abi().request = [](void* provider, bolza_function* function, bolza_kind kind) {
      return static_cast<Compilation*>(provider)->request(*function, kind) ? 0 : 1;
    };
    tables_.abi().provider = this;
  }

  const bolza_problem& problem() const override { return tables_.abi(); }
  bolza_problem& problem() override { return tables_.abi(); }

  bool update_values(const ir::Problem& problem) override {
    std::lock_guard lock(mutex_);
    return tables_.update_values(problem);
  }

  void set_shared(std::size_t k, double value) override {
    expects(k < tables_.problem().shared.size(), "a shared value is set that exists");
    std::lock_guard lock(mutex_);
    tables_.set_shared(k, value);
  }

  void optimise() override {
    std::lock_guard lock(mutex_);
    tier_ = Tier::optimised;
    for (const auto& function : tables_.functions())
      for (int kind = 0; kind < BOLZA_KINDS; ++kind)
        if (function->compiled(static_cast<bolza_kind>(kind)))
          function->compile(store_, static_cast<bolza_kind>(kind), tier_, calls_);
  }

  NonfiniteExplanation explain_nonfinite(const bolza_function& function, std::span<const double> point,
                                         std::span<const double> shared) override {
    std::lock_guard lock(mutex_);
    FunctionTables* tables = tables_.find(&function);
    expects(tables != nullptr, "a function of this problem is explained");
    NonfiniteExplanation explanation = codegen::explain_nonfinite(tables_, *tables, point, shared);
    if (explanation.found && function.rows) explanation.source = function.rows[explanation.row].source;
    return explanation;
  }

  std::string emit(ModuleForm form, std::span<const bolza_kind> kinds, bool single) override {
    std::lock_guard lock(mutex_);
    return open_jit_().emit(tables_, store_.machine(), form, kinds, single);
  }

  std::string emitted_symbol() const override { return codegen::emitted_symbol(tables_.abi()); }

  CompileStatistics statistics() const override { return store_.statistics(); }

 private:
  bool request(bolza_function& function, bolza_kind kind) {
    std::lock_guard lock(mutex_);
    if (kind < 0 || kind >= BOLZA_KINDS) return false;
    if (function.kernels[kind]) return true;
    FunctionTables* tables = tables_.find(&function);
    return tables && tables->compile(store_, kind, tier_, calls_);
  }

  std::mutex mutex_;
  ProblemTables tables_;
  OpenJit open_jit_;
  KernelStore store_;
  Calls calls_;
  Tier tier_;
};

}  // namespace

std::unique_ptr<CompiledProblem> compile(ir::Problem problem, const Sources& sources, const KernelOptions& options) {
  return std::make_unique<Compilation>(std::move(problem), sources, options);
}

}  // namespace bolza::codegen
