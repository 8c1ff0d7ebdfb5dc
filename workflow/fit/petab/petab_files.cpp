// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <map>

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
  return diagnostics.error(petab_not_supported, e.span,
                           {"a model in the language `" + e.text + "`", "models are SBML or Modelica"}, std::move(notes));
}

/// What changes the meaning of a problem and is not known here.
Reported other_extension(const Entry& e, const std::string& name, Diagnostics& diagnostics) {
  std::string why = name == "sciml" ? "its neural networks are not read" : "it changes what the tables mean";
  return diagnostics.error(petab_not_supported, e.span, {"the extension `" + name + "`", why});
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
  for (const Entry& e : *entries) {
    std::string key = without_numbers(e.path), path = (folder / e.text).string();
    if (key.starts_with("problems.")) {
      if (!e.path.starts_with("problems.0."))
        return diagnostics.error(petab_not_supported, e.span, {"a list of several problems", "split it into files"});
      key = key.substr(9);
    }
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
    } else if (key.starts_with("extensions.") && key.ends_with(".required") && is_true(e.text)) {
      return other_extension(e, key.substr(11, key.size() - 20), diagnostics);
    } else if (std::vector<Note> notes = did_you_mean(key, known_keys); !notes.empty()) {
      return diagnostics.error(bad_petab, e.span, {yaml, "it has no key `" + key + "`"}, std::move(notes));
    }
  }
  auto needs = [&](bool there, const char* what) -> Result<Done> {
    if (there) return Done{};
    return diagnostics.error(bad_petab, {file, 0, 0}, {yaml, std::string("it has no ") + what});
  };
  if (!needs(versioned, "`format_version`") || !needs(!out.model.empty(), "model") ||
      !needs(!out.parameters.empty(), "table of parameters") || !needs(!out.observables.empty(), "table of observables") ||
      !needs(!out.measurements.empty(), "table of measurements"))
    return diagnostics.already_reported();
  if (out.language.empty()) out.language = out.model.ends_with(".mo") || out.model.ends_with(".mop") ? "modelica" : "sbml";
  return out;
}

}  // namespace bolza::workflow::petab
