// SPDX-License-Identifier: Apache-2.0
// The library's functions in C that this program has itself: generators against the recurrences in whole numbers of another
// language, their means; transforms against cosines.
#include "compiler/foreign/library_functions.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

namespace bolza::foreign {
namespace {

using Generator = void (*)(const int*, int*, double*);

std::vector<double> draw(Generator generator, std::vector<int> state, int times) {
  std::vector<double> y;
  for (int k = 0; k < times; ++k) {
    std::vector<int> after(state.size());
    y.push_back(0);
    generator(state.data(), after.data(), &y.back());
    state = after;
  }
  return y;
}

std::vector<int> counted(int n) {
  std::vector<int> state;
  for (int i = 1; i <= n; ++i) state.push_back(i);
  return state;
}

TEST(ModelicaRandom, follows_its_recurrences) {
  EXPECT_EQ(draw(ModelicaRandom_xorshift64star, {42, 7}, 3),
            (std::vector<double>{0.3426273715721274, 0.9790498411859396, 0.5148512004347602}));
  EXPECT_EQ(draw(ModelicaRandom_xorshift128plus, counted(4), 3),
            (std::vector<double>{0.5039062821310871, 0.5156251248568117, 0.7656308515043019}));
  std::vector<int> state = counted(32);
  state.push_back(0);
  std::vector<double> expected{0.37670097295847393, 0.809107972386044, 0.8755638338816416};
  EXPECT_EQ(draw(ModelicaRandom_xorshift1024star, state, 3), expected);
  ModelicaRandom_setInternalState_xorshift1024star(state.data(), state.size(), 5);
  for (double y : expected) EXPECT_EQ(ModelicaRandom_impureRandom_xorshift1024star(5), y);
}

TEST(ModelicaRandom, has_the_moments_of_a_uniform_distribution) {
  std::vector<int> state = counted(32);
  state.push_back(0);
  for (auto& [generator, start] :
       std::vector<std::pair<Generator, std::vector<int>>>{{ModelicaRandom_xorshift64star, {42, 7}},
                                                           {ModelicaRandom_xorshift128plus, {9, 8, 7, 6}},
                                                           {ModelicaRandom_xorshift1024star, state}}) {
    std::vector<double> y = draw(generator, start, 21000);
    double mean = 0, square = 0;
    for (std::size_t k = 1000; k < y.size(); ++k) mean += y[k] / 20000, square += y[k] * y[k] / 20000;
    EXPECT_NEAR(mean, 0.5, 0.01);
    EXPECT_NEAR(square, 1.0 / 3, 0.01);
  }
}

TEST(ModelicaStrings, hash) {
  EXPECT_EQ(ModelicaStrings_hashString("Modelica"), 2118346737);
  EXPECT_EQ(ModelicaStrings_hashString("a"), -357913953);
  EXPECT_EQ(ModelicaStrings_hashString(""), -1431655766);
}

TEST(ModelicaFft, finds_the_cosines_of_a_sum) {
  constexpr std::size_t n = 60;
  std::array<double, n> u;
  for (std::size_t i = 0; i < n; ++i) {
    double t = 2 * std::numbers::pi * static_cast<double>(i) / n;
    u[i] = 3 + 2 * std::cos(4 * t + 0.3) + 0.5 * std::cos(11 * t - 1.2);
  }
  std::vector<double> work(3 * n + 2 * (n / 2 + 1)), amplitudes(n / 2 + 1), phases(n / 2 + 1);
  ASSERT_EQ(ModelicaFFT_kiss_fftr(u.data(), n, work.data(), work.size(), amplitudes.data(), phases.data()), 0);
  double scale = (n / 2.0) / (n / 2.0 + 1);  // the library divides by one more than the number of pairs
  for (std::size_t k = 0; k <= n / 2; ++k)
    EXPECT_NEAR(amplitudes[k], scale * (k == 0 ? 6 : k == 4 ? 2 : k == 11 ? 0.5 : 0), 1e-13) << k;
  EXPECT_NEAR(phases[4], 0.3, 1e-13);
  EXPECT_NEAR(phases[11], -1.2, 1e-12);
  EXPECT_EQ(ModelicaFFT_kiss_fftr(u.data(), 59, work.data(), work.size(), amplitudes.data(), phases.data()), 1);
  EXPECT_EQ(ModelicaFFT_kiss_fftr(u.data(), n, work.data(), 3, amplitudes.data(), phases.data()), 2);
}

}  // namespace
}  // namespace bolza::foreign
