// SPDX-License-Identifier: Apache-2.0
#include "workflow/fit/petab/sciml/hdf5.h"

#include <bit>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>

#include "workflow/sbml_codes.h"

namespace bolza::workflow {
namespace {

constexpr std::string_view hdf5_signature = "\x89HDF\r\n\x1a\n";

/// Thrown where the bytes do not say what they should; caught by `read_hdf5`.
struct Hdf5Damage {
  std::string what;
};

/// A place in the file, read from low to high bytes.
class Hdf5Bytes {
 public:
  Hdf5Bytes(std::string_view all, std::uint64_t at) : all_(all), at_(at) {}

  std::uint64_t number(unsigned width) {
    std::string_view bytes = take(width);
    std::uint64_t out = 0;
    for (unsigned k = width; k-- > 0;) out = out << 8 | static_cast<unsigned char>(bytes[k]);
    return out;
  }
  std::string_view take(std::uint64_t count) {
    if (at_ > all_.size() || count > all_.size() - at_) throw Hdf5Damage{"it ends too early"};
    std::string_view out = all_.substr(at_, count);
    at_ += count;
    return out;
  }
  void skip(std::uint64_t count) { take(count); }
  void expect(std::string_view word) {
    if (take(word.size()) != word) throw Hdf5Damage{"`" + std::string(word) + "` is not where it should be"};
  }
  std::uint64_t at() const { return at_; }

 private:
  std::string_view all_;
  std::uint64_t at_;
};

/// What messages of an object's header say.
struct Hdf5Object {
  std::optional<std::pair<std::uint64_t, std::uint64_t>> symbols;  // tree, heap
  std::vector<std::pair<std::string, std::uint64_t>> links;        // name, header
  std::optional<std::vector<std::size_t>> shape;
  enum class Type : std::uint8_t { none, real, integer, other } type = Type::none;
  bool is_signed = false, is_big = false;
  unsigned width = 0;
  std::optional<std::string_view> data;
  std::string trouble;  // why the data are not read
};

class Hdf5Reader {
 public:
  Hdf5Reader(std::string_view all, Hdf5Content& out) : all_(all), out_(out) {}

  void run() {
    Hdf5Bytes b(all_, 0);
    b.expect(hdf5_signature);
    std::uint64_t version = b.number(1);
    if (version <= 1) {
      b.skip(4);
      check_widths(b);
      b.skip(version == 0 ? 9 : 13);
      base_ = b.number(8);
      b.skip(24 + 8);
    } else if (version <= 3) {
      check_widths(b);
      b.skip(1);
      base_ = b.number(8);
      b.skip(16);
    } else {
      throw Hdf5Damage{"its version " + std::to_string(version) + " is not known"};
    }
    object(b.number(8), "", 0);
  }

 private:
  static constexpr int deepest = 32;
  static constexpr std::size_t most_objects = 100000, most_blocks = 256;  ///< blocks: of one header, each below the last
  enum Message : std::uint16_t {
    dataspace = 1,
    link_info = 2,
    datatype = 3,
    link = 6,
    layout = 8,
    more = 16,
    symbol_table = 17
  };

  static void check_widths(Hdf5Bytes& b) {
    if (b.number(1) != 8 || b.number(1) != 8) throw Hdf5Damage{"its addresses are not of 8 bytes"};
  }
  Hdf5Bytes place(std::uint64_t address) const { return {all_, base_ + address}; }

  void object(std::uint64_t address, const std::string& path, int depth) {
    if (depth > deepest || ++objects_ > most_objects) throw Hdf5Damage{"its groups contain each other"};
    Hdf5Object o;
    header(address, o);
    auto below = [&](const std::string& name) { return path.empty() ? name : path + "/" + name; };
    if (o.symbols) tree(o.symbols->first, heap_of(o.symbols->second), o, depth);
    for (const auto& [name, at] : o.links) object(at, below(name), depth + 1);
    if (o.shape && o.type != Hdf5Object::Type::none) numbers(o, path);
    else if (!o.trouble.empty()) out_.others[path] = o.trouble;
  }

  // ---------------------------------------------------------------- headers of objects

  void header(std::uint64_t address, Hdf5Object& o) {
    Hdf5Bytes b = place(address);
    messages_ = blocks_ = 0;
    if (all_.substr(std::min<std::size_t>(b.at(), all_.size()), 4) == "OHDR") return new_header(b, o);
    if (b.number(1) != 1) throw Hdf5Damage{"the header of an object has an unknown version"};
    b.skip(7);
    std::uint64_t size = b.number(4);
    b.skip(4);
    messages(b, b.at() + size, o, /*is_new=*/false, /*ordered=*/false);
  }

