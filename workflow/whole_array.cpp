// SPDX-License-Identifier: Apache-2.0
#include "workflow/whole_array.h"

namespace bolza::workflow {

std::string whole_array(std::string_view name) {
  std::string out;
  int depth = 0;
  for (char c : name) {
    depth += c == '[';
    if (depth == 0) out += c;
    depth -= c == ']';
  }
  return out;
}

}  // namespace bolza::workflow
