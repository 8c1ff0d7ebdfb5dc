// SPDX-License-Identifier: Apache-2.0
// Fits of models to tables, and PEtab problems: exact data give their parameters back.
#include "workflow/fit/fit.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/numbers.h"
#include "tests/unit/workflow/models.h"
#include "workflow/fit/fit_report.h"
#include "workflow/fit/petab/read_petab.h"
#include "workflow/install_paths.h"

namespace bolza::workflow {
namespace {

const std::string reaction_text =
    "model Reaction\n  parameter Real k = 1, a0 = 1;\n  Real a(start = a0, fixed = true), b(start = 0, fixed = "
    "true);\nequation\n  der(a) "
    "= -k*a;\n  der(b) = k*a;\nend Reaction;\n";

/// a = 2 exp(-t/2) and b = 2 - a, without noise, with small alternating errors where `error` is not 0.
std::string samples(double error = 0) {
  std::string text = "time,a,b\n";
  for (int k = 1; k <= 8; ++k) {
    double t = 0.5 * k, a = 2 * std::exp(-t / 2), e = k % 2 ? error : -error;
    text += exact_text(t) + "," + exact_text(a + e) + "," + exact_text(2 - a + e) + "\n";
  }
  return text;
}

FitRequest fit_of(const std::string& data, const std::string& free = "k[0.01,10,log10],a0[0.1,10]") {
  FitRequest request;
  request.load.texts.push_back({"model", reaction_text});
  request.load.cache = false;
  request.data = {written_file("data.csv", data)};
  request.free = {free};
  return request;
}

struct Fitted {
  std::unique_ptr<Model> model = std::make_unique<Model>();
  std::optional<FitOutcome> outcome;
  explicit Fitted(const FitRequest& request) {
    Result<FitOutcome> done = fit(model, request);
    if (done) outcome = *std::move(done);
  }
  double value(const std::string& name) const {
    for (std::size_t k = 0; k < outcome->estimation.parameters.size(); ++k)
      if (const estimate::Parameter& p = outcome->estimation.parameters[k]; p.name == name)
        return estimate::from_scale(outcome->result.fit.theta[k], p.scale);
    return std::nan("");
  }
  std::string code() const { return codes_of(*model).substr(0, 4); }
};

TEST(Fit, exact_data_give_their_parameters_back) {
  for (auto derivatives : {estimate::Sensitivity::forward, estimate::Sensitivity::adjoint}) {
    FitRequest request = fit_of(samples());
    request.derivatives = derivatives;
    Fitted run(request);
    ASSERT_TRUE(run.outcome) << codes_of(*run.model);
    EXPECT_EQ(run.outcome->result.fit.status, nlp::Status::solved);
    EXPECT_NEAR(run.value("k"), 0.5, 1e-4);
    EXPECT_NEAR(run.value("a0"), 2, 1e-4);
  }
}

TEST(Fit, it_writes_a_page_and_a_table_that_can_be_read_again) {
  FitRequest request = fit_of(samples(0.01));
  request.noise = {"a = 0.02", "b = 0.02"};
  request.report = file_of_test("fit.html"), request.output = file_of_test("fitted.csv");
  Fitted run(request);
  ASSERT_TRUE(run.outcome) << codes_of(*run.model);
  EXPECT_TRUE(std::filesystem::exists(request.report));
  ASSERT_TRUE(std::filesystem::exists(request.output));
  nlohmann::json statistics = statistics_json(*run.outcome);
  EXPECT_LT(statistics["parameters"]["k"]["interval"][0].get<double>(), 0.5);
  EXPECT_GT(statistics["parameters"]["k"]["interval"][1].get<double>(), 0.5);
  FitRequest again = fit_of(samples());
  again.data = {request.output}, again.noise = request.noise;
  Fitted second(again);
  ASSERT_TRUE(second.outcome) << codes_of(*second.model);
  EXPECT_NEAR(second.value("k"), run.value("k"), 1e-6);
}

TEST(Fit, experiments_have_their_own_conditions) {
  std::string text = "observable,time,value,condition,sd\n";
  for (auto [name, a0] : {std::pair{"low", 1.0}, {"high", 4.0}})
    for (double t : {0.5, 1.0, 2.0})
      text += "a," + exact_text(t) + "," + exact_text(a0 * std::exp(-t / 2)) + "," + name + ",0.1\n";
  FitRequest request = fit_of(text, "k[0.01,10,log]");
  request.conditions = written_file("conditions.csv", "condition,a0\nlow,1\nhigh,4\n");
  Fitted run(request);
  ASSERT_TRUE(run.outcome) << codes_of(*run.model);
  EXPECT_EQ(run.outcome->estimation.experiments.size(), 2u);
  EXPECT_NEAR(run.value("k"), 0.5, 1e-5);
}

TEST(Fit, observables_have_formulas_scales_and_noise) {
  std::string text = "time,total,share\n";
  for (double t : {0.5, 1.0, 2.0, 3.0}) text += exact_text(t) + ",4," + exact_text(std::exp(-t / 2)) + "\n";
  FitRequest request = fit_of(text);
  request.observe = {"total = 2*(a + b)", "log10 share = a/(a + b)"}, request.noise = {"total = 0.1", "laplace share = 0.1"};
  Fitted run(request);
  ASSERT_TRUE(run.outcome) << codes_of(*run.model);
  EXPECT_NEAR(run.value("k"), 0.5, 1e-3);
  EXPECT_NEAR(run.value("a0"), 2, 1e-3);
}

TEST(Fit, priors_pull_towards_where_they_are) {
  FitRequest request = fit_of("time,a\n1,1.2\n", "k[0.01,10]");
  request.noise = {"a = 1000"}, request.priors = {"k = normal(3, 0.1)"};
  Fitted run(request);
  ASSERT_TRUE(run.outcome) << codes_of(*run.model);
  EXPECT_NEAR(run.value("k"), 3, 1e-3);
}

TEST(Fit, many_starts_and_profiles_are_those_of_the_best) {
  FitRequest request = fit_of(samples(0.01));
  request.search.emplace();
  request.search->starts = 3;
  request.profiles.emplace(), request.profiled = {"k"};
  Fitted run(request);
  ASSERT_TRUE(run.outcome) << codes_of(*run.model);
  ASSERT_TRUE(run.outcome->search);
  ASSERT_TRUE(run.outcome->profiles);
  EXPECT_NEAR(run.value("k"), 0.5, 0.05);
}

TEST(Fit, mistakes_in_tables_and_names_are_told) {
  struct MistakeRow {
    const char* data;
    const char* free;
    const char* code;
    std::function<void(FitRequest&)> change = {};
  };
  const MistakeRow rows[] = {
      {"time,a\n1\n", "k", "E931"},
      {"time,a\n1,x\n", "k", "E932"},
      {"hour,a\n1,2\n", "k", "E933"},
      {"time,zz\n1,2\n", "k", "E934"},
      {"time,a\n1,2\n", "kk", "E938"},
      {"time,a\n1,2\n", "k[2,1]", "E939"},
      {"time,a\n1,2\n", "k[-1,1,log]", "E939"},
      {"time,a\n", "k", "E931"},
      {"time,a\n1,NA\n", "k", "E931"},
      {"time,a\n1,2\n", "k", "E941", [](FitRequest& r) { r.free.clear(); }},
      {"time,a\n1,2\n", "k", "E982", [](FitRequest& r) { r.observe = {"a = 2*"}; }},
      {"time,a,a_sd\n1,2,-1\n", "k", "E935"},
  };
  for (const MistakeRow& row : rows) {
    FitRequest request = fit_of(row.data, row.free);
    if (row.change) row.change(request);
    Fitted run(request);
    EXPECT_FALSE(run.outcome) << row.data << row.free;
    EXPECT_EQ(run.code(), row.code) << row.data << row.free;
  }
}

// ---------------------------------------------------------------- PEtab

std::string petab_file(const std::string& name) { return std::string(BOLZA_SOURCE_DIR) + "/tests/cli/models/petab/" + name; }

TEST(FitPetab, both_versions_have_the_likelihood_of_the_closed_form) {
  if (!has_library("bolza_sbml")) GTEST_SKIP() << "libsbml was not there";
  const double pi = std::acos(-1.0);
  auto a = [](double a0, double t) { return a0 * std::exp(-0.5 * t); };
  auto normal = [&](double m, double y, double s) {
    return 0.5 * std::log(2 * pi * s * s) + 0.5 * std::pow((m - y) / s, 2);
  };
  double share = a(2, 2) / (2 * a(2, 2) + 1 + 8 * (1 - std::exp(-1.0)));
  double expected = normal(2.1, 2 * a(1, 0), 0.5) + normal(1.2, 2 * a(1, 1), 0.5) + normal(1.4, 3 * a(2, 2), 0.2) +
                    normal(std::log(0.05), std::log(share), 0.1) + std::log(0.05);
  for (const char* name : {"decay.yaml", "decay2.yaml"}) {
    auto model = std::make_unique<Model>();
    FitRequest request;
    request.load.file = petab_file(name), request.load.cache = false;
    ASSERT_TRUE(is_petab(request.load.file));
    Result<FitProblem> problem = read_petab(*model, request.load);
    ASSERT_TRUE(problem) << codes_of(*model);
    EXPECT_EQ(problem->measurements.size(), 4u);
    request.estimate.evaluate_only = true;
    Result<FitOutcome> outcome = fit(model, *problem, request);
    ASSERT_TRUE(outcome) << codes_of(*model);
    EXPECT_NEAR(outcome->result.fit.at.value, expected, 1e-6) << name;
  }
}

TEST(FitPetab, mistakes_are_told_where_they_are) {
  if (!has_library("bolza_sbml")) GTEST_SKIP() << "libsbml was not there";
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(petab_file(""))) {
    std::string name = entry.path().filename().string();
    if (!name.starts_with("fail_") || !name.ends_with(".yaml")) continue;
    Model model;
    LoadRequest load;
    load.file = entry.path().string(), load.cache = false;
    ++files;
    Result<FitProblem> problem = read_petab(model, load);
    if (problem) continue;  // what only a fit can find
    EXPECT_GT(model.diagnostics.errors(), 0u) << name;
    EXPECT_EQ(codes_of(model)[0], 'E') << name;
  }
  EXPECT_GT(files, 10u);
}

}  // namespace
}  // namespace bolza::workflow
