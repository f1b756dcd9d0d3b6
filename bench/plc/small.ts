/**
 * Small programs of plants, with C twins: a few statements for each scan, as most function blocks have. Each puts what
 * it did into `checksum`. They are in the common part of SCL and IEC 61131-3.
 */

/** A small program. */
export interface SmallProgram {
  readonly name: string
  /** Members of the function block besides `scan` and `checksum`, as declared. */
  readonly members: string
  /** Statements of one scan; `#scan` counts the scans from 1. */
  readonly body: string
  /** The same in C: globals, and the statements of `scan`. */
  readonly globals: string
  readonly statements: string
}

/** The programs, small in code and time. */
export const smallPrograms: readonly SmallProgram[] = [
  {
    name: 'edge counter',
    members: 'signal : Bool; before : Bool; count : DInt;',
    body: `#signal := #scan MOD 3 = 0;
      IF #signal AND NOT #before THEN #count := #count + 1; END_IF;
      #before := #signal;
      #checksum := #count;`,
    globals: 'static uint8_t signal, before; static int32_t count;',
    statements: 'signal = scanned % 3 == 0; if (signal & !before) count++; before = signal; checksum = count;',
  },
  {
    name: 'FOR loop',
    members: 'i : Int; sum : DInt;',
    body: `#sum := 0;
      FOR #i := 1 TO 100 DO #sum := #sum * 3 + INT_TO_DINT(#i); END_FOR;
      #checksum := #sum + #scan;`,
    globals: 'static int16_t i; static int32_t sum;',
    statements:
      'sum = 0; for (i = 1; i <= 100; i++) sum = (int32_t)((uint32_t)sum * 3u + (uint32_t)i); checksum = (int32_t)((uint32_t)sum + (uint32_t)scanned);',
  },
  {
    name: 'WHILE loop',
    members: 'x : DInt; n : DInt;',
    body: `#x := 27 + #scan MOD 16;
      #n := 0;
      WHILE #x <> 1 DO
        IF #x MOD 2 = 0 THEN #x := #x / 2; ELSE #x := 3 * #x + 1; END_IF;
        #n := #n + 1;
      END_WHILE;
      #checksum := #checksum + #n;`,
    globals: 'static int32_t x, n;',
    statements:
      'x = 27 + scanned % 16; n = 0; while (x != 1) { if (x % 2 == 0) x = x / 2; else x = 3 * x + 1; n++; } checksum += n;',
  },
  {
    name: 'latches',
    members: 'start : Bool; stop : Bool; fault : Bool; motor : Bool; fan : Bool; lamp : Bool; n : DInt;',
    body: `#start := #scan MOD 5 = 0;
      #stop := #scan MOD 7 = 0;
      #fault := #scan MOD 11 = 0;
      #motor := (#start OR #motor) AND NOT #stop AND NOT #fault;
      #fan := (#motor OR #fan) AND NOT #fault;
      #lamp := #fan AND NOT #motor OR #fault;
      IF #lamp THEN #n := #n + 1; END_IF;
      #checksum := #n;`,
    globals: 'static uint8_t start, stop, fault, motor, fan, lamp; static int32_t n;',
    statements: `start = scanned % 5 == 0; stop = scanned % 7 == 0; fault = scanned % 11 == 0;
      motor = (start | motor) & !stop & !fault; fan = (motor | fan) & !fault; lamp = (fan & !motor) | fault;
      if (lamp) n++; checksum = n;`,
  },
  {
    name: 'scaling',
    members: 'raw : Int; level : Real; low : Real := -10.0; high : Real := 250.0;',
    body: `#raw := DINT_TO_INT(#scan MOD 27649);
      #level := INT_TO_REAL(#raw) / 27648.0 * (#high - #low) + #low;
      IF #level < 0.0 THEN #level := 0.0; END_IF;
      IF #level > 240.0 THEN #level := 240.0; END_IF;
      #checksum := #checksum + REAL_TO_DINT(#level);`,
    globals: 'static int16_t raw; static float level, low = -10.0f, high = 250.0f;',
    statements: `raw = (int16_t)(scanned % 27649); level = (float)raw / 27648.0f * (high - low) + low;
      if (level < 0.0f) level = 0.0f; if (level > 240.0f) level = 240.0f; checksum += (int32_t)rintf(level);`,
  },
  {
    name: 'filter',
    members: 'input : Real; output : Real; rate : Real := 0.0625;',
    body: `#input := DINT_TO_REAL(#scan MOD 100);
      #output := #output + (#input - #output) * #rate;
      #checksum := REAL_TO_DINT(#output * 1000.0);`,
    globals: 'static float input, output, rate = 0.0625f;',
    statements:
      'input = (float)(scanned % 100); output = output + (input - output) * rate; checksum = (int32_t)rintf(output * 1000.0f);',
  },
  {
    name: 'two-point controller',
    members: 'level : DInt; pump : Bool; alarm : Bool; starts : DInt;',
    body: `IF #pump THEN #level := #level - 7; ELSE #level := #level + 5; END_IF;
      IF #level > 800 THEN
        IF NOT #pump THEN #starts := #starts + 1; END_IF;
        #pump := TRUE;
      ELSIF #level < 200 THEN
        #pump := FALSE;
      END_IF;
      #alarm := #level > 900 OR #level < 100;
      #checksum := #level + #starts;`,
    globals: 'static int32_t level, starts; static uint8_t pump, alarm;',
    statements: `if (pump) level -= 7; else level += 5;
      if (level > 800) { if (!pump) starts++; pump = 1; } else if (level < 200) pump = 0;
      alarm = (level > 900) | (level < 100); checksum = level + starts;`,
  },
  {
    name: 'steps',
    members: 'step : Int; ticks : DInt; valve : Bool; rounds : DInt;',
    body: `#ticks := #ticks + 1;
      CASE #step OF
        0: #valve := FALSE; IF #ticks >= 3 THEN #step := 10; #ticks := 0; END_IF;
        10: #valve := TRUE; IF #ticks >= 5 THEN #step := 20; #ticks := 0; END_IF;
        20: #valve := FALSE; IF #ticks >= 2 THEN #step := 30; #ticks := 0; END_IF;
        30: #rounds := #rounds + 1; #step := 0;
      ELSE
        #step := 0;
      END_CASE;
      #checksum := #rounds;`,
    globals: 'static int16_t step; static int32_t ticks, rounds; static uint8_t valve;',
    statements: `ticks++;
      switch (step) {
        case 0: valve = 0; if (ticks >= 3) { step = 10; ticks = 0; } break;
        case 10: valve = 1; if (ticks >= 5) { step = 20; ticks = 0; } break;
        case 20: valve = 0; if (ticks >= 2) { step = 30; ticks = 0; } break;
        case 30: rounds++; step = 0; break;
        default: step = 0;
      }
      checksum = rounds;`,
  },
  {
    name: 'moving average',
    members: 'values : Array[0..15] of DInt; position : Int; sum : DInt;',
    body: `#sum := #sum - #values[#position];
      #values[#position] := #scan MOD 1000;
      #sum := #sum + #values[#position];
      #position := #position + 1;
      IF #position > 15 THEN #position := 0; END_IF;
      #checksum := #sum / 16;`,
    globals: 'static int32_t values[16], sum; static int16_t position;',
    statements: `sum -= values[position]; values[position] = scanned % 1000; sum += values[position];
      position++; if (position > 15) position = 0; checksum = sum / 16;`,
  },
  {
    name: 'largest of 32',
    members: 'values : Array[0..31] of Int; i : Int; most : Int; seed : DInt;',
    body: `#values[DINT_TO_INT(#scan MOD 32)] := DINT_TO_INT(#scan * 37 MOD 30011);
      #most := #values[0];
      FOR #i := 1 TO 31 DO
        IF #values[#i] > #most THEN #most := #values[#i]; END_IF;
      END_FOR;
      #checksum := INT_TO_DINT(#most);`,
    globals: 'static int16_t values[32], i, most;',
    statements: `values[scanned % 32] = (int16_t)((int32_t)((uint32_t)scanned * 37u) % 30011); most = values[0];
      for (i = 1; i <= 31; i++) if (values[i] > most) most = values[i];
      checksum = most;`,
  },
  {
    name: 'shift register',
    members: 'bits : DWord := 16#1; n : DInt;',
    body: `IF (#bits AND 16#1) <> 16#0 THEN
        #bits := SHR(IN := #bits, N := 1) XOR 16#80200003;
        #n := #n + 1;
      ELSE
        #bits := SHR(IN := #bits, N := 1);
      END_IF;
      #checksum := #n;`,
    globals: 'static uint32_t bits = 1; static int32_t n;',
    statements: 'if ((bits & 1u) != 0u) { bits = (bits >> 1) ^ 0x80200003u; n++; } else bits >>= 1; checksum = n;',
  },
  {
    name: 'PI controller',
    members: 'value : Real; error : Real; part : Real; output : Real; gain : Real := 0.8; rate : Real := 0.05;',
    body: `#error := 50.0 - #value;
      #part := #part + #error * #rate;
      IF #part > 100.0 THEN #part := 100.0; ELSIF #part < 0.0 THEN #part := 0.0; END_IF;
      #output := #error * #gain + #part;
      IF #output > 100.0 THEN #output := 100.0; ELSIF #output < 0.0 THEN #output := 0.0; END_IF;
      #value := #value + (#output - #value) * 0.125;
      #checksum := REAL_TO_DINT(#value * 100.0);`,
    globals: 'static float value, error, part, output, gain = 0.8f, rate = 0.05f;',
    statements: `error = 50.0f - value; part = part + error * rate;
      if (part > 100.0f) part = 100.0f; else if (part < 0.0f) part = 0.0f;
      output = error * gain + part;
      if (output > 100.0f) output = 100.0f; else if (output < 0.0f) output = 0.0f;
      value = value + (output - value) * 0.125f; checksum = (int32_t)rintf(value * 100.0f);`,
  },
  {
    name: 'totals and alarms',
    members: 'flow : DInt; total : DInt; batch : DInt; isLow : Bool; isHigh : Bool; alarms : DInt;',
    body: `#flow := #scan MOD 130;
      #total := #total + #flow / 10;
      #isLow := #flow < 10;
      #isHigh := #flow > 120;
      IF #isLow OR #isHigh THEN #alarms := #alarms + 1; END_IF;
      IF #total >= 10000 THEN #total := #total - 10000; #batch := #batch + 1; END_IF;
      #checksum := #total + #batch + #alarms;`,
    globals: 'static int32_t flow, total, batch, alarms; static uint8_t isLow, isHigh;',
    statements: `flow = scanned % 130; total += flow / 10; isLow = flow < 10; isHigh = flow > 120;
      if (isLow | isHigh) alarms++; if (total >= 10000) { total -= 10000; batch++; }
      checksum = total + batch + alarms;`,
  },
]

