// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace bolza {

/// Where someone else than the user (or root) can change what lies in a folder: the folder itself, when it belongs to
/// another user or others may write it, or one above it where all may remove and rename (written by all, without the sticky
/// bit). "" when nobody can, or the folder does not exist. Links are followed.
std::string folder_of_others(const std::string& folder);

}  // namespace bolza
