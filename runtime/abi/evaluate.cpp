// SPDX-License-Identifier: Apache-2.0
#include "runtime/abi/evaluate.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <new>
#include <vector>

#include "base/crew.h"
#include "base/expects.h"

namespace bolza::abi {
namespace {

constexpr std::size_t chunk_points = 128;  // temporaries of a large kernel stay in the second-level cache

struct Scratch {
  std::vector<double> memory;
};

bolza_call call_of(const bolza_group& group, const Evaluation& e, std::size_t begin, std::size_t end) {
  bolza_call call{};
  call.n = end - begin;
  call.ld = e.ld;
  call.point = e.point + begin;
  call.shared = e.shared;
  call.datum = group.datum;
  call.index = group.index;
  call.instances = group.instances;
  call.first = 0;
  call.last = group.instances;
  call.weight = e.weight ? e.weight + begin : nullptr;
  call.weight_index = group.weight_index;
  call.direction = e.direction ? e.direction + begin : nullptr;
  call.out = e.out + begin;
  call.out_index = group.out_index;
  return call;
}

bolza_kernel kernel_of(const bolza_group& group, std::size_t n) {
  return n == 1 && group.single ? group.single : group.points;
}

// A kernel that finds its scratch too small says so and is called again with more.
int run_with_scratch(bolza_kernel kernel, bolza_call& call, std::vector<double>& memory) {
  for (;;) {
    call.scratch = memory.data();
    call.scratch_size = memory.size();
    int status = kernel(&call);
    if (!(status & BOLZA_SCRATCH) || memory.size() > (std::size_t{1} << 28)) return status;
    memory.resize(std::max<std::size_t>(4096, 4 * memory.size()));
  }
}

int run_group(const bolza_group& group, const Evaluation& e, std::size_t begin, std::size_t end, Scratch& scratch) {
  if (group.scratch > scratch.memory.size()) scratch.memory.resize(group.scratch);
  if (bolza_kernel kernel = kernel_of(group, e.n)) {
    bolza_call call = call_of(group, e, begin, end);
    return run_with_scratch(kernel, call, scratch.memory);
  }
  int status = 0;
  for (std::size_t i = begin; i < end; ++i) {
    bolza_call call = call_of(group, e, i, i + 1);
    status |= run_with_scratch(group.single, call, scratch.memory);
  }
  return status;
}

int run_chunk(const bolza_kernels& kernels, const Evaluation& e, std::size_t begin, std::size_t end, Scratch& scratch) {
  for (std::size_t k = 0; k < kernels.n_zero; ++k) {
    double* row = e.out + static_cast<std::size_t>(kernels.zero[k]) * e.ld;
    std::fill(row + begin, row + std::min(e.ld, end + 7), 0.0);
  }
  int status = 0;
  for (std::size_t k = 0; k < kernels.n_groups; ++k) status |= run_group(kernels.groups[k], e, begin, end, scratch);
  return status;
}

}  // namespace

// An odd number of cache lines per row: rows a multiple of 4 kB apart would all fall into one set of the first-level cache,
// which makes kernels three times slower.
std::size_t padded(std::size_t n) { return 8 * (std::max<std::size_t>(1, (n + 7) / 8) | 1); }

bool ensure(const bolza_problem& problem, bolza_function& function, bolza_kind kind) {
  if (function.kernels[kind]) return true;
  return problem.request && problem.request(problem.provider, &function, kind) == 0 && function.kernels[kind];
}

int evaluate(const bolza_function& function, bolza_kind kind, const Evaluation& e, unsigned threads) {
  expects(function.kernels[kind] != nullptr, "a kernel is compiled before it is evaluated");
  const bolza_kernels& kernels = *function.kernels[kind];
  std::size_t chunks = (e.n + chunk_points - 1) / chunk_points;
  if (threads <= 1 || chunks <= 1) {
    Scratch scratch;
    int status = 0;
    for (std::size_t c = 0; c < chunks; ++c)
      status |= run_chunk(kernels, e, c * chunk_points, std::min(e.n, (c + 1) * chunk_points), scratch);
    return status;
  }
  std::atomic<std::size_t> next{0};
  std::atomic<int> status{0};
  auto work = [&](std::size_t) {
    Scratch scratch;
    for (std::size_t c; (c = next.fetch_add(1)) < chunks;)
      status |= run_chunk(kernels, e, c * chunk_points, std::min(e.n, (c + 1) * chunk_points), scratch);
  };
  in_crew(std::clamp<std::size_t>(threads, 1, chunks), work);
  return status;
}

PointEvaluation::PointEvaluation(const bolza_kernels& kernels, const Evaluation& evaluation)
    : kernels_(&kernels),
      evaluation_(evaluation) {
  expects(evaluation.n == 1, "it is one point");
  for (std::size_t g = 0; g < kernels.n_groups; ++g) {
    const bolza_group& group = kernels.groups[g];
    calls_.push_back(call_of(group, evaluation, 0, 1));
    if (group.scratch > scratch_.size()) scratch_.resize(group.scratch);
  }
}

int PointEvaluation::run(const double* shared) {
  for (std::size_t k = 0; k < kernels_->n_zero; ++k) {
    double* row = evaluation_.out + static_cast<std::size_t>(kernels_->zero[k]) * evaluation_.ld;
    std::fill(row, row + std::min<std::size_t>(evaluation_.ld, 8), 0.0);
  }
  int status = 0;
  for (std::size_t g = 0; g < calls_.size(); ++g) {
    const bolza_group& group = kernels_->groups[g];  // its code and its data may have been replaced
    calls_[g].shared = shared;
    calls_[g].datum = group.datum;
    status |= run_with_scratch(kernel_of(group, 1), calls_[g], scratch_);
  }
  return status;
}

}  // namespace bolza::abi
