// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <gtest/gtest.h>

#include "base/memory_policy.h"

namespace bolza::nlp::testing {

/// Tests that loop over the engines of the table. Memory is kept as the program keeps it: half the time of a factorisation
/// otherwise.
class NlpEngines : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { keep_freed_memory(); }
};

}  // namespace bolza::nlp::testing
