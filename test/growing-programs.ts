/** Programs of any size in every language and format that is read: what grows is in their names. */

import { importFile } from '../plc/formats/import.ts'
import { writeSd } from '../plc/formats/simatic-sd/write.ts'
import { generateObject } from '../plc/generate/object-of.ts'
import type { BlockSpecification } from '../plc/generate/specification.ts'
import { db, fb, fc, ob } from '../plc/review/examples.ts'
import type { ProgramText } from './program-passes.ts'

export const each = (n: number, part: (i: number) => string, between = ''): string =>
  Array.from({ length: n }, (_, i) => part(i)).join(between)

const sections = [
  {
    section: 'Input',
    members: [
      { name: 'a', dataType: 'Bool' },
      { name: 'b', dataType: 'Bool' },
    ],
  },
  { section: 'Output', members: [{ name: 'p', dataType: 'Bool' }] },
] as const

/** SimaticML of a block that is specified. */
const xml = (spec: BlockSpecification, path = `${spec.name}.xml`): ProgramText => ({
  path,
  text: generateObject(spec, { version: 'V19' }).text,
})

const ladder = (n: number, language: 'LAD' | 'FBD') =>
  xml({
    kind: 'FC',
    name: 'Logic',
    language,
    interface: sections,
    networks: Array.from({ length: n }, (_, i) => ({ title: `network ${i}`, expressions: '#p := #a AND NOT #b' })),
  })

/** The same block as SIMATIC SD. */
async function sd({ path, text }: ProgramText): Promise<ProgramText> {
  const { objects } = await importFile(new TextEncoder().encode(text), { path })
  return { path: path.replace(/\.\w+$/, '.s7dcl'), text: writeSd(objects[0]!).content }
}

const chart = (n: number) =>
  xml({
    kind: 'FB',
    name: 'Chart',
    language: 'GRAPH',
    interface: sections,
    chart: {
      sequences: [
        {
          steps: Array.from({ length: n }, (_, i) => ({ name: `Step_${i}`, actions: ['N #p'], interlock: '#b' })),
          transitions: Array.from({ length: n }, (_, i) => ({
            name: `Go_${i}`,
            condition: '#a',
            from: `Step_${i}`,
            to: `Step_${(i + 1) % n}`,
            jump: i === n - 1,
          })),
        },
      ],
    },
  })

export const tableOf = (element: string, name: string, entries: string): string =>
  `<?xml version="1.0" encoding="utf-8"?><Document><Engineering version="V19" /><${element} ID="0"><AttributeList><Name>${name}</Name></AttributeList><ObjectList>${entries}</ObjectList></${element}></Document>`

let ids = 0
export const tagOf = (name: string, dataType: string, address: string): string =>
  `<SW.Tags.PlcTag ID="${(++ids).toString(16)}" CompositionName="Tags"><AttributeList><DataTypeName>${dataType}</DataTypeName><LogicalAddress>${address}</LogicalAddress><Name>${name}</Name></AttributeList></SW.Tags.PlcTag>`

const tags = (n: number) =>
  tableOf(
    'SW.Tags.PlcTagTable',
    'Tags',
    each(n, (i) => tagOf(`Tag_${i}`, 'Bool', `%M${i >> 3}.${i & 7}`)),
  )

const watched = (n: number) =>
  tableOf(
    'SW.WatchAndForceTables.PlcWatchTable',
    'Watch',
    each(
      n,
      (i) =>
        `<SW.WatchAndForceTables.PlcWatchTableEntry ID="${i + 1}" CompositionName="Entries"><AttributeList><Address>%M${i}.0</Address></AttributeList></SW.WatchAndForceTables.PlcWatchTableEntry>`,
    ),
  )

const scl = (text: string, path = 'program.scl'): readonly ProgramText[] => [{ path, text }]
const bools = (n: number, section: string) => `${section}\n${each(n, (i) => `  m${i} : Bool;\n`)}END_VAR`
const structure = (members: string) => `TYPE "Record"\nSTRUCT\n${members}END_STRUCT;\nEND_TYPE\n`

/** Each kind of program, by what there are `n` of. */
export const growingPrograms: Readonly<
  Record<string, (n: number) => readonly ProgramText[] | Promise<readonly ProgramText[]>>
