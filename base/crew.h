// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <functional>

namespace bolza {

/// Runs work(0), …, work(n − 1), each on a thread of its own, number 0 on this one, and waits for all of them. Where the
/// system gives no more threads, this one does what is left. What they throw is thrown here: that of the smallest number.
void in_crew(std::size_t n, const std::function<void(std::size_t)>& work);

}  // namespace bolza
