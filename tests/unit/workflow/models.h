// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <string>

#include "workflow/model.h"
#include "workflow/solve/solve.h"
#include "workflow/solver_library.h"

namespace bolza::workflow {

/// A compiled model of a text; kernels and parsed files are not kept. A text with mistakes fails the test.
std::unique_ptr<Model> model_of(const std::string& text, const LoadRequest& request = {});

/// The solver library that is built with the tests.
const SolverLibrary& built_library();

/// "E903", … of all messages of a model.
std::string codes_of(const Model& model);

/// Options by name and value, as on the command line.
driver::Options options_of(std::initializer_list<std::pair<const char*, const char*>> values);

/// A file in a folder that is removed at the end of the test program.
std::string file_of_test(const std::string& name);

/// Writes such a file.
std::string written_file(const std::string& name, const std::string& text);

}  // namespace bolza::workflow
