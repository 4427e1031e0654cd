/*
 * stream.c: the program that the example of Tracefold pretends to be.
 *
 * Nobody ran it: a generator made the trace. This text is here so that the lines of that trace can
 * be read. It is a memory benchmark with four kernels on three large arrays, changed so that each
 * kernel is easy to tell from the others:
 *
 *   Copy    c = a                    by memcpy, which runs backwards
 *   Scale   b = scalar * c[at]       c is read at random places
 *   Add     c = a + b                two arrays are read from their begins
 *   Triad   a = b + scalar * c       the same with a multiplication
 *
 * Every rank works on arrays of its own and meets the others once in each iteration.
 */

#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef ELEMENTS
#define ELEMENTS 10000000
#endif

#ifndef ITERATIONS
#define ITERATIONS 108
#endif

static double a[ELEMENTS];
static double b[ELEMENTS];

/* Bytes that the four kernels move in one iteration. */
static const double moved = (2.0 + 2.0 + 3.0 + 3.0) * sizeof(double) * ELEMENTS;

/* What one iteration took, over all of them. */
struct timing {
    double least;
    double most;
    double sum;
};

static void begin_timing(struct timing *timing)
{
    timing->least = 1e30;
    timing->most = 0.0;
    timing->sum = 0.0;
}

static void add_timing(struct timing *timing, double seconds)
{
    if (seconds < timing->least)
        timing->least = seconds;
    if (seconds > timing->most)
        timing->most = seconds;
    timing->sum += seconds;
}

static void report(const struct timing *t)
{
    printf("    MB/s      mean     least      most\n");
    printf("%8.0f %9.6f %9.6f %9.6f\n", 1e-6 * moved / t->least, t->sum / ITERATIONS, t->least, t->most);
}

/* A linear congruential generator: good enough to spread reads over an array. */
static uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state;
}

/* What the arrays hold after so many iterations if every read is of the right element. */
static void expected(int iterations, double scalar, double want[3])
{
    want[0] = 1.0;
    want[1] = 2.0;
    want[2] = 0.0;
    for (int i = 0; i < iterations; i++) {
        want[2] = want[0];
        want[1] = scalar * want[2];
        want[2] = want[0] + want[1];
        want[0] = want[1] + scalar * want[2];
    }
}

static double mean_of(const double *array)
{
    double sum = 0.0;
    for (long j = 0; j < ELEMENTS; j++)
        sum += array[j];
    return sum / ELEMENTS;
}

static int is_near(double found, double want)
{
    double error = found > want ? found - want : want - found;
    double size = want > 0.0 ? want : -want;
    return error <= 1e-9 * size;
}

static int check(const double *c, double scalar)
{
    double want[3];
    expected(ITERATIONS, scalar, want);
    int wrong = !is_near(mean_of(a), want[0]);
    wrong += !is_near(mean_of(b), want[1]);
    wrong += !is_near(mean_of(c), want[2]);
    if (wrong > 0)
        fprintf(stderr, "%d of 3 arrays hold something else than they should\n", wrong);
    return wrong;
}

/* Where an array lies. The static ones are at the same place in every rank, c is not. */
static void print_place(const char *name, const double *array)
{
    const double *last = array + ELEMENTS - 1;
    printf("%s  %p to %p, %.1f MB\n", name, (const void *)array, (const void *)last,
           1e-6 * sizeof(double) * ELEMENTS);
}

static void print_places(const double *c)
{
    print_place("a", a);
    print_place("b", b);
    print_place("c", c);
}

/*
 * The four kernels are at the end of this file. A compiler must not put them into main: then the
 * call-stacks would not tell them apart. In a real program the routine on top of the call-stack
 * is often one of a library, as it is here in Copy, and its caller says more.
 */
#define APART __attribute__((noinline))

static void Copy(double *c) APART;
static void Scale(const double *c, double scalar) APART;
static void Add(double *c) APART;
static void Triad(const double *c, double scalar) APART;













/*
 * Arguments: none. Every rank prints nothing but the first one, which prints how fast the
 * iterations were. The exit status is 1 if a result is wrong.
 *
 * The trace has one region for the loop over the iterations, as if a probe stood at its begin and
 * at its end. Two timers interrupt each rank: one takes the call-stack and the counters, the other
 * an address that was read or written. Neither fires at the same moment twice in an iteration, so
 * that over all iterations their samples cover it finely: that is what folding makes use of.
 *
 * What to look for in the picture:
 *
 *   - Four phases, one for each kernel. The names of routines stand over them.
 *   - Scale runs at the highest rate of instructions and yet misses the caches most: the reads of
 *     c go to random places, and each element of b is one instruction more.
 *   - Copy writes from the end of c to its begin: its references descend.
 *   - The three loops differ in how many arrays they read, which shows as misses in each
 *     instruction, not as time.
 */


int main(int argc, char **argv)
{
    const double scalar = 3.0;
    struct timing timing;
    uint32_t seed = 1;
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    double *c = malloc(sizeof(double) * ELEMENTS);
    if (c == NULL)
        MPI_Abort(MPI_COMM_WORLD, 1);

    for (long j = 0; j < ELEMENTS; j++) {
        a[j] = 1.0, b[j] = 2.0, c[j] = 1e-3 * (next_random(&seed) & 1);
    }
    begin_timing(&timing);

    /*
     * One iteration is one instance of the region "main loop". The order matters: each kernel
     * reads what the one before has written. Between two calls there is nothing that a timer
     * would find. A rank that is done waits for the others at the end: that is the region
     * MPI_Barrier, of which an instance takes as long as the others need.
     */
    for (int i = 0; i < ITERATIONS; i++) {
        double before;

        /* Time is read twice here, which costs next to nothing against the kernels. It goes into
         * a table of its own: the trace does not need it.
         */
        /* The probe of the region stands here. */
        before = MPI_Wtime();
        Copy(c);
        Scale(c, scalar);
        Add(c);
        Triad(c, scalar);
        add_timing(&timing, MPI_Wtime() - before);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    if (rank == 0)
        print_places(c), report(&timing);
    return check(c, scalar) + MPI_Finalize();
}

static void Copy(double *c)
{
    memcpy(c, a, sizeof(double) * ELEMENTS);
}

static void Scale(const double *c, double scalar)
{
    uint32_t seed = 1;
    for (long j = 0; j < ELEMENTS; j++) {
        long at = next_random(&seed) % ELEMENTS;
        b[j] = scalar * c[at];
    }
}





static void Add(double *c)
{
    for (long j = 0; j < ELEMENTS; j++)
        c[j] = a[j] + b[j];
}






static void Triad(const double *c, double scalar)
{
    for (long j = 0; j < ELEMENTS; j++)
        a[j] = b[j] + scalar * c[j];
}
