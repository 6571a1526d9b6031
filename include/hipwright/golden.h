/* SPDX-License-Identifier: MIT
 *
 * Captures results of a program, so that a port of it can be compared with them.
 *
 *   hipwright_golden("x", x, HIPWRIGHT_F32, 2, shape);    C, C++, CUDA and HIP host code
 *   hipwright_golden_1d("x", x, HIPWRIGHT_F32, count);
 *   hipwright_golden("x", values);                        C++: a vector or array
 *   hipwright_golden("x", x, count);                      C++: a pointer
 *   hipwright_golden_any_order("x", values);              whose order does not matter
 *
 * Each call writes NAME.npy into the folder that the environment variable HIPWRIGHT_GOLDEN names;
 * it does nothing where that is not set. A second capture of a name is called NAME#2, and so on.
 * What atomics filled in whichever order is captured with hipwright_golden_any_order(), as
 * NAME@any_order.npy: the same elements in another order are the same result then.
 * The data must be in host memory: copy it from the device first. `hipwright verify golden pack`
 * makes one file of such a folder, and `hipwright verify golden check` compares another run with
 * it.
 *
 * This file is all there is to it: C99 or C++11 on a POSIX system, no library, no other header. It
 * may be copied to where hipwright is not installed.
 */
#ifndef HIPWRIGHT_GOLDEN_H
#define HIPWRIGHT_GOLDEN_H

#ifdef _WIN32
#error "hipwright/golden.h needs a POSIX system"
#endif

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef __cplusplus
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast" /* the same text is C */
#endif

/* The 8-bit floats are OCP's. Those of AMD's gfx940 family ("fnuz") are others: convert them first.
 */
enum hipwright_golden_type {
  HIPWRIGHT_BOOL,
  HIPWRIGHT_U8,
  HIPWRIGHT_I8,
  HIPWRIGHT_F8E4M3,
  HIPWRIGHT_F8E5M2,
  HIPWRIGHT_I16,
  HIPWRIGHT_U16,
  HIPWRIGHT_F16,
  HIPWRIGHT_BF16,
  HIPWRIGHT_I32,
  HIPWRIGHT_U32,
  HIPWRIGHT_F32,
  HIPWRIGHT_I64,
  HIPWRIGHT_U64,
  HIPWRIGHT_F64
};

#ifdef __cplusplus
extern "C" {
#endif

/* How often each name was captured. Weak: all files of a program share one list. */
struct hipwright_golden_name {
  struct hipwright_golden_name* next;
  unsigned times;
  char text[1];
};
extern struct hipwright_golden_name* hipwright_golden_names;
extern int hipwright_golden_lock;
__attribute__((weak)) struct hipwright_golden_name* hipwright_golden_names = NULL;
__attribute__((weak)) int hipwright_golden_lock = 0;

#ifdef __cplusplus
}
#endif

static inline int hipwright_golden_failed(const char* name, const char* where, const char* why,
                                          const char* fix) {
  fprintf(stderr, "hipwright/golden.h: cannot capture '%s'%s%s: %s. %s\n", name ? name : "",
          where ? " in " : "", where ? where : "", why, fix);
  return -1;
}

/* numpy's name of the type and, if numpy lacks the type, the suffix of the file name. */
static inline const char* hipwright_golden_code(enum hipwright_golden_type type, int* size,
                                                const char** suffix) {
  static const struct {
    const char* code;
    int size;
    const char* suffix;
  } types[] = {{"|b1", 1, ""},        {"|u1", 1, ""}, {"|i1", 1, ""}, {"|u1", 1, "@f8e4m3"},
               {"|u1", 1, "@f8e5m2"}, {"<i2", 2, ""}, {"<u2", 2, ""}, {"<f2", 2, ""},
               {"<u2", 2, "@bf16"},   {"<i4", 4, ""}, {"<u4", 4, ""}, {"<f4", 4, ""},
               {"<i8", 8, ""},        {"<u8", 8, ""}, {"<f8", 8, ""}};
  if ((int)type < 0 || (size_t)type >= sizeof types / sizeof types[0]) return NULL;
  *size = types[type].size;
  *suffix = types[type].suffix;
  return types[type].code;
}

/* Counts the name; 0 if memory is exhausted. */
static inline unsigned hipwright_golden_count(const char* name) {
  struct hipwright_golden_name* at;
  unsigned times = 0;
  while (__sync_lock_test_and_set(&hipwright_golden_lock, 1)) {
  }
  for (at = hipwright_golden_names; at != NULL; at = at->next)
    if (strcmp(at->text, name) == 0) break;
  if (at == NULL) {
    at = (struct hipwright_golden_name*)malloc(sizeof *at + strlen(name));
    if (at != NULL) {
      strcpy(at->text, name);
      at->times = 0;
      at->next = hipwright_golden_names;
      hipwright_golden_names = at;
    }
  }
  if (at != NULL) times = ++at->times;
  __sync_lock_release(&hipwright_golden_lock);
  return times;
}

