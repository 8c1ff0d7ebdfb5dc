// SPDX-License-Identifier: Apache-2.0
#include "compiler/driver/option_table.h"

#include <gtest/gtest.h>

namespace bolza::driver {
namespace {

struct Setting {
  Diagnostics diagnostics;
  Options options;
  bool set(std::string_view name, std::string_view value) { return bool(set_option(options, name, value, {}, diagnostics)); }
};

TEST(OptionTable, it_accepts_the_spellings_of_other_tools) {
  Setting s;
  EXPECT_TRUE(s.set("n_e", "20"));
  EXPECT_TRUE(s.set("N_CP", "4"));
  EXPECT_TRUE(s.set("discr", "LG"));
  EXPECT_TRUE(s.set("RTOL_tolerance", "1.0e-6"));
  EXPECT_TRUE(s.set("Steps", "5"));
  EXPECT_EQ(s.options.text("mesh"), "20");
  EXPECT_EQ(s.options.integer("points"), 4);
  EXPECT_EQ(s.options.text("transcription"), "gauss");
  EXPECT_EQ(s.options.number("rtol"), 1e-6);
  EXPECT_EQ(s.options.integer("samples"), 5);
}

TEST(OptionTable, it_expands_classical_method_names) {
  Setting s;
  EXPECT_TRUE(s.set("solver", "nlsq_cvodes"));
  EXPECT_EQ(s.options.text("transcription"), "single-shooting");
  EXPECT_EQ(s.options.text("hessian"), "gauss-newton");
  EXPECT_TRUE(s.set("method", "ipopt_radau"));
  EXPECT_EQ(s.options.text("transcription"), "radau");
}

TEST(OptionTable, it_makes_pairs_without_a_name_of_rows_that_have_their_halves) {
  struct Case {
    const char *name, *transcription, *integrator, *engine;
  };
  for (Case c : {Case{"hqp+adams", "multiple-shooting", "adams", "hqp"},
                 {"HQP+Enright_Semi", "multiple-shooting", "enright_semi", "hqp"},
                 {"ipopt+imp", "single-shooting", "midpoint", "ipopt"},
                 {"sqp+dopri5", "single-shooting", "dopri5", "sqp"},
                 {"rkcon+dopri5", "single-shooting", "dopri5", "sqp"},
                 {"bonmin+radau", "radau", "", "bonmin"},
                 {"nlsq+hermite-simpson", "hermite-simpson", "", "nlsq"},
                 {"hqp", "radau", "", "hqp"}}) {
    Setting s;
    EXPECT_TRUE(s.set("method", c.name)) << c.name;
    EXPECT_EQ(s.options.text("transcription"), c.transcription) << c.name;
    EXPECT_EQ(s.options.text("integrator"), c.integrator) << c.name;
    EXPECT_EQ(s.options.text("nlp"), c.engine) << c.name;
  }
  Setting s;
  EXPECT_TRUE(s.set("method", "ipopt+radau5-dae3"));
  EXPECT_EQ(s.options.text("form"), "original");
  for (const char* name : {"hqp+foo", "foo+radau", "hqp+", "+radau", "hqp+single-shooting", "radau5"}) {
    Setting t;
    EXPECT_FALSE(t.set("method", name)) << name;
    EXPECT_EQ(t.diagnostics.all().at(0).code->id, "E903") << name;
  }
}

TEST(OptionTable, it_names_the_near_match_of_an_unknown_option) {
  Setting s;
  EXPECT_FALSE(s.set("mehs", "20"));
  ASSERT_EQ(s.diagnostics.all().size(), 1u);
  EXPECT_EQ(s.diagnostics.all()[0].message, "there is no option `mehs`");
  ASSERT_EQ(s.diagnostics.all()[0].notes.size(), 1u);
  EXPECT_EQ(s.diagnostics.all()[0].notes[0].text, "did you mean `mesh`?");
}

TEST(OptionTable, it_refuses_values_of_the_wrong_form_and_says_which_would_do) {
  for (auto [name, value] : {std::pair{"mesh", "0"},
                             {"mesh", "0,0.5,0.4,1"},
                             {"mesh", "0.1,1"},
                             {"points", "2.5"},
                             {"tol", "-1"},
                             {"control", "smooth"},
                             {"hessian", "quasi"},
                             {"tol", "nan"}}) {
    Setting s;
    EXPECT_FALSE(s.set(name, value)) << name << "=" << value;
    EXPECT_EQ(s.diagnostics.all().at(0).code->id, "E902");
  }
  Setting s;
  EXPECT_TRUE(s.set("mesh", "{0, 0.1, 1}"));
  EXPECT_EQ(s.options.text("mesh"), "0,0.1,1");
}

TEST(OptionTable, it_keeps_engine_options_as_written) {
  Setting s;
  EXPECT_TRUE(s.set("ipopt.mu_strategy", "adaptive"));
  EXPECT_EQ(s.options.values.at("ipopt.mu_strategy"), "adaptive");
}

TEST(OptionTable, it_takes_steps_of_any_row_for_an_indirect_method) {
  Setting s;
  EXPECT_TRUE(s.set("method", "bndsco+radau5"));
  EXPECT_EQ(s.options.values.at("nlp"), "newton");
  EXPECT_EQ(s.options.values.at("transcription"), "multiple-shooting");
  EXPECT_EQ(s.options.values.at("integrator"), "radau5");
}

TEST(OptionTable, it_leaves_names_of_rows_to_their_tables) {
  Setting s;
  EXPECT_TRUE(s.set("integrator", "Implicit_Midpoint"));
  EXPECT_EQ(s.options.text("integrator"), "implicit-midpoint");
}

TEST(OptionTable, it_remembers_where_an_option_was_set) {
  Sources sources;
  Diagnostics diagnostics;
  SourceId file = sources.add("command line", "--method ipopt+cvodes");
  Options first, later;
  ASSERT_TRUE(set_option(first, "method", "ipopt+cvodes", {file, 9, 21}, diagnostics));
  later.merge(first);
  EXPECT_EQ(later.place("integrator"), (Span{file, 9, 21}));
  EXPECT_FALSE(later.place("mesh"));
}

}  // namespace
}  // namespace bolza::driver
