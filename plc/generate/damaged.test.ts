/**
 * Specifications of blocks with everything they can have, each field left out or with another value in turn: what is
 * refused, at which pointer, and else what is generated another way (`fixtures/*.txt`).
 */
import { test } from 'node:test'
import { assertRecorded, fixtureText } from '../../test/recorded.ts'
import { readSimaticMlText } from '../formats/simaticml/read.ts'
import { FormatError } from '../model/fault.ts'
import type { ImportedObject } from '../model/object.ts'
import { type Damaged, tableOfAnswers } from '../testing/damage.ts'
import { changedLines, outline } from '../testing/outline.ts'
import { generateObject } from './object-of.ts'
import type { BlockSpecification } from './specification.ts'
import { specificationOf } from './specification-of.ts'

const dense: readonly BlockSpecification[] = [
  {
    ...{
      kind: 'FB',
      name: 'Block',
      number: 12,
      language: 'LAD',
      title: 'a title',
      comment: { 'de-DE': 'ein Kommentar' },
    },
    ...{ author: 'me', family: 'fam', userId: 'hdr', version: '1.3', memoryLayout: 'Standard' },
    attributes: { IsIECCheckEnabled: true, MemoryReserve: 50 },
    interface: [
      {
        section: 'Input',
        members: [
          { name: 'go', dataType: 'Bool', comment: 'starts', remanence: 'Retain', accessibility: 'Internal' },
          {
            name: 'n',
            dataType: 'Int',
            startValue: '4',
            attributes: { ExternalVisible: false, SetPoint: { type: 'Boolean', value: 'true', systemDefined: true } },
          },
        ],
      },
      {
        section: 'Static',
        members: [
          {
            name: 'list',
            dataType: 'Array[0..2] of Int',
            elements: [{ path: '1', startValue: '7', comment: 'second' }],
          },
          {
            name: 'pair',
            dataType: 'Struct',
            members: [{ name: 'x', dataType: 'Real', startValue: '3.14', startValueConstant: 'PI' }],
          },
          { name: 'timer', dataType: 'TON_TIME', version: '1.0' },
          {
            name: 'motor',
            dataType: '"Motor"',
            typeMembers: [{ section: 'None', members: [{ name: 'speed', dataType: 'Int', startValue: '9' }] }],
          },
        ],
      },
    ],
    networks: [
      { title: 'one', comment: { 'en-US': 'first' }, expressions: ['#pair.b := #go AND #n > 3', 'S(#q) := #go'] },
      { language: 'SCL', code: '#n := 5;' },
      { language: 'FBD', expressions: '#q := NOT #go' },
    ],
  } as BlockSpecification,
  {
    ...{ kind: 'FB', name: 'Chart', language: 'GRAPH' },
    chart: {
      before: [{ language: 'STL', code: 'SET;' }],
      sequences: [
        {
          title: 'main',
          steps: [
            {
              number: 1,
              name: 'Idle',
              initial: true,
              maximumTime: 'T#5s',
              warningTime: 'T#2s',
              comment: 'waits',
              actions: ['S1 N #motor', { qualifier: 'D', text: '#lamp, T#5s', needsInterlock: true, event: 'S1' }],
              interlock: '#ok',
              supervision: { language: 'FBD', expressions: '#late', alarmText: 'late' },
            },
            { name: 'Left' },
            { name: 'Right' },
            { name: 'Both' },
          ],
          transitions: [
            { number: 3, name: 'go', from: 'Idle', to: ['Left', 'Right'], condition: '#start', comment: 'begins' },
            { name: 'join', from: ['Left', 'Right'], to: 'Both', condition: '#a AND #b' },
            { name: 'back', from: 'Both', to: 'Idle', jump: true },
          ],
        },
      ],
      after: [{ language: 'LAD', expressions: '#y := #x' }],
    },
  } as unknown as BlockSpecification,
  { kind: 'OB', name: 'Late', number: 30, eventClass: 'CyclicInterrupt', language: 'SCL', code: ';' },
  { kind: 'DB', name: 'Own', instanceOf: 'Block' },
  { kind: 'ArrayDB', name: 'List', dataType: 'Array[0..3] of Int' } as BlockSpecification,
]

