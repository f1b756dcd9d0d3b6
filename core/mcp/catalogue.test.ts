/** The tools that are made of operations: names, descriptions and hints, and which a client sees. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Operation } from '../contract/operation.ts'
import { isGatewayError } from '../contract/problems.ts'
import type { SchemaBuilder } from '../contract/schema.ts'
import type { Gateway } from '../gateway.ts'
import { Catalogue, essentialLimit, toolNameOf } from './catalogue.ts'

const operation = (id: string, more: object = {}) =>
  ({
    id,
    title: `Title of ${id}`,
    kind: 'query',
    input: (t: SchemaBuilder) => t.Object({}),
    output: (t: SchemaBuilder) => t.String(),
    http: [],
    mcp: { toolset: id.split('.')[0] },
    ...more,
  }) as unknown as Operation

function catalogueOf(operations: readonly Operation[], target?: Operation) {
  const warnings: unknown[] = []
  const gateway = {
    registry: { operations, targetOf: (one: Operation) => (one === target ? {} : undefined) },
    log: { warn: (...given: unknown[]) => warnings.push(given) },
  } as unknown as Gateway
  return { catalogue: new Catalogue(gateway, ['get_job']), warnings }
}

test('the name of a tool has words with underscores, at most 64 characters, and is taken once', () => {
  assert.equal(toolNameOf('blocks.import-scl', new Set()), 'blocks_import_scl')
  assert.equal(toolNameOf('get.job', new Set(['get_job'])), 'get_job_2')
  assert.equal(toolNameOf('get.job', new Set(['get_job', 'get_job_2'])), 'get_job_3')
  const just = `a.${'b'.repeat(62)}`
  assert.equal(toolNameOf(just, new Set()), just.replace('.', '_'))
  const long = toolNameOf(`${just}c`, new Set())
  assert.deepEqual([long.length, long.slice(0, 56)], [64, `a_${'b'.repeat(53)}_`])
  assert.match(long.slice(56), /^[0-9a-f]{8}$/)
  assert.notEqual(toolNameOf(`${just}d`, new Set()), long)
  const name = just.replace('.', '_')
  assert.equal(toolNameOf(just, new Set([name])), `${name.slice(0, 62)}_2`)
  const nine = Array.from({ length: 8 }, (_, n) => `${name.slice(0, 62)}_${n + 2}`)
  assert.equal(toolNameOf(just, new Set([name, ...nine])), `${name.slice(0, 61)}_10`)
})

test('a description has whole sentences up to its length; hints say what a call may do', async () => {
  const words = (count: number) => 'w'.repeat(count)
  const command = { kind: 'command', output: (t: SchemaBuilder) => t.Object({ a: t.String(), b: t.Integer() }) }
  const put = { http: [{ method: 'PUT', path: '/x', mode: 'sync' }] }
  const remove = { http: [{ method: 'POST' }, { method: 'DELETE' }], mcp: { toolset: 'a', destructive: true } }
  const all = [
    operation('a.plain', { title: 'What?', description: '  More of it. ' }),
    operation('a.just', { title: words(100), description: `${words(137)}.` }),
    operation('a.cut', { title: words(100), description: `${words(138)}.` }),
    operation('a.long', { title: words(300) }),
    operation('a.two', { title: 'First. Second', description: `Third one! ${words(230)}` }),
    operation('a.command', command),
    operation('a.over', {
      ...command,
      ...put,
      input: (t: SchemaBuilder) => t.Object({ overwrite: t.Optional(t.Boolean()) }),
    }),
    operation('a.ask', { input: (t: SchemaBuilder) => t.Object({ overwrite: t.Boolean() }) }),
    operation('a.remove', { ...command, ...remove }),
    operation('a.stop', { mcp: { toolset: 'a', destructive: true } }),
    operation('a.text', { ...command, produces: 'text/csv' }),
  ]
  const { catalogue } = catalogueOf(all, all[5])
  const tools = await catalogue.describe({ toolsets: 'all', readOnly: false })
  assert.deepEqual(
    tools.map(({ description, annotations: { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } }) => [
      description,
      [readOnlyHint && 'reads', destructiveHint && 'destroys', idempotentHint && 'repeats', openWorldHint && 'open']
        .filter(Boolean)
        .join(' '),
    ]),
    [
      ['What? More of it.', 'reads repeats'],
      [`${words(100)}. ${words(137)}.`, 'reads repeats'],
      [`${words(100)}.`, 'reads repeats'],
      [`${words(239)}…`, 'reads repeats'],
      ['First. Second. Third one!', 'reads repeats'],
      ['Title of a.command.', ''],
      ['Title of a.over.', 'destroys repeats'],
      ['Title of a.ask.', 'reads repeats'],
      ['Title of a.remove.', 'destroys repeats'],
      ['Title of a.stop.', 'destroys'],
      ['Title of a.text.', ''],
    ],
  )
  const [, , , , , commandTool, , ask] = tools
  assert.deepEqual(Object.keys(commandTool?.inputSchema.properties ?? {}), ['dryRun', 'expectedHash'])
  assert.deepEqual(commandTool?.outputSchema, { type: 'object', properties: { a: {}, b: {} } })
  assert.deepEqual(Object.keys(ask?.inputSchema.properties ?? {}), ['overwrite'])
  assert.equal('outputSchema' in (tools.at(-1) ?? {}), false)
  assert.equal((await catalogue.describe({ toolsets: 'a', readOnly: false }))[5], commandTool, 'made once')
})

test('a client sees the default set, toolsets that it names, or all, as far as its key goes', () => {
  const mcp = (toolset: string, more = {}) => ({ mcp: { toolset, ...more } })
  const all = [
    operation('b.list', mcp('b', { essential: true })),
    operation('b.change', { ...mcp('b'), kind: 'command' }),
    operation('b.hidden', { mcp: false }),
    operation('b.follow', { kind: 'stream' }),
    operation('a.list', mcp('a', { essential: true })),
    operation('a.stop', { ...mcp('a', { destructive: true }), access: 'operator' }),
    operation('get.job', mcp('a')),
  ]
  const { catalogue, warnings } = catalogueOf(all)
  assert.deepEqual(warnings, [])
  assert.deepEqual([...catalogue.tools.keys()], ['b_list', 'b_change', 'a_list', 'a_stop', 'get_job_2'])
  assert.deepEqual([...catalogue.toolsets.keys()], ['b', 'a'])
  assert.deepEqual([catalogue.nameOf(all[6]!), catalogue.nameOf(all[2]!)], ['get_job_2', undefined])
  const ids = (toolsets: string, readOnly = false, access?: 'viewer' | 'engineer') =>
    catalogue
      .select({ toolsets, readOnly }, access)
      .map(({ id }) => id)
      .join(' ')
  assert.equal(ids(''), 'b.list a.list')
  assert.equal(ids('all'), 'b.list b.change a.list a.stop get.job')
  assert.equal(ids('dynamic'), '')
  assert.equal(ids('b'), 'b.list b.change')
  assert.equal(ids('a,default'), 'b.list a.list a.stop get.job')
  assert.equal(ids('all', true), 'b.list a.list get.job')
  assert.equal(ids('all', false, 'viewer'), 'b.list a.list get.job')
  assert.equal(ids('all', false, 'engineer'), 'b.list b.change a.list get.job')
  const many = Array.from({ length: essentialLimit + 2 }, (_, n) => operation(`m.o${n}`, mcp('m', { essential: true })))
  const { catalogue: full, warnings: told } = catalogueOf(many)
  assert.equal(full.essential.length, essentialLimit)
  assert.deepEqual(told, [
    [{ limit: 35, left: ['m.o35', 'm.o36'] }, 'more operations are marked essential than are advertised'],
  ])
})

test('a selection is read from texts; a wrong one names what there is', () => {
  const { catalogue } = catalogueOf([operation('blocks.list'), operation('tags.list')])
  const read = (toolsets?: string, readonly?: string | boolean) => {
    const { toolsets: chosen, readOnly } = catalogue.parseSelection(toolsets, readonly)
    return `${chosen}${readOnly ? ' (reads)' : ''}`
  }
  for (const [toolsets, chosen] of [
    [undefined, ''],
    ['', ''],
    ['default', ''],
    ['tags, blocks tags,', 'blocks,tags'],
    ['tags,default', 'default,tags'],
    ['tags,all', 'all'],
    ['all,dynamic', 'all'],
    ['dynamic', 'dynamic'],
  ] as const)
    assert.equal(read(toolsets), chosen, toolsets)
  for (const readonly of [true, '', '1', 'true']) assert.equal(read('', readonly), ' (reads)', String(readonly))
  for (const readonly of [undefined, false, '0', 'false']) assert.equal(read('', readonly), '', String(readonly))
  const refusal = (...given: Parameters<typeof read>) => {
    try {
      read(...given)
    } catch (error) {
      assert.ok(isGatewayError(error) && error.code === 'invalid_input')
      return [error.message, error.details.errors]
    }
    return assert.fail('it was taken')
  }
  const allowed = ['all', 'blocks', 'default', 'dynamic', 'tags']
  const unknown = (value: string) => [{ path: '/toolsets', message: 'unknown toolset', value, allowed }]
  assert.deepEqual(refusal('tag,blocks'), [
    '/toolsets: there is no toolset "tag" (did you mean "tags"?); known: all, blocks, default, dynamic, tags.',
    unknown('tag'),
  ])
  assert.deepEqual(refusal('zzzz'), [
    '/toolsets: there is no toolset "zzzz"; known: all, blocks, default, dynamic, tags.',
    unknown('zzzz'),
  ])
  const alone = '"dynamic" shows only the tools that reach all operations; it does not go with other toolsets'
  assert.deepEqual(refusal('tags,dynamic'), [
    `/toolsets: ${alone}.`,
    [{ path: '/toolsets', message: alone, value: 'tags,dynamic' }],
  ])
  const either = 'must be 1 (only tools that change nothing) or 0'
  assert.deepEqual(refusal('', 'yes'), [
    `/readonly: ${either}.`,
    [{ path: '/readonly', message: either, value: 'yes', allowed: ['1', '0'] }],
  ])
})
