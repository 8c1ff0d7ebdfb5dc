// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

namespace bolza::workflow {

/// "VanDerPol" of "Package.VanDerPol", with characters that file systems dislike replaced.
std::string file_stem(std::string_view class_name);

}  // namespace bolza::workflow
