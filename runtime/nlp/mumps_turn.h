// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <mutex>

namespace bolza::nlp {

/// MUMPS keeps state in Fortran modules: two threads that use it at once crash the process. Whoever calls it, or a library
/// that does, holds a turn from the first call to the last; a thread may hold several.
class MumpsTurn {
 public:
  MumpsTurn();

 private:
  std::unique_lock<std::recursive_mutex> held_;
};

/// The lock of turns: the one exception to "no mutable globals".
std::recursive_mutex& lock_of_mumps();
/// Each library that is opened at run time has a copy of this file: it takes the lock of who opened it before it calls
/// MUMPS.
void share_lock_of_mumps(std::recursive_mutex& of_process);

}  // namespace bolza::nlp
