// SPDX-License-Identifier: Apache-2.0
// Matrices in MATLAB files: level 4, and level 5 (versions 6 and 7, the latter with compressed parts).
#include "compiler/foreign/mat_files.h"

#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <string_view>

namespace bolza::foreign {
namespace {

using Rows = std::vector<std::vector<double>>;

constexpr std::size_t most_elements = 100'000'000;  // of a matrix: a damaged size must not ask for all memory

/// Reads numbers of either byte order; `failed` when the file ends too early.
class Bytes {
 public:
  Bytes(std::string_view data, bool swapped) : data_(data), swapped_(swapped) {}

  bool failed = false;
  std::size_t left() const { return data_.size() - at_; }
  std::string_view take(std::size_t n) {
    if (n > left()) {
      failed = true;
      return {};
    }
    std::string_view part = data_.substr(at_, n);
    at_ += n;
    return part;
  }
  template <class T>
  T number() {
    char raw[sizeof(T)] = {};
    std::string_view part = take(sizeof(T));
    for (std::size_t k = 0; k < part.size(); ++k) raw[swapped_ ? sizeof(T) - 1 - k : k] = part[k];
    T value;
    std::memcpy(&value, raw, sizeof(T));
    return value;
  }

 private:
  std::string_view data_;
  std::size_t at_ = 0;
  bool swapped_;
};

template <class T>
void append(Bytes& from, std::size_t n, std::vector<double>& to) {
  for (std::size_t k = 0; k < n && !from.failed; ++k) to.push_back(static_cast<double>(from.number<T>()));
}

/// Columns one after the other, as MATLAB stores them, as rows.
std::optional<Rows> as_rows(const std::vector<double>& stored, std::size_t rows, std::size_t columns) {
  if (columns == 0 || stored.size() < rows * columns) return {};
  Rows out(rows, std::vector<double>(columns));
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j) out[i][j] = stored[j * rows + i];
  return out;
}

// ---------------------------------------------------------------- level 4

/// Type MOPT: machine, 0, precision, kind of matrix. Only full matrices of this machine's byte order or its reverse.
std::optional<Rows> level_4(std::string_view data, const std::string& wanted) {
  bool swapped = false;
  for (Bytes in(data, swapped); in.left() >= 20;) {
    auto type = in.number<std::int32_t>();
    if (type < 0 || type > 4052) {
      if (swapped) return {};
      swapped = true;
      in = Bytes(data, swapped);
      continue;
    }
    auto rows = in.number<std::int32_t>(), columns = in.number<std::int32_t>(), imaginary = in.number<std::int32_t>(),
         name_size = in.number<std::int32_t>();
    if (rows < 0 || columns < 0 || name_size < 1) return {};
    std::size_t n = static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
    std::string_view name = in.take(static_cast<std::size_t>(name_size));
    constexpr std::size_t sizes[] = {8, 4, 4, 2, 2, 1};
    auto precision = static_cast<std::size_t>(type / 10 % 10);
    if (in.failed || precision > 5 || n > most_elements) return {};
    bool numeric = type % 10 == 0;
    if (!numeric || name.substr(0, name.find('\0')) != wanted) {
      in.take(n * sizes[precision] * (imaginary ? 2 : 1));
      continue;
    }
    std::vector<double> stored;
    if (precision == 0) append<double>(in, n, stored);
    else if (precision == 1) append<float>(in, n, stored);
    else if (precision == 2) append<std::int32_t>(in, n, stored);
    else if (precision == 3) append<std::int16_t>(in, n, stored);
    else if (precision == 4) append<std::uint16_t>(in, n, stored);
    else append<std::uint8_t>(in, n, stored);
    if (in.failed) return {};
    return as_rows(stored, static_cast<std::size_t>(rows), static_cast<std::size_t>(columns));
  }
  return {};
}

// ---------------------------------------------------------------- level 5

enum Type : std::uint32_t {
  int8 = 1,
  uint8,
  int16,
  uint16,
  int32,
  uint32,
  single,
  doubles = 9,
  int64 = 12,
  uint64,
  matrix,
  compressed,
};

struct Element {
  std::uint32_t type = 0;
  std::string_view data;
};

std::optional<Element> next_element(Bytes& in) {
  if (in.left() < 8) return {};
  auto type = in.number<std::uint32_t>();
  if (type >> 16) {  // small: size and type in four bytes, data in the next four
    std::string_view data = in.take(4);
    return Element{type & 0xFFFFu, data.substr(0, type >> 16)};
  }
  auto size = in.number<std::uint32_t>();
  std::string_view data = in.take(size);
  if (type != compressed && size % 8 != 0) in.take(std::min<std::size_t>(8 - size % 8, in.left()));
  return in.failed ? std::nullopt : std::optional(Element{type, data});
}

std::optional<std::string> inflated(std::string_view data) {
  z_stream stream{};
  if (inflateInit(&stream) != Z_OK) return {};
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(data.data()));
  stream.avail_in = static_cast<uInt>(data.size());
  std::string out;
  int status = Z_OK;
  while (status == Z_OK && out.size() < 8 * most_elements) {
    char part[65536];
    stream.next_out = reinterpret_cast<Bytef*>(part);
    stream.avail_out = sizeof part;
    status = inflate(&stream, Z_NO_FLUSH);
    out.append(part, sizeof part - stream.avail_out);
    if (status == Z_BUF_ERROR || (stream.avail_in == 0 && stream.avail_out > 0)) break;
  }
  inflateEnd(&stream);
  if (status != Z_OK && status != Z_STREAM_END) return {};
  return out;
}

