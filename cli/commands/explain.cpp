// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "base/printable.h"
#include "cli/commands.h"
#include "cli/print.h"
#include "workflow/all_codes.h"

namespace bolza::cli {
namespace {

void print_code(const Code& code) {
  std::printf("%.*s: %.*s\n\n%.*s\n", static_cast<int>(code.id.size()), code.id.data(),
              static_cast<int>(code.message.size()), code.message.data(), static_cast<int>(code.explanation.size()),
              code.explanation.data());
}

nlohmann::json code_json(const Code& code) {
  return {{"code", code.id}, {"message", code.message}, {"explanation", code.explanation}};
}

}  // namespace

int run_explain(const Arguments& arguments) {
  std::vector<const Code*> codes = workflow::all_codes();
  nlohmann::json list = nlohmann::json::array();
  if (arguments.names.empty()) {
    for (const Code* code : codes) {
      list.push_back(code_json(*code));
      if (!arguments.json)
        std::printf("%-6.*s %.*s\n", static_cast<int>(code->id.size()), code->id.data(),
                    static_cast<int>(code->message.size()), code->message.data());
    }
    if (arguments.json) print_json(list);
    return fine;
  }
  int result = fine;
  for (std::string name : arguments.names) {
    for (char& c : name) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    auto found = std::find_if(codes.begin(), codes.end(), [&](const Code* code) { return code->id == name; });
    if (found == codes.end()) {
      std::fprintf(stderr, "error: there is no diagnostic `%s`; `bolza explain` lists all of them\n",
                   printable(name).c_str());
      result = bad_input;
    } else if (arguments.json) {
      list.push_back(code_json(**found));
    } else {
      print_code(**found);
    }
  }
  if (arguments.json) print_json(list);
  return result;
}

}  // namespace bolza::cli
