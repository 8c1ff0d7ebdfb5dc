// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <linux/filter.h>

#include <vector>

namespace bolza::cli {

/// What the kernel refuses to everything in a sandbox, as a program for bubblewrap's `--seccomp`: settings of the kernel and
/// its modules, mounts and new namespaces, other processes' memory, keys, io_uring, BPF, performance counters, input for a
/// terminal, sockets but those of TCP, UDP and within the machine, and calls of another architecture. A computation needs
/// none. Empty on an architecture whose calls are not listed.
std::vector<sock_filter> system_call_filter();

}  // namespace bolza::cli
