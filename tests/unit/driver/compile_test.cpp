// SPDX-License-Identifier: Apache-2.0
#include "compiler/driver/compile.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace bolza::driver {
namespace {

/// A model in a file of its own.
struct Text {
  Sources sources;
  Diagnostics diagnostics;
  CompileOptions options;

  explicit Text(const std::string& text) {
    path_ = std::filesystem::temp_directory_path() / ("bolza_compile_test_" + std::to_string(::getpid()) + ".mop");
    std::ofstream(path_) << text;
    options.files = {path_.string()};
    options.stdlib = std::string(BOLZA_SOURCE_DIR) + "/stdlib";
  }
  ~Text() { std::filesystem::remove(path_); }

  Result<Compiled> compile() {
    Result<Compiled> compiled = driver::compile(options, sources, diagnostics);
    if (!compiled)
      for (const Diagnostic& d : diagnostics.all()) messages += render(d, sources);
    return compiled;
  }
  std::string messages;

 private:
  std::filesystem::path path_;
};

const char* const harvest = R"(
optimization Harvest(objectiveIntegrand = (yield - 1)^2 + u^2, startTime = 0, finalTime = 4)
  parameter Real rate = 0.7;
  Real stock(start = 2, fixed = true, min = 0.1);
  Real yield = u*stock;
  input Real u(min = 0, max = 1);
equation
  der(stock) = rate*stock*(1 - stock/5) - yield;
constraint
  stock(finalTime) >= 1;
  yield <= 2;
  annotation(solver(mesh = 20, points = 2));
end Harvest;
)";

TEST(compile, gives_the_standard_form_of_a_file_with_one_problem) {
  Text t(harvest);
  Result<Compiled> c = t.compile();
  ASSERT_TRUE(c) << t.messages;
  EXPECT_EQ(c->class_name, "Harvest");
  EXPECT_EQ(c->problem.x.size(), 1u);
  EXPECT_EQ(c->problem.z.size(), 0u);
  EXPECT_EQ(c->problem.u.size(), 1u);
  EXPECT_EQ(c->problem.n_q, 1u);
  EXPECT_EQ(c->problem.n_g, 1u);
  EXPECT_EQ(c->problem.n_k, 1u);
  EXPECT_EQ(c->problem.residual_rows[0].name, "yield <= 2");
  EXPECT_EQ(c->problem.residual_rows[0].upper, 2);
  EXPECT_EQ(c->problem.point_rows[0].name, "stock(finalTime) >= 1");
  EXPECT_TRUE(c->problem.point_is_least_squares);
  EXPECT_EQ(c->problem.x_numbers[0].min, 0.1);
  EXPECT_EQ(c->annotated.text("mesh"), "20");
  EXPECT_EQ(c->annotated.integer("points"), 2);
}

TEST(compile, changes_parameters_by_settings) {
  Text t(harvest);
  t.options.settings = {"rate=0.25"};
  Result<Compiled> c = t.compile();
  ASSERT_TRUE(c) << t.messages;
  ASSERT_EQ(c->problem.shared.size(), 3u);
  EXPECT_EQ(c->problem.shared_values[2], 0.25);
}

TEST(compile, asks_which_of_several_classes_is_meant) {
  Text t("model A Real x; equation x = 1; end A; model B Real x; equation x = 2; end B;");
  ASSERT_FALSE(t.compile());
  EXPECT_NE(t.messages.find("contains several models: `A`, `B` [E912]"), std::string::npos) << t.messages;
}

TEST(compile, puts_a_caret_under_the_equation_that_is_one_too_many) {
  Text t("model M\n  Real x, y;\nequation\n  x = sin(time);\n  exp(x) = 2;\n  y*y = 3;\n  y = cos(x);\nend M;\n");
  ASSERT_FALSE(t.compile());
  EXPECT_NE(t.messages.find("[E407]"), std::string::npos) << t.messages;
  EXPECT_NE(t.messages.find("exp(x) = 2"), std::string::npos) << t.messages;
}

TEST(compile, prints_the_model_after_a_pass) {
  Text t(harvest);
  Result<std::string> before = text_after(t.options, "", t.sources, t.diagnostics);
  ASSERT_TRUE(before);
  EXPECT_NE(before->find("yield"), std::string::npos);
  for (const std::string& pass : pass_names()) {
    Result<std::string> text = text_after(t.options, pass, t.sources, t.diagnostics);
    ASSERT_TRUE(text) << pass;
    EXPECT_FALSE(text->empty()) << pass;
  }
  EXPECT_FALSE(text_after(t.options, "eliminate-alias", t.sources, t.diagnostics));
  EXPECT_EQ(t.diagnostics.all().back().notes[0].text, "did you mean `eliminate-aliases`?");
}

TEST(compile, keeps_an_array_that_a_section_writes_by_index_in_one_shape) {
  std::vector<std::size_t> groups, entries;
  for (const char* n : {"n=100", "n=200", "n=400"}) {
    Text t(R"(
model Samples
  parameter Integer n = 100;
  discrete Real taken[n](start = zeros(n), each fixed = true);
  Integer k(start = 0, fixed = true);
  Real newest;
algorithm
  when sample(0, 0.01) then
    k := pre(k) + 1;
    taken[k] := sin(time);
  end when;
equation
  newest = taken[n];
end Samples;)");
    t.options.settings = {n};
    Result<Compiled> c = t.compile();
    ASSERT_TRUE(c) << t.messages;
    const ir::Section& update = c->problem.hybrid->update.section;
    groups.push_back(update.groups.size());
    entries.push_back(0);
    for (const ir::Group& group : update.groups) entries.back() += (group.slots.size() + group.roots.size()) * group.n;
  }
  EXPECT_EQ(groups[0], groups[1]);
  EXPECT_EQ(groups[1], groups[2]);
  EXPECT_EQ(entries[2] - entries[1], 2 * (entries[1] - entries[0])) << "grows with the array, not with its square";
}

TEST(compile, keeps_a_field_of_cells_rolled) {
  std::vector<std::size_t> groups;
  for (const char* n : {"n=12", "n=200"}) {
    Text t(R"(
optimization Field(objective = y[1](finalTime), finalTime = 1)
  parameter Integer n = 12;
  Real y[n](each start = 0, each fixed = true);
  input Real u;
equation
  der(y[1]) = u - y[1];
  for i in 2:n loop
    der(y[i]) = (y[i - 1] - y[i])*n + y[i]*(1 - y[i]);
  end for;
end Field;
)");
    t.options.settings = {n};
    Result<Compiled> c = t.compile();
    ASSERT_TRUE(c) << t.messages;
    groups.push_back(c->problem.rates.section.groups.size());
  }
  EXPECT_EQ(groups[0], groups[1]);
}

}  // namespace
}  // namespace bolza::driver
