/* Times scan(): for each number of scans on a line of the input, one line with nanoseconds of a scan and the checksum. */
#include <stdio.h>
#include <time.h>
#ifdef __cplusplus
extern "C" {
#endif
void scan(void);
long long result(void);
#ifdef __cplusplus
}
#endif
static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e9 + t.tv_nsec;
}
int main(void) {
  long scans;
  while (scanf("%ld", &scans) == 1) {
    double begin = now();
    for (long i = 0; i < scans; i++) scan();
    printf("%.3f %lld\n", (now() - begin) / scans, result());
    fflush(stdout);
  }
  return 0;
}
