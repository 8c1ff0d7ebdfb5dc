// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "cli/arguments.h"
#include "cli/progress.h"
#include "workflow/run/observer.h"

namespace bolza::cli {

/// Shows how far a job is, in one line. From when the model is read signals end the job and not the process.
class Watcher final : public workflow::Observer {
 public:
  explicit Watcher(const Arguments& arguments)
      : line(!arguments.print.quiet && !arguments.print.json && arguments.print.progress != ProgressForm::json),
        records_(arguments.print.progress == ProgressForm::json) {}

  void loaded(const workflow::Model& model) override;
  void progress(const workflow::Progress& p) override;
  void simulated(double t, double stop) override;
  void differentiated(const char* by, std::size_t done, std::size_t of) override;

  ProgressLine line;

 private:
  ProgressRecords records_;
  std::string class_name_;
};

}  // namespace bolza::cli
