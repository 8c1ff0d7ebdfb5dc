// SPDX-License-Identifier: Apache-2.0
// Matrices of the Modelica library in MATLAB files. ModelicaFormatError does not return: it is called where nothing is left
// that has a destructor.
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <vector>

#include "compiler/foreign/library_functions.h"
#include "compiler/foreign/mat_files.h"

namespace bolza::foreign {
namespace {

using Rows = std::vector<std::vector<double>>;

std::optional<Rows> matrix_in(const char* file, const char* name) {
  std::ifstream in(file, std::ios::binary);
  if (!in) return {};
  return matrix_in_mat_file(std::string(std::istreambuf_iterator<char>(in), {}), name);
}

/// Copies what fits; false when the matrix is not there or of another size.
bool read_matrix(const char* file, const char* name, double* to, std::size_t rows, std::size_t columns) {
  auto found = matrix_in(file, name);
  if (!found || found->size() != rows) return false;
  for (const std::vector<double>& row : *found) {
    if (row.size() != columns) return false;
    for (double x : row) *to++ = x;
  }
  return true;
}

bool read_sizes(const char* file, const char* name, int* sizes) {
  auto found = matrix_in(file, name);
  if (!found) return false;
  sizes[0] = static_cast<int>(found->size());
  sizes[1] = found->empty() ? 0 : static_cast<int>(found->front().size());
  return true;
}

/// The version of a file that is there, by how it begins; 0 when there is none.
int version_of(const char* file) {
  std::ifstream in(file, std::ios::binary);
  char begin[128] = {};
  if (!in.read(begin, 1)) return 0;
  in.read(begin + 1, sizeof begin - 1);
  std::string_view order(begin + 126, 2);
  return order == "IM" || order == "MI" ? 6 : 4;
}

bool write_matrix(const char* file, const char* name, std::span<const double> numbers, std::size_t rows, std::size_t columns,
                  bool append, int version) {
  int there = append ? version_of(file) : 0;
  if (there) version = there == 4 ? 4 : std::max(version, 6);
  std::string text = (there ? "" : mat_file_begin(version)) + mat_file_matrix(version, name, numbers, rows, columns);
  std::ofstream out(file, std::ios::binary | (there ? std::ios::app : std::ios::trunc));
  out.write(text.data(), static_cast<std::streamsize>(text.size()));
  return static_cast<bool>(out.flush());
}

}  // namespace
}  // namespace bolza::foreign

extern "C" {
[[noreturn]] void ModelicaFormatError(const char* format, ...);

void ModelicaIO_readMatrixSizes(const char* file, const char* name, int* sizes) {
  if (!bolza::foreign::read_sizes(file, name, sizes))
    ModelicaFormatError("no matrix `%s` can be read from `%s`", name, file);
}

void ModelicaIO_readRealMatrix(const char* file, const char* name, double* matrix, std::size_t rows, std::size_t columns,
                               int) {
  if (!bolza::foreign::read_matrix(file, name, matrix, rows, columns))
    ModelicaFormatError("no matrix `%s` of %zu rows and %zu columns can be read from `%s`", name, rows, columns, file);
}

int ModelicaIO_writeRealMatrix(const char* file, const char* name, double* matrix, std::size_t rows, std::size_t columns,
                               int append, const char* version) {
  int wanted = std::atoi(version);
  if (wanted != 4 && wanted != 6 && wanted != 7)
    ModelicaFormatError("MATLAB files are of version 4, 6 or 7, not `%s`", version);
  if (!bolza::foreign::write_matrix(file, name, {matrix, rows * columns}, rows, columns, append != 0, wanted))
    ModelicaFormatError("`%s` cannot be written", file);
  return 1;
}
}
