/** Secrets of inputs are masked by the schema, in whatever spelling and form they come; and protected in all forms. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mapSecrets, withoutSecrets } from '../access/secrets.ts'
import { command, type Operation, type SchemaBuilder } from '../index.ts'
import { hiddenMark, secretMark, shownInput } from './shown-input.ts'

const sentinel = 'S3ntinel-never-shown'

function declared(id: string, input: (t: SchemaBuilder) => object): Operation {
  return command({
    id,
    title: id,
    input: input as never,
    output: (t) => t.Object({}),
    http: [],
    mcp: false,
    aliases: { password: ['pwd'] },
    run: () => ({}),
  })
}

const user = declared('user.add', (t) =>
  t.Object({
    name: t.String(),
    password: t.Optional(t.Secret('hash')),
    either: t.Optional(t.Union([t.Object({ plain: t.String() }), t.Object({ token: t.Secret('seal') })])),
    keys: t.Optional(t.Array(t.Object({ label: t.String(), key: t.Secret('digest') }))),
    byName: t.Optional(t.Record(t.String(), t.Secret('seal'))),
  }),
)
const plain = declared('plain.add', (t) => t.Object({ name: t.String() }))
const batch = declared('batch.run', (t) =>
  t.Object({
    commands: t.Array(
      t.Object({ command: t.String(), input: t.Record(t.String(), t.Unknown(), { 'x-input-of': 'command' }) }),
    ),
  }),
)
const registry = {
  operation: (id: string) => [user, plain, batch].find((one) => one.id === id),
}

const inputs: [string, object][] = [
  ['as declared', { name: 'a', password: sentinel }],
  ['another case', { Name: 'a', PASSWORD: sentinel }],
  ['an alias', { name: 'a', pwd: sentinel }],
  ['a misspelt name', { name: 'a', pasword: sentinel }],
  ['a wrong type', { name: 1, password: { deep: [sentinel] } }],
  ['the second form of a union', { name: 'a', either: { token: sentinel } }],
  ['a list', { name: 'a', keys: [{ label: 'x', key: sentinel }] }],
  ['a list as JSON text', { name: 'a', keys: JSON.stringify([{ label: 'x', key: sentinel }]) }],
  ['the values of a map', { name: 'a', byName: { one: sentinel } }],
  ['given twice', { name: 'a', password: 'x', Password: sentinel }],
]

test('no form of an input shows its secret', async () => {
  for (const [what, input] of inputs) {
    const shown = JSON.stringify(await shownInput(registry, user, input as Record<string, unknown>))
    assert.ok(!shown.includes(sentinel), `${what}: ${shown}`)
  }
})

test('what is no secret stays readable, and an input that has none is the same object', async () => {
  assert.deepEqual(await shownInput(registry, user, { name: 'a', password: 'x', keys: [{ label: 'l', key: 'k' }] }), {
    name: 'a',
    password: secretMark,
    keys: [{ label: 'l', key: secretMark }],
  })
  const input = { name: 'a', more: 1 }
  assert.equal(await shownInput(registry, plain, input), input)
})

test('inputs inside of an input are masked by the schema of their own operation', async () => {
  const commands = [
    { command: 'user.add', input: { name: 'a', Password: sentinel } },
    { command: 'plain.add', input: { name: 'b' } },
    { command: 'batch.run', input: { commands: [{ command: 'user.add', input: { name: 'c', password: sentinel } }] } },
    { command: 'no.such', input: { password: sentinel } },
  ]
  assert.deepEqual(await shownInput(registry, batch, { Commands: commands }), {
    commands: [
      { command: 'user.add', input: { name: 'a', password: secretMark } },
      { command: 'plain.add', input: { name: 'b' } },
      {
        command: 'batch.run',
        input: { commands: [{ command: 'user.add', input: { name: 'c', password: secretMark } }] },
      },
      { command: 'no.such', input: hiddenMark },
    ],
  })
})

test('secrets are protected in every alternative of a schema, and in maps', async () => {
  const { schema } = await (await import('./validation.ts')).compileInput(user)
  const input = {
    name: 'a',
    either: { token: sentinel },
    byName: { one: sentinel },
    keys: [{ label: 'l', key: sentinel }],
  }
  const kept = await mapSecrets(input, schema, () => 'kept')
  assert.deepEqual(kept, {
    name: 'a',
    either: { token: 'kept' },
    byName: { one: 'kept' },
    keys: [{ label: 'l', key: 'kept' }],
  })
})

test('a kept secret is recognised in texts of any length', () => {
  const sealed = `sealed:${'Ab-_9'.repeat(20_000_000)}`
  assert.deepEqual(withoutSecrets({ long: sealed, not: `${sealed}.`, short: 'sealed:abc', text: 'x'.repeat(1e8) }), {
    long: secretMark,
    not: `${sealed}.`,
    short: 'sealed:abc',
    text: 'x'.repeat(1e8),
  })
  const hashed = `scrypt:${'a'.repeat(22)}:${'b'.repeat(43)}`
  assert.deepEqual(withoutSecrets([hashed, `hmac:${'c'.repeat(43)}`, `${hashed}x`]), [
    secretMark,
    secretMark,
    `${hashed}x`,
  ])
})
