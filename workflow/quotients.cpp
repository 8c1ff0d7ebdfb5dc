// SPDX-License-Identifier: Apache-2.0
#include "workflow/quotients.h"

namespace bolza::workflow {

std::vector<std::string> difference_quotients(const Model& model) {
  std::vector<std::string> names;
  for (const Diagnostic& d : model.diagnostics.all()) {
    if (std::string_view(d.code->id) != "W306") continue;
    std::size_t begin = d.message.find('`') + 1, end = d.message.find('`', begin);
    names.push_back(d.message.substr(begin, end - begin));
  }
  return names;
}

}  // namespace bolza::workflow
