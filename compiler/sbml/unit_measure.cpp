// SPDX-License-Identifier: Apache-2.0
#include <sbml/SBMLTypes.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>

#include "compiler/sbml/unit_measure_internal.h"

namespace bolza::sbml {
namespace {

struct BaseUnit {
  UnitKind_t kind;
  const char* symbol;
};
constexpr std::array<BaseUnit, 8> base_units{{{UNIT_KIND_METRE, "m"},
                                              {UNIT_KIND_KILOGRAM, "kg"},
                                              {UNIT_KIND_SECOND, "s"},
                                              {UNIT_KIND_AMPERE, "A"},
                                              {UNIT_KIND_KELVIN, "K"},
                                              {UNIT_KIND_MOLE, "mol"},
                                              {UNIT_KIND_CANDELA, "cd"},
                                              {UNIT_KIND_ITEM, "item"}}};

/// What levels 1 and 2 mean by names that a file does not define.
struct BuiltIn {
  const char* name;
  UnitKind_t kind;
  int exponent;
};
constexpr std::array<BuiltIn, 5> built_in{{{"substance", UNIT_KIND_MOLE, 1},
                                           {"volume", UNIT_KIND_LITRE, 1},
                                           {"area", UNIT_KIND_METRE, 2},
                                           {"length", UNIT_KIND_METRE, 1},
                                           {"time", UNIT_KIND_SECOND, 1}}};

/// By libsbml's table of what derived units consist of.
Known measure_of(const UnitDefinition& definition) {
  std::unique_ptr<UnitDefinition> si(UnitDefinition::convertToSI(&definition));
  if (!si) return {};
  Measure out;
  for (unsigned k = 0; k < si->getNumUnits(); ++k) {
    const Unit& unit = *si->getUnit(k);
    double exponent = unit.getExponentAsDouble();
    if (!std::isfinite(exponent)) return {};
    out.factor *= std::pow(unit.getMultiplier() * std::pow(10.0, unit.getScale()), exponent);
    auto base =
        std::find_if(base_units.begin(), base_units.end(), [&](const BaseUnit& b) { return b.kind == unit.getKind(); });
    if (base != base_units.end()) out.powers[static_cast<std::size_t>(base - base_units.begin())] += exponent;
    else if (!unit.isDimensionless() && !unit.isRadian() && !unit.isSteradian() && !unit.isAvogadro()) return {};
  }
  return std::isfinite(out.factor) && out.factor > 0 ? Known(out) : Known();
}

Known measure_of(const Model& model, UnitKind_t kind, int exponent) {
  UnitDefinition definition(model.getLevel(), model.getVersion());
  Unit* unit = definition.createUnit();
  unit->setKind(kind);
  unit->setExponent(exponent);
  unit->setScale(0);
  unit->setMultiplier(1);
  return measure_of(definition);
}

std::string short_number(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", x);
  return text;
}

std::string product_of(const Measure& measure, double sign, int& count) {
  std::string out;
  count = 0;
  for (std::size_t k = 0; k < base_units.size(); ++k) {
    double p = sign * measure.powers[k];
    if (!(p > 0)) continue;
    out += (count++ ? "." : "") + std::string(base_units[k].symbol) + (p == 1 ? "" : short_number(p));
  }
  return out;
}

}  // namespace

Measure operator*(const Measure& a, const Measure& b) {
  Measure out{{}, a.factor * b.factor, a.exact && b.exact};
  for (std::size_t k = 0; k < out.powers.size(); ++k) out.powers[k] = a.powers[k] + b.powers[k];
  return out;
}

Measure operator/(const Measure& a, const Measure& b) { return a * power(b, -1); }

Measure power(const Measure& a, double exponent) {
  Measure out{{}, std::pow(a.factor, exponent), a.exact};
  for (std::size_t k = 0; k < out.powers.size(); ++k) out.powers[k] = a.powers[k] * exponent;
  return out;
}

bool fits(const Measure& a, const Measure& b) {
  for (std::size_t k = 0; k < a.powers.size(); ++k)
    if (std::abs(a.powers[k] - b.powers[k]) > 1e-9) return false;
  return !a.exact || !b.exact || std::abs(a.factor - b.factor) <= 1e-6 * b.factor;
}

std::string to_text(const Measure& measure) {
  int above = 0, below = 0;
  std::string top = product_of(measure, 1, above), bottom = product_of(measure, -1, below);
  std::string out = top.empty() ? "1" : top;
  if (below > 0) out += "/" + (below > 1 ? "(" + bottom + ")" : bottom);
  bool is_one = !measure.exact || std::abs(measure.factor - 1) <= 1e-9;
  return is_one ? out : short_number(measure.factor) + " " + out;
}

Known DeclaredUnits::named(const std::string& name) const {
  if (const UnitDefinition* own = model_.getUnitDefinition(name)) return measure_of(*own);
  for (const BuiltIn& b : built_in)
    if (model_.getLevel() < 3 && name == b.name) return measure_of(model_, b.kind, b.exponent);
  UnitKind_t kind = UnitKind_forName(name.c_str());
  return kind == UNIT_KIND_INVALID ? Known() : measure_of(model_, kind, 1);
}

Known DeclaredUnits::of_compartment(const std::string& id) const {
  const Compartment* c = model_.getCompartment(id);
  if (!c) return {};
  if (c->isSetUnits()) return named(c->getUnits());
  bool is_new = model_.getLevel() > 2;
  if (is_new && !c->isSetSpatialDimensions()) return {};
  switch (static_cast<int>(c->getSpatialDimensionsAsDouble())) {
    case 3:
      return named(is_new ? model_.getVolumeUnits() : "volume");
    case 2:
      return named(is_new ? model_.getAreaUnits() : "area");
    case 1:
      return named(is_new ? model_.getLengthUnits() : "length");
    default:
      return {};
  }
}

Known DeclaredUnits::amount_of(const Species& species) const {
  if (species.isSetSubstanceUnits()) return named(species.getSubstanceUnits());
  return named(model_.getLevel() > 2 ? model_.getSubstanceUnits() : "substance");
}

Known DeclaredUnits::of_species(const Species& species) const {
  Known amount = amount_of(species);
  const Compartment* c = model_.getCompartment(species.getCompartment());
  bool is_point = c && c->isSetSpatialDimensions() && c->getSpatialDimensionsAsDouble() == 0;
  if (species.getHasOnlySubstanceUnits() || is_point) return amount;
  Known size =
      species.isSetSpatialSizeUnits() ? named(species.getSpatialSizeUnits()) : of_compartment(species.getCompartment());
  return amount && size ? Known(*amount / *size) : Known();
}

Known DeclaredUnits::time() const { return named(model_.getLevel() > 2 ? model_.getTimeUnits() : "time"); }
Known DeclaredUnits::extent() const { return named(model_.getLevel() > 2 ? model_.getExtentUnits() : "substance"); }

}  // namespace bolza::sbml
