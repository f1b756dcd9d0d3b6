/** The gateway's side of a controller: states, what each of them refuses, power-on and power-off. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { packageOf, testController } from '../../../test/controller.ts'
import { fails } from '../../../test/fails.ts'
import type { Controller, OperatingState, Transition } from './contract.ts'

const program = 'ORGANIZATION_BLOCK "Main"\nBEGIN\n  %MW0 := 7;\nEND_ORGANIZATION_BLOCK\n'
const all: readonly Transition[] = [
  'powerOn',
  'powerOff',
  'run',
  'stop',
  'memoryReset',
  'hold',
  'continue',
  'freeze',
  'unfreeze',
]

/** Checks that every transition not allowed is refused with the list of allowed ones, and changes nothing. */
async function refusesOthers(controller: Controller, state: OperatingState, allowed: readonly Transition[]) {
  assert.equal(controller.state, state)
  assert.deepEqual(controller.allowed, allowed)
  for (const transition of all)
    if (!allowed.includes(transition)) {
      const error = await fails(controller.change(transition), 'invalid_operating_state')
      const text = `${transition} is not possible in state ${state}. Allowed now: ${allowed.join(', ')}.`
      assert.deepEqual([error.message, error.details], [text, { extra: { state, allowed } }])
      assert.equal(controller.state, state)
    }
}

test('states follow each other as they are named, and each refuses what leads nowhere', async (t) => {
  const { controller, load } = await testController(t)
  const seen: string[] = []
  controller.events.on('state', (state, before) => seen.push(`${before} ${state}`))
  await refusesOthers(controller, 'Stop', ['run', 'memoryReset', 'powerOff'])
  await assert.rejects(controller.change('run'), { code: 'invalid_operating_state' }, 'no program')
  await load(program)
  assert.equal(await controller.change('run'), 'Run')
  await refusesOthers(controller, 'Run', ['stop', 'hold', 'freeze', 'powerOff'])
  assert.equal(await controller.change('hold'), 'Hold')
  await refusesOthers(controller, 'Hold', ['continue', 'stop', 'powerOff'])
  assert.equal(await controller.change('continue'), 'Run')
  assert.equal(await controller.change('freeze'), 'Freeze')
  await refusesOthers(controller, 'Freeze', ['unfreeze', 'stop', 'powerOff'])
  await assert.rejects(controller.advance({ cycles: 1 }), { code: 'invalid_operating_state' })
  assert.equal(await controller.change('unfreeze'), 'Run')
  assert.equal(await controller.change('freeze'), 'Freeze')
  assert.equal(await controller.change('stop'), 'Stop')
  await assert.rejects(controller.advance({ cycles: 1 }), { code: 'invalid_operating_state' })
  assert.equal(await controller.change('powerOff'), 'Off')
  await refusesOthers(controller, 'Off', ['powerOn'])
  assert.equal(await controller.change('powerOn'), 'Stop')
  assert.deepEqual(seen, [
    ...['Stop Startup', 'Startup Run', 'Run Hold', 'Hold Run', 'Run Freeze', 'Freeze Run', 'Run Freeze', 'Freeze Stop'],
    ...['Stop ShuttingDown', 'ShuttingDown Off', 'Off Booting', 'Booting Stop'],
  ])
})

test('without power or program nothing can be read, written, forced, traced or loaded, and the answer says why', async (t) => {
  const { controller, load } = await testController(t)
  const bytes = new Uint8Array(1)
  const tries: Readonly<Record<string, () => Promise<unknown>>> = {
    Reading: () => controller.read([{ address: 0, size: 1 }]),
    Writing: () => controller.write([{ address: 0, bytes }]),
    Forcing: () => controller.setForces([{ key: 'a', address: 0, bytes }]),
    Modifying: () => controller.setModifications([{ key: 'a', address: 0, bytes, at: 'start' }]),
    Tracing: () => controller.startTrace({ ranges: [], samples: 1, everyCycles: 1 }),
    Advancing: () => controller.advance({ cycles: 1 }),
    Loading: () => load(program),
    'Setting the time': () => controller.setTime(0),
    'Raising an event': () => controller.raise(40, {}),
    This: () => controller.acknowledge({ all: true }, 'test'),
  }
  const refused = async (state: string, why: Readonly<Record<string, string>>, names = Object.keys(tries)) => {
    for (const name of names) {
      const { message } = await fails(tries[name]!(), 'invalid_operating_state')
      const reason = why[name] === undefined ? '' : `: ${why[name]}`
      const allowed = state === 'Off' ? 'powerOn' : 'run, memoryReset, powerOff'
      assert.equal(message, `${name} is not possible in state ${state}${reason}. Allowed now: ${allowed}.`)
    }
  }
  const noProgram = 'no program is loaded'
  const without = ['Reading', 'Writing', 'Forcing', 'Modifying', 'Tracing']
  await refused('Stop', Object.fromEntries(without.map((name) => [name, noProgram])), [...without, 'Advancing'])
  assert.deepEqual(
    [await controller.raise(40, {}), await controller.trace(), controller.program],
    ['lost', [], undefined],
  )
  await load(program)
  const outside = controller.read([{ address: 1e9, size: 1 }])
  await fails(outside, 'invalid_input', /^Bytes 1000000000 to 1000000001 lie outside the \d+ bytes of memory\.$/)
  for (const amount of [{ cycles: -1 }, { milliseconds: Number.NaN }, { cycles: Number.POSITIVE_INFINITY }])
    await fails(controller.advance(amount), 'invalid_input', /^Time cannot be advanced by (-1|NaN|Infinity)\.$/)
  await assert.rejects(controller.advance({ cycles: 1 }, AbortSignal.abort(new Error('no time'))), /no time/)
  await assert.rejects(controller.change('run', AbortSignal.abort(new Error('no run'))), /no run/)
  assert.equal(controller.state, 'Stop')
  await controller.change('run')
  const next = packageOf(program.replace('7', '8'))
  const inRun = 'Loading is not possible in state Run: it is loaded in STOP, or in RUN when that is asked for.'
  for (const work of [controller.load, controller.planLoad]) {
    const { message } = await fails(
      work.call(controller, next, { inRun: false, reinitialize: false }),
      'invalid_operating_state',
    )
    assert.equal(message, `${inRun} Allowed now: stop, hold, freeze, powerOff.`)
  }
  await controller.change('hold')
  await fails(
    controller.load(next, { inRun: true, reinitialize: false }),
    'invalid_operating_state',
    /^Loading .* Hold\. /,
  )
  await controller.change('powerOff')
  await refused('Off', {})
  assert.deepEqual([await controller.trace(), controller.program, controller.forces], [[], undefined, []])
  await controller.stopTrace()
  controller.network({ kind: 'note', text: 'nobody hears it' })
  assert.deepEqual(controller.statistics.cycles, 0)
})

