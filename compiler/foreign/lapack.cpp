// SPDX-License-Identifier: Apache-2.0
// Routines of LAPACK that the Modelica library calls where sizes and coefficients are computed: they compute and do nothing
// else, so they run in every command, with the system's library, where a declaration passes the memory that they use.
#include <array>
#include <string>

#include "compiler/foreign/c_function.h"
#include "compiler/foreign/library_functions.h"
#include "compiler/foreign/shared_library.h"

namespace bolza::foreign {
namespace {

/// The arguments of a call of a routine, compared with what it takes; LAPACK itself checks what its sizes say of each other.
class RoutineArguments {
 public:
  RoutineArguments(const CFunction& f, std::span<const double> inputs, std::size_t n)
      : f_(f),
        inputs_(inputs),
        fits_(f.fortran && f.arguments.size() == n && f.result.type == CType::none) {}

  /// A size: what the call gives, or what a local of the declaration begins with.
  std::size_t size(std::size_t k) {
    const CArgument* a = at(k);
    using From = CArgument::From;
    bool known = a && !a->is_array && a->type == CType::integer &&
                 (a->from == From::constant || a->from == From::input || a->from == From::both);
    double value = !known ? -1 : a->from == From::constant ? a->number : inputs_[a->first];
    if (!(value >= 0 && value <= 1e6)) fits_ = false;
    return fits_ ? static_cast<std::size_t>(value) : 0;
  }
  void real(std::size_t k, std::size_t n) { pointer(k, CType::real, n); }
  void whole(std::size_t k, std::size_t n) { pointer(k, CType::integer, n); }
  /// A number that the routine reads.
  void number(std::size_t k) {
    const CArgument* a = at(k);
    fits_ = fits_ && a && a->type == CType::real && !a->is_array;
  }
  /// One letter.
  char letter(std::size_t k) {
    const CArgument* a = at(k);
    if (!a || a->type != CType::text || a->from != CArgument::From::constant || a->text.size() != 1) fits_ = false;
    return fits_ ? a->text[0] : ' ';
  }
  bool fit() const { return fits_; }

 private:
  const CArgument* at(std::size_t k) const { return k < f_.arguments.size() ? &f_.arguments[k] : nullptr; }
  void pointer(std::size_t k, CType type, std::size_t n) {
    const CArgument* a = at(k);
    std::size_t elements = 1;
    if (a)
      for (std::size_t d : a->dims) elements *= d;
    bool own = a && (a->is_array || a->from != CArgument::From::input) && a->from != CArgument::From::constant;
    fits_ = fits_ && own && a->type == type && elements >= n;
  }

  const CFunction& f_;
  std::span<const double> inputs_;
  bool fits_;
};

using Inputs = std::span<const double>;

bool fits_dgesv(const CFunction& f, Inputs inputs) {
  RoutineArguments x(f, inputs, 8);
  std::size_t n = x.size(0), columns = x.size(1);
  x.real(2, x.size(3) * n);
  x.whole(4, n);
  x.real(5, x.size(6) * columns);
  x.whole(7, 1);
  return x.fit();
}

bool fits_dgetrf(const CFunction& f, Inputs inputs) {
  RoutineArguments x(f, inputs, 6);
  std::size_t m = x.size(0), n = x.size(1);
  x.real(2, x.size(3) * n);
  x.whole(4, m < n ? m : n);
  x.whole(5, 1);
  return x.fit();
}

bool fits_dgetrs(const CFunction& f, Inputs inputs) {
  RoutineArguments x(f, inputs, 9);
  x.letter(0);
  std::size_t n = x.size(1), columns = x.size(2);
  x.real(3, x.size(4) * n);
  x.whole(5, n);
  x.real(6, x.size(7) * columns);
  x.whole(8, 1);
  return x.fit();
}

bool fits_dgetri(const CFunction& f, Inputs inputs) {
  RoutineArguments x(f, inputs, 7);
  std::size_t n = x.size(0);
  x.real(1, x.size(2) * n);
  x.whole(3, n);
  x.real(4, x.size(5));
  x.whole(6, 1);
  return x.fit();
}

bool fits_dgels(const CFunction& f, Inputs inputs) {
  RoutineArguments x(f, inputs, 11);
  x.letter(0);
  std::size_t n = x.size(2), columns = x.size(3);
  x.size(1);
  x.real(4, x.size(5) * n);
  x.real(6, x.size(7) * columns);
  x.real(8, x.size(9));
  x.whole(10, 1);
  return x.fit();
}

bool fits_dgelsy(const CFunction& f, Inputs inputs) {
  RoutineArguments x(f, inputs, 13);
  std::size_t n = x.size(1), columns = x.size(2);
  x.size(0);
  x.real(3, x.size(4) * n);
  x.real(5, x.size(6) * columns);
  x.whole(7, n);
  x.number(8);
  x.whole(9, 1);
  x.real(10, x.size(11));
  x.whole(12, 1);
  return x.fit();
}

bool fits_dgeev(const CFunction& f, Inputs inputs) {
  RoutineArguments x(f, inputs, 14);
  char left = x.letter(0), right = x.letter(1);
  std::size_t n = x.size(2);
  x.real(3, x.size(4) * n);
  x.real(5, n);
  x.real(6, n);
  x.real(7, left == 'N' ? 0 : x.size(8) * n);
  x.real(9, right == 'N' ? 0 : x.size(10) * n);
  x.real(11, x.size(12));
  x.whole(13, 1);
  return x.fit();
}

bool fits_dhseqr(const CFunction& f, Inputs inputs) {
  RoutineArguments x(f, inputs, 14);
  x.letter(0);
  bool vectors = x.letter(1) != 'N';
  std::size_t n = x.size(2);
  x.size(3);
  x.size(4);
  x.real(5, x.size(6) * n);
  x.real(7, n);
  x.real(8, n);
  x.real(9, vectors ? x.size(10) * n : 0);
  x.real(11, x.size(12));
  x.whole(13, 1);
  return x.fit();
}

struct Routine {
  const char* name;
  bool (*fits)(const CFunction&, Inputs);
};
constexpr std::array routines{Routine{"dgesv_", fits_dgesv},   Routine{"dgetrf_", fits_dgetrf},
                              Routine{"dgetrs_", fits_dgetrs}, Routine{"dgetri_", fits_dgetri},
                              Routine{"dgels_", fits_dgels},   Routine{"dgelsy_", fits_dgelsy},
                              Routine{"dgeev_", fits_dgeev},   Routine{"dhseqr_", fits_dhseqr}};

std::array<NativeFunction, routines.size()> found() {
  std::array<NativeFunction, routines.size()> all;
  for (std::size_t k = 0; k < all.size(); ++k) {
    void* address = find_symbol(routines[k].name, {{"lapack"}, {}, {}}).address;
    all[k] = {routines[k].name, address, NativeEffect::nothing, routines[k].fits};
  }
  return all;
}

}  // namespace

const NativeFunction* lapack_routine(std::string_view name) {
  bool known = false;
  for (const Routine& routine : routines) known = known || routine.name == name;
  if (!known) return nullptr;
  static const std::array<NativeFunction, routines.size()> all = found();  // opens the library
  for (const NativeFunction& one : all)
    if (one.name == name && one.address) return &one;
  return nullptr;
}

}  // namespace bolza::foreign
