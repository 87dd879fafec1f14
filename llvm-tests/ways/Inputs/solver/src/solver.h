// A few steps of relaxation and a product of matrices: what each build system builds as a library with a program.
#ifdef __cplusplus
extern "C" {
#endif

void product(int n, const double *a, const double *b, double *c);
void relax(int n, int steps, double *now, double *next);
double norm(int n, const double *x);

#ifdef __cplusplus
}
#endif
