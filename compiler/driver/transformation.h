// SPDX-License-Identifier: Apache-2.0
// What options make of a model, for those who sit above the compiler.
#pragma once
#include "compiler/passes/system/transformation.h"  // IWYU pragma: export
