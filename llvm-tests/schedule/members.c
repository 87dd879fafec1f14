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

// Arrays of their own are as well apart.
// CHECK: members.c:[[#@LINE+2]]:3: remark: {{.*}} on all cores [-Rpass=loopwright]
void planes(unsigned char *restrict r, unsigned char *restrict g, const unsigned char *restrict s, int n) {
  for (int i = 0; i < n; i++) {
    r[i] = s[2 * i] / 3;
    g[i] = s[2 * i + 1] / 7;
  }
}
