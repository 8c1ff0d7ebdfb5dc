// SPDX-License-Identifier: Apache-2.0
#include <string_view>

#include "runtime/nlp/engine_library.h"
#include "runtime/nlp/mumps_turn.h"

namespace bolza::nlp {
extern const Engine bonmin;
}

extern "C" __attribute__((visibility("default"))) const bolza::nlp::Engine* bolza_engine(
    const char* name, std::recursive_mutex& lock_of_mumps) {
  bolza::nlp::share_lock_of_mumps(lock_of_mumps);
  return bolza::nlp::bonmin.name == std::string_view(name) ? &bolza::nlp::bonmin : nullptr;
}
