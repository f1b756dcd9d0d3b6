/** A test file with everything it can have, and the same with one place wrong at a time (`fixtures/*.txt`). */
import { test } from 'node:test'
import { assertRecorded, fixtureText } from '../../test/recorded.ts'
import { importFile } from '../formats/import.ts'
import { tableOfAnswers, yamlDamages } from '../testing/damage.ts'
import { networkLines } from '../testing/network-lines.ts'
import { changedLines, outline } from '../testing/outline.ts'
import { mutantsOf } from './mutants.ts'
import { readTests } from './read-tests.ts'

const names = ['dense', 'controllers']

/** Without places, which move. */
const linesOf = (text: string) => outline(readTests('a.test.yml', text).file, ['place'])

for (const name of names) {
  const text = fixtureText(import.meta.url, `${name}.test.yml`)

  test(`${name}.test.yml is read to all it has`, () => {
    const { file, faults } = readTests('a.test.yml', text)
    assertRecorded(import.meta.url, `${name}-model.txt`, `${[...outline(file), ...outline(faults)].join('\n')}\n`)
  })

  test(`${name}.test.yml with one wrong place is refused with words and place, or read with that difference`, () => {
    const whole = linesOf(text)
    const answer = (damaged: string): string[] => {
      const { faults } = readTests('a.test.yml', damaged)
      const told = faults.slice(0, 2).map(({ line, column, message }) => `${line}:${column} ${message}`)
      if (faults.length > 2) told.push(`${faults.length} faults`)
      return faults.length > 0 ? told : changedLines(whole, linesOf(damaged), 2)
    }
    assertRecorded(import.meta.url, `${name}-damaged.txt`, tableOfAnswers([...yamlDamages(text)], answer))
  })
}

test('the changes of a block for mutation testing: each with its place, before and after', async () => {
  const told: string[] = []
  for (const [folder, name] of [
    ['', 'mutants.scl'],
    ['', 'mutants.awl'],
    ['', 'mutants.s7dcl'],
    ['../../formats/simaticml/fixtures/', 'dense-graph.xml'],
  ] as const) {
    const text = fixtureText(import.meta.url, `${folder}${name}`)
    const { objects } = await importFile(new TextEncoder().encode(text), { path: name })
    for (const object of objects) {
      const linesIn = (one: typeof object) =>
        one.networks.flatMap(({ text: code, graph, statements, chart }) => [
          ...(statements
            ? outline(statements)
            : chart
              ? outline(chart)
              : graph
                ? networkLines(graph)
                : (code ?? '').split('\n')),
        ])
      const whole = linesIn(object)
      told.push(`── ${name} ${object.name}`)
      for (const { object: changed, network, line, column, uId, element, before, after } of mutantsOf(object)) {
        const place = [network, line, column, uId, element].filter((part) => part !== undefined).join(':')
        told.push(
          `${place} ${before} → ${after}`,
          ...changedLines(whole, linesIn(changed), 2).map((one) => `    ${one}`),
        )
      }
    }
  }
  assertRecorded(import.meta.url, 'mutants.txt', `${told.join('\n')}\n`)
})

/** What follows the block of a file with one case. */
const wrongFiles: readonly (readonly [what: string, text: string])[] = [
  ['no mapping', '- 5'],
  ['nothing', ''],
  ['no YAML', 'block: [Motor'],
  ['no block', 'cases:\n  - { name: a, then: { x: 1 } }'],
  ['block and program', 'block: Motor\nprogram: true\ncases:\n  - { name: a, then: { x: 1 } }'],
  ['a program that is not true', 'program: yes please\ncases:\n  - { name: a, then: { x: 1 } }'],
  ['no cases', 'block: Motor\ncases: []'],
  ['the name of a controller', 'controllers: { "a/b": PLC_1, c: null }\ncases:\n  - { name: a, then: { "c/x": 1 } }'],
  ['no controllers', 'controllers: {}\ncases:\n  - { name: a, then: { "c/x": 1 } }'],
  ['connections without controllers', 'block: Motor\nconnect: []\ncases:\n  - { name: a, then: { x: 1 } }'],
  [
    'connections that are no list',
    'controllers: { l: PLC_1 }\nconnect: { from: l/a, to: l/b }\ncases:\n  - { name: a, then: { "l/x": 1 } }',
  ],
  [
    'half a connection',
    'controllers: { l: PLC_1 }\nconnect: [{ from: l/a }, { to: l/b }]\ncases:\n  - { name: a, then: { "l/x": 1 } }',
  ],
  ['a field that is near another', 'block: Motor\ncase: []\ncycel: T#1s\ncases:\n  - { name: a, then: { x: 1 } }'],
]
const wrongCases = [
  '{ name: a }',
  '{ then: { x: 1 } }',
  '{ name: "", then: { x: 1 } }',
  '{ name: a, then: {} }',
  '{ name: a, then: [] }',
  '{ name: a, given: 5, then: { x: 1 } }',
  '{ name: a, table: 5, then: { x: 1 } }',
  '{ name: a, table: [], then: { x: 1 } }',
  '{ name: a, table: [5], then: { x: 1 } }',
  `{ name: "a \${n}", table: [{ n: 1 }, { n: 1 }], then: { x: 1 } }`,
  `{ name: "a \${m}", table: [{ name: 1 }], then: { x: 1 } }`,
  `{ name: "a \${zzz}", table: [{ n: 1, k: 2 }], then: { x: "\${nn}" } }`,
  '{ name: a, then: { x: { between: [1, 2, 3] } } }',
  '{ name: a, then: { x: { between: 5 } } }',
  '{ name: a, then: { x: { oneOf: 5 } } }',
  '{ name: a, then: { x: { near: 5 } } }',
  '{ name: a, then: { x: { near: 5, by: 1, is: 2 } } }',
  '{ name: a, then: { x: { is: 5, not: 6 } } }',
  '{ name: a, then: { x: { by: 5 } } }',
  '{ name: a, given: { x: &v 1 }, then: { y: *v } }',
  '{ name: a, after: b, then: { x: 1 } }',
  '{ name: a, steps: [{ run: 3 }] }',
  '{ name: a, steps: [{ run: soon }] }',
  '{ name: a, steps: [{ wait: 3 cycles }] }',
  '{ name: a, steps: [{ within: T#1s }] }',
  '{ name: a, steps: [{ expect: { x: 1 }, within: T#-1s }] }',
  '{ name: a, steps: [{ stimulus: [a] }] }',
  '{ name: a, steps: [] }',
  '{ name: a, steps: [{ set: { x: 1 } }], when: { x: 1 }, then: { x: 1 } }',
]

test('what is wrong with a test file is told with words and place, case by case', () => {
  const answer = (what: string, text: string): string[] => {
    const { faults } = readTests('a.test.yml', text)
    return [
      what,
      ...faults.map(({ line, column, message }) => `  ${line}:${column} ${message}`),
      ...(faults.length === 0 ? ['  nothing'] : []),
    ]
  }
  const told = [
    ...wrongFiles.flatMap(([what, text]) => answer(what, text)),
    ...wrongCases.flatMap((one) => answer(one, `block: Motor\ncases:\n  - ${one}\n`)),
  ]
  assertRecorded(import.meta.url, 'refused.txt', `${told.join('\n')}\n`)
})
