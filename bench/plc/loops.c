#include <stdint.h>
static volatile int16_t last = 200, divisor = 7;
static int16_t i, values[256], least;
static int32_t n, seed = 12345, sum, scans, checksum;
void scan(void) {
  int16_t k;
  int32_t x, y;
  int16_t to = last;
  scans++;
  for (i = 0; i <= to; i++) {
    seed = (int32_t)((uint32_t)seed * 1103515245u + 12345u);
    values[i] = (int16_t)(seed / 65536);
  }
  sum = 0;
  int16_t by = divisor;
  for (i = 1; i <= to; i++) sum += (int16_t)(values[i] - values[i - 1]) % by;
  least = 32767;
  k = 0;
  while (k <= to && least > -32000) {
    if (values[k] < least) least = values[k];
    k++;
  }
  x = scans + 1000000;
  y = x;
  do y = (y + x / y) / 2;
  while (!(y * y <= x));
  x = 27 + scans % 64;
  n = 0;
  while (x != 1) {
    x = x % 2 == 0 ? x / 2 : 3 * x + 1;
    n++;
  }
  checksum = (int32_t)((uint32_t)checksum + (uint32_t)(sum + least + y + n + k));
}
long long result(void) { return checksum; }
