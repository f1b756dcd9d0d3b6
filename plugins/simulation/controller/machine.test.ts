/**
 * The machine in stepped time, without its thread: what runs when, what it tells, and what is in memory after it, step
 * by step, as recorded in fixtures/machine.txt.
 */
import { test } from 'node:test'
import { packageOf, type TestTags, testOptions } from '../../../test/controller.ts'
import { assertRecorded } from '../../../test/recorded.ts'
import { readValue, writeValue } from '../tags/batch.ts'
import { resolveTag } from '../tags/resolve.ts'
import type { JsonValue } from '../tags/value-fault.ts'
import { partsOfProgram } from './active-program.ts'
import type { ControllerOptions, Force, LoadedProgram, Modification } from './contract.ts'
import { ControlBlock } from './control-block.ts'
import { eventText } from './event-ids.ts'
import { planCopies } from './load-plan.ts'
import { Machine } from './machine.ts'
import { makeRunnable, readPackage } from './runnable.ts'
import { TraceBuffer } from './trace-buffer.ts'

/** Every block notes its number when it runs. */
const log = `DATA_BLOCK "Log"
VAR
  n : Int;
  list : Array[0..99] of Int;
END_VAR
BEGIN
END_DATA_BLOCK
`
const note = (number: number) => `"Log".list["Log".n] := ${number}; "Log".n += 1;`
const data = (members: string, section = 'VAR') =>
  `DATA_BLOCK "Data"\n${section}\n${members}\nEND_VAR\nBEGIN\nEND_DATA_BLOCK\n`
const block = (name: string, body: string, variables = '') =>
  `ORGANIZATION_BLOCK "${name}"\n${variables}\nBEGIN\n${note(Number(/\d+/.exec(name)?.[0] ?? 1))}\n${body}\nEND_ORGANIZATION_BLOCK\n`
const inputs = (text: string) => `VAR_INPUT\n${text}\nEND_VAR`
const start = Date.UTC(2026, 0, 1)

interface Bench {
  /** Does something, and writes down what came of it. */
  do(what: string, work?: (machine: Machine) => unknown): void
  /** Lets virtual time pass, as the thread does. */
  pass(ms: number): void
  put(values: Readonly<Record<string, JsonValue>>): void
  load(source: string, reinitialize?: boolean): Promise<void>
  force(key: string, name: string, value: JsonValue): Force[]
  readonly control: ControlBlock
}

const lines: string[] = []

async function bench(
  title: string,
  source: string,
  options: Partial<ControllerOptions> = {},
  tags: TestTags = {},
): Promise<Bench> {
  lines.push('', `# ${title}`)
  const control = new ControlBlock()
  let program: LoadedProgram
  const machine = new Machine(
    control,
    testOptions('', { startTime: start, time: { mode: 'stepped', cycleTimeMs: 10 }, ...options }),
    {
      look: () => undefined,
      state: (state) => lines.push(`  is ${state}`),
      diagnostic: ({ time, severity, code, message, eventId, block: name }) =>
        lines.push(
          `  ${time - start} ms, ${severity} ${code}${eventId === undefined ? '' : ` ${eventText(eventId)}`}: ${message}${name === undefined ? '' : ` [${name}]`}`,
        ),
      alarms: ({ events }) => lines.push(...events.map(({ kind, alarm }) => `  alarm ${alarm.name} ${kind}`)),
      network: () => undefined,
      timeZone: () => undefined,
    },
    new SharedArrayBuffer(8),
    options.retentiveFlags === 7,
  )
  const shownOf = (name: string) => {
    const tag = resolveTag(program, name)
    const { bytes } = machine.read([{ address: tag.address, size: tag.size }])
    return readValue(tag, bytes)
  }
  let generation = 0
  const load = async (text: string, reinitialize = false) => {
    const before = generation === 0 ? undefined : program
    const next = await readPackage(packageOf(log + text, tags))
    const { copies } = planCopies(before && partsOfProgram(before), partsOfProgram(next), reinitialize)
    program = next
    const runnable = await makeRunnable(next)
    self.do(`load${reinitialize ? ' with start values' : ''}`, () => machine.load(runnable, copies, ++generation))
  }
  const self: Bench = {
    control,
    load,
    do(what, work = () => undefined) {
      lines.push(what)
      const answer = work(machine)
      if (answer !== undefined) lines.push(`  ${JSON.stringify(answer)}`)
      const { cycle, time } = control.boundary
      const ran = (shownOf('Log.list') as number[]).slice(0, Number(shownOf('Log.n')))
      const shown = program.symbols.dataBlocks
        .filter(({ name }) => name !== 'Log')
        .map(({ name }) => ` ${JSON.stringify(shownOf(name))}`)
      const seen = Object.keys(tags).map((name) => ` ${name}=${JSON.stringify(shownOf(name))}`)
      lines.push(`  cycle ${cycle}, ${time - start} ms, ran ${ran.join(' ') || '-'}${[...shown, ...seen].join('')}`)
      const tag = resolveTag(program, 'Log.n')
      machine.write([{ address: tag.address, bytes: new Uint8Array(2) }])
    },
    pass(ms) {
      self.do(`${ms} ms pass`, () => {
        const end = machine.time.nanoseconds + ms * 1e6
        while (machine.state === 'Run' && machine.next < end) {
          machine.time.moveTo(machine.next)
          machine.work(machine.time.nanoseconds)
        }
        if (machine.state !== 'Run') return
        machine.time.moveTo(end)
        machine.timeMoved()
      })
    },
    put(values) {
      const writes = Object.entries(values).flatMap(([name, value]) => writeValue(resolveTag(program, name), value))
      self.do(`write ${JSON.stringify(values)}`, () => machine.write(writes))
    },
    force: (key, name, value) => writeValue(resolveTag(program, name), value).map((write) => ({ ...write, key })),
  }
  await load(source)
  return self
}

