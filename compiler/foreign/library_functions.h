#pragma once
#include <cstddef>

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

/// The address of a function of this name; null when there is none.
void* library_function(const char* name);
/// Whether the one of this name gives nothing but acts outside the program: then it is called when a model runs, not before.
bool acts_outside(const char* name);

}  // namespace bolza::foreign
