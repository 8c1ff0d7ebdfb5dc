// SPDX-License-Identifier: Apache-2.0
#include "compiler/instance/library/library.h"

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <unordered_map>

#include "compiler/instance/library/codes.h"
#include "compiler/instance/library/folders_internal.h"
#include "compiler/syntax/parse.h"
#include "compiler/syntax/parsed_files.h"

namespace bolza::instance {

namespace ast = syntax::ast;

std::string full_name(const Definition& definition) {
  if (!definition.parent) return std::string(definition.name());
  return full_name(*definition.parent) + "." + std::string(definition.name());
}

bool encloses(const Definition& outer, const Definition& inner) {
  for (const Definition* at = &inner; at; at = at->parent) {
    if (at == &outer) return true;
  }
  return false;
}

namespace {

/// Predefined types that are written in Modelica themselves.
constexpr std::string_view predefined_text =
    "type StateSelect = enumeration(never, avoid, default, prefer, always);\n"
    "type AssertionLevel = enumeration(warning, error);\n"
    "partial class ExternalObject end ExternalObject;\n";

}  // namespace

struct Library::Inside {
  struct Members {
    std::map<std::string_view, const Definition*> known;  ///< parsed
    std::vector<std::string> order;
    std::optional<PackageFolder> folder;
  };

  Inside(Sources& given, LibraryOptions wanted)
      : sources(&given),
        options(std::move(wanted)),
        trust(options.trust, library_folders(options)),
        parsed_files(options.cache) {}

  static std::vector<std::string> library_folders(const LibraryOptions& options) {
    std::vector<std::string> folders = options.modelica_path;
    folders.push_back(options.stdlib);
    return folders;
  }

  Sources* sources;
  LibraryOptions options;
  TrustRules trust;
  syntax::ParsedFiles parsed_files;
  std::deque<Definition> definitions;
  std::unordered_map<const Definition*, Members> members;
  std::map<std::string, std::unique_ptr<ast::StoredFile>> parsed;  // by path
  std::map<std::string, SourceId> read;                            // by path, also files that do not parse
  std::vector<std::unique_ptr<ast::StoredFile>> texts;
  std::map<std::string, const Definition*, std::less<>> user_top;
  std::vector<std::string> user_order;
  std::map<std::string, const Definition*, std::less<>> path_top;  // null: looked for and not there
  std::map<std::string, const Definition*, std::less<>> neighbour_top;
  std::vector<std::string> user_folders;  // of the files that the user named
  std::map<std::string, const Definition*, std::less<>> stdlib_top;
  std::map<std::string, const Definition*, std::less<>> predefined;
  std::size_t files_parsed = 0;

