/* A short GraphBLAS computation that prints its result, and what the interposer (when there is one) says of
 * it. */
#ifndef CUGRB_TESTS_COMPUTATION_H
#define CUGRB_TESTS_COMPUTATION_H

/* Returns 0 when every call succeeded. With `fork_in_the_middle` the second half runs in a child process as
 * well. */
int run_computation(int fork_in_the_middle);

#endif
