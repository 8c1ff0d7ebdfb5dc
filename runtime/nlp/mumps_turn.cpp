// SPDX-License-Identifier: Apache-2.0
#include "runtime/nlp/mumps_turn.h"

#include <atomic>

namespace bolza::nlp {
namespace {

std::atomic<std::recursive_mutex*>& lock_in_use() {
  static std::recursive_mutex own;
  static std::atomic<std::recursive_mutex*> in_use = &own;
  return in_use;
}

}  // namespace

MumpsTurn::MumpsTurn() : held_(lock_of_mumps()) {}

std::recursive_mutex& lock_of_mumps() { return *lock_in_use(); }

void share_lock_of_mumps(std::recursive_mutex& of_process) { lock_in_use() = &of_process; }

}  // namespace bolza::nlp
