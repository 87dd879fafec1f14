// What is written side by side stays in one loop: members of a structure, which have no dependences on one another.
//
// RUN: %loopwright-clang -O3 -mavx2 -fopenmp -g -c %s -o /dev/null -Rpass=loopwright 2>&1 | FileCheck %s

typedef struct { unsigned char r, g, b, a; } pixel;

// CHECK: members.c:[[#@LINE+2]]:3: remark: loop i; i on all cores [-Rpass=loopwright]
void blend(pixel *restrict d, const pixel *restrict s, int n) {
  for (int i = 0; i < n; i++) {
    int a = s[i].a;
    d[i].r = (s[i].r * a + d[i].r * (255 - a)) / 255;
    d[i].g = (s[i].g * a + d[i].g * (255 - a)) / 255;
    d[i].b = (s[i].b * a + d[i].b * (255 - a)) / 255;
    d[i].a = 255;
  }
}

// So do those that a short loop counts: three of four elements, without the fourth, are no vectors that can be stored.
// CHECK: members.c:[[#@LINE+2]]:3: remark: {{.*}}outermost loops without dependences on all cores [-Rpass=loopwright]
void blend_in_a_loop(unsigned char *restrict d, const unsigned char *restrict s, int n) {
  for (int i = 0; i < n; i++) {
    int a = s[4 * i + 3];
    for (int k = 0; k < 3; k++)
      d[4 * i + k] = (d[4 * i + k] * (255 - a) + s[4 * i + k] * a) / 255;
    d[4 * i + 3] = 255;
  }
}

// Arrays of their own are as well apart.
// CHECK: members.c:[[#@LINE+2]]:3: remark: {{.*}} on all cores [-Rpass=loopwright]
void planes(unsigned char *restrict r, unsigned char *restrict g, const unsigned char *restrict s, int n) {
  for (int i = 0; i < n; i++) {
    r[i] = s[2 * i] / 3;
    g[i] = s[2 * i + 1] / 7;
  }
}
