// SPDX-License-Identifier: Apache-2.0
#include "workflow/fit/petab/sciml/networks.h"

#include <algorithm>
#include <cctype>
#include <functional>
#include <optional>

#include "base/numbers.h"
#include "base/text_table.h"
#include "workflow/sbml_codes.h"

namespace bolza::workflow::petab {
namespace {

/// "net1.parameters[layer1].weight": what, and what stands in brackets and after the point.
struct Entity {
  std::string network, what;
  std::vector<std::string> path;
};

std::optional<Entity> entity_of(const std::string& text) {
  std::size_t dot = text.find('.');
  if (dot == std::string::npos) return {};
  Entity out{text.substr(0, dot), "", {}};
  std::string part;
  for (char c : text.substr(dot + 1)) {
    bool ends = c == '[' || c == ']' || c == '.';
    if (!ends && c != ' ') part += c;
    if (!ends || part.empty()) continue;
    (out.what.empty() ? out.what : out.path.emplace_back()) = part;
    part.clear();
  }
  if (!part.empty()) (out.what.empty() ? out.what : out.path.emplace_back()) = part;
  return out;
}

class NetworksReader {
 public:
  NetworksReader(const Files& files, const sbml::SbmlLibrary& library, Sources& sources, Diagnostics& diagnostics)
      : files_(files),
        library_(library),
        sources_(sources),
        diagnostics_(diagnostics) {}

  Result<Networks> run();

 private:
  using Row = std::vector<Cell>;
  struct Mapped {
    Cell id, of;
    Entity entity;
  };
  struct Assigned {
    Cell target, value;
  };

  Result<Done> each(const std::vector<std::string>& paths, const char* what, const char* first, const char* second,
                    const std::function<Result<Done>(const Cell&, const Cell&)>& read);
  Result<Done> map(const Cell& id, const Cell& of);
  Result<Done> read_arrays();
  Result<std::vector<std::vector<std::string>>> inputs_of(const NetworkFile& network);
  Result<std::vector<std::string>> array_input(const Mapped& mapped) const;
  const Assigned* assignment(const std::string& id) const;
  /// What comes before the simulation is a value at the start: of parameters one for good.
  std::vector<sbml::AddedFormula>& formulas_of(const NetworkFile& file) {
    return file.comes_before ? out_.additions.starts : out_.additions.rules;
  }
  Result<Done> network(const NetworkFile& file);
  Result<Done> outputs(const NetworkFile& file, const Network& network);
  void parts(const NetworkFile& file, const Network& network);
  void assign_targets();

