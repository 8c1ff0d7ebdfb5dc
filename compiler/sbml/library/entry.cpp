// SPDX-License-Identifier: Apache-2.0
// The table of libbolza_sbml.so.
#include "compiler/sbml/sbml_library.h"

extern "C" __attribute__((visibility("default"))) const bolza::sbml::SbmlLibrary* bolza_sbml_library() {
  static const bolza::sbml::SbmlLibrary library{bolza::sbml::library_version, bolza::sbml::translate,
                                                bolza::sbml::translate_formula, bolza::sbml::read_yaml};
  return &library;
}
