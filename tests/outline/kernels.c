/* for (;;) { in a comment } */
#include <stddef.h>
#define TWICE(x) do { (x); (x); } while (0)

static const char *text = "while (1) { } /* no comment */";

#pragma omp declare simd
static double *gather(double *to, const double *from, size_t n)
{
    #pragma omp parallel for
    for (size_t i = 0; i < n; i++) {
        size_t at = i;
        while (at > 0 &&
               from[at] > 0)
            at--;
        to[i] = from[at];
    }
#ifdef CHECK
    for (size_t i = 0; i < n; i++)
        if (to[i] < 0) return NULL;
#endif
    do
        n--;
    while (n > 0);
    return to;
}

int
old_style(a, b)
    int a, b;
{
    return a + b; }

int (*pointer_to(int which))(int) { for (;;) break; return 0; }
