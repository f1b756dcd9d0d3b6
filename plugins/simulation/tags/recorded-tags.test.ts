/**
 * Tags of a program, whole: what each name means or why it means nothing, the list page by page, the values of blocks,
 * and how forces are called. What is recorded in fixtures/ is text that people can check.
 */
import { test } from 'node:test'
import { isGatewayError } from '../../../core/index.ts'
import { assertRecorded } from '../../../test/recorded.ts'
import { loadedProgram, memoryController } from '../../../test/tag-memory.ts'
import type { Force } from '../controller/contract.ts'
import { planOf, writeTags } from './batch.ts'
import { blockValues } from './block-values.ts'
import { activeForces, forceFault } from './forces.ts'
import { type TagFilter, tagList } from './list.ts'
import { resolveTag } from './resolve.ts'
import type { ResolvedTag } from './resolved-tag.ts'

const source = `
TYPE "Motor"
STRUCT
  speed : Int := 3; // turns
  run { S7_SetPoint := 'True' } : Bool;
END_STRUCT;
END_TYPE
FUNCTION_BLOCK "Drive"
VAR_INPUT
  on : Bool;
  any : Variant;
END_VAR
VAR_IN_OUT
  motor : "Motor";
END_VAR
VAR
  timer : TON_TIME;
END_VAR
VAR RETAIN
  hours : UDInt := 7;
END_VAR
BEGIN
END_FUNCTION_BLOCK
FUNCTION_BLOCK "Old"
{ S7_Optimized_Access := 'FALSE' }
VAR
  on : Bool;
  off : Bool := TRUE;
  count : Int := 258;
END_VAR
BEGIN
END_FUNCTION_BLOCK
DATA_BLOCK "Data"
VAR
  on : Bool;
  level : Real := 1.5;
  "odd.name [1]" : LInt;
  grid : Array[1..2, -1..0] of Bool;
  motors : Array[0..1] of "Motor"; // both
  text : String[3] := 'ab';
  wide : WString[2];
  when : DTL;
  then : Date_And_Time;
  old : "Old";
  nothing : Array[1..2] of Struct
    plain : Struct
      x : LReal;
    END_STRUCT;
  END_STRUCT;
END_VAR
VAR RETAIN
  kept : Struct
    count : Int; // pieces
    word : Word;
  END_STRUCT;
END_VAR
BEGIN
  motors[1].speed := 9;
END_DATA_BLOCK
DATA_BLOCK "Standard"
{ S7_Optimized_Access := 'FALSE' }
VAR
  first : Bool;
  second : Bool;
  word : Word := 16#0102;
  bits : Array[0..10] of Bool;
  motor : "Motor";
  long : LWord;
END_VAR
BEGIN
END_DATA_BLOCK
DATA_BLOCK "Retained"
{ S7_Optimized_Access := 'FALSE' }
VAR RETAIN
  a : Byte;
  b : Bool;
END_VAR
BEGIN
END_DATA_BLOCK
DATA_BLOCK "List"
Array[1..2] of "Motor"
BEGIN
END_DATA_BLOCK
DATA_BLOCK "Kept"
RETAIN
Array[0..1] of Byte
BEGIN
END_DATA_BLOCK
DATA_BLOCK "Drive_DB"
"Drive"
BEGIN
END_DATA_BLOCK
`
const program = await loadedProgram(source, {
  Start: ['Bool', '%I0.0'],
  'Motor 1': ['Int', '%QW4'],
  Level: ['Real', '%MD10'],
  Flag: ['Byte', '%MB3'],
  'a.b': ['Byte', '%MB1'],
  I1: ['Word', '%IW2'],
  Station: ['"Motor"', '%I20.0'],
  Delay: ['Timer', '%T1'],
  Pieces: ['Counter', '%C2'],
})
const { areas, dataBlocks } = program.compiled.linked
const numberOf = (name: string) => program.symbols.dataBlocks.find((block) => block.name === name)?.number

/** `PI+4`: the place of an address in its area or block. */
function placeText(address: number): string {
  const places = [...Object.entries(areas), ...dataBlocks]
  const found = places.find(([, place]) => address >= place.address && address < place.address + place.size)
  return found ? `${found[0]}+${address - found[1].address}` : 'nowhere'
}

