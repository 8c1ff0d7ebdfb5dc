#include "cli/arguments.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string_view>

#include "base/diagnostics.h"
#include "base/printable.h"
#include "cli/commands.h"
#include "cli/print.h"
#include "compiler/driver/option_table.h"
#include "workflow/codes.h"

namespace bolza::cli {
namespace {

const std::vector<std::string> trust_words{"all", "libraries", "none"};

/// `--trust` without a word means `--trust all`; CLI11 would take the next argument for the word.
std::vector<std::string> with_trust_spelt_out(int argc, char** argv) {
  std::vector<std::string> words(argv, argv + argc);
  for (std::size_t k = 1; k < words.size(); ++k) {
    if (words[k] != "--trust") continue;
    bool has_word = k + 1 < words.size() && std::ranges::find(trust_words, words[k + 1]) != trust_words.end();
    if (!has_word) words[k] += "=all";
  }
  return words;
}

/// Numbers in [least, most]; what is no number is outside, too.
CLI::Validator between(double least, double most, const std::string& wanted) {
  return {[=](const std::string& text) {
            double value = 0;
            bool fits = CLI::detail::lexical_cast(text, value) && value >= least && value <= most;
            return fits ? std::string() : "`" + text + "` is not " + wanted;
          },
          ""};
}
/// NAME=VALUE, a(start=VALUE); a name alone would change nothing.
CLI::Validator assigns() {
  return {[](const std::string& text) {
            return text.find('=') != std::string::npos ? std::string() : "`" + text + "` gives no value: write NAME=VALUE";
          },
          ""};
}
CLI::Validator finite() { return between(-1e300, 1e300, "a finite number"); }
CLI::Validator positive() { return between(1e-300, 1e300, "a positive number"); }
CLI::Validator pixels() { return between(1, 20000, "a size between 1 and 20000"); }

void add_model(CLI::App& app, Arguments& a, bool class_too = true) {
  app.add_option("file", a.file, "a .mo or .mop file, or a package directory")->required();
  if (class_too) app.add_option("class", a.class_name, "the class; may be left out when the file has one that fits");
  app.add_option("--set", a.settings, "change a parameter or any modifier: --set k=2 --set tank.A=0.3")
      ->check(assigns())
      ->type_name("NAME=VALUE");
  app.add_option("--units", a.units, "how units that do not match are reported: warn, strict (an error) or ignore [warn]")
      ->check(CLI::IsMember({"warn", "strict", "ignore"}));
  app.add_option("--path", a.library_paths,
                 "look for packages here first, then on MODELICAPATH, then in bolza's own library")
      ->type_name("DIR");
  app.add_option("--trust", a.trust,
                 "whose foreign code and file functions run (docs/security.md): all: of the file given, too, as --trust "
                 "alone says; libraries: of what is on the path and in folders that the settings trust; none [libraries]")
      ->check(CLI::IsMember(trust_words));
}

/// Of commands that run what a model calls; after `add_model`.
void add_sandbox(CLI::App& app, Arguments& a) {
  app.add_flag("--sandbox", a.sandbox,
               "run all foreign code in bubblewrap: no network, nothing written but the outputs named "
               "(docs/security.md)")
      ->disable_flag_override()
      ->excludes("--trust");
}

void add_common(CLI::App& app, Arguments& a) {
  app.add_flag("--json", a.json, "print one JSON object and nothing else");
  app.add_option("--colour,--color", a.colour, "auto, always or never")->check(CLI::IsMember({"auto", "always", "never"}));
}

/// Of every command, unless it has one of its own.
void add_limits(CLI::App& app, Arguments& a) {
  if (!app.get_option_no_throw("--max-time"))
    app.add_option("--max-time", a.max_time, "seconds after which the command ends, with what it has by then")
        ->check(between(1e-3, 1e8, "a number of seconds between 0.001 and 1e8"))
        ->type_name("SECONDS");
  app.add_option("--max-memory", a.max_memory, "megabytes that the command may take")
      ->check(between(50, 1e9, "a number of megabytes of at least 50"))
      ->type_name("MB");
}

void add_method_options(CLI::App& app, Arguments& a) {
  app.add_option_function<std::vector<std::string>>(
         "--option",
         [&a](const std::vector<std::string>& settings) {
           for (const std::string& s : settings) {
             std::size_t equals = s.find('=');
             if (equals == std::string::npos || equals == 0)
               throw CLI::ValidationError("--option", "write --option name=value");
             a.method_options.emplace_back(s.substr(0, equals), s.substr(equals + 1));
           }
         },
         "an option of the integrator (see `bolza methods`), may be repeated")
      ->type_name("NAME=VALUE");
}

void add_identification(CLI::App& app, Arguments& a) {
  add_model(app, a), add_sandbox(app, a), add_common(app, a);
  app.add_option("--data", a.data, "measurements, as for `bolza fit`; may be repeated")->type_name("FILE.csv");
  app.add_option("--conditions", a.conditions,
                 "operating conditions of each data set: a column `condition`, then the conditions")
      ->type_name("FILE.csv");
  app.add_option("--terms", a.terms,
                 "c in p = A c, for each free parameter p: \"1, c2, c3^2, c2*c3\"; of one alone: \"p1 = 1, c2\"; may be "
                 "repeated [the model's free parameters are the coefficients]")
      ->type_name("TERMS");
  app.add_option("--free", a.free, "parameters p: k1,k2=0.5[0,10]; start value and bounds [those that the model frees]")
      ->type_name("NAME=START[LOWER,UPPER],…");
  app.add_option("--observe", a.observe, "what is measured, where it is no variable: \"z = A + B\"")
      ->type_name("NAME=EXPRESSION");
  app.add_option("--noise", a.noise, "standard deviation of an observable, relative to the others: \"z = 0.1\" [1]")
      ->type_name("NAME=EXPRESSION");
  app.add_option("--starts", a.parameters, "p of each data set to begin with: `condition`, then parameters")
      ->type_name("FILE.csv");
  app.add_option("--start", a.start, "start time of the data sets [experiment, or 0]")->each([&a](const std::string&) {
    a.has_start = true;
  });
  app.add_option("--threshold", a.threshold, "standard errors below which a term leaves [3.5]")->check(CLI::PositiveNumber);
  app.add_flag("--all-terms", a.all_terms, "no term leaves");
  app.add_option("--lambda", a.lambda, "regularisation of the first iteration [1e-3]")->check(CLI::PositiveNumber);
  app.add_option("--multi-start", a.starts, "starts [1]")->check(CLI::PositiveNumber);
  app.add_option("--seed", a.seed, "of the starts [1]");
  app.add_option("--spread", a.spread, "standard deviation of starts of coefficients without bounds [1]")
      ->check(CLI::PositiveNumber);
  app.add_flag("--direct", a.direct, "fit the terms that stay by least squares of all data sets at once, too");
  for (auto [name, help] :
       {std::pair{"nlp", "the engine of --direct, see `bolza methods` [nlsq]"},
        std::pair{"rtol", "relative tolerance of the integration [1e-10]"},
        std::pair{"max-iterations", "of the inversion [200]"}, std::pair{"integrator", "see `bolza methods` [cvodes]"}})
    app.add_option_function<std::string>(
        std::string("--") + name, [&a, name = std::string(name)](const std::string& v) { a.options.emplace_back(name, v); },
        help);
  app.add_option("--report", a.report, "an HTML page: terms, data and fit, fitted functions")->type_name("FILE.html");
  app.add_flag("-q,--quiet", a.quiet, "no progress line");
  app.add_flag("--no-cache", a.no_cache, "parse files and compile kernels anew, and keep nothing");
}

void add_solver_options(CLI::App& app, Arguments& a) {
  auto record = [&a](std::string name) {
    return [&a, name](const std::string& value) { a.options.emplace_back(name, value); };
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
        a.options.emplace_back(prefix + s.substr(0, equals), s.substr(equals + 1));
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

/// One row of the option table, where a command takes few of them; its words are checked at once.
void add_table_option(CLI::App& app, Arguments& a, const char* name) {
  for (const driver::OptionRow& row : driver::option_table()) {
    if (row.name != name) continue;
    std::vector<std::string> words;
    for (std::string_view word : row.choices)
      if (!word.empty()) words.emplace_back(word);
    app.add_option_function<std::string>(
           std::string("--") + name, [&a, name](const std::string& v) { a.options.emplace_back(name, v); },
           std::string(row.help) + " [" + std::string(row.fallback) + "]")
        ->check(CLI::IsMember(words));
  }
}

void add_results(CLI::App& app, Arguments& a) {
  app.add_option("-o,--output", a.output, "result file, .mat or .csv [<class>.mat]")->type_name("FILE");
  app.add_option("--csv", a.csv, "also write this .csv file")->type_name("FILE.csv");
  app.add_option("--report", a.report, "also write this self-contained .html page")->type_name("PAGE.html");
  app.add_flag("-q,--quiet", a.quiet, "no progress line");
  app.add_flag("--no-cache", a.no_cache, "parse files and compile kernels anew, and keep nothing");
}

void add_smooth(CLI::App& app, Arguments& a) {
  app.add_option("--smooth", a.smooth,
                 "replace relations, abs, min, max by smooth functions of this width, and report the effect")
      ->check(CLI::PositiveNumber);
}

void add_scenarios(CLI::App& app, Arguments& a) {
  app.add_option("--scenarios", a.scenarios,
                 "values of parameters, a row for each scenario: controls are shared, constraints hold in all of them")
      ->type_name("FILE.csv");
  app.add_option("--risk", a.risk,
                 "minimise over scenarios: expected, worst, or cvar, the mean of the worst share --tail [expected]")
      ->check(CLI::IsMember({"expected", "worst", "cvar"}))
      ->needs("--scenarios");
  app.add_option("--tail", a.tail, "share of the outcomes that --risk cvar looks at [0.1]")
      ->check(between(1e-6, 1, "a share between 0 and 1"))
      ->needs("--scenarios");
  app.add_option("--branch", a.branch, "time from which on every scenario has controls of its own [never]")
      ->check(finite())
      ->needs("--scenarios")
      ->type_name("TIME");
}

void add_objectives(CLI::App& app, Arguments& a) {
  app.add_option("--objectives", a.objectives,
                 "minimise this instead: \"0.3*energy + 0.7*time\", in order \"time > energy\", a front \"energy, time\"")
      ->excludes("--scenarios")
      ->type_name("EXPRESSIONS");
  app.add_option("--slack", a.slack, "by which an objective may be exceeded for the next ones, relative to it [1e-4]")
      ->check(between(0, 1, "a share between 0 and 1"))
      ->needs("--objectives");
  app.add_option("--pareto", a.pareto, "points of the front between its anchors, for every objective but the first")
      ->check(CLI::Range(2, 10000))
      ->needs("--objectives")
      ->type_name("N");
}

void footer(CLI::App& app, const char* example) { app.footer(std::string("Example:\n  ") + example); }

void describe_new(CLI::App& app, Arguments& a) {
  app.add_option("name", a.class_name, "the name of the class and of the file")->required();
  app.add_option("--kind", a.kind,
                 "optimization, model (with a problem of it) or calibration (parameters from data) [optimization]")
      ->check(CLI::IsMember({"optimization", "model", "calibration"}));
  add_common(app, a);
  footer(app, "bolza new Reactor --kind calibration");
}

void describe_check(CLI::App& app, Arguments& a) {
  add_model(app, a), add_common(app, a);
  app.add_option("more", a.names, "with --syntax-only: further files");
  app.add_flag("--syntax-only", a.syntax_only, "parse the files, nothing else");
  app.add_flag("--structure", a.structure, "index, states chosen and demoted, loops and torn variables");
  add_table_option(app, a, "form");
  footer(app, "bolza check plant.mop Plant.Transition");
}

void describe_flatten(CLI::App& app, Arguments& a) {
  add_model(app, a), add_common(app, a);
  app.add_option("--after", a.after, "print the model as it is after this pass (see `bolza methods`)");
  add_smooth(app, a), add_scenarios(app, a);
  app.add_option("--disable", a.disabled, "leave out a pass, may be repeated");
  add_table_option(app, a, "form");
  footer(app, "bolza flatten plant.mop --after eliminate-aliases");
}

void describe_compile(CLI::App& app, Arguments& a) {
  add_model(app, a), add_common(app, a);
  app.add_option("-o,--output", a.output, "file without ending [<class>]");
  app.add_option("--emit", a.emit, "object, llvm or assembly [object]")
      ->check(CLI::IsMember({"object", "llvm", "assembly"}));
  footer(app, "bolza compile van_der_pol.mop -o vdp && cc main.c vdp.o -lm -lmvec");
}

void describe_solve(CLI::App& app, Arguments& a) {
  add_model(app, a), add_sandbox(app, a), add_common(app, a), add_solver_options(app, a), add_results(app, a);
  add_smooth(app, a), add_scenarios(app, a);
  add_objectives(app, a);
  app.add_option("--chain", a.chain, "stages, each starting from the one before: \"euler(mesh=20) -> radau(mesh=100)\"");
  app.add_option("--init-from", a.init_from, "start from this result file (.mat or .csv)");
  footer(app, "bolza solve van_der_pol.mop --mesh 100 --report vdp.html");
}

void describe_simulate(CLI::App& app, Arguments& a) {
  add_model(app, a), add_sandbox(app, a), add_common(app, a), add_results(app, a);
  app.add_option("--start", a.start, "start time [experiment, or 0]")->check(finite())->each([&a](const std::string&) {
    a.has_start = true;
  });
  app.add_option("--stop", a.stop, "stop time [experiment, or 1]")->check(finite())->each([&a](const std::string&) {
    a.has_stop = true;
  });
  app.add_option("--step", a.step, "distance of output times [500 of them]")->check(positive());
  app.add_option_function<std::string>(
      "--tol", [&a](const std::string& v) { a.options.emplace_back("rtol", v); },
      "relative tolerance [experiment, or 1e-6]");
  app.add_option_function<std::string>(
      "--integrator", [&a](const std::string& v) { a.options.emplace_back("integrator", v); },
      "see `bolza methods` [idas for models with algebraic equations, else cvodes]");
  add_table_option(app, a, "form"), add_table_option(app, a, "initialization");
  app.add_option("--input", a.input_file, "inputs over time: a .csv with a column `time` and one per input");
  app.add_option("--max-result", a.max_result, "megabytes that the trajectory may take [1000]")
      ->check(between(1, 1e6, "a number of megabytes between 1 and 1e6"))
      ->type_name("MB");
  add_method_options(app, a);
  app.add_flag("--plot{*}", a.plot, "draw variables in the terminal afterwards: --plot=x,v; without names the first states");
  footer(app, "bolza simulate tank.mo --stop 100 --set k=2 --output tank.csv");
}

void describe_gradient(CLI::App& app, Arguments& a) {
  add_model(app, a), add_sandbox(app, a), add_common(app, a);
  app.add_option("--by", a.by, "adjoint, forward, discrete or differences [adjoint]");
  app.add_option("--of", a.outputs,
                 "what is differentiated: objective, constraints, residuals, or values at a time: x(2.5),y(finalTime)-2*k "
                 "[objective]")
      ->type_name("EXPRESSION,…");
  app.add_option("--with-respect-to", a.directions,
                 "parameters, states (their initial values) and controls [all that are free]")
      ->delimiter(',')
      ->type_name("NAME,…");
  app.add_flag("--check", a.check, "also by the other ways and by difference quotients");
  app.add_flag("--original", a.original, "the equations as written, without index reduction (radau5, index up to 3)");
  app.add_option("--hessian-times", a.hessian_times,
                 "second derivatives times a direction: k=1,x(0)=0.5, names as in the gradient; others do not move")
      ->delimiter(',')
      ->type_name("NAME=VALUE,…");
  app.add_flag("--hessian", a.hessian, "second derivatives too");
  for (const char* name : {"mesh", "control", "integrator"})
    app.add_option_function<std::string>(
        std::string("--") + name, [&a, name](const std::string& v) { a.options.emplace_back(name, v); },
        std::string(name) == "mesh"      ? "intervals of the controls [50; 1 without controls]"
        : std::string(name) == "control" ? "constant or collocated (linear between mesh points)"
                                         : "of --by discrete: one of ours (see `bolza methods`) [radau5]");
  app.add_option("--step", a.step, "fixed length of the integrator's steps, of --by discrete [error control]");
  app.add_option_function<std::string>(
      "--tol", [&a](const std::string& v) { a.options.emplace_back("rtol", v); },
      "relative tolerance of the integration [1e-8]");
  add_method_options(app, a);
  app.add_flag("--no-cache", a.no_cache, "parse files and compile kernels anew, and keep nothing");
  footer(app, "bolza gradient reactor.mop --with-respect-to k1,k2 --check");
}

void describe_fit(CLI::App& app, Arguments& a) {
  add_model(app, a), add_sandbox(app, a), add_common(app, a);
  app.add_option("--data", a.data,
                 "measurements: a .csv with `time` and a column for every observable, or with `observable`, `time` and "
                 "`value`; may be repeated, a file for each experiment")
      ->type_name("FILE.csv");
  app.add_option("--free", a.free, "parameters to be estimated: k1=1[0,10],k2[log10],k3; start value, bounds and scale")
      ->type_name("NAME=START[LOWER,UPPER,SCALE],…");
  app.add_option("--parameters", a.parameters, "a table of them: parameter, scale, lower, upper, nominal, estimate")
      ->type_name("FILE.csv");
  app.add_option("--conditions", a.conditions,
                 "what holds in each experiment: condition, then parameters, inputs and states to set")
      ->type_name("FILE.csv");
  app.add_option("--observe", a.observe, "what is measured, where it is no variable: \"z = A + B\", \"log10 z = A + B\"")
      ->type_name("NAME=EXPRESSION");
  app.add_option("--noise", a.noise,
                 "standard deviation of an observable: \"z = 0.1*z + s0\"; \"laplace z = 0.2\", \"huber z = 0.2\" [1]")
      ->type_name("NAME=EXPRESSION");
  app.add_option("--start", a.start, "start time of the experiments [experiment, or 0]")->each([&a](const std::string&) {
    a.has_start = true;
  });
  app.add_flag("--evaluate", a.evaluate, "the likelihood at the start values, nothing is fitted");
  app.add_flag("--check", a.check, "compare the gradient at the start with difference quotients");
  app.add_option("--by", a.by,
                 "derivatives by forward sensitivities, by adjoint equations or by differences [forward; adjoint for more "
                 "than 75 parameters]")
      ->check(CLI::IsMember({"forward", "adjoint", "differences"}));
  app.add_option("--level", a.level, "of confidence intervals and bands [0.95]")->check(CLI::Range(0.01, 0.9999));
  app.add_option("--design", a.design, "choose so many times at which a repetition of the experiments should be measured")
      ->type_name("COUNT");
  app.add_option("--criterion", a.criterion, "of the design: A, D, E or modified-E [D]")
      ->check(CLI::IsMember({"A", "D", "E", "modified-E"}));
  app.add_flag("--exact-errors", a.exact_errors, "standard errors by the exact Hessian instead of the Fisher information");
  for (auto [name, help] :
       {std::pair{"nlp", "the engine, see `bolza methods` [trust-region]"}, std::pair{"tol", "of the engine [1e-6]"},
        std::pair{"rtol", "relative tolerance of the integration [1e-8]"},
        std::pair{"max-iterations", "of the engine [3000]"}, std::pair{"max-time", "seconds [no limit]"},
        std::pair{"threads", "experiments simulated at a time [1]"},
        std::pair{"hessian", "gauss-newton, lbfgs or exact [gauss-newton]"},
        std::pair{"integrator", "see `bolza methods` [cvodes]"}})
    app.add_option_function<std::string>(
        std::string("--") + name, [&a, name = std::string(name)](const std::string& v) { a.options.emplace_back(name, v); },
        help);
  app.add_option("--starts", a.starts, "fit from so many points of a Latin hypercube within the bounds")->type_name("N");
  app.add_option("--seed", a.seed, "of the points [1]")->type_name("N");
  app.add_option("--jobs", a.jobs, "processes at a time, for starts and profiles [as many as processors]")->type_name("N");
  app.add_option("--journal", a.journal, "file that keeps finished starts; a search that was interrupted goes on from there")
      ->type_name("FILE");
  app.add_option("--start-time", a.start_time, "seconds after which one of many starts is given up [by the others]")
      ->type_name("SECONDS");
  app.add_flag("--profiles{*}", a.profiles,
               "profile likelihoods and their 95 % intervals: --profiles=k1,k2; without names of all parameters");
  add_results(app, a);
  footer(app, "bolza fit kinetics.mo --data runs.csv --free k1=1[0,10],k2[log10]");
}

void describe_identify(CLI::App& app, Arguments& a) {
  add_identification(app, a);
  footer(app, "bolza identify rates.mo --data runs.csv --conditions conditions.csv --terms \"1, c2, c3\"");
}

void describe_plot(CLI::App& app, Arguments& a) {
  app.add_option("file", a.file, "a .mat or .csv result")->required();
  app.add_option("variables", a.names, "names; without any, what is in the file is listed");
  app.add_option("-o,--output", a.output, "picture.svg or picture.png");
  app.add_option("--title", a.title, "title of the picture");
  app.add_option("--width", a.width, "pixels, or characters in the terminal")->check(pixels());
  app.add_option("--height", a.height, "pixels, or lines in the terminal")->check(pixels());
  add_common(app, a);
  footer(app, "bolza plot VanDerPol.mat x1 x2 u --output vdp.svg");
}

void describe_methods(CLI::App& app, Arguments& a) {
  add_common(app, a);
  footer(app, "bolza methods");
}

void describe_explain(CLI::App& app, Arguments& a) {
  app.add_option("code", a.names, "such as E203; without one, all are listed");
  add_common(app, a);
  footer(app, "bolza explain E203");
}

void describe_cache(CLI::App& app, Arguments& a) {
  app.add_option("action", a.names, "clear");
  add_common(app, a);
  footer(app, "bolza cache clear");
}

void describe_completion(CLI::App& app, Arguments& a) {
  app.add_option("shell", a.names, "bash, zsh or fish")->check(CLI::IsMember({"bash", "zsh", "fish"}));
  app.add_flag("--json", a.json, "print the table of commands and options as one JSON object");
  footer(app, "bolza completion bash > ~/.local/share/bash-completion/completions/bolza");
}

void describe_version(CLI::App& app, Arguments& a) {
  add_common(app, a);
  footer(app, "bolza version --json");
}

struct CommandOptions {
  const char *name, *description;
  void (*describe)(CLI::App&, Arguments&);
};
constexpr std::array commands{
    CommandOptions{"new", "write a commented file to begin with: NAME.mop", describe_new},
    CommandOptions{"check", "parse, resolve types, count and match equations; no solve", describe_check},
    CommandOptions{"flatten", "print the flat model", describe_flatten},
    CommandOptions{"compile", "write the compiled kernels for other programs, with the C header to call them",
                   describe_compile},
    CommandOptions{"solve", "solve the optimisation problem of a class", describe_solve},
    CommandOptions{"simulate", "integrate a model", describe_simulate},
    CommandOptions{"gradient", "derivatives of the objective, or of values, by parameters, initial values and controls",
                   describe_gradient},
    CommandOptions{"fit", "estimate parameters of a model from measurements", describe_fit},
    CommandOptions{"identify", "find the terms that a model needs, from measurements", describe_identify},
    CommandOptions{"plot", "draw variables of a result file, in the terminal or to .svg or .png", describe_plot},
    CommandOptions{"methods", "list transcriptions, integrators, engines, methods, options and passes", describe_methods},
    CommandOptions{"explain", "say what a diagnostic means and how to mend its cause", describe_explain},
    CommandOptions{"cache", "show or clear the cache of compiled kernels and parsed files", describe_cache},
    CommandOptions{"completion", "print what makes a shell complete commands, options and their words", describe_completion},
    CommandOptions{"version", "print the version", describe_version},
};

/// Adds the commands; the options of `only` alone, of all when it is "".
void describe(CLI::App& app, Arguments& a, std::string_view only) {
  for (const CommandOptions& command : commands) {
    CLI::App* added = app.add_subcommand(command.name, command.description);
    if (only.empty() || only == command.name) command.describe(*added, a), add_limits(*added, a);
  }
}

/// "a,b" of the words that an option is checked against, {a,b} in what it says of its type.
std::vector<std::string> words_of(const CLI::Option& option) {
  std::vector<std::string> words;
  std::string type = option.get_type_name();
  std::size_t from = type.find('{'), to = type.find('}');
  if (from == std::string::npos || to == std::string::npos) return words;
  for (std::size_t at = from + 1; at < to;) {
    std::size_t comma = std::min(type.find(',', at), to);
    words.push_back(type.substr(at, comma - at));
    at = comma + 1;
  }
  return words;
}

OptionDescription description_of(const CLI::Option& option) {
  OptionDescription out;
  if (option.get_positional()) out.positional = option.get_name(true);
  for (const std::string& name : option.get_snames()) out.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) out.names.push_back("--" + name);
  out.help = option.get_description();
  out.takes_value = option.get_items_expected_max() > 0;
  out.repeated = option.get_items_expected_max() > 1;
  out.required = option.get_required();
  out.words = words_of(option);
  out.type = out.words.empty() ? option.get_type_name() : "";
  return out;
}

/// `bolza FILE` alone: a first word that is no command and no option.
bool is_file_alone(int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return false;
  std::string_view word = argv[1];
  for (const CommandOptions& c : commands)
    if (word == c.name) return false;
  return word.find('.') != std::string_view::npos || word.find('/') != std::string_view::npos;
}

/// "did you mean `--mesh`?" for arguments that the command does not know, and for a command that does not exist.
void suggest(const CLI::App& app, int argc, char** argv) {
  auto used = app.get_subcommands();
  if (used.empty()) {
    std::vector<std::string> names;
    for (const CommandOptions& c : commands) names.emplace_back(c.name);
    if (argc > 1 && argv[1][0] != '-')
      for (const Note& note : did_you_mean(argv[1], names)) std::fprintf(stderr, "%s\n", note.text.c_str());
    return;
  }
  std::vector<std::string> known;
  for (const CLI::Option* option : used[0]->get_options())
    for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
  for (const std::string& extra : used[0]->remaining()) {
    if (!extra.starts_with("--")) continue;
    std::string name = extra.substr(0, extra.find('='));
    std::vector<Note> notes = did_you_mean(name, known);
    for (const std::string& other : known)  // --stop-time for --stop, --tolerance for --tol
      if (notes.empty() && other.size() > 3 && (name.starts_with(other) || other.starts_with(name)))
        notes.push_back({{}, "did you mean `" + other + "`?"});
    for (const Note& note : notes) std::fprintf(stderr, "%s\n", note.text.c_str());
  }
}

bool wants_json(const std::vector<std::string>& words) { return std::ranges::find(words, "--json") != words.end(); }

/// Prints what is wrong with the arguments, or the help that they ask for; the exit code.
int ended(const CLI::App& app, const CLI::ParseError& e, const std::vector<std::string>& words) {
  std::ostringstream out, err;
  int code = app.exit(e, out, err);
  std::fputs(out.str().c_str(), stdout);
  if (code == 0) return fine;
  if (!wants_json(words)) std::fputs(printable(err.str()).c_str(), stderr);
  else
    print_json({{"status", "input_error"},
                {"diagnostics", {{{"code", workflow::bad_arguments.id}, {"severity", "error"}, {"message", e.what()}}}}});
  return bad_input;
}

}  // namespace

std::vector<CommandDescription> describe_commands() {
  Arguments unused;
  CLI::App app{"", "bolza"};
  describe(app, unused, "");
  std::vector<CommandDescription> out;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    CommandDescription d{command->get_name(), command->get_description(), command->get_footer(), {}};
    for (const CLI::Option* option : command->get_options()) d.options.push_back(description_of(*option));
    out.push_back(std::move(d));
  }
  return out;
}

Parsed parse_arguments(int given_argc, char** given_argv) {
  std::vector<std::string> words = with_trust_spelt_out(given_argc, given_argv);
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  int argc = static_cast<int>(pointers.size());
  char** argv = pointers.data();
  Parsed parsed;
  CLI::App app{"Bolza solves dynamic optimisation problems written in Modelica, Optimica and DOML.", "bolza"};
  app.require_subcommand(0, 1);
  app.set_version_flag("--version", [] { return std::string("bolza " BOLZA_VERSION); });
  app.footer("Give a file alone to learn what is in it: bolza model.mop\nHelp for a command: bolza solve --help");
  if (is_file_alone(argc, argv)) {
    CLI::App alone{"what is in a file", "bolza"};
    add_model(alone, parsed.arguments), add_common(alone, parsed.arguments), add_limits(alone, parsed.arguments);
    try {
      alone.parse(argc, argv);
    } catch (const CLI::ParseError& e) {
      parsed.done = true, parsed.exit_code = ended(alone, e, words);
    }
    return parsed;
  }
  describe(app, parsed.arguments, argc > 1 ? argv[1] : "");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    parsed.done = true;
    parsed.exit_code = ended(app, e, words);
    if (parsed.exit_code == 2 && !wants_json(words)) suggest(app, argc, argv);
    return parsed;
  }
  if (app.get_subcommands().empty()) {
    std::fputs(app.help().c_str(), stdout);
    parsed.done = true, parsed.exit_code = argc > 1 ? 2 : 0;
    return parsed;
  }
  parsed.arguments.command = app.get_subcommands()[0]->get_name();
  return parsed;
}

}  // namespace bolza::cli
