import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testController } from '../../../test/controller.ts'
import { until } from '../../../test/until.ts'

const data = (members: string) => `DATA_BLOCK "Data"\nVAR\n${members}\nEND_VAR\nBEGIN\nEND_DATA_BLOCK\n`
const block = (name: string, body: string, variables = '') =>
  `ORGANIZATION_BLOCK "${name}"\n${variables}\nBEGIN\n${body}\nEND_ORGANIZATION_BLOCK\n`
/** A loop of this many milliseconds of stepped time: each round takes a nanosecond. */
const busy = (ms: number) => `FOR #i := 1 TO ${ms * 1_000_000} DO "Data".rounds := "Data".rounds + 1; END_FOR;`
const counter = 'VAR_TEMP\n  i : DInt;\nEND_VAR'

test('a cyclic interrupt of 10 ms loses no event while OB 1 takes 27 ms', async (t) => {
  const { controller, load, get } = await testController(t, {
    time: { mode: 'stepped', cycleTimeMs: 1 },
    cyclicInterrupts: { 30: { cycleTimeMs: 10 } },
  })
  await load(`${data('n : Int; rounds : DInt; inside : Int; isInside : Bool; seen : DInt;')}
${block('Main', `"Data".isInside := TRUE; ${busy(27)} "Data".isInside := FALSE;`, counter)}
${block('OB30', '"Data".n := "Data".n + 1; IF "Data".isInside THEN "Data".inside := "Data".inside + 1; "Data".seen := "Data".rounds; END_IF;')}`)
  await controller.change('run')
  await controller.advance({ cycles: 4 })
  // Four cycles of 27 ms: OB 30 came at 10, 20 … 100 ms, each time in the middle of one.
  assert.deepEqual([await get('Data.n'), await get('Data.inside'), controller.statistics.lostEvents], [10, 10, 0])
  assert.equal(await get('Data.rounds'), 4 * 27_000_000)
  // The rest of a millisecond at the end of a cycle does not count.
  const seen = await get('Data.seen')
  assert.ok(Math.abs(seen - 100_000_000) < 4_000_000, `OB 30 sees what the loop keeps in a register: ${seen}`)
})

test('what an interrupt writes reaches the loop that waits for it, and nothing of it is overwritten', async (t) => {
  const { controller, load, get } = await testController(t, { cyclicInterrupts: { 30: { cycleTimeMs: 2 } } })
  await load(`${data('go : Bool; rounds : DInt; given : DInt;')}
${block('Main', '"Data".go := FALSE; WHILE NOT "Data".go DO "Data".rounds := "Data".rounds + 1; END_WHILE;')}
${block('OB30', '"Data".go := TRUE; "Data".given := "Data".given + 1; "Data".rounds := 0;')}`)
  await controller.change('run')
  await controller.advance({ milliseconds: 9 })
  assert.deepEqual(
    [controller.state, (await get('Data.given')) > 2, (await get('Data.rounds')) < 10],
    ['Run', true, true],
  )
})

test('interrupts nest by priority, and equal or lower ones wait', async (t) => {
  const { controller, load } = await testController(t, {
    time: { mode: 'stepped', cycleTimeMs: 100 },
    cyclicInterrupts: {
      30: { cycleTimeMs: 60, phaseMs: 1 },
      31: { cycleTimeMs: 60, phaseMs: 3 },
      38: { cycleTimeMs: 60, phaseMs: 2 },
    },
  })
  // Letters begin and end a block: OB 1 m M, OB 30 a A, OB 31 b B, OB 38 c C (priorities 1, 8, 9, 16).
  const log = (letter: string) => `"Data".order := CONCAT(IN1 := "Data".order, IN2 := '${letter}');`
  await load(`${data('order : String; rounds : DInt;')}
${block('Main', `${log('m')} ${busy(10)} ${log('M')}`, counter)}
${block('OB30', `${log('a')} ${busy(5)} ${log('A')}`, counter)}
${block('OB31', `${log('b')} ${log('B')}`)}
${block('OB38', `${log('c')} ${busy(2)} ${log('C')}`, counter)}`)
  await controller.change('run')
  await controller.advance({ cycles: 1 })
  const { linked } = controller.program?.compiled ?? assert.fail()
  const address = linked.dataBlocks.get('data')?.address ?? 0
  const { bytes } = await controller.read([{ address, size: 20 }])
  const text = Buffer.from(bytes[0] ?? [])
  assert.equal(text.toString('latin1', 2, 2 + (text[1] ?? 0)), 'macCbBAMacCbBA')
})

test('DIS_AIRT holds interrupts off until EN_AIRT', async (t) => {
  const { controller, load, get } = await testController(t, {
    time: { mode: 'stepped', cycleTimeMs: 100 },
    cyclicInterrupts: { 30: { cycleTimeMs: 2 } },
  })
  await load(`${data('n : Int; rounds : DInt; held : Int; late : Int; status : Int;')}
${block('Main', `"Data".status := DIS_AIRT(); ${busy(3)} "Data".held := "Data".n; "Data".status := EN_AIRT(); ${busy(3)} "Data".late := "Data".n;`, counter)}
${block('OB30', '"Data".n := "Data".n + 1;')}`)
  await controller.change('run')
  await controller.advance({ milliseconds: 1 })
  assert.deepEqual([await get('Data.held'), (await get('Data.late')) >= 2], [0, true])
})