  Result<const ast::StoredFile*> parse_file(const std::string& path, Span wanted_by, Diagnostics& d);
  const Definition* define(const ast::Class& cls, const Definition* parent, SourceId source, bool from_library);
  Members& members_of(const Definition& definition);
  Result<const Definition*> load(const std::string& path, std::string_view name, const Definition* parent, bool from_library,
                                 Diagnostics& d);
  Result<const Definition*> top_from(std::map<std::string, const Definition*, std::less<>>& cache,
                                     std::span<const std::string> folders, std::string_view name, Diagnostics& d);
  bool check_twins(const ast::Class& cls, Diagnostics& d);
};

Library::Library(Sources& sources, LibraryOptions options)
    : inside_(std::make_unique<Inside>(sources, std::move(options))) {}
Library::~Library() = default;
Library::Library(Library&&) noexcept = default;
Library& Library::operator=(Library&&) noexcept = default;

Sources& Library::sources() const { return *inside_->sources; }
const LibraryOptions& Library::options() const { return inside_->options; }
const TrustRules& Library::trust() const { return inside_->trust; }
std::size_t Library::files_parsed() const { return inside_->files_parsed; }
std::size_t Library::files_from_cache() const { return inside_->parsed_files.n_found(); }
std::vector<std::string> Library::top_level_names() const { return inside_->user_order; }

Result<const ast::StoredFile*> Library::Inside::parse_file(const std::string& path, Span wanted_by, Diagnostics& d) {
  if (auto it = parsed.find(path); it != parsed.end()) return it->second.get();
  if (!read.contains(path)) {
    std::optional<std::string> text = read_file(path);
    if (!text) {
      std::string why =
          is_folder(path) ? "it is a folder without `package.mo`" : "there is no such file, or it may not be read";
      return d.error(codes::unreadable_file, wanted_by, {path, why});
    }
    read[path] = sources->add(path, std::move(*text));
    if (file_name(path) == "package.mo") trust.add_package_folder(folder_of(path));
  }
  ++files_parsed;
  auto file = parsed_files.parse(read[path], *sources, d);
  if (!file) return d.already_reported();
  return (parsed[path] = std::move(*file)).get();
}

const Definition* Library::Inside::define(const ast::Class& cls, const Definition* parent, SourceId source,
                                          bool from_library) {
  definitions.push_back({&cls, parent, source, from_library});
  return &definitions.back();
}

Library::Inside::Members& Library::Inside::members_of(const Definition& definition) {
  auto [it, fresh] = members.try_emplace(&definition);
  Members& m = it->second;
  if (!fresh) return m;
  for (const ast::Element* element : definition.ast->elements) {
    if (element->kind != ast::ElementKind::class_) continue;
    const ast::Class& cls = *element->class_;
    if (m.known.contains(cls.name)) continue;
    m.known[cls.name] = define(cls, &definition, definition.source, definition.from_library);
    m.order.emplace_back(cls.name);
  }
  std::string path(sources->path(definition.source));
  if (file_name(path) == "package.mo" && parsed.contains(path)) {
    for (const ast::Class* top : parsed[path]->classes) {
      if (top == definition.ast) m.folder = list_package(folder_of(path));
    }
  }
  return m;
}

Result<const Definition*> Library::Inside::load(const std::string& path, std::string_view name, const Definition* parent,
                                                bool from_library, Diagnostics& d) {
  auto file = parse_file(path, {}, d);
  if (!file) return d.already_reported();
  for (const ast::Class* cls : (*file)->classes) {
    if (cls->name == name) return define(*cls, parent, (*file)->source, from_library);
  }
  return static_cast<const Definition*>(nullptr);
}

Result<const Definition*> Library::Inside::top_from(std::map<std::string, const Definition*, std::less<>>& cache,
                                                    std::span<const std::string> folders, std::string_view name,
                                                    Diagnostics& d) {
  if (auto it = cache.find(name); it != cache.end()) return it->second;
  const Definition* found = nullptr;
  for (const std::string& folder : folders) {
    std::string path = folder.empty() ? std::string{} : find_on_path(folder, name);
    if (path.empty()) continue;
    auto loaded = load(path, name, nullptr, true, d);
    if (!loaded) return loaded;
    found = *loaded;
    if (found) break;
  }
  cache.emplace(name, found);
  return found;
}

bool Library::Inside::check_twins(const ast::Class& cls, Diagnostics& d) {
  bool good = true;
  std::map<std::string_view, const ast::Class*> seen;
  for (const ast::Element* element : cls.elements) {
    if (element->kind != ast::ElementKind::class_) continue;
    auto [it, fresh] = seen.emplace(element->class_->name, element->class_);
    if (!fresh) {
      d.error(codes::class_defined_twice, element->class_->name_span, {element->class_->name},
              {{it->second->name_span, "first defined here"}});
      good = false;
    }
    good = check_twins(*element->class_, d) && good;
  }
  return good;
}

namespace {

std::string dotted(const ast::Reference& reference) {
  std::string out;
  for (const ast::NamePart& part : reference.parts) out += (out.empty() ? "" : ".") + std::string(part.identifier);
  return out;
}

/// The folder of the outermost package, when a file stands in the package folders that its `within` names; else empty.
std::string package_root(const std::string& path, const ast::Reference& within) {
  std::string folder = folder_of(path);
  if (file_name(path) == "package.mo") folder += "/..";
  for (std::size_t i = within.parts.size(); i-- > 0; folder += "/..") {
    if (!is_file(folder + "/package.mo") || !folder_is_named(folder, within.parts[i].identifier)) return {};
    if (i == 0) return folder;
  }
  return {};
}

}  // namespace

Result<std::vector<const Definition*>> Library::add_file(const std::string& given, Diagnostics& d) {
  Inside& in = *inside_;
  std::string path = is_file(given + "/package.mo") ? given + "/package.mo" : given;
  auto file = in.parse_file(path, {}, d);
  if (!file) return d.already_reported();
  in.trust.add_named_file(path);
  if ((*file)->within) {
    std::string root = package_root(path, *(*file)->within);
    if (!root.empty()) {
      auto top = in.load(root + "/package.mo", (*file)->within->parts[0].identifier, nullptr, false, d);
      if (!top) return d.already_reported();
      if (*top && in.user_top.emplace((*top)->name(), *top).second) in.user_order.emplace_back((*top)->name());
    }
  }
  std::string folder = folder_of(path);
  if (std::find(in.user_folders.begin(), in.user_folders.end(), folder) == in.user_folders.end()) {
    in.user_folders.push_back(folder);
    in.neighbour_top.clear();
  }
  return add_parsed(**file, d);
}

Result<std::vector<const Definition*>> Library::add_text(std::string path, std::string text, Diagnostics& d) {
  Inside& in = *inside_;
  ++in.files_parsed;
  auto file = syntax::parse(in.sources->add(std::move(path), std::move(text)), *in.sources, d);
  if (!file) return d.already_reported();
  in.texts.push_back(std::move(*file));
  return add_parsed(*in.texts.back(), d);
}

Result<std::vector<const Definition*>> Library::add_parsed(const ast::StoredFile& file, Diagnostics& d) {
  Inside& in = *inside_;
  const Definition* parent = nullptr;
  if (file.within) {
    auto found = find_quietly(dotted(*file.within), d);
    if (!found) return d.already_reported();
    parent = *found;
    if (!parent && !file.classes.empty()) {
      d.warning(codes::package_of_within_missing, file.within->span, {dotted(*file.within), file.classes[0]->name});
    }
  }
  std::vector<const Definition*> added;
  bool good = true;
  for (const ast::Class* cls : file.classes) {
    good = in.check_twins(*cls, d) && good;
    if (parent) {
      Inside::Members& m = in.members_of(*parent);
      auto [it, fresh] = m.known.emplace(cls->name, nullptr);
      if (fresh && std::find(m.order.begin(), m.order.end(), cls->name) == m.order.end()) m.order.emplace_back(cls->name);
      if (fresh || it->second->ast != cls) it->second = in.define(*cls, parent, file.source, false);
      added.push_back(it->second);
      continue;
    }
    auto [it, fresh] = in.user_top.emplace(cls->name, nullptr);
    if (!fresh && it->second->ast != cls) {
      d.error(codes::class_defined_twice, cls->name_span, {cls->name}, {{it->second->ast->name_span, "first defined here"}});
      good = false;
      continue;
    }
    if (fresh) {
      it->second = in.define(*cls, nullptr, file.source, false);
      in.user_order.emplace_back(cls->name);
    }
    added.push_back(it->second);
  }
  if (!good) return d.already_reported();
  return added;
}

Result<const ast::Class*> Library::add_aside(std::string path, std::string text, Diagnostics& d,
                                             const syntax::Arrangement* arrangement) {
  Inside& in = *inside_;
  auto file = syntax::parse(in.sources->add(std::move(path), std::move(text)), *in.sources, d, arrangement);
  if (!file) return d.already_reported();
  in.texts.push_back(std::move(*file));
  expects(!in.texts.back()->classes.empty(), "a text that is read aside has a class");
  return in.texts.back()->classes[0];
}

Result<const Definition*> Library::top_level(std::string_view name, Diagnostics& d) {
  Inside& in = *inside_;
  if (auto it = in.user_top.find(name); it != in.user_top.end()) return it->second;
  auto beside = in.top_from(in.neighbour_top, in.user_folders, name, d);
  if (!beside || *beside) return beside;
  auto on_path = in.top_from(in.path_top, in.options.modelica_path, name, d);
  if (!on_path || *on_path) return on_path;
  return in.top_from(in.stdlib_top, std::span(&in.options.stdlib, 1), name, d);
}

Result<const Definition*> Library::predefined(std::string_view name, Diagnostics& d) {
  Inside& in = *inside_;
  if (name == "DomainLineSegment1D" || name == "DomainRectangle2D")
    return find_quietly("Bolza.Fields." + std::string(name), d);
  if (in.predefined.empty()) {
    auto file = in.parsed_files.parse(in.sources->add("<predefined>", std::string(predefined_text)), *in.sources, d);
    if (!file) return d.already_reported();
    in.texts.push_back(std::move(*file));
    for (const ast::Class* cls : in.texts.back()->classes) {
      in.predefined.emplace(cls->name, in.define(*cls, nullptr, in.texts.back()->source, true));
    }
  }
  auto it = in.predefined.find(name);
  return it == in.predefined.end() ? nullptr : it->second;
}

Result<const Definition*> Library::member(const Definition& definition, std::string_view name, Diagnostics& d) {
  Inside& in = *inside_;
  Inside::Members& m = in.members_of(definition);
  if (auto it = m.known.find(name); it != m.known.end()) return it->second;
  if (m.folder) {
    if (auto file = m.folder->files.find(name); file != m.folder->files.end()) {
      auto loaded = in.load(file->second, name, &definition, definition.from_library, d);
      if (!loaded) return loaded;
      if (*loaded) m.known[(*loaded)->name()] = *loaded;
      return loaded;
    }
  }
  // the real Modelica lacks Modelica.DOML; deeper inside packages our names would get in the way of imports
  if (definition.parent || !definition.from_library || in.options.stdlib.empty())
    return static_cast<const Definition*>(nullptr);
  auto ours = in.top_from(in.stdlib_top, std::span(&in.options.stdlib, 1), definition.name(), d);
  if (!ours || !*ours || *ours == &definition) return static_cast<const Definition*>(nullptr);
  return member(**ours, name, d);
}

std::vector<std::string> Library::member_names(const Definition& definition) const {
  const Inside::Members& m = inside_->members_of(definition);
  std::vector<std::string> names;
  if (m.folder) names = m.folder->order;
  std::set<std::string> listed(names.begin(), names.end());
  for (const std::string& name : m.order) {
    if (listed.insert(name).second) names.push_back(name);
  }
  // package.order also lists constants, which are not classes
  std::erase_if(names, [&](const std::string& name) {
    return !m.known.contains(name) && !(m.folder && m.folder->files.contains(name));
  });
  return names;
}

Result<const Definition*> Library::find_quietly(std::string_view name, Diagnostics& d) {
  const Definition* at = nullptr;
  for (std::string_view rest = name; !rest.empty();) {
    std::size_t dot = rest.starts_with('\'') ? rest.find('.', rest.find('\'', 1)) : rest.find('.');
    std::string_view part = rest.substr(0, dot);
    auto next = at ? member(*at, part, d) : top_level(part, d);
    if (!next || !*next) return next;
    at = *next;
    rest = dot == std::string_view::npos ? std::string_view{} : rest.substr(dot + 1);
  }
  return at;
}

Result<const Definition*> Library::find_inside(const Definition& outer, std::string_view name, Diagnostics& d) {
  const Definition* found = nullptr;
  for (const std::string& member_name : member_names(outer)) {
    auto inner = member(outer, member_name, d);
    if (!inner) return inner;
    if (*inner && member_name != name) inner = find_inside(**inner, name, d);
    if (!inner) return inner;
    if (*inner && found) return static_cast<const Definition*>(nullptr);
    if (*inner) found = *inner;
  }
  return found;
}

Result<const Definition*> Library::find(std::string_view name, Diagnostics& d) {
  auto found = find_quietly(name, d);
  if (!found || *found) return found;
  std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos) {
    const Definition* inside = nullptr;
    for (const std::string& top : inside_->user_order) {
      auto inner = find_inside(*inside_->user_top.find(top)->second, name, d);
      if (!inner) return inner;
      if (*inner && inside) inside = nullptr;
      else if (*inner) inside = *inner;
    }
    if (inside) return inside;
  }
  std::vector<std::string> candidates = inside_->user_order;
  std::string prefix;
  if (dot != std::string_view::npos) {
    auto outer = find(name.substr(0, dot), d);
    if (!outer) return outer;
    candidates = member_names(**outer);
    prefix = std::string(name.substr(0, dot)) + ".";
  }
  std::vector<Note> notes;
  std::string near = near_match(dot == std::string_view::npos ? name : name.substr(dot + 1), candidates);
  if (!near.empty()) notes.push_back({{}, "did you mean `" + prefix + near + "`?"});
  if (near.empty() && dot == std::string_view::npos) notes.push_back({{}, missing_library_hint(name)});
  auto outer = dot == std::string_view::npos ? Result<const Definition*>(nullptr) : find(name.substr(0, dot), d);
  std::string hint = outer && *outer ? missing_member_hint(**outer) : "";
  if (!hint.empty()) notes.push_back({{}, std::move(hint)});
  return d.error(codes::unknown_class, {}, {name}, std::move(notes));
}

std::string Library::missing_member_hint(const Definition& definition) const {
  const Definition* top = &definition;
  while (top->parent) top = top->parent;
  auto ours = inside_->stdlib_top.find(top->name());
  if (ours == inside_->stdlib_top.end() || ours->second != top) return {};
  std::string name(top->name());
  return "Bolza comes with a part of the library `" + name +
         "`; to have all of it, put the folder that holds it on MODELICAPATH, or name that folder by --path";
}

std::string Library::missing_library_hint(std::string_view name) const {
  const auto& folders = inside_->options.modelica_path;
  if (folders.empty()) return "if `" + std::string(name) + "` is a library, set MODELICAPATH to the folder that holds it";
  std::string list;
  for (const std::string& folder : folders) list += (list.empty() ? "" : ", ") + folder;
  return "if `" + std::string(name) + "` is a library, its folder is not on MODELICAPATH (" + list + ")";
}

}  // namespace bolza::instance
