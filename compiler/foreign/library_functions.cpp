// SPDX-License-Identifier: Apache-2.0
#include "compiler/foreign/library_functions.h"

#include <cmath>

#include "compiler/foreign/c_function.h"

namespace bolza::foreign {
namespace {

using Inputs = std::span<const double>;

template <class Function>
void* address_of(Function* f) {
  return reinterpret_cast<void*>(f);
}

std::size_t elements(const CArgument& a) {
  std::size_t n = 1;
  for (std::size_t d : a.dims) n *= d;
  return n;
}

bool is_real(const CArgument& a) { return a.type == CType::real && a.dims.empty() && !a.is_array; }
bool is_text(const CArgument& a) { return a.type == CType::text && a.from == CArgument::From::constant; }
bool is_whole(CType type) { return type == CType::integer || type == CType::boolean; }

bool by_pointer(const CArgument& a) { return a.is_array || a.from != CArgument::From::input; }
bool is_count(const CArgument& a) {
  return is_whole(a.type) && !a.is_array && (a.from == CArgument::From::constant || a.from == CArgument::From::input);
}
/// A pointer to n numbers at least.
bool holds(const CArgument& a, CType type, std::size_t n) {
  bool same = type == CType::real ? a.type == CType::real : is_whole(a.type);
  return same && by_pointer(a) && a.from != CArgument::From::constant && elements(a) >= n;
}
bool counts(const CArgument& a, Inputs inputs, std::size_t n) {
  double given = a.from == CArgument::From::constant ? a.number : inputs[a.first];
  return is_count(a) && given >= 0 && given <= static_cast<double>(n);
}

bool gives(const CFunction& f, CType type) {
  return type == CType::integer ? is_whole(f.result.type) : f.result.type == type;
}

template <std::size_t n>
bool takes_texts(const CFunction& f, Inputs) {
  if (f.arguments.size() != n || f.result.type != CType::none) return false;
  for (const CArgument& a : f.arguments)
    if (!is_text(a)) return false;
  return true;
}

template <std::size_t n>
bool generates(const CFunction& f, Inputs) {
  const auto& a = f.arguments;
  return a.size() == 3 && gives(f, CType::none) && holds(a[0], CType::integer, n) && holds(a[1], CType::integer, n) &&
         holds(a[2], CType::real, 1);
}

bool sets_state(const CFunction& f, Inputs) {
  const auto& a = f.arguments;
  return a.size() == 3 && gives(f, CType::none) && holds(a[0], CType::integer, 33) && is_count(a[1]) && is_count(a[2]);
}
bool draws(const CFunction& f, Inputs) {
  return f.arguments.size() == 1 && gives(f, CType::real) && is_count(f.arguments[0]);
}
bool seeds(const CFunction& f, Inputs) { return gives(f, CType::integer); }
bool splits(const CFunction& f, Inputs) {
  const auto& a = f.arguments;
  return a.size() == 2 && gives(f, CType::none) && is_real(a[0]) && holds(a[1], CType::integer, 2);
}
bool hashes(const CFunction& f, Inputs) {
  return f.arguments.size() == 1 && gives(f, CType::integer) && is_text(f.arguments[0]);
}
bool compares(const CFunction& f, Inputs) {
  const auto& a = f.arguments;
  return a.size() == 3 && gives(f, CType::integer) && is_text(a[0]) && is_text(a[1]) && is_count(a[2]);
}
bool sets_variable(const CFunction& f, Inputs) {
  const auto& a = f.arguments;
  return a.size() == 3 && gives(f, CType::none) && is_text(a[0]) && is_text(a[1]) && is_count(a[2]);
}
bool reads_sizes(const CFunction& f, Inputs) {
  const auto& a = f.arguments;
  return a.size() == 3 && gives(f, CType::none) && is_text(a[0]) && is_text(a[1]) && holds(a[2], CType::integer, 2);
}
bool has_matrix(const CFunction& f, Inputs inputs) {
  const auto& a = f.arguments;
  return a.size() >= 6 && is_text(a[0]) && is_text(a[1]) && a[2].dims.size() == 2 && holds(a[2], CType::real, 0) &&
         counts(a[3], inputs, a[2].dims[0]) && counts(a[4], inputs, a[2].dims[1]) && is_count(a[5]);
}
bool reads_matrix(const CFunction& f, Inputs inputs) {
  return f.arguments.size() == 6 && gives(f, CType::none) && has_matrix(f, inputs);
}
bool writes_matrix(const CFunction& f, Inputs inputs) {
  return f.arguments.size() == 7 && gives(f, CType::integer) && has_matrix(f, inputs) && is_text(f.arguments[6]);
}
bool transforms(const CFunction& f, Inputs inputs) {
  const auto& a = f.arguments;
  if (a.size() != 6 || !gives(f, CType::integer) || !holds(a[0], CType::real, 0) || !holds(a[2], CType::real, 0))
    return false;
  std::size_t n = elements(a[0]) / 2 + 1;
  return counts(a[1], inputs, elements(a[0])) && counts(a[3], inputs, elements(a[2])) && holds(a[4], CType::real, n) &&
         holds(a[5], CType::real, n);
}

template <std::size_t n>
bool of_reals(const CFunction& f, Inputs) {
  if (f.arguments.size() != n || !gives(f, CType::real) || f.fortran) return false;
  for (const CArgument& a : f.arguments)
    if (!is_real(a) || (a.from != CArgument::From::input && a.from != CArgument::From::constant)) return false;
  return true;
}

using One = double (*)(double);
using Two = double (*)(double, double);
NativeFunction row(const char* name, One f) { return {name, address_of(f), NativeEffect::nothing, of_reals<1>}; }
NativeFunction row(const char* name, Two f) { return {name, address_of(f), NativeEffect::nothing, of_reals<2>}; }

/// Of the Modelica library.
const NativeFunction library_rows[] = {
    {"ModelicaRandom_xorshift64star", address_of(ModelicaRandom_xorshift64star), NativeEffect::nothing, generates<2>},
    {"ModelicaRandom_xorshift128plus", address_of(ModelicaRandom_xorshift128plus), NativeEffect::nothing, generates<4>},
    {"ModelicaRandom_xorshift1024star", address_of(ModelicaRandom_xorshift1024star), NativeEffect::nothing, generates<33>},
    {"ModelicaRandom_setInternalState_xorshift1024star", address_of(ModelicaRandom_setInternalState_xorshift1024star),
     NativeEffect::nothing, sets_state},
    {"ModelicaRandom_impureRandom_xorshift1024star", address_of(ModelicaRandom_impureRandom_xorshift1024star),
     NativeEffect::nothing, draws},
    {"ModelicaRandom_automaticGlobalSeed", address_of(ModelicaRandom_automaticGlobalSeed), NativeEffect::nothing, seeds},
    {"ModelicaRandom_convertRealToIntegers", address_of(ModelicaRandom_convertRealToIntegers), NativeEffect::nothing,
     splits},
    {"ModelicaStrings_hashString", address_of(ModelicaStrings_hashString), NativeEffect::nothing, hashes},
    {"ModelicaStrings_compare", address_of(ModelicaStrings_compare), NativeEffect::nothing, compares},
    {"ModelicaInternal_print", address_of(ModelicaInternal_print), NativeEffect::prints, takes_texts<2>},
    {"ModelicaInternal_removeFile", address_of(ModelicaInternal_removeFile), NativeEffect::acts, takes_texts<1>},
    {"ModelicaInternal_mkdir", address_of(ModelicaInternal_mkdir), NativeEffect::acts, takes_texts<1>},
    {"ModelicaInternal_rmdir", address_of(ModelicaInternal_rmdir), NativeEffect::acts, takes_texts<1>},
    {"ModelicaInternal_rename", address_of(ModelicaInternal_rename), NativeEffect::acts, takes_texts<2>},
    {"ModelicaInternal_copyFile", address_of(ModelicaInternal_copyFile), NativeEffect::acts, takes_texts<2>},
    {"ModelicaInternal_chdir", address_of(ModelicaInternal_chdir), NativeEffect::acts, takes_texts<1>},
    {"ModelicaInternal_setenv", address_of(ModelicaInternal_setenv), NativeEffect::acts, sets_variable},
    {"ModelicaStreams_closeFile", address_of(ModelicaStreams_closeFile), NativeEffect::acts, takes_texts<1>},
    {"ModelicaIO_readMatrixSizes", address_of(ModelicaIO_readMatrixSizes), NativeEffect::reads, reads_sizes},
    {"ModelicaIO_readRealMatrix", address_of(ModelicaIO_readRealMatrix), NativeEffect::reads, reads_matrix},
    {"ModelicaIO_writeRealMatrix", address_of(ModelicaIO_writeRealMatrix), NativeEffect::acts, writes_matrix},
    {"ModelicaFFT_kiss_fftr", address_of(ModelicaFFT_kiss_fftr), NativeEffect::nothing, transforms},
};

/// Of C.
const NativeFunction mathematical_rows[] = {
    row("sin", std::sin),
    row("cos", std::cos),
    row("tan", std::tan),
    row("asin", std::asin),
    row("acos", std::acos),
    row("atan", std::atan),
    row("atan2", std::atan2),
    row("sinh", std::sinh),
    row("cosh", std::cosh),
    row("tanh", std::tanh),
    row("asinh", std::asinh),
    row("acosh", std::acosh),
    row("atanh", std::atanh),
    row("exp", std::exp),
    row("exp2", std::exp2),
    row("expm1", std::expm1),
    row("log", std::log),
    row("log10", std::log10),
    row("log2", std::log2),
    row("log1p", std::log1p),
    row("pow", std::pow),
    row("sqrt", std::sqrt),
    row("cbrt", std::cbrt),
    row("hypot", std::hypot),
    row("erf", std::erf),
    row("erfc", std::erfc),
    row("tgamma", std::tgamma),
    row("lgamma", std::lgamma),
    row("fabs", std::fabs),
    row("fmod", std::fmod),
    row("fmax", std::fmax),
    row("fmin", std::fmin),
    row("floor", std::floor),
    row("ceil", std::ceil),
    row("round", std::round),
    row("trunc", std::trunc),
    row("copysign", std::copysign),
    row("fdim", std::fdim),
    row("j0", ::j0),
    row("j1", ::j1),
    row("y0", ::y0),
    row("y1", ::y1),
};

}  // namespace

const NativeFunction* native_function(std::string_view name) {
  for (std::span<const NativeFunction> rows :
       {std::span<const NativeFunction>(library_rows), std::span<const NativeFunction>(mathematical_rows)})
    for (const NativeFunction& one : rows)
      if (one.name == name) return &one;
  return lapack_routine(name);
}

bool acts_outside(const char* name) {
  const NativeFunction* native = native_function(name);
  return native && (native->effect == NativeEffect::acts || native->effect == NativeEffect::prints);
}

bool is_system_function(std::string_view name) {
  return name.starts_with("ModelicaInternal_") || name.starts_with("ModelicaStreams_") || name.starts_with("ModelicaIO_");
}

}  // namespace bolza::foreign