test('after power-on it runs by itself, or as it did before, when it is told to', async (t) => {
  const first = await testController(t, { startup: 'Last' })
  const { controller } = first
  const again = async () => {
    await controller.change('powerOff')
    const expected = (await controller.willRun()) ? 'Run' : 'Stop'
    const state = await controller.change('powerOn')
    assert.equal(state, expected)
    return state
  }
  await first.load(program)
  assert.equal(await again(), 'Stop')
  await controller.change('run')
  assert.equal(await again(), 'Run')
  await controller.change('stop')
  assert.equal(await again(), 'Stop')
  await controller.configure({ ...controller.options, startup: 'Run' })
  assert.equal(await again(), 'Run')
  await controller.configure({ ...controller.options, startup: 'Stop' })
  assert.equal(await again(), 'Stop')
})

test('the time zone that the program sets outlives power-off, until the configuration has another one', async (t) => {
  const { controller, load, get, set } = await testController(t, { startup: 'Run', utcOffsetMinutes: 60 })
  // Eastern time of the USA, without daylight saving at the first of January.
  await load(`DATA_BLOCK "D"
VAR
  zone : SET_TIMEZONE; rule : TimeTransformationRule; local : DTL;
END_VAR
BEGIN
  rule.Bias := -300; rule.DaylightBias := 60;
  rule.DaylightStartMonth := 3; rule.DaylightStartWeek := 2; rule.DaylightStartWeekday := 1; rule.DaylightStartHour := 2;
  rule.StandardStartMonth := 11; rule.StandardStartWeek := 1; rule.StandardStartWeekday := 1; rule.StandardStartHour := 2;
END_DATA_BLOCK
ORGANIZATION_BLOCK "Main"
VAR_TEMP
  status : Int;
END_VAR
BEGIN
  "D".zone(REQ := %M0.0, TimeZone := "D".rule);
  #status := RD_LOC_T("D".local);
  %MB1 := USINT_TO_BYTE("D".local.HOUR);
END_ORGANIZATION_BLOCK`)
  const hourAfter = async (work: () => Promise<unknown>) => {
    await work()
    if (controller.state === 'Off') await controller.change('powerOn')
    if (controller.state === 'Stop') await controller.change('run')
    await controller.advance({ cycles: 5 })
    return get('%MB1')
  }
  const off = () => controller.change('powerOff')
  // The clock begins at midnight UTC at each power-on.
  assert.equal(await hourAfter(async () => undefined), 1)
  assert.equal(await hourAfter(() => set('%M0.0', 1)), 19)
  assert.equal(await hourAfter(off), 19)
  assert.equal(
    await hourAfter(async () => {
      await controller.change('stop')
      await controller.change('memoryReset')
      await off()
    }),
    19,
  )
  assert.equal(
    await hourAfter(async () => {
      await off()
      await controller.configure({ ...controller.options, utcOffsetMinutes: 120 })
    }),
    2,
  )
})

test('a controller without a program stands in Stop, whatever the startup says', async (t) => {
  const { controller } = await testController(t, { startup: 'Run' })
  assert.equal(controller.state, 'Stop')
  assert.equal(controller.program, undefined)
  assert.equal(await controller.willRun(), false)
  await assert.rejects(controller.read([]), /no program is loaded/)
})

test('the diagnostics buffer has the newest entry first and outlives power-off', async (t) => {
  const { controller, load } = await testController(t)
  const told: string[] = []
  controller.events.on('diagnostic', ({ code }) => told.push(code))
  await load(program)
  await controller.change('run')
  await controller.change('stop')
  await controller.change('memoryReset')
  await controller.change('powerOff')
  const changes = ['mode-change', 'mode-change', 'mode-change']
  const codes = ['power-off', 'memory-reset', ...changes, 'program-loaded', 'power-on']
  assert.deepEqual(
    controller.diagnostics.map(({ code }) => code),
    codes,
  )
  assert.deepEqual(told, codes.slice(0, -1).reverse())
  assert.deepEqual(
    controller.diagnostics.map(({ eventId }) => eventId),
    [undefined, 0x430e, 0x4304, 0x4302, 0x4301, undefined, 0x4300],
  )
  const numbers = controller.diagnostics.map(({ number }) => number)
  assert.deepEqual(
    numbers,
    [...numbers].sort((a, b) => b - a),
  )
  assert.ok(controller.diagnostics.every(({ time }) => time >= Date.UTC(2026, 0, 1)))
})