test('states, cycles, interrupts and data, step by step', async () => {
  const cycles = await bench(
    'startup, cycles, start information; retentive flags and data; memory reset',
    `${data('first : Int; scan : Int; lost : Bool; count : Int;', 'VAR RETAIN')}
${block('OB100_Startup', '"Data".lost := #LostRetentive; "Data".scan := 0;', inputs('LostRetentive : Bool; LostRTC : Bool;'))}
${block('OB123_Startup', '')}
${block('OB1', 'IF #Initial_Call THEN "Data".first += 1; END_IF; "Data".count += 1; "Kept" := "Kept" + 1; "Lost" := "Lost" + 1;', inputs('Initial_Call : Bool; Remanence : Bool;'))}
${block('OB130', '"Out" := "In";')}`,
    { retentiveFlags: 7, clockMemoryByte: 8, systemMemoryByte: 9 },
    {
      Kept: 'Int at %MW0',
      Lost: 'Int at %MW6',
      In: 'Byte at %IB0',
      Out: 'Byte at %QB0',
      Clock: 'Byte at %MB8',
      System: 'Byte at %MB9',
    },
  )
  cycles.put({ In: 5 })
  cycles.do('run', (machine) => machine.run())
  cycles.pass(10)
  cycles.pass(45)
  cycles.do('STOP', (machine) => machine.stop())
  cycles.pass(20)
  cycles.do('run again', (machine) => machine.run())
  cycles.pass(10)
  cycles.do('freeze', (machine) => machine.freeze(true))
  cycles.pass(20)
  cycles.do('unfreeze', (machine) => machine.freeze(false))
  cycles.pass(5)
  cycles.do('hold', (machine) => machine.hold(true))
  cycles.put({ In: 6 })
  cycles.pass(20)
  cycles.do('continue', (machine) => machine.hold(false))
  cycles.pass(20)
  cycles.do('hold again', (machine) => machine.hold(true))
  cycles.do('STOP out of HOLD', (machine) => machine.stop())
  cycles.do('memory reset', (machine) => machine.memoryReset())
  cycles.do('run after it', (machine) => machine.run())
  cycles.pass(20)
  cycles.do('statistics', () => {
    const { executionLastMs: _1, executionMaximumMs: _2, executionAverageMs: _3, ...rest } = cycles.control.statistics
    return rest
  })

  const due = await bench(
    'interrupts by cycle, phase and priority, and between two of them a cycle',
    `${data('status : Int; sign : Word; info : Int; many : Int;')}
${block('OB1', 'IF %M0.0 THEN "Data".status := SRT_DINT(OB_NR := 20, DTIME := T#7ms, SIGN := W#16#1234); %M0.0 := FALSE; END_IF;')}
${block('OB20', '"Data".sign := #Sign;', inputs('Sign : Word;'))}
${block('OB30', '"Data".many := #Event_Count;', inputs('Initial_Call : Bool; Event_Count : Int;'))}
${block('OB31', '')}
${block('OB40', '"Data".info := UINT_TO_INT(#LADDR);', inputs('LADDR : UInt; USI : Word; IChannel : USInt; EventType : Byte;'))}`,
    {
      cyclicInterrupts: { 30: { cycleTimeMs: 5 }, 31: { cycleTimeMs: 10, phaseMs: 5 } },
      hardwareInterrupts: [{ byte: 2, bit: 1, edge: 'rising', organizationBlock: 40 }],
    },
    { Edge: 'Bool at %I2.1', Flag: 'Bool at %M0.0' },
  )
  due.do('an event before RUN', (machine) => machine.raise(40, { LADDR: 1 }))
  due.do('run', (machine) => machine.run())
  due.pass(10)
  due.put({ Flag: true })
  due.pass(20)
  due.put({ Edge: true })
  due.do('raise OB 40 and OB 41', (machine) => [machine.raise(40, { LADDR: 300 }), machine.raise(41, {})])
  due.pass(1)
  due.put({ Edge: false })
  due.pass(10)
  due.do('another cycle', (machine) =>
    machine.configure({
      ...machine.options,
      time: { mode: 'stepped', cycleTimeMs: 4 },
      cyclicInterrupts: { 30: { cycleTimeMs: 2 } },
    }),
  )
  due.pass(9)
  due.do('the clock is set', (machine) => machine.time.setSystemMilliseconds(start + 5000))
  due.pass(1)
  due.do('a late event', (machine) => {
    machine.time.moveTo(machine.time.nanoseconds + 11e6)
    machine.work(machine.time.nanoseconds)
    return cycles.control.statistics.lostEvents + due.control.statistics.lostEvents
  })
  due.pass(1)

  const forces = await bench(
    'forces, modifications and the process image',
    `${data('seen : Byte; n : Int;')}
${block('OB1', '"Data".seen := "In"; "Out" := "In"; "Data".n := "Data".n + 1;')}`,
    { outputsInStop: 'Keep' },
    { In: 'Byte at %IB1', Out: 'Byte at %QB1', Flag: 'Byte at %MB1' },
  )
  const modification = (at: Modification['at'], name: string, value: JsonValue, once = false): Modification[] =>
    forces.force(name, name, value).map((write) => ({ ...write, at, ...(once ? { once } : {}) }))
  const outputs = () =>
    forces.do('the periphery', (machine) => [
      ...machine.read([forces.force('', '%QB1:P', 0)[0]!].map(({ address }) => ({ address, size: 1 }))).bytes,
    ])
  forces.do('run', (machine) => machine.run())
  forces.put({ In: 3 })
  forces.pass(20)
  outputs()
  forces.do('force the input', (machine) => machine.setForces(forces.force('In', 'In', 9)))
  forces.put({ In: 4 })
  forces.pass(20)
  forces.do('force the output', (machine) => machine.setForces(forces.force('Out', 'Out', 8)))
  forces.pass(20)
  outputs()
  forces.do('modify', (machine) =>
    machine.setModifications([
      ...modification('start', 'In', 7),
      ...modification('end', 'Flag', 2, true),
      ...modification('stop', 'Flag', 3),
    ]),
  )
  forces.pass(10)
  forces.put({ Flag: 1 })
  forces.pass(10)
  forces.do('STOP', (machine) => machine.stop())
  outputs()
  forces.do('no forces', (machine) => machine.setForces([]))
  outputs()

  const loads = await bench(
    'a load in RUN keeps values and goes on; a trace ends with it',
    `${data('a : Int := 1; b : Int := 2;')}\n${block('OB1', '"Data".a := "Data".a + 1;')}`,
    {},
    { In: 'Byte at %IB1' },
  )
  loads.do('run', (machine) => machine.run())
  loads.put({ In: 3 })
  const ranges = [
    {
      address: resolveTag(
        await readPackage(
          packageOf(`${log}${data('a : Int := 1; b : Int := 2;')}\n${block('OB1', '"Data".a := "Data".a + 1;')}`, {
            In: 'Byte at %IB1',
          }),
        ),
        'Data.a',
      ).address,
      size: 2,
    },
  ]
  const traceOptions = { ranges, samples: 3, everyCycles: 2 }
  const trace = new TraceBuffer(traceOptions)
  loads.do('trace', (machine) => machine.startTrace('', traceOptions, trace.buffer))
  loads.pass(100)
  const samples = () =>
    trace.samples().map(({ cycle, time, bytes }) => [cycle, time - start, ...bytes.map((one) => [...one])])
  loads.do('samples', samples)
  loads.do('the trace ends', (machine) => machine.stopTrace(''))
  loads.pass(20)
  loads.do('samples', samples)
  await loads.load(`${data('n : Int := 5; a : Int := 1;')}\n${block('OB1', '"Data".a := "Data".a + 100;')}`)
  loads.pass(10)
  await loads.load(`${data('n : Int := 5; a : Int := 1;')}\n${block('OB1', '"Data".a := "Data".a + 100;')}`, true)
  loads.pass(10)

  const faults = await bench(
    'faults: masked by OB 121, without it, in it, STP, and calls that are nested too deep',
    `FUNCTION "Deep" : Void\nVAR_INPUT\n  n : Int;\nEND_VAR\nBEGIN\nIF #n > 0 THEN "Deep"(#n - 1); END_IF;\nEND_FUNCTION
${data('list : Array[0..3] of Int; i : Int; stop : Bool; deep : Int; fault : Byte; number : UInt; kind : USInt; wide : USInt; area : USInt; block : DB_ANY; ob : OB_ANY; priority : USInt; again : Bool;')}
${block('OB1', '"Data".list["Data".i] := 7; IF "Data".stop THEN STP(); END_IF; "Deep"("Data".deep);')}
${block('OB121', '"Data".fault := #Fault_ID; "Data".number := #BlockNr; "Data".kind := #BlockType; "Data".wide := #Width; "Data".area := #Area; "Data".block := #DBNr; "Data".ob := #Csg_OBNr; "Data".priority := #Csg_Prio; IF "Data".again THEN "Data".list["Data".i] := 8; END_IF;')}`,
  )
  faults.do('run', (machine) => machine.run())
  faults.put({ 'Data.i': 4 })
  faults.pass(20)
  faults.put({ 'Data.again': true })
  faults.pass(10)
  faults.put({ 'Data.i': 0 })
  faults.do('run', (machine) => machine.run())
  faults.put({ 'Data.stop': true })
  faults.pass(10)
  faults.do('run', (machine) => machine.run())
  faults.put({ 'Data.stop': false, 'Data.deep': 32_000 })
  faults.pass(10)
  await faults.load(
    `${data('list : Array[0..3] of Int; i : Int := 9;')}\n${block('OB1', '"Data".list["Data".i] := 7;')}`,
  )
  faults.do('run without OB 121', (machine) => machine.run())
  faults.pass(10)

  const busy = (ms: number) => `FOR #i := 1 TO ${ms * 1_000_000} DO #x := #x + 1; END_FOR;`
  const temps = 'VAR_TEMP\n  i : DInt; x : DInt;\nEND_VAR'
  const long = await bench(
    'long cycles: interrupts in the middle, OB 80, and STOP at twice the time',
    `${data('ms : Int; fault : Byte; ob : OB_ANY; priority : USInt; time : Int;')}
${block('OB1', `CASE "Data".ms OF 3: ${busy(3)} 6: ${busy(6)} 11: ${busy(11)} END_CASE; ${note(2)}`, temps)}
${block('OB30', '')}
${block('OB31', `IF "Data".time = 1 THEN ${busy(6)} END_IF; ${note(32)}`, temps)}
${block('OB80', '"Data".fault := #Fault_ID; "Data".ob := #Csg_OBNr; "Data".priority := #Csg_Prio;')}`,
    { maximumCycleTimeMs: 5, cyclicInterrupts: { 30: { cycleTimeMs: 2 }, 31: { cycleTimeMs: 20 } } },
  )
  long.do('run', (machine) => machine.run())
  long.pass(10)
  long.put({ 'Data.ms': 3 })
  long.pass(10)
  long.put({ 'Data.ms': 6 })
  long.pass(10)
  long.put({ 'Data.ms': 0, 'Data.time': 1 })
  long.pass(20)
  long.put({ 'Data.ms': 11, 'Data.time': 0 })
  long.pass(10)
  long.do('what was counted', () => {
    const { cycles: all, overruns, lostEvents, lastMs, minimumMs, maximumMs } = long.control.statistics
    return { all, overruns, lostEvents, lastMs, minimumMs, maximumMs }
  })
  assertRecorded(import.meta.url, 'machine.txt', `${lines.join('\n').trim()}\n`)
})
