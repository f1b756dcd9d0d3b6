#include <math.h>
struct Loop { float setpoint, value, gain, integral, last, output; };
static struct Loop loops[64];
static int checksum;
void scan(void) {
  for (int i = 0; i <= 63; i++) {
    loops[i].gain = 0.5f;
    loops[i].setpoint = 10.0f + (float)i;
    float error = loops[i].setpoint - loops[i].value;
    loops[i].integral = loops[i].integral + error * 0.01f;
    if (loops[i].integral > 50.0f) loops[i].integral = 50.0f;
    else if (loops[i].integral < -50.0f) loops[i].integral = -50.0f;
    float slope = (error - loops[i].last) * 0.1f;
    loops[i].last = error;
    loops[i].output = loops[i].gain * error + loops[i].integral + slope;
    loops[i].value = loops[i].value + (loops[i].output - loops[i].value) * 0.05f;
  }
  checksum = (int)rintf(loops[7].value * 1000.0f);
}
long long result(void) { return checksum; }