std::vector<double> numbers_of(const Element& element, bool swapped) {
  Bytes in(element.data, swapped);
  std::vector<double> out;
  std::size_t n = element.data.size();
  if (element.type == int8) append<std::int8_t>(in, n, out);
  else if (element.type == uint8) append<std::uint8_t>(in, n, out);
  else if (element.type == int16) append<std::int16_t>(in, n / 2, out);
  else if (element.type == uint16) append<std::uint16_t>(in, n / 2, out);
  else if (element.type == int32) append<std::int32_t>(in, n / 4, out);
  else if (element.type == uint32) append<std::uint32_t>(in, n / 4, out);
  else if (element.type == single) append<float>(in, n / 4, out);
  else if (element.type == doubles) append<double>(in, n / 8, out);
  else if (element.type == int64) append<std::int64_t>(in, n / 8, out);
  else if (element.type == uint64) append<std::uint64_t>(in, n / 8, out);
  return out;
}

constexpr std::uint8_t struct_class = 2, first_numeric_class = 6, last_numeric_class = 15;  // 5: sparse

/// What the last part of a path `s.t.tab` names in a struct: flags, dimensions, name, the length of the names of the fields,
/// these, the fields of the first element; `in` stands after the name.
std::optional<Rows> field_named(Bytes& in, bool swapped, std::string_view wanted);

/// Flags, dimensions, name, real part; of a struct `s` the field for the name `s.field`. A field has no name of its own.
std::optional<Rows> matrix_named(std::string_view data, bool swapped, std::string_view wanted, bool is_field = false) {
  Bytes in(data, swapped);
  auto flags = next_element(in), dimensions = next_element(in), name = next_element(in);
  if (!flags || !dimensions || !name || flags->data.size() < 4) return {};
  Bytes of_flags(flags->data, swapped);
  auto of_class = static_cast<std::uint8_t>(of_flags.number<std::uint32_t>() & 0xFF);
  if (of_class == struct_class) {
    std::size_t dot = name->data.size();
    if (is_field) return field_named(in, swapped, wanted);
    if (!wanted.starts_with(name->data) || wanted.size() <= dot || wanted[dot] != '.') return {};
    return field_named(in, swapped, wanted.substr(dot + 1));
  }
  bool is_it = is_field ? wanted.empty() : name->data == wanted;
  if (!is_it || of_class < first_numeric_class || of_class > last_numeric_class) return {};
  std::vector<double> sizes = numbers_of(*dimensions, swapped);
  auto real = next_element(in);
  if (!real || sizes.size() != 2 || sizes[0] < 0 || sizes[1] < 0 || sizes[0] * sizes[1] > most_elements) return {};
  return as_rows(numbers_of(*real, swapped), static_cast<std::size_t>(sizes[0]), static_cast<std::size_t>(sizes[1]));
}

