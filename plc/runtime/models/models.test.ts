/** System blocks as models: jobs without a partner, controllers, axes; in both layouts. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import { isModelled, namesOfModels } from '../../library/model-names.ts'
import { functionBlocks } from '../../model/system-function-blocks.ts'
import { systemTypeNamed } from '../../program/system-types.ts'
import { runSource } from '../../testing/lower-source.ts'
import { models } from './models.ts'

test('the compiler calls exactly the models that the runtime has', () => {
  assert.deepEqual([...namesOfModels()].sort(), Object.keys(models).sort())
})

const layouts = ['TRUE', 'FALSE'] as const

function main(declarations: string, body: string, isOptimized: string): string {
  return `FUNCTION_BLOCK "Main"\n{ S7_Optimized_Access := '${isOptimized}' }\nVAR\n${declarations}\nEND_VAR\nBEGIN\n${body}\nEND_FUNCTION_BLOCK\n`
}

/** Values of members after each of `calls` calls; the clock moves on by `step` ms before each. */
function trace(source: string, names: readonly string[], calls: number, step = 10): unknown[][] {
  const run = runSource(source)
  return Array.from({ length: calls }, () => {
    run.clock.advanceMilliseconds(step)
    run.scan()
    return names.map((name) => run.get(name))
  })
}

test('every interface in the table belongs to a model, or says so by its name', () => {
  const bases = new Set(['GRAPH_BASE', 'ALARM_BASE', 'MB_BASE'])
  const names = functionBlocks
    .trim()
    .split('\n')
    .map((line) => line.split(' ')[0] as string)
  assert.deepEqual(
    names.filter((name) => !isModelled(name) && !bases.has(name)),
    [],
  )
  for (const name of names) assert.equal(systemTypeNamed(name)?.name, name)
})

