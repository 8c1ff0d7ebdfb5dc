// SPDX-License-Identifier: Apache-2.0
#include "compiler/driver/code_table.h"

#include "compiler/driver/compile_codes.h"
#include "compiler/driver/option_codes.h"
#include "compiler/flatten/fields/codes.h"
#include "compiler/flatten/nodes/clock_codes.h"
#include "compiler/flatten/nodes/codes.h"
#include "compiler/instance/library/codes.h"
#include "compiler/passes/system/codes.h"
#include "compiler/syntax/codes.h"

namespace bolza::driver {

namespace {

template <class Table>
void append(std::vector<const Code*>& all, const Table& table) {
  all.insert(all.end(), table.begin(), table.end());
}

}  // namespace

std::vector<const Code*> compiler_codes() {
  std::vector<const Code*> all;
  append(all, syntax::all_codes);
  append(all, instance::all_codes);
  append(all, flatten::all_codes);
  append(all, flatten::field_codes);
  append(all, flatten::clock_codes);
  append(all, passes::all_codes);
  append(all, option_codes);
  append(all, compile_codes);
  return all;
}

}  // namespace bolza::driver
