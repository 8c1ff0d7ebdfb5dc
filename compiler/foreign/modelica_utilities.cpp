// SPDX-License-Identifier: Apache-2.0
#include "compiler/foreign/modelica_utilities.h"

#include <array>
#include <atomic>
#include <csetjmp>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <deque>
#include <vector>

namespace bolza::foreign {
namespace {

/// Where ModelicaError returns to. C functions have no way to fail but to leave; nothing with a destructor lies between the
/// two, only the caller's C and libffi.
struct Landing {
  std::jmp_buf place;
  std::string text;
};
thread_local Landing* landing = nullptr;
thread_local std::deque<std::vector<char>> strings;
std::atomic<MessageSink> sink{nullptr};  // the C interface has no user pointer

std::string formatted(const char* format, std::va_list arguments) {
  std::va_list again;
  va_copy(again, arguments);
  int n = std::vsnprintf(nullptr, 0, format, arguments);
  std::string text(n > 0 ? static_cast<std::size_t>(n) : 0, '\0');
  if (n > 0) std::vsnprintf(text.data(), text.size() + 1, format, again);
  va_end(again);
  return text;
}

void say(const char* text, bool warning) {
  if (MessageSink to = sink) to(text, warning);
}

[[noreturn]] void fail(const char* text) {
  if (landing == nullptr) {  // called by a thread or at a moment of its own
    std::fprintf(stderr, "ModelicaError: %s\n", text);
    std::abort();
  }
  landing->text = text;
  std::longjmp(landing->place, 1);
}

char* allocate(std::size_t length) { return strings.emplace_back(length + 1, '\0').data(); }

}  // namespace

std::optional<std::string> catch_modelica_error(bool (*function)(void*), void* argument, bool& result) {
  Landing here;
  Landing* before = landing;
  landing = &here;
  if (setjmp(here.place) != 0) {
    landing = before;
    return here.text;
  }
  result = function(argument);
  landing = before;
  return std::nullopt;
}

void forget_allocated_strings() { strings.clear(); }

void set_message_sink(MessageSink to) { sink = to; }

}  // namespace bolza::foreign

#define BOLZA_SEEN __attribute__((visibility("default")))
#define BOLZA_ENDS __attribute__((visibility("default"), noreturn))
extern "C" {
BOLZA_SEEN void ModelicaMessage(const char* text) { bolza::foreign::say(text, false); }
BOLZA_SEEN void ModelicaWarning(const char* text) { bolza::foreign::say(text, true); }
BOLZA_ENDS void ModelicaError(const char* text) { bolza::foreign::fail(text); }
BOLZA_SEEN void ModelicaVFormatMessage(const char* format, std::va_list a) {
  bolza::foreign::say(bolza::foreign::formatted(format, a).c_str(), false);
}
BOLZA_SEEN void ModelicaVFormatWarning(const char* format, std::va_list a) {
  bolza::foreign::say(bolza::foreign::formatted(format, a).c_str(), true);
}
BOLZA_ENDS void ModelicaVFormatError(const char* format, std::va_list a) {
  static thread_local std::array<char, 2048> text;  // no destructor is left behind
  std::vsnprintf(text.data(), text.size(), format, a);
  bolza::foreign::fail(text.data());
}
BOLZA_SEEN void ModelicaFormatMessage(const char* format, ...) {
  std::va_list a;
  va_start(a, format);
  ModelicaVFormatMessage(format, a);
  va_end(a);
}
BOLZA_SEEN void ModelicaFormatWarning(const char* format, ...) {
  std::va_list a;
  va_start(a, format);
  ModelicaVFormatWarning(format, a);
  va_end(a);
}
BOLZA_ENDS void ModelicaFormatError(const char* format, ...) {
  std::va_list a;
  va_start(a, format);
  ModelicaVFormatError(format, a);
  va_end(a);
}
BOLZA_SEEN char* ModelicaAllocateString(std::size_t length) { return bolza::foreign::allocate(length); }
BOLZA_SEEN char* ModelicaAllocateStringWithErrorReturn(std::size_t length) { return bolza::foreign::allocate(length); }
BOLZA_SEEN char* ModelicaDuplicateString(const char* text) {
  char* copy = bolza::foreign::allocate(std::strlen(text));
  return std::strcpy(copy, text);
}
/// What LAPACK calls when an argument is wrong; its own one would end the process, with success.
BOLZA_SEEN void xerbla_(const char* routine, const int* argument, std::size_t length) {
  int n = static_cast<int>(length < 32 ? length : 32);
  while (n > 0 && routine[n - 1] == ' ') --n;
  ModelicaFormatError("argument %d of LAPACK's %.*s is wrong", *argument, n, routine);
}
BOLZA_SEEN char* ModelicaDuplicateStringWithErrorReturn(const char* text) { return ModelicaDuplicateString(text); }
}