/** The source of a function block of a small program. */
export function smallSource({ members, body }: SmallProgram, block: string): string {
  return `FUNCTION_BLOCK "${block}"
{ S7_Optimized_Access := 'TRUE' }
VERSION : 0.1
   VAR
      scan : DInt;
      checksum : DInt;
      ${members}
   END_VAR

BEGIN
  #scan := #scan + 1;
  ${body}
END_FUNCTION_BLOCK
`
}

/** Calls of a small program in one scan of `loopedSource`. */
export const callsInLoop = 1000

/** A block "Bench" that calls a small program `callsInLoop` times in a scan. */
export function loopedSource(program: SmallProgram): string {
  return `${smallSource(program, 'Small')}
FUNCTION_BLOCK "Bench"
{ S7_Optimized_Access := 'TRUE' }
VERSION : 0.1
   VAR
      it : "Small";
      checksum : DInt;
   END_VAR
   VAR_TEMP
      round : Int;
   END_VAR

BEGIN
  FOR #round := 1 TO ${callsInLoop} DO
    #it();
  END_FOR;
  #checksum := #it.checksum;
END_FUNCTION_BLOCK
`
}

/** The C twin. */
export function smallC({ globals, statements }: SmallProgram): string {
  return `#include <math.h>
#include <stdint.h>
static int32_t scanned, checksum;
${globals}
void scan(void) {
  scanned++;
  ${statements}
}
long long result(void) { return checksum; }
`
}
