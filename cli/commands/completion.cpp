// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/print.h"
#include "compiler/driver/compile.h"
#include "compiler/driver/option_table.h"
#include "workflow/all_codes.h"
#include "workflow/solve/method/solver.h"

namespace bolza::cli {
namespace {

std::string joined(const std::vector<std::string>& words, const char* between = " ") {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : between) + word;
  return out;
}

std::vector<std::string> names_of(const std::vector<workflow::TableRow>& rows) {
  std::vector<std::string> names;
  for (const workflow::TableRow& row : rows)
    if (row.available) names.emplace_back(row.name);
  return names;
}

/// Words that the parser does not check: those of the option table, of methods, integrators, engines, passes and codes.
class Words {
 public:
  explicit Words(const workflow::SolverLibrary& library) : library_(library) {}

  void add(CommandDescription& command) const {
    for (OptionDescription& option : command.options) {
      std::string name = option.names.empty() ? option.positional : option.names.back();
      if (!option.words.empty() || !option.takes_value) continue;
      option.words = words(command.name, name);
      if (!option.words.empty()) option.type.clear();
    }
  }

 private:
  std::vector<std::string> words(const std::string& command, const std::string& name) const {
    std::vector<std::string> out;
    if (name == "--method") {
      out = of_table("--transcription");
      for (const driver::MethodRow& m : driver::method_table()) out.emplace_back(m.name);
    } else if (name == "--integrator") {
      out = names_of(library_.integrators());
    } else if (name == "--nlp") {
      out = names_of(library_.engines());
    } else if (name == "--after" || name == "--disable") {
      out = driver::pass_names();
    } else if (name == "--by") {
      out = {"adjoint", "forward", "discrete", "differences"};
    } else if (command == "explain" && name == "code") {
      for (const Code* code : workflow::all_codes()) out.emplace_back(code->id);
    } else if (command == "cache" && name == "action") {
      out = {"clear"};
    } else {
      out = of_table(name);
    }
    return out;
  }

  static std::vector<std::string> of_table(const std::string& name) {
    std::vector<std::string> out;
    for (const driver::OptionRow& row : driver::option_table()) {
      if ("--" + std::string(row.name) != name) continue;
      for (std::string_view word : row.choices)
        if (!word.empty()) out.emplace_back(word);
      if (row.type == driver::OptionType::flag) out = {"true", "false"};
    }
    return out;
  }

