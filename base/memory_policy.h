// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace bolza {

/// Tells the C library to keep memory that is freed, and the system to back the heap with huge pages. Solvers allocate and
/// free their largest arrays at every factorisation: given back each time, these are faulted in and cleared again, which
/// costs more than the arithmetic. Call it first in `main`; where the address space is limited it reserves nothing and keeps
/// the end of the heap only; it does nothing where GLIBC_TUNABLES says what is wanted, and with other C libraries.
///
/// Cost: some microseconds; memory is reserved, not touched. Peak memory grows by at most the holes between live blocks.
/// Why and what was measured: docs/decisions/memory-policy.md.
void keep_freed_memory();

}  // namespace bolza
