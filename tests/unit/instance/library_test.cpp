// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <fstream>

#include <unistd.h>

#include "made.h"

namespace bolza::instance {
namespace {

/// A folder that is gone after the test.
struct Folder {
  std::filesystem::path path;
  Folder() : path(std::filesystem::temp_directory_path() / ("bolza_library_test_" + std::to_string(::getpid()))) {
    std::filesystem::remove_all(path);
  }
  ~Folder() { std::filesystem::remove_all(path); }
  void write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories((path / name).parent_path());
    std::ofstream(path / name) << text;
  }
  std::string at(const std::string& name) const { return (path / name).string(); }
};

struct Session {
  Sources sources;
  Library library;
  Diagnostics d;
  explicit Session(LibraryOptions options = {}) : library(sources, std::move(options)) {}
  std::string first() const { return d.all().empty() ? "" : std::string(d.all()[0].code->id) + " " + d.all()[0].message; }
};

void write_package(const Folder& f, const std::string& top = "P") {
  f.write(top + "/package.mo", "within; package P constant Real one = 1; end P;");
  f.write(top + "/package.order", "B\nA\none\nSub\n");
  f.write(top + "/A.mo", "within P; model A Real x = one; parameter Real k = Sub.two; end A;");
  f.write(top + "/B.mo", "within P; model B extends A; end B;");
  f.write(top + "/Unused.mo", "within P; model Unused this does not parse; end Unused;");
  f.write(top + "/Sub/package.mo", "within P; package Sub constant Real two = 2; end Sub;");
}

TEST(LibraryFiles, reads_package_folders_lazily) {
  Folder f;
  write_package(f);
  Session s({.modelica_path = {f.path.string()}});
  auto tree = instantiate(s.library, "P.B", {}, s.d);
  ASSERT_TRUE(tree) << s.first();
  EXPECT_EQ(s.library.files_parsed(), 3u);  // package, B, A; not the broken one, nor Sub, whose constant nobody asked for
  EXPECT_EQ(value_of(*tree, *tree->root().child("k"), {}, {}, s.d)->number(), 2.0);
  EXPECT_EQ(s.library.files_parsed(), 4u);
  auto package = s.library.find("P", s.d);
  ASSERT_TRUE(package);
  EXPECT_EQ(s.library.member_names(**package), (std::vector<std::string>{"B", "A", "Sub", "Unused"}));
  EXPECT_FALSE(s.library.find("P.Unused", s.d));
  EXPECT_EQ(s.first().substr(0, 2), "E1");
}

TEST(LibraryFiles, takes_parsed_files_from_the_cache_until_they_change) {
  Folder f;
  write_package(f);
  LibraryOptions options{.modelica_path = {f.path.string()}, .cache = f.at("cache")};
  auto from_cache = [&](double expected) {
    Session s(options);
    auto tree = instantiate(s.library, "P.B", {}, s.d);
    EXPECT_TRUE(tree) << s.first();
    if (tree) {
      EXPECT_EQ(value_of(*tree, *tree->root().child("k"), {}, {}, s.d)->number(), expected);
    }
    return s.library.files_from_cache();
  };
  EXPECT_EQ(from_cache(2.0), 0u);
  std::size_t all = from_cache(2.0);
  EXPECT_GE(all, 4u);
  f.write("P/Sub/package.mo", "within P; package Sub constant Real two = 3; end Sub;");
  EXPECT_EQ(from_cache(3.0), all - 1);
  EXPECT_EQ(from_cache(3.0), all);
  options.cache.clear();
  EXPECT_EQ(from_cache(3.0), 0u);
}

TEST(LibraryFiles, chooses_the_highest_version) {
  Folder f;
  f.write("P 1.9.0/package.mo", "package P constant Integer v = 1; end P;");
  f.write("P 1.10.0/package.mo", "package P constant Integer v = 2; end P;");
  Session s({.modelica_path = {f.path.string()}});
  ASSERT_TRUE(s.library.add_text("m.mo", "model M parameter Integer v = P.v; end M;", s.d));
  auto tree = instantiate(s.library, "M", {}, s.d);
  ASSERT_TRUE(tree) << s.first();
  EXPECT_EQ(value_of(*tree, *tree->root().child("v"), {}, {}, s.d)->integer(), 2);
}

TEST(LibraryFiles, takes_a_folder_a_file_in_it_or_its_package_file) {
  Folder f;
  write_package(f);
  for (const char* name : {"P", "P/package.mo", "P/A.mo"}) {
    Session s;
    auto given = s.library.add_file(f.at(name), s.d);
    ASSERT_TRUE(given) << name << s.first();
    EXPECT_EQ(full_name(*(*given)[0]), std::string(name) == "P/A.mo" ? "P.A" : "P");
    EXPECT_TRUE(instantiate(s.library, "P.A", {}, s.d)) << s.first();
  }
}

TEST(LibraryFiles, finds_classes_in_files_beside_the_given_one) {
  Folder f;
  f.write("Tank.mo", "model Tank Real h; end Tank;");
  f.write("Plant.mop", "optimization Plant Tank t; end Plant;");
  Session s;
  ASSERT_TRUE(s.library.add_file(f.at("Plant.mop"), s.d));
  EXPECT_TRUE(instantiate(s.library, "Plant", {}, s.d)) << s.first();
}

TEST(LibraryFiles, prefers_the_user_then_the_path_then_the_own_library) {
  Folder f;
  f.write("path/L.mo", "package L constant Integer v = 2; package X constant Integer w = 5; end X; end L;");
  f.write("own/L.mo", "package L constant Integer v = 3; package Only constant Integer w = 4; end Only; end L;");
  Session s({.modelica_path = {f.at("path")}, .stdlib = f.at("own")});
  ASSERT_TRUE(s.library.add_text("m.mo", "model M parameter Integer a = L.v; parameter Integer b = L.Only.w; end M;", s.d));
  auto tree = instantiate(s.library, "M", {}, s.d);
  ASSERT_TRUE(tree) << s.first();
  EXPECT_EQ(value_of(*tree, *tree->root().child("a"), {}, {}, s.d)->integer(), 2);
  EXPECT_EQ(value_of(*tree, *tree->root().child("b"), {}, {}, s.d)->integer(), 4);
}

TEST(LibraryFiles, that_cannot_be_read_are_named) {
  Session s;
  EXPECT_FALSE(s.library.add_file("/nowhere/x.mo", s.d));
  EXPECT_EQ(s.first().substr(0, 4), "E201");
}

TEST(LibraryFiles, with_an_unknown_package_are_read_with_a_warning) {
  Session s;
  ASSERT_TRUE(s.library.add_text("m.mo", "within Nowhere.At.All; model M Real x; end M;", s.d));
  EXPECT_EQ(s.first().substr(0, 4), "W201");
  EXPECT_TRUE(instantiate(s.library, "M", {}, s.d));
}

TEST(LibraryClasses, of_one_name_clash) {
  EXPECT_EQ(Made("model M Real x; end M; model M Real y; end M;").codes(), "E202");
  EXPECT_EQ(Made("package P model M Real x; end M; model M Real y; end M; end P;", "P.M").codes(), "E202");
}

TEST(LibraryClasses, are_found_by_their_last_name_when_only_one_has_it) {
  EXPECT_TRUE(Made("package P package Q model Deep Real x; end Deep; end Q; end P;", "Deep").good());
  EXPECT_EQ(Made("package P model Deep end Deep; package Q model Deep Real x; end Deep; end Q; end P;", "Deep").codes(),
            "E204");
  Made m("package P model Tank Real x; end Tank; end P;", "P.Tanc");
  EXPECT_EQ(m.codes(), "E204");
  EXPECT_NE(m.first().find("did you mean `P.Tank`?"), std::string::npos) << m.first();
}

TEST(LibraryClasses, of_our_own_library_are_read_only_when_used) {
  Session s({.stdlib = BOLZA_SOURCE_DIR "/stdlib"});
  ASSERT_TRUE(s.library.add_text("m.mo", "model M Real x = sin(time); equation der(x) = exp(-x); end M;", s.d));
  ASSERT_TRUE(instantiate(s.library, "M", {}, s.d));
  EXPECT_EQ(s.library.files_parsed(), 1u);
}

}  // namespace
}  // namespace bolza::instance