for (const layout of layouts)
  describe(`optimized access ${layout}`, () => {
    test('a job is busy for some calls, then ends with its error for one call, and starts again with the next edge', () => {
      const source = main(
        'r : RDREC; m : TMAIL_C; n : Int; d : Word; s1 : DWord; e1 : Bool; b : Bool; e2 : Bool; s2 : Word;',
        `#n += 1;
         #r(REQ := #n > 1 AND #n < 7, ID := 257, INDEX := 1, RECORD := #d, ERROR => #e1, STATUS => #s1);
         #m(REQ := #n = 2, BUSY => #b, ERROR => #e2, STATUS => #s2);`,
        layout,
      )
      const seen = trace(source, ['e1', 's1', 'b', 'e2', 's2'], 11)
      const idle = 0x0070_0000
      assert.deepEqual(
        seen.map(([error, status]) => [error, status]),
        [
          [0, idle],
          [0, 0x0070_0100],
          [0, 0x0070_0200],
          [1, 0xc080_9000],
          ...Array.from({ length: 7 }, () => [0, idle]),
        ],
      )
      assert.deepEqual(
        seen.map(([, , busy, error, status]) => [busy, error, status]),
        [
          [0, 0, 0x7000],
          [1, 0, 0x7001],
          ...Array.from({ length: 7 }, () => [1, 0, 0x7002]),
          [0, 1, 0x8010],
          [0, 0, 0x7000],
        ],
      )
    })

    test('without a network nothing can be reached: wrong IDs and descriptions are refused, others are not connected', () => {
      const source = main(
        'c : TCON; a : TCON_IP_v4; s : Word; x : TSEND; y : TSEND; p : PUT; d : Word; e : Array[0..2] of Word; v : Word;',
        `#a.ID := 1; #a.ConnectionType := 11; #a.ActiveEstablished := TRUE; #a.RemotePort := 2000; #a.RemoteAddress.ADDR[1] := 10;
         #c(REQ := TRUE, ID := 1, CONNECT := #a); IF #c.ERROR THEN #s := #c.STATUS; END_IF;
         #x(REQ := TRUE, ID := 0, DATA := #d); IF #x.ERROR THEN #e[0] := #x.STATUS; END_IF;
         #y(REQ := TRUE, ID := 1, DATA := #d); IF #y.ERROR THEN #e[1] := #y.STATUS; END_IF;
         #p(REQ := TRUE, ID := 16#100, ADDR_1 := P#DB7.DBX0.0 BYTE 2, SD_1 := P#M2.0 BYTE 2); IF #p.ERROR THEN #e[2] := #p.STATUS; END_IF;`,
        layout,
      )
      const last = trace(source, ['s', 'e[0]', 'e[1]', 'e[2]'], 4).at(-1)
      assert.deepEqual(last, [0x80c6, 0x8086, 0x80a1, 1])
    })

    test('PID_Compact: modes, limits, errors, pulses', () => {
      const source = main(
        'pid : PID_Compact; w : Real := 50.0; x : Real; y : Real; state : Int; bits : DWord; pwm : Bool; on : Int; n : Int; mode : Int := 3; manual : Bool;',
        `#n += 1;
         #pid.Config.InputPerOn := FALSE; #pid.Retain.CtrlParams.Ti := 2.0; #pid.Retain.CtrlParams.Cycle := 0.1;
         #pid(Setpoint := #w, Input := #x, ManualEnable := #n > 3000 AND #n < 3100, ManualValue := 12.5,
              Output => #y, State => #state, ErrorBits => #bits, Output_PWM => #pwm, Mode := #mode);
         IF #n < 3000 THEN #x += (#y - #x) * 0.02; END_IF;
         IF #n = 3050 THEN #on := 0; END_IF;
         IF #pwm THEN #on += 1; END_IF;
         IF #n > 3200 THEN #x := 500.0; END_IF;`,
        layout,
      )
      const seen = trace(source, ['x', 'y', 'state', 'bits'], 3210, 10)
      const [x, , state] = seen[2998] as number[]
      assert.ok(Math.abs((x as number) - 50) < 0.1, `${x}`)
      assert.equal(state, 3)
      assert.deepEqual(seen[3050]?.slice(1, 3), [12.5, 4])
      // Manual mode is over, and the law takes control without a jump.
      const [, y] = seen[3100] as number[]
      assert.equal(seen[3100]?.[2], 3)
      assert.ok(Math.abs((y as number) - 12.5) < 1, `${y}`)
      assert.equal((seen[3209]?.[3] as number) & 1, 1)
      assert.equal(seen[3209]?.[2], 3)
    })

    test('PID_3Step moves its actuator to where the output wants it', () => {
      const source = main(
        'pid : PID_3Step; position : Real; up : Bool; down : Bool; x : Real; mode : Int := 3;',
        `#pid.Config.InputPerOn := FALSE; #pid.Retain.CtrlParams.Ti := 5.0; #pid.Retain.CtrlParams.Cycle := 0.1; #pid.Retain.TransitTime := 10.0;
         #pid(Setpoint := 40.0, Input := #x, Output_UP => #up, Output_DN => #down, Mode := #mode);
         IF #up THEN #position += 1.0; END_IF; IF #down THEN #position -= 1.0; END_IF;
         #x += (#position - #x) * 0.02;`,
        layout,
      )
      const run = runSource(source)
      for (let i = 0; i < 3000; i++) {
        run.clock.advanceMilliseconds(100)
        run.scan()
      }
      assert.ok(Math.abs((run.get('x') as number) - 40) < 3, String(run.get('x')))
    })

    test('PID_Temp heats below the setpoint and cools above it', () => {
      const source = main(
        'pid : PID_Temp; x : Real := 20.0; h : Real; c : Real; mode : Int := 3;',
        `#pid.Config.InputPerOn := FALSE; #pid.Config.ActivateCooling := TRUE; #pid.Retain.CtrlParams.Heat.Cycle := 0.1;
         #pid(Setpoint := 50.0, Input := #x, OutputHeat => #h, OutputCool => #c, Mode := #mode); #x += 1.0;`,
        layout,
      )
      const seen = trace(source, ['h', 'c'], 100, 100) as number[][]
      assert.ok((seen[5]?.[0] ?? 0) > 0 && seen[5]?.[1] === 0)
      assert.ok((seen[99]?.[1] ?? 0) > 0 && seen[99]?.[0] === 0)
    })

    test('CONT_C controls a lag; by hand it gives what it is given', () => {
      const source = main(
        'c : CONT_C; x : Real; y : Real; n : Int; high : Bool; per : Word;',
        `#n += 1;
         #c(MAN_ON := #n > 2000, MAN := 25.0, SP_INT := 30.0, PV_IN := #x, TI := T#5s, CYCLE := T#100ms, GAIN := 1.0, LMN => #y, LMN_PER => #per, QLMN_HLM => #high);
         IF #n <= 2000 THEN #x += (#y - #x) * 0.02; END_IF;`,
        layout,
      )
      const seen = trace(source, ['x', 'y', 'per'], 2001, 100) as number[][]
      assert.ok(Math.abs((seen[1999]?.[0] ?? 0) - 30) < 0.05, `${seen[1999]}`)
      assert.deepEqual(seen[2000]?.slice(1), [25, 6912])
    })

    test('PULSEGEN: the share of pulses is that of the value', () => {
      const source = main(
        'g : PULSEGEN; up : Int; down : Int; n : Int;',
        `#n += 1;
         #g(INV := SEL(G := #n > 1000, IN0 := 30.0, IN1 := -70.0), PER_TM := T#1s, P_B_TM := T#20ms, CYCLE := T#10ms);
         IF #g.QPOS_P THEN #up += 1; END_IF; IF #g.QNEG_P THEN #down += 1; END_IF;`,
        layout,
      )
      assert.deepEqual(trace(source, ['up', 'down'], 2000).at(-1), [300, 700])
    })

    test('CONT_S opens while the value is too low, and stops', () => {
      const source = main(
        'c : CONT_S; x : Real; at : Real; i : Int; ups : Int;',
        `#c(LMNS_ON := FALSE, SP_INT := 40.0, PV_IN := #x, CYCLE := T#100ms, GAIN := 0.5, TI := T#10s, PULSE_TM := T#300ms, BREAK_TM := T#300ms, MTR_TM := T#20s, DEADB_W := 1.0);
         IF #c.QLMNUP THEN #at += 0.5; #ups += 1; END_IF; IF #c.QLMNDN THEN #at -= 0.5; END_IF;
         #x += (#at - #x) * 0.05;`,
        layout,
      )
      const seen = trace(source, ['x', 'ups'], 4000, 100) as number[][]
      assert.ok(Math.abs((seen[3999]?.[0] ?? 0) - 40) < 4, `${seen[3999]}`)
    })

    test('an axis is enabled, homed, positioned, taken over by another job, and stopped', () => {
      const source = main(
        `axis : TO_PositioningAxis; power : MC_Power; home : MC_Home; go : MC_MoveAbsolute; on : MC_MoveVelocity; halt : MC_Halt; n : Int;
         early : Word; done : Int; aborted : Int; inVelocity : Int; stopped : Int; homed : Bool;`,
        `#n += 1;
         #power(Axis := #axis, Enable := #n > 5);
         #home(Axis := #axis, Execute := #n = 10, Position := 5.0, Mode := 0);
         #go(Axis := #axis, Execute := #n = 3 OR #n = 20 OR #n = 400, Position := SEL(G := #n < 399, IN0 := 1000.0, IN1 := 105.0), Velocity := 50.0, Acceleration := 100.0, Deceleration := 100.0);
         #on(Axis := #axis, Execute := #n = 420, Velocity := 30.0, Acceleration := 100.0, Deceleration := 100.0, Direction := 2);
         #halt(Axis := #axis, Execute := #n = 600, Deceleration := 100.0);
         IF #n = 3 THEN #early := #go.ErrorID; END_IF;
         IF #go.Done AND #done = 0 THEN #done := #n; END_IF;
         IF #go.CommandAborted AND #aborted = 0 THEN #aborted := #n; END_IF;
         IF #on.InVelocity AND #inVelocity = 0 THEN #inVelocity := #n; END_IF;
         IF #halt.Done AND #stopped = 0 THEN #stopped := #n; END_IF;
         #homed := #axis.StatusWord.%X5;`,
        layout,
      )
      const names = [
        'axis.Position',
        'axis.Velocity',
        'early',
        'done',
        'aborted',
        'inVelocity',
        'stopped',
        'homed',
        'power.Status',
      ]
      const seen = trace(source, names, 700) as number[][]
      assert.equal(seen[10]?.[0], 5)
      // 100 units with 50/s and 100/s² up and down take 2.5 s, 250 calls after the one that starts.
      assert.ok(Math.abs((seen[699]?.[3] ?? 0) - 271) <= 6, `done in call ${seen[699]?.[3]}`)
      assert.equal(seen[350]?.[0], 105)
      assert.deepEqual([seen[699]?.[2], seen[699]?.[4], seen[699]?.[7], seen[699]?.[8]], [0x800f, 421, 1, 1])
      assert.ok((seen[550]?.[1] ?? 0) === -30, `${seen[550]}`)
      assert.ok((seen[699]?.[5] ?? 0) > 425 && (seen[699]?.[6] ?? 0) > 600)
      assert.equal(seen[699]?.[1], 0)
    })

    test('jogging: in both directions at once is refused', () => {
      const source = main(
        'axis : TO_SpeedAxis; power : MC_Power; jog : MC_MoveJog; n : Int;',
        `#n += 1; #power(Axis := #axis, Enable := TRUE);
         #jog(Axis := #axis, JogForward := #n > 2 AND #n < 50, JogBackward := #n = 40, Velocity := 10.0);`,
        layout,
      )
      const seen = trace(source, ['axis.Velocity', 'jog.ErrorID', 'jog.Busy'], 60) as number[][]
      assert.deepEqual(seen[30], [10, 0, 1])
      assert.deepEqual(seen[39]?.slice(1), [0x8007, 0])
      assert.deepEqual(seen[59]?.[1], 0)
    })
  })