function tagText(tag: ResolvedTag): string {
  const { name, dataType, primitiveType, area, block, access, byte, bit, size, addressText, comment, codec } = tag
  const [at, written] = [placeText(tag.address), placeText(tag.writeAddress)]
  const parts = [
    `${name} : ${dataType} (${primitiveType})`,
    `${area}${block === undefined ? '' : ` of ${block}`} byte ${byte}${bit === undefined ? '' : ` bit ${bit}`}`,
    `${size} bytes at ${at}${at === written ? '' : `, written at ${written}`}`,
    access,
    addressText ?? 'no address',
    `${codec.leaves} values`,
    ...(tag.isRetentive ? ['retentive'] : []),
    ...(comment === '' ? [] : [`"${comment}"`]),
  ]
  return parts.join(' | ')
}

/** What work gives, or the problem in its way. */
function told(work: () => string): string {
  try {
    return work()
  } catch (error) {
    if (!isGatewayError(error)) throw error
    const { errors, suggestion } = error.details
    const more = { ...(errors ? { errors } : {}), ...(suggestion === undefined ? {} : { suggestion }) }
    return `${error.code}: ${error.message}${Object.keys(more).length > 0 ? `\n    ${JSON.stringify(more)}` : ''}`
  }
}

const standard = numberOf('Standard')
const names = [
  ...['Start', '"start"', 'Start:P', 'start:p', 'Motor 1', 'Motor 1:P', 'Level', 'a.b', 'Flag.%X7', 'Level.%X0'],
  ...['Flag.%X8', 'Flag.%B0', 'I1', 'I1.%X9', 'I1.%B1', 'i1:P', 'Station', 'Station.run', 'Station.run:P', 'Delay'],
  ...['Pieces', 'Level:P', 'Delay:P', 'Start.x', 'Start[1]', 'Data', 'Data.on', '"Data".LEVEL', 'Data.odd', 'Data.'],
  ...['Data."odd.name [1]"', 'Data."odd.name [1]".%D1', 'Data."odd.name [1]".%W3', 'Data."odd.name [1]".%B7'],
  ...['Data."odd.name [1]".%X63', 'Data."odd.name [1]".%X64', 'Data."odd.name [1]".%D2', 'Data.grid', 'Data.grid[1]'],
  ...['Data.grid[1,-1]', 'Data.grid[2,0]', 'Data.grid[2,1]', 'Data.grid[0,0]', 'Data.grid[1,2,3]', 'Data.grid[x,1]'],
  ...['Data.motors', 'Data.motors[1]', 'Data.motors[1].speed', 'Data.motors[1].run', 'Data.motors[2].run'],
  ...['Data.motors[1].sped', 'Data.motors.speed', 'Data.text', 'Data.text[1]', 'Data.text[3]', 'Data.text[0]'],
  ...['Data.text[4]', 'Data.text[1,1]', 'Data.wide', 'Data.wide[2]', 'Data.wide[3]', 'Data.when', 'Data.when.YEAR'],
  ...['Data.then', 'Data.then.%B0', 'Data.old', 'Data.old.on', 'Data.old.off', 'Data.old.count', 'Data.old.count.%B0'],
  ...['Data.nothing[2].plain.x', 'Data.nothing[2].plain.x.%X1', 'Data.kept', 'Data.kept.count', 'Data.kept.word'],
  ...['Data.kept.word.%B0', 'Data.kept.word.%B1', 'Data.kept.word.%W0', 'Data.THIS', 'Standard', 'Standard.second'],
  ...['Standard.second:P', 'Standard.word', 'Standard.word.%B0', 'Standard.word.%X0', 'Standard.word.%X15'],
  ...['Standard.bits', 'Standard.bits[0]', 'Standard.bits[10]', 'Standard.bits[11]', 'Standard.motor'],
  ...['Standard.motor.run', 'Standard.long', 'Standard.long.%X8', 'Retained', 'Retained.a', 'Retained.b', 'List'],
  ...[
    'List."THIS"',
    'List.this[2]',
    'List.THIS[2].run',
    'List[2]',
    'List[1].speed',
    'List[3]',
    'List.speed',
    'Kept',
    'Kept[1]',
  ],
  ...['Drive_DB', 'Drive_DB.on', 'Drive_DB.any', 'Drive_DB.motor', 'Drive_DB.timer', 'Drive_DB.timer.ET'],
  ...['Drive_DB.timer.IN', 'Drive_DB.hours', 'Drive_DB.hour', '%I0.0', '%E0.0', 'I0.7', '%IB1', '%IW2', '%ID4', '%IL8'],
  ...[
    '%I0.0:P',
    '%IW2:P',
    'PIW2',
    '%PEW2',
    'PQB1',
    'PQX1.0',
    'PIL8',
    '%Q1.1',
    '%A1.1',
    '%QD0:P',
    '%M16383.7',
    '%MB16384',
  ],
  ...['%MW16383', '%IB32767', '%IW32767', '%QL32760', '%QL32761', '%T0', '%T2047', '%T2048', '%C2047', '%Z1', '%C2048'],
  ...['%I0.8', '%I0', '%IB0.1', '%X1', '%', '%DB', `%DB${standard}.DBX0.1`, `%DB${standard}.DBB2`],
  ...[`%DB${standard}.DBW2`, `%DB${standard}.DBD4`, `DB${standard}.DBL10`, `%DB${standard}.DBL11`, `%DB${standard}`],
  ...[
    `%DB${numberOf('Retained')}.DBB0`,
    `%DB${numberOf('Data')}.DBW0`,
    '%DB999.DBW0',
    '%MW10.%X3',
    '',
    ' ',
    '.',
    '"',
    '""',
  ],
  ...['"Data', 'Data"', 'Data.grid[', 'Data.grid[]', 'Data.grid[1.5,0]', 'Data.grid[12345678901,0]', 'Data..on'],
  ...['Data.on extra', 'Data.on]', '%X3', 'Strat', 'Dat', 'x'.repeat(2001), `${'x'.repeat(2000)}`],
]

