/* deriche: a recursive edge-detecting filter, along the rows in both directions, then along the columns.
   Arrays: constant shape, no restrict, float. Scalars carry the last two inputs and outputs; rows count down. */
#include "kernel.h"
#include <math.h>
#ifndef W
#define W SIZE_OR(4096)
#endif
#ifndef H
#define H SIZE_OR(2160)
#endif

void kernel_deriche(int w, int h, float alpha, float in[DIM(W)][DIM(H)], float out[DIM(W)][DIM(H)],
                    float forth[DIM(W)][DIM(H)], float back[DIM(W)][DIM(H)]) {
  float xm1, xm2, xp1, xp2, ym1, ym2, yp1, yp2;
  float gain = (1.0f - expf(-alpha)) * (1.0f - expf(-alpha)) /
               (1.0f + 2.0f * alpha * expf(-alpha) - expf(2.0f * alpha));
  float a1 = gain, a5 = gain;
  float a2 = gain * expf(-alpha) * (alpha - 1.0f), a6 = a2;
  float a3 = gain * expf(-alpha) * (alpha + 1.0f), a7 = a3;
  float a4 = -gain * expf(-2.0f * alpha), a8 = a4;
  float b1 = powf(2.0f, -alpha), b2 = -expf(-2.0f * alpha);

  for (int i = 0; i < w; i++) {
    ym1 = 0.0f;
    ym2 = 0.0f;
    xm1 = 0.0f;
    for (int j = 0; j < h; j++) {
      forth[i][j] = a1 * in[i][j] + a2 * xm1 + b1 * ym1 + b2 * ym2;
      xm1 = in[i][j];
      ym2 = ym1;
      ym1 = forth[i][j];
    }
  }
  for (int i = 0; i < w; i++) {
    yp1 = 0.0f;
    yp2 = 0.0f;
    xp1 = 0.0f;
    xp2 = 0.0f;
    for (int j = h - 1; j >= 0; j--) {
      back[i][j] = a3 * xp1 + a4 * xp2 + b1 * yp1 + b2 * yp2;
      xp2 = xp1;
      xp1 = in[i][j];
      yp2 = yp1;
      yp1 = back[i][j];
    }
  }
  for (int i = 0; i < w; i++)
    for (int j = 0; j < h; j++)
      out[i][j] = forth[i][j] + back[i][j];
  for (int j = 0; j < h; j++) {
    xm2 = 0.0f;
    ym1 = 0.0f;
    ym2 = 0.0f;
    for (int i = 0; i < w; i++) {
      forth[i][j] = a5 * out[i][j] + a6 * xm2 + b1 * ym1 + b2 * ym2;
      xm2 = out[i][j];
      ym2 = ym1;
      ym1 = forth[i][j];
    }
  }
  for (int j = 0; j < h; j++) {
    xp1 = 0.0f;
    xp2 = 0.0f;
    yp1 = 0.0f;
    yp2 = 0.0f;
    for (int i = w - 1; i >= 0; i--) {
      back[i][j] = a7 * xp1 + a8 * xp2 + b1 * yp1 + b2 * yp2;
      xp2 = xp1;
      xp1 = out[i][j];
      yp2 = yp1;
      yp1 = back[i][j];
    }
  }
  for (int i = 0; i < w; i++)
    for (int j = 0; j < h; j++)
      out[i][j] = forth[i][j] + back[i][j];
}

int main(void) {
  size_t pixels = (size_t)DIM(W) * DIM(H);
  float(*in)[DIM(H)] = allocate(sizeof(float) * pixels);
  float(*out)[DIM(H)] = allocate(sizeof(float) * pixels);
  float(*forth)[DIM(H)] = allocate(sizeof(float) * pixels);
  float(*back)[DIM(H)] = allocate(sizeof(float) * pixels);
  fill_float(in, pixels, 1);
  TIMED(1, kernel_deriche(W, H, 0.25f, in, out, forth, back));
  digest(out, sizeof(float) * pixels);
  return finish();
}
