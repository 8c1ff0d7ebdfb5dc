// SPDX-License-Identifier: Apache-2.0
#include "base/digest.h"

#include <gtest/gtest.h>

namespace bolza {
namespace {

// Expected: the reference implementation of BLAKE2b with 16 bytes of output.
TEST(Digest, is_that_of_the_reference_implementation) {
  EXPECT_EQ(digest(""), "cae66941d9efbd404e4d88758ea67670");
  EXPECT_EQ(digest("abc"), "cf4ab791c62b8d2b2109c90275287816");
  EXPECT_EQ(digest(std::string(128, 'y')), "ecaaf4a7e55c8dacadb2769cf8264a31") << "a whole block";
  EXPECT_EQ(digest(std::string(129, 'z')), "775c9dd6c48b9173f6f3f9d39fb96a90") << "a byte more";
  EXPECT_EQ(digest(std::string(1000, 'x')), "c9b2bd4ff487864c29fb41fab3e8187e");
}

}  // namespace
}  // namespace bolza
