// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/unit/nlp/conformance/cases.h"

namespace bolza::nlp::testing {

void judge(const EngineCase& the_case, std::string_view topic, const std::string& complaint) {
  const EngineException* known = exception_for(the_case, topic);
  if (known && complaint.empty())
    ADD_FAILURE() << the_case.name() << ", " << topic
                  << ": passes, so the exception has no reason any more: " << known->reason;
  if (!known && !complaint.empty()) ADD_FAILURE() << the_case.name() << ", " << topic << ": " << complaint;
}

}  // namespace bolza::nlp::testing
