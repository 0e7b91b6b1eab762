/* Linked to GraphBLAS in the usual ways. `direct fork` forks in the middle. */
#include "computation.h"

int main(int argc, char** argv) {
  (void)argv;
  return run_computation(argc > 1);
}
