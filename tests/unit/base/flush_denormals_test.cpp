// SPDX-License-Identifier: Apache-2.0
#include "base/flush_denormals.h"

#include <gtest/gtest.h>

#include <thread>

namespace bolza {
namespace {

double product(double a, double b) {
  volatile double x = a, y = b;
  return x * y;
}

TEST(FlushDenormals, makes_tiny_numbers_zero_while_it_lives_in_threads_too) {
  EXPECT_GT(product(1e-200, 1e-110), 0);
  {
    FlushDenormals flush;
#if defined(__x86_64__) || defined(__aarch64__)
    EXPECT_EQ(product(1e-200, 1e-110), 0);
    double in_thread = 1;
    std::thread([&] { in_thread = product(1e-200, 1e-110); }).join();
    EXPECT_EQ(in_thread, 0);
#endif
    EXPECT_GT(product(1e-150, 1e-150), 0);
  }
  EXPECT_GT(product(1e-200, 1e-110), 0);
}

}  // namespace
}  // namespace bolza
