import assert from 'node:assert/strict'
import { test } from 'node:test'
import { notFound, problem, problemsOf } from './problems.ts'

test('what a client sent appears in an error only as far as it helps', () => {
  const huge = 'ü'.repeat(400_000)
  const error = problem('invalid_input', `/name: "${huge}" is too long.`, {
    errors: [
      { path: '/name', message: `"${huge}" is too long`, value: huge },
      { path: '/rows', message: 'must be a list', value: { huge } },
      { path: '/rows/0', message: 'must be text', value: [huge] },
      { path: '/limit', message: 'must be >= 1', value: 0 },
    ],
  })
  assert.match(error.message, /^\/name: "ü+ … ü+" is too long\.$/)
  assert(error.message.length < 2100)
  const { errors = [] } = error.details
  assert(JSON.stringify(errors).length < 4000)
  assert.deepEqual(
    errors.map(({ value }) => (typeof value === 'string' ? value.slice(0, 8) : value)),
    ['üüüüüüüü', '[object]', '[array]', 0],
  )
})

test('a value of a fault is told whole up to 500 characters, an error up to 2000', () => {
  const told = (value: unknown) =>
    problem('invalid_input', '', { errors: [{ path: '/a', message: 'x', value }] }).details.errors?.[0]?.value
  assert.equal(told('v'.repeat(500)), 'v'.repeat(500))
  assert.equal(told('v'.repeat(501)), `${'v'.repeat(500)}…`)
  // ["…"] has four characters more than its text.
  assert.deepEqual(told(['v'.repeat(496)]), ['v'.repeat(496)])
  assert.equal(told(['v'.repeat(497)]), '[array]')
  assert.equal(told(null), null)
  assert.equal(problem('conflict', 'm'.repeat(2000)).message, 'm'.repeat(2000))
  assert.equal(problem('conflict', 'm'.repeat(2001)).message, `${'m'.repeat(1000)} … ${'m'.repeat(1000)}`)
})

test('an error of usual length is told as it was written', () => {
  const errors = [{ path: '/x', message: 'is missing', value: { a: 1 } }]
  const error = problem('invalid_input', '/x: is missing', { errors })
  assert.equal(error.message, '/x: is missing')
  assert.deepEqual(error.details.errors, errors)
})

test('of many faults of a request 50 are told, of a file 1001, then their number, also when the error is made again', () => {
  const faults = (count: number) => Array.from({ length: count }, (_, i) => ({ line: i + 1, message: 'is wrong' }))
  for (const [code, most] of [
    ['invalid_input', 50],
    ['unacceptable_content', 1001],
  ] as const) {
    const told = (count: number, moreFaults?: number) =>
      problem(code, '', { errors: faults(count), ...(moreFaults === undefined ? {} : { moreFaults }) })
    assert.deepEqual(told(most).details, { errors: faults(most) })
    assert.deepEqual(told(most + 1).details, { errors: [...faults(most), { message: 'and 1 more' }] })
    assert.deepEqual(told(3, 7).details, { errors: [...faults(3), { message: 'and 7 more' }] })
    const many = told(most + 10, 5)
    assert.deepEqual(many.details, { errors: [...faults(most), { message: 'and 15 more' }] })
    assert.deepEqual(problem(code, '', many.details).details, many.details)
  }
})

test("a plugin's own codes and those of the core make problems; a mistyped one does not compile", () => {
  const row = { status: 409, title: '', meaning: '', remedy: '', example: '' }
  const tankProblem = problemsOf({ tank_empty: row })
  assert.equal(tankProblem('tank_empty', 'Tank 1 is empty.').code, 'tank_empty')
  assert.equal(tankProblem('not_found', 'There is no tank 2.').code, 'not_found')
  // @ts-expect-error
  tankProblem('tank_emtpy', '')
  // @ts-expect-error
  problem('tank_empty', '')
})

test('of many names those that contain what was asked for are told first', () => {
  const names = [...Array.from({ length: 30 }, (_, i) => `Alarm${i}`), 'Gantry.Devices.AddInput', 'MoveDevice']
  const { message } = notFound('type', 'Device', names)
  assert.match(message, /There is: "Gantry\.Devices\.AddInput", "MoveDevice", "Alarm0", .* and 22 more\.$/)
})

test('what is not there is told with what there is, and with the nearest name', () => {
  const told = (name: string, names: readonly string[], where?: string) => {
    const { message, details, code } = notFound('tag', name, names, where)
    return [code, message, details.suggestion]
  }
  const ten = Array.from({ length: 10 }, (_, i) => `T${i}`)
  assert.deepEqual(told('Lamp', []), ['not_found', 'There is no tag "Lamp".', undefined])
  assert.deepEqual(told('Lamp', [], 'in the table "A"'), [
    'not_found',
    'There is no tag "Lamp" in the table "A".',
    undefined,
  ])
  // The only one there is, is not told twice.
  assert.deepEqual(told('Lmap', ['Lamp', 'Lamp']), [
    'not_found',
    'There is no tag "Lmap". Did you mean "Lamp"?',
    'Lamp',
  ])
  assert.deepEqual(told('Lmap', ['Lamp', 'Pump']), [
    'not_found',
    'There is no tag "Lmap". Did you mean "Lamp"? There is: "Lamp", "Pump".',
    'Lamp',
  ])
  assert.deepEqual(told('Valve', ['Pump']), ['not_found', 'There is no tag "Valve". There is: "Pump".', undefined])
  const list = ten.map((one) => `"${one}"`).join(', ')
  assert.deepEqual(told('Valve', ten), ['not_found', `There is no tag "Valve". There is: ${list}.`, undefined])
  assert.deepEqual(told('Valve', [...ten, 'U']), [
    'not_found',
    `There is no tag "Valve". There is: ${list} and 1 more.`,
    undefined,
  ])
})
