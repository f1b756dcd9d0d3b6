/**
 * Work grows in line with its input: everything that the PLC library does with programs of each language and format,
 * and each rule of the review, with an input and with one that is four times as large. Work is counted, not timed.
 */
// In a process of its own: it counts the work of the process.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { packageDir } from '../core/boot/running-code.ts'
import { specifiedKinds, specifiedLanguages } from '../plc/generate/specification.ts'
import { linkProgram } from '../plc/program/link-program.ts'
import { defaultConfig, type ReviewConfig } from '../plc/review/config.ts'
import type { Rule } from '../plc/review/rule.ts'
import { rules } from '../plc/review/rules.ts'
import { review } from '../plc/review/run-rules.ts'
import { reviewed } from '../plc/testing/reviewed.ts'
import { countedFunctions } from './counted-work.ts'
import { each, growingPrograms, tableOf, tagOf } from './growing-programs.ts'
import { growth } from './growth.ts'
import { passInput, programPasses } from './program-passes.ts'

/** A mutant is a whole program, and there are as many as operators. */
const apart = new Set(['mutants'])

/** A network, step, block or file of these is much work: fewer of them show the same. */
const fewer: Readonly<Record<string, number>> = {
  'GRAPH: steps': 24,
  'LAD: networks': 20,
  'FBD: networks': 20,
  'SIMATIC SD: networks': 20,
  'SCL: blocks that call each other': 30,
  'SCL: blocks that use a tag': 30,
  'data: ARRAY data blocks': 30,
  'data: blocks': 40,
  'data: instances': 40,
  'types: types of types': 40,
  'files: one block in each': 30,
}

/** How a reader goes on behind faults depends on their number: only the whole work is judged. */
const onlyWhole = new Set(['SCL: faults of syntax'])

/** What they do for each statement grows up to a bound, which only the larger program comes to. */
// The files are compiled when all tests run.
const bounded: Readonly<Record<string, string>> = {
  'plc/compiler/codegen/forward': 'knows at most 48 places',
  'plc/compiler/codegen/overlap': 'is asked by forward.ts',
  'plc/compiler/wasm/code-buffer': 'a number takes more bytes when it is larger',
  'plc/flow/range-walk': 'looks at 64 parts of a chain',
}

for (const [name, make] of Object.entries(growingPrograms))
  test(`in line with its size: ${name}`, async () => {
    const n = fewer[name] ?? 80
    const [first, small, large] = await Promise.all([n / 2, n, 4 * n].map(async (size) => passInput(await make(size))))
    const passes = Object.entries(programPasses).filter(([pass]) => !apart.has(pass))
    // Tables that are made once are made by the first.
    for (const [, run] of passes) await run(first!)
    const runs = passes.flatMap(([, run]) => [small!, large!].map((input) => () => run(input)))
    const counts = await countedFunctions(packageDir, ...runs)
    for (const [i, [pass]] of passes.entries()) {
      const grown = growth(counts[2 * i]!, counts[2 * i + 1]!).filter(
        (line) =>
          line.startsWith('all:') ||
          !(onlyWhole.has(name) || Object.keys(bounded).some((file) => line.includes(`${file}.`))),
      )
      assert.deepEqual(grown, [], pass)
    }
  })

test('every language and every kind of block is among the programs', async () => {
  const objects = []
  for (const make of Object.values(growingPrograms)) objects.push(...(await passInput(await make(4))).objects)
  const found = new Set(objects.flatMap(({ kind, networks }) => [kind, ...networks.map(({ language }) => language)]))
  // The kind DB is one of the three that follow it.
  for (const one of [...specifiedLanguages, ...specifiedKinds, 'TagTable', 'WatchTable'])
    assert.ok(found.has(one) || one === 'DB', `no program has ${one}`)
})

/** The failing example of a rule, so many times: what it declares has other names each time. */
async function copies({ fails }: Rule, n: number) {
  const { program, tags = undefined } = typeof fails === 'string' ? { program: fails } : fails
  const rows = tags?.split('\n') ?? []
  const named = (text: string) => text.match(/"[^"\n]+"/)?.[0] ?? ''
  const declared = [
    ...program.matchAll(/^\s*(?:FUNCTION|FUNCTION_BLOCK|ORGANIZATION_BLOCK|DATA_BLOCK|TYPE)\s+("[^"]+")/gm),
  ].map(([, name = '']) => name)
  const names = [...new Set([...declared, ...rows.map(named)])].filter((name) => name !== '')
  const numbered = (text: string, i: number) =>
    names.reduce((all, name) => all.replaceAll(name, `${name.slice(0, -1)}_${i}"`), text)
  // The first keeps its names: a rule may look for them.
  const copy = (text: string, i: number) => (i === 0 ? text : numbered(text, i))
  const entries = each(n, (i) =>
    each(rows.length, (row) => {
      const [, name = '', dataType = '', address = ''] = /"([^"]+)" (\S+) (\S+)/.exec(copy(rows[row]!, i)) ?? []
      return tagOf(name, dataType, address)
    }),
  )
  const files = Array.from({ length: n }, (_, i) => ({ path: `${i}`, text: copy(program, i) }))
  if (rows.length > 0) files.push({ path: 'tags.xml', text: tableOf('SW.Tags.PlcTagTable', 'Tags', entries) })
  const { objects } = await passInput(files)
  const tables = objects.flatMap(({ kind, name, tags: all = [], constants = [] }) =>
    kind === 'TagTable' ? [{ name, tags: all, constants }] : [],
  )
  const blocks = objects.filter(({ kind }) => kind !== 'TagTable')
  return reviewed(
    linkProgram(
      blocks.map((object) => ({ object })),
      tables,
    ),
    objects,
  )
}

const off: ReviewConfig['rules'] = new Map(rules.map(({ code }) => [code, { severity: 'off', options: {} }]))

for (const rule of rules)
  test(`in line with its program: the rule ${rule.code}`, async () => {
    const alone: ReviewConfig['rules'] = new Map([...off]).set(rule.code, { severity: 'warning', options: {} })
    const programs = await Promise.all([8, 20, 80].map((n) => copies(rule, n)))
    const run = (program: (typeof programs)[number]) => {
      const { findings } = review(program, [], { ...defaultConfig, rules: alone })
      assert.ok(findings.length > 0, 'it finds its example')
    }
    const [, few, many] = await countedFunctions(packageDir, ...programs.map((program) => () => run(program)))
    assert.deepEqual(growth(few!, many!), [])
  })
