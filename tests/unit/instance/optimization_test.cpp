// SPDX-License-Identifier: Apache-2.0
#include "made.h"

namespace bolza::instance {
namespace {

TEST(Optimization, has_five_class_attributes_that_are_names) {
  Made m(
      "optimization M(objective = x(finalTime), objectiveIntegrand = u^2, startTime = 1, finalTime(free = true, "
      "initialGuess = 2, min = 0.5) = 3, static = false)"
      " Real x; input Real u; parameter Real tf = finalTime - startTime; end M;");
  ASSERT_TRUE(m.good()) << m.messages();
  EXPECT_EQ(m.root().children.size(), 8u);
  EXPECT_EQ(m.binding("objective"), "x(finalTime)");
  EXPECT_EQ(m.at("objective").class_attribute, ClassAttribute::objective);
  EXPECT_EQ(m.attribute("finalTime", "initialGuess"), "2");
  EXPECT_EQ(m.binding("finalTime"), "3");
  EXPECT_EQ(m.at("static").type, Type::boolean);
  Diagnostics d;
  auto found = lookup(*m.tree, m.at("tf").binding.scope, *m.at("tf").binding.expr->operands[0]->reference, d);
  ASSERT_TRUE(found);
  EXPECT_EQ(&found->component(), &m.at("finalTime"));
}

TEST(Optimization, attributes_are_merged_through_extends) {
  Made m(
      "optimization A(objective = 1, finalTime(min = 1) = 5, startTime = 2) Real x; end A;"
      "optimization B(finalTime(max = 9), objectiveIntegrand = 3) extends A(startTime = 4); end B;"
      "optimization M(objective = 7) extends B; end M;");
  ASSERT_TRUE(m.good()) << m.messages();
  EXPECT_EQ(m.binding("objective"), "7");
  EXPECT_EQ(m.binding("objectiveIntegrand"), "3");
  EXPECT_EQ(m.binding("startTime"), "4");
  EXPECT_EQ(m.binding("finalTime"), "5");
  EXPECT_EQ(m.attribute("finalTime", "min"), "1");
  EXPECT_EQ(m.attribute("finalTime", "max"), "9");
}

TEST(Optimization, attributes_can_be_set_from_the_command_line) {
  Made m("optimization M(finalTime = 5) Real x; end M;", "M", {"finalTime=8", "startTime(free=true)"});
  ASSERT_TRUE(m.good()) << m.messages();
  EXPECT_EQ(m.binding("finalTime"), "8");
  EXPECT_EQ(m.attribute("startTime", "free"), "true");
}

TEST(Optimization, attributes_that_do_not_exist_are_refused) {
  Made m("optimization M(finaltime = 5) Real x; end M;");
  EXPECT_EQ(m.codes(), "E210");
  EXPECT_NE(m.first().find("did you mean `finalTime`?"), std::string::npos) << m.first();
  EXPECT_EQ(Made("optimization M(finalTime(fre = true)) Real x; end M;").codes(), "E210");
  EXPECT_EQ(Made("optimization M(finalTime = 5, finalTime = 6) Real x; end M;").codes(), "E211");
}

TEST(Optimization, attributes_on_a_model_are_read) {
  Made m("model M(startTime = 0, finalTime = 2) Real x; end M;");
  ASSERT_TRUE(m.good()) << m.messages();
  EXPECT_EQ(m.binding("finalTime"), "2");
}

TEST(Optimization, attributes_of_a_component_have_no_effect_and_a_warning) {
  Made m("model A(finalTime = 2) Real x; end A; model M A a; end M;");
  ASSERT_TRUE(m.good());
  EXPECT_NE(m.codes().find("W211"), std::string::npos) << m.codes();
  EXPECT_EQ(m.at("a").child("finalTime"), nullptr);
}

TEST(Optimization, end_times_are_known_inside_components) {
  Made m(
      "block S parameter Real a; parameter Real b; end S; optimization M(startTime = 0, finalTime = 4) S s(a = startTime, b "
      "= finalTime); end M;");
  ASSERT_TRUE(m.good()) << m.messages();
  EXPECT_EQ(m.value("s.b"), "4");
}

TEST(Optimization, attribute_beside_a_component_of_that_name_keeps_both) {
  Made m(
      "model A parameter Real objective = 3; Real x; end A; optimization M(objective = x(finalTime)) extends A(objective = "
      "4); end M;");
  ASSERT_TRUE(m.good()) << m.messages();
  EXPECT_EQ(m.value("objective"), "4");
  EXPECT_EQ(Made::text(m.root().children.at(2)->binding.expr), "x(finalTime)");
}

TEST(Optimization, collects_constraints_and_objectives_of_bases) {
  Made m(
      "optimization A Real x; minimize J = x(finalTime); constraint x <= 1; end A;"
      "optimization M extends A; constraint x >= 0; x(finalTime) = 1; end M;");
  ASSERT_TRUE(m.good()) << m.messages();
  EXPECT_EQ(m.root().constraints.size(), 3u);
  ASSERT_EQ(m.root().objectives.size(), 1u);
  EXPECT_EQ(m.root().objectives[0].node->name, "J");
}

TEST(Optimization, keeps_annotations_with_their_classes) {
  Made m(
      "model A Real x annotation(isMayer = true); annotation(experiment(StopTime = 3)); end A;"
      "optimization M extends A; annotation(solver = \"ipopt\"); end M;");
  ASSERT_TRUE(m.good()) << m.messages();
  ASSERT_EQ(m.root().annotations.size(), 2u);
  EXPECT_EQ(m.root().annotations[0].definition->name(), "M");
  EXPECT_EQ(Made::text(find_value(m.root().annotations[1].annotation, "experiment.StopTime")), "3");
  EXPECT_TRUE(m.root().annotations[1].inherited);
  EXPECT_TRUE(annotated(m.at("x"), "isMayer"));
  EXPECT_FALSE(annotated(m.at("x"), "isLagrange"));
}

TEST(Survey, finds_the_optimization_classes_of_a_file) {
  Sources sources;
  Library library(sources, {});
  Diagnostics d;
  auto classes = library.add_text(
      "test.mo",
      "package P model A Real x; equation x = 1; end A; optimization B extends A; end B; package Q model C Real y "
      "annotation(isMayer = true); end C; partial optimization D end D; end Q; end P;",
      d);
  ASSERT_TRUE(classes);
  auto found = optimization_classes(library, *classes, d);
  ASSERT_TRUE(found);
  ASSERT_EQ(found->size(), 2u);
  EXPECT_EQ(full_name(*(*found)[0]), "P.B");
  EXPECT_EQ(full_name(*(*found)[1]), "P.Q.C");
  auto models = model_classes(library, *classes, d);
  ASSERT_TRUE(models);
  EXPECT_EQ(models->size(), 3u);
}

}  // namespace
}  // namespace bolza::instance
