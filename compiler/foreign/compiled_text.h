// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

namespace bolza::foreign {

/// C text of a model (`annotation(Include = …)`) and where what it names is.
struct CText {
  std::string text;
  std::vector<std::string> include_directories;  ///< searched for `#include "…"` and `<…>`, in this order
  std::vector<std::string> libraries;            ///< files the text is linked with
};

struct CompiledText {
  std::string file;    ///< of the shared library; "": there is none
  std::string reason;  ///< why not: the compiler's first error, or that there is no compiler
};

/// Makes a shared library of the text by the system's C compiler ($CC, else `cc`). Kept in the cache of kernels under what
/// the preprocessor makes of the text, so that it is compiled once for each text and content of the files that it includes.
/// The same text gives the same library, and with it the same static variables, to all functions of a process.
/// Errors  in `reason`.     Cost  one run of the preprocessor, some 10 ms; of the compiler, some 50 ms, the first time.
CompiledText compile_text(const CText& source);

}  // namespace bolza::foreign
