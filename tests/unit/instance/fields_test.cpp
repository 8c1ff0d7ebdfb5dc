// SPDX-License-Identifier: Apache-2.0
#include "made.h"

namespace bolza::instance {
namespace {

std::string told(const std::string& text) { return Made(text).codes(); }

TEST(Fields, need_a_domain) {
  EXPECT_EQ(told("model M field Real u; end M;"), "E501");
  EXPECT_EQ(told("model M Real v; field Real u(domain = v); end M;"), "E502");
  EXPECT_EQ(told("model M field Real u(domain = 1 + 1); end M;"), "E502");
  EXPECT_EQ(told("model M field Real u(domain = v); end M;"), "E203");
}

}  // namespace
}  // namespace bolza::instance
