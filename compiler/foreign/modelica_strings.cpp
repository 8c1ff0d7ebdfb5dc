// SPDX-License-Identifier: Apache-2.0
// Functions on texts that the Modelica library keeps in C and calls while models run.
#include <algorithm>
#include <cctype>
#include <string>

#include "compiler/foreign/library_functions.h"

/// 1, 2, 3: the first text comes before the second one, is the same, comes after it.
extern "C" int ModelicaStrings_compare(const char* a, const char* b, int case_sensitive) {
  std::string left = a, right = b;
  if (case_sensitive == 0)
    for (std::string* text : {&left, &right})
      std::transform(text->begin(), text->end(), text->begin(), [](unsigned char c) { return std::tolower(c); });
  return left < right ? 1 : left == right ? 2 : 3;
}
