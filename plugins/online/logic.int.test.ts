/** Networks with live values, and why a value is what it is: LAD, FBD, SCL, timers, instances, calls. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestGateway } from '../../test/harness.ts'
import { served } from '../../test/hmi.ts'
import { type Answer, newProject, plc, withController } from '../../test/online.ts'
import { fails } from '../../test/plant.ts'
import { textUntil } from '../../test/until.ts'

const bool = (section: string, name: string) => ({ section, name, dataType: 'Bool' })

const program = `
DATA_BLOCK "Pump_DB"
{ S7_Optimized_Access := 'TRUE' }
VERSION : 0.1
"Pump"
BEGIN
END_DATA_BLOCK
DATA_BLOCK "Second_DB"
{ S7_Optimized_Access := 'TRUE' }
VERSION : 0.1
"Pump"
BEGIN
END_DATA_BLOCK
FUNCTION_BLOCK "Sensor"
{ S7_Optimized_Access := 'TRUE' }
VERSION : 0.1
  VAR_INPUT
    raw : Int;
  END_VAR
  VAR_OUTPUT
    high : Bool;
  END_VAR
BEGIN
  #high := #raw > 5;
END_FUNCTION_BLOCK
FUNCTION_BLOCK "Line"
{ S7_Optimized_Access := 'TRUE' }
VERSION : 0.1
  VAR
    sensors : Array[1..2] of "Sensor";
    last : "Sensor";
    spare : "Pump";
  END_VAR
BEGIN
  #sensors[1](raw := 3);
  #sensors[2](raw := 7);
END_FUNCTION_BLOCK
DATA_BLOCK "Line_DB"
{ S7_Optimized_Access := 'TRUE' }
VERSION : 0.1
"Line"
BEGIN
END_DATA_BLOCK
DATA_BLOCK "Plant"
{ S7_Optimized_Access := 'TRUE' }
VERSION : 0.1
  VAR
    level : Real := 40.0;
    alarm : Bool;
  END_VAR
BEGIN
END_DATA_BLOCK
DATA_BLOCK "Wide"
{ S7_Optimized_Access := 'TRUE' }
VERSION : 0.1
  VAR
    v : Array[0..62] of Bool;
  END_VAR
BEGIN
END_DATA_BLOCK
TYPE "Recipe"
  STRUCT
    speed : Int;
  END_STRUCT;
END_TYPE
DATA_BLOCK "Active"
"Recipe"
BEGIN
END_DATA_BLOCK
DATA_BLOCK "Chosen"
"Recipe"
BEGIN
  speed := 7;
END_DATA_BLOCK
ORGANIZATION_BLOCK "Main"
{ S7_Optimized_Access := 'TRUE' }
VERSION : 0.1
BEGIN
  "Active" := "Chosen";
  "Pump_DB"(start := "Start", level := "Plant".level);
  IF "Released" THEN
    "Plant".alarm := "Plant".level > 80.0;
  ELSE
    "Plant".alarm := FALSE;
  END_IF;
  "Motor" := "Pump_DB".run;
  "Boxes"();
  "Line_DB"();
  "Wide".v[0] := ${Array.from({ length: 62 }, (_, i) => `"Wide".v[${i + 1}]`).join(' OR ')};
END_ORGANIZATION_BLOCK
`

interface Why {
  name: string
  value: unknown
  note?: string
  writers: {
    blockName: string
    instance?: string
    network: number
    line?: number
    text: string
    condition: unknown
    because: Cause[]
  }[]
}
interface Cause {
  kind: string
  text: string
  value: unknown
  isNegated: boolean
  operands: { text: string; value: unknown; name?: string; why?: Why }[]
  because: Cause[]
}

test('power flow and reasons follow the values of the controller', async (t) => {
  const at = await openTestGateway(t)
  const { call, gateway } = at
  await newProject(at, 'Logic')
  for (const [name, logicalAddress] of [
    ['Start', '%I0.0'],
    ['Released', '%I0.1'],
    ['Motor', '%Q0.0'],
    ['Latch', '%M5.0'],
  ] as const)
    await call('tags.add', { ...plc, name, dataType: 'Bool', logicalAddress })
  for (const [name, logicalAddress] of [
    ['Sum', '%MW10'],
    ['Copy', '%MW12'],
  ] as const)
    await call('tags.add', { ...plc, name, dataType: 'Int', logicalAddress })
  await call('blocks.create', {
    ...plc,
    name: 'Pump',
    type: 'FB',
    language: 'LAD',
    interface: [
      bool('Input', 'start'),
      bool('Input', 'stop'),
      { section: 'Input', name: 'level', dataType: 'Real' },
      bool('Output', 'run'),
      bool('Output', 'ready'),
      { section: 'Static', name: 'delay', dataType: 'TON_TIME', version: '1.0' },
    ],
  })
  await call('blocks.add-networks', {
    ...plc,
    blockName: 'Pump',
    networks: [
      { expressions: ['#ready := #delay.TON(IN := #level > 20.0 AND "Released", PT := T#2s).Q'] },
      { expressions: ['#run := (#start OR #run) AND #ready AND NOT #stop'] },
    ],
  })
  await call('blocks.create', { ...plc, name: 'Boxes', type: 'FC', language: 'LAD' })
  await call('blocks.add-networks', {
    ...plc,
    blockName: 'Boxes',
    networks: [
      { expressions: ['IF "Start" THEN "Sum" := "Sum" + 2; END_IF'] },
      { expressions: ['"Copy" := Move("Sum")'] },
      { expressions: ['IF "Released" THEN "Copy" := "Sum" * 3; END_IF'] },
      { expressions: ['S("Latch") := "Start"', 'R("Latch") := "Released"'] },
    ],
  })
  await call('blocks.import', { ...plc, content: program })
  await withController(at)
  const values = (network: number, more: object = {}) =>
    call<Answer>('online.network-values', { ...plc, blockName: 'Pump', network, ...more })
  const why = (name: string, depth = 4) => call<Why>('online.explain-value', { ...plc, name, depth })
  await fails(values(2), 'conflict', /program/i)
  await call('online.download', { ...plc, compile: true })
  await call('simulation.run', { name: 'Sim' })
  const set = async (tags: Record<string, unknown>, milliseconds = 10) => {
    await call('simulation.write-tags', { name: 'Sim', tags })
    await call('simulation.advance', { name: 'Sim', milliseconds })
  }
  await set({ Start: true })

  const off = await values(2)
  assert.deepEqual(
    [off.blockInstance, off.instances, off.language],
    ['"Pump_DB"', ['Pump_DB', 'Second_DB', '"Line_DB".spare'], 'LAD'],
  )
  // A block without an instance data block of its own has its multi-instances.
  const sensor = (more: object = {}) =>
    call<Answer>('online.network-values', { ...plc, blockName: 'Sensor', network: 1, ...more })
  const first = await sensor()
  assert.deepEqual(
    [first.blockInstance, first.instances],
    ['"Line_DB".sensors[1]', ['"Line_DB".sensors[1]', '"Line_DB".sensors[2]', '"Line_DB".last']],
  )
  const valuesOf = ({ operands: all }: Answer) => all.map(({ text, value }: Answer) => [text, value])
  assert.deepEqual(valuesOf(first), [
    ['#high', false],
    ['#raw', 3],
  ])
  assert.deepEqual(valuesOf(await sensor({ instance: first.instances[1] })), [
    ['#high', true],
    ['#raw', 7],
  ])
  const operands = (answer: Answer) => Object.fromEntries(answer.operands.map((one: Answer) => [one.text, one.value]))
  assert.deepEqual(operands(off), { '#start': true, '#run': false, '#ready': false, '#stop': false })
  const flowOf = (answer: Answer, operand: string, pin: string) => {
    const uId = answer.pins
      .find((one: Answer) => one.operand === operand && one.name.endsWith(' operand'))
      .name.split(' ')[0]
    return answer.pins.find((one: Answer) => one.name === `${uId} ${pin}`).value
  }
  assert.deepEqual([flowOf(off, '#start', 'out'), flowOf(off, '#ready', 'out')], [true, false])
  // The other instance has values of its own.
  assert.equal(operands(await values(2, { instance: '"Second_DB"' }))['#start'], false)
  // Every line of the picture is a pin of the answer.
  const svg = await call<string>('blocks.picture', { ...plc, blockName: 'Pump', network: 2 })
  const pins = new Set(off.pins.map((one: Answer) => one.name))
  const flows = [...svg.matchAll(/data-flow="([^"]+)"/g)].map((match) => match[1])
  assert.ok(flows.length > 5)
  assert.deepEqual(
    flows.filter((flow) => flow !== 'rail' && !pins.has(flow)),
    [],
  )

  // Motor ← Pump_DB.run ← #ready ← the timer ← "Released", which is the only open contact.
  const motor = await why('Motor')
  assert.deepEqual(
    [motor.value, motor.writers.map((one) => [one.blockName, one.text])],
    [false, [['Main', '"Motor" := "Pump_DB".run;']]],
  )
  const run = motor.writers[0]!.because[0]!.operands[0]!.why!
  assert.deepEqual(
    [run.name, run.writers[0]!.blockName, run.writers[0]!.network, run.writers[0]!.condition],
    ['"Pump_DB".run', 'Pump', 2, false],
  )
  assert.deepEqual(
    run.writers[0]!.because.map((one) => one.text),
    ['#ready'],
    'only what keeps it off',
  )
  const ready = run.writers[0]!.because[0]!.operands[0]!.why!
  const [timer] = ready.writers[0]!.because
  assert.match(timer!.text, /^TON #delay/)
  assert.deepEqual(
    timer!.because.map((one) => [one.text, one.value]),
    [['"Released"', false]],
  )
  const released = await why('"Released"')
  assert.match(released.note!, /input of the process/)

  await set({ Released: true }, 2100)
  const on = await values(2)
  assert.deepEqual([flowOf(on, '#run', 'in'), operands(on)['#run']], [true, true])
  const running = await why('Motor')
  assert.equal(running.value, true)
  const causes = running.writers[0]!.because[0]!.operands[0]!.why!.writers[0]!.because
  assert.deepEqual(causes.map((one) => [one.text, one.value, one.isNegated]).sort(), [
    ['#ready', true, false],
    ['#run', true, false],
    ['#start', true, false],
    ['#stop', true, true],
  ])
  // An input of an instance is written by its call; SCL tells the conditions around an assignment.
  const level = await why('"Pump_DB".level')
  assert.deepEqual(
    level.writers.map((one) => [one.blockName, one.text]),
    [['Main', 'level := "Plant".level']],
  )
  const alarm = await why('"Plant".alarm', 1)
  assert.deepEqual(
    alarm.writers.map(({ line, because }) => [line, because.map((one) => `${one.kind} ${one.text}`)]),
    [
      [4, ['condition "Released"', 'operand "Plant".level > 80.0']],
      [6, ['condition NOT ("Released")', 'operand FALSE']],
    ],
  )

  // What boxes write: the output, the box, what arrives there, and the inputs.
  const boxes = async (name: string) =>
    (await why(name, 1)).writers.map(({ network, text, condition, because }) => [
      `${network} ${text}`,
      condition,
      because.map(
        (one) =>
          `${one.kind} ${one.text} ${one.value} ${one.operands.map(({ text: own, value }) => `${own}=${value}`)}`,
      ),
    ])
  const given = (name: string, value: unknown) => `operand "${name}" ${value} "${name}"=${value}`
  const sum = (await why('Sum', 1)).value
  assert.deepEqual(await boxes('Sum'), [['1 Add.out => "Sum"', true, [given('Start', true), given('Sum', sum)]]])
  assert.deepEqual(await boxes('"copy"'), [
    ['2 Move.out1 => "Copy"', true, [given('Sum', sum)]],
    ['3 Mul.out => "Copy"', true, [given('Released', true), given('Sum', sum)]],
  ])
  assert.deepEqual(await boxes('Latch'), [
    ['4 SCoil "Latch"', true, [given('Start', true)]],
    ['4 RCoil "Latch"', true, [given('Released', true)]],
  ])

  // A value of a data block that is assigned as a whole.
  const active = await why('"Active".speed')
  assert.deepEqual(
    [active.value, active.writers.map(({ blockName, line, text }) => [blockName, line, text])],
    [7, [['Main', 1, '"Active" := "Chosen";']]],
  )
  // An answer explains sixty values: the one that was asked for, and 59 that decide it.
  const wide = (await why('"Wide".v[0]', 2)).writers[0]!.because[0]!.operands.map((one) => one.why!.note)
  assert.deepEqual(new Set(wide.slice(0, 59)), new Set(['No network of the program that can be read writes it.']))
  assert.deepEqual(wide.slice(59), Array(3).fill('An answer explains 60 values; ask for this one.'))

  await fails(values(9), 'not_found', /no network 9/)
  await fails(values(1, { instance: 'Nothing' }), 'not_found')
  await fails(why('Nothing'), 'not_found')
  await fails(why('Motor', 9), 'invalid_input')

  // The stream says what has changed.
  const { url, key } = await served(t, gateway)
  const end = new AbortController()
  const response = await fetch(`${url}/api/devices/PLC_1/blocks/Pump/networks/stream?intervalMs=20`, {
    headers: { 'X-API-Key': key },
    signal: end.signal,
  })
  const told = textUntil(response)
  await told(/"network":1.*"network":2.*\n\n/)
  await set({ Released: false })
  await told(/"text":"#ready","name":"\\"Pump_DB\\".ready","value":false/)
  end.abort()
  await fails(call('online.network-values', { ...plc, blockName: 'Plant', network: 1 }), 'not_found')
})
