// SPDX-License-Identifier: Apache-2.0
#include "cli/arguments.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string_view>

#include "base/diagnostics.h"
#include "base/printable.h"
#include "cli/commands.h"
#include "cli/option_groups.h"
#include "cli/print.h"
#include "cli/server_group.h"
#include "cli/suggestions.h"
#include "compiler/driver/option_table.h"
#include "workflow/codes.h"
#include "workflow/emit.h"
#include "workflow/fit/fit.h"

namespace bolza::cli {
namespace {

/// Is it names of parameters, as `k,T0`, and not a file or a class?
bool are_parameters(const std::string& word) {
  bool is_file = word.find('/') != std::string::npos || !std::filesystem::path(word).extension().empty();
  return word.find(',') != std::string::npos ||
         (!is_file && !word.empty() && std::islower(static_cast<unsigned char>(word[0])));
}

/// `--trust` without a word means `--trust all`; CLI11 would take the next argument for the word. The word of
/// `--sensitivity` it would take for a file or a class.
std::vector<std::string> with_words_spelt_out(int argc, char** argv) {
  std::vector<std::string> words(argv, argv + argc);
  for (std::size_t k = 1; k < words.size(); ++k) {
    bool has_next = k + 1 < words.size();
    if (words[k] == "--trust" && !(has_next && driver::trust_levels.find(words[k + 1]).has_value())) words[k] += "=all";
    if (words[k] != "--sensitivity" || !has_next || !are_parameters(words[k + 1])) continue;
    words[k] += "=" + words[k + 1];
    words.erase(words.begin() + static_cast<std::ptrdiff_t>(k) + 1);
  }
  return words;
}

void footer(CLI::App& app, const char* example) { app.footer(std::string("Example:\n  ") + example); }

void describe_new(CLI::App& app, Arguments& a) {
  app.add_option("name", a.model.class_name, "the name of the class and of the file")->required();
  app.add_option("--kind", a.skeleton.kind,
                 "optimization, model (with a problem of it) or calibration (parameters from data) [optimization]")
      ->check(CLI::IsMember({"optimization", "model", "calibration"}));
  add_common(app, a);
  footer(app, "bolza new Reactor --kind calibration");
}

void describe_check(CLI::App& app, Arguments& a) {
  add_model(app, a);
  add_sandbox(app, a);
  add_common(app, a);
  app.add_option("more", a.words, "with --syntax-only: further files");
  app.add_flag("--syntax-only", a.check.syntax_only, "parse the files, nothing else");
  app.add_flag("--structure", a.check.structure, "index, states chosen and demoted, loops and torn variables");
  add_table_option(app, a, "form");
  footer(app, "bolza check plant.mop Plant.Transition");
}

void describe_flatten(CLI::App& app, Arguments& a) {
  add_model(app, a);
  add_sandbox(app, a);
  add_common(app, a);
  app.add_option("--after", a.flatten.after, "print the model as it is after this pass (see `bolza methods`)");
  app.add_flag("--pontryagin", a.flatten.pontryagin,
               "print the necessary conditions of the optimum, as a class (docs/indirect.md)");
  add_smooth(app, a);
  add_scenarios(app, a);
  app.add_option("--disable", a.model.change.disabled, "leave out a pass, may be repeated");
  add_table_option(app, a, "form");
  footer(app, "bolza flatten plant.mop --after eliminate-aliases");
}

void describe_compile(CLI::App& app, Arguments& a) {
  add_model(app, a);
  add_sandbox(app, a);
  add_common(app, a);
  app.add_option("-o,--output", a.outputs.result, "file without ending [<class>]");
  add_choice(app, "--emit", a.compile.emit, workflow::emit_forms, "object, llvm or assembly [object]");
  footer(app, "bolza compile van_der_pol.mop -o vdp && cc main.c vdp.o -lm -lmvec");
}

void add_sensitivity(CLI::App& app, Arguments& a) {
  app.add_flag("--sensitivity{*}", a.solve.sensitivity, "dJ*/dp of parameters: --sensitivity k,T0; without names of all");
  app.add_flag("--trajectories", a.solve.trajectories,
               "of these parameters: dx*/dp, du*/dp, and where the active set changes");
}

void describe_solve(CLI::App& app, Arguments& a) {
  add_remote(app, a);
  add_model(app, a);
  add_sandbox(app, a);
  add_common(app, a);
  add_solver_options(app, a);
  add_results(app, a);
  add_smooth(app, a);
  add_scenarios(app, a);
  add_objectives(app, a);
  app.add_option("--chain", a.solve.chain,
                 "stages, each starting from the one before: \"euler(mesh=20) -> radau(mesh=100)\"");
  add_nonsmooth(app, a);
  add_horizon(app, a, "startTime, or experiment, or 0", "finalTime, or experiment, or 1");
  add_sensitivity(app, a);
  app.add_flag("--timing", a.solve.timing, "print every nonlinear program that was solved, and what the rest took");
  app.add_flag("--certify", a.solve.certify, "verify the result at the end, as `bolza verify` does");
  app.add_option("--init-from", a.solve.init_from, "start from this result file (.mat or .csv)");
  footer(app, "bolza solve van_der_pol.mop --mesh 100 --report vdp.html");
}

void describe_simulate(CLI::App& app, Arguments& a) {
  add_remote(app, a);
  add_model(app, a);
  add_sandbox(app, a);
  add_common(app, a);
  add_results(app, a);
  add_horizon(app, a, "experiment, or 0", "experiment, or 1");
  app.add_option("--step", a.simulate.step, "distance of output times [500 of them]")->check(positive());
  app.add_option_function<std::string>(
      "--tol", [&a](const std::string& v) { a.method.options.emplace_back("rtol", v); },
      "relative tolerance [experiment, or 1e-6]");
  app.add_option_function<std::string>(
      "--integrator", [&a](const std::string& v) { a.method.options.emplace_back("integrator", v); },
      "see `bolza methods` [idas for models with algebraic equations, else cvodes]");
  add_table_option(app, a, "form");
  add_table_option(app, a, "initialization");
  app.add_option("--input", a.simulate.input_file, "inputs over time: a .csv with a column `time` and one per input");
  app.add_option("--max-result", a.simulate.max_result, "megabytes that the trajectory may take [1000]")
      ->check(between(1, 1e6, "a number of megabytes between 1 and 1e6"))
      ->type_name("MB");
  add_method_options(app, a);
  app.add_flag("--plot{*}", a.simulate.plot,
               "draw variables in the terminal afterwards: --plot=x,v; without names the first states");
  footer(app, "bolza simulate tank.mo --stop 100 --set k=2 --output tank.csv");
}

void describe_gradient(CLI::App& app, Arguments& a) {
  add_model(app, a);
  add_sandbox(app, a);
  add_common(app, a);
  app.add_option("--by", a.gradient.by, "adjoint, forward, discrete or differences [adjoint]");
  app.add_option("--of", a.gradient.outputs,
                 "what is differentiated: objective, constraints, residuals, or values at a time: x(2.5),y(finalTime)-2*k "
                 "[objective]")
      ->type_name("EXPRESSION,…");
  app.add_option("--with-respect-to", a.gradient.directions,
                 "parameters, states (their initial values) and controls [all that are free]")
      ->delimiter(',')
      ->type_name("NAME,…");
  app.add_flag("--check", a.gradient.check, "also by the other ways and by difference quotients");
  app.add_flag("--original", a.gradient.original,
               "the equations as written, without index reduction (radau5, index up to 3)");
  app.add_option("--hessian-times", a.gradient.hessian_times,
                 "second derivatives times a direction: k=1,x(0)=0.5, names as in the gradient; others do not move")
      ->delimiter(',')
      ->type_name("NAME=VALUE,…");
  app.add_flag("--hessian", a.gradient.hessian, "second derivatives too");
  for (const char* name : {"mesh", "control", "integrator"})
    app.add_option_function<std::string>(
        std::string("--") + name, [&a, name](const std::string& v) { a.method.options.emplace_back(name, v); },
        std::string(name) == "mesh"      ? "intervals of the controls [50; 1 without controls]"
        : std::string(name) == "control" ? "constant or collocated (linear between mesh points)"
                                         : "of --by discrete: one of ours (see `bolza methods`) [radau5]");
  app.add_option("--step", a.gradient.step, "fixed length of the integrator's steps, of --by discrete [error control]");
  app.add_option_function<std::string>(
      "--tol", [&a](const std::string& v) { a.method.options.emplace_back("rtol", v); },
      "relative tolerance of the integration [1e-8]");
  add_method_options(app, a);
  app.add_option_function<std::string>(
         "--checkpoint-memory", [&a](const std::string& v) { a.method.of_integrator.emplace_back("checkpoint_memory", v); },
         "megabytes that the states kept for the adjoint of an interval may take [64]")
      ->type_name("MB");
  app.add_flag("--no-cache", a.model.no_cache, "parse files and compile kernels again, and keep nothing");
  footer(app, "bolza gradient reactor.mop --with-respect-to k1,k2 --check");
}

void describe_fit(CLI::App& app, Arguments& a) {
  add_remote(app, a);
  constexpr std::size_t most_of_a_fit = 10'000'000;  // starts, repetitions, times
  add_model(app, a);
  add_sandbox(app, a);
  add_common(app, a);
  app.add_option("--data", a.measured.data,
                 "measurements: a .csv with `time` and a column for every observable, or with `observable`, `time` and "
                 "`value`; may be repeated, a file for each experiment")
      ->type_name("FILE.csv");
  app.add_option("--free", a.measured.free,
                 "parameters to be estimated: k1=1[0,10],k2[log10],k3; start value, bounds and scale")
      ->type_name("NAME=START[LOWER,UPPER,SCALE],…");
  app.add_option("--parameters", a.measured.parameters, "a table of them: parameter, scale, lower, upper, nominal, estimate")
      ->type_name("FILE.csv");
  app.add_option("--prior", a.fit.priors,
                 "what is known of a parameter beforehand: \"k1 = normal(2, 0.5)\"; lognormal, laplace, loglaplace")
      ->type_name("NAME=PRIOR");
  app.add_option("--conditions", a.measured.conditions,
                 "what holds in each experiment: condition, then parameters, inputs and states to set, perhaps startTime")
      ->type_name("FILE.csv");
  app.add_option("--observe", a.measured.observe,
                 "what is measured, where it is not a variable: \"z = A + B\", \"log10 z = A + B\"")
      ->type_name("NAME=EXPRESSION");
  app.add_option("--noise", a.measured.noise,
                 "standard deviation of an observable: \"z = 0.1*z + s0\"; \"laplace z = 0.2\", \"huber z = 0.2\" [1]")
      ->type_name("NAME=EXPRESSION");
  app.add_option("--start", a.horizon.start, "start time of the experiments [experiment, or 0]");
  app.add_flag("--evaluate", a.fit.evaluate, "the likelihood at the start values, nothing is fitted");
  app.add_option("--repeat", a.fit.repeat,
                 "evaluate so many times more, and report the fastest: what an evaluation costs a fit")
      ->check(CLI::Range(std::size_t{1}, most_of_a_fit))
      ->type_name("N");
  app.add_flag("--check", a.fit.check, "compare the gradient at the start with difference quotients");
  add_choice(app, "--by", a.fit.derivatives, workflow::fit_derivatives,
             "derivatives by forward sensitivities, by adjoint equations or by differences [forward; adjoint for more "
             "than 75 parameters]; none: the likelihood alone, with --evaluate");
  app.add_option("--level", a.fit.level, "of confidence intervals and bands [0.95]")->check(CLI::Range(0.01, 0.9999));
  app.add_option("--design", a.fit.design,
                 "choose so many times at which a repetition of the experiments should be measured")
      ->check(CLI::Range(std::size_t{1}, most_of_a_fit))
      ->type_name("COUNT");
  add_choice(app, "--criterion", a.fit.criterion, estimate::criteria, "of the design: A, D, E or modified-E [D]");
  app.add_flag("--exact-errors", a.fit.exact_errors,
               "standard errors by the exact Hessian instead of the Fisher information");
  for (auto [name, help] :
       {std::pair{"nlp", "the engine, see `bolza methods` [trust-region]"}, std::pair{"tol", "of the engine [1e-6]"},
        std::pair{"rtol", "relative tolerance of the integration [1e-8]"},
        std::pair{"max-iterations", "of the engine [3000]"}, std::pair{"max-time", "seconds [no limit]"},
        std::pair{"threads", "experiments simulated at a time [1]"},
        std::pair{"hessian", "gauss-newton, lbfgs or exact [gauss-newton]"},
        std::pair{"integrator", "see `bolza methods` [cvodes]"}})
    app.add_option_function<std::string>(
        std::string("--") + name,
        [&a, name = std::string(name)](const std::string& v) { a.method.options.emplace_back(name, v); }, help);
  app.add_option("--starts", a.measured.starts, "fit from so many points of a Latin hypercube within the bounds")
      ->check(CLI::Range(std::size_t{1}, most_of_a_fit))
      ->type_name("N");
  app.add_option("--windows", a.fit.windows,
                 "fit first to the first 1/2^N of the time of the measurements, then to twice as much, and so on; 0: to all "
                 "at once [4, where a fit to all at once fails or explains less than half of them]")
      ->check(CLI::Range(std::size_t{0}, std::size_t{20}))
      ->type_name("N");
  app.add_option("--seed", a.measured.seed, "of the points [1]")->type_name("N");
  app.add_option("--jobs", a.fit.jobs, "processes at a time, for starts and profiles [as many as processors]")
      ->check(CLI::Range(std::size_t{1}, std::size_t{1024}))
      ->type_name("N");
  app.add_option("--journal", a.fit.journal,
                 "file that keeps finished starts; a search that was interrupted goes on from there")
      ->type_name("FILE");
  app.add_option("--start-time", a.fit.start_time, "seconds after which one of many starts is given up [by the others]")
      ->type_name("SECONDS");
  app.add_flag("--profiles{*}", a.fit.profiles,
               "profile likelihoods and their intervals: --profiles=k1,k2; without names of all parameters");
  app.add_option("-o,--output,--csv", a.outputs.result, "also write measurements and fit as a table")
      ->check(CLI::Validator([](const std::string& file) { return file.ends_with(".csv") ? "" : "it is a .csv file"; }, ""))
      ->type_name("FILE.csv");
  add_report(app, a);
  footer(app, "bolza fit kinetics.mo --data runs.csv --free k1=1[0,10],k2[log10]");
}

void describe_identify(CLI::App& app, Arguments& a) {
  add_identification(app, a);
  footer(app, "bolza identify rates.mo --data runs.csv --conditions conditions.csv --terms \"1, c2, c3\"");
}

void describe_petab(CLI::App& app, Arguments& a) {
  auto there_is_one = [](const std::string&) {};
  app.add_option_function<std::string>("action", there_is_one,
                                       "check: read the problem and its model, say all that is wrong in its tables")
      ->required()
      ->check(CLI::IsMember({"check"}));
  app.add_option("file", a.file, "a .yaml file")->required();
  add_common(app, a);
  footer(app, "bolza petab check problem.yaml");
}

void describe_import(CLI::App& app, Arguments& a) {
  app.add_option("file", a.file, "a .xml or .sbml file")->required();
  app.add_option("-o,--output", a.outputs.result, "the file to be written, which does not exist yet [FILE.mo]")
      ->type_name("FILE.mo");
  add_common(app, a);
  footer(app, "bolza import model.xml -o model.mo");
}

void describe_export_sbml(CLI::App& app, Arguments& a) {
  add_model(app, a);
  add_common(app, a);
  app.add_option("-o,--output", a.outputs.result, "the file to be written [CLASS.xml]")->type_name("FILE.xml");
  footer(app, "bolza export-sbml kinetics.mo -o kinetics.xml");
}

void describe_plot(CLI::App& app, Arguments& a) {
  app.add_option("file", a.file, "a .mat or .csv result")->required();
  app.add_option("variables", a.words, "names; without any, what is in the file is listed");
  app.add_option("-o,--output", a.outputs.result, "picture.svg or picture.png");
  app.add_option("--title", a.plot.title, "title of the picture");
  app.add_option("--width", a.plot.width, "pixels, or characters in the terminal")->check(pixels());
  app.add_option("--height", a.plot.height, "pixels, or lines in the terminal")->check(pixels());
  add_common(app, a);
  footer(app, "bolza plot VanDerPol.mat x1 x2 u --output vdp.svg");
}

void describe_verify(CLI::App& app, Arguments& a) {
  app.add_option("file", a.file, "a .mat result of `bolza solve`; without it `--receipt` is checked");
  app.add_option("--model", a.verify.model, "the model's file [the one that the result names]")->type_name("FILE");
  app.add_option("--class", a.model.class_name, "the class of the model [the one that the result names]")->type_name("NAME");
  app.add_option("--set", a.model.settings, "set a parameter before compilation [as the result says]")
      ->type_name("NAME=VALUE");
  app.add_option("--path", a.model.library_paths, "folder of libraries, searched before MODELICAPATH [as the result says]")
      ->type_name("FOLDER");
  app.add_option("--receipt", a.verify.receipt, "write a receipt, with hashes of all files; without a result: check one")
      ->type_name("FILE.json");
  add_sensitivity(app, a);
  app.add_option("--tolerance", a.verify.tolerance, "of sizes; limits of the checks are multiples of it [1e-3]")
      ->check(between(1e-8, 0.1, "a number between 1e-8 and 0.1"));
  app.add_flag("--no-cache", a.model.no_cache, "parse files and compile kernels again, and keep nothing");
  add_trust(app, a);
  add_sandbox(app, a);
  add_common(app, a);
  footer(app, "bolza solve van_der_pol.mop && bolza verify VanDerPol.mat");
}

void describe_methods(CLI::App& app, Arguments& a) {
  add_common(app, a);
  footer(app, "bolza methods");
}

void describe_explain(CLI::App& app, Arguments& a) {
  app.add_option("code", a.words, "such as E203; without one, all are listed");
  add_common(app, a);
  footer(app, "bolza explain E203");
}

void describe_cache(CLI::App& app, Arguments& a) {
  app.add_option("action", a.words, "clear");
  add_common(app, a);
  footer(app, "bolza cache clear");
}

void describe_completion(CLI::App& app, Arguments& a) {
  app.add_option("shell", a.words, "bash, zsh or fish")->check(CLI::IsMember({"bash", "zsh", "fish"}));
  app.add_flag("--json", a.print.json, "print the table of commands and options as one JSON object");
  footer(app, "bolza completion bash > ~/.local/share/bash-completion/completions/bolza");
}

void describe_version(CLI::App& app, Arguments& a) {
  add_common(app, a);
  footer(app, "bolza version --json");
}

void describe_serve(CLI::App& app, Arguments& a) {
  add_serve(app, a);
  add_common(app, a);
  footer(app, "bolza serve --database /srv/bolza/jobs.sqlite --port 8080");
}

void describe_worker(CLI::App& app, Arguments& a) {
  add_worker(app, a);
  add_common(app, a);
  footer(app, "BOLZA_DATABASE=postgresql://bolza:secret@db/bolza bolza worker");
}

void describe_jobs(CLI::App& app, Arguments& a) {
  add_jobs(app, a);
  add_common(app, a);
  footer(app, "bolza jobs get 0123456789abcdef0123456789abcdef --server http://127.0.0.1:8080 -o result.mat");
}

/// The options of the job, and those of the study.
void describe_sweep(CLI::App& app, Arguments& a) {
  if (a.study.job == "simulate") describe_simulate(app, a);
  else if (a.study.job == "fit") describe_fit(app, a);
  else describe_solve(app, a);
  add_study_plan(app, a);
  footer(app,
         "bolza sweep van_der_pol.mop --set \"u(max=range(0.7,1,20))\"\n  bolza sweep simulate tank.mo --set "
         "k=normal(2,0.1) --draws 100 --stop 20");
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
    CommandOptions{"petab", "check a PEtab problem: all its tables at once", describe_petab},
    CommandOptions{"verify", "hold a result against its model: is it feasible, and an optimum?", describe_verify},
    CommandOptions{"sweep", "solve, simulate or fit at many points: sweeps, samples, guesses", describe_sweep},
    CommandOptions{"study", "go on with a sweep, say how far it is, make tables and pages of it", describe_study},
    CommandOptions{"import", "write the Modelica model of an SBML file", describe_import},
    CommandOptions{"export-sbml", "write a model of differential equations as SBML", describe_export_sbml},
    CommandOptions{"plot", "draw variables of a result file, in the terminal or to .svg or .png", describe_plot},
    CommandOptions{"methods", "list transcriptions, integrators, engines, methods, options and passes", describe_methods},
    CommandOptions{"explain", "say what a diagnostic means and how to mend its cause", describe_explain},
    CommandOptions{"cache", "show or clear the cache of compiled kernels and parsed files", describe_cache},
    CommandOptions{"completion", "print what makes a shell complete commands, options and their words", describe_completion},
    CommandOptions{"serve", "a server with a page, accounts and an archive, whose workers run jobs", describe_serve},
    CommandOptions{"worker", "run the jobs of a server's database, here", describe_worker},
    CommandOptions{"jobs", "list, show, cancel or get jobs of a server", describe_jobs},
    CommandOptions{"version", "print the version", describe_version},
};

/// Adds the commands; the options of `only` alone, of all when it is "".
void describe(CLI::App& app, Arguments& a, std::string_view only) {
  for (const CommandOptions& command : commands) {
    CLI::App* added = app.add_subcommand(command.name, command.description);
    if (only.empty() || only == command.name) {
      command.describe(*added, a);
      add_limits(*added, a);
    }
  }
}

/// `bolza sweep simulate FILE`: the word for the job; the options are then those of it.
void take_job(std::vector<std::string>& words, Arguments& a) {
  bool is_sweep = words.size() > 2 && words[1] == "sweep";
  if (!is_sweep || std::ranges::find(study_jobs, words[2]) == std::end(study_jobs)) return;
  a.study.job = words[2];
  words.erase(words.begin() + 2);
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

/// `bolza FILE` alone: a first word that is neither a command nor an option.
bool is_file_alone(int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return false;
  std::string_view word = argv[1];
  for (const CommandOptions& c : commands)
    if (word == c.name) return false;
  return word.find('.') != std::string_view::npos || word.find('/') != std::string_view::npos;
}

std::vector<std::string> names_of_commands() {
  std::vector<std::string> names;
  for (const CommandOptions& c : commands) names.emplace_back(c.name);
  return names;
}

bool wants_json(const std::vector<std::string>& words) { return std::ranges::find(words, "--json") != words.end(); }

/// CLI11 writes the largest number with 309 digits: "not in range 0.000000 to 17976…" of positive numbers.
std::string in_short(std::string text) {
  constexpr std::string_view from = "not in range 0.000000 to 17976";
  std::size_t begin = text.find(from);
  if (begin == std::string::npos) return text;
  std::size_t end = std::min(text.find_first_not_of("0123456789.", begin + from.size()), text.size());
  return text.replace(begin, end - begin, "is not a positive number");
}

/// Prints what is wrong with the arguments, or the help that they ask for; the exit code.
int ended(const CLI::App& app, const CLI::ParseError& e, const std::vector<std::string>& words) {
  std::ostringstream out, err;
  int code = app.exit(e, out, err);
  std::fputs(out.str().c_str(), stdout);
  if (code == 0) return fine;
  if (!wants_json(words)) std::fputs(printable(in_short(err.str())).c_str(), stderr);
  else
    print_json(
        {{"status", "input_error"},
         {"diagnostics", {{{"code", workflow::bad_arguments.id}, {"severity", "error"}, {"message", in_short(e.what())}}}}});
  return bad_input;
}

/// What was given, by the first long name; each value by itself.
std::vector<std::pair<std::string, std::string>> given_options(const CLI::App& command) {
  std::vector<std::pair<std::string, std::string>> given;
  for (const CLI::Option* option : command.get_options())
    if (option->count() > 0 && !option->get_lnames().empty())
      for (const std::string& value : option->results()) given.emplace_back(option->get_lnames()[0], value);
  return given;
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

std::vector<CommandDescription> describe_sweeps() {
  std::vector<CommandDescription> out;
  for (std::string_view job : study_jobs) {
    Arguments unused;
    unused.study.job = job;
    CLI::App app{"", "bolza"};
    describe(app, unused, "sweep");
    const CLI::App& command = *app.get_subcommand("sweep");
    std::string name;
    for (const std::string& word : words_of_sweep(unused.study.job)) name += (name.empty() ? "" : " ") + word;
    CommandDescription d{name, command.get_description(), command.get_footer(), {}};
    for (const CLI::Option* option : command.get_options()) d.options.push_back(description_of(*option));
    out.push_back(std::move(d));
  }
  return out;
}

Parsed parse_arguments(int given_argc, char** given_argv) {
  std::vector<std::string> words = with_words_spelt_out(given_argc, given_argv);
  Parsed parsed;
  take_job(words, parsed.arguments);
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  int argc = static_cast<int>(pointers.size());
  char** argv = pointers.data();
  CLI::App app{"Bolza solves dynamic optimisation problems written in Modelica, Optimica and DOML.", "bolza"};
  app.require_subcommand(0, 1);
  app.set_version_flag("--version", [] { return std::string("bolza " BOLZA_VERSION); });
  app.footer("Give a file alone to learn what is in it: bolza model.mop\nHelp for a command: bolza solve --help");
  if (is_file_alone(argc, argv)) {
    CLI::App alone{"what is in a file", "bolza"};
    add_model(alone, parsed.arguments);
    add_common(alone, parsed.arguments);
    add_limits(alone, parsed.arguments);
    try {
      alone.parse(argc, argv);
    } catch (const CLI::ParseError& e) {
      parsed.done = true;
      parsed.exit_code = ended(alone, e, words);
    }
    return parsed;
  }
  describe(app, parsed.arguments, argc > 1 ? argv[1] : "");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    parsed.done = true;
    parsed.exit_code = ended(app, e, words);
    if (parsed.exit_code == 2 && !wants_json(words)) suggest(app, names_of_commands(), argc, argv);
    return parsed;
  }
  if (app.get_subcommands().empty()) {
    std::fputs(app.help().c_str(), stdout);
    parsed.done = true;
    parsed.exit_code = argc > 1 ? 2 : 0;
    return parsed;
  }
  parsed.arguments.command = app.get_subcommands()[0]->get_name();
  if (!parsed.arguments.remote.server.empty()) parsed.arguments.remote.given = given_options(*app.get_subcommands()[0]);
  if (parsed.arguments.command == "sweep") parsed.arguments.study.given = options_of_study(*app.get_subcommands()[0]);
  return parsed;
}

}  // namespace bolza::cli
