// SPDX-License-Identifier: Apache-2.0
#include "compiler/codegen/llvm/constant_tables_internal.h"

#include <unordered_map>

#include "base/expects.h"

namespace bolza::codegen {
namespace {

using llvm::Constant;

/// Writes the C structs of runtime/abi/bolza.h, field by field in their order there; sizes are checked against the
/// compiler's.
class TableWriter {
 public:
  TableWriter(ModuleBuilder& module, const KernelNames& kernels) : module_(module), kernels_(kernels), b_(module.context) {}

  Constant* problem(const bolza_problem& p) {
    std::vector<Constant*> models;
    for (std::size_t k = 0; k < p.n_models; ++k) models.push_back(variable_data(model(*p.models[k]), sizeof(bolza_model)));
    Constant* phases = array<bolza_phase>(p.phases, p.n_phases, [&](const bolza_phase& phase) {
      const bolza_model& m = *p.models[phase.model];
      return record({text(phase.name), size(phase.model), reals(phase.shared_values, m.n_shared),
                     integers(phase.parameter, m.n_global)});
    });
    Constant* places = array<bolza_place>(p.places, p.n_places, [&](const bolza_place& place) {
      return record({integer(place.phase), real(place.on_start), real(place.on_final), real(place.offset)});
    });
    Constant* values = array<bolza_value_at>(p.values, p.n_values, [&](const bolza_value_at& value) {
      return record({integer(value.quantity), integer(value.place), integer(value.index)});
    });
    Constant* nothing = null();
    std::size_t n_data = p.point ? p.point->n_shared - p.n_parameters : 0;
    return constant_data(record({integer(static_cast<std::int32_t>(p.version)),
                                 text(p.name),
                                 size(p.n_models),
                                 size(p.n_phases),
                                 size(p.n_parameters),
                                 size(p.n_places),
                                 size(p.n_values),
                                 pointers(models),
                                 phases,
                                 variables(p.parameters, p.n_parameters),
                                 places,
                                 values,
                                 function(p.point),
                                 reals(p.point_data, n_data),
                                 size(p.n_k),
                                 size(p.n_r),
                                 flag(p.least_squares),
                                 flag(p.maximize),
                                 flag(p.is_static),
                                 flag(p.is_optimization),
                                 nothing,
                                 nothing}),
                         sizeof(bolza_problem));
  }

 private:
  Constant* null() { return llvm::ConstantPointerNull::get(b_.getPtrTy()); }
  Constant* size(std::size_t v) { return b_.getInt64(v); }
  Constant* integer(std::int32_t v) { return b_.getInt32(static_cast<std::uint32_t>(v)); }
  Constant* flag(std::uint8_t v) { return b_.getInt8(v); }
  Constant* real(double v) { return llvm::ConstantFP::get(b_.getDoubleTy(), v); }
  Constant* record(std::vector<Constant*> fields) { return llvm::ConstantStruct::getAnon(module_.context, fields); }

  llvm::GlobalVariable* data(Constant* content, bool constant) {
    auto* global =
        new llvm::GlobalVariable(*module_.module, content->getType(), constant, llvm::GlobalValue::PrivateLinkage, content);
    global->setAlignment(llvm::Align(16));
    return global;
  }
  Constant* constant_data(Constant* content, std::size_t c_size) {
    check_size(content->getType(), c_size);
    return data(content, true);
  }
  Constant* variable_data(Constant* content, std::size_t c_size) {
    check_size(content->getType(), c_size);
    return data(content, false);
  }
  void check_size(llvm::Type* type, std::size_t c_size) {
    expects(module_.module->getDataLayout().getTypeAllocSize(type) == c_size,
            "an emitted table has the layout of its C struct");
  }

