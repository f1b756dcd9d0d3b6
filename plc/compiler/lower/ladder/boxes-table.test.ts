/**
 * Every element of LAD and FBD with operands of each type at all of its pins, and what is accepted at a pin of each
 * type (`plc/compiler/fixtures/tables/{boxes,pins}.txt`, testing/recorded-programs.ts).
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { packageDir } from '../../../../core/boot/running-code.ts'
import { Bool, Int, scalarNamed } from '../../../program/scalars.ts'
import { type InstructionSpec, instructionNetwork, networkDiagnostics } from '../../../testing/lower-ladder.ts'
import { isAsRecorded } from '../../../testing/recorded-programs.ts'
import { array, blockOf, member, type SclTest } from '../../../testing/runtime.ts'
import { coils } from './coils.ts'
import { comparisonBoxes } from './comparison-boxes.ts'
import { contacts } from './contacts.ts'
import { s5Boxes } from './s5-boxes.ts'
import { typeChecks } from './type-checks.ts'
import { valueBoxes } from './value-boxes.ts'

const types = {
  ...{ Bool: 'Bool', Byte: 'Byte', Word: 'Word', DWord: 'DWord', LWord: 'LWord', SInt: 'SInt', Int: 'Int' },
  ...{ DInt: 'DInt', LInt: 'LInt', USInt: 'USInt', UInt: 'UInt', UDInt: 'UDInt', ULInt: 'ULInt', Real: 'Real' },
  ...{ LReal: 'LReal', Time: 'Time', LTime: 'LTime', S5Time: 'S5Time', Date: 'Date', TOD: 'Time_Of_Day' },
  ...{ LTOD: 'LTime_Of_Day', LDT: 'LDT', Char: 'Char', WChar: 'WChar' },
}
const others = { String: 'String[10]', DT: 'DT', DTL: 'DTL', list: array(0, 3, Int) }

/** The codes of what is told of a network, warnings with `!`; in the order of the first of each. */
function told(parts: readonly InstructionSpec[], options: Partial<SclTest> = {}): string {
  const found = networkDiagnostics({ ...types, ...others }, [instructionNetwork(parts)], options)
  // That two elements of a network write one operand is not the subject.
  const own = found.filter(({ code }) => code !== 'dead-store')
  const codes = own.map(({ code, severity }) => (severity === 'error' ? code : `${code}!`))
  return [...new Set(codes)].join(' ') || 'accepted'
}

/** `accepted: Int DInt; type-mismatch: Bool`: the names that have each answer, the most frequent first. */
function grouped(answers: readonly (readonly [name: string, answer: string])[]): string {
  const groups = new Map<string, string[]>()
  for (const [name, answer] of answers) groups.set(answer, [...(groups.get(answer) ?? []), name])
  return [...groups].map(([answer, names]) => `  ${names.join(' ')}: ${answer}`).join('\n')
}

/** Pins of elements as exports have them (docs/flgnet-parts.tsv); those of other spellings by their letters alone. */
const plain = (name: string) => name.toLowerCase().replaceAll('_', '')
const pinsOf = new Map(
  readFileSync(join(packageDir, 'docs/flgnet-parts.tsv'), 'utf8')
    .split('\n')
    .slice(1)
    // The most frequent ones are first.
    .reverse()
    .map((row) => row.split('\t'))
    .map(([name = '', , , pins = '']) => [plain(name), pins.split(' ').map((pin) => pin.replace(/:\d+$/, ''))]),
)
/** Elements with the pins of another one. */
const alike = new Map(
  'Dec:Inc Shl:Shr Rol:Shr Ror:Shr Min:Add Max:Add Xor:And X:O NCoil:PCoil CoilTP:CoilTON CoilTONR:CoilTON Se:Sd Sp:Sd Ss:Sd'
    .split(' ')
    .map((pair) => pair.split(':') as [string, string]),
)
/** Of elements that no export of the table has. */
const defaultPins: readonly (readonly [table: object, pins: string])[] = [
  [valueBoxes, 'en in out>'],
  [typeChecks, 'pre in1 in2 out>'],
  [coils, 'in operand'],
  [contacts, 'in operand out>'],
]
const flowPins = new Set('in pre en'.split(' '))

