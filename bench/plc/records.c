#include <stdint.h>
struct Order { int32_t number; int16_t priority; uint8_t isUrgent; float amounts[8]; int64_t stamp; };
static struct Order queue[32], done[16];
static int32_t next, seed = 7, checksum;
void scan(void) {
  for (int32_t i = 0; i <= 31; i++) {
    seed = (int32_t)((uint32_t)seed * 1103u + 12345u) % 65536;
    next++;
    queue[i].number = next;
    queue[i].priority = (int16_t)(seed % 100);
    queue[i].isUrgent = seed % 7 == 0;
    queue[i].amounts[i % 8] = (float)seed;
    queue[i].stamp = (int64_t)(int32_t)((uint32_t)next * 1000u);
  }
  for (int32_t i = 0; i <= 30; i++)
    for (int32_t j = 0; j <= 30 - i; j++)
      if (queue[j].priority > queue[j + 1].priority) {
        struct Order held = queue[j];
        queue[j] = queue[j + 1];
        queue[j + 1] = held;
      }
  for (int32_t i = 0; i <= 31; i++)
    if (queue[i].isUrgent || i % 5 == 0) done[queue[i].number % 16] = queue[i];
  checksum = done[3].number + queue[9].priority + (int32_t)(done[7].stamp % 1000000);
}
long long result(void) { return checksum; }
