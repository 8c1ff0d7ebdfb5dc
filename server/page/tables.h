// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "server/page/page.h"

namespace bolza::server {

std::span<const Route> job_pages();
std::span<const Route> new_job_pages();
std::span<const Route> account_pages();
std::span<const Route> asset_pages();

/// Where a submission leads: to its page, or to what was wrong. @param answer  of `queue_job`
Answer page_of_queued(const Call& call, const Answer& answer);
/// Files of the examples, sorted.
std::vector<std::string> example_names();

}  // namespace bolza::server