/** The element with an operand at each pin. Without EN it begins at the power rail, and a coil is behind it. */
function element(name: string, pins: readonly string[], type: string): InstructionSpec[] {
  const inputs = pins.filter((pin) => !pin.endsWith('>') && !/^in(?:[3-9]|\d\d)/i.test(pin))
  const outputs = pins.filter((pin) => /^(?:out1?|Q)>$/i.test(pin)).map((pin) => pin.slice(0, -1))
  const isBox = pins.includes('en')
  const operand = `#${type}`
  const parts: InstructionSpec[] = [
    {
      name,
      in: Object.fromEntries(
        inputs.map((pin) => [pin, pin === 'en' || (!isBox && flowPins.has(pin)) ? 'RAIL' : operand]),
      ),
      out: isBox ? Object.fromEntries(outputs.map((pin) => [pin, operand])) : {},
      ...(type in types ? { types: { SrcType: type, DestType: type } } : {}),
    },
  ]
  if (!isBox && outputs[0] !== undefined) parts.push({ name: 'Coil', in: { in: `0.${outputs[0]}`, operand: '#Bool' } })
  return parts
}

/** A few of each kind: the test is to be quick. */
const boxTypes = 'Bool Byte DWord SInt Int UInt LInt Real LReal Time Date Char'.split(' ')

test('elements of LAD and FBD take the types of the table at their pins', () => {
  const tables = [contacts, coils, s5Boxes, typeChecks, comparisonBoxes, valueBoxes]
  const names = tables.flatMap((table) => Object.keys(table).map((name) => [name, table] as const))
  const answers = new Map<string, string[]>()
  for (const [name, table] of names.sort(([a], [b]) => (a < b ? -1 : 1))) {
    const pins =
      pinsOf.get(plain(alike.get(name) ?? name)) ??
      (defaultPins.find(([of]) => of === table)?.[1] ?? 'in operand').split(' ')
    const all = [...boxTypes, ...Object.keys(others)]
    const answer = grouped(all.map((type): [string, string] => [type, told(element(name, pins, type))]))
    answers.set(answer, [...(answers.get(answer) ?? []), name])
  }
  const text = [...answers].map(([answer, of]) => `${of.join(' ')}\n${answer}\n`).join('')
  isAsRecorded('tables/boxes.txt', text)
})

const constants = (
  '0 1 -1 255 300 40000 70000 0.0 0.5 1000.0 TRUE 16#FF 16#FFFF B#16#10 W#16#1 W#16#FFFF DW#16#1 INT#5 INT#300 DINT#5 ' +
  "UINT#40000 REAL#1.0 LREAL#1000.0 LREAL#0.5 T#1s LT#1s S5T#1s D#2020-01-01 TOD#10:00:00 'a' 'ab'"
).split(' ')

test('values and constants at pins of each type are taken, converted or refused as the table says', () => {
  const rows = [false, true].flatMap((isIecCheckOn) =>
    Object.entries(types).map(([name, typeName]) => {
      const type = scalarNamed(typeName) ?? Bool
      const take = blockOf('Take', { kind: 'FC', members: [member('p', type, 'Input')] })
      const answer = (operand: string) =>
        told([{ name: 'Take', call: 'FC', in: { en: 'RAIL', p: operand } }], { others: [take], isIecCheckOn })
      const values = [...Object.keys(types).map((one) => `#${one}`), ...(isIecCheckOn ? [] : constants)]
      const answers = values.map((one): [string, string] => [one.replace(/^#/, ''), answer(one)])
      return `${name}${isIecCheckOn ? ' with the IEC check' : ''}\n${grouped(answers)}`
    }),
  )
  isAsRecorded('tables/pins.txt', `${rows.join('\n')}\n`)
})