/* The file name: letters, digits and ._- unchanged, other bytes as %2F. 0 if it is too long. */
static inline int hipwright_golden_file(char* out, size_t size, const char* name, unsigned times,
                                        const char* order, const char* suffix) {
  size_t used = 0;
  for (; *name != '\0'; ++name) {
    const char c = *name;
    const int plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                      c == '_' || c == '-' || (c == '.' && used != 0);
    if (used + 4 > size) return 0;
    used += (size_t)snprintf(out + used, size - used, plain ? "%c" : "%%%02X",
                             (unsigned)(unsigned char)c);
  }
  if (times > 1) used += (size_t)snprintf(out + used, size - used, "#%u", times);
  if (used < size) used += (size_t)snprintf(out + used, size - used, "%s%s.npy", order, suffix);
  return used < size;
}

/* numpy's header, padded to a multiple of 64 bytes; its size, or 0. */
static inline size_t hipwright_golden_header(char* out, size_t size, const char* code, int rank,
                                             const long long* shape) {
  size_t used = 10, whole;
  int axis;
  memcpy(out, "\x93NUMPY\x01\x00", 8);
  used += (size_t)snprintf(out + used, size - used,
                           "{'descr': '%s', 'fortran_order': False, 'shape': (", code);
  for (axis = 0; axis < rank; ++axis) {
    if (used + 32 > size) return 0;
    used +=
        (size_t)snprintf(out + used, size - used, axis + 1 < rank ? "%lld, " : "%lld", shape[axis]);
  }
  if (used + 80 > size) return 0;
  used += (size_t)snprintf(out + used, size - used, "%s), }", rank == 1 ? "," : "");
  whole = (used + 1 + 63) / 64 * 64;
  memset(out + used, ' ', whole - used);
  out[whole - 1] = '\n';
  out[8] = (char)((whole - 10) & 255);
  out[9] = (char)((whole - 10) >> 8);
  return whole;
}

static inline int hipwright_golden_put(int file, const void* data, size_t size) {
  const char* at = (const char*)data;
  while (size > 0) {
    const size_t now = size < ((size_t)1 << 30) ? size : (size_t)1 << 30;
    const ssize_t written = write(file, at, now);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return -1;
    at += written;
    size -= (size_t)written;
  }
  return 0;
}

/* Bytes of all elements; -1 for an invalid shape. */
static inline long long hipwright_golden_bytes(int size, int rank, const long long* shape) {
  long long bytes = size;
  int axis;
  if (rank < 0 || rank > 32 || (rank > 0 && shape == NULL)) return -1;
  for (axis = 0; axis < rank; ++axis)
    if (shape[axis] < 0) return -1;
  for (axis = 0; axis < rank; ++axis)
    if (shape[axis] == 0) return 0;
  for (axis = 0; axis < rank; ++axis) {
    if (shape[axis] > 0x7FFFFFFFFFFFFFFFLL / bytes) return -1;
    bytes *= shape[axis];
  }
  return bytes;
}

