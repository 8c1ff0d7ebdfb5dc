// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>

#include "server/database/database.h"

namespace bolza::server {

/// One step of the schema: from the version before to `version`.
struct SchemaStep {
  int version;
  std::span<const std::string_view> statements;
};
std::span<const SchemaStep> schema_steps();

/// Brings the schema to the newest version, each step in a transaction; others wait meanwhile. @param last  0: the newest
/// Errors: DatabaseFault, also where the database is newer than this program.
void migrate(Database& database, int last = 0);

}  // namespace bolza::server
