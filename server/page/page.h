// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "server/api/application.h"

namespace bolza::server {

/// What people see: pages that are complete without scripts, which make them livelier.
std::vector<std::span<const Route>> page_routes();

}  // namespace bolza::server