> = {
  'SCL: statements': (n) => scl(fc(each(n, (i) => `#n := #x + ${i};\n`))),
  'SCL: statements on one line': (n) => scl(fc(each(n, (i) => `#n := #x + ${i}; `))),
  'SCL: IF and loops': (n) =>
    scl(fc(each(n, (i) => `IF #x > ${i} THEN #n := ${i}; ELSIF #a THEN #q := #b; ELSE #q := FALSE; END_IF;\n`))),
  'SCL: branches of CASE': (n) =>
    scl(fc(`CASE #x OF\n${each(n, (i) => `${i}: #n := ${i};\n`)}ELSE #n := 0;\nEND_CASE;`)),
  'SCL: regions and comments': (n) =>
    scl(fc(each(n, (i) => `REGION r${i}\n// #n := ${i};\n(* two\nlines *)\n#q := #a;\nEND_REGION\n`))),
  'SCL: members that are used': (n) =>
    scl(
      fb(
        bools(n, 'VAR'),
        each(n, (i) => `#m${i} := NOT #m${(i * 7) % n};\n`),
      ),
    ),
  'SCL: parameters of a call': (n) =>
    scl(
      fb(bools(n, 'VAR_INPUT'), '#m0 := TRUE;', 'Called') +
        fb('VAR\n  inner : "Called";\nEND_VAR', `#inner(${each(n, (i) => `m${i} := TRUE`, ', ')});`),
    ),
  'SCL: instances': (n) =>
    scl(
      fb('VAR_INPUT\n  a : Bool;\nEND_VAR', ';', 'Called') +
        fb(
          `VAR\n${each(n, (i) => `  i${i} : "Called";\n  t${i} : TON_TIME;\n`)}END_VAR`,
          each(n, (i) => `#i${i}(a := TRUE);\n#t${i}(IN := TRUE, PT := T#1s);\n`),
        ),
    ),
  'SCL: blocks that call each other': (n) =>
    scl(
      ob(`"B${n - 1}"();`) +
        each(n, (i) =>
          fc(
            i === 0 ? '#q := #a;' : `"B${i - 1}"(a := TRUE, b := TRUE, x := 1, y := 2, r := 1.0, q => #q, n => #n);`,
          ).replace('"Convert"', `"B${i}"`),
        ),
    ),
  'SCL: blocks that use a tag': (n) => [
    { path: 'tags.xml', text: tags(10) },
    ...scl(each(n, (i) => fc(`#q := "Tag_1" AND "Tag_${i % 10}";\n"Tag_2" := #b;`).replace('"Convert"', `"B${i}"`))),
  ],
  'SCL: errors': (n) => scl(fc(each(n, (i) => `#none${i} := "gone${i}" + #x;\n`))),
  'SCL: faults of syntax': (n) => scl(fc(each(n, (i) => `IF ${i} THEN := ; END_FOR;\n`))),
  'SCL: labels': (n) => scl(fc(each(n, (i) => `l${i}: IF #a THEN GOTO l${(i * 7) % n}; END_IF;\n`))),
  'STL: networks': (n) =>
    scl(fc(each(n, (i) => `NETWORK\nTITLE = network ${i}\n  A #a;\n  AN #b;\n  = #q;\n`)), 'list.awl'),
  'STL: statements of a network': (n) =>
    scl(fc(`NETWORK\n${each(n, (i) => `L #x;\nL ${i};\n+I;\nT #n;\n`)}`), 'list.awl'),
  'STL: jumps': (n) => scl(fc(`NETWORK\n${each(n, (i) => `L${i}: A #a;\nJC L${(i * 7) % n};\n`)}`), 'list.awl'),
  'LAD: networks': (n) => [ladder(n, 'LAD')],
  'FBD: networks': (n) => [ladder(n, 'FBD')],
  'LAD: contacts of a network': (n) => [
    xml({
      kind: 'FC',
      name: 'Logic',
      language: 'LAD',
      interface: sections,
      networks: [{ expressions: each(Math.ceil(n / 5), () => '#p := #a AND NOT #b OR #b AND #a', '; ').split('; ') }],
    }),
  ],
  'SIMATIC SD: networks': async (n) => [await sd(ladder(n, 'LAD'))],
  'SIMATIC SD: statements': async (n) => [await sd(scl(fc(each(n, (i) => `#n := #x + ${i};\n`)))[0]!)],
  'GRAPH: steps': (n) => [chart(n)],
  'types: members': (n) => scl(structure(each(n, (i) => `  m${i} : Int := ${i};\n`)), 'type.udt'),
  'types: types of types': (n) =>
    scl(
      each(n, (i) =>
        structure(`  m : ${i % 50 === 0 ? 'Int' : `"Record${i - 1}"`};\n`).replace('"Record"', `"Record${i}"`),
      ),
      'types.udt',
    ),
  'data: members with start values': (n) =>
    scl(
      db(each(n, (i) => `  m${i} : Int := ${i};\n`)).replace(
        'BEGIN\n',
        `BEGIN\n${each(n, (i) => `  m${i} := ${i + 1};\n`)}`,
      ),
      'data.db',
    ),
  'data: elements of an array': (n) =>
    scl(
      db(`  all : Array[0..${n}] of Int;\n`).replace('BEGIN\n', `BEGIN\n${each(n, (i) => `  all[${i}] := ${i};\n`)}`),
      'data.db',
    ),
  'data: instances': (n) =>
    scl(
      fb('VAR\n  a : Int;\n  t : TON_TIME;\nEND_VAR', ';') +
        each(n, (i) => `DATA_BLOCK "I${i}"\n"Motor"\nBEGIN\n  a := ${i};\nEND_DATA_BLOCK\n`),
      'data.scl',
    ),
  'data: ARRAY data blocks': (n) =>
    Array.from({ length: n }, (_, i) => xml({ kind: 'ArrayDB', name: `Array${i}`, dataType: 'Array[0..9] of Int' })),
  'data: blocks': (n) =>
    scl(
      each(n, (i) => db('  m : Int;', `Data${i}`)),
      'data.db',
    ),
  'tags: rows of a table': (n) => [
    { path: 'tags.xml', text: tags(n) },
    ...scl(ob(each(n, (i) => `"Tag_${i}" := "Tag_${(i * 7) % n}";\n`))),
  ],
  'watch table: rows': (n) => [{ path: 'watch.xml', text: watched(n) }],
  'files: one block in each': (n) =>
    Array.from({ length: n }, (_, i) => ({ path: `b${i}.scl`, text: fc('#q := #a;').replace('"Convert"', `"B${i}"`) })),
}
