// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "server/entry.h"

namespace bolza::server {

/// `bolza serve`: answers until SIGINT or SIGTERM, with workers as children that are started again when they end.
int serve(const ServeRequest& request);

}  // namespace bolza::server
