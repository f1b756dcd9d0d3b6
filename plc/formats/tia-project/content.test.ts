/** All that two public project files give: of the small one everything, of the large one a line for each thing. */
import { test } from 'node:test'
import { assertRecorded } from '../../../test/recorded.ts'
import { largeArchive, projectFileOf, smallArchive } from '../../../test/tia-files.ts'
import { outline } from '../../testing/outline.ts'
import type { Module } from './hardware.ts'
import { readTiaProject } from './project.ts'
import { TiaStore } from './store.ts'

const hidden = ['stored', 'parts', 'xml']

test('everything of a small project', async () => {
  const { programs, stations, library, ...rest } = readTiaProject(await projectFileOf(smallArchive))
  const told = [rest, stations, programs, library].flatMap((part) => outline(part, hidden))
  assertRecorded(import.meta.url, 'small.txt', `${told.join('\n')}\n`)
})

test('a line for each object, module and library type of a large project', async () => {
  const file = await projectFileOf(largeArchive)
  const { programs, stations, library, ...rest } = readTiaProject(file)
  const told = [...outline(rest), `${new TiaStore(file).objects.length} objects in the file`]
  const modules = (list: readonly Module[], indent: string): void => {
    for (const { modules: inner, ...one } of list) {
      told.push(
        `${indent}${outline({ ...one, stored: undefined }, hidden)
          .map((line) => line.trim())
          .join(' ')}`,
      )
      modules(inner, `${indent}  `)
    }
  }
  for (const { modules: own, controllers, ...station } of stations) {
    told.push(
      `station ${outline(station, [...hidden, 'modules'])
        .map((line) => line.trim())
        .join(' ')
        .slice(0, 300)}`,
    )
    told.push(
      `  controllers ${controllers.map(({ name, orderNumber, firmware }) => `${name} ${orderNumber} ${firmware}`)}`,
    )
    // The others are built alike.
    if (station.name === stations[0]?.name) modules(own, '  ')
  }
  const known = new Set<string>()
  for (const { name, objects, systemElements, systemConstants } of programs) {
    const own: string[] = []
    told.push(
      `program ${name}: ${systemElements.join(', ')}; ${systemConstants?.constants?.map((one) => `${one.name} ${one.value}`)}`,
    )
    for (const { kind, name: title, folder, completeness, problems, typeVersion, object } of objects) {
      const {
        number,
        language,
        interface: sections = [],
        networks = [],
        tags = [],
        constants = [],
        attributes = [],
      } = object ?? {}
      const members = sections.map(({ section, members: list }) => `${section} ${list.length}`)
      const sizes = networks.map(
        ({ graph, text, statements }) => graph?.nodes.length ?? statements?.length ?? text?.length ?? 0,
      )
      own.push(
        `  ${[kind, number, title, language, folder.join('/'), completeness, ...problems].join(' ')}; ${members}; networks ${sizes}; ${tags.length} tags, ${constants.length} constants; ${attributes.map((one) => `${one.name}=${one.value}`)} ${typeVersion === undefined ? '' : outline(typeVersion)}`,
      )
    }
    // Programs that are copies of one another are told once.
    if (!known.has(own.join())) told.push(...own)
    known.add(own.join())
  }
  const text = outline(library, [...hidden, 'object'])
  told.push(...text.slice(0, 120).map((line) => line.slice(0, 160)), `${text.length} lines of the library`)
  assertRecorded(import.meta.url, 'large.txt', `${told.join('\n')}\n`)
})
