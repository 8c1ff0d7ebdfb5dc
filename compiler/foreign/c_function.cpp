// SPDX-License-Identifier: Apache-2.0
// Calls of C functions by their description, through libffi.
#include "compiler/foreign/c_function.h"

#include <ffi.h>

#include <algorithm>
#include <deque>
#include <mutex>

#include "compiler/foreign/library_functions.h"
#include "compiler/foreign/modelica_utilities.h"

namespace bolza::foreign {
namespace {

using From = CArgument::From;

std::recursive_mutex& one_at_a_time() {  // C has no user pointer to hang a lock on, and its functions may share state
  static std::recursive_mutex mutex;
  return mutex;
}
std::string& failure_text() {
  static std::string text;
  return text;
}

std::size_t size_of(const CArgument& a) {
  if (a.type == CType::record) return a.layout.fields.size();
  std::size_t n = 1;
  for (std::size_t d : a.dims) n *= d;
  return n;
}

/// Place of element k, counted row by row, in a matrix stored column by column.
std::size_t transposed(const CArgument& a, std::size_t k) {
  if (a.dims.size() != 2) return k;
  return k % a.dims[1] * a.dims[0] + k / a.dims[1];
}

/// The memory of one call.
class Call {
 public:
  Call(const CFunction& f, std::span<const double> inputs) : f_(f), inputs_(inputs) {
    for (const CArgument& a : f.arguments) add(a);
    for (std::int64_t& length : lengths_) pass(&ffi_type_sint64, &length);
  }

  ffi_type* result_type() const {
    switch (f_.result.type) {
      case CType::none:
        return &ffi_type_void;
      case CType::real:
        return &ffi_type_double;
      case CType::integer:
      case CType::boolean:
        return &ffi_type_sint32;
      case CType::text:
      case CType::object:
      case CType::record:
        break;
    }
    return &ffi_type_pointer;
  }

  bool run() {
    ffi_cif cif;
    if (ffi_prep_cif(&cif, FFI_DEFAULT_ABI, static_cast<unsigned>(types_.size()), result_type(), types_.data()) != FFI_OK)
      return false;
    ffi_call(&cif, reinterpret_cast<void (*)()>(f_.address), &result_, values_.data());
    return true;
  }

  void* object() const { return result_.pointer; }

  void read_back(std::span<double> outputs, std::span<std::string> texts) {
    for (std::size_t k = 0; k < f_.arguments.size(); ++k) {
      const CArgument& a = f_.arguments[k];
      if (a.from != From::output && a.from != From::both) continue;
      if (a.type == CType::text) {
        const char* text = *static_cast<const char**>(memory_[k]);
        texts[a.first_output] = text ? text : "";
        continue;
      }
      for (std::size_t e = 0; e < size_of(a); ++e) {
        if (a.type == CType::record) {
          outputs[a.first_output + e] = field_at(memory_[k], a.layout.fields[e]);
          continue;
        }
        std::size_t at = f_.fortran ? transposed(a, e) : e;
        outputs[a.first_output + e] =
            a.type == CType::real ? static_cast<double*>(memory_[k])[at] : static_cast<int*>(memory_[k])[at];
      }
    }
    if (f_.result.type == CType::real) outputs[f_.result.first_output] = result_.real;
    if (f_.result.type == CType::integer || f_.result.type == CType::boolean)
      outputs[f_.result.first_output] = static_cast<int>(result_.integer);
    if (f_.result.type == CType::text)
      texts[f_.result.first_output] = result_.pointer ? static_cast<const char*>(result_.pointer) : "";
  }

 private:
  static double field_at(const void* record, const CField& field) {
    const char* at = static_cast<const char*>(record) + field.offset;
    if (field.type != CType::real) return *reinterpret_cast<const int*>(at);
    return *reinterpret_cast<const double*>(at);
  }

  void add_record(const CArgument& a) {
    std::vector<double>& memory = reals_.emplace_back(a.layout.size / sizeof(double) + 1);  // aligned for all that it holds
    for (std::size_t e = 0; e < a.layout.fields.size(); ++e) {
      const CField& field = a.layout.fields[e];
      char* at = reinterpret_cast<char*>(memory.data()) + field.offset;
      if (field.type == CType::real) *reinterpret_cast<double*>(at) = input(a, e);
      else *reinterpret_cast<int*>(at) = static_cast<int>(input(a, e));
    }
    memory_.back() = memory.data();
    pointers_.push_back(memory_.back());
    pass(&ffi_type_pointer, &pointers_.back());
  }

  double input(const CArgument& a, std::size_t e) const {
    return a.from == From::constant ? a.number : a.from == From::input || a.from == From::both ? inputs_[a.first + e] : 0;
  }