std::optional<Rows> field_named(Bytes& in, bool swapped, std::string_view wanted) {
  auto length_of = next_element(in), names = next_element(in);
  std::vector<double> lengths = length_of ? numbers_of(*length_of, swapped) : std::vector<double>();
  if (!names || lengths.empty() || !(lengths[0] >= 1)) return {};
  auto length = static_cast<std::size_t>(lengths[0]);
  std::size_t dot = std::min(wanted.find('.'), wanted.size());
  for (std::size_t k = 0; (k + 1) * length <= names->data.size(); ++k) {
    auto field = next_element(in);
    if (!field || field->type != matrix) return {};
    std::string_view name = names->data.substr(k * length, length);
    name = name.substr(0, name.find('\0'));
    if (name == wanted.substr(0, dot))
      return matrix_named(field->data, swapped, wanted.substr(std::min(dot + 1, wanted.size())), true);
  }
  return {};
}

std::optional<Rows> level_5(std::string_view data, const std::string& wanted) {
  bool swapped = (data.substr(126, 2) == "MI") == (std::endian::native == std::endian::little);
  for (Bytes in(data.substr(128), swapped); auto element = next_element(in);) {
    std::string opened;
    if (element->type == compressed) {
      auto inside = inflated(element->data);
      if (!inside) return {};
      opened = std::move(*inside);
      Bytes part(opened, swapped);
      element = next_element(part);
      if (!element) return {};
    }
    if (element->type != matrix) continue;
    if (auto rows = matrix_named(element->data, swapped, wanted)) return rows;
  }
  return {};
}

// ---------------------------------------------------------------- writing

template <class T>
void put(std::string& out, T value) {
  char raw[sizeof(T)];
  std::memcpy(raw, &value, sizeof(T));
  out.append(raw, sizeof(T));
}

void put_by_columns(std::string& out, std::span<const double> numbers, std::size_t rows, std::size_t columns) {
  for (std::size_t j = 0; j < columns; ++j)
    for (std::size_t i = 0; i < rows; ++i) put(out, numbers[i * columns + j]);
}

std::string element_of(Type type, const std::string& data) {
  std::string out;
  put(out, static_cast<std::uint32_t>(type));
  put(out, static_cast<std::uint32_t>(data.size()));
  out += data;
  if (type != compressed) out.append((8 - data.size() % 8) % 8, '\0');
  return out;
}

std::string deflated(const std::string& data) {
  std::string out(compressBound(data.size()), '\0');
  uLongf size = out.size();
  compress(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(data.data()), data.size());
  out.resize(size);
  return out;
}

}  // namespace

std::optional<Rows> matrix_in_mat_file(const std::string& content, const std::string& name) {
  bool is_level_5 = content.size() >= 128 && (content.compare(126, 2, "IM") == 0 || content.compare(126, 2, "MI") == 0);
  return is_level_5 ? level_5(content, name) : level_4(content, name);
}

std::string mat_file_begin(int version) {
  if (version < 6) return "";
  std::string out = "MATLAB 5.0 MAT-file";
  out.resize(124, ' ');
  put(out, std::uint16_t{0x0100});
  return out + (std::endian::native == std::endian::little ? "IM" : "MI");
}

std::string mat_file_matrix(int version, const std::string& name, std::span<const double> numbers, std::size_t rows,
                            std::size_t columns) {
  std::string out;
  if (version < 6) {
    std::int32_t machine = std::endian::native == std::endian::little ? 0 : 1000;
    for (std::int32_t number : {machine, static_cast<std::int32_t>(rows), static_cast<std::int32_t>(columns), 0,
                                static_cast<std::int32_t>(name.size() + 1)})
      put(out, number);
    out += name + '\0';
    put_by_columns(out, numbers, rows, columns);
    return out;
  }
  std::string flags, sizes, data;
  put(flags, std::uint32_t{6});
  put(flags, std::uint32_t{0});  // of class double
  put(sizes, static_cast<std::int32_t>(rows));
  put(sizes, static_cast<std::int32_t>(columns));
  put_by_columns(data, numbers, rows, columns);
  out = element_of(
      matrix, element_of(uint32, flags) + element_of(int32, sizes) + element_of(int8, name) + element_of(doubles, data));
  return version < 7 ? out : element_of(compressed, deflated(out));
}

}  // namespace bolza::foreign
