// SPDX-License-Identifier: Apache-2.0
// Objects of ELF for x86-64 as LLVM writes them: relocatable, position-independent, small code model.
//
// All sections that are needed at run time, a table of far addresses and jumps to them are laid out in one mapping, so that
// every relative reference is in reach; then pages of code become executable and all but data read-only.
// Source: System V ABI, AMD64 supplement, chapter 4 (relocations).
#include <dlfcn.h>
#include <elf.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <limits>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "compiler/codegen/object_loader.h"

namespace bolza::codegen {
namespace {

#if defined(__x86_64__)

/// Memory that code is put in; freed with its owner.
class Mapping {
 public:
  explicit Mapping(std::size_t size)
      : size_(size),
        begin_(mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {}
  ~Mapping() {
    if (*this) munmap(begin_, size_);
  }
  Mapping(Mapping&& other) noexcept : size_(other.size_), begin_(std::exchange(other.begin_, MAP_FAILED)) {}
  Mapping& operator=(Mapping&&) = delete;
  explicit operator bool() const { return begin_ != MAP_FAILED; }
  char* at(std::size_t offset) const { return static_cast<char*>(begin_) + offset; }
  bool protect(std::size_t begin, std::size_t end, int rights) const {
    return begin == end || mprotect(at(begin), end - begin, rights) == 0;
  }

 private:
  std::size_t size_;
  void* begin_;
};

/// Arrays of structs in an object; every access is checked against its size.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}
  bool has(std::uint64_t offset, std::uint64_t size) const {
    return offset <= bytes_.size() && size <= bytes_.size() - offset;
  }
  std::string_view bytes(std::uint64_t offset, std::uint64_t size) const { return bytes_.substr(offset, size); }
  /// The whole table, or nothing.
  template <class T>
  std::optional<std::vector<T>> table(std::uint64_t offset, std::uint64_t size) const {
    if (!has(offset, size) || size % sizeof(T)) return {};
    std::vector<T> rows(size / sizeof(T));
    if (size) std::memcpy(rows.data(), bytes_.data() + offset, size);
    return rows;
  }
  /// The text up to the next zero within [offset, end).
  std::optional<std::string_view> text(std::uint64_t offset, std::uint64_t end) const {
    if (offset >= end || !has(0, end)) return {};
    std::size_t stop = bytes_.substr(0, end).find('\0', offset);
    if (stop == std::string_view::npos) return {};
    return bytes_.substr(offset, stop - offset);
  }

 private:
  std::string_view bytes_;
};

enum class Rights : std::uint8_t { code, constant, data };

constexpr std::size_t jump_size = 16;  // jmp *0(%rip), then the address
constexpr std::size_t largest_image = std::size_t{1} << 30;

std::size_t rounded(std::size_t offset, std::size_t to) { return (offset + to - 1) / to * to; }

/// One object on its way into memory. Every step gives false for what is damaged or unknown.
class Image {
 public:
  Image(std::string_view object, std::span<const Symbol> outside, std::span<void* const> libraries)
      : reader_(object),
        outside_(outside),
        libraries_(libraries) {}

  bool build() { return read() && lay_out() && copy() && resolve() && relocate() && protect(); }
  void* find(std::string_view name) const {
    auto it = defined_.find(name);
    return it == defined_.end() ? nullptr : it->second;
  }
  std::optional<Mapping> take() { return std::move(mapping_); }

 private:
  struct Place {
    std::uint64_t offset = 0;
    bool loaded = false;
  };

  bool read() {
    auto head = reader_.table<Elf64_Ehdr>(0, sizeof(Elf64_Ehdr));
    if (!head) return false;
    const Elf64_Ehdr& h = head->front();
    if (std::memcmp(h.e_ident, ELFMAG, SELFMAG) != 0 || h.e_ident[EI_CLASS] != ELFCLASS64 || h.e_machine != EM_X86_64 ||
        h.e_type != ET_REL || h.e_shentsize != sizeof(Elf64_Shdr))
      return false;
    auto sections = reader_.table<Elf64_Shdr>(h.e_shoff, std::uint64_t{h.e_shnum} * sizeof(Elf64_Shdr));
    if (!sections) return false;
    sections_ = std::move(*sections);
    for (const Elf64_Shdr& s : sections_) {
      if (s.sh_type != SHT_NOBITS && !reader_.has(s.sh_offset, s.sh_size)) return false;
      if (s.sh_type != SHT_SYMTAB) continue;
      auto symbols = reader_.table<Elf64_Sym>(s.sh_offset, s.sh_size);
      if (!symbols || s.sh_link >= sections_.size()) return false;
      symbols_ = std::move(*symbols);
      names_ = sections_[s.sh_link];
    }
    return true;
  }