test('the image of the inputs stays as it was at the beginning of the cycle, for OB 1 and for what interrupts it', async (t) => {
  const { controller, load, get, set } = await testController(t, { cyclicInterrupts: { 30: { cycleTimeMs: 2 } } })
  await load(`${data('before : Int; inside : Int; after : Int; rounds : DInt;')}
${block('Main', `"Data".before := %IW0; ${busy(5)} "Data".after := %IW0;`, counter)}
${block('OB30', '"Data".inside := %IW0; %QW0 := %IW0;')}`)
  await controller.change('run')
  await set('%IW0', 7)
  await controller.advance({ cycles: 1 })
  const values = async () => [await get('Data.before'), await get('Data.inside'), await get('Data.after')]
  assert.deepEqual([await values(), await get('%PQW0')], [[7, 7, 7], 0])
  await set('%IW0', 99)
  await controller.advance({ cycles: 1 })
  assert.deepEqual([await values(), await get('%PQW0')], [[99, 99, 99], 7], 'outputs leave with the next cycle')
})

test('stepped time under interrupts is the same whatever the steps', async (t) => {
  const run = async (steps: readonly number[]) => {
    const { controller, load, get } = await testController(t, {
      time: { mode: 'stepped', cycleTimeMs: 5 },
      cyclicInterrupts: { 30: { cycleTimeMs: 3 }, 35: { cycleTimeMs: 1, phaseMs: 0.3 } },
    })
    await load(`${data('a : DInt; b : DInt; rounds : DInt; mix : DInt; now : LDT; status : Int;')}
${block('Main', `${busy(7)} "Data".mix := "Data".mix * 3 + 1;`, counter)}
${block('OB30', `"Data".a := "Data".a + 1; "Data".mix := "Data".mix * 5 + "Data".rounds; ${busy(1)}`, counter)}
${block('OB35', '"Data".b := "Data".b + 1; "Data".mix := "Data".mix * 7 + "Data".rounds; "Data".status := RD_SYS_T("Data".now);')}`)
    await controller.change('run')
    for (const milliseconds of steps) await controller.advance({ milliseconds })
    return [await get('Data.a'), await get('Data.b'), await get('Data.mix'), await get('Data.now'), controller.time]
  }
  const whole = await run([60])
  assert.deepEqual(await run([60]), whole)
  assert.deepEqual((await run([1, 2, 20, 7, 30])).slice(0, 4), whole.slice(0, 4))
})

test('endless recursion and endless loops are ended by the watchdog, and the thread lives', async (t) => {
  const { controller, load, get } = await testController(t)
  const recursion = `FUNCTION "Tree" : Void
VAR_INPUT n : Int; END_VAR
BEGIN
IF #n > 0 THEN "Tree"(n := #n - 1); "Tree"(n := #n - 1); END_IF;
END_FUNCTION
`
  const codes = () => controller.diagnostics.map(({ code }) => code)
  for (const body of ['"Tree"(n := 60);', 'WHILE TRUE DO "Data".n := "Data".n + 1; END_WHILE;']) {
    await load(`${data('n : DInt;')}${recursion}${block('Main', body)}`)
    await controller.change('run')
    await controller.advance({ milliseconds: 1 })
    assert.equal(controller.state, 'Stop', body)
    assert.ok(codes().includes('cycle-time-exceeded'), body)
    assert.ok(!codes().includes('controller-ended'), body)
  }
  await load(`${data('n : DInt;')}${block('Main', '"Data".n := "Data".n + 1;')}`)
  await controller.change('run')
  await controller.advance({ cycles: 3 })
  assert.equal(await get('Data.n'), 3)
})

test('with real time an OB 1 of 27 ms loses no event of an OB 30 of 10 ms', async (t) => {
  const { controller, load, get } = await testController(t, {
    time: { mode: 'real', factor: 1 },
    maximumCycleTimeMs: 60_000,
    cyclicInterrupts: { 30: { cycleTimeMs: 10 } },
  })
  // OB 1 is busy until 27 ms of the clock have passed.
  await load(`${data('n : Int; inside : Int; isInside : Bool; lost : Int; cycles : Int;')}
${block(
  'Main',
  `#until := TIME_TCK() + T#27ms; "Data".isInside := TRUE;
WHILE TIME_TCK() < #until DO #rounds := #rounds + 1; END_WHILE;
"Data".isInside := FALSE; "Data".cycles := "Data".cycles + 1;`,
  'VAR_TEMP\n  until : Time;\n  rounds : DInt;\nEND_VAR',
)}
${block('OB30', '"Data".n := "Data".n + 1; IF "Data".isInside THEN "Data".inside := "Data".inside + 1; END_IF;')}
${block('OB80', '"Data".lost := "Data".lost + 1;')}`)
  // Before RUN begins: on a busy computer the answer comes when events have been due already.
  const begin = controller.time
  await controller.change('run')
  // Those that become due while the thread has no processor come between two cycles.
  await until(
    async () => (await get('Data.cycles')) >= 12 && (await get('Data.inside')) > 0,
    'twelve cycles have ended, and an event came in the middle of one',
  )
  await controller.change('freeze')
  const due = (controller.time - begin) / 10
  const [ran, calls] = [await get('Data.n'), await get('Data.lost')]
  const { lostEvents: lost } = controller.statistics
  // A busy computer may take several events at once, which call OB 80 once, or stop time before that call.
  assert.ok(calls <= lost, `${lost} losses called OB 80 ${calls} times`)
  // What became due between the last look and the freeze has not come yet; on a busy computer that may be some.
  assert.ok(ran + lost <= due + 1 && ran + lost >= 12 * 2, `${ran} events ran and ${lost} were lost of ${due} due`)
})
