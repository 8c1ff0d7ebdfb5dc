#include "compiler/foreign/library_functions.h"

#include <cstring>

namespace bolza::foreign {
namespace {

struct Row {
  const char* name;
  void* address;
  bool acts = false;  ///< outside the program
};

template <class Function>
void* address_of(Function* f) {
  return reinterpret_cast<void*>(f);
}

const Row rows[] = {
    {"ModelicaRandom_xorshift64star", address_of(ModelicaRandom_xorshift64star)},
    {"ModelicaRandom_xorshift128plus", address_of(ModelicaRandom_xorshift128plus)},
    {"ModelicaRandom_xorshift1024star", address_of(ModelicaRandom_xorshift1024star)},
    {"ModelicaRandom_setInternalState_xorshift1024star", address_of(ModelicaRandom_setInternalState_xorshift1024star)},
    {"ModelicaRandom_impureRandom_xorshift1024star", address_of(ModelicaRandom_impureRandom_xorshift1024star)},
    {"ModelicaRandom_automaticGlobalSeed", address_of(ModelicaRandom_automaticGlobalSeed)},
    {"ModelicaRandom_convertRealToIntegers", address_of(ModelicaRandom_convertRealToIntegers)},
    {"ModelicaStrings_hashString", address_of(ModelicaStrings_hashString)},
    {"ModelicaInternal_print", address_of(ModelicaInternal_print), true},
    {"ModelicaInternal_removeFile", address_of(ModelicaInternal_removeFile), true},
    {"ModelicaInternal_mkdir", address_of(ModelicaInternal_mkdir), true},
    {"ModelicaInternal_rmdir", address_of(ModelicaInternal_rmdir), true},
    {"ModelicaInternal_rename", address_of(ModelicaInternal_rename), true},
    {"ModelicaInternal_copyFile", address_of(ModelicaInternal_copyFile), true},
    {"ModelicaInternal_chdir", address_of(ModelicaInternal_chdir), true},
    {"ModelicaInternal_setenv", address_of(ModelicaInternal_setenv), true},
    {"ModelicaStreams_closeFile", address_of(ModelicaStreams_closeFile), true},
    {"ModelicaIO_readMatrixSizes", address_of(ModelicaIO_readMatrixSizes)},
    {"ModelicaIO_readRealMatrix", address_of(ModelicaIO_readRealMatrix)},
    {"ModelicaIO_writeRealMatrix", address_of(ModelicaIO_writeRealMatrix), true},
    {"ModelicaFFT_kiss_fftr", address_of(ModelicaFFT_kiss_fftr)},
};

}  // namespace

void* library_function(const char* name) {
  for (const Row& row : rows)
    if (std::strcmp(row.name, name) == 0) return row.address;
  return nullptr;
}

bool acts_outside(const char* name) {
  for (const Row& row : rows)
    if (std::strcmp(row.name, name) == 0) return row.acts;
  return false;
}

}  // namespace bolza::foreign
