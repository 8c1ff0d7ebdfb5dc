// SPDX-License-Identifier: Apache-2.0
#include "compiler/syntax/image.h"

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstring>
#include <functional>
#include <map>
#include <optional>
#include <type_traits>
#include <unordered_map>
#include <vector>

#include "base/expects.h"
#include "compiler/syntax/fields.h"

namespace bolza::syntax {
namespace {

using Word = std::uint64_t;
static_assert(sizeof(void*) == sizeof(Word) && std::endian::native == std::endian::little);
static_assert(sizeof(std::string_view) == 2 * sizeof(Word) && sizeof(ast::List<int>) == 2 * sizeof(Word));

/// What the file itself says; the first node of an image.
struct Root {
  bool has_within = false;
  const ast::Reference* within = nullptr;
  ast::List<const ast::Class*> classes;
};
auto fields(const Root& root) {
  const auto& [has_within, within, classes] = root;
  return std::tie(has_within, within, classes);
}
Root root_of(const ast::StoredFile& file) {
  const auto& [source, has_within, within, classes, arena] = file;
  static_cast<void>(source);
  static_cast<void>(arena);
  return {has_within, within, classes};
}

/// What is special about the words of one group.
struct Masks {
  Word stored = 0, into_tree = 0, into_text = 0, lower_source = 0, upper_source = 0;
};
constexpr std::size_t group = 64;

/// Which of the two words of a view or a list is the pointer.
template <class Pair, class T>
std::size_t pointer_word() {
  static const T some{};
  auto words = std::bit_cast<std::array<Word, 2>>(Pair(&some, 1));
  return words[0] == 1 ? 1 : 0;
}

template <class Visit>
void for_each_bit(Word mask, Visit visit) {
  for (; mask != 0; mask &= mask - 1) visit(static_cast<std::size_t>(std::countr_zero(mask)));
}

/// Copies a tree into words, with offsets for pointers.
class Writer {
 public:
  Writer(std::string_view text, SourceId source) : text_(text), source_(source) {
    words_.reserve(2 * text.size());
    masks_.reserve(2 * text.size() / group);
    nodes_.reserve(text.size() / 16);
  }

  std::string write(const ast::StoredFile& file) {
    Root root = root_of(file);
    store(root, reserve<Root>(1));
    std::string out;
    out.reserve(words_.size() * sizeof(Word));
    append(out, masks_.size());
    words_.resize(masks_.size() * group);
    for (std::size_t g = 0; g < masks_.size(); ++g) append_group(out, masks_[g], &words_[g * group]);
    return out;
  }

 private:
  using Place = std::size_t;  // in bytes from the start of the tree

  template <class T>
  Place reserve(std::size_t n) {
    static_assert(alignof(T) <= sizeof(Word) && std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);
    Place place = words_.size() * sizeof(Word);
    words_.resize(words_.size() + (n * sizeof(T) + sizeof(Word) - 1) / sizeof(Word));
    masks_.resize((words_.size() + group - 1) / group);
    return place;
  }

  void put(Place at, const void* bytes, std::size_t n) {
    std::memcpy(reinterpret_cast<char*>(words_.data()) + at, bytes, n);
  }
  static Word bit(Place at) { return Word{1} << (at / sizeof(Word) % group); }
  Masks& masks(Place at) { return masks_[at / sizeof(Word) / group]; }

  template <class T>
  void store(const T& value, Place at) {
    if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) put(at, &value, sizeof value);
    else if constexpr (std::is_same_v<T, Span>) store_span(value, at);
    else if constexpr (std::is_same_v<T, std::string_view>) store_view(value, at);
    else if constexpr (std::is_pointer_v<T>) store_pointer(value, at);
    else if constexpr (requires { typename T::element_type; }) store_list(value, at);
    else store_fields(value, at);
  }

  template <class T>
  void store_fields(const T& node, Place at) {
    auto begin = reinterpret_cast<const char*>(&node);
    std::apply(
        [&](const auto&... field) {
          (store(field, at + static_cast<Place>(reinterpret_cast<const char*>(&field) - begin)), ...);
        },
        fields(node));
  }

  void store_span(const Span& span, Place at) {
    const auto& [file, begin, end] = span;
    static_assert(sizeof span == 12 && sizeof file == 4);
    put(at + offsetof(Span, begin), &begin, sizeof begin);
    put(at + offsetof(Span, end), &end, sizeof end);
    if (file != source_) put(at, &file, sizeof file);  // none
    else (at % sizeof(Word) == 0 ? masks(at).lower_source : masks(at).upper_source) |= bit(at);
  }

  void store_pair(Word pointer, Word size, std::size_t pointer_word, Place at) {
    put(at + pointer_word * sizeof(Word), &pointer, sizeof pointer);
    put(at + (1 - pointer_word) * sizeof(Word), &size, sizeof size);
  }

  void store_view(std::string_view view, Place at) {
    if (view.data() == nullptr) return;
    Place pointer = at + view_pointer_ * sizeof(Word);
    bool from_text = std::greater_equal<>()(view.data(), text_.data()) &&
                     std::less_equal<>()(view.data() + view.size(), text_.data() + text_.size());
    if (from_text) {
      store_pair(static_cast<Word>(view.data() - text_.data()), view.size(), view_pointer_, at);
      masks(pointer).into_text |= bit(pointer);
      return;
    }
    Place copy = reserve<char>(view.size());
    put(copy, view.data(), view.size());
    store_pair(copy, view.size(), view_pointer_, at);
    masks(pointer).into_tree |= bit(pointer);
  }