test('what names mean, or why they mean nothing, as recorded', () => {
  const short = (name: string) => (name.length > 60 ? `${name.slice(0, 5)}… (${name.length})` : name)
  const lines = names.map((name) => {
    const text = told(() => tagText(resolveTag(program, name)))
    return `${short(name)}\n  ${text.replace(/x{50,}/g, (long) => `x…(${long.length})`)}`
  })
  const silent = ['Strat', 'Data.motors[1].sped', 'Drive_DB.hour'].map(
    (name) => `${name} without a search\n  ${told(() => tagText(resolveTag(program, name, false)))}`,
  )
  assertRecorded(import.meta.url, 'resolved.txt', `${[...lines, ...silent].join('\n')}\n`)
})

test('the list of tags, by area, by block, by text and page by page, as recorded', async () => {
  const sections: string[] = []
  const whole = await tagList(program, { limit: 10_000, retentiveFlags: 13 })
  const texts = whole.items.map(({ name, dataType, primitiveType, area, address, size, comment, retentive }) =>
    [`${name} : ${dataType} (${primitiveType})`, area, address ?? '-', size, retentive ? 'retentive' : '', comment]
      .join(' | ')
      .replace(/( \| )+$/, ''),
  )
  sections.push(`all ${whole.total}`, ...texts.map((text) => `  ${text}`))
  const filters: readonly (TagFilter | undefined)[] = ['IO', 'I', 'Q', 'M', 'CT', 'DB']
  for (const area of filters) {
    const { items, total, cursor } = await tagList(program, { ...(area ? { area } : {}), limit: 4 })
    sections.push(
      `${area}: ${total}, ${cursor === undefined ? 'one page' : 'more'}`,
      ...items.map(({ name }) => `  ${name}`),
    )
  }
  for (const db of ['list', ' "Retained" ', 'Start', 'Retaine', 'Drive_DB'])
    for (const q of [undefined, 'R', 'on']) {
      const page = async () => {
        const { items, total } = await tagList(program, { db, ...(q === undefined ? {} : { q }) })
        return `${total}: ${items.map(({ name }) => name).join(', ')}`
      }
      const text = await page().catch((error) =>
        told(() => {
          throw error
        }),
      )
      sections.push(`${db}${q === undefined ? '' : ` with "${q}"`}\n  ${text}`)
    }
  assertRecorded(import.meta.url, 'listed.txt', `${sections.join('\n')}\n`)
})

