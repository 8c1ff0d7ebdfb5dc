// SPDX-License-Identifier: Apache-2.0
#include "workflow/fit/petab/sciml/network.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <iterator>
#include <utility>

#include "workflow/sbml_codes.h"

namespace bolza::workflow::petab {
namespace {

constexpr std::size_t most_weights = 20000;  // each is a parameter of the model

/// Functions of one neuron, as the format and as modules call them, with their default arguments.
struct Activation {
  std::string_view name, module, formula;
};
constexpr std::array activations{Activation{"tanh", "Tanh", "tanh({})"},
                                 Activation{"sigmoid", "Sigmoid", "1/(1 + exp(-{}))"},
                                 Activation{"relu", "ReLU", "max(0, {})"},
                                 Activation{"softplus", "Softplus", "max(0, {}) + ln(1 + exp(-abs({})))"},
                                 Activation{"silu", "SiLU", "{}/(1 + exp(-{}))"},
                                 Activation{"elu", "ELU", "piecewise({}, {} > 0, exp({}) - 1)"},
                                 Activation{"leaky_relu", "LeakyReLU", "piecewise({}, {} > 0, 0.01*{})"},
                                 Activation{"softsign", "Softsign", "{}/(1 + abs({}))"},
                                 Activation{"tanhshrink", "Tanhshrink", "{} - tanh({})"},
                                 Activation{"logsigmoid", "LogSigmoid", "min(0, {}) - ln(1 + exp(-abs({})))"},
                                 Activation{"hardtanh", "Hardtanh", "max(-1, min(1, {}))"},
                                 Activation{"identity", "Identity", "{}"}};

const Activation* activation(std::string_view word) {
  auto found = std::ranges::find_if(activations, [&](const Activation& a) { return a.name == word || a.module == word; });
  return found == activations.end() ? nullptr : &*found;
}

std::string filled(std::string_view formula, const std::string& argument) {
  std::string out;
  for (std::size_t k = 0; k < formula.size(); ++k) {
    if (formula.substr(k, 2) != "{}") {
      out += formula[k];
      continue;
    }
    out += argument;
    ++k;
  }
  return out;
}

/// A small whole number; 0 for anything else.
std::size_t count_in(const std::string& digits) {
  bool is_count = !digits.empty() && digits.size() < 9 && digits.find_first_not_of("0123456789") == std::string::npos;
  return is_count ? std::stoul(digits) : 0;
}

class NetworkReader {
 public:
  using Values = std::vector<std::string>;

  NetworkReader(const NetworkFile& file, const std::map<std::string, NumberArray>& arrays, Diagnostics& diagnostics)
      : file_(file),
        arrays_(arrays),
        diagnostics_(diagnostics) {}

  Result<Network> run(std::vector<sbml::YamlEntry> entries, const std::vector<Values>& inputs);

 private:
  /// What stands below a place: keys "layers.2." and the like are cut off.
  std::string text(const std::string& path) const {
    auto found = entries_.find(path);
    return found == entries_.end() ? "" : found->second.text;
  }
  bool has_below(const std::string& path) const {
    auto next = entries_.lower_bound(path);
    return next != entries_.end() && next->first.starts_with(path);
  }
  Span place(const std::string& path) const {
    auto next = entries_.lower_bound(path);
    return next != entries_.end() && next->first.starts_with(path) ? next->second.span : file_.span;
  }
  Reported bad(const std::string& path, const std::string& what) const {
    return diagnostics_.error(bad_network, place(path), {file_.name, what});
  }
  Reported unknown(const std::string& path, const std::string& what) const {
    return diagnostics_.error(petab_not_supported, place(path),
                              {what, "networks consist of `Linear` layers, activations and `cat`"});
  }
  Result<Done> layers();
  Result<std::vector<const Values*>> arguments(const std::string& node) const;
  Result<Done> node(const std::string& path, const std::vector<Values>& inputs);
  Result<Values> module(const std::string& path, const std::string& name, const Values& input);
  Result<Values> linear(const std::string& layer, const std::string& name, const Values& input);
  Result<std::string> weight(const std::string& layer, const std::string& array, const NumberArray* values,
                             const std::vector<std::size_t>& at);
  Result<const NumberArray*> array(const std::string& layer, const std::string& what, std::vector<std::size_t> shape) const;
  Values activated(const Activation& by, const std::string& name, const Values& input);
  std::string neuron(const std::string& name, std::size_t k, std::string formula);
  bool has_defaults(const std::string& path) const;

