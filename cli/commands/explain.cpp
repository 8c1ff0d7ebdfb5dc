// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "base/printable.h"
#include "cli/commands.h"
#include "cli/print.h"
#include "workflow/all_codes.h"
#include "workflow/solve/outcome/warnings.h"

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

/// Kinds of warnings about a solution as codes of their own: their name is what they are called by.
std::vector<Code> kinds_of_warnings() {
  std::vector<Code> kinds;
  for (const workflow::WarningRow& row : workflow::warning_table())
    kinds.push_back({row.name, "a warning about a solution", row.meaning});
  return kinds;
}

}  // namespace

int run_explain(const Arguments& arguments) {
  std::vector<const Code*> codes = workflow::all_codes();
  const std::vector<Code> kinds = kinds_of_warnings();
  for (const Code& kind : kinds) codes.push_back(&kind);
  nlohmann::json list = nlohmann::json::array();
  if (arguments.words.empty()) {
    for (const Code* code : codes) {
      list.push_back(code_json(*code));
      if (!arguments.print.json)
        std::printf("%-6.*s %.*s\n", static_cast<int>(code->id.size()), code->id.data(),
                    static_cast<int>(code->message.size()), code->message.data());
    }
    if (arguments.print.json) print_json(list);
    return fine;
  }
  int result = fine;
  for (const std::string& name : arguments.words) {
    auto upper = [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; };
    auto is_called = [&](const Code* code) {
      return std::ranges::equal(code->id, name, [&](char a, char b) { return upper(a) == upper(b); });
    };
    auto found = std::find_if(codes.begin(), codes.end(), is_called);
    if (found == codes.end()) {
      std::fprintf(stderr, "error: there is no diagnostic `%s`; `bolza explain` lists all of them\n",
                   printable(name).c_str());
      result = bad_input;
    } else if (arguments.print.json) {
      list.push_back(code_json(**found));
    } else {
      print_code(**found);
    }
  }
  if (arguments.print.json) print_json(list);
  return result;
}

}  // namespace bolza::cli