test('the values of data blocks with the ways to them, as recorded', async () => {
  const controller = memoryController(program)
  const start = controller.memory.slice()
  await writeTags(controller, [
    { name: 'Data.level', value: 'NaN' },
    {
      name: 'Data.grid',
      value: [
        [true, false],
        [false, true],
      ],
    },
    { name: 'Data.motors[0].run', value: true },
    { name: 'Data.text', value: '' },
    { name: 'Data.when', value: '2024-02-29T01:02:03.5' },
    { name: 'Data.old.count', value: -1 },
    { name: 'Data.kept.count', value: 5 },
    { name: 'Standard.bits[9]', value: true },
    { name: 'Standard.word', value: 0x0102 },
    { name: 'List.THIS[2].speed', value: 8 },
    { name: 'Drive_DB.timer.PT', value: 'T#5s' },
  ])
  const lines = program.symbols.dataBlocks.flatMap((block) => {
    const { address, size } = dataBlocks.get(block.name.toLowerCase())!
    const part = (from: Uint8Array) => from.subarray(address, address + size)
    const values = [...blockValues(program, block, part(controller.memory), part(start))]
    return [
      block.name,
      ...values.map(({ steps, dataType, text, isStart, isRetentive, isSetpoint }) => {
        const way = steps.map(({ name, section, dataType: type, indices }) => {
          const at = indices.map((list) => `[${list.join(',')}]`).join('')
          return `${name}${at} (${section === 'None' ? '' : `${section} `}${type})`
        })
        const flags = { changed: !isStart, retentive: isRetentive, setpoint: isSetpoint }
        const set = Object.entries(flags).flatMap(([flag, isSet]) => (isSet ? [` ${flag}`] : []))
        return `  ${way.join(' . ')} = ${text ?? 'no constant'} : ${dataType}${set.join('')}`
      }),
    ]
  })
  assertRecorded(import.meta.url, 'block-values.txt', `${lines.join('\n')}\n`)
})

test('what can be forced, and how forces are called when their tags are gone, as recorded', () => {
  const names = ['Start', 'Motor 1', 'Station', '%ID4:P', '%Q0.0:P', 'Flag', 'Data.on', 'Delay', 'Pieces']
  const faults = names.map((name) => `${name}: ${forceFault(resolveTag(program, name)) ?? 'can be forced'}`)
  const force = (key: string, area: 'I' | 'Q' | 'PI' | 'PQ', byte: number, hex: string, mask?: number): Force => ({
    ...{ key, address: areas[area].address + byte, bytes: Uint8Array.from(Buffer.from(hex, 'hex')) },
    ...(mask === undefined ? {} : { mask }),
  })
  const forces = [
    force('Start', 'PI', 0, '01', 1),
    force('Motor 1', 'Q', 4, '1234'),
    force('Station', 'PI', 20, '0102'),
    force('Station:1', 'PI', 22, '01', 1),
    force('Gone', 'PI', 30, '11', 0x13),
    force('Gone:1', 'PI', 31, 'aa'),
    force('Level', 'PI', 32, '01020304'),
    force('I1', 'PI', 4, 'ffff'),
    force('%QB7:P', 'PQ', 7, '07'),
    force('Elsewhere', 'PQ', 8, '0102030405060708'),
    force('Odd', 'Q', 16, '010203'),
    force('Image', 'I', 40, '0102'),
    force('Nowhere[', 'Q', 20, '80', 0x80),
  ]
  const active = activeForces(program, forces).map(({ tag, value, bytes }) => {
    return `${tag.name} : ${tag.dataType} = ${JSON.stringify(value)} ${Buffer.from(bytes).toString('hex')}`
  })
  assertRecorded(import.meta.url, 'forces.txt', `${[...faults, '', ...active].join('\n')}\n`)
})

test('names that lie near each other are read as one range, as recorded', () => {
  const asked = [
    'Start',
    '%IB65',
    '%IB130',
    '%IB194',
    '%IB259',
    '%IB325',
    '%QB0',
    '%IW2',
    'Nothing',
    'Standard.word',
    'Standard.motor',
  ]
  const { ranges, slots } = planOf(program, asked)
  const lines = ranges.map(({ address, size }, i) => `range ${i}: ${placeText(address)}, ${size} bytes`)
  for (const [i, slot] of slots.entries())
    lines.push(`${asked[i]}: ${'error' in slot ? slot.error : `${slot.range} + ${slot.offset}`}`)
  assertRecorded(import.meta.url, 'plan.txt', `${lines.join('\n')}\n`)
})