  void add(const CArgument& a) {
    bool by_pointer =
        a.is_array || f_.fortran || a.from == From::output || a.from == From::both || a.from == From::workspace;
    memory_.push_back(nullptr);
    if (a.type == CType::record) return add_record(a);
    if (a.type == CType::text && f_.fortran) {  // characters; how many comes after all arguments
      lengths_.push_back(static_cast<std::int64_t>(a.text.size()));
      pointers_.push_back(const_cast<char*>(a.text.data()));
      return pass(&ffi_type_pointer, &pointers_.back());
    }
    if (a.type == CType::text || a.type == CType::object) {
      const void* content = a.type == CType::text ? a.text.c_str() : a.object;
      pointers_.push_back(const_cast<void*>(content));
      if (by_pointer) {
        memory_.back() = &pointers_.back();
        pointers_.push_back(memory_.back());
      }
      return pass(&ffi_type_pointer, &pointers_.back());
    }
    if (!by_pointer && a.type == CType::real) {
      reals_.push_back({input(a, 0)});
      return pass(&ffi_type_double, reals_.back().data());
    }
    if (!by_pointer) {
      longs_.push_back(static_cast<std::int64_t>(input(a, 0)));
      return pass(&ffi_type_sint64, &longs_.back());
    }
    std::size_t n = size_of(a);
    if (a.type == CType::real) {
      std::vector<double>& x = reals_.emplace_back(n + 1);
      for (std::size_t e = 0; e < n; ++e) x[f_.fortran ? transposed(a, e) : e] = input(a, e);
      memory_.back() = x.data();
    } else {
      std::vector<int>& x = integers_.emplace_back(n + 1);
      for (std::size_t e = 0; e < n; ++e) x[f_.fortran ? transposed(a, e) : e] = static_cast<int>(input(a, e));
      memory_.back() = x.data();
    }
    pointers_.push_back(memory_.back());
    pass(&ffi_type_pointer, &pointers_.back());
  }

  void pass(ffi_type* type, void* value) {
    types_.push_back(type);
    values_.push_back(value);
  }

  const CFunction& f_;
  std::span<const double> inputs_;
  std::deque<std::vector<double>> reals_;  // deques: what is passed stays where it is
  std::deque<std::vector<int>> integers_;
  std::deque<std::int64_t> longs_, lengths_;
  std::deque<void*> pointers_;
  std::vector<ffi_type*> types_;
  std::vector<void*> values_, memory_;
  union {
    double real;
    ffi_arg integer;
    void* pointer;
  } result_{};
};

constexpr const char* not_like_it = "its declaration does not fit the function, which was not called";

/// Why a function is not called, nothing when it is.
std::optional<std::string> objection(const CFunction& f, std::span<const double> inputs) {
  std::optional<std::string> why;
  if (f.address == nullptr) why = "this command runs no foreign code";
  else if (f.native && !f.native->fits(f, inputs)) why = not_like_it;
  if (why) failure_text() = "`" + f.name + "`: " + *why;
  return why;
}

/// Runs it where ModelicaError leads back to.
std::optional<std::string> guarded(const CFunction& function, Call& call) {
  bool described = true;
  std::optional<std::string> failure =
      catch_modelica_error([](void* c) { return static_cast<Call*>(c)->run(); }, &call, described);
  if (!described) failure = "libffi cannot call a function of this kind";
  if (failure) failure_text() = "`" + function.name + "`: " + *failure;
  return failure;
}

}  // namespace

void CStruct::add(CType type) {
  std::size_t bytes = type == CType::real ? sizeof(double) : sizeof(int);
  std::size_t offset = (size + bytes - 1) / bytes * bytes;
  fields.push_back({type, offset});
  size = offset + bytes;
  alignment = std::max(alignment, bytes);
}

void CStruct::add(const CStruct& inner) {
  std::size_t offset = (size + inner.alignment - 1) / inner.alignment * inner.alignment;
  for (const CField& field : inner.fields) fields.push_back({field.type, offset + field.offset});
  size = offset + inner.size;
  alignment = std::max(alignment, inner.alignment);
}

std::string misfit(const CFunction& function, std::size_t n_inputs) {
  std::vector<double> nothing(n_inputs, 0);
  return function.native && !function.native->fits(function, nothing) ? not_like_it : "";
}

std::optional<std::string> call(const CFunction& function, std::span<const double> inputs, std::span<double> outputs,
                                std::span<std::string> texts) {
  std::lock_guard lock(one_at_a_time());
  if (auto why = objection(function, inputs)) return why;
  Call call(function, inputs);
  std::optional<std::string> failure = guarded(function, call);
  if (!failure) call.read_back(outputs, texts);
  forget_allocated_strings();
  return failure;
}

CObject construct(const CFunction& constructor, std::span<const double> inputs) {
  std::lock_guard lock(one_at_a_time());
  CObject made;
  if ((made.failure = objection(constructor, inputs))) return made;
  Call call(constructor, inputs);
  made.failure = guarded(constructor, call);
  if (!made.failure) made.pointer = call.object();
  forget_allocated_strings();
  return made;
}

void note_failure(std::string text) {
  std::lock_guard lock(one_at_a_time());
  failure_text() = std::move(text);
}

std::string last_failure() {
  std::lock_guard lock(one_at_a_time());
  return failure_text();
}

}  // namespace bolza::foreign
