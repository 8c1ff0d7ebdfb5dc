// SPDX-License-Identifier: Apache-2.0
#include "server/store/secrets.h"

#include <argon2.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <sys/random.h>

#include <semaphore>
#include <vector>

#include "base/expects.h"

namespace bolza::server {
namespace {

// The costs that OWASP's sheet on passwords gives for argon2id.
constexpr std::uint32_t passes_over_memory = 2, kilobytes = 19 * 1024, lanes = 1;
constexpr std::size_t salt_bytes = 16, hash_bytes = 32, most_at_a_time = 4;

std::counting_semaphore<most_at_a_time> turns{most_at_a_time};
struct Turn {
  Turn() { turns.acquire(); }
  ~Turn() { turns.release(); }
};

std::string random_bytes(std::size_t count) {
  std::string bytes(count, '\0');
  expects(getrandom(bytes.data(), count, 0) == static_cast<ssize_t>(count), "the system gives random numbers");
  return bytes;
}

std::string hexadecimal(std::string_view bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string out;
  for (unsigned char byte : bytes) {
    out += digits[byte >> 4];
    out += digits[byte & 15];
  }
  return out;
}

}  // namespace

std::string random_id() { return hexadecimal(random_bytes(16)); }

std::string random_secret() {
  std::string text = to_base64(random_bytes(32));
  for (char& c : text)
    if (c == '+') c = '-';
    else if (c == '/') c = '_';
  text.resize(text.find('='));
  return text;
}

bool is_same_secret(std::string_view one, std::string_view other) {
  return one.size() == other.size() && CRYPTO_memcmp(one.data(), other.data(), one.size()) == 0;
}

std::string hash_password(const std::string& password) {
  Turn turn;
  std::string salt = random_bytes(salt_bytes);
  std::size_t length = argon2_encodedlen(passes_over_memory, kilobytes, lanes, salt_bytes, hash_bytes, Argon2_id);
  std::vector<char> text(length);
  int code = argon2id_hash_encoded(passes_over_memory, kilobytes, lanes, password.data(), password.size(), salt.data(),
                                   salt.size(), hash_bytes, text.data(), text.size());
  expects(code == ARGON2_OK, "there is memory for the hash of a password");
  return text.data();
}

bool is_password(const std::string& password, const std::string& hash) {
  static const std::string of_nobody = hash_password(random_secret());
  Turn turn;
  int code = argon2id_verify((hash.empty() ? of_nobody : hash).c_str(), password.data(), password.size());
  return code == ARGON2_OK && !hash.empty();
}

std::string to_base64(std::string_view bytes) {
  std::string out(4 * ((bytes.size() + 2) / 3) + 1, '\0');
  int size = EVP_EncodeBlock(reinterpret_cast<unsigned char*>(out.data()),
                             reinterpret_cast<const unsigned char*>(bytes.data()), static_cast<int>(bytes.size()));
  out.resize(static_cast<std::size_t>(size));
  return out;
}

std::string from_base64(std::string_view text, bool& is_good) {
  std::string out(3 * (text.size() / 4) + 3, '\0');
  int size = EVP_DecodeBlock(reinterpret_cast<unsigned char*>(out.data()),
                             reinterpret_cast<const unsigned char*>(text.data()), static_cast<int>(text.size()));
  is_good = size >= 0 && text.size() % 4 == 0;
  std::size_t padding = text.ends_with("==") ? 2 : text.ends_with("=") ? 1 : 0;
  out.resize(is_good ? static_cast<std::size_t>(size) - padding : 0);
  return out;
}

}  // namespace bolza::server
