#include <stdint.h>
static struct Machine {
  uint8_t start, isRunning, alarm, isReset, isLatched;
  int16_t limit, state, count, level;
  int32_t parts;
} machines[100];
static int32_t scans, alarms, checksum;
static void machine(struct Machine *own) {
  switch (own->state) {
    case 0:
      own->isRunning = 0;
      if (own->start) own->state = 1;
      break;
    case 1:
      own->isRunning = 1;
      own->state = 2;
      break;
    case 2:
      own->parts++;
      own->level += 3;
      if (own->parts % 5 == 0) own->state = 3;
      break;
    case 3:
      own->level -= 10;
      own->state = 0;
      break;
    default:
      own->state = 0;
  }
  if (own->count >= own->limit) {
    own->count = 0;
    own->isReset = 1;
  } else {
    own->count++;
    own->isReset = 0;
  }
  own->isLatched = (own->isLatched | (own->level > 12)) & !own->isReset;
  own->alarm = own->isLatched & own->isRunning;
}
void scan(void) {
  scans++;
  for (int i = 0; i <= 99; i++) {
    machines[i].start = (scans + i) % 3 != 0;
    machines[i].limit = (int16_t)(20 + i);
    machine(&machines[i]);
    if (machines[i].alarm) alarms++;
  }
  checksum = alarms + machines[42].parts;
}
long long result(void) { return checksum; }
