// What is left to the passes of clean-up is a valid function at each moment: in a block phis come first, also where pointers are computed that others go on from.
//
// RUN: clang-22 -O3 -fpass-plugin=%plugin -Xclang -llvm-verify-each -c %s -o /dev/null
// RUN: clang-22 -O2 -march=x86-64-v3 -fpass-plugin=%plugin -Xclang -llvm-verify-each -c %s -o /dev/null

void alike(const char *restrict a, const long *restrict b, const int *restrict c, int m, int *restrict out) {
  for (int i = 0; i < m; i++) {
    const char *p = a + b[i], *q = a + c[i];
    int n = 0;
    unsigned char k = 0;
    while (*p && *p == *q) {
      p++;
      q++;
      n++;
      k++;
    }
    out[i] = n + k;
  }
}

int digits(const char *p) {
  int n = 0;
  short k = 0;
  while (*p >= '0' && *p <= '9') {
    p++;
    n++;
    k += 3;
  }
  return n + k;
}