  Constant* text(const char* content) {
    if (!content) return null();
    Constant*& known = texts_[content];
    if (!known) known = data(llvm::ConstantDataArray::getString(module_.context, content), true);
    return known;
  }
  template <class T>
  Constant* plain(const T* from, std::size_t n) {
    if (!from || n == 0) return null();
    return data(llvm::ConstantDataArray::get(module_.context, llvm::ArrayRef<T>(from, n)), true);
  }
  Constant* reals(const double* from, std::size_t n) { return plain(from, n); }
  Constant* integers(const std::int32_t* from, std::size_t n) {
    return plain(reinterpret_cast<const std::uint32_t*>(from), n);
  }
  Constant* bytes(const std::uint8_t* from, std::size_t n) { return plain(from, n); }
  Constant* pointers(const std::vector<Constant*>& to) {
    return data(llvm::ConstantArray::get(llvm::ArrayType::get(b_.getPtrTy(), to.size()), to), true);
  }
  template <class T, class Write>
  Constant* array(const T* from, std::size_t n, Write write) {
    if (!from || n == 0) return null();
    std::vector<Constant*> rows;
    for (std::size_t k = 0; k < n; ++k) rows.push_back(write(from[k]));
    check_size(rows[0]->getType(), sizeof(T));
    return data(llvm::ConstantArray::get(llvm::ArrayType::get(rows[0]->getType(), n), rows), true);
  }

  Constant* source(const bolza_source& s) { return record({text(s.file), integer(s.line), integer(s.column)}); }

  Constant* variables(const bolza_variable* from, std::size_t n) {
    return array<bolza_variable>(from, n, [&](const bolza_variable& v) { return variable(v); });
  }
  Constant* variable(const bolza_variable& v) {
    return record({text(v.name), text(v.unit), text(v.description), source(v.source), real(v.start), real(v.min),
                   real(v.max), real(v.nominal), real(v.guess), flag(v.has_start), flag(v.has_nominal), flag(v.has_guess),
                   flag(v.fixed), flag(v.is_derivative), flag(v.type), flag(v.selectable), integer(v.of)});
  }

  Constant* messages(const bolza_message* from, std::size_t n) {
    return array<bolza_message>(from, n, [&](const bolza_message& m) {
      return record(
          {text(m.text), source(m.source), flag(m.level), integer(m.n_values), integer(m.first_value), integer(m.action)});
    });
  }

  Constant* hybrid(const bolza_hybrid* h) {
    if (!h) return null();
    Constant* discrete = array<bolza_discrete>(h->discrete, h->n_m, [&](const bolza_discrete& d) {
      return record({variable(d.variable), integer(d.role), flag(d.type), integer(d.now), integer(d.before),
                     integer(d.indicator), flag(d.positive_is_true), flag(d.closed), flag(d.time_only)});
    });
    Constant* previous = array<bolza_previous>(
        h->previous, h->n_previous, [&](const bolza_previous& p) { return record({integer(p.row), integer(p.before)}); });
    Constant* samples = array<bolza_sample>(h->samples, h->n_samples, [&](const bolza_sample& s) {
      return record({integer(s.entry), real(s.start), real(s.interval), source(s.source)});
    });
    Constant* transports = array<bolza_transport>(h->transports, h->n_transports, [&](const bolza_transport& t) {
      return record({integer(t.first), integer(t.n_places)});
    });
    std::vector<Constant*> fields;
    for (std::size_t n : {h->n_m, h->n_previous, h->n_samples, h->n_delays, h->n_reinits, h->n_assertions, h->n_terminations,
                          h->n_initial_updates, h->n_indicators, h->n_transports})
      fields.push_back(size(n));
    for (Constant* field :
         {discrete, previous, samples, integer(h->initial), integer(h->terminal), integer(h->homotopy), function(h->update),
          function(h->indicators), function(h->reinit), integers(h->reinit_state, h->n_reinits), function(h->initial_update),
          integers(h->initial_target, h->n_initial_updates), function(h->conditions),
          messages(h->assertions, h->n_assertions), messages(h->terminations, h->n_terminations), function(h->delays),
          transports, integer(h->is_literal)})
      fields.push_back(field);
    return constant_data(record(std::move(fields)), sizeof(bolza_hybrid));
  }

