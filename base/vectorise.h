// SPDX-License-Identifier: Apache-2.0
#pragma once

/// In front of a function whose loops are worth vector instructions: the build's -O2 for the oldest processors leaves them
/// scalar or two wide. The loader picks the widest version that the machine has; results may differ in the last bit between
/// machines (fused multiply-add), not between runs. Sanitizers run before such choices are made, so they get one version.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(BOLZA_SANITIZES_ADDRESS)
#define BOLZA_VECTORISE \
  [[gnu::optimize("O3", "tree-vectorize"), gnu::target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")]]
#elif defined(__GNUC__) && !defined(__clang__)
#define BOLZA_VECTORISE [[gnu::optimize("O3", "tree-vectorize")]]
#else
#define BOLZA_VECTORISE
#endif
