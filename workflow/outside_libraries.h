// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string>

namespace bolza::workflow {

/// Settings of OpenBLAS for a library that is opened later, unless the environment says otherwise: one thread, since the
/// solver's fronts are small, and kernels for AVX2, since those for AVX-512 of the releases around 0.3.21 are not reliable
/// on every processor. Call it before any thread is started. See docs/decisions/blas.md.
void set_blas_defaults();

/// Makes OpenBLAS take its buffer now: 128 MB of address space, of which it touches little. Where memory is bounded it would
/// later look for room without end. Gives the bytes by which the data of the process grew, 0 with another BLAS or none.
/// Errors: std::bad_alloc, there is no room. Cost: opens the library.
std::size_t reserve_blas_buffer();

/// What IPOPT's linear algebra runs on: "OpenBLAS 0.3.21, Haswell", or the file of another library; "" when there is none.
/// Cost: opens the library, some milliseconds.
std::string blas_in_use();

/// The version of LLVM that kernels are compiled with; opens nothing.
std::string llvm_in_use();

}  // namespace bolza::workflow
