// SPDX-License-Identifier: Apache-2.0
/* What external C functions of a model may call (Modelica specification, 12.9.6). Errors do not return; strings that are
   allocated here live until the call has been read. */
#ifndef MODELICA_UTILITIES_H
#define MODELICA_UTILITIES_H
#include <stdarg.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

void ModelicaMessage(const char* text);
void ModelicaFormatMessage(const char* format, ...);
void ModelicaVFormatMessage(const char* format, va_list arguments);
void ModelicaWarning(const char* text);
void ModelicaFormatWarning(const char* format, ...);
void ModelicaVFormatWarning(const char* format, va_list arguments);
void ModelicaError(const char* text);
void ModelicaFormatError(const char* format, ...);
void ModelicaVFormatError(const char* format, va_list arguments);
char* ModelicaAllocateString(size_t length);
char* ModelicaAllocateStringWithErrorReturn(size_t length);
char* ModelicaDuplicateString(const char* text);

#ifdef __cplusplus
}
#endif
#endif
