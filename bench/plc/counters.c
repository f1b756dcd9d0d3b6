#include <stdint.h>
static uint64_t total, state = 88172645463325252ull;
static int64_t counts[16];
static int32_t checksum;
void scan(void) {
  for (int32_t i = 1; i <= 1000; i++) {
    uint64_t bits = state;
    bits ^= bits << 13;
    bits ^= bits >> 7;
    bits ^= bits << 17;
    state = bits;
    total += state / 3;
    int32_t slot = (int32_t)(state % 16);
    counts[slot] = counts[slot] + 1;
  }
  checksum = (int32_t)(total % 1000000) + (int32_t)(counts[3] % 1000);
}
long long result(void) { return checksum; }