  /// Unwind tables are left out: no exception passes through kernels.
  static bool is_needed(const Elf64_Shdr& s) {
    return (s.sh_flags & SHF_ALLOC) && s.sh_size > 0 && s.sh_type != SHT_X86_64_UNWIND && s.sh_type != SHT_NOTE;
  }
  static Rights rights_of(const Elf64_Shdr& s) {
    if (s.sh_flags & SHF_EXECINSTR) return Rights::code;
    return s.sh_flags & SHF_WRITE ? Rights::data : Rights::constant;
  }

  /// Code and jumps, then constants and the table of addresses, then data: each begins a page.
  bool lay_out() {
    auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    places_.resize(sections_.size());
    std::size_t at = 0;
    for (Rights rights : {Rights::code, Rights::constant, Rights::data}) {
      at = rounded(at, page);
      begin_[static_cast<int>(rights)] = at;
      for (std::size_t k = 0; k < sections_.size(); ++k) {
        const Elf64_Shdr& s = sections_[k];
        if (!is_needed(s) || rights_of(s) != rights) continue;
        std::uint64_t alignment = s.sh_addralign ? s.sh_addralign : 1;
        if ((alignment & (alignment - 1)) != 0 || alignment > page || s.sh_size > largest_image) return false;
        at = rounded(at, alignment);
        places_[k] = {at, true};
        at += s.sh_size;
        if (at > largest_image) return false;
      }
      if (rights == Rights::code) {
        at = rounded(at, jump_size);
        jumps_ = at;
        at += jump_size * symbols_.size();
      }
      if (rights == Rights::constant) {
        at = rounded(at, 8);
        addresses_ = at;
        at += 8 * symbols_.size();
      }
    }
    begin_[3] = rounded(at, page);
    mapping_.emplace(begin_[3]);
    return bool(*mapping_);
  }

  bool copy() {
    for (std::size_t k = 0; k < sections_.size(); ++k) {
      const Elf64_Shdr& s = sections_[k];
      if (!places_[k].loaded || s.sh_type == SHT_NOBITS) continue;
      std::string_view from = reader_.bytes(s.sh_offset, s.sh_size);
      std::memcpy(mapping_->at(places_[k].offset), from.data(), from.size());
    }
    return true;
  }

  void* look_up(const std::string& name) const {
    for (const Symbol& symbol : outside_)
      if (symbol.name == name) return const_cast<void*>(symbol.address);
    for (void* library : libraries_)
      if (void* found = dlsym(library, name.c_str())) return found;
    return nullptr;
  }

  /// Addresses of all symbols. One that nothing defines is a fault only where a relocation needs it.
  bool resolve() {
    values_.assign(symbols_.size(), nullptr);
    for (std::size_t k = 1; k < symbols_.size(); ++k) {
      const Elf64_Sym& symbol = symbols_[k];
      auto name = reader_.text(names_.sh_offset + symbol.st_name, names_.sh_offset + names_.sh_size);
      if (!name) return false;
      if (symbol.st_shndx == SHN_ABS) values_[k] = reinterpret_cast<char*>(symbol.st_value);
      else if (symbol.st_shndx == SHN_UNDEF) values_[k] = static_cast<char*>(look_up(std::string(*name)));
      else if (symbol.st_shndx >= sections_.size()) return false;
      else if (places_[symbol.st_shndx].loaded) {
        if (symbol.st_value > sections_[symbol.st_shndx].sh_size) return false;
        values_[k] = mapping_->at(places_[symbol.st_shndx].offset + symbol.st_value);
        if (ELF64_ST_BIND(symbol.st_info) != STB_LOCAL) defined_[*name] = values_[k];
      }
    }
    return true;
  }

  bool relocate() {
    for (const Elf64_Shdr& s : sections_) {
      if (s.sh_type == SHT_REL) return false;
      if (s.sh_type != SHT_RELA || s.sh_info >= sections_.size() || !places_[s.sh_info].loaded) continue;
      auto rows = reader_.table<Elf64_Rela>(s.sh_offset, s.sh_size);
      if (!rows) return false;
      for (const Elf64_Rela& row : *rows)
        if (!relocate(sections_[s.sh_info], places_[s.sh_info].offset, row)) return false;
    }
    return true;
  }

