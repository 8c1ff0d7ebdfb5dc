// SPDX-License-Identifier: Apache-2.0
#include "base/crew.h"

#include <exception>
#include <system_error>
#include <thread>
#include <vector>

namespace bolza {

void in_crew(std::size_t n, const std::function<void(std::size_t)>& work) {
  std::vector<std::exception_ptr> thrown(n);
  auto guarded = [&](std::size_t k) {
    try {
      work(k);
    } catch (...) {
      thrown[k] = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> others;
    std::size_t started = 1;
    try {
      for (; started < n; ++started) others.emplace_back(guarded, started);
    } catch (const std::system_error&) {}
    if (n > 0) guarded(0);
    for (std::size_t k = started; k < n; ++k) guarded(k);
  }
  for (const std::exception_ptr& one : thrown)
    if (one) std::rethrow_exception(one);
}

}  // namespace bolza
