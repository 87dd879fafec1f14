// Loops that come from headers of the library are told at the user's line that they are used at; arrays have the names of the user's variables.
//
// RUN: %loopwright-clang -O3 -g -x c++ -Rpass=loopwright -Rpass-missed=loopwright -Rpass-analysis=loopwright -c %s -o /dev/null 2>&1 | FileCheck %s
#include <algorithm>
#include <functional>
#include <map>
#include <vector>

// CHECK-NOT: /usr/{{.*}}places
// CHECK: places.cpp:[[#@LINE+3]]:{{[0-9]+}}: remark: {{.*}}the call through a function pointer {{.*}} (at line [[#@LINE+3]]:{{.*}}; call a function by its name (a final class, a template's parameter for std::function)
// CHECK-NOT: std_function.h
void apply(std::function<double(double)> g, std::vector<double> &y) {
  for (auto &v : y) v = g(v);
}

// CHECK: places.cpp:[[#@LINE+2]]:{{[0-9]+}}: remark: {{.*}}the call to 'std::{{[A-Za-z_:]*}}' may read {{.*}}; let it have a loop of its own
void counted(std::map<int, double> &m, int n, double *x) {
  for (int i = 0; i < n; i++) x[i] += m[i];
}

struct Grid {
  int width, height;
  std::vector<double> cells;
};

// CHECK: places.cpp:[[#@LINE+2]]:{{[0-9]+}}: remark: {{.*}}'a.cells' and 'b.cells' do not overlap
void copied(Grid &a, Grid &b) {
  for (int j = 0; j < a.width; j++)
    for (int i = 0; i < a.height; i++) b.cells[i * a.width + j] = 2 * a.cells[j * a.height + i];
}