// TIA Portal help of each block, "Parameter STATUS".
test('connections that are not there have the number of each block', () => {
  const source = main(
    'a : T_DIAG; b : T_RESET; c : TDISCON; d : TSEND; e : Word; s1 : Word; s2 : Word; s3 : Word; s4 : Word; r : TDiag_Status;',
    `#a(REQ := TRUE, ID := 5, RESULT := #r, STATUS => #s1); #b(REQ := TRUE, ID := 5, STATUS => #s2);
     #c(REQ := TRUE, ID := 5, STATUS => #s3); #d(REQ := TRUE, ID := 5, DATA := #e, STATUS => #s4);`,
    'TRUE',
  ).replace('r : TDiag_Status;', 'r : Word;')
  assert.deepEqual(trace(source, ['s1', 's2', 's3', 's4'], 1), [[0x80a3, 0x8081, 0x80a3, 0x80a1]])
})

// TIA Portal help of PID_Compact V2, "ErrorBits" and "Warning".
test('a mode that is none warns and changes nothing; values that are no numbers have their bits', () => {
  const source = main(
    'pid : PID_Temp; n : Int; mode : Int := 3; bits : DWord; warning : DWord; state : Int; zero : Real; sum : Real;',
    `#n += 1;
     IF #n = 3 THEN #mode := 9; END_IF;
     IF #n = 5 THEN #pid.SubstituteOutput := #zero / #zero; END_IF;
     #pid(Setpoint := 50.0, Input := 20.0, Mode := #mode, ModeActivate := #n = 3, ErrorAck := #n = 6,
       Disturbance := SEL(G := #n = 4, IN0 := 0.0, IN1 := #zero / #zero), ErrorBits => #bits, State => #state);
     #warning := #pid.Warning; #sum := #pid.PidOutputSum;`,
    'TRUE',
  )
  const seen = trace(source, ['state', 'bits', 'warning'], 6, 100)
  assert.deepEqual(
    seen.map(([state, , warning]) => [state, warning]),
    [
      [3, 0],
      [3, 0],
      [3, 0x80],
      [3, 0x80],
      [3, 0x80],
      [3, 0],
    ],
  )
  const bits = seen.map(([, value]) => value as number)
  assert.deepEqual(bits, [0, 0, 0, 0x4_0000, 0x6_0000, 0x2_0000])
  assert.ok(Number.isFinite(trace(source, ['sum'], 6, 100).at(-1)?.[0]))
})

