/* A locale whose decimal sign is a comma, on every machine: glibc's file of it, made in a folder of its own.
 * For C and C++. */
#pragma once
#include <locale.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* LC_NUMERIC of "C.UTF-8" in glibc's format (locale/localeinfo.h: a magic number, the number of elements,
 * where each begins, the elements), with another decimal point. */
struct CommaNumeric {
  uint32_t magic, elements, begin[6];
  char point[2], thousands[1], grouping[1];
  uint32_t wide_point, wide_thousands;
  char codeset[6];
};

/* Sets this process's LC_NUMERIC; 0 when that works. */
static inline int set_comma_locale(void) {
  const struct CommaNumeric numeric = {
      0x20031115 ^ LC_NUMERIC,  6, {32, 34, 35, 36, 40, 44}, {','}, {0}, {0}, ',', 0,
      {'U', 'T', 'F', '-', '8'}};
  char folder[] = "/tmp/cugrb-locale-XXXXXX", name[64], file[80];
  if (mkdtemp(folder) == NULL) return 1;
  snprintf(name, sizeof name, "%s/comma", folder);
  snprintf(file, sizeof file, "%s/LC_NUMERIC", name);
  mkdir(name, 0700);
  FILE* out = fopen(file, "wb");
  if (out == NULL || fwrite(&numeric, 50, 1, out) != 1 || fclose(out) != 0) return 1;
  setenv("LOCPATH", folder, 1);
  const int failed = setlocale(LC_NUMERIC, "comma") == NULL || strcmp(localeconv()->decimal_point, ",") != 0;
  unlink(file);
  rmdir(name);
  rmdir(folder);
  return failed;
}
