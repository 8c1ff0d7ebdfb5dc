// SPDX-License-Identifier: Apache-2.0
// What the Modelica library does to files, folders and the environment. ModelicaFormatError does not return: it is called
// where nothing is left that has a destructor.
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <sys/stat.h>
#include <unistd.h>

#include "compiler/foreign/library_functions.h"

namespace {

/// Block by block; what was written of a copy that failed stays.
bool copied(std::FILE* from, std::FILE* to) {
  char block[65536];
  for (std::size_t n = 0; (n = std::fread(block, 1, sizeof block, from)) > 0;)
    if (std::fwrite(block, 1, n, to) != n) return false;
  return std::ferror(from) == 0;
}

}  // namespace

extern "C" {
[[noreturn]] void ModelicaFormatError(const char* format, ...);

void ModelicaInternal_removeFile(const char* file) {
  if (std::remove(file) != 0) ModelicaFormatError("`%s` cannot be removed: %s", file, std::strerror(errno));
}

void ModelicaInternal_mkdir(const char* folder) {
  if (::mkdir(folder, 0777) != 0) ModelicaFormatError("the folder `%s` cannot be made: %s", folder, std::strerror(errno));
}

void ModelicaInternal_rmdir(const char* folder) {
  if (::rmdir(folder) != 0) ModelicaFormatError("the folder `%s` cannot be removed: %s", folder, std::strerror(errno));
}

void ModelicaInternal_rename(const char* from, const char* to) {
  if (std::rename(from, to) != 0) ModelicaFormatError("`%s` cannot be renamed to `%s`: %s", from, to, std::strerror(errno));
}

/// A file that is there already is not overwritten: the library removes it before when that is wanted.
void ModelicaInternal_copyFile(const char* from, const char* to) {
  if (::access(to, F_OK) == 0) ModelicaFormatError("`%s` is not copied to `%s`: that is there already", from, to);
  std::FILE* in = std::fopen(from, "rb");
  if (in == nullptr) ModelicaFormatError("`%s` cannot be read: %s", from, std::strerror(errno));
  std::FILE* out = std::fopen(to, "wbx");
  bool good = out != nullptr && copied(in, out);
  good = (out == nullptr || std::fclose(out) == 0) && good;
  int why = errno;
  std::fclose(in);
  if (!good) ModelicaFormatError("`%s` cannot be copied to `%s`: %s", from, to, std::strerror(why));
}

void ModelicaInternal_chdir(const char* folder) {
  if (::chdir(folder) != 0) ModelicaFormatError("`%s` cannot be the working folder: %s", folder, std::strerror(errno));
}

/// Names of files are written with slashes here: there is nothing to convert.
void ModelicaInternal_setenv(const char* name, const char* content, int) {
  if (::setenv(name, content, 1) != 0)
    ModelicaFormatError("the environment variable `%s` cannot be set: %s", name, std::strerror(errno));
}
}
