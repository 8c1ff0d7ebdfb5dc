// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sbml/common/libsbml-namespace.h>

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"

LIBSBML_CPP_NAMESPACE_BEGIN
class ASTNode;
class Event;
class Model;
class Reaction;
class SBase;
class Species;
class SpeciesReference;
LIBSBML_CPP_NAMESPACE_END

namespace bolza::sbml {

/// What a reaction adds to a species: factor · stoichiometry · rate.
struct Contribution {
  std::string reaction;
  bool consumed = false;
  const SpeciesReference* reference = nullptr;
};

/// Something with a value: a compartment, a species, a parameter, a stoichiometry with an identifier.
struct Quantity {
  enum class Kind : std::uint8_t { compartment, species, parameter, stoichiometry } kind = Kind::parameter;
  std::string id;
  const SBase* element = nullptr;
  const Species* species = nullptr;
  std::optional<double> value;  ///< as written: initial amount or concentration of species
  bool value_is_amount = false;
  bool is_amount = false;         ///< species: formulas mean the amount
  bool may_change = true;         ///< not `constant`
  std::string compartment;        ///< of species
  std::string conversion_factor;  ///< of species; "": none
  const ASTNode *initial = nullptr, *assignment = nullptr, *rate = nullptr;
  std::vector<Contribution> contributions;  ///< of reactions
  bool event_sets = false;
  bool is_algebraic = false;           ///< found by an algebraic rule
  const ASTNode* algebraic = nullptr;  ///< that rule, = 0
};

/// What a model consists of, in the order of the file.
struct Quantities {
  std::vector<Quantity> all;
  std::map<std::string, std::size_t> by_id;
  std::set<std::string> mentioned;  ///< identifiers in some formula
  std::set<std::string> fast;       ///< reactions that are always in equilibrium

  Quantity* find(const std::string& id);
  const Quantity* find(const std::string& id) const { return const_cast<Quantities*>(this)->find(id); }
  bool has_variable_size(const std::string& compartment) const;
};

/// Errors  E802, E806 at `at` of the element.
Result<Quantities> collect(const Model& model, const class Lines& lines, Diagnostics& diagnostics);

/// Identifiers in a formula.
void add_names(const ASTNode* node, std::set<std::string>& names);

/// Places of elements in the file.
class Lines {
 public:
  Lines(SourceId file, const Sources& sources);
  Span at(const SBase& element) const;
  Span line(unsigned number) const;  ///< 1-based; 0: the file

 private:
  SourceId file_;
  std::vector<Span> lines_;
};

}  // namespace bolza::sbml
