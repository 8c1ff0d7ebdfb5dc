// SPDX-License-Identifier: Apache-2.0
#include "runtime/nlp/engine_table.h"

#include <array>

namespace bolza::nlp {

extern const Engine ipopt, barrier, sqp, hqp, nlsq, trust_region, bonmin, newton;

namespace {
constexpr std::array<const Engine*, 7> table{&ipopt, &barrier, &sqp, &hqp, &nlsq, &trust_region, &bonmin};
}

std::span<const Engine* const> engines() { return table; }

const Engine* find_engine(std::string_view name) {
  for (const Engine* engine : table)
    if (engine->name == name) return engine;
  return name == newton.name ? &newton : nullptr;
}

std::string names_of_engines(bool (*which)(const Engine&)) {
  std::string names;
  for (const Engine* engine : table)
    if (which(*engine)) names += (names.empty() ? "`" : ", `") + std::string(engine->name) + "`";
  return names;
}

Hessian hessian_for(const EngineOptions& options) {
  const Engine* engine = find_engine(options.engine);
  bool other = engine && !engine->exact_hessian && options.hessian == Hessian::exact;
  return other ? Hessian::gauss_newton : options.hessian;
}

std::string check_option(const Engine& engine, std::string_view name, std::string_view value) {
  return engine.check_option ? engine.check_option(name, value) : check_setting(engine.name, engine.settings, name, value);
}

}  // namespace bolza::nlp
