// SPDX-License-Identifier: Apache-2.0
// External C functions of the Modelica library that are about files and folders.
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "compiler/instance/functions/external_function.h"
#include "compiler/instance/functions/external_values_internal.h"
#include "compiler/instance/library/folders_internal.h"

namespace bolza::instance {

namespace fs = std::filesystem;

std::string file_of(const std::string& uri, Library& library) {
  if (uri.starts_with("file://")) return uri.substr(7);
  std::string_view scheme = "modelica://";
  if (!uri.starts_with(scheme)) return uri;
  std::string rest = uri.substr(scheme.size());
  std::size_t slash = std::min(rest.find('/'), rest.size());
  if (fs::path(rest.substr(slash)).relative_path().lexically_normal().string().starts_with("..")) return uri;
  Diagnostics aside;
  auto package = library.find_quietly(rest.substr(0, slash), aside);
  if (!package || !*package) return uri;
  const Definition* at = *package;
  std::string file(library.sources().path(at->source));
  std::string inside = folder_of(file) + rest.substr(slash);
  std::error_code ignored;
  while (!fs::exists(inside, ignored) && at->parent) {  // Modelica.Blocks/… may mean a resource of Modelica
    at = at->parent;
    inside = folder_of(std::string(library.sources().path(at->source))) + rest.substr(slash);
  }
  return inside;
}

namespace {

using Call = LibraryCall;
using Results = LibraryResults;

Results full_path_name(const Call& c) {
  std::error_code error;
  std::string file = file_of(c.text(0), c.library);
  std::string path = fs::weakly_canonical(file, error).generic_string();
  if (error) return std::vector{string_value(c.text(0))};
  if (file.ends_with('/') && !path.ends_with('/')) path += '/';  // so that a name can be put after it
  return std::vector{string_value(path)};
}

/// Literal of Modelica.Utilities.Types.FileType: none, a regular file, a directory, something else.
Results file_type(const Call& c) {
  std::string path = file_of(c.text(0), c.library);
  std::error_code ignored;
  return std::vector{integer_value(is_file(path) ? 2 : is_folder(path) ? 3 : fs::exists(path, ignored) ? 4 : 1)};
}

Results working_directory(const Call&) {
  std::error_code ignored;
  return std::vector{string_value(fs::current_path(ignored).generic_string())};
}

std::optional<std::vector<std::string>> lines_of_file(const Call& c) {
  std::string file = file_of(c.text(0), c.library);
  std::ifstream in(file, std::ios::binary);
  if (!is_file(file) || !in) return std::nullopt;
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) {
    if (line.ends_with('\r')) line.pop_back();
    lines.push_back(std::move(line));
  }
  return lines;
}

Results count_lines(const Call& c) {
  auto lines = lines_of_file(c);
  if (!lines) return std::nullopt;
  return std::vector{integer_value(static_cast<std::int64_t>(lines->size()))};
}

Results read_line(const Call& c) {
  auto lines = lines_of_file(c);
  auto number = static_cast<std::size_t>(std::max<std::int64_t>(c.integer(1), 1));
  if (!lines) return std::nullopt;
  bool past = number > lines->size();
  return std::vector{string_value(past ? "" : (*lines)[number - 1]), boolean_value(past)};
}

Value string_vector(std::vector<std::string> texts) {
  Value out{.kind = ValueKind::string, .dimensions = {static_cast<std::int64_t>(texts.size())}};
  out.strings = std::move(texts);
  return out;
}

/// As many lines as are asked for; the file must have them.
Results read_lines(const Call& c) {
  auto lines = lines_of_file(c);
  auto n = static_cast<std::size_t>(std::max<std::int64_t>(c.integer(1), 0));
  if (!lines || lines->size() < n) return std::nullopt;
  lines->resize(n);
  return std::vector{string_vector(std::move(*lines))};
}

/// The names in a folder in alphabetical order: the library says any order, and runs shall not differ.
std::optional<std::vector<std::string>> names_in_folder(const Call& c) {
  std::error_code error;
  std::vector<std::string> names;
  for (fs::directory_iterator at(file_of(c.text(0), c.library), error), end; !error && at != end; at.increment(error))
    names.push_back(at->path().filename().generic_string());
  if (error) return std::nullopt;
  std::sort(names.begin(), names.end());
  return names;
}

Results count_files(const Call& c) {
  auto names = names_in_folder(c);
  if (!names) return std::nullopt;
  return std::vector{integer_value(static_cast<std::int64_t>(names->size()))};
}

Results read_folder(const Call& c) {
  auto names = names_in_folder(c);
  if (!names || static_cast<std::int64_t>(names->size()) != c.integer(1)) return std::nullopt;
  return std::vector{string_vector(std::move(*names))};
}

/// A name that no file has now.
Results temporary_name(const Call&) {
  std::error_code error;
  fs::path folder = fs::temp_directory_path(error);
  if (error) folder = "/tmp";
  for (int k = 0;; ++k) {
    fs::path name = folder / ("modelica_" + std::to_string(::getpid()) + "_" + std::to_string(k));
    if (!fs::exists(name, error)) return std::vector{string_value(name.generic_string())};
  }
}

constexpr LibraryFunction file_function_rows[] = {
    {"ModelicaInternal_fullPathName", "s", full_path_name},
    {"ModelicaInternal_stat", "s", file_type, Reaches::files},
    {"ModelicaInternal_getcwd", "n", working_directory},
    {"ModelicaInternal_countLines", "s", count_lines, Reaches::files},
    {"ModelicaInternal_readLine", "sn", read_line, Reaches::files},
    {"ModelicaInternal_readFile", "sn", read_lines, Reaches::files},
    {"ModelicaInternal_getNumberOfFiles", "s", count_files, Reaches::files},
    {"ModelicaInternal_readDirectory", "sn", read_folder, Reaches::files},
    {"ModelicaInternal_temporaryFileName", "", temporary_name},
};

}  // namespace

std::span<const LibraryFunction> file_functions() { return file_function_rows; }

}  // namespace bolza::instance
