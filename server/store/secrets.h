// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

namespace bolza::server {

/// 32 hexadecimal digits of the system's random numbers: names of jobs and accounts.
std::string random_id();
/// 43 characters that may stand in addresses, 256 random bits: sessions, tokens, links.
std::string random_secret();
/// In a time that does not depend on where they differ.
bool is_same_secret(std::string_view one, std::string_view other);

/// argon2id, as its own text with salt and costs. One call takes some 30 ms and 19 MB; a few run at a time.
std::string hash_password(const std::string& password);
/// @param hash  of `hash_password`; "" where there is no such account: takes as long, and gives false.
bool is_password(const std::string& password, const std::string& hash);

/// Bytes of base64; false in `is_good` where it is not.
std::string from_base64(std::string_view text, bool& is_good);
std::string to_base64(std::string_view bytes);

}  // namespace bolza::server
