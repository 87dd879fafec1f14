void clear(unsigned n, double *a) {
  for (unsigned i = 0; i < n; i++)
    a[i - 1] = 0; // at i = 0 the subscript is 4294967295
}