// TIA Portal help of SHA2; the values are those of FIPS 180-4 for 'abc', and of big-endian words.
test('SHA2 hashes bytes, and words in one order whatever the access', () => {
  for (const layout of layouts) {
    const source = main(
      `h : SHA2; g : SHA2; bad : SHA2; abc : Array[0..2] of Byte := [16#61, 16#62, 16#63]; word : Word := 16#6162; sum : Array[0..31] of Byte; other : Array[0..27] of Byte;
       done : Bool; st : Word; st2 : Word; st3 : Word; n : Int; one : Byte; last : Byte; two : Byte;`,
      `#n += 1;
       #h(REQ := #n > 1, Data := #abc, HashLen := 256, Hash := #sum, Done => #done, Status => #st);
       #g(REQ := #n > 1, Data := #word, HashLen := 224, Hash := #other, Status => #st2);
       #bad(REQ := #n > 1, Data := #abc, HashLen := 200, Hash := #sum, Status => #st3);
       #one := #sum[0]; #last := #sum[31]; #two := #other[0];`,
      layout,
    )
    const seen = trace(source, ['st', 'done', 'one', 'last', 'two', 'st3'], 4)
    assert.deepEqual(
      seen.map(([status, done]) => [status, done]),
      [
        [0x7000, 0],
        [0x7001, 0],
        [0, 1],
        [0x7000, 0],
      ],
    )
    const expected = createHash('sha224').update('ab').digest()[0]
    assert.deepEqual(
      seen[3]?.slice(2, 5).map((byte) => (byte as number) & 0xff),
      [0xba, 0xad, expected],
    )
    assert.equal(seen[2]?.[5], 0x80a3)
  }
})

test('GetChecksum is not supported by a virtual controller, and says so', () => {
  const source = main(
    'g : GetChecksum; sum : Array[0..7] of Byte; a : Word; b : Word; c : Word;',
    `#g(Scope := 1, Range := 0, Subrange := 0, Checksum := #sum, Status => #a); #g(Scope := 9, Status => #b);
     #g(Scope := 1, Range := 1, Status => #c);`,
    'TRUE',
  )
  assert.deepEqual(trace(source, ['a', 'b', 'c'], 1), [[0x8091, 0x8080, 0x8081]])
})
