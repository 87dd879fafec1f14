void flipped(unsigned h, unsigned w, double *restrict a, const double *restrict b) {
  for (unsigned y = 0; y < h; y++)
    for (unsigned x = 0; x < w; x++)
      a[(h - 1 - y) * w + x] = b[y * w + x];
}
