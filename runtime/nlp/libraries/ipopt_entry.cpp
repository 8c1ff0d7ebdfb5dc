// SPDX-License-Identifier: Apache-2.0
#include <string_view>

#include "runtime/nlp/engine_library.h"
#include "runtime/nlp/mumps_turn.h"
#include "runtime/nlp/sqp/kkt_factors.h"

namespace bolza::nlp {
extern const Engine ipopt, hqp;
}

extern "C" __attribute__((visibility("default"))) const bolza::nlp::Engine* bolza_engine(
    const char* name, std::recursive_mutex& lock_of_mumps) {
  bolza::nlp::share_lock_of_mumps(lock_of_mumps);
  for (const bolza::nlp::Engine* engine : {&bolza::nlp::ipopt, &bolza::nlp::hqp})
    if (engine->name == std::string_view(name)) return engine;
  return nullptr;
}

extern "C" __attribute__((visibility("default"))) bolza::nlp::MakeKktFactors bolza_factors(
    std::recursive_mutex& lock_of_mumps) {
  bolza::nlp::share_lock_of_mumps(lock_of_mumps);
  return bolza::nlp::mumps_kkt_factors;
}
