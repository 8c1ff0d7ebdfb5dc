// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

/// Functions that the Modelica library keeps in C and that this program has itself: no shared library needs to be built for
/// them. Signatures as the library declares them. One row each in library_functions.cpp.
extern "C" {
void ModelicaRandom_xorshift64star(const int* before, int* after, double* y);
void ModelicaRandom_xorshift128plus(const int* before, int* after, double* y);
void ModelicaRandom_xorshift1024star(const int* before, int* after, double* y);
void ModelicaRandom_setInternalState_xorshift1024star(const int* state, std::size_t size, int id);
double ModelicaRandom_impureRandom_xorshift1024star(int id);
int ModelicaRandom_automaticGlobalSeed(double);
void ModelicaRandom_convertRealToIntegers(double d, int* i);
int ModelicaStrings_hashString(const char* text);
int ModelicaStrings_compare(const char* a, const char* b, int case_sensitive);
void ModelicaInternal_print(const char* text, const char* file);
void ModelicaInternal_removeFile(const char* file);
void ModelicaInternal_mkdir(const char* folder);
void ModelicaInternal_rmdir(const char* folder);
void ModelicaInternal_rename(const char* from, const char* to);
void ModelicaInternal_copyFile(const char* from, const char* to);
void ModelicaInternal_chdir(const char* folder);
void ModelicaInternal_setenv(const char* name, const char* content, int from_slash);
void ModelicaStreams_closeFile(const char* file);
void ModelicaIO_readMatrixSizes(const char* file, const char* name, int* sizes);
void ModelicaIO_readRealMatrix(const char* file, const char* name, double* matrix, std::size_t rows, std::size_t columns,
                               int says_so);
int ModelicaIO_writeRealMatrix(const char* file, const char* name, double* matrix, std::size_t rows, std::size_t columns,
                               int append, const char* version);
int ModelicaFFT_kiss_fftr(const double* u, std::size_t nu, double* work, std::size_t n_work, double* amplitudes,
                          double* phases);
}

namespace bolza::foreign {

struct CFunction;

/// What calling a function does besides computing.
enum class NativeEffect : std::uint8_t {
  nothing,
  prints,  ///< its first text; to the file that its second text names, to the terminal when that is ""
  reads,   ///< the file that its first text names
  acts     ///< on files, folders, the environment
};

/// A C function that is always there: of the Modelica library, or of C's mathematical library.
struct NativeFunction {
  const char* name = nullptr;
  void* address = nullptr;
  NativeEffect effect = NativeEffect::nothing;
  /// Whether a declaration passes what the function takes, so that it stays within the memory it is given.
  bool (*fits)(const CFunction& declared, std::span<const double> inputs) = nullptr;
};

/// The function of this name; null when there is none.
const NativeFunction* native_function(std::string_view name);
/// The same of the routines of LAPACK among them; null also where the system has no LAPACK.
const NativeFunction* lapack_routine(std::string_view name);
/// Whether the one of this name gives nothing but acts outside the program: then it is called when a model runs, not before.
bool acts_outside(const char* name);
/// Whether a name is one of the Modelica library's own functions for files, folders and the system, native or not.
bool is_system_function(std::string_view name);

}  // namespace bolza::foreign