  template <class T>
  void store_pointer(const T* node, Place at) {
    if (node == nullptr) return;
    auto [known, fresh] = nodes_.try_emplace(node, Place{0});
    if (fresh) {
      Place place = known->second = reserve<T>(1);
      store(*node, place);
      put(at, &place, sizeof place);
    } else {
      put(at, &known->second, sizeof known->second);
    }
    masks(at).into_tree |= bit(at);
  }

  template <class T>
  void store_list(std::span<const T> list, Place at) {
    if (list.empty()) return;
    std::size_t pointer_first = pointer_word<ast::List<T>, T>();
    auto [known, fresh] = lists_.try_emplace({list.data(), list.size()}, Place{0});
    Place place = fresh ? known->second = reserve<T>(list.size()) : known->second;
    store_pair(place, list.size(), pointer_first, at);
    masks(at + pointer_first * sizeof(Word)).into_tree |= bit(at + pointer_first * sizeof(Word));
    if (!fresh) return;
    for (std::size_t i = 0; i < list.size(); ++i) store(list[i], place + i * sizeof(T));
  }

  static void append(std::string& out, Word word) { out.append(reinterpret_cast<const char*>(&word), sizeof word); }
  static void append_group(std::string& out, Masks m, const Word* words) {
    m.stored = m.into_tree | m.into_text;
    for (std::size_t i = 0; i < group; ++i) m.stored |= Word{words[i] != 0} << i;
    for (Word mask : {m.stored, m.into_tree, m.into_text, m.lower_source, m.upper_source}) append(out, mask);
    for_each_bit(m.stored, [&](std::size_t i) { append(out, words[i]); });
  }

  std::string_view text_;
  SourceId source_;
  std::size_t view_pointer_ = pointer_word<std::string_view, char>();
  std::vector<Word> words_;
  std::vector<Masks> masks_;
  std::unordered_map<const void*, Place> nodes_;
  std::map<std::pair<const void*, std::size_t>, Place> lists_;
};

/// Takes words from bytes that need not be aligned.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}
  std::size_t left() const { return bytes_.size() / sizeof(Word); }
  Word take() {
    Word word;
    std::memcpy(&word, bytes_.data(), sizeof word);
    bytes_.remove_prefix(sizeof word);
    return word;
  }

 private:
  std::string_view bytes_;
};

/// Words of a tree at their places, with the addresses and the id of this run.
class Unpacker {
 public:
  Unpacker(std::span<Word> tree, SourceId source, std::string_view text) : tree_(tree), source_(source.value), text_(text) {}

  bool unpack(Reader& in) {
    for (std::size_t at = 0; at < tree_.size(); at += group)
      if (!unpack_group(in, &tree_[at])) return false;
    return in.left() == 0;
  }

 private:
  bool unpack_group(Reader& in, Word* words) {
    if (in.left() < 5) return false;
    Word stored = in.take(), into_tree = in.take(), into_text = in.take(), lower = in.take(), upper = in.take();
    if (in.left() < static_cast<std::size_t>(std::popcount(stored))) return false;
    std::memset(words, 0, group * sizeof(Word));
    for_each_bit(stored, [&](std::size_t i) { words[i] = in.take(); });
    bool inside = true;
    for_each_bit(into_tree, [&](std::size_t i) { inside &= move(words[i], tree_.data(), tree_.size_bytes()); });
    for_each_bit(into_text, [&](std::size_t i) { inside &= move(words[i], text_.data(), text_.size()); });
    for_each_bit(lower, [&](std::size_t i) { words[i] = (words[i] >> 32 << 32) | source_; });
    for_each_bit(upper, [&](std::size_t i) { words[i] = (words[i] << 32 >> 32) | source_ << 32; });
    return inside;
  }

  static bool move(Word& offset, const void* begin, std::size_t size) {
    if (offset > size) return false;
    offset += std::bit_cast<Word>(begin);
    return true;
  }

  std::span<Word> tree_;
  Word source_;
  std::string_view text_;
};

}  // namespace

std::string to_image(const ast::StoredFile& file, std::string_view text) { return Writer(text, file.source).write(file); }

std::unique_ptr<ast::StoredFile> from_image(std::string_view image, SourceId source, std::string_view text) {
  Reader in(image);
  if (image.size() % sizeof(Word) != 0 || in.left() == 0) return nullptr;
  Word n_groups = in.take();
  if (n_groups == 0 || n_groups > in.left() / 5) return nullptr;
  auto file = std::make_unique<ast::StoredFile>();
  auto* memory = static_cast<Word*>(file->arena.allocate(n_groups * group * sizeof(Word), alignof(Word)));
  if (!Unpacker({memory, n_groups * group}, source, text).unpack(in)) return nullptr;
  const Root& root = *reinterpret_cast<const Root*>(memory);
  file->source = source;
  file->has_within = root.has_within;
  file->within = root.within;
  file->classes = root.classes;
  return file;
}

}  // namespace bolza::syntax
