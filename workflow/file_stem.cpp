// SPDX-License-Identifier: Apache-2.0
#include "workflow/file_stem.h"

namespace bolza::workflow {

std::string file_stem(std::string_view class_name) {
  std::string stem(class_name.substr(class_name.rfind('.') == std::string_view::npos ? 0 : class_name.rfind('.') + 1));
  for (char& c : stem)
    if (c == '/' || c == '\'' || c == ' ') c = '_';
  return stem;
}

}  // namespace bolza::workflow
