// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/workflow/models.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "workflow/solve/method/solver.h"

namespace bolza::workflow {
namespace {

/// A folder as long as the program runs.
struct FolderOfTests {
  std::filesystem::path path = std::filesystem::temp_directory_path() / ("bolza-workflow-" + std::to_string(getpid()));
  FolderOfTests() { std::filesystem::create_directories(path); }
  ~FolderOfTests() {
    std::error_code none;
    std::filesystem::remove_all(path, none);
  }
};

}  // namespace

std::unique_ptr<Model> model_of(const std::string& text, const LoadRequest& request) {
  auto model = std::make_unique<Model>();
  LoadRequest load = request;
  load.texts.push_back({"model", text});
  load.cache = false, load.form = passes::Form::explicit_rates;
  bool done = model->load(load) && model->compile({.calls = codegen::Calls::one});
  for (const Diagnostic& d : model->diagnostics.all())
    if (d.severity == Severity::error) ADD_FAILURE() << render(d, model->sources);
  EXPECT_TRUE(done);
  return model;
}

const SolverLibrary& built_library() {
  Diagnostics diagnostics;
  auto library = solver_library(diagnostics);
  EXPECT_TRUE(library) << "libbolza_solver.so is not built";
  return **library;
}

std::string codes_of(const Model& model) {
  std::string codes;
  for (const Diagnostic& d : model.diagnostics.all()) codes += (codes.empty() ? "" : " ") + std::string(d.code->id);
  return codes;
}

driver::Options options_of(std::initializer_list<std::pair<const char*, const char*>> values) {
  driver::Options options;
  Diagnostics diagnostics;
  for (auto [name, value] : values) EXPECT_TRUE(driver::set_option(options, name, value, {}, diagnostics)) << name;
  return options;
}

std::string file_of_test(const std::string& name) {
  static FolderOfTests folder;
  return (folder.path / name).string();
}

std::string written_file(const std::string& name, const std::string& text) {
  std::string path = file_of_test(name);
  std::ofstream(path) << text;
  return path;
}

}  // namespace bolza::workflow
