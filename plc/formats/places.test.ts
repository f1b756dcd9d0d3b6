/**
 * Where messages about all that is in a file are shown: networks, each column of their statements, nodes, members, rows
 * of tables (`fixtures/places.txt`: line, column and what is there).
 */
import { test } from 'node:test'
import { shortened } from '../../lib/shortened.ts'
import { assertRecorded, fixtureText } from '../../test/recorded.ts'
import type { MessagePlace } from '../model/message-place.ts'
import type { ImportedObject, InterfaceMember } from '../model/object.ts'
import { type ImportedFile, importFile } from './import.ts'
import { placesOf } from './places.ts'
import { sdPlaceOf } from './simatic-sd/places.ts'

type Find = (place: MessagePlace) => Answer

/** Dotted paths of all members, of types in members too. */
function pathsOf({ interface: sections }: ImportedObject): string[] {
  const inside = ({ members, sections: own = [] }: InterfaceMember) => [
    ...members,
    ...own.flatMap((one) => one.members),
  ]
  const walk = (members: readonly InterfaceMember[], above: string): string[] =>
    members.flatMap((member) => [`${above}${member.name}`, ...walk(inside(member), `${above}${member.name}.`)])
  return sections.flatMap(({ members, base = [] }) => walk([...members, ...base.flatMap((one) => one.members)], ''))
}

interface Answer {
  readonly line: number
  readonly column: number
}

/** Answers to questions that follow one another: those of one place, or of places side by side, stand together. */
function runsOf(answers: readonly Answer[], show: (place: Answer) => string): string[] {
  const rows: string[] = []
  for (let from = 0; from < answers.length; ) {
    const first = answers[from] as Answer
    const runOf = (step: number) => {
      let last = from
      for (let next = answers[last + 1]; next?.line === first.line; next = answers[last + 1]) {
        if (next.column !== first.column + step * (last + 1 - from)) break
        last++
      }
      return last
    }
    const [same, beside] = [runOf(0), runOf(1)]
    const last = Math.max(same, beside)
    const to = beside > from ? `${show(first)} and on` : show(first)
    rows.push(`${from + 1}${last > from ? `-${last + 1}` : ''} → ${to}`)
    from = last + 1
  }
  return rows
}

/** Each question with the place that it leads to. */
function told(object: ImportedObject, text: string, find: Find, more: readonly MessagePlace[]): string[] {
  const lines = text.split('\n')
  const show = ({ line, column }: Answer) =>
    `${line}:${column} ${shortened((lines[line - 1] ?? '').slice(column - 1), 40)}`
  const rows: string[] = []
  for (let network = 1; network <= object.networks.length + 1; network++) {
    rows.push(`network ${network} → ${show(find({ network }))}`)
    const own = object.networks[network - 1]
    const code = own?.text === undefined ? [] : own.text.split('\n')
    for (const [i, { length }] of code.entries()) {
      const columns = Array.from({ length: length + 1 }, (_, column) =>
        find({ network, line: i + 1, column: column + 1 }),
      )
      rows.push(...runsOf(columns, show).map((run) => `  ${i + 1}:${run}`))
    }
    const nodes = Array.from({ length: 60 }, (_, uId) => find({ network, uId: uId + 1 }))
    rows.push(...runsOf(nodes, show).map((run) => `  node ${run}`))
  }
  const members = [...pathsOf(object), ...(object.tags ?? []).map(({ name }) => name), 'nothing', 'nothing.inside']
  for (const member of members) {
    const declared = show(find({ member }))
    const assigned = show(find({ member, code: 'start-value-type' }))
    rows.push(`${member} → ${declared}${assigned === declared ? '' : `, its value ${assigned}`}`)
  }
  rows.push(...more.map((place) => `${JSON.stringify(place)} → ${show(find(place))}`))
  return rows
}

/** The texts of objects in files of SimaticML are parts of the file. */
const textOf = ({ xml, text }: ImportedObject) => xml ?? text ?? ''

const file = (folder: string, name: string) => fixtureText(new URL(`${folder}/x.test.ts`, import.meta.url).href, name)
const read = (text: string, path: string): Promise<ImportedFile> => importFile(Buffer.from(text), { path })

/** What is asked besides, by the name of the object. */
const besides: Readonly<Record<string, readonly MessagePlace[]>> = {
  Dense: [
    { member: 'rows[1].level' },
    { member: '#"out put"' },
    { member: 'ROWS' },
    { network: 1, member: 'go' },
    { network: 1, member: 'none' },
    { network: 1, line: 99 },
    { line: 2, column: 3 },
    { network: 9, line: 1 },
    { network: 9, uId: 21 },
    { network: 1, line: 1, column: 1000 },
    { network: 1, uId: 22, member: 'go' },
    {},
  ],
  Chart: [
    { network: 1, element: 'Step 1 "Idle"' },
    { network: 1, element: 'Step 1', uId: 21 },
    { network: 1, element: 'Step 3 "Right"', line: 1 },
    { network: 1, element: 'Step 9' },
    { network: 1, element: 'Transition 1 "go"' },
    { network: 1, element: 'Transition 1 "go"', uId: 21 },
    { network: 1, element: 'Transition 4', uId: 21 },
    { network: 1, element: 'Other 1' },
    { network: 1, line: 1 },
  ],
  Data: [
    { member: 'm.list[1, 2]' },
    { member: 'm.list[1, 2]', code: 'start-value-type' },
    { member: 'a[2]', code: 'x' },
  ],
  List: [
    { network: 1, line: 99 },
    { network: 1, element: 'Step 1', line: 1 },
  ],
  Sum: [
    { network: 3, line: 1 },
    { network: 1, line: 99 },
    { line: 3, column: 2 },
    { network: 1, line: 3, column: 999 },
  ],
  Tags: [{ member: 'GO' }, { member: 'none' }],
  'Block, one': [
    { network: 1, uId: 999 },
    { network: 2, line: 1, column: 5 },
    { network: 2, line: 2, column: 5 },
    { network: 9, line: 1 },
    { member: '"ä b".list[0, 1]' },
    { network: 3, member: 'none' },
  ],
}

test('every network, statement, node, member and row has its place in the text', async () => {
  const files: readonly (readonly [folder: string, name: string])[] = [
    ['simaticml', 'dense.xml'],
    ['simaticml', 'dense-list.xml'],
    ['simaticml', 'dense-graph.xml'],
    ['simaticml', 'dense-tables.xml'],
    ['source', 'dense.scl'],
    ['source', 'dense.awl'],
    ['simatic-sd', 'dense.s7dcl'],
  ]
  const all: string[] = []
  for (const [folder, name] of files) {
    const text = file(folder, name)
    const { objects, layouts = [], sdPlaces } = await read(text, name)
    for (const [i, object] of objects.entries()) {
      const places = sdPlaces?.[i]
      const inSd = (place: MessagePlace) => {
        const [line, column] = sdPlaceOf(places as NonNullable<typeof places>, place)
        return { line, column }
      }
      // A source is stored object by object; the layout of each says where it is in its own text.
      const find = places === undefined ? placesOf(object, layouts[i]) : inSd
      all.push(`── ${name}: ${object.name}`)
      all.push(...told(object, places === undefined ? textOf(object) : text, find, besides[object.name] ?? []))
    }
  }
  assertRecorded(import.meta.url, 'places.txt', `${all.join('\n')}\n`)
})
