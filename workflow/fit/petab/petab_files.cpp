// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <set>

#include "workflow/fit/petab/petab_files_internal.h"
#include "workflow/read_sbml.h"
#include "workflow/sbml_codes.h"

namespace bolza::workflow::petab {
namespace {

using Entry = sbml::YamlEntry;

/// "problems.0.sbml_files.1" without its numbers: "problems.sbml_files".
std::string without_numbers(const std::string& path) {
  std::string out, part;
  for (char c : path + ".") {
    if (c != '.') {
      part += c;
      continue;
    }
    bool number = part.find_first_not_of("0123456789") == std::string::npos;
    if (!number) out += (out.empty() ? "" : ".") + part;
    part.clear();
  }
  return out;
}

const std::vector<std::string> known_keys{"format_version",   "parameter_file",     "parameter_files",  "condition_files",
                                          "observable_files", "measurement_files",  "experiment_files", "mapping_files",
                                          "sbml_files",       "visualization_files"};

bool is_true(const std::string& text) { return text == "true" || text == "True" || text == "TRUE"; }

Reported other_language(const Entry& e, Diagnostics& diagnostics) {
  static const std::map<std::string, const char*, std::less<>> ways{
      {"pysb", "PySB writes its models as SBML: pysb.export.export(model, \"sbml\")"},
      {"bngl", "BioNetGen writes the network of a model as SBML: writeSBML()"},
      {"cellml", "there are converters from CellML to SBML"}};
  auto way = ways.find(e.text);
  std::vector<Note> notes;
  if (way != ways.end()) notes.push_back({{}, way->second});
  std::string lower;
  for (char c : e.text) lower += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (lower == "sbml" || lower == "modelica") notes.push_back({{}, "in small letters: `" + lower + "`"});
  return diagnostics.error(petab_not_supported, e.span,
                           {"a model in the language `" + e.text + "`", "models are SBML or Modelica"}, std::move(notes));
}

/// What changes the meaning of a problem and is not known here.
Reported other_extension(const Entry& e, const std::string& name, Diagnostics& diagnostics) {
  return diagnostics.error(petab_not_supported, e.span, {"the extension `" + name + "`", "it changes what the tables mean"});
}

/// "sciml" of "extensions.sciml.version".
std::string extension_of(const std::string& key) {
  if (!key.starts_with("extensions.")) return "";
  std::size_t end = key.find('.', 11);
  return end == std::string::npos ? "" : key.substr(11, end - 11);
}

bool is_sciml(const std::string& extension) { return extension == "sciml" || extension == "petab_sciml"; }

/// A key below `extensions.sciml`: files, and for each network its file, format and place in time.
Result<Done> read_sciml(const Entry& e, const std::string& key, const std::string& path, Files& out,
                        Diagnostics& diagnostics) {
  constexpr std::string_view networks = "neural_networks.";
  if (key == "array_files") out.arrays.push_back({path, e.span});
  if (key == "hybridization_files") out.hybridizations.push_back(path);
  if (!key.starts_with(networks)) return Done{};
  std::string rest = key.substr(networks.size()), name = rest.substr(0, rest.find('.')), what = rest.substr(name.size());
  auto network = std::ranges::find(out.networks, name, &NetworkFile::name);
  if (network == out.networks.end()) network = out.networks.insert(network, NetworkFile{name, "", false, e.span});
  if (what == ".location") network->path = path;
  if (what == ".pre_initialization") network->comes_before = is_true(e.text);
  if (what != ".format" || e.text == "YAML" || e.text == "yaml") return Done{};
  return diagnostics.error(petab_not_supported, e.span,
                           {"a neural network in the format `" + e.text + "`", "networks are read from YAML files"});
}

/// Each file is named once, and the model is there; of tables that are not their reader says it, after the others.
Result<Done> check_files(const std::string& yaml, const std::vector<NamedFile>& named, const std::string& model,
                         Diagnostics& diagnostics) {
  std::set<std::string> seen;
  for (const NamedFile& file : named) {
    if (!seen.insert(file.path).second)
      return diagnostics.error(bad_petab, file.span, {yaml, "it names `" + file.path + "` twice"},
                               {{{}, "the rows of a table would count twice"}});
    std::error_code failure;
    if (file.path == model && !std::filesystem::exists(model, failure))
      return diagnostics.error(bad_petab, file.span, {yaml, "there is no file `" + model + "`"},
                               {{{}, "paths are relative to the folder of the YAML file"}});
  }
  return Done{};
}

}  // namespace

Result<Files> read_files(const std::string& yaml, const sbml::SbmlLibrary& library, Sources& sources,
                         Diagnostics& diagnostics) {
  Result<std::string> text = text_of_file(yaml, diagnostics);
  if (!text) return diagnostics.already_reported();
  SourceId file = sources.add(yaml, *text);
  Result<std::vector<Entry>> entries = library.read_yaml(file, sources, diagnostics);
  if (!entries) return diagnostics.already_reported();
  std::filesystem::path folder = std::filesystem::path(yaml).parent_path();
  Files out;
  bool versioned = false;
  std::vector<NamedFile> named;
  for (const Entry& e : *entries) {
    std::string key = without_numbers(e.path), path = (folder / e.text).string();
    if (key.starts_with("problems.")) {
      if (!e.path.starts_with("problems.0."))
        return diagnostics.error(petab_not_supported, e.span, {"a list of several problems", "split it into files"});
      key = key.substr(9);
    }
    bool is_table = key == "parameter_file" || (key.ends_with("_files") && key.find('.') == std::string::npos);
    bool is_model = key.starts_with("model_files.") && key.ends_with(".location");
    if (is_model || (is_table && key != "visualization_files")) named.push_back({path, e.span});
    if (key == "format_version") {
      versioned = true;
      if (e.text != "1" && !e.text.starts_with("1.") && e.text != "2" && !e.text.starts_with("2."))
        return diagnostics.error(bad_petab, e.span, {yaml, "its version `" + e.text + "` is neither 1 nor 2"});
      out.version = e.text[0] - '0';
    } else if (key == "parameter_file" || key == "parameter_files") {
      out.parameters.push_back(path);
    } else if (key == "condition_files") {
      out.conditions.push_back(path);
    } else if (key == "observable_files") {
      out.observables.push_back(path);
    } else if (key == "measurement_files") {
      out.measurements.push_back(path);
    } else if (key == "experiment_files") {
      out.experiments.push_back(path);
    } else if (key == "mapping_files") {
      out.mappings.push_back(path);
    } else if (key == "sbml_files" || (key.starts_with("model_files.") && key.ends_with(".location"))) {
      if (!out.model.empty())
        return diagnostics.error(petab_not_supported, e.span,
                                 {"a problem with several models", "`" + e.text + "` is the second"},
                                 {{{}, "a problem for each model, with its own measurements, can be fitted by itself"}});
      out.model = path;
    } else if (key.starts_with("model_files.") && key.ends_with(".language")) {
      out.language = e.text;
      if (e.text != "sbml" && e.text != "modelica") return other_language(e, diagnostics);
    } else if (std::string name = extension_of(key); is_sciml(name)) {
      if (!read_sciml(e, key.substr(12 + name.size()), path, out, diagnostics)) return diagnostics.already_reported();
    } else if (key.starts_with("extensions.") && key.ends_with(".required") && is_true(e.text)) {
      return other_extension(e, key.substr(11, key.size() - 20), diagnostics);
    } else if (std::vector<Note> notes = did_you_mean(key, known_keys); !notes.empty()) {
      return diagnostics.error(bad_petab, e.span, {yaml, "it has no key `" + key + "`"}, std::move(notes));
    }
  }
  if (!check_files(yaml, named, out.model, diagnostics)) return diagnostics.already_reported();
  for (const NamedFile& file : named) out.places[file.path] = file.span;
  auto needs = [&](bool there, const char* what) -> Result<Done> {
    if (there) return Done{};
    return diagnostics.error(bad_petab, {file, 0, 0}, {yaml, std::string("it has no ") + what});
  };
  if (!needs(versioned, "`format_version`") || !needs(!out.model.empty(), "model") ||
      !needs(!out.parameters.empty(), "table of parameters") || !needs(!out.observables.empty(), "table of observables") ||
      !needs(!out.measurements.empty(), "table of measurements"))
    return diagnostics.already_reported();
  for (const NetworkFile& network : out.networks)
    if (network.path.empty()) return diagnostics.error(bad_network, network.span, {network.name, "it has no `location`"});
  if (out.language.empty()) out.language = out.model.ends_with(".mo") || out.model.ends_with(".mop") ? "modelica" : "sbml";
  if (!out.networks.empty() && out.language != "sbml")
    return diagnostics.error(petab_not_supported, out.networks[0].span,
                             {"a neural network in a Modelica model", "networks are put into SBML models"});
  return out;
}

}  // namespace bolza::workflow::petab
