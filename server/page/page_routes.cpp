// SPDX-License-Identifier: Apache-2.0
#include "server/page/page.h"

namespace bolza::server {
std::span<const Route> page_routes() { return {}; }
}  // namespace bolza::server
