// SPDX-License-Identifier: Apache-2.0
// ModelicaRandom's functions [Modelica.Math.Random], which the library keeps in C: Marsaglia's xorshift generators as Vigna
// scrambles them [VIGNA].
#include "compiler/foreign/library_functions.h"

#include <unistd.h>

#include <array>
#include <bit>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <mutex>

namespace {

/// 64-bit words as the library keeps them: two Integers each, the low half first.
template <std::size_t n>
std::array<std::uint64_t, n> words(const int* state) {
  std::array<std::uint64_t, n> s;
  std::memcpy(s.data(), state, sizeof s);
  return s;
}

template <std::size_t n>
void put_words(const std::array<std::uint64_t, n>& s, int* state) {
  std::memcpy(state, s.data(), sizeof s);
}

/// A word, read as a signed number, in (0, 1).
double unit_interval(std::uint64_t word) { return static_cast<double>(static_cast<std::int64_t>(word)) * 0x1p-64 + 0.5; }

/// 16 words and which of them is next.
struct Xorshift1024 {
  std::array<std::uint64_t, 16> s{};
  std::uint32_t next = 0;

  double draw() {
    std::uint64_t a = s[next & 15];
    next = (next + 1) & 15;
    std::uint64_t b = s[next];
    b ^= b << 31;
    b ^= b >> 11;
    a ^= a >> 30;
    s[next] = a ^ b;
    return unit_interval(s[next] * 1181783497276652981U);
  }
};

/// The generator with a hidden state, and the number that its seeding was given.
std::mutex impure_mutex;
Xorshift1024 impure;
int impure_id = 0;

}  // namespace

extern "C" {

void ModelicaError(const char* text);

void ModelicaRandom_xorshift64star(const int* before, int* after, double* y) {
  auto [x] = words<1>(before);
  x ^= x >> 12;
  x ^= x << 25;
  x ^= x >> 27;
  x *= 2685821657736338717U;
  put_words<1>({x}, after);
  *y = unit_interval(x);
}

void ModelicaRandom_xorshift128plus(const int* before, int* after, double* y) {
  auto [a, b] = words<2>(before);
  a ^= a << 23;
  std::uint64_t sum = (a ^ b ^ (a >> 17) ^ (b >> 26)) + b;
  put_words<2>({b, sum}, after);
  *y = unit_interval(sum);
}

void ModelicaRandom_xorshift1024star(const int* before, int* after, double* y) {
  Xorshift1024 generator{words<16>(before), static_cast<std::uint32_t>(before[32])};
  *y = generator.draw();
  put_words(generator.s, after);
  after[32] = static_cast<int>(generator.next);
}

void ModelicaRandom_setInternalState_xorshift1024star(const int* state, std::size_t size, int id) {
  if (size != 33) return ModelicaError("the state of xorshift1024* has 33 Integers");
  std::lock_guard lock(impure_mutex);
  impure = {words<16>(state), static_cast<std::uint32_t>(state[32])};
  impure_id = id;
}

double ModelicaRandom_impureRandom_xorshift1024star(int id) {
  bool seeded = false;
  double y = 0;
  {
    std::lock_guard lock(impure_mutex);
    seeded = id == impure_id;
    if (seeded) y = impure.draw();
  }
  if (!seeded) ModelicaError("impureRandom is called before initializeImpureRandom");
  return y;
}

/// Another one for every process and millisecond.
int ModelicaRandom_automaticGlobalSeed(double) {
  auto now = std::chrono::system_clock::now().time_since_epoch();
  auto milliseconds = std::chrono::duration_cast<std::chrono::milliseconds>(now).count() % 86'400'000;
  return static_cast<int>((1 + milliseconds + 6007 * std::int64_t{getpid()}) & 0x7fffffff);
}

void ModelicaRandom_convertRealToIntegers(double d, int* i) { std::memcpy(i, &d, sizeof d); }

/// Arash Partow's hash of a text.
int ModelicaStrings_hashString(const char* text) {
  std::uint32_t hash = 0xAAAAAAAA;
  for (std::size_t i = 0; text[i] != '\0'; ++i) {
    auto c = static_cast<std::uint32_t>(static_cast<unsigned char>(text[i]));
    hash ^= i % 2 == 0 ? (hash << 7) ^ (c * (hash >> 3)) : ~((hash << 11) + (c ^ (hash >> 5)));
  }
  return std::bit_cast<int>(hash);
}

}  // extern "C"