/** Fields that the schema of a request demands. */
const required: ReadonlySet<string | number> = new Set([
  'kind',
  'name',
  'dataType',
  'section',
  'members',
  'path',
  'text',
  'steps',
  'sequences',
  'type',
  'value',
])

/** Each field left out, or with a value of another kind. */
function* damagesOf(value: unknown, whole: unknown, path: readonly (string | number)[] = []): Generator<Damaged> {
  const put = (what: string, by: unknown): Damaged => {
    const copy = structuredClone(whole)
    let at = copy as Record<string | number, unknown>
    for (const step of path.slice(0, -1)) at = at[step] as Record<string | number, unknown>
    const last = path.at(-1) ?? ''
    if (by !== undefined) at[last] = by
    else if (Array.isArray(at)) at.splice(Number(last), 1)
    else delete at[last]
    return { what: `/${path.join('/')} ${what}`, text: JSON.stringify(copy) }
  }
  if (path.length > 0) {
    if (!required.has(path.at(-1) ?? '')) yield put('left out', undefined)
    if (typeof value === 'string') for (const other of ['', 'go']) yield put(`is "${other}"`, other)
    if (typeof value === 'number') for (const other of [0, 2]) yield put(`is ${other}`, other)
    if (typeof value === 'boolean') yield put(`is ${!value}`, !value)
    if (Array.isArray(value)) yield put('twice', [...value, ...value])
  }
  if (typeof value === 'object' && value !== null)
    for (const [name, inner] of Object.entries(value))
      yield* damagesOf(inner, whole, [...path, Array.isArray(value) ? Number(name) : name])
}

function generated(spec: BlockSpecification): string[] {
  const { object, warnings } = generateObject(spec, { version: 'V21', culture: 'de-DE' })
  const { xml: _xml, ...rest } = object
  return [...warnings.map((one) => `! ${one}`), ...outline(rest, ['parts'])]
}

for (const spec of dense) {
  test(`${spec.name} is generated with all it says`, () => {
    // Every chart has the same members of the system.
    const lines = generated(spec).filter((line) => !/^ {4,}.*(\bname [A-Z]{1,3}_\w+|G7_|systemDefined)/.test(line))
    assertRecorded(import.meta.url, `${spec.name}-generated.txt`, `${lines.join('\n')}\n`)
  })

  test(`${spec.name} with one other field is refused at that field, or generated with that difference`, () => {
    const whole = generated(spec)
    const answer = (text: string): string[] => {
      try {
        return changedLines(whole, generated(JSON.parse(text)), 1)
      } catch (error) {
        if (!(error instanceof FormatError)) throw error
        return error.faults.slice(0, 3).map(({ code, path, message }) => `${code} ${path} ${message}`)
      }
    }
    assertRecorded(import.meta.url, `${spec.name}-damaged.txt`, tableOfAnswers([...damagesOf(spec, spec)], answer))
  })
}

test('the specifications of objects, with networks as text and as elements', () => {
  const text = (path: string) => fixtureText(import.meta.url, `../../formats/${path}`)
  const objects: readonly ImportedObject[] = [
    ...readSimaticMlText(text('simaticml/fixtures/dense.xml')).objects,
    ...readSimaticMlText(text('simaticml/fixtures/dense-graph.xml')).objects,
    ...dense.map((spec) => generateObject(spec, { version: 'V21' }).object),
  ]
  const told = objects.flatMap((object) => {
    try {
      const plain = outline(specificationOf(object))
      return [
        `── ${object.name}`,
        ...plain,
        ...changedLines(plain, outline(specificationOf(object, { networks: 'graph' })), 5),
      ]
    } catch (error) {
      return [`── ${object.name}: ${(error as Error).message}`]
    }
  })
  assertRecorded(import.meta.url, 'specifications.txt', `${told.join('\n')}\n`)
})
