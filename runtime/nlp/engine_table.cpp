#include "runtime/nlp/engine_table.h"

#include <array>

namespace bolza::nlp {

extern const Engine ipopt, sqp, hqp, nlsq;

namespace {
constexpr std::array<const Engine*, 4> table{&ipopt, &sqp, &hqp, &nlsq};
}

std::span<const Engine* const> engines() { return table; }

const Engine* find_engine(std::string_view name) {
  for (const Engine* engine : table)
    if (engine->name == name) return engine;
  return nullptr;
}

}  // namespace bolza::nlp
