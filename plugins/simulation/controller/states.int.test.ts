import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testController } from '../../../test/controller.ts'
import { until } from '../../../test/until.ts'
import type { OperatingState } from './contract.ts'

const program = 'ORGANIZATION_BLOCK "Main"\nBEGIN\n  %MW0 := 7;\nEND_ORGANIZATION_BLOCK\n'

test('sixteen controllers run side by side; one that hangs harms no other', async (t) => {
  const controllers = await Promise.all(
    Array.from({ length: 16 }, (_one, i) => testController(t, { startTime: i, maximumCycleTimeMs: 1e9 })),
  )
  const hanging =
    'DATA_BLOCK "D"\nVAR\n  on : Bool := TRUE;\nEND_VAR\nBEGIN\nEND_DATA_BLOCK\nORGANIZATION_BLOCK "Main"\nBEGIN\nWHILE "D".on DO %MW0 := 1; END_WHILE;\nEND_ORGANIZATION_BLOCK\n'
  await Promise.all(controllers.map(({ load }, i) => load(i === 0 ? hanging : program.replace('7', String(i)))))
  await Promise.all(controllers.map(({ controller }) => controller.change('run')))
  const [hung, ...others] = controllers
  const never = hung?.controller.advance({ cycles: 1 })
  await Promise.all(others.map(({ controller }) => controller.advance({ cycles: 5 })))
  for (const [i, { get, controller }] of others.entries()) {
    assert.equal(await get('%MW0'), i + 1)
    assert.equal(controller.statistics.cycles, 5)
  }
  assert.equal(await hung?.controller.change('stop'), 'Stop')
  assert.equal((await never)?.cycles, 0)
})

test('a stop that crosses one of the program is no error: the controller is in STOP', async (t) => {
  const { controller, load } = await testController(t)
  await load(program.replace('%MW0 := 7;', 'STP();'))
  await controller.change('run')
  // The thread reports the entry, then the state: in between it is in STOP, and the gateway has not heard of it.
  const stopping = new Promise<OperatingState>((resolve, reject) => {
    controller.events.once('diagnostic', ({ code }) => {
      assert.deepEqual([code, controller.state], ['stop-instruction', 'Run'])
      controller.change('stop').then(resolve, reject)
    })
  })
  await controller.advance({ cycles: 1 })
  assert.equal(await stopping, 'Stop')
  assert.equal(await controller.change('run'), 'Run')
})

test('HOLD: no block and no timer runs, outputs are off or kept as configured, the clock of the day goes on', async (t) => {
  for (const outputsInStop of ['Off', 'Keep'] as const) {
    const { controller, load, get, range } = await testController(t, {
      time: { mode: 'real', factor: 10 },
      maximumCycleTimeMs: 60_000,
      outputsInStop,
      cyclicInterrupts: { 30: { cycleTimeMs: 1 } },
    })
    await load(`DATA_BLOCK "T"\n{ InstructionName := 'IEC_TIMER' }\nIEC_TIMER\nBEGIN\nEND_DATA_BLOCK
ORGANIZATION_BLOCK "Main"\nBEGIN\n%QB4 := 77; %QB5:P := 66; "T".TON(IN := TRUE, PT := T#1H); %MD4 := TIME_TO_DINT("T".ET);\nEND_ORGANIZATION_BLOCK
ORGANIZATION_BLOCK "OB30"\nBEGIN\n%MW0 := %MW0 + 1;\nEND_ORGANIZATION_BLOCK\n`)
    const outputs = async () => {
      const areas = controller.program?.compiled.linked.areas ?? assert.fail()
      const { bytes } = await controller.read([{ address: areas.PQ.address + 4, size: 2 }])
      return [...(bytes[0] ?? [])]
    }
    await controller.change('run')
    await until(async () => (await get('%MW0')) >= 5, 'the block has run five times')
    await controller.change('hold')
    const before = [await get('%MW0'), await get('%MD4'), controller.statistics.cycles]
    const clock = controller.time
    assert.deepEqual(await outputs(), outputsInStop === 'Off' ? [0, 0] : [77, 66])
    await until(() => controller.time >= clock + 500, 'half a second of the day has passed')
    assert.deepEqual([await get('%MW0'), await get('%MD4'), controller.statistics.cycles], before)
    const held = controller.time
    await controller.change('continue')
    assert.ok(controller.time >= held, 'the clock does not jump back')
    const [, elapsed = 0] = before
    await until(async () => (await get('%MW0')) > (before[0] ?? 0), 'the block runs again')
    assert.ok((await get('%MD4')) - elapsed < controller.time - clock, 'the time in HOLD is not time of the timer')
    assert.deepEqual(await outputs(), [77, 66])
    // A slow machine may report lost cyclic interrupts in between.
    const changes = controller.diagnostics.map(({ eventId }) => eventId ?? 0).filter((id) => id >> 8 === 0x43)
    assert.deepEqual(changes.slice(0, 2), [0x4306, 0x4305])
    await controller.change('hold')
    assert.equal(await controller.change('stop'), 'Stop')
    assert.ok(controller.diagnostics.slice(0, 3).some(({ eventId }) => eventId === 0x430a))
    assert.deepEqual(await outputs(), outputsInStop === 'Off' ? [0, 0] : [77, 66])
    assert.ok(range('%MW0').size === 2)
  }
})

test('a time-of-day interrupt that the clock or HOLD skips calls OB 80', async (t) => {
  const { controller, load, get } = await testController(t)
  await load(`ORGANIZATION_BLOCK "Main"\nVAR_TEMP\n  s : Int;\nEND_VAR\nBEGIN
IF %MW0 = 0 THEN %MW0 := 1; #s := SET_TINTL(OB_NR := 10, SDT := DTL#2026-01-01-00:10:00, LOCAL := FALSE, PERIOD := 16#0401, ACTIVATE := TRUE); END_IF;
END_ORGANIZATION_BLOCK
ORGANIZATION_BLOCK "OB10"\nBEGIN\n%MW2 := %MW2 + 1;\nEND_ORGANIZATION_BLOCK
ORGANIZATION_BLOCK "OB80"\nVAR_INPUT\n  fault_id : Byte;\n  csg_OBnr : Int;\nEND_VAR\nBEGIN\n%MW4 := BYTE_TO_INT(#fault_id); %MW6 := #csg_OBnr;\nEND_ORGANIZATION_BLOCK\n`)
  await controller.change('run')
  await controller.advance({ cycles: 1 })
  await controller.setTime(Date.UTC(2026, 0, 1, 1, 0, 30))
  await controller.advance({ cycles: 1 })
  assert.deepEqual([await get('%MW2'), await get('%MW4'), await get('%MW6')], [0, 5, 10])
})