  const workflow::SolverLibrary& library_;
};

std::vector<std::string> names_of(const std::vector<CommandDescription>& commands) {
  std::vector<std::string> names;
  for (const CommandDescription& command : commands) names.push_back(command.name);
  return names;
}

bool is_file(const OptionDescription& option) { return option.type.starts_with("FILE") || option.type == "PAGE.html"; }

// ------------------------------------------------------------ bash

std::string bash(const std::vector<CommandDescription>& commands) {
  std::string options, values, files, arguments;
  for (const CommandDescription& command : commands) {
    std::vector<std::string> names, words;
    for (const OptionDescription& option : command.options) {
      names.insert(names.end(), option.names.begin(), option.names.end());
      if (option.names.empty()) words.insert(words.end(), option.words.begin(), option.words.end());
      for (const std::string& name : option.names) {
        std::string key = "    \"" + command.name + " " + name + "\")";
        if (!option.words.empty()) values += key + " words=\"" + joined(option.words) + "\" ;;\n";
        else if (option.type == "DIR") files += key + " COMPREPLY=($(compgen -d -- \"$current\")); return ;;\n";
        else if (is_file(option)) files += key + " COMPREPLY=($(compgen -f -- \"$current\")); return ;;\n";
        else if (option.takes_value) files += key + " return ;;\n";
      }
    }
    options += "    " + command.name + ") words=\"" + joined(names) + "\" ;;\n";
    if (!words.empty()) arguments += "    " + command.name + ") words=\"" + joined(words) + "\" ;;\n";
  }
  return "# bash completion of bolza: source it, or put it into ~/.local/share/bash-completion/completions/bolza\n"
         "_bolza() {\n"
         "  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]} words=\n"
         "  COMPREPLY=()\n"
         "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
         "    COMPREPLY=($(compgen -W \"" +
         joined(names_of(commands)) +
         "\" -- \"$current\") $(compgen -f -- \"$current\"))\n"
         "    return\n"
         "  fi\n"
         "  case \"$command $previous\" in\n" +
         values + files +
         "  esac\n"
         "  if [ -n \"$words\" ]; then COMPREPLY=($(compgen -W \"$words\" -- \"$current\")); return; fi\n"
         "  case \"$current\" in\n"
         "  -*)\n"
         "    case \"$command\" in\n" +
         options +
         "    esac ;;\n"
         "  *)\n"
         "    case \"$command\" in\n" +
         arguments +
         "    esac ;;\n"
         "  esac\n"
         "  if [ -n \"$words\" ]; then COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
         "  else COMPREPLY=($(compgen -f -- \"$current\")); fi\n"
         "}\n"
         "complete -o filenames -F _bolza bolza\n";
}

// ------------------------------------------------------------ zsh

/// Inside '…', in a place where brackets and colons separate.
std::string zsh_text(const std::string& text) {
  std::string out;
  for (char c : text)
    if (c == '\'') out += "'\\''";
    else if (c == '[' || c == ']' || c == ':' || c == '\\') out += std::string("\\") + c;
    else out += c;
  return out;
}

std::string zsh_action(const OptionDescription& option) {
  if (!option.words.empty()) return "(" + joined(option.words) + ")";
  if (option.type == "DIR") return "_files -/";
  return is_file(option) || !option.positional.empty() ? "_files" : "";
}

std::string zsh(const std::vector<CommandDescription>& commands) {
  std::string list, cases;
  for (const CommandDescription& command : commands) {
    list += "    '" + command.name + ":" + zsh_text(command.help) + "'\n";
    cases += "  " + command.name + ")\n    _arguments";
    for (const OptionDescription& option : command.options) {
      std::string value = option.takes_value ? ":value:" + zsh_action(option) : "";
      for (const std::string& name : option.names)
        cases += " \\\n      '" + std::string(option.repeated ? "*" : "") + name + "[" + zsh_text(option.help) + "]" +
                 value + "'";
      if (option.names.empty())
        cases += " \\\n      '" + std::string(option.repeated ? "*" : "") + ":" + zsh_text(option.positional) + ":" +
                 zsh_action(option) + "'";
    }
    cases += " ;;\n";
  }
  return "#compdef bolza\n# zsh completion of bolza: a file `_bolza` in a folder of $fpath\n"
         "_bolza() {\n"
         "  local -a commands\n  commands=(\n" +
         list +
         "  )\n"
         "  if (( CURRENT == 2 )); then _describe command commands; _files; return; fi\n"
         "  local command=$words[2]\n"
         "  shift words; (( CURRENT-- ))\n"
         "  case $command in\n" +
         cases + "  esac\n}\ncompdef _bolza bolza\n";
}

// ------------------------------------------------------------ fish

std::string fish_text(const std::string& text) {
  std::string out = "'";
  for (char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out + "'";
}

std::string fish(const std::vector<CommandDescription>& commands) {
  std::string out = "# fish completion of bolza: ~/.config/fish/completions/bolza.fish\n";
  for (const CommandDescription& command : commands) {
    out += "complete -c bolza -n __fish_use_subcommand -a " + command.name + " -d " + fish_text(command.help) + "\n";
    std::string begin = "complete -c bolza -n '__fish_seen_subcommand_from " + command.name + "'";
    for (const OptionDescription& option : command.options) {
      std::string line = begin;
      for (const std::string& name : option.names)
        line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      if (!option.words.empty()) line += (option.names.empty() ? " -a " : " -x -a ") + fish_text(joined(option.words));
      else if (option.names.empty()) continue;
      else if (option.takes_value) line += is_file(option) || option.type == "DIR" ? " -r" : " -x";
      out += line + " -d " + fish_text(option.help) + "\n";
    }
  }
  return out;
}

nlohmann::json list_of(const std::vector<CommandDescription>& commands) {
  nlohmann::json list = nlohmann::json::array();
  for (const CommandDescription& command : commands) {
    nlohmann::json options = nlohmann::json::array();
    for (const OptionDescription& o : command.options)
      options.push_back({{"names", o.names},
                         {"positional", o.positional},
                         {"help", o.help},
                         {"type", o.type},
                         {"words", o.words},
                         {"takes_value", o.takes_value},
                         {"repeated", o.repeated},
                         {"required", o.required}});
    list.push_back({{"name", command.name}, {"help", command.help}, {"example", command.example}, {"options", options}});
  }
  return list;
}

}  // namespace

int run_completion(const Arguments& arguments) {
  Sources sources;
  Diagnostics diagnostics;
  auto library = workflow::solver_library(diagnostics);
  if (!library) {
    print_diagnostics(diagnostics, sources, arguments);
    return bad_input;
  }
  std::vector<CommandDescription> commands = describe_commands();
  for (CommandDescription& command : commands) Words(**library).add(command);
  if (arguments.print.json) {
    std::vector<CommandDescription> sweeps = describe_sweeps();
    for (CommandDescription& command : sweeps) Words(**library).add(command);
    print_json({{"version", BOLZA_VERSION}, {"commands", list_of(commands)}, {"sweeps", list_of(sweeps)}});
    return fine;
  }
  if (arguments.words.empty()) {
    std::fputs("for which shell? bolza completion bash, zsh or fish\n", stderr);
    return bad_input;
  }
  for (const std::string& shell : arguments.words)
    std::fputs((shell == "bash" ? bash(commands) : shell == "zsh" ? zsh(commands) : fish(commands)).c_str(), stdout);
  return fine;
}

}  // namespace bolza::cli
