// SPDX-License-Identifier: Apache-2.0
// A model from text through the front end, and its rows evaluated with numbers, for the tests of flattening.
#pragma once
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "compiler/flatten/flatten.h"
#include "compiler/instance/build/instantiate.h"
#include "compiler/ir/interpret.h"
#include "compiler/ir/print.h"

namespace bolza::flatten::testing {

/// Flattens class `name` of `text`; keeps everything alive that messages refer to.
struct Flattened {
  Sources sources;
  Diagnostics diagnostics;
  std::unique_ptr<instance::Library> library;
  std::optional<instance::InstanceTree> tree;
  std::optional<ir::FlatModel> flat;

  Flattened(std::string text, const std::string& name, const std::string& path = "test.mo") {
    instance::LibraryOptions options;
    options.stdlib = BOLZA_SOURCE_DIR "/stdlib";
    options.trust.level = instance::Trust::Level::everything;
    library = std::make_unique<instance::Library>(sources, options);
    if (!library->add_text(path, std::move(text), diagnostics)) return;
    auto made = instance::instantiate(*library, name, {}, diagnostics);
    if (!made) return;
    tree.emplace(std::move(*made));
    auto result = flatten(*tree, diagnostics);
    if (result) flat.emplace(std::move(*result));
  }

  /// The messages as printed.
  std::string messages() const {
    std::string text;
    for (const Diagnostic& d : diagnostics.all()) text += render(d, sources);
    return text;
  }
  bool says(std::string_view code) const {
    for (const Diagnostic& d : diagnostics.all())
      if (d.code->id == code) return true;
    return false;
  }

  /// Ids of a declared variable: "x", "tank.level"; all elements.
  const ir::Variable& variable(const std::string& name, ir::VariableKind kind = ir::VariableKind::unknown) const {
    for (const ir::Variable& v : flat->variables) {
      std::string joined;
      for (const auto& part : v.name) joined += (joined.empty() ? "" : ".") + part.name;
      bool derived = v.kind == ir::VariableKind::derivative || v.kind == ir::VariableKind::timed;
      if (joined == name && derived == (kind == ir::VariableKind::derivative || kind == ir::VariableKind::timed)) return v;
    }
    ADD_FAILURE() << "no variable " << name;
    return flat->variables[0];
  }
};

/// Values of all scalars of a model, by name, for evaluating its rows.
class Point {
 public:
  explicit Point(const Flattened& model) : model_(model), values_(model.flat->n_scalars, std::nan("")) {
    for (const ir::Variable& v : model.flat->variables)
      for (std::size_t e = 0; v.binding.present() && e < v.size; ++e) {
        const ir::Term& term = v.binding.terms[v.binding.terms.size() == 1 ? 0 : e];
        values_[v.first.index() + e] = value(term);
      }
  }
  /// All elements of a variable, row-major.
  void set(const std::string& name, const std::vector<double>& elements) {
    const ir::Variable& v = model_.variable(name);
    ASSERT_EQ(elements.size(), v.size) << name;
    for (std::size_t e = 0; e < elements.size(); ++e) values_[v.first.index() + e] = elements[e];
  }
  void set_derivative(const std::string& name, const std::vector<double>& elements) {
    const ir::Variable& v = model_.variable(name, ir::VariableKind::derivative);
    ASSERT_EQ(elements.size(), v.size) << name;
    for (std::size_t e = 0; e < elements.size(); ++e) values_[v.first.index() + e] = elements[e];
  }
  void set_time(double t) { values_[0] = t; }
  double operator[](std::size_t id) const { return values_[id]; }

  double value(const ir::Term& term) const {
    std::vector<double> slots;
    for (ir::VariableId id : term.slots) slots.push_back(values_[id.index()]);
    return ir::evaluate(model_.flat->expressions, std::span(&term.root, 1), {.slots = slots, .data = term.data})[0];
  }
  /// Sum of every row of a section; `root` of a pair.
  std::vector<double> rows(const ir::Section& section, int root = -1) const {
    std::vector<double> sums(section.n_rows, 0.0);
    for (const ir::Group& group : section.groups)
      for (std::uint32_t i = 0; i < group.n; ++i) {
        std::vector<double> slots, data;
        for (const ir::Column& column : group.slots) slots.push_back(values_[column[i].index()]);
        for (const auto& numbers : group.data) data.push_back(numbers[i]);
        std::vector<double> out = ir::evaluate(model_.flat->expressions, group.roots, {.slots = slots, .data = data});
        for (std::size_t r = 0; r < out.size(); ++r)
          if (root < 0 || root == static_cast<int>(r)) sums[group.rows[r][i].index()] += out[r];
      }
    return sums;
  }
  /// Largest absolute residual of the equations: 0 at a solution; not a number when a value was not set.
  double worst() const {
    double worst = 0;
    for (double r : rows(model_.flat->equations)) worst = std::isnan(r) ? r : std::max(worst, std::fabs(r));
    return worst;
  }

 private:
  const Flattened& model_;
  std::vector<double> values_;
};

}  // namespace bolza::flatten::testing
