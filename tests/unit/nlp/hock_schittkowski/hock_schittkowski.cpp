// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/nlp/hock_schittkowski/hock_schittkowski.h"

#include <iterator>

namespace bolza::nlp::testing {

std::vector<HockSchittkowski> hock_schittkowski() {
  std::vector<HockSchittkowski> all;
  for (auto part : {hock_schittkowski_1_to_40, hock_schittkowski_41_to_81, hock_schittkowski_83_to_119}) {
    std::vector<HockSchittkowski> problems = part();
    all.insert(all.end(), std::make_move_iterator(problems.begin()), std::make_move_iterator(problems.end()));
  }
  return all;
}

}  // namespace bolza::nlp::testing
