/* Times scan(): nanoseconds of one scan, the best of several rounds. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
void scan(void);
long long result(void);
static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e9 + t.tv_nsec;
}
int main(int argc, char **argv) {
  long scans = argc > 1 ? atol(argv[1]) : 1000;
  double best = 1e300;
  for (int round = 0; round < 7; round++) {
    double begin = now();
    for (long i = 0; i < scans; i++) scan();
    double time = (now() - begin) / scans;
    if (time < best) best = time;
  }
  printf("%.3f %lld\n", best, result());
  return 0;
}
