#include "compiler/codegen/cache.h"

#include <unistd.h>

#include <bit>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <thread>

#include "base/cache_folder.h"

namespace bolza::codegen {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view magic = "bolza object 1\n";
constexpr std::string_view extension = ".bolza";
constexpr std::size_t head_size = magic.size() + 16;  // magic, length, checksum

std::uint64_t checksum(std::string_view bytes) {
  std::uint64_t h = 0x9E3779B97F4A7C15ull ^ bytes.size();
  while (!bytes.empty()) {
    std::uint64_t word = 0;
    std::size_t n = bytes.size() < 8 ? bytes.size() : 8;
    std::memcpy(&word, bytes.data(), n);
    h = (std::rotl(h, 29) ^ word) * 0xBF58476D1CE4E5B9ull;
    h ^= h >> 31;
    bytes.remove_prefix(n);
  }
  return h;
}

void append(std::string& text, std::uint64_t word) {
  char raw[8];
  std::memcpy(raw, &word, 8);
  text.append(raw, 8);
}

std::uint64_t word_at(std::string_view text, std::size_t at) {
  std::uint64_t word;
  std::memcpy(&word, text.data() + at, 8);
  return word;
}

std::string read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::string bytes;
  if (!in) return bytes;
  in.seekg(0, std::ios::end);
  std::streamoff size = in.tellg();
  if (size <= 0) return bytes;
  bytes.resize(static_cast<std::size_t>(size));
  in.seekg(0);
  in.read(bytes.data(), size);
  if (!in) bytes.clear();
  return bytes;
}

fs::path file_of(const std::string& directory, const std::string& key) {
  return fs::path(directory) / (key + std::string(extension));
}

template <class Visit>
void for_each_entry(const std::string& directory, Visit visit) {
  std::error_code error;
  for (fs::directory_iterator at(directory, error), end; !error && at != end; at.increment(error))
    if (at->path().extension() == extension && at->is_regular_file(error)) visit(*at);
}

}  // namespace

std::string Cache::default_directory() { return cache_folder(); }

std::optional<std::string> Cache::find(const std::string& key) const {
  if (directory_.empty()) return {};
  std::string bytes = read_file(file_of(directory_, key));
  if (bytes.empty()) return {};
  std::string_view view = bytes;
  bool whole = view.size() >= head_size && view.starts_with(magic) &&
               word_at(view, magic.size()) == view.size() - head_size &&
               word_at(view, magic.size() + 8) == checksum(view.substr(head_size));
  if (whole) return bytes.substr(head_size);
  remove(key);
  return {};
}

void Cache::put(const std::string& key, std::string_view bytes) const {
  if (directory_.empty()) return;
  std::error_code error;
  fs::create_directories(directory_, error);
  std::size_t thread = std::hash<std::thread::id>{}(std::this_thread::get_id());
  fs::path temporary = fs::path(directory_) / (key + "." + std::to_string(getpid()) + "." + std::to_string(thread) + ".tmp");
  std::string head(magic);
  append(head, bytes.size());
  append(head, checksum(bytes));
  {
    std::ofstream out(temporary, std::ios::binary);
    out << head << bytes;
    out.flush();
    if (!out) {
      fs::remove(temporary, error);
      return;
    }
  }
  fs::rename(temporary, file_of(directory_, key), error);
  if (error) fs::remove(temporary, error);
}

void Cache::remove(const std::string& key) const {
  std::error_code error;
  fs::remove(file_of(directory_, key), error);
}

Cache::Size Cache::size() const {
  Size sum;
  for_each_entry(directory_, [&](const fs::directory_entry& entry) {
    std::error_code error;
    ++sum.entries;
    sum.bytes += entry.file_size(error);
  });
  return sum;
}

Cache::Size Cache::clear() const {
  Size sum;
  for_each_entry(directory_, [&](const fs::directory_entry& entry) {
    std::error_code error;
    std::uint64_t bytes = entry.file_size(error);
    if (!fs::remove(entry.path(), error)) return;
    ++sum.entries;
    sum.bytes += bytes;
  });
  return sum;
}

}  // namespace bolza::codegen
