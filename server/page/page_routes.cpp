// SPDX-License-Identifier: Apache-2.0
#include "server/page/tables.h"

namespace bolza::server {

std::vector<std::span<const Route>> page_routes() { return {job_pages(), new_job_pages(), account_pages(), asset_pages()}; }

}  // namespace bolza::server
