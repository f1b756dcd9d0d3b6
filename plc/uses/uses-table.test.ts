/** Every use in a program in all languages, with its place; and what renaming each of these names changes. */
import { test } from 'node:test'
import { assertRecorded, fixtureText } from '../../test/recorded.ts'
import { importFile } from '../formats/import.ts'
import type { ImportedObject } from '../model/object.ts'
import { changedLines } from '../testing/outline.ts'
import { renameInSource } from './rename-source.ts'
import { renameInXml } from './rename-xml.ts'
import { usesOf } from './uses-of.ts'

const files = [
  '../../review/fixtures/folder/cell.scl',
  '../../review/fixtures/folder/ladder.s7dcl',
  '../../review/fixtures/folder/main.awl',
  '../../formats/simaticml/fixtures/dense.xml',
  '../../formats/simaticml/fixtures/dense-graph.xml',
  '../../formats/simaticml/fixtures/dense-tables.xml',
  '../../formats/simaticml/fixtures/statements.scl',
  '../../formats/source/fixtures/dense.scl',
  '../../formats/source/fixtures/dense.awl',
]

async function objectsOf(file: string): Promise<readonly ImportedObject[]> {
  const bytes = new TextEncoder().encode(fixtureText(import.meta.url, file))
  const { objects } = await importFile(bytes, { path: file })
  return objects
}

test('every use with its access and place', async () => {
  const told: string[] = []
  for (const file of files)
    for (const object of await objectsOf(file)) {
      const lines = usesOf(object).uses.map(({ name, path, address, text, access, place, argument, isBare }) => {
        const where = Object.entries(place).map(([key, value]) => `${key} ${value}`)
        const more = [
          ...(address === undefined ? [] : [Object.values(address).join(' ')]),
          ...(argument === undefined ? [] : [`argument ${Object.values(argument).join(' ')}`]),
          ...(isBare === true ? ['bare'] : []),
        ]
        return `  ${access} ${text} = ${[name, ...path].join(' . ')} (${where.join(', ')})${more.length > 0 ? ` ${more.join(', ')}` : ''}`
      })
      if (lines.length > 0) told.push(`${file.split('/').at(-1)} ${object.name}`, ...lines)
    }
  assertRecorded(import.meta.url, 'uses.txt', `${told.join('\n')}\n`)
})

test('what renaming each name changes in the text', async () => {
  const told: string[] = []
  for (const file of files)
    for (const object of await objectsOf(file)) {
      const text = object.xml ?? object.text ?? ''
      const names = new Set(
        usesOf(object)
          .uses.map(({ name }) => name)
          .filter((name) => name !== ''),
      )
      for (const name of names) {
        const rename = object.xml === undefined ? renameInSource : renameInXml
        const changed = rename(text, name, 'New name')
        const lines = changedLines(text.split('\n'), changed.split('\n'), 2)
        told.push(
          `${file.split('/').at(-1)} ${object.name}: ${name}`,
          ...lines.slice(0, 3).map((line) => `  ${line.slice(0, 100)}`),
        )
      }
    }
  assertRecorded(import.meta.url, 'renamed.txt', `${told.join('\n')}\n`)
})
