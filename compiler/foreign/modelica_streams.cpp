// SPDX-License-Identifier: Apache-2.0
// Printing of the Modelica library. Files are not kept open, so there is nothing to close.
#include <cstdio>

#include "compiler/foreign/library_functions.h"

extern "C" {
void ModelicaMessage(const char* text);
[[noreturn]] void ModelicaFormatError(const char* format, ...);

/// A line to the terminal, or to the end of a file.
void ModelicaInternal_print(const char* text, const char* file) {
  if (*file == '\0') return ModelicaMessage(text);
  std::FILE* out = std::fopen(file, "a");
  if (out == nullptr) ModelicaFormatError("`%s` cannot be opened for writing", file);
  bool written = std::fputs(text, out) >= 0 && std::fputc('\n', out) >= 0;
  if (std::fclose(out) != 0 || !written) ModelicaFormatError("`%s` cannot be written", file);
}

void ModelicaStreams_closeFile(const char*) {}
}
