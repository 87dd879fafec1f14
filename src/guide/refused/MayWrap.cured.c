void flipped(int h, int w, double *restrict a, const double *restrict b) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      a[(h - 1 - y) * w + x] = b[y * w + x];
}
