// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "server/entry.h"

namespace bolza::server {

/// `bolza solve … --server URL`: submits, shows the progress, writes the results where the command would. The exit code of
/// the job; 2 where the server refuses it or is not reached. Ctrl-C cancels the job.
int run_remotely(const RemoteRequest& request);

/// `bolza jobs`: list, show, cancel, get.
int remote_jobs(const RemoteJobsRequest& request);

}  // namespace bolza::server
