#include <stdint.h>
#include <string.h>
/* Texts as S7 has them: most characters, characters in use, characters. What has no room is cut. */
#define TEXT(n) struct { uint8_t most, length; char text[n]; }
typedef struct { uint8_t most, length; char text[254]; } Text;
#define T(x) ((Text *)(void *)&(x))
#define CONSTANT(name, value) static const struct { uint8_t most, length; char text[sizeof value - 1]; } name = {sizeof value - 1, sizeof value - 1, value}

static int least(int a, int b) { return a < b ? a : b; }
static void assign(Text *to, const Text *from) {
  int length = least(to->most, from->length);
  memmove(to->text, from->text, length);
  to->length = (uint8_t)length;
}
static void append(Text *to, const Text *from) {
  int length = least(to->most - to->length, from->length);
  memmove(to->text + to->length, from->text, length);
  to->length = (uint8_t)(to->length + length);
}
/* A part from position `start`, from 0. */
static void part(Text *to, const Text *from, int start, int length) {
  if (length < 0 || start < 0 || start > from->length) length = 0;
  length = least(least(length, from->length - start), to->most);
  memmove(to->text, from->text + start, length);
  to->length = (uint8_t)length;
}
/* Puts `other` in the place of `removed` characters; the target is no other text. */
static void splice(Text *to, const Text *from, const Text *other, int start, int removed) {
  int first = least(start, to->most);
  memcpy(to->text, from->text, first);
  int second = least(to->most - first, other->length);
  memcpy(to->text + first, other->text, second);
  int third = least(to->most - first - second, from->length - start - removed);
  memcpy(to->text + first + second, from->text + start + removed, third);
  to->length = (uint8_t)(first + second + third);
}
static int find(const Text *in, const Text *other) {
  for (int i = 0; i + other->length <= in->length; i++)
    if (in->text[i] == other->text[0] && memcmp(in->text + i, other->text, other->length) == 0) return i + 1;
  return 0;
}
static int compare(const Text *a, const Text *b) {
  int order = memcmp(a->text, b->text, least(a->length, b->length));
  return order ? order : a->length - b->length;
}

static struct Entry { TEXT(16) name; TEXT(10) number; TEXT(8) unit; } entries[16];
static TEXT(200) message = {200}, rest = {200};
static TEXT(80) line = {80};
static TEXT(40) field = {40};
static int32_t scans, checksum;
CONSTANT(station, "Station-");
CONSTANT(zeros, "000000");
CONSTANT(speed, "mm/s");
CONSTANT(semicolon, ";");
CONSTANT(bar, "|");
CONSTANT(wanted, "n-C");
CONSTANT(mark, "<<");
CONSTANT(low, "000500");
CONSTANT(empty, "");

void scan(void) {
  Text made = {254};
  TEXT(1) one = {1, 1};
  scans++;
  for (int i = 0; i <= 15; i++) {
    struct Entry *entry = &entries[i];
    entry->name.most = 16, entry->number.most = 10, entry->unit.most = 8;
    one.text[0] = (char)(65 + i);
    assign(T(entry->name), T(station));
    append(T(entry->name), T(one));
    assign(T(entry->number), T(zeros));
    one.text[0] = (char)(48 + scans % 10);
    splice(&made, T(entry->number), T(one), i % 6, 1);
    assign(T(entry->number), &made);
    assign(T(entry->unit), T(speed));
  }
  for (int i = 0; i <= 15; i++) {
    assign(T(line), T(entries[i].name));
    append(T(line), T(semicolon));
    append(T(line), T(entries[i].number));
    append(T(line), T(semicolon));
    append(T(line), T(entries[i].unit));
    if (i % 4 == 0) assign(T(message), T(line));
    else {
      append(T(message), T(bar));
      append(T(message), T(line));
    }
    if (i % 4 == 3) {
      int count = 0;
      assign(T(rest), T(message));
      for (int position = find(T(rest), T(bar)); position > 0; position = find(T(rest), T(bar))) {
        part(T(field), T(rest), 0, position - 1);
        splice(&made, T(rest), T(empty), 0, position);
        assign(T(rest), &made);
        if (find(T(field), T(wanted)) > 0) {
          splice(&made, T(field), T(mark), 3, 0);
          assign(T(field), &made);
        }
        count += field.length;
      }
      part(T(field), T(rest), find(T(rest), T(semicolon)), 6);
      if (compare(T(field), T(zeros)) == 0) count += 1;
      else if (compare(T(field), T(low)) > 0) count += 2;
      part(&made, T(rest), least(rest.length, rest.length - 5), 5);
      checksum += count + made.length;
    }
  }
}
long long result(void) { return checksum; }