  bool relocate(const Elf64_Shdr& section, std::uint64_t place, const Elf64_Rela& row) {
    std::uint64_t k = ELF64_R_SYM(row.r_info), type = ELF64_R_TYPE(row.r_info);
    if (type == R_X86_64_NONE) return true;
    bool wide = type == R_X86_64_64 || type == R_X86_64_PC64;
    std::uint64_t size = wide ? 8 : 4;
    if (section.sh_type == SHT_NOBITS || row.r_offset > section.sh_size || size > section.sh_size - row.r_offset)
      return false;
    if (k == 0 || k >= values_.size() || !values_[k]) return false;
    char* to = mapping_->at(place + row.r_offset);
    std::int64_t value = reinterpret_cast<std::int64_t>(values_[k]) + row.r_addend;
    std::int64_t relative = value - reinterpret_cast<std::int64_t>(to);
    switch (type) {
      case R_X86_64_64:
        return store(to, value);
      case R_X86_64_PC64:
        return store(to, relative);
      case R_X86_64_PLT32:
        if (!in_reach(relative))
          relative = reinterpret_cast<std::int64_t>(jump_to(k)) + row.r_addend - reinterpret_cast<std::int64_t>(to);
        return store_near(to, relative);
      case R_X86_64_PC32:
        return store_near(to, relative);
      case R_X86_64_GOTPCREL:
      case R_X86_64_GOTPCRELX:
      case R_X86_64_REX_GOTPCRELX:
        return store_near(to,
                          reinterpret_cast<std::int64_t>(address_of(k)) + row.r_addend - reinterpret_cast<std::int64_t>(to));
      default:
        return false;
    }
  }

  static bool in_reach(std::int64_t relative) {
    return relative >= std::numeric_limits<std::int32_t>::min() && relative <= std::numeric_limits<std::int32_t>::max();
  }
  static bool store(char* to, std::int64_t value) {
    std::memcpy(to, &value, 8);
    return true;
  }
  static bool store_near(char* to, std::int64_t relative) {
    auto word = static_cast<std::int32_t>(relative);
    std::memcpy(to, &word, 4);
    return in_reach(relative);
  }
  char* jump_to(std::uint64_t k) {
    constexpr unsigned char code[6] = {0xFF, 0x25, 0, 0, 0, 0};
    char* jump = mapping_->at(jumps_ + jump_size * k);
    std::memcpy(jump, code, sizeof code);
    std::memcpy(jump + sizeof code, &values_[k], 8);
    return jump;
  }
  char* address_of(std::uint64_t k) {
    char* entry = mapping_->at(addresses_ + 8 * k);
    std::memcpy(entry, &values_[k], 8);
    return entry;
  }

  bool protect() const {
    return mapping_->protect(begin_[0], begin_[1], PROT_READ | PROT_EXEC) &&
           mapping_->protect(begin_[1], begin_[2], PROT_READ);
  }

  Reader reader_;
  std::span<const Symbol> outside_;
  std::span<void* const> libraries_;
  std::vector<Elf64_Shdr> sections_;
  std::vector<Elf64_Sym> symbols_;
  Elf64_Shdr names_{};
  std::vector<Place> places_;                              // [sections]
  std::size_t begin_[4] = {}, jumps_ = 0, addresses_ = 0;  // offsets of code, constants, data, the end
  std::optional<Mapping> mapping_;
  std::vector<char*> values_;  // [symbols]
  std::map<std::string_view, void*> defined_;
};

class ElfLoader final : public ObjectLoader {
 public:
  ElfLoader() {
    for (const char* name : {"libm.so.6", "libmvec.so.1", "libc.so.6"})
      if (void* library = dlopen(name, RTLD_LAZY | RTLD_LOCAL)) libraries_.push_back(library);
  }

  std::vector<void*> load(const std::string& object, std::span<const std::string> symbols,
                          std::span<const Symbol> outside) override {
    Image image(object, outside, libraries_);
    if (!image.build()) return {};
    std::vector<void*> addresses;
    for (const std::string& symbol : symbols) {
      addresses.push_back(image.find(symbol));
      if (!addresses.back()) return {};
    }
    mappings_.push_back(std::move(*image.take()));
    return addresses;
  }

 private:
  std::vector<void*> libraries_;  // never closed: code of other loaders may call them
  std::vector<Mapping> mappings_;
};

#endif

}  // namespace

std::unique_ptr<ObjectLoader> native_loader() {
#if defined(__x86_64__)
  return std::make_unique<ElfLoader>();
#else
  return nullptr;
#endif
}

}  // namespace bolza::codegen
