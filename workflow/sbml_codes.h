// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>

#include "base/diagnostics.h"

namespace bolza::workflow {

inline constexpr Code no_sbml{"E960", "SBML models and PEtab problems cannot be read by this program",
                              "It was built without libsbml or yaml-cpp (Debian: libsbml5-dev, libyaml-cpp-dev)."};
inline constexpr Code bad_petab{
    "E961", "`{0}` is not a PEtab problem: {1}",
    "A PEtab problem is a YAML file of version 1 or 2 that names its tables and its model, in SBML or Modelica."};
inline constexpr Code petab_column{
    "E962", "a PEtab table of {0} needs a column `{1}`",
    "The tables and their columns are those that PEtab publishes: parameters, conditions, observables, measurements,\n"
    "in version 2 also experiments."};
inline constexpr Code petab_name{
    "E963", "`{0}` is not {1}",
    "PEtab's tables refer to each other and to the model by identifiers: parameters, species and compartments of the "
    "model,\nobservables, conditions, experiments."};
inline constexpr Code petab_value{
    "E964", "`{0}` cannot be {1}: {2}",
    "Bounds are ordered, estimated parameters have bounds, logarithmic scales need positive values, and every "
    "placeholder\nof an observable has a value in each of its measurements."};
inline constexpr Code petab_not_supported{"E965", "{0} of PEtab is not supported: {1}",
                                          "What is supported stands in docs/petab-and-sbml.md."};
inline constexpr Code petab_twice{"E966", "`{0}` is in the table twice",
                                  "Identifiers of parameters, conditions, observables and columns are unique."};

inline constexpr Code bad_hdf5{
    "E997", "`{0}` cannot be read as HDF5: {1}",
    "Numbers of neural networks stand in HDF5 files, as h5py and HDF5.jl write them by default: "
    "in one piece, neither in\nchunks nor compressed. `h5repack -l CONTI -f NONE in.hdf5 out.hdf5` "
    "makes one that is."};
inline constexpr Code bad_network{
    "E998", "the neural network `{0}` cannot be read: {1}",
    "PEtab's extension `sciml` has a YAML file for each network, with `layers` and `forward`; a table of mappings with "
    "names "
    "for its inputs,\noutputs and parameters (`net1.inputs[0][1]`, `net1.outputs[0][0]`, `net1.parameters[layer1].weight`); "
    "a hybridization table; and HDF5\nfiles with arrays `parameters/net1/layer1/weight`."};

inline constexpr Code start_outside{
    "W941", "the nominal value {1} of `{0}` is outside its bounds [{2}, {3}]",
    "`--evaluate` computes the likelihood at the nominal value all the same; a fit starts at the bound next to it."};

inline constexpr Code petab_other_version{
    "W950", "the column `{0}` belongs to version {1} of PEtab, and changes nothing here",
    "Other columns than those of the format may be in a table, and mean nothing. Version 2 has no scales of parameters, "
    "its\n"
    "observables have `log-normal` and `log-laplace` noise in the place of a transformation, and its measurements name an\n"
    "experiment."};

inline constexpr std::array all_codes_of_petab{&no_sbml,     &bad_petab,           &petab_column,       &petab_name,
                                               &petab_value, &petab_not_supported, &petab_twice,        &bad_hdf5,
                                               &bad_network, &start_outside,       &petab_other_version};

}  // namespace bolza::workflow
