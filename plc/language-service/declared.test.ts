/** What objects of every format declare to an editor: everything of a dense one of each (`fixtures/declared.txt`). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertRecorded, fixtureText } from '../../test/recorded.ts'
import { importFile } from '../formats/import.ts'
import { type Declared, declaredOf, systemDeclared } from './declared.ts'

const files = [
  '../../formats/simaticml/fixtures/dense.xml',
  '../../formats/simaticml/fixtures/dense-graph.xml',
  '../../formats/simaticml/fixtures/dense-tables.xml',
  '../../formats/source/fixtures/dense.scl',
  '../../formats/source/fixtures/dense.awl',
  '../../formats/simatic-sd/fixtures/dense.s7dcl',
]

function lines({ kind, name, key, dataType, comment, section, value, members, file }: Declared, depth = 0): string[] {
  const more = [
    ...(section === undefined ? [] : [`in ${section}`]),
    ...(dataType === '' ? [] : [`: ${dataType}`]),
    ...(value === undefined ? [] : [`:= ${value}`]),
    ...(comment === '' ? [] : [`// ${comment}`]),
  ]
  assert.equal(key.split('\0').at(-1), name.toUpperCase())
  const own = `${'  '.repeat(depth)}${[kind, name, ...more].join(' ')}${depth === 0 ? ` (${file})` : ''}`
  return [own, ...members.flatMap((one) => lines(one, depth + 1))]
}

test('what objects declare, as readers of formats give them', async () => {
  const told: string[] = []
  for (const file of files) {
    const bytes = new TextEncoder().encode(fixtureText(import.meta.url, file))
    const { objects } = await importFile(bytes, { path: file })
    const name = file.split('/').at(-1) ?? ''
    for (const object of objects) {
      const declared = declaredOf(object, name)
      told.push(
        ...(declared.length === 0
          ? [`nothing of ${object.kind} ${object.name}`]
          : declared.flatMap((one) => lines(one))),
      )
    }
  }
  assertRecorded(import.meta.url, 'declared.txt', `${told.join('\n')}\n`)
})

test('what the system declares, case ignored, without hidden members', () => {
  const told = ['ton', 'CTU', 'DTL', 'IEC_TIMER'].flatMap((name) => lines(systemDeclared(name)!))
  assertRecorded(import.meta.url, 'declared-by-system.txt', `${told.join('\n')}\n`)
  assert.equal(systemDeclared('Nothing of the kind'), undefined)
  assert.equal(systemDeclared('TON'), systemDeclared('ton'))
})
