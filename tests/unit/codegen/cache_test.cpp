// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "compiler/codegen/cache.h"
#include "hand_problem.h"

namespace bolza::codegen {
namespace {

namespace fs = std::filesystem;

class CacheFiles : public testing::Test {
 protected:
  void SetUp() override {
    directory_ = fs::temp_directory_path() / ("bolza_cache_test_" + std::to_string(getpid()));
    fs::remove_all(directory_);
  }
  void TearDown() override { fs::remove_all(directory_); }
  CompileStatistics compile_once(std::uint32_t width = 0) {
    test::HandProblem h = test::van_der_pol();
    auto open_jit = [&]() -> const JitLibrary& { return ++opened_, test::open_jit(); };
    auto compiled = compile(h.finish(1), h.sources, {.open_jit = open_jit, .width = width, .cache = directory_.string()});
    const bolza_problem& p = compiled->problem();
    bolza_function& f = *p.models[0]->rates;
    test::Points point = test::random_points(f.n_point, 5, 3), weight = test::random_points(f.n_rows, 5, 4);
    out_ = test::run(p, f, BOLZA_JACOBIAN, point, h.problem.shared_values).out;
    test::run(p, f, BOLZA_HESSIAN, point, h.problem.shared_values, weight);
    return compiled->statistics();
  }
  fs::path directory_;
  std::vector<std::vector<double>> out_;
  int opened_ = 0;  ///< calls for LLVM
};

TEST_F(CacheFiles, are_used_by_the_next_compilation) {
  CompileStatistics first = compile_once();
  EXPECT_EQ(first.from_cache, 0u);
  EXPECT_EQ(first.objects, 2u);
  EXPECT_EQ(opened_, 2);
  auto reference = out_;
  CompileStatistics second = compile_once();
  EXPECT_EQ(second.from_cache, 2u);
  EXPECT_EQ(opened_, 2) << "what is in the cache is loaded without LLVM";
  EXPECT_EQ(out_, reference);
  EXPECT_EQ(Cache(directory_.string()).size().entries, 2u);
}

TEST_F(CacheFiles, of_another_width_are_not_used) {
  compile_once(4);
  EXPECT_EQ(compile_once(1).from_cache, 0u);
}

TEST_F(CacheFiles, that_are_damaged_are_made_again) {
  compile_once();
  auto reference = out_;
  for (const auto& entry : fs::directory_iterator(directory_)) {
    std::fstream file(entry.path(), std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(entry.file_size() / 2));
    file.put('!').put('?');
  }
  EXPECT_EQ(compile_once().from_cache, 0u);
  EXPECT_EQ(out_, reference);
  EXPECT_EQ(compile_once().from_cache, 2u);
}

TEST_F(CacheFiles, that_are_cut_short_are_made_again) {
  compile_once();
  for (const auto& entry : fs::directory_iterator(directory_)) fs::resize_file(entry.path(), entry.file_size() / 3);
  EXPECT_EQ(compile_once().from_cache, 0u);
  EXPECT_EQ(compile_once().from_cache, 2u);
}

TEST_F(CacheFiles, with_a_true_checksum_but_no_object_are_made_again) {
  compile_once();
  Cache cache(directory_.string());
  for (const auto& entry : fs::directory_iterator(directory_)) cache.put(entry.path().stem().string(), "not an object");
  CompileStatistics again = compile_once();
  EXPECT_EQ(again.from_cache, 0u);
  EXPECT_EQ(again.damaged, 2u);
}

TEST_F(CacheFiles, are_counted_and_cleared_and_nothing_else_is) {
  Cache cache(directory_.string());
  cache.put("a", "hello");
  cache.put("b", std::string(1000, 'x'));
  std::ofstream(directory_ / "notes.txt") << "mine";
  EXPECT_EQ(cache.find("a"), "hello");
  EXPECT_EQ(cache.find("c"), std::nullopt);
  EXPECT_EQ(cache.size().entries, 2u);
  EXPECT_GT(cache.size().bytes, 1000u);
  EXPECT_EQ(cache.clear().entries, 2u);
  EXPECT_EQ(cache.size().entries, 0u);
  EXPECT_TRUE(fs::exists(directory_ / "notes.txt"));
}

TEST(CacheDirectory, that_cannot_be_written_is_no_failure) {
  Cache cache("/proc/bolza");
  cache.put("a", "hello");
  EXPECT_EQ(cache.find("a"), std::nullopt);
  EXPECT_EQ(cache.clear().entries, 0u);
}

TEST(CacheDirectory, is_named_by_the_environment) {
  setenv("BOLZA_CACHE", "/tmp/elsewhere", 1);
  EXPECT_EQ(Cache::default_directory(), "/tmp/elsewhere");
  unsetenv("BOLZA_CACHE");
  setenv("XDG_CACHE_HOME", "/tmp/xdg", 1);
  EXPECT_EQ(Cache::default_directory(), "/tmp/xdg/bolza");
  unsetenv("XDG_CACHE_HOME");
}

TEST(CacheDirectory, that_others_may_write_is_not_used) {
  fs::path folder = fs::temp_directory_path() / ("bolza_shared_" + std::to_string(::getpid()));
  fs::create_directory(folder);
  setenv("BOLZA_CACHE", folder.c_str(), 1);
  fs::permissions(folder, fs::perms::owner_all);
  EXPECT_EQ(Cache::default_directory(), folder.string());
  for (fs::perms others : {fs::perms::group_write, fs::perms::others_write}) {
    fs::permissions(folder, fs::perms::owner_all | others);
    EXPECT_EQ(Cache::default_directory(), "");
  }
  unsetenv("BOLZA_CACHE");
  fs::remove_all(folder);
}

TEST(CacheDirectory, is_for_its_user_alone) {
  fs::path folder = fs::temp_directory_path() / ("bolza_own_" + std::to_string(::getpid()));
  Cache(folder.string()).put("a", "hello");
  EXPECT_EQ(fs::status(folder).permissions() & fs::perms::mask, fs::perms::owner_all);
  fs::remove_all(folder);
}

}  // namespace
}  // namespace bolza::codegen
