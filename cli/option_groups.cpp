// SPDX-License-Identifier: Apache-2.0
#include "cli/option_groups.h"

#include <string_view>

#include "compiler/driver/option_table.h"
#include "workflow/scenarios.h"

namespace bolza::cli {
namespace {

/// NAME=VALUE, a(start=VALUE); a name alone would change nothing.
CLI::Validator assigns() {
  return {[](const std::string& text) {
            std::size_t sign = text.find('=');
            if (sign == std::string::npos) return "`" + text + "` gives no value: write NAME=VALUE";
            bool is_named = text.find_first_not_of(" \t") < sign,
                 has_value = text.find_first_not_of(" \t", sign + 1) != std::string::npos;
            if (!is_named) return "`" + text + "` names nothing: write NAME=VALUE";
            return has_value ? std::string() : "`" + text + "` gives no value: write NAME=VALUE";
          },
          ""};
}

}  // namespace

CLI::Validator between(double least, double most, const std::string& wanted) {
  return {[=](const std::string& text) {
            double value = 0;
            bool fits = CLI::detail::lexical_cast(text, value) && value >= least && value <= most;
            return fits ? std::string() : "`" + text + "` is not " + wanted;
          },
          ""};
}
CLI::Validator not_empty(const std::string& wanted) {
  return {[=](const std::string& text) { return text.empty() ? "the name of " + wanted + " is empty" : std::string(); }, ""};
}
CLI::Validator finite() { return between(-1e300, 1e300, "a finite number"); }
CLI::Validator positive() { return between(1e-300, 1e300, "a positive number"); }
CLI::Validator pixels() { return between(1, 20000, "a size between 1 and 20000"); }

void add_model(CLI::App& app, Arguments& a, bool class_too) {
  app.add_option("file", a.file, "a .mo or .mop file, or a package directory")->required()->check(not_empty("a file"));
  if (class_too) app.add_option("class", a.model.class_name, "the class; may be left out when the file has one that fits");
  app.add_option("--set", a.model.settings, "change a parameter or any modifier: --set k=2 --set tank.A=0.3")
      ->check(assigns())
      ->type_name("NAME=VALUE");
  app.add_option_function<std::string>(
         "--units", [&a](const std::string& word) { a.model.change.units = *passes::units_named(word); },
         "how units that do not match are reported: warn, strict (an error) or ignore [warn]")
      ->check(CLI::IsMember({"warn", "strict", "ignore"}));
  app.add_flag("--strict", a.model.change.strict,
               "refuse what the language forbids and others let pass, as redeclarations of what is not replaceable");
  app.add_option("--path", a.model.library_paths,
                 "look for packages here first, then on MODELICAPATH, then in bolza's own library")
      ->type_name("DIR");
  app.add_option("--max-scalars", a.model.max_scalars, "scalar variables that the model may have [1.5e6]")
      ->check(between(1, 1e8, "a number of scalars between 1 and 1e8"))
      ->type_name("N");
  add_trust(app, a);
}

void add_trust(CLI::App& app, Arguments& a) {
  add_choice(app, "--trust", a.model.trust, driver::trust_levels,
             "whose foreign code and file functions run (docs/security.md): all: of the file given, too, as --trust "
             "alone says; libraries: of what is on the path and in folders that the settings trust; none [libraries]");
}

void add_sandbox(CLI::App& app, Arguments& a) {
  app.add_flag("--sandbox", a.sandbox.wanted,
               "run all foreign code in bubblewrap: no network, nothing written but the outputs named "
               "(docs/security.md); with --trust none foreign code is refused there, too")
      ->disable_flag_override();
  app.add_option("--sandbox-cache", a.sandbox.cache,
                 "sandbox: keep compiled kernels in this folder, which what runs in the sandbox may write [none is kept]")
      ->needs("--sandbox")
      ->type_name("FOLDER");
}

void add_common(CLI::App& app, Arguments& a) {
  app.add_flag("--json", a.print.json, "print one JSON object and nothing else");
  add_choice(app, "--colour,--color", a.print.colour, colours, "auto, always or never");
}

void add_memory_limit(CLI::App& app, Arguments& a) {
  if (app.get_option_no_throw("--max-memory")) return;
  app.add_option("--max-memory", a.limits.megabytes, "megabytes that the command may take")
      ->check(between(50, 1e9, "a number of megabytes of at least 50"))
      ->type_name("MB");
}

void add_limits(CLI::App& app, Arguments& a) {
  if (!app.get_option_no_throw("--max-time"))
    app.add_option("--max-time", a.limits.seconds, "seconds after which the command ends, with what it has by then")
        ->check(between(1e-3, 1e8, "a number of seconds between 0.001 and 1e8"))
        ->type_name("SECONDS");
  add_memory_limit(app, a);
}

void add_method_options(CLI::App& app, Arguments& a) {
  app.add_option_function<std::vector<std::string>>(
         "--option",
         [&a](const std::vector<std::string>& settings) {
           for (const std::string& s : settings) {
             std::size_t equals = s.find('=');
             if (equals == std::string::npos || equals == 0)
               throw CLI::ValidationError("--option", "write --option name=value");
             a.method.of_integrator.emplace_back(s.substr(0, equals), s.substr(equals + 1));
           }
         },
         "an option of the integrator (see `bolza methods`), may be repeated")
      ->type_name("NAME=VALUE");
}

void add_identification(CLI::App& app, Arguments& a) {
  add_model(app, a);
  add_sandbox(app, a);
  add_common(app, a);
  app.add_option("--data", a.measured.data, "measurements, as for `bolza fit`; may be repeated")->type_name("FILE.csv");
  app.add_option("--conditions", a.measured.conditions,
                 "operating conditions of each data set: a column `condition`, then the conditions")
      ->type_name("FILE.csv");
  app.add_option("--terms", a.identify.terms,
                 "c in p = A c, for each free parameter p: \"1, c2, c3^2, c2*c3\"; of one alone: \"p1 = 1, c2\"; may be "
                 "repeated [the model's free parameters are the coefficients]")
      ->type_name("TERMS");
  app.add_option("--free", a.measured.free,
                 "parameters p: k1,k2=0.5[0,10]; start value and bounds [those that the model frees]")
      ->type_name("NAME=START[LOWER,UPPER],…");
  app.add_option("--observe", a.measured.observe, "what is measured, where it is not a variable: \"z = A + B\"")
      ->type_name("NAME=EXPRESSION");
  app.add_option("--noise", a.measured.noise, "standard deviation of an observable, relative to the others: \"z = 0.1\" [1]")
      ->type_name("NAME=EXPRESSION");
  app.add_option("--starts", a.measured.parameters, "p of each data set to begin with: `condition`, then parameters")
      ->type_name("FILE.csv");
  app.add_option("--start", a.horizon.start, "start time of the data sets [experiment, or 0]");
  app.add_option("--threshold", a.identify.threshold, "standard errors below which a term leaves [3.5]")
      ->check(CLI::PositiveNumber);
  app.add_flag("--all-terms", a.identify.all_terms, "no term leaves");
  app.add_option("--lambda", a.identify.lambda, "regularisation of the first iteration [1e-3]")->check(CLI::PositiveNumber);
  app.add_option("--multi-start", a.measured.starts, "starts [1]")->check(CLI::PositiveNumber);
  app.add_option("--seed", a.measured.seed, "of the starts [1]");
  app.add_option("--spread", a.identify.spread, "standard deviation of starts of coefficients without bounds [1]")
      ->check(CLI::PositiveNumber);
  app.add_flag("--direct", a.identify.direct, "fit the terms that stay by least squares of all data sets at once, too");
  for (auto [name, help] :
       {std::pair{"nlp", "the engine of --direct, see `bolza methods` [nlsq]"},
        std::pair{"rtol", "relative tolerance of the integration [1e-10]"},
        std::pair{"max-iterations", "of the inversion [200]"}, std::pair{"integrator", "see `bolza methods` [cvodes]"}})
    app.add_option_function<std::string>(
        std::string("--") + name,
        [&a, name = std::string(name)](const std::string& v) { a.method.options.emplace_back(name, v); }, help);
  app.add_option("--report", a.outputs.page, "an HTML page: terms, data and fit, fitted functions")->type_name("FILE.html");
  app.add_flag("-q,--quiet", a.print.quiet, "no progress line");
  app.add_flag("--no-cache", a.model.no_cache, "parse files and compile kernels again, and keep nothing");
}

void add_solver_options(CLI::App& app, Arguments& a) {
  auto record = [&a](std::string name) {
    return [&a, name](const std::string& value) { a.method.options.emplace_back(name, value); };
  };
  app.add_option_function<std::string>("--method", record("method"),
                                       "radau, trapezoidal, ipopt+cvodes, … (see `bolza methods`)");
  for (const driver::OptionRow& row : driver::option_table()) {
    if (row.name == "output") continue;
    std::string help(row.help);
    if (!row.fallback.empty()) help += " [" + std::string(row.fallback) + "]";
    app.add_option_function<std::string>("--" + std::string(row.name), record(std::string(row.name)), help);
  }
  auto add_settings = [&app, &a](const std::string& option, const std::string& prefix, const char* form, const char* help) {
    auto add = [&a, option, prefix, form](const std::vector<std::string>& settings) {
      for (const std::string& s : settings) {
        std::size_t equals = s.find('=');
        if (equals == std::string::npos || equals == 0 || (prefix.empty() && s.find('.') > equals))
          throw CLI::ValidationError(option, "write " + option + " " + form);
        a.method.options.emplace_back(prefix + s.substr(0, equals), s.substr(equals + 1));
      }
    };
    app.add_option_function<std::vector<std::string>>(option, add, help)->type_name(form);
  };
  add_settings("--ipopt", "ipopt.", "NAME=VALUE", "any option of IPOPT, may be repeated");
  add_settings("--bonmin", "bonmin.", "NAME=VALUE", "any option of BONMIN, may be repeated");
  add_settings("--option", "integrator.", "NAME=VALUE",
               "an option of the integrator (see `bolza methods`), may be repeated");
  add_settings("--engine-option", "", "ENGINE.NAME=VALUE", "an option of an engine (see `bolza methods`), may be repeated");
}

void add_table_option(CLI::App& app, Arguments& a, const char* name) {
  for (const driver::OptionRow& row : driver::option_table()) {
    if (row.name != name) continue;
    std::vector<std::string> words;
    for (std::string_view word : row.choices)
      if (!word.empty()) words.emplace_back(word);
    app.add_option_function<std::string>(
           std::string("--") + name, [&a, name](const std::string& v) { a.method.options.emplace_back(name, v); },
           std::string(row.help) + " [" + std::string(row.fallback) + "]")
        ->check(CLI::IsMember(words));
  }
}

void add_results(CLI::App& app, Arguments& a) {
  app.add_option("-o,--output", a.outputs.result, "result file, .mat or .csv [<class>.mat]")->type_name("FILE");
  app.add_option("--csv", a.outputs.csv, "also write this .csv file")->type_name("FILE.csv");
  add_report(app, a);
}

void add_report(CLI::App& app, Arguments& a) {
  app.add_option("--report", a.outputs.page, "also write this self-contained .html page")->type_name("PAGE.html");
  app.add_flag("-q,--quiet", a.print.quiet, "no progress line");
  add_choice(app, "--progress", a.print.progress, progress_forms,
             "how far the work is, on standard error: a line on a terminal, or for programs one JSON object a line [line]");
  app.add_flag("--no-cache", a.model.no_cache, "parse files and compile kernels again, and keep nothing");
}

void add_horizon(CLI::App& app, Arguments& a, const std::string& start, const std::string& stop) {
  app.add_option("--start", a.horizon.start, "start time [" + start + "]")->check(finite());
  app.add_option("--stop", a.horizon.stop, "stop time [" + stop + "]")->check(finite());
}

void add_smooth(CLI::App& app, Arguments& a) {
  app.add_option("--smooth", a.model.change.smooth,
                 "replace relations, abs, min, max by smooth functions of this width, and report the effect")
      ->check(CLI::PositiveNumber);
}

void add_nonsmooth(CLI::App& app, Arguments& a) {
  add_choice(
      app, "--nonsmooth", a.solve.nonsmooth, workflow::nonsmooth_ways,
      "what becomes of relations, abs, min, max, sign: written, smooth (in narrower and narrower widths), modes (pieces "
      "with free times between), complementarity (relaxed less and less) [auto]");
}

void add_scenarios(CLI::App& app, Arguments& a) {
  app.add_option("--scenarios", a.solve.scenarios.file,
                 "values of parameters, a row for each scenario: controls are shared, constraints hold in all of them")
      ->type_name("FILE.csv");
  add_choice(app, "--risk", a.solve.scenarios.risk, workflow::risks,
             "minimise over scenarios: expected, worst, or cvar, the mean of the worst share --tail [expected]")
      ->needs("--scenarios");
  app.add_option("--tail", a.solve.scenarios.tail, "share of the outcomes that --risk cvar looks at [0.1]")
      ->check(between(1e-6, 1, "a share between 0 and 1"))
      ->needs("--scenarios");
  app.add_option("--chance", a.solve.scenarios.chance,
                 "probability with which constraints hold, those hardest to hold are let go first [1]")
      ->check(between(1e-6, 1, "a probability between 0 and 1"))
      ->needs("--scenarios");
  app.add_option("--branch", a.solve.scenarios.branch, "time from which on every scenario has controls of its own [never]")
      ->check(finite())
      ->needs("--scenarios")
      ->type_name("TIME");
}

void add_objectives(CLI::App& app, Arguments& a) {
  app.add_option("--objectives", a.solve.objectives,
                 "minimise this instead: \"0.3*energy + 0.7*time\", in order \"time > energy\", a front \"energy, time\"")
      ->excludes("--scenarios")
      ->type_name("EXPRESSIONS");
  app.add_option("--slack", a.solve.slack, "by which an objective may be exceeded for the next ones, relative to it [1e-4]")
      ->check(between(0, 1, "a share between 0 and 1"))
      ->needs("--objectives");
  app.add_option("--pareto", a.solve.pareto, "points of the front between its anchors, for every objective but the first")
      ->check(CLI::Range(2, 10000))
      ->needs("--objectives")
      ->type_name("N");
}

}  // namespace bolza::cli