  const NetworkFile& file_;
  const std::map<std::string, NumberArray>& arrays_;
  Diagnostics& diagnostics_;
  std::map<std::string, sbml::YamlEntry> entries_;  // by path
  std::map<std::string, std::string> layers_;       // path by id
  std::map<std::string, Values> values_;            // of nodes
  std::size_t placeholders_ = 0;
  bool is_done_ = false;
  Network out_;
};

Result<Done> NetworkReader::layers() {
  for (std::size_t k = 0; has_below("layers." + std::to_string(k) + "."); ++k) {
    std::string path = "layers." + std::to_string(k), id = text(path + ".layer_id"), type = text(path + ".layer_type");
    if (id.empty() || type.empty()) return bad(path + ".", "a layer needs `layer_id` and `layer_type`");
    if (type != "Linear" && !activation(type)) return unknown(path + ".layer_type", "the layer `" + type + "`");
    if (!layers_.emplace(id, path).second) return bad(path + ".", "the layer `" + id + "` is there twice");
  }
  return Done{};
}

/// The nodes that a node reads, also those of a list within the list.
Result<std::vector<const NetworkReader::Values*>> NetworkReader::arguments(const std::string& node) const {
  std::vector<const Values*> out;
  std::string below = node + ".args.";
  std::map<std::vector<std::size_t>, const sbml::YamlEntry*> ordered;
  for (auto at = entries_.lower_bound(below); at != entries_.end() && at->first.starts_with(below); ++at) {
    std::vector<std::size_t> key;
    std::string part;
    for (char c : at->first.substr(below.size()) + ".") {
      if (c != '.') part += c;
      else key.push_back(count_in(std::exchange(part, "")));
    }
    ordered[key] = &at->second;
  }
  for (const auto& [key, entry] : ordered) {
    auto value = values_.find(entry->text);
    if (value == values_.end())
      return diagnostics_.error(bad_network, entry->span,
                                {file_.name, "no node before this one is called `" + entry->text + "`"});
    out.push_back(&value->second);
  }
  if (out.empty()) return bad(node + ".", "a node reads nothing");
  return out;
}

/// Nothing but defaults below: `inplace` has no meaning for values.
bool NetworkReader::has_defaults(const std::string& path) const {
  for (auto at = entries_.lower_bound(path); at != entries_.end() && at->first.starts_with(path); ++at)
    if (!at->first.ends_with(".inplace")) return false;
  return true;
}

std::string NetworkReader::neuron(const std::string& name, std::size_t k, std::string formula) {
  std::string id = file_.name + "_" + name + "_" + std::to_string(k);
  out_.neurons.push_back({id, std::move(formula), file_.span});
  return id;
}

NetworkReader::Values NetworkReader::activated(const Activation& by, const std::string& name, const Values& input) {
  Values out;
  for (std::size_t k = 0; k < input.size(); ++k) out.push_back(neuron(name, k, filled(by.formula, "(" + input[k] + ")")));
  return out;
}

/// The array of a layer, where a file holds it.
Result<const NumberArray*> NetworkReader::array(const std::string& layer, const std::string& what,
                                                std::vector<std::size_t> shape) const {
  auto found = arrays_.find("parameters/" + file_.name + "/" + layer + "/" + what);
  if (found == arrays_.end()) return nullptr;
  if (found->second.shape == shape) return &found->second;
  auto text = [](const std::vector<std::size_t>& numbers) {
    std::string out;
    for (std::size_t n : numbers) out += (out.empty() ? "" : " x ") + std::to_string(n);
    return out;
  };
  return bad(layers_.at(layer) + ".",
             "the array `" + found->first + "` is " + text(found->second.shape) + ", not " + text(shape));
}

Result<std::string> NetworkReader::weight(const std::string& layer, const std::string& array, const NumberArray* values,
                                          const std::vector<std::size_t>& at) {
  if (out_.weights.size() >= most_weights)
    return diagnostics_.error(
        petab_not_supported, file_.span,
        {"a network of more than " + std::to_string(most_weights) + " weights", "each is a parameter of the model"});
  Weight w{file_.name + "_" + layer + "_" + array, layer, array, {}};
  std::size_t index = 0;
  for (std::size_t k = 0; k < at.size(); ++k) {
    w.id += "_" + std::to_string(at[k]);
    if (values) index = index * values->shape[k] + at[k];
  }
  if (values) w.value = values->values[index];
  if (w.value && !std::isfinite(*w.value)) return bad(layers_.at(layer) + ".", "`" + w.id + "` is not a finite number");
  out_.weights.push_back(w);
  return w.id;
}

Result<NetworkReader::Values> NetworkReader::linear(const std::string& layer, const std::string& name, const Values& input) {
  std::string path = layers_.at(layer);
  std::size_t n = count_in(text(path + ".args.in_features")), m = count_in(text(path + ".args.out_features"));
  if (n == 0 || m == 0) return bad(path + ".", "the layer `" + layer + "` needs `in_features` and `out_features`");
  if (input.size() != n)
    return bad(path + ".",
               "the layer `" + layer + "` takes " + std::to_string(n) + " values and gets " + std::to_string(input.size()));
  bool has_bias = text(path + ".args.bias") != "false" && text(path + ".args.bias") != "False";
  auto weights = array(layer, "weight", {m, n});
  auto biases = has_bias ? array(layer, "bias", {m}) : Result<const NumberArray*>(nullptr);
  if (!weights || !biases) return diagnostics_.already_reported();
  Values out;
  for (std::size_t i = 0; i < m; ++i) {
    std::string sum;
    for (std::size_t j = 0; j < n; ++j) {
      Result<std::string> w = weight(layer, "weight", *weights, {i, j});
      if (!w) return diagnostics_.already_reported();
      sum += (j ? " + " : "") + *w + "*(" + input[j] + ")";
    }
    if (has_bias) {
      Result<std::string> b = weight(layer, "bias", *biases, {i});
      if (!b) return diagnostics_.already_reported();
      sum += " + " + *b;
    }
    out.push_back(neuron(name, i, sum));
  }
  return out;
}

Result<NetworkReader::Values> NetworkReader::module(const std::string& path, const std::string& name, const Values& input) {
  std::string id = text(path + ".target");
  auto layer = layers_.find(id);
  if (layer == layers_.end()) return bad(path + ".target", "no layer is called `" + id + "`");
  std::string type = text(layer->second + ".layer_type");
  if (type != "Linear") {
    if (!has_defaults(layer->second + ".args.")) return unknown(layer->second + ".args.", "arguments of `" + type + "`");
    return activated(*activation(type), name, input);
  }
  bool is_second = std::ranges::any_of(out_.weights, [&](const Weight& w) { return w.layer == id; });
  if (is_second) return unknown(path + ".target", "the layer `" + id + "` called twice");
  return linear(id, name, input);
}

Result<Done> NetworkReader::node(const std::string& path, const std::vector<Values>& inputs) {
  std::string name = text(path + ".name"), op = text(path + ".op"), target = text(path + ".target");
  if (op == "placeholder") {
    if (placeholders_ >= inputs.size() || inputs[placeholders_].empty())
      return bad(path + ".", "its argument `" + name + "` has no values: the table of mappings names none, as `" +
                                 file_.name + ".inputs[" + std::to_string(placeholders_) + "][0]`");
    values_[name] = inputs[placeholders_++];
    return Done{};
  }
  auto read = arguments(path);
  if (!read) return diagnostics_.already_reported();
  if (op == "output") {
    for (const Values* v : *read) out_.outputs.push_back(*v);
    is_done_ = true;
    return Done{};
  }
  if (op == "call_module") {
    auto values = module(path, name, *read->front());
    if (!values) return diagnostics_.already_reported();
    values_[name] = *std::move(values);
    return Done{};
  }
  bool is_call = op == "call_method" || op == "call_function";
  if (is_call && (target == "cat" || target == "concat" || target == "concatenate")) {
    Values joined;
    for (const Values* v : *read) joined.insert(joined.end(), v->begin(), v->end());
    values_[name] = std::move(joined);
    return Done{};
  }
  const Activation* by = is_call ? activation(target) : nullptr;
  if (!by) return unknown(path + ".target", "the operation `" + (is_call ? target : op) + "`");
  if (read->size() > 1 || !has_defaults(path + ".kwargs.")) return unknown(path + ".", "arguments of `" + target + "`");
  values_[name] = activated(*by, name, *read->front());
  return Done{};
}

Result<Network> NetworkReader::run(std::vector<sbml::YamlEntry> entries, const std::vector<Values>& inputs) {
  for (sbml::YamlEntry& e : entries) entries_[e.path] = e;
  if (!layers()) return diagnostics_.already_reported();
  for (std::size_t k = 0; has_below("forward." + std::to_string(k) + "."); ++k)
    if (!node("forward." + std::to_string(k), inputs)) return diagnostics_.already_reported();
  if (!is_done_) return bad("", "its `forward` has no output");
  return std::move(out_);
}

}  // namespace

Result<Network> read_network(const NetworkFile& file, const std::vector<std::vector<std::string>>& inputs,
                             const std::map<std::string, NumberArray>& arrays, const sbml::SbmlLibrary& library,
                             Sources& sources, Diagnostics& diagnostics) {
  std::ifstream in(file.path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  if (!in) return diagnostics.error(bad_network, file.span, {file.name, "there is no file `" + file.path + "`"});
  Result<std::vector<sbml::YamlEntry>> entries = library.read_yaml(sources.add(file.path, text), sources, diagnostics);
  if (!entries) return diagnostics.already_reported();
  return NetworkReader(file, arrays, diagnostics).run(*std::move(entries), inputs);
}

}  // namespace bolza::workflow::petab