  void new_header(Hdf5Bytes b, Hdf5Object& o) {
    b.skip(4 + 1);
    std::uint64_t flags = b.number(1);
    b.skip((flags & 0x20 ? 16 : 0) + (flags & 0x10 ? 4 : 0));
    std::uint64_t size = b.number(1U << (flags & 3));
    messages(b, b.at() + size, o, /*is_new=*/true, (flags & 4) != 0);
  }

  void messages(Hdf5Bytes b, std::uint64_t end, Hdf5Object& o, bool is_new, bool ordered) {
    std::uint64_t head = is_new ? (ordered ? 6 : 4) : 8;
    while (b.at() + head <= end) {
      if (++messages_ > most_objects) throw Hdf5Damage{"the header of an object does not end"};
      std::uint64_t type = b.number(is_new ? 1 : 2), size = b.number(2), flags = b.number(1);
      b.skip(is_new ? (ordered ? 2 : 0) : 3);
      Hdf5Bytes content = b;
      b.skip(size);
      if (type == more) {
        if (++blocks_ > most_blocks) throw Hdf5Damage{"the header of an object does not end"};
        std::uint64_t at = content.number(8), length = content.number(8);
        Hdf5Bytes next = place(at);
        if (is_new) next.expect("OCHK");
        messages(next, base_ + at + length - (is_new ? 4 : 0), o, is_new, ordered);
      } else if (flags & 2) {
        o.trouble = "parts of it are shared";
      } else {
        message(static_cast<std::uint16_t>(type), content, o);
      }
    }
  }

  void message(std::uint16_t type, Hdf5Bytes b, Hdf5Object& o) {
    switch (type) {
      case symbol_table: {
        std::uint64_t tree = b.number(8);
        o.symbols = {tree, b.number(8)};
        return;
      }
      case link:
        return link_message(b, o);
      case link_info: {
        b.skip(1);
        std::uint64_t flags = b.number(1);
        b.skip(flags & 1 ? 8 : 0);
        if (b.number(8) != ~std::uint64_t{0}) o.trouble = "its group is stored densely";
        return;
      }
      case dataspace:
        return dataspace_message(b, o);
      case datatype:
        return datatype_message(b, o);
      case layout:
        return layout_message(b, o);
      default:
        return;
    }
  }

  static void link_message(Hdf5Bytes b, Hdf5Object& o) {
    b.skip(1);
    std::uint64_t flags = b.number(1), type = flags & 8 ? b.number(1) : 0;
    b.skip((flags & 4 ? 8 : 0) + (flags & 16 ? 1 : 0));
    std::uint64_t length = b.number(1U << (flags & 3));
    std::string name(b.take(length));
    if (type == 0) o.links.emplace_back(name, b.number(8));
  }

  static void dataspace_message(Hdf5Bytes b, Hdf5Object& o) {
    std::uint64_t version = b.number(1), rank = b.number(1);
    b.skip(version == 1 ? 6 : 2);
    o.shape.emplace();
    for (std::uint64_t k = 0; k < rank; ++k) o.shape->push_back(b.number(8));
  }

  static void datatype_message(Hdf5Bytes b, Hdf5Object& o) {
    std::uint64_t kind = b.number(1) & 15, bits = b.number(1);
    b.skip(2);
    o.width = static_cast<unsigned>(b.number(4));
    o.is_big = bits & 1;
    o.is_signed = bits & 8;
    using Type = Hdf5Object::Type;
    bool is_real = kind == 1 && (o.width == 4 || o.width == 8), is_whole = kind == 0 && o.width >= 1 && o.width <= 8;
    o.type = is_real ? Type::real : is_whole ? Type::integer : Type::other;
  }

  void layout_message(Hdf5Bytes b, Hdf5Object& o) const {
    std::uint64_t version = b.number(1);
    if (version < 3) {
      o.trouble = "it is laid out in an old way";
      return;
    }
    std::uint64_t kind = b.number(1);
    if (kind == 0) {
      o.data = b.take(b.number(2));
    } else if (kind == 1) {
      std::uint64_t at = b.number(8), size = b.number(8);
      if (at != ~std::uint64_t{0}) o.data = place(at).take(size);
    } else {
      o.trouble = "it is stored in chunks";
    }
  }