  const Files& files_;
  const sbml::SbmlLibrary& library_;
  Sources& sources_;
  Diagnostics& diagnostics_;
  std::vector<Mapped> mapped_;
  std::vector<Assigned> assigned_;
  std::map<std::string, NumberArray> arrays_;
  std::map<std::string, bool> outputs_;  // ids; does the network come before the simulation?
  Networks out_;
};

Result<Done> NetworksReader::each(const std::vector<std::string>& paths, const char* what, const char* first,
                                  const char* second, const std::function<Result<Done>(const Cell&, const Cell&)>& read) {
  bool good = true;
  for (const std::string& path : paths) {
    Result<TextTable> table = read_table(path, sources_, diagnostics_);
    if (!table) return diagnostics_.already_reported();
    auto a = table->column({first}), b = table->column({second});
    if (!a || !b) return diagnostics_.error(petab_column, table->header[0].span, {what, a ? second : first});
    for (const Row& row : table->rows) good = read(row[*a], row[*b]) && good;
  }
  if (!good) return diagnostics_.already_reported();
  return Done{};
}

Result<Done> NetworksReader::map(const Cell& id, const Cell& of) {
  std::optional<Entity> entity = entity_of(of.text);
  if (!entity || std::ranges::find(out_.networks, entity->network) == out_.networks.end()) return Done{};
  bool known = entity->what == "inputs" || entity->what == "outputs" || entity->what == "parameters";
  if (!known)
    return diagnostics_.error(petab_name, of.span, {of.text, "part of a network"},
                              {{{}, "its parts are `inputs`, `outputs` and `parameters`"}});
  mapped_.push_back({id, of, *std::move(entity)});
  return Done{};
}

Result<Done> NetworksReader::read_arrays() {
  for (const NamedFile& file : files_.arrays) {
    Result<Hdf5Content> content = read_hdf5(file.path, file.span, diagnostics_);
    if (!content) return diagnostics_.already_reported();
    for (const auto& [path, why] : content->others)
      if (path.starts_with("parameters/") || path.starts_with("inputs/"))
        return diagnostics_.error(bad_hdf5, file.span, {file.path, "`" + path + "`: " + why},
                                  {{{}, "`h5repack -l CONTI -f NONE` writes it in one piece"}});
    arrays_.merge(content->arrays);
  }
  return Done{};
}

const NetworksReader::Assigned* NetworksReader::assignment(const std::string& id) const {
  auto found = std::ranges::find_if(assigned_, [&](const Assigned& a) { return a.target.text == id; });
  return found == assigned_.end() ? nullptr : &*found;
}

/// Numbers of a whole argument, the same in all conditions.
Result<std::vector<std::string>> NetworksReader::array_input(const Mapped& mapped) const {
  auto found = arrays_.find("inputs/" + mapped.id.text + "/0");
  bool differs = found == arrays_.end() && std::ranges::any_of(arrays_, [&](const auto& one) {
                   return one.first.starts_with("inputs/" + mapped.id.text + "/");
                 });
  if (differs)
    return diagnostics_.error(petab_not_supported, mapped.id.span,
                              {"an input of a network that is another array in each condition", "`" + mapped.id.text + "`"});
  if (found == arrays_.end())
    return diagnostics_.error(bad_network, mapped.id.span,
                              {mapped.entity.network, "no file has an array `inputs/" + mapped.id.text + "/0`"});
  if (found->second.shape.size() > 1)
    return diagnostics_.error(petab_not_supported, mapped.id.span,
                              {"an input of a network with several dimensions", "`" + mapped.id.text + "`"});
  std::vector<std::string> out;
  for (double x : found->second.values) out.push_back("(" + exact_text(x) + ")");
  return out;
}

/// Inputs are parameters of the model, or follow from a formula of the hybridization table.
Result<std::vector<std::vector<std::string>>> NetworksReader::inputs_of(const NetworkFile& network) {
  std::vector<std::vector<std::string>> out;
  for (const Mapped& m : mapped_) {
    if (m.entity.network != network.name || m.entity.what != "inputs") continue;
    auto is_index = [](const std::string& s) {
      return !s.empty() && s.size() < 6 && std::ranges::all_of(s, [](unsigned char c) { return std::isdigit(c) != 0; });
    };
    if (m.entity.path.empty() || m.entity.path.size() > 2 || !std::ranges::all_of(m.entity.path, is_index))
      return diagnostics_.error(petab_name, m.of.span, {m.of.text, "an input: `" + network.name + ".inputs[0][0]` is one"});
    std::size_t argument = std::stoul(m.entity.path[0]);
    if (out.size() <= argument) out.resize(argument + 1);
    if (m.entity.path.size() == 1) {
      auto numbers = array_input(m);
      if (!numbers) return diagnostics_.already_reported();
      out[argument] = *std::move(numbers);
      continue;
    }
    std::size_t k = std::stoul(m.entity.path[1]);
    if (out[argument].size() <= k) out[argument].resize(k + 1);
    out[argument][k] = m.id.text;
    bool is_new = std::ranges::none_of(out_.additions.parameters, [&](const auto& p) { return p.id == m.id.text; });
    if (is_new) out_.additions.parameters.push_back({m.id.text, {}});
    if (const Assigned* a = assignment(m.id.text); a && is_new)
      formulas_of(network).push_back({m.id.text, a->value.text, a->value.span});
  }
  for (std::size_t i = 0; i < out.size(); ++i)
    for (std::size_t k = 0; k < out[i].size(); ++k)
      if (out[i][k].empty())
        return diagnostics_.error(
            bad_network, network.span,
            {network.name, "no mapping names its input [" + std::to_string(i) + "][" + std::to_string(k) + "]"});
  return out;
}

Result<Done> NetworksReader::outputs(const NetworkFile& file, const Network& network) {
  for (const Mapped& m : mapped_) {
    if (m.entity.network != file.name || m.entity.what != "outputs") continue;
    auto index = [&](std::size_t k) {
      std::optional<double> n = k < m.entity.path.size() ? number_in(m.entity.path[k]) : std::nullopt;
      return n && *n >= 0 && *n < 1e6 ? static_cast<std::size_t>(*n) : std::size_t{1000000};
    };
    std::size_t i = index(0), k = index(1);
    if (m.entity.path.size() != 2 || i >= network.outputs.size() || k >= network.outputs[i].size())
      return diagnostics_.error(petab_name, m.of.span, {m.of.text, "an output of the network"});
    out_.additions.parameters.push_back({m.id.text, {}});
    formulas_of(file).push_back({m.id.text, network.outputs[i][k], m.id.span});
    outputs_[m.id.text] = file.comes_before;
  }
  return Done{};
}

void NetworksReader::parts(const NetworkFile& file, const Network& network) {
  for (const Mapped& m : mapped_) {
    if (m.entity.network != file.name || m.entity.what != "parameters") continue;
    Networks::Part part{m.entity.path.size(), {}};
    std::string suffix = file.name;
    for (const std::string& word : m.entity.path) suffix += "_" + word;
    for (const Weight& w : network.weights)
      if (w.id == suffix || w.id.starts_with(suffix + "_")) part.weights.push_back(w);
    out_.parts[m.id.text] = std::move(part);
  }
}

Result<Done> NetworksReader::network(const NetworkFile& file) {
  auto inputs = inputs_of(file);
  if (!inputs) return diagnostics_.already_reported();
  Result<Network> network = read_network(file, *inputs, arrays_, library_, sources_, diagnostics_);
  if (!network) return diagnostics_.already_reported();
  for (const Weight& w : network->weights) out_.additions.parameters.push_back({w.id, w.value});
  for (sbml::AddedFormula& f : network->neurons) {
    out_.additions.parameters.push_back({f.id, {}});
    formulas_of(file).push_back(f);
  }
  parts(file, *network);
  return outputs(file, *network);
}

/// What networks give to the model.
void NetworksReader::assign_targets() {
  for (const Assigned& a : assigned_) {
    bool is_input = std::ranges::any_of(mapped_, [&](const Mapped& m) { return m.id.text == a.target.text; });
    if (is_input) continue;
    auto output = outputs_.find(a.value.text);
    bool at_start = output != outputs_.end() && output->second;
    auto& list = at_start ? out_.additions.starts : out_.additions.rules;
    list.push_back({a.target.text, a.value.text, a.target.span});
  }
}

Result<Networks> NetworksReader::run() {
  for (const NetworkFile& n : files_.networks) out_.networks.push_back(n.name);
  auto assign = [&](const Cell& target, const Cell& value) -> Result<Done> {
    if (assignment(target.text)) return diagnostics_.error(petab_twice, target.span, {target.text});
    assigned_.push_back({target, value});
    return Done{};
  };
  bool good = bool(each(files_.mappings, "mappings", "petabEntityId", "modelEntityId",
                        [&](const Cell& a, const Cell& b) { return map(a, b); }));
  good = bool(each(files_.hybridizations, "hybridizations", "targetId", "targetValue", assign)) && good;
  if (!good || !read_arrays()) return diagnostics_.already_reported();
  for (const NetworkFile& n : files_.networks)
    if (!network(n)) return diagnostics_.already_reported();
  assign_targets();
  return std::move(out_);
}

}  // namespace

bool Networks::has(const std::string& entity) const {
  return std::ranges::find(networks, entity.substr(0, entity.find('.'))) != networks.end();
}

Result<Networks> read_networks(const Files& files, const sbml::SbmlLibrary& library, Sources& sources,
                               Diagnostics& diagnostics) {
  if (files.networks.empty()) return Networks{};
  return NetworksReader(files, library, sources, diagnostics).run();
}

}  // namespace bolza::workflow::petab
