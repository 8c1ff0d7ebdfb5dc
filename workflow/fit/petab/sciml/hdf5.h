// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace bolza::workflow {

/// An array of numbers, the last index runs fastest.
struct NumberArray {
  std::vector<std::size_t> shape;
  std::vector<double> values;
};

/// The arrays of real numbers and integers in an HDF5 file, by their paths: "parameters/net1/layer1/weight" [HDF5]. Reads
/// what h5py and HDF5.jl write by default: groups by tables of symbols or by links, numbers of 1 to 8 bytes in one piece.
/// What is stored otherwise (in chunks, compressed, other types) is left out, and named in `others`.
/// Errors  E997 no such file, or one that is damaged.  Cost  linear in the file.
struct Hdf5Content {
  std::map<std::string, NumberArray> arrays;
  std::map<std::string, std::string> others;  ///< why, by path
};
Result<Hdf5Content> read_hdf5(const std::string& path, Span at, Diagnostics& diagnostics);

}  // namespace bolza::workflow