/* `order`: "", or "@any_order". */
static inline int hipwright_golden_write(const char* name, const char* order, const void* data,
                                         enum hipwright_golden_type type, int rank,
                                         const long long* shape) {
  const char *folder = getenv("HIPWRIGHT_GOLDEN"), *code, *suffix;
  char header[1200], plain[200], path[4096], aside[4096];
  int size, file, length, error;
  long long bytes;
  size_t header_size;
  unsigned times;
  if (folder == NULL || folder[0] == '\0') return 0;
  code = hipwright_golden_code(type, &size, &suffix);
  if (code == NULL)
    return hipwright_golden_failed(name, NULL, "invalid type",
                                   "Use a value of hipwright_golden_type, such as HIPWRIGHT_F32.");
  if (name == NULL || name[0] == '\0')
    return hipwright_golden_failed(name, NULL, "missing name", "Pass a name.");
  bytes = hipwright_golden_bytes(size, rank, shape);
  if (bytes < 0)
    return hipwright_golden_failed(name, NULL, "invalid shape",
                                   "Use 0 to 32 dimensions, each 0 or more.");
  times = hipwright_golden_count(name);
  header_size = hipwright_golden_header(header, sizeof header, code, rank, shape);
  if (times == 0 || header_size == 0)
    return hipwright_golden_failed(name, NULL, "out of memory", "Capture less.");
  length = hipwright_golden_file(plain, sizeof plain, name, times, order, suffix)
               ? snprintf(path, sizeof path, "%s/%s", folder, plain)
               : -1;
  if (length < 0 || (size_t)length >= sizeof path ||
      (size_t)snprintf(aside, sizeof aside, "%s/.%s.%ld", folder, plain, (long)getpid()) >=
          sizeof aside)
    return hipwright_golden_failed(name, folder, "the file name is too long",
                                   "Use a shorter name.");
  if (mkdir(folder, 0777) != 0 && errno != EEXIST)
    return hipwright_golden_failed(
        name, folder, strerror(errno),
        "HIPWRIGHT_GOLDEN must name a directory, which is created if needed.");
  file = open(aside, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (file < 0)
    return hipwright_golden_failed(name, folder, strerror(errno),
                                   "HIPWRIGHT_GOLDEN must name a writable directory.");
  error = hipwright_golden_put(file, header, header_size) != 0 ? errno : 0;
  if (error == 0 && hipwright_golden_put(file, data, (size_t)bytes) != 0) error = errno;
  if (close(file) != 0 && error == 0) error = errno;
  /* It appears whole or not at all. */
  if (error == 0 && rename(aside, path) != 0) error = errno;
  if (error == 0) return 0;
  unlink(aside);
  return hipwright_golden_failed(
      name, path, error == EFAULT ? "the data is not in host memory" : strerror(error),
      error == EFAULT ? "Copy it from the device first, and pass the right number of elements."
                      : "Check the directory's permissions and free space.");
}

/* Captures a tensor: row by row, in host memory. 0: it is written, or nothing is to be captured;
 * -1: it could not be written, and standard error says why. */
static inline int hipwright_golden(const char* name, const void* data,
                                   enum hipwright_golden_type type, int rank,
                                   const long long* shape) {
  return hipwright_golden_write(name, "", data, type, rank, shape);
}

/* The same of elements that may come in any order: slots of a counter, lists that atomics fill.
 * Capture only what was filled. */
static inline int hipwright_golden_any_order(const char* name, const void* data,
                                             enum hipwright_golden_type type, size_t count) {
  const long long shape = (long long)count;
  return hipwright_golden_write(name, "@any_order", data, type, 1, &shape);
}

static inline int hipwright_golden_1d(const char* name, const void* data,
                                      enum hipwright_golden_type type, size_t count) {
  const long long shape = (long long)count;
  return hipwright_golden(name, data, type, 1, &shape);
}

static inline int hipwright_golden_2d(const char* name, const void* data,
                                      enum hipwright_golden_type type, size_t rows,
                                      size_t columns) {
  long long shape[2];
  shape[0] = (long long)rows;
  shape[1] = (long long)columns;
  return hipwright_golden(name, data, type, 2, shape);
}

#ifdef __cplusplus
#include <initializer_list>
#include <type_traits>

/* The type of an element. For a type of your own, or a library's half:
 *   template <> struct hipwright_golden_type_of<__half> {
 *     static constexpr hipwright_golden_type value = HIPWRIGHT_F16;
 *   }; */
template <class T>
struct hipwright_golden_type_of {
  static_assert(std::is_arithmetic<T>::value && sizeof(T) <= 8,
                "hipwright_golden: pass the type (HIPWRIGHT_F16, …), or specialise "
                "hipwright_golden_type_of for it");
  static constexpr hipwright_golden_type value =
      std::is_same<T, bool>::value       ? HIPWRIGHT_BOOL
      : std::is_floating_point<T>::value ? (sizeof(T) == 8 ? HIPWRIGHT_F64 : HIPWRIGHT_F32)
      : sizeof(T) == 1                   ? (std::is_signed<T>::value ? HIPWRIGHT_I8 : HIPWRIGHT_U8)
      : sizeof(T) == 2 ? (std::is_signed<T>::value ? HIPWRIGHT_I16 : HIPWRIGHT_U16)
      : sizeof(T) == 4 ? (std::is_signed<T>::value ? HIPWRIGHT_I32 : HIPWRIGHT_U32)
                       : (std::is_signed<T>::value ? HIPWRIGHT_I64 : HIPWRIGHT_U64);
};

template <class T>
int hipwright_golden(const char* name, const T* data, size_t count) {
  return hipwright_golden_1d(name, data, hipwright_golden_type_of<T>::value, count);
}

/* hipwright_golden("x", x, {rows, columns}) */
template <class T>
int hipwright_golden(const char* name, const T* data, std::initializer_list<long long> shape) {
  return hipwright_golden(name, data, hipwright_golden_type_of<T>::value,
                          static_cast<int>(shape.size()), shape.begin());
}

/* std::vector, std::array, std::span and their like. */
template <class C>
auto hipwright_golden(const char* name, const C& values)
    -> decltype(values.data(), values.size(), 0) {
  return hipwright_golden(name, values.data(), static_cast<size_t>(values.size()));
}

template <class C>
auto hipwright_golden(const char* name, const C& values, hipwright_golden_type type)
    -> decltype(values.data(), values.size(), 0) {
  int size = 0;
  const char* suffix;
  if (hipwright_golden_code(type, &size, &suffix) != NULL &&
      static_cast<size_t>(size) != sizeof(*values.data()))
    return hipwright_golden_failed(name, NULL, "the element size does not match the type",
                                   "Pass the type of the elements.");
  return hipwright_golden_1d(name, values.data(), type, static_cast<size_t>(values.size()));
}

template <class T>
int hipwright_golden_any_order(const char* name, const T* data, size_t count) {
  return hipwright_golden_any_order(name, static_cast<const void*>(data),
                                    hipwright_golden_type_of<T>::value, count);
}

template <class C>
auto hipwright_golden_any_order(const char* name, const C& values)
    -> decltype(values.data(), values.size(), 0) {
  return hipwright_golden_any_order(name, values.data(), static_cast<size_t>(values.size()));
}

#pragma GCC diagnostic pop
#endif

#endif
