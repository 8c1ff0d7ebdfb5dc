// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <string>

#include "runtime/nlp/nlp.h"

namespace bolza::nlp {

/// Where a solve in a child process puts points that are worth keeping if it does not end well.
class Incumbents {
 public:
  virtual ~Incumbents() = default;
  virtual void offer(std::span<const double> w, double objective) = 0;  ///< w [n]
};

using ChildSolve = std::function<Report(const Nlp&, const EngineOptions&, const Iterate&, Incumbents&)>;

/// Calls `solve` in a child process, for libraries that may end theirs: assertions of theirs then end the child only. The
/// child has the problem's structure and asks for its values, which are computed here; it prints nothing. Of the report come
/// back status, message, objective, w, iterations and `integers`; multipliers are 0. An interrupt reaches the child at its
/// next evaluation. Soon after an interrupt or the limit of time it is killed.
///
/// @param who  names what was called in messages: "bonmin's algorithm B-QG"
/// Errors  A child that dies: Status::failed with what it said last. The last incumbent is kept, `integers.found` says so.
/// Cost    a fork, and two context switches for every value of a function.
Report solve_in_child(const Nlp& nlp, const EngineOptions& options, const Iterate& start, const std::string& who,
                      const ChildSolve& solve);

}  // namespace bolza::nlp
