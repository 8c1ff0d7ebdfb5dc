// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cli/arguments.h"

namespace bolza::cli {

/// `fine`, or prints E968 and gives `bad_input`: an output is the same file as an input, by whatever name.
int refuse_overwriting(const Arguments& arguments);

}  // namespace bolza::cli
