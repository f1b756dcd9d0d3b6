#include <math.h>
#include <stdint.h>
#include <stdlib.h>
static int32_t divisor(int32_t a, int32_t b) {
  int32_t x = abs(a), y = abs(b);
  while (y != 0) {
    int32_t rest = x % y;
    x = y;
    y = rest;
  }
  return x;
}
static int32_t choices(int16_t n, int16_t k) {
  if (k < 0 || k > n) return 0;
  int16_t least = n - k < k ? (int16_t)(n - k) : k;
  int32_t result = 1;
  for (int16_t i = 1; i <= least; i++) result = (int32_t)((uint32_t)result * (uint32_t)(n - least + i)) / i;
  return result;
}
static float series(float x) {
  float term = 1.0f, sum = 1.0f;
  for (int16_t i = 1; i <= 12; i++) {
    term = term * x / (float)i;
    sum = sum + term;
  }
  return sum;
}
static float xs[10], ys[10], level;
static int32_t scans, total, checksum;
void scan(void) {
  scans++;
  int32_t sum = 0;
  for (int16_t i = 1; i <= 100; i++) sum += i;
  int32_t a = 0, b = 1;
  for (int16_t i = 1; i <= 40; i++) {
    sum = a + b;
    a = b;
    b = sum;
  }
  total = b;
  for (int16_t i = 1; i <= 20; i++) {
    total += divisor(scans + i * 12, 360 + i);
    total += choices(i, i / 2);
  }
  for (int16_t i = 0; i <= 9; i++) {
    xs[i] = (float)i * 10.0f;
    ys[i] = series((float)i * 0.1f);
  }
  level = 0.0f;
  for (int16_t j = 0; j <= 19; j++) {
    float x = (float)j * 4.5f;
    for (int16_t i = 1; i <= 9; i++)
      if (xs[i] >= x) {
        level = level + ys[i - 1] + (ys[i] - ys[i - 1]) * (x - xs[i - 1]) / (xs[i] - xs[i - 1]);
        break;
      }
  }
  checksum = total % 1000000 + (int32_t)rintf(level * 100.0f);
}
long long result(void) { return checksum; }
