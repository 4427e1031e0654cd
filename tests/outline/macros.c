/* Macros that look like code, code behind macros, and branches that do not balance. */
#define EACH(i, n) for (int i = 0; i < (n); i++)
#define KERNEL(name) static void name(void)
#define SWAP(a, b) \
    do { \
        int t = a; a = b; b = t; \
    } while (0)

KERNEL(first)
{
    EACH(i, 10) {
        SWAP(x[i], y[i]);
    }
    for (int i = 0; i < 3; i++)
        SWAP(x[i], y[i]);
}

#ifdef FAST
void second(int n)
{
    while (n--) {
#else
void second(int n, int m)
{
    while (n-- && m--) {
#endif
        work();
    }
}

int third(void) { for (;;) { while (1) ; } }
