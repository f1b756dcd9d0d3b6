/** The question before a destructive call, word by word. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { openTestGateway } from '../../test/harness.ts'
import { domainEvent } from '../contract/event.ts'
import { command } from '../contract/operation.ts'
import { definePlugin } from '../contract/plugin.ts'
import { type CallToConfirm, requireConsent } from './confirmation.ts'
import type { Answer } from './tool-caller.ts'

const removed = domainEvent<{ name?: string; blockName?: string }>('wipe.removed', 'A thing was removed')
const others = Array.from({ length: 20 }, (_, i) => domainEvent<object>(`wipe.other-${i}`, `Other ${i}`))

/** Removes so many named things, and what else it is told to do. */
const wipe = command({
  id: 'wipe.all',
  title: 'Wipe everything',
  input: (t) =>
    t.Object({
      names: t.Optional(t.Array(t.String())),
      unnamed: t.Optional(t.Integer()),
      others: t.Optional(t.Integer()),
      files: t.Optional(t.Array(t.String())),
      options: t.Optional(t.Any()),
      note: t.Optional(t.String()),
      password: t.Optional(t.Secret('seal')),
    }),
  output: (t) => t.Object({}),
  http: [],
  mcp: { toolset: 'wipe', destructive: true },
  aliases: { password: ['pin'] },
  async run({ names = [], unnamed = 0, others: count = 0, files = [] }, ctx) {
    for (const [i, name] of names.entries()) ctx.emit(removed, i % 2 ? { blockName: name } : { name })
    for (let i = 0; i < unnamed; i++) ctx.emit(removed, {})
    for (const other of others.slice(0, count)) ctx.emit(other, {})
    for (const file of files) await ctx.files.write(file, 'text')
    return {}
  },
})
const wiping = definePlugin({ name: 'wipe', version: '1.0.0', operations: [wipe], events: [removed, ...others] })

async function open(t: TestContext, answer: Answer = { action: 'accept', content: { proceed: true } }) {
  const { gateway } = await openTestGateway(t, { corePlugins: [wiping] })
  const actor = { name: 'agent', access: 'admin' } as const
  return {
    gateway,
    /** The lines of the question for an input. */
    async question(input: Record<string, unknown>, call: Partial<CallToConfirm> = {}) {
      let lines: string[] = []
      const ask = async ({ message }: { message: string }) => {
        lines = message.split('\n')
        return answer
      }
      const person = { client: 'Tester', trusted: new Set<string>(), ask }
      await requireConsent(
        { id: wipe.id, title: wipe.title, input, operation: wipe, ...call },
        { actor, person },
        gateway,
      )
      return lines
    },
  }
}

test('the question has the call, its values, and what a trial run shows', async (t) => {
  const { question, gateway } = await open(t)
  const [root] = gateway.workspace.roots
  assert.deepEqual(await question({ names: ['A'] }), [
    'Tester wants to run wipe.all: Wipe everything.',
    'names: 1 entries',
    'A trial run shows what would happen:',
    '- A thing was removed: A',
  ])
  // Five names are shown, and how many there are.
  const shown = async (input: Record<string, unknown>) => (await question(input)).slice(1 + Object.keys(input).length)
  const begin = 'A trial run shows what would happen:'
  assert.deepEqual(await shown({ names: [...'ABCDE'] }), [begin, '- A thing was removed (5 times): A, B, C, D, E'])
  assert.deepEqual(await shown({ names: [...'ABCDEF'] }), [begin, '- A thing was removed (6 times): A, B, C, D, E, …'])
  assert.deepEqual(await shown({ unnamed: 1 }), [begin, '- A thing was removed'])
  assert.deepEqual(await shown({ unnamed: 2, names: ['A'] }), [begin, '- A thing was removed (3 times): A'])
  assert.deepEqual(await shown({ files: ['a.txt'] }), [begin, `- File, write: ${JSON.stringify(`${root}/a.txt`)}`])
  assert.deepEqual(await shown({}), ['A trial run shows no change in the project or its files.'])
})

test('a question has at most twelve lines of effects, and says how many more there are', async (t) => {
  const { question } = await open(t)
  const effects = async (others: number) => (await question({ others })).slice(3)
  const lines = Array.from({ length: 12 }, (_, i) => `- Other ${i}`)
  assert.deepEqual(await effects(12), lines)
  assert.deepEqual(await effects(13), [...lines, '- and 1 more'])
})

test('values are shortened, of lists and objects only the size is told, secrets never', async (t) => {
  const { question } = await open(t)
  const options = Object.fromEntries(Array.from({ length: 11 }, (_, i) => [`o${i}`, { key: 'hidden' }]))
  const note = 'x'.repeat(150)
  assert.deepEqual((await question({ options, note, password: 'hidden' })).slice(1, 4), [
    'options: { o0, o1, o2, o3, o4, o5, o6, o7, o8, o9 }',
    `note: "${'x'.repeat(99)}… (152 characters)`,
    'password: (secret)',
  ])
  // By its other name, and in any case: under the name that it has.
  assert.deepEqual((await question({ Pin: 'hidden' })).slice(1, 2), ['password: (secret)'])
  // A tool that is no operation has no trial run.
  const tool = await question({ a: 1 }, { id: 'tool', title: 'A tool', operation: undefined as never })
  assert.deepEqual(tool, ['Tester wants to run tool: A tool.', 'a: 1'])
})

test('without a yes the call is refused with what the person did', async (t) => {
  const refused = async (answer: Answer) => {
    const { question } = await open(t, answer)
    const error = await question({}).then(
      () => assert.fail('it is not refused'),
      ({ message }: Error) => message,
    )
    return error
  }
  const [no, closed] = ['the person said no', 'the person closed the question'].map(
    (why) => `wipe.all was not run: ${why}. Nothing was changed.`,
  )
  assert.equal(await refused({ action: 'decline', content: { proceed: true } }), no)
  assert.equal(await refused({ action: 'accept', content: { proceed: 'yes' } }), no)
  assert.equal(await refused({ action: 'cancel' }), closed)
})