  // ---------------------------------------------------------------- groups by tables of symbols

  std::uint64_t heap_of(std::uint64_t address) const {
    Hdf5Bytes b = place(address);
    b.expect("HEAP");
    b.skip(4 + 16);
    return b.number(8);
  }

  void tree(std::uint64_t address, std::uint64_t names, Hdf5Object& o, int depth) {
    if (depth > deepest || ++objects_ > most_objects) throw Hdf5Damage{"its groups contain each other"};
    Hdf5Bytes b = place(address);
    b.expect("TREE");
    if (b.number(1) != 0) throw Hdf5Damage{"a group is not one"};
    std::uint64_t level = b.number(1), count = b.number(2);
    b.skip(16);
    for (std::uint64_t k = 0; k < count; ++k) {
      b.skip(8);
      std::uint64_t child = b.number(8);
      if (level > 0) tree(child, names, o, depth + 1);
      else symbols(child, names, o);
    }
  }

  void symbols(std::uint64_t address, std::uint64_t names, Hdf5Object& o) {
    Hdf5Bytes b = place(address);
    b.expect("SNOD");
    b.skip(2);
    for (std::uint64_t k = b.number(2); k > 0; --k) {
      std::uint64_t name = b.number(8), header = b.number(8), kind = b.number(4);
      b.skip(4 + 16);
      if (++objects_ > most_objects) throw Hdf5Damage{"its groups have too many members"};
      if (kind == 2) continue;  // a link by a path
      std::string_view rest = all_.substr(std::min<std::uint64_t>(base_ + names + name, all_.size()));
      o.links.emplace_back(std::string(rest.substr(0, rest.find('\0'))), header);
    }
  }

  // ---------------------------------------------------------------- numbers

  static double value_of(const Hdf5Object& o, std::string_view bytes) {
    std::uint64_t bits = 0;
    for (unsigned k = 0; k < o.width; ++k)
      bits |= std::uint64_t{static_cast<unsigned char>(bytes[o.is_big ? o.width - 1 - k : k])} << (8 * k);
    if (o.type == Hdf5Object::Type::real && o.width == 8) return std::bit_cast<double>(bits);
    if (o.type == Hdf5Object::Type::real) return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    if (!o.is_signed) return static_cast<double>(bits);
    unsigned unused = 64 - 8 * o.width;
    return static_cast<double>(static_cast<std::int64_t>(bits << unused) >> unused);
  }

  void numbers(const Hdf5Object& o, const std::string& path) {
    std::string why = o.type == Hdf5Object::Type::other ? "it contains no numbers" : o.trouble;
    if (why.empty() && !o.data) why = "nothing was written to it";
    if (!why.empty()) {
      out_.others[path] = why;
      return;
    }
    std::uint64_t count = 1;
    for (std::size_t n : *o.shape) count = n == 0 || count <= all_.size() / n ? count * n : all_.size() + 1;
    if (count > o.data->size() / o.width) throw Hdf5Damage{"`" + path + "` is shorter than its shape"};
    read_ += count * o.width;
    if (read_ > all_.size()) throw Hdf5Damage{"its arrays share their numbers"};
    NumberArray& array = out_.arrays[path];
    array.shape = *o.shape;
    array.values.reserve(count);
    for (std::uint64_t k = 0; k < count; ++k) array.values.push_back(value_of(o, o.data->substr(k * o.width, o.width)));
  }

  std::string_view all_;
  Hdf5Content& out_;
  std::uint64_t base_ = 0;
  std::uint64_t read_ = 0;  ///< bytes of arrays: no more than there are
  std::size_t objects_ = 0, messages_ = 0, blocks_ = 0;
};

}  // namespace

Result<Hdf5Content> read_hdf5(const std::string& path, Span at, Diagnostics& diagnostics) {
  std::ifstream in(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  if (!in) return diagnostics.error(bad_hdf5, at, {path, "there is no such file"});
  if (!text.starts_with(hdf5_signature)) return diagnostics.error(bad_hdf5, at, {path, "it does not begin as one"});
  Hdf5Content out;
  try {
    Hdf5Reader(text, out).run();
  } catch (const Hdf5Damage& damaged) {
    return diagnostics.error(bad_hdf5, at, {path, damaged.what});
  }
  return out;
}

}  // namespace bolza::workflow
