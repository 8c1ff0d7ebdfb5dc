// SPDX-License-Identifier: Apache-2.0
/* A disk with faults, to be preloaded: BOLZA_FAULT=full:K lets K writes to files through, then none; BOLZA_FAULT=short
   writes at most half of what is asked for, each time. Terminals, pipes and devices are as they are. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static long written;

static int is_file(int file) {
  struct stat status;
  return fstat(file, &status) == 0 && S_ISREG(status.st_mode);
}

/* Whether this write finds no room. */
static int is_full(void) {
  const char* fault = getenv("BOLZA_FAULT");
  if (!fault || strncmp(fault, "full:", 5) != 0) return 0;
  return __sync_add_and_fetch(&written, 1) > atol(fault + 5);
}

static size_t allowed(size_t size) {
  const char* fault = getenv("BOLZA_FAULT");
  return fault && strcmp(fault, "short") == 0 && size > 1 ? size / 2 : size;
}

ssize_t write(int file, const void* bytes, size_t size) {
  static ssize_t (*real)(int, const void*, size_t);
  if (!real) real = (ssize_t(*)(int, const void*, size_t))dlsym(RTLD_NEXT, "write");
  if (!is_file(file)) return real(file, bytes, size);
  if (is_full()) return errno = ENOSPC, -1;
  return real(file, bytes, allowed(size));
}

ssize_t writev(int file, const struct iovec* parts, int n) {
  static ssize_t (*real)(int, const struct iovec*, int);
  if (!real) real = (ssize_t(*)(int, const struct iovec*, int))dlsym(RTLD_NEXT, "writev");
  if (!is_file(file)) return real(file, parts, n);
  if (is_full()) return errno = ENOSPC, -1;
  for (int k = 0; k < n; ++k)
    if (parts[k].iov_len > 0) return write(file, parts[k].iov_base, parts[k].iov_len);
  return 0;
}
