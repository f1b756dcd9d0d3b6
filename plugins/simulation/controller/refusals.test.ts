/** What a controller permits: by its protection, its state and its memory. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isGatewayError } from '../../../core/index.ts'
import { includesLevel, isProtection, openLevelOf, permitsPutGet, protectionOf } from './protection.ts'
import { requireInside, requireTraceable } from './requirements.ts'
import { allowedIn, wrongStateText } from './states.ts'

function refusal(call: () => unknown): string | undefined {
  try {
    call()
    return undefined
  } catch (error) {
    if (!isGatewayError(error)) throw error
    return `${error.code} ${error.message}`
  }
}

test('protection: what a download may set, and which level is open', () => {
  const hash = `scrypt:${'a'.repeat(22)}:${'b'.repeat(43)}`
  const right = { accessLevel: 'read', passwords: { full: hash }, putGetAccess: true, secureCommunication: false }
  assert.equal(isProtection(right), true)
  assert.equal(
    isProtection({
      ...right,
      displayPassword: hash,
      masterSecret: hash,
      users: [{ name: 'a', password: hash, level: 'hmi' }],
    }),
    true,
  )
  for (const change of [
    ...[
      { accessLevel: 'all' },
      { passwords: undefined },
      { passwords: { none: hash } },
      { passwords: { full: 'x' } },
      { putGetAccess: 1 },
    ],
    ...[{ secureCommunication: undefined }, { displayPassword: '' }, { masterSecret: `${hash}x` }, { users: {} }],
    ...[
      { users: [{ name: 'a', password: hash, level: 'none' }] },
      { users: [{ name: 5, password: hash, level: 'full' }] },
      { users: [null] },
    ],
  ])
    assert.equal(isProtection({ ...right, ...change }), false, JSON.stringify(change))
  assert.equal(isProtection(null), false)
  const levels = ['full', 'read', 'hmi', 'none'] as const
  assert.deepEqual(
    levels.map((level) => levels.filter((needed) => includesLevel(level, needed)).join(' ')),
    ['full read hmi none', 'read hmi none', 'hmi none', 'none'],
  )
  const controller = (security: unknown, options: object = {}) =>
    ({
      options,
      program: security === undefined ? undefined : { package: { manifest: JSON.stringify({ security }) } },
    }) as never
  const loaded = controller(right)
  assert.deepEqual(protectionOf(loaded), right)
  assert.equal(protectionOf(loaded), protectionOf(loaded))
  assert.equal(protectionOf(controller({ ...right, accessLevel: 'x' })), undefined)
  assert.equal(protectionOf(controller(undefined)), undefined)
  assert.equal(protectionOf({ program: { package: { manifest: 'no JSON' } } } as never), undefined)
  assert.equal(openLevelOf(controller(right, { protectionLevel: 3 })), 'read')
  assert.deepEqual(
    [undefined, 1, 2, 3].map((protectionLevel) => openLevelOf(controller(undefined, { protectionLevel }))),
    ['full', 'full', 'read', 'hmi'],
  )
  const may = (putGet: boolean, option: boolean | undefined, level: 'hmi' | 'none') =>
    permitsPutGet(controller({ ...right, putGetAccess: putGet }, { putGetAccess: option }), level)
  assert.deepEqual(
    [
      may(true, undefined, 'hmi'),
      may(true, true, 'hmi'),
      may(true, false, 'hmi'),
      may(false, true, 'hmi'),
      may(true, true, 'none'),
    ],
    [true, true, false, false, false],
  )
})
test('operating states, ranges and traces that are not possible', () => {
  const told = Object.fromEntries(
    (['Off', 'Booting', 'Stop', 'Startup', 'Run', 'Hold', 'Freeze', 'ShuttingDown'] as const).map((state) => [
      state,
      allowedIn(state).join(' '),
    ]),
  )
  assert.deepEqual(told, {
    ...{ Off: 'powerOn', Booting: '', Stop: 'run memoryReset powerOff', Startup: 'stop powerOff' },
    ...{
      Run: 'stop hold freeze powerOff',
      Hold: 'continue stop powerOff',
      Freeze: 'unfreeze stop powerOff',
      ShuttingDown: '',
    },
  })
  assert.equal(wrongStateText('Off', 'run'), 'run is not possible in state Off. Allowed now: powerOn.')
  assert.equal(
    wrongStateText('Booting', 'run', 'why'),
    'run is not possible in state Booting: why. Allowed now: nothing: wait until it is done.',
  )
  for (const [address, size] of [
    [0, 10],
    [10, 0],
    [3, 7],
  ] as const)
    assert.equal(
      refusal(() => requireInside([{ address, size }], 10)),
      undefined,
    )
  for (const [address, size] of [
    [-1, 2],
    [0, 11],
    [11, 0],
    [1.5, 1],
    [0, 0.5],
    [0, -1],
  ] as const)
    assert.equal(
      refusal(() =>
        requireInside(
          [
            { address: 0, size: 1 },
            { address, size },
          ],
          10,
        ),
      ),
      `invalid_input Bytes ${address} to ${address + size} lie outside the 10 bytes of memory.`,
    )
  const trace = { ranges: [{ address: 0, size: 4 }], samples: 1, everyCycles: 1 }
  assert.equal(
    refusal(() => requireTraceable(trace)),
    undefined,
  )
  const whole = 'invalid_input Samples, and cycles from one to the next, are whole numbers from 1 on.'
  for (const change of [{ samples: 0 }, { samples: 1.5 }, { everyCycles: 0 }, { everyCycles: 0.5 }])
    assert.equal(
      refusal(() => requireTraceable({ ...trace, ...change })),
      whole,
    )
  const time = 'invalid_input The time from one sample to the next is 0 ms or more.'
  assert.deepEqual(
    [0, 0.5, -1, Number.NaN].map((everyMs) => refusal(() => requireTraceable({ ...trace, everyMs }))),
    [undefined, undefined, time, time],
  )
  assert.match(
    refusal(() => requireTraceable({ ...trace, samples: 5_000_000 })) ?? '',
    /^invalid_input The trace would take \d+ bytes; at most 67108864 are possible\.$/,
  )
})
