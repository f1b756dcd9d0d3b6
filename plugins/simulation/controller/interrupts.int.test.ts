import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testController } from '../../../test/controller.ts'

const data = (members: string) => `DATA_BLOCK "Data"\nVAR\n${members}\nEND_VAR\nBEGIN\nEND_DATA_BLOCK\n`
const block = (name: string, body: string) => `ORGANIZATION_BLOCK "${name}"\nBEGIN\n${body}\nEND_ORGANIZATION_BLOCK\n`

test('cyclic interrupts come at their cycle and phase, exactly between the cycles', async (t) => {
  const { controller, load, get } = await testController(t, {
    time: { mode: 'stepped', cycleTimeMs: 10 },
    cyclicInterrupts: { 36: { cycleTimeMs: 4, phaseMs: 1 } },
  })
  await load(`${data('times : Array[0..9] of LDT; n : Int; cycles : Int; status : Int;')}
${block('Main', '"Data".cycles := "Data".cycles + 1;')}
${block('OB36', 'IF "Data".n < 10 THEN "Data".status := RD_SYS_T("Data".times["Data".n]); END_IF; "Data".n := "Data".n + 1;')}`)
  await controller.change('run')
  const begin = controller.time
  await controller.advance({ milliseconds: 20 })
  assert.deepEqual([await get('Data.n'), await get('Data.cycles')], [5, 2])
  const { linked } = controller.program?.compiled ?? assert.fail()
  const address = linked.dataBlocks.get('data')?.address ?? 0
  const { bytes } = await controller.read([{ address, size: 40 }])
  const view = new DataView(bytes[0]?.buffer ?? new ArrayBuffer(0), bytes[0]?.byteOffset)
  const times = Array.from({ length: 5 }, (_one, i) => Number(view.getBigInt64(8 * i, true) / 1000n) / 1000 - begin)
  assert.deepEqual(times, [1, 5, 9, 13, 17])
})

test('of interrupts that are due together the higher priority runs first, and all before the cycle', async (t) => {
  const { controller, load, get } = await testController(t, {
    time: { mode: 'stepped', cycleTimeMs: 10 },
    cyclicInterrupts: { 30: { cycleTimeMs: 10 }, 35: { cycleTimeMs: 10 }, 38: { cycleTimeMs: 10 } },
  })
  await load(`${data('order : DInt;')}
${block('Main', '"Data".order := "Data".order * 10 + 1;')}
${block('OB30', '"Data".order := "Data".order * 10 + 2;')}
${block('OB38', '"Data".order := "Data".order * 10 + 4;')}
${block('OB35', '"Data".order := "Data".order * 10 + 3;')}`)
  await controller.change('run')
  await controller.advance({ cycles: 2 })
  assert.equal(await get('Data.order'), 14321)
})

test('a program changes the cycle of its interrupts', async (t) => {
  const { controller, load, get } = await testController(t)
  await load(`${data('n : Int; status : Int; done : Bool;')}
${block('Main', 'IF NOT "Data".done THEN "Data".status := SET_CINT(OB_NR := 30, CYCLE := 2000, PHASE := 0); "Data".done := TRUE; END_IF;')}
${block('OB30', '"Data".n := "Data".n + 1;')}`)
  await controller.change('run')
  await controller.advance({ milliseconds: 21 })
  assert.deepEqual([await get('Data.status'), await get('Data.n')], [0, 10])
})

test('delay interrupts run once after their time, with their sign, and can be cancelled', async (t) => {
  const { controller, load, get, set } = await testController(t)
  await load(
    `${data('n : Int; sign : Word; status : Int; cancelled : Int;')}
${block(
  'Main',
  `IF %M0.0 THEN "Data".status := SRT_DINT(OB_NR := 20, DTIME := T#5ms, SIGN := W#16#1234); %M0.0 := FALSE; END_IF;
IF %M0.1 THEN "Data".cancelled := CAN_DINT(OB_NR := 20); %M0.1 := FALSE; END_IF;`,
)}
${block('OB20', '"Data".n := "Data".n + 1; "Data".sign := #Sign;')}`,
  )
  await controller.change('run')
  await set('%M0.0', 1)
  await controller.advance({ milliseconds: 5 })
  assert.deepEqual([await get('Data.status'), await get('Data.n')], [0, 0])
  await controller.advance({ milliseconds: 1 })
  assert.deepEqual([await get('Data.n'), await get('Data.sign')], [1, 0x1234])
  await controller.advance({ milliseconds: 20 })
  assert.equal(await get('Data.n'), 1)
  await set('%M0.0', 1)
  await controller.advance({ milliseconds: 2 })
  await set('%M0.1', 1)
  await controller.advance({ milliseconds: 20 })
  assert.deepEqual([await get('Data.n'), await get('Data.cancelled')], [1, 0])
})

test('time-of-day interrupts follow local time', async (t) => {
  const { controller, load, get } = await testController(t, {
    startTime: Date.UTC(2026, 0, 31, 22, 59, 59),
    utcOffsetMinutes: 60,
    time: { mode: 'stepped', cycleTimeMs: 100 },
  })
  await load(`${data('n : Int; status : Int; start : DTL := DTL#2026-01-01-00:00:00;')}
${block('Main', ';')}
${block('OB100', `"Data".status := SET_TINTL(OB_NR := 10, SDT := "Data".start, LOCAL := TRUE, PERIOD := W#16#1001, ACTIVATE := TRUE);`)}
${block('OB10', '"Data".n := "Data".n + 1;')}`)
  await controller.change('run')
  assert.equal(await get('Data.status'), 0)
  await controller.advance({ milliseconds: 1000 })
  assert.equal(await get('Data.n'), 0)
  await controller.advance({ milliseconds: 100 })
  assert.equal(await get('Data.n'), 1, 'midnight of the first of February')
})

test('what stands in STOP brings no interrupts; RUN begins anew', async (t) => {
  const { controller, load, get } = await testController(t, { cyclicInterrupts: { 30: { cycleTimeMs: 3 } } })
  await load(`${data('n : Int;')}${block('Main', ';')}${block('OB30', '"Data".n := "Data".n + 1;')}`)
  await controller.change('run')
  await controller.advance({ milliseconds: 5 })
  assert.equal(await get('Data.n'), 1)
  await controller.change('stop')
  await controller.change('run')
  assert.equal(await get('Data.n'), 0, 'warm restart')
  await controller.advance({ milliseconds: 3 })
  assert.equal(await get('Data.n'), 0)
  await controller.advance({ milliseconds: 1 })
  assert.equal(await get('Data.n'), 1)
})
