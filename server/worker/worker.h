// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "server/entry.h"
#include "server/program/program.h"

namespace bolza::server {

/// What a job came to when it is run in a folder of its own; the database is not asked.
/// @param owner  the account, whose kernels are used  @param guess  trajectory to start from, or to be verified, "" none
/// @param look  true: it is to end
JobEnd run_job(const JobRequest& request, const std::string& owner, const JobOptions& options, const WorkRequest& work,
               const std::string& guess, const std::function<void(const std::string&)>& line,
               const std::function<bool()>& look);

/// `bolza worker`: takes jobs of a database one after another until a signal comes. A database that is away is asked again.
int work(const WorkRequest& request);

}  // namespace bolza::server
