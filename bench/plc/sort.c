#include <stdint.h>
static int16_t values[100];
static int32_t seed = 12345, checksum;
void scan(void) {
  for (int16_t i = 0; i <= 99; i++) {
    seed = (int32_t)((uint32_t)seed * 1103u + 12345u) % 65536;
    values[i] = (int16_t)(seed - 32768);
  }
  for (int16_t i = 0; i <= 98; i++)
    for (int16_t j = 0; j <= 98 - i; j++)
      if (values[j] > values[j + 1]) {
        int16_t held = values[j];
        values[j] = values[j + 1];
        values[j + 1] = held;
      }
  checksum = (int16_t)(values[0] + values[50]);
}
long long result(void) { return checksum; }
