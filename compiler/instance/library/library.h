// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "compiler/instance/library/trust.h"
#include "compiler/syntax/ast.h"

namespace bolza::syntax {
struct Arrangement;
}

namespace bolza::instance {

/// A class as it stands in the source: a node of the lexical tree. Pointers are stable as long as the library lives.
/// Invariants: `ast` is never null; `parent` is the lexically enclosing class, null for top-level classes.
struct Definition {
  const syntax::ast::Class* ast = nullptr;
  const Definition* parent = nullptr;
  SourceId source;
  bool from_library = false;  ///< found on the path, not in a file that the user named
  std::string_view name() const { return ast->name; }
};

/// "A.B.C".
std::string full_name(const Definition& definition);
/// Whether `inner` is `outer` or stands lexically inside it.
bool encloses(const Definition& outer, const Definition& inner);

struct LibraryOptions {
  std::vector<std::string> modelica_path;  ///< folders, searched in order: `X/package.mo`, `X.mo`, `X 4.1.0/package.mo`, …
  std::string
      stdlib;         ///< our own folder; searched last; fills in members that a library's top package lacks (Modelica.DOML)
  std::string cache;  ///< folder of parsed files; "": none
  Trust trust = {};
  bool strict = false;  ///< what the language forbids and others let pass is refused
};

/// What the text of the modifications of a run is called among the sources.
inline constexpr const char* settings_source = "--set";

/// All classes that can be named: the files the user gave, then what the path offers. Files are parsed when a class in them
/// is first looked up; a folder with `package.mo` is a package whose members are its files and folders.
class Library {
 public:
  Library(Sources& sources, LibraryOptions options);
  ~Library();
  Library(Library&&) noexcept;
  Library& operator=(Library&&) noexcept;

  /// Reads and parses a file, or a folder with `package.mo`, and adds its classes. A file that stands in a package folder
  /// (`within A;`) brings that package along. Gives the classes of the file, in source order.
  /// Errors  E201 unreadable, E1xx from the parser, E202 two classes of one name.
  Result<std::vector<const Definition*>> add_file(const std::string& path, Diagnostics& diagnostics);
  /// The same from a text; `path` is only its name in messages.
  Result<std::vector<const Definition*>> add_text(std::string path, std::string text, Diagnostics& diagnostics);

  /// Parses a text with one class that does not become part of the library.
  Result<const syntax::ast::Class*> add_aside(std::string path, std::string text, Diagnostics& diagnostics,
                                              const syntax::Arrangement* arrangement = nullptr);

  /// The top-level class of that name: a user's, else from a file next to the user's, else from the path; null when there is
  /// none. Parses at most one file.
  Result<const Definition*> top_level(std::string_view name, Diagnostics& diagnostics);
  /// The class `name` declared inside `definition` (not inherited, not imported); null when there is none. Parses at most
  /// one file.
  Result<const Definition*> member(const Definition& definition, std::string_view name, Diagnostics& diagnostics);
  /// Names of the classes declared inside, in the order of package.order, else of the source. Parses nothing.
  std::vector<std::string> member_names(const Definition& definition) const;
  /// Names of the user's top-level classes, in the order they were added.
  std::vector<std::string> top_level_names() const;
  /// "A.B.C" from the top, or the name of a class inside the user's packages when only one is called that; E204 with a near
  /// match, and the hint about MODELICAPATH when A is nowhere.
  Result<const Definition*> find(std::string_view name, Diagnostics& diagnostics);
  /// Like `find`, but null instead of a message when there is none.
  Result<const Definition*> find_quietly(std::string_view name, Diagnostics& diagnostics);

  /// StateSelect, AssertionLevel, ExternalObject, the domains of PDEModelica; null for other names.
  Result<const Definition*> predefined(std::string_view name, Diagnostics& diagnostics);
  /// What to tell when a top-level name is nowhere: what MODELICAPATH is, or that it is not set.
  std::string missing_library_hint(std::string_view name) const;
  /// What to tell when a library's class is missing in the part of that library that comes with Bolza; "" elsewhere.
  std::string missing_member_hint(const Definition& definition) const;

  Sources& sources() const;
  const LibraryOptions& options() const;
  /// What the classes may do beyond computing.
  const TrustRules& trust() const;
  std::size_t files_parsed() const;
  /// How many of them, and of our own texts, the cache had.
  std::size_t files_from_cache() const;

 private:
  struct Inside;
  Result<std::vector<const Definition*>> add_parsed(const syntax::ast::StoredFile& file, Diagnostics& diagnostics);
  Result<const Definition*> find_inside(const Definition& outer, std::string_view name, Diagnostics& diagnostics);
  std::unique_ptr<Inside> inside_;
};

/// Non-partial classes among `given` and inside them that state an optimisation problem: of kind `optimization`, or with
/// `minimize`/`maximize`, or models with the class attributes `objective`, `objectiveIntegrand`, or with a component
/// annotated `isMayer`/`isLagrange`. In source order; members of package folders are parsed.
Result<std::vector<const Definition*>> optimization_classes(Library& library, std::vector<const Definition*> given,
                                                            Diagnostics& diagnostics);
/// Non-partial models, blocks and classes with equations or components among `given` and inside them, in source order.
Result<std::vector<const Definition*>> model_classes(Library& library, std::vector<const Definition*> given,
                                                     Diagnostics& diagnostics);

}  // namespace bolza::instance
