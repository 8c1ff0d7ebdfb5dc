// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

namespace bolza {

/// 64 hexadecimal digits: SHA-256 of the bytes, as `sha256sum` prints it. [SHA2]     Cost  some ten nanoseconds a byte.
std::string sha256(std::string_view bytes);

}  // namespace bolza