  Constant* model(const bolza_model& m) {
    Constant* results = array<bolza_output>(m.results, m.n_outputs, [&](const bolza_output& o) {
      return record({text(o.name), text(o.unit), text(o.description), source(o.source), flag(o.kind), integer(o.index),
                     real(o.sign), real(o.offset)});
    });
    return record({text(m.name),
                   size(m.n_x),
                   size(m.n_z),
                   size(m.n_u),
                   size(m.n_q),
                   size(m.n_g),
                   size(m.n_initial),
                   size(m.n_shared),
                   size(m.n_global),
                   size(m.n_outputs),
                   variables(m.x, m.n_x),
                   variables(m.z, m.n_z),
                   variables(m.u, m.n_u),
                   variables(m.shared, m.n_shared),
                   reals(m.shared_values, m.n_shared),
                   function(m.rates),
                   function(m.residuals),
                   function(m.initial),
                   function(m.outputs),
                   function(m.integrand_residuals),
                   results,
                   hybrid(m.hybrid),
                   b_.getInt32(static_cast<std::uint32_t>(m.index)),
                   integers(m.variable_index, m.n_x + m.n_z),
                   size(m.n_switching),
                   array<bolza_switching>(m.switching, m.n_switching, [&](const bolza_switching& s) {
                     return record({size(s.n_controls), integers(s.controls, s.n_controls), real(s.dwell),
                                    b_.getInt32(static_cast<std::uint32_t>(s.switches)), source(s.source)});
                   })});
  }

  Constant* function(const bolza_function* f) {
    if (!f) return null();
    Constant* rows = array<bolza_row>(f->rows, f->n_rows, [&](const bolza_row& row) {
      return record({text(row.name), source(row.source), real(row.lower), real(row.upper)});
    });
    std::vector<Constant*> kinds;
    for (int kind = 0; kind < BOLZA_KINDS; ++kind) {
      auto emitted = kernels_.find({f, static_cast<bolza_kind>(kind)});
      kinds.push_back(emitted == kernels_.end() ? null() : kernels(emitted->second));
    }
    Constant* kernel_pointers = llvm::ConstantArray::get(llvm::ArrayType::get(b_.getPtrTy(), BOLZA_KINDS), kinds);
    return variable_data(
        record({text(f->name), size(f->n_point), size(f->n_shared), size(f->n_global), size(f->n_rows), rows,
                size(f->jac_nnz), integers(f->jac_row, f->jac_nnz), integers(f->jac_col, f->jac_nnz),
                bytes(f->jac_constant, f->jac_nnz), size(f->hess_nnz), integers(f->hess_row, f->hess_nnz),
                integers(f->hess_col, f->hess_nnz), size(f->grad_nnz), integers(f->grad_col, f->grad_nnz), kernel_pointers}),
        sizeof(bolza_function));
  }

  Constant* kernel(const std::string& name) {
    return name.empty() ? null() : static_cast<Constant*>(module_.module->getFunction(name));
  }

  Constant* kernels(const EmittedKind& kind) {
    std::size_t next = 0;
    Constant* groups = array<bolza_group>(kind.kernels->groups, kind.kernels->n_groups, [&](const bolza_group& g) {
      std::size_t k = next++;
      return record({size(g.instances), size(g.slots), size(g.data), size(g.outputs), size(g.roots),
                     integers(g.index, g.slots * g.instances), integers(g.out_index, g.outputs * g.instances),
                     integers(g.weight_index, g.roots * g.instances), reals(g.datum, g.data * g.instances), flag(g.adds),
                     kernel(kind.points[k]), kernel(kind.single[k]), size(g.scratch)});
    });
    return constant_data(record({size(kind.kernels->n_out), size(kind.kernels->n_groups), groups, size(kind.kernels->n_zero),
                                 integers(kind.kernels->zero, kind.kernels->n_zero)}),
                         sizeof(bolza_kernels));
  }

  ModuleBuilder& module_;
  const KernelNames& kernels_;
  llvm::IRBuilder<> b_;
  std::unordered_map<std::string, Constant*> texts_;
};

}  // namespace

void add_constant_tables(ModuleBuilder& module, const bolza_problem& problem, const KernelNames& kernels,
                         const std::string& symbol) {
  Constant* table = TableWriter(module, kernels).problem(problem);
  llvm::IRBuilder<> b(module.context);
  llvm::Function* f =
      module.function(llvm::FunctionType::get(b.getPtrTy(), false), llvm::GlobalValue::ExternalLinkage, symbol);
  b.SetInsertPoint(llvm::BasicBlock::Create(module.context, "entry", f));
  b.CreateRet(table);
}

}  // namespace bolza::codegen
