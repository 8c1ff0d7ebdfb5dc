// SPDX-License-Identifier: Apache-2.0
// Makes an expression DAG of many nodes: dag NODES (1,000,000) → one JSON object. benchmarks/costs counts its instructions.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "base/clock.h"
#include "compiler/ir/dag.h"

int main(int argc, char** argv) {
  using namespace bolza;
  std::size_t nodes = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 1'000'000;
  Clock::time_point begin = Clock::now();
  ir::Dag dag;
  ir::ExprId x = dag.slot(0);
  for (std::uint32_t i = 0; dag.size() < nodes; ++i)
    x = dag.add(dag.mul(x, dag.slot(i % 1000)), dag.make(ir::Op::sin, dag.slot(i)));
  std::printf("{\"nodes\": %zu, \"node_ns\": %.1f}\n", dag.size(),
              1e9 * seconds_since(begin) / static_cast<double>(dag.size()));
}
