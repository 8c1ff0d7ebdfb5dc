// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/nlp/engine_table.h"
#include "tests/unit/nlp/formulas.h"

namespace bolza::nlp::testing {

/// An engine with one of the matrices of second derivatives that it takes.
struct EngineCase {
  const Engine* engine = nullptr;
  Hessian hessian = Hessian::exact;
  std::string name() const;
  EngineOptions options() const;
};

/// Every available engine of the table that takes the problem's rows, with every matrix that it takes and the problem has.
std::vector<EngineCase> cases_for(const Nlp& nlp);

const char* name_of(Hessian hessian);
const char* name_of(Status status);

/// One thing that an engine is known not to do, and why: a limit of its method or a shortcoming that is known.
struct EngineException {
  std::string_view engine, hessian;  ///< hessian empty: all
  std::string_view topic;            ///< `HS13`, or what the test calls it
  std::string_view reason;
};
std::span<const EngineException> engine_exceptions();
const EngineException* exception_for(const EngineCase& the_case, std::string_view topic);

/// Fails when there is a complaint, or when there is none but an exception says so: the table stays as short as it can be.
void judge(const EngineCase& the_case, std::string_view topic, const std::string& complaint);

}  // namespace bolza::nlp::testing
