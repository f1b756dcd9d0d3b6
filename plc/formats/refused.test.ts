/** What is wrong with files of each format, case by case, as it is told: words and places (`fixtures/refused.txt`). */
import { test } from 'node:test'
import { assertRecorded } from '../../test/recorded.ts'
import { FormatError } from '../model/fault.ts'
import type { ImportedObject } from '../model/object.ts'
import { readAml } from './aml/read.ts'
import { readGsdml } from './gsdml/read.ts'
import { readSd } from './simatic-sd/read.ts'
import { readResources } from './simatic-sd/resources.ts'
import { writeSd } from './simatic-sd/write.ts'
import { importSimaticMlText } from './simaticml/read.ts'
import { writeSimaticMl } from './simaticml/write.ts'
import { readSource } from './source/read.ts'

interface Told {
  readonly message: string
  readonly line?: number
  readonly column?: number
}

const shown = (sign: string) => (one: Told | string) =>
  typeof one === 'string' ? `  ${sign} ${one}` : `  ${sign} ${one.line ?? ''}:${one.column ?? ''} ${one.message}`

/** Faults with `!`, warnings with `?`. */
async function answer(run: () => Promise<readonly string[]> | readonly string[]): Promise<readonly string[]> {
  try {
    const lines = await run()
    return lines.length === 0 ? ['  nothing'] : lines
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    return error.faults.map(shown('!'))
  }
}

/** Only what differs from case to case: what is inside of a network. */
const oneLine = (text: string) => {
  const line = (/<NetworkSource>(.*)<\/NetworkSource>/s.exec(text)?.[1] ?? text).replace(/\s+/g, ' ').trim()
  return line.length > 900 ? `${line.slice(0, 60)} …` : line
}

async function table(
  cases: readonly string[],
  read: (text: string) => Promise<readonly string[]> | readonly string[],
  wrapped = (text: string) => text,
): Promise<string[]> {
  const lines: string[] = []
  for (const text of cases) lines.push(oneLine(text), ...(await answer(() => read(wrapped(text)))))
  return lines
}

const readSdText = (text: string) => {
  const { faults, warnings } = readSd(text)
  return [...faults.map(shown('!')), ...warnings.map(shown('?'))]
}
const sdBlock = (inside: string) => `FUNCTION "F" : Void\n${inside}\nEND_FUNCTION\n`
const sdNetwork = (inside: string) => sdBlock(`{ S7_Language := "LAD" }\nNETWORK\n${inside}\nEND_NETWORK`)

const sdFiles = [
  '',
  ' // nothing\n',
  'FUNCTION ""\nEND_FUNCTION',
  'TYPE "T"\nSTRUCT\na : Int;\nEND_STRUCT;\nEND_TYPE',
  'TYPE "T" :\nSTRUCT\na : Int;\nEND_STRUCT;\nEND_TYPE',
  'DATA_BLOCK "D" : _.Motor\nEND_DATA_BLOCK',
  '{ S7_StandardRetain := "TRUE" }\nDATA_BLOCK "D" : _.Motor\nEND_DATA_BLOCK',
  'ORGANIZATION_BLOCK "Main"\nEND_ORGANIZATION_BLOCK',
  'ORGANIZATION_BLOCK "Cyclic interrupt"\nEND_ORGANIZATION_BLOCK',
  'ORGANIZATION_BLOCK "Anything"\nEND_ORGANIZATION_BLOCK',
  '{ S7_Unknown := "x" }\nFUNCTION "F" : Void\nEND_FUNCTION',
  '{ S7_BlockTitle := "MLC_1"; S7_BlockComment := "plain" }\nFUNCTION "F" : Void\nEND_FUNCTION',
  sdBlock('VAR_INPUT\n{ S7_Access := "None"; S7_Visibility := "Some"; S7_Other := "x" }\na : Int;\nEND_VAR'),
  sdBlock('VAR_INPUT\na : Int\nb : Int;\nEND_VAR'),
  sdBlock('VAR_INPUT\na Int;\nEND_VAR'),
  sdBlock('VAR_INPUT\na : STRUCT\nb : Int;\nEND_VAR'),
  sdBlock('VAR_TEMP\na : Int; // why\n(* what *) b : Int;\nEND_VAR'),
  'DATA_BLOCK "D"\nVAR\na : Int;\nEND_VAR\nb := 5;\na[1] := 6;\na := ;\nEND_DATA_BLOCK',
  sdBlock('{ S7_Language := "STL" }\nNETWORK\nEND_NETWORK'),
  sdBlock('{ S7_Language := "scl"; S7_Colour := "red" }\nNETWORK\n#a := 1;\nEND_NETWORK'),
  sdBlock('NETWORK\nRUNG wire#powerrail\n'),
]
const sdRungs = [
  'RUNG wire#powerrail\nContact( #x1 )\nEND_RUNG wire#powerrail',
  'RUNG wire#powerrail\nContact( #x1 )\nEND_RUNG wire#w1',
  'RUNG wire#w1\nCoil( #x1 )\nEND_RUNG',
  'RUNG #x1\nTON( in := #x1 )\nEND_RUNG',
  'RUNG wire#powerrail\n5( )\nEND_RUNG',
  'RUNG wire#powerrail\nContact( #x1, #x2 )\nEND_RUNG',
  'RUNG wire#powerrail\nContact( operand := #x1, operand := #x2 )\nEND_RUNG',
  'RUNG wire#powerrail\nContact #x1\nEND_RUNG',
  'RUNG wire#powerrail\nContact( #x1 \nEND_RUNG',
  'RUNG wire#powerrail\nMove( #x1 )\nEND_RUNG',
  'RUNG wire#powerrail\nMove( in := 70000, out1 => #x1 )\nEND_RUNG',
  'RUNG wire#powerrail\n{ S7_Other := "x"; S7_GenerateENO := "perhaps" }\nMove( in := #x1, out1 => #x2 )\nEND_RUNG',
  'RUNG wire#powerrail\n{ S7_Other := "x" }\n"Fill"( a := #x1 )\nEND_RUNG',
  'RUNG wire#powerrail\n#motor.run( a := #x1 )\nEND_RUNG',
  'RUNG wire#powerrail\nContact( )\nEND_RUNG',
  'RUNG wire#powerrail\nContact( wire#w1 )\nEND_RUNG\nRUNG #x1\nEND_RUNG wire#w1\nRUNG #x2\nEND_RUNG wire#w1',
  'Label( )\nRUNG wire#powerrail\nEND_RUNG\nLabel( late )',
  'something else',
]
const resources = [
  '',
  'texts',
  'MultiLingualTexts: no list',
  'MultiLingualTexts:\n  - id: MLC_1\n    en-US: one\n  - id: MLC_1\n    en-US: two',
  'MultiLingualTexts:\n  - id: MLC_1\n    en-US: one: two',
  'MultiLingualTexts:\n  - en-US: one',
  'MultiLingualTexts:\n  - id: 5\n    en-US: one',
  'MultiLingualTexts:\n  - id: MLC_1\n    en-US: [one]',
  'MultiLingualTexts:\n  - MLC_1',
  'MultiLingualTexts:\n  - id: MLC_1\n    en-US: &x one\n  - id: MLC_2\n    en-US: *x',
]

const xmlBlock = (network: string, language = 'LAD', kind = 'FC') =>
  `<Document><Engineering version="V19" /><SW.Blocks.${kind} ID="0"><AttributeList><Name>F</Name><ProgrammingLanguage>${language}</ProgrammingLanguage></AttributeList><ObjectList><SW.Blocks.CompileUnit ID="1" CompositionName="CompileUnits"><AttributeList><NetworkSource>${network}</NetworkSource><ProgrammingLanguage>${language}</ProgrammingLanguage></AttributeList></SW.Blocks.CompileUnit></ObjectList></SW.Blocks.${kind}></Document>`
const flgNet = (parts: string, wires: string) => `<FlgNet><Parts>${parts}</Parts><Wires>${wires}</Wires></FlgNet>`
const aContact =
  '<Part Name="Contact" UId="21" /><Access Scope="LocalVariable" UId="22"><Symbol><Component Name="a" /></Symbol></Access>'
const documents = [
  '',
  '<Document>',
  '<Document><a></Document>',
  '<Document /><Document />',
  '<Document>&unknown;</Document>',
  '<Other />',
  '<Document><SW.Blocks.FC ID="0" /></Document>',
  '<Document><SW.Blocks.FC ID="0"><AttributeList><Name></Name></AttributeList></SW.Blocks.FC></Document>',
  '<Document><SW.Blocks.FC ID="0"><AttributeList><Name>F</Name><Number>x</Number></AttributeList></SW.Blocks.FC></Document>',
  '<Document><SW.Blocks.FC ID="0"><AttributeList><Name>F</Name><Interface><Sections><Section Name="Other" /></Sections></Interface></AttributeList></SW.Blocks.FC></Document>',
  '<Document><SW.Blocks.FC ID="0"><AttributeList><Name>F</Name><Interface><Sections><Section Name="Input"><Member Datatype="Int" /><Member Name="a" /></Section></Sections></Interface></AttributeList></SW.Blocks.FC></Document>',
  xmlBlock(flgNet(aContact, '<Wire UId="23" />')),
  xmlBlock(flgNet(aContact, '<Other UId="23" />')),
  xmlBlock(flgNet(aContact, '<Wire UId="23"><IdentCon UId="21" /><NameCon UId="22" Name="operand" /></Wire>')),
  xmlBlock(flgNet(aContact, '<Wire UId="23"><IdentCon UId="99" /><NameCon UId="21" Name="operand" /></Wire>')),
  xmlBlock(flgNet(aContact, '<Wire UId="22"><IdentCon UId="22" /><NameCon UId="21" Name="operand" /></Wire>')),
  xmlBlock(flgNet(aContact, '<Wire UId="23"><IdentCon UId="22" /><NameCon UId="21" /></Wire>')),
  xmlBlock(
    flgNet(
      aContact,
      '<Wire UId="23"><IdentCon UId="22" /><NameCon UId="21" Name="operand" /></Wire><Wire UId="24"><Powerrail /><NameCon UId="21" Name="operand" /></Wire>',
    ),
  ),
  xmlBlock(flgNet(aContact, '<Wire UId="x"><IdentCon UId="22" /></Wire>')),
  xmlBlock(flgNet('<Part UId="21" />', '')),
  xmlBlock(flgNet('<Other UId="21" />', '')),
  xmlBlock(flgNet('<Access Scope="Nowhere" UId="21"><Symbol><Component Name="a" /></Symbol></Access>', '')),
  xmlBlock(
    flgNet('<Access Scope="Address" UId="21"><Address Area="Nowhere" Type="Bool" BitOffset="x" /></Access>', ''),
  ),
  xmlBlock(flgNet('<Call UId="21" />', '')),
  xmlBlock('<StatementList><StlStatement><StlToken /></StlStatement></StatementList>', 'STL'),
  xmlBlock('<StatementList><StlStatement><StlToken Text="Nothing" /></StlStatement><Other /></StatementList>', 'STL'),
  xmlBlock(
    '<StatementList><StlStatement><StlToken Text="CALL" /><Access Scope="Call"><CallInfo Name="F" BlockType="FC"><Parameter /></CallInfo></Access></StlStatement></StatementList>',
    'STL',
  ),
  xmlBlock('<Graph><Sequence><Steps><Step Number="x" /></Steps></Sequence></Graph>', 'GRAPH', 'FB'),
  xmlBlock(
    '<Graph><Sequence><Steps><Step Number="1" Name="a" /><Step Number="1" Name="b" /></Steps><Transitions><Transition Number="1" /></Transitions><Branches><Branch Number="1" Type="Other" Cardinality="1" /></Branches><Connections><Connection><NodeFrom><StepRef Number="9" /></NodeFrom><NodeTo><Other /></NodeTo><LinkType>Odd</LinkType></Connection><Connection /></Connections></Sequence></Graph>',
    'GRAPH',
    'FB',
  ),
]

const sources = [
  '',
  ' // nothing\n(* else *)',
  'FUNCTION "" : Void\nBEGIN\nEND_FUNCTION',
  'FUNCTION : Void\nBEGIN\nEND_FUNCTION',
  'FUNCTION "F"\nBEGIN\nEND_FUNCTION',
  'FUNCTION "F" : Void\nBEGIN\n',
  'FUNCTION "F" : Void\nBEGIN\nEND_FUNCTION_BLOCK',
  'FUNCTION "F" : Void\nVAR_INPUT\na : ;\nb Int;\n5 : Int;\nc : Int\nEND_VAR\nBEGIN\nEND_FUNCTION',
  'FUNCTION "F" : Void\nVAR_INPUT\na : Int;\nBEGIN\nEND_FUNCTION',
  'FUNCTION "F" : Void\nVAR_INPUT\na : Array[0..1 of Int;\nEND_VAR\nBEGIN\nEND_FUNCTION',
  `FUNCTION "F" : Void\nVAR\na : ${'Struct\na : '.repeat(300)}Int;\n${'END_STRUCT;\n'.repeat(300)}END_VAR\nBEGIN\nEND_FUNCTION`,
  `FUNCTION "F" : Void\nVAR\na : ${'Array[0..1] of '.repeat(300)}Int;\nEND_VAR\nBEGIN\nEND_FUNCTION`,
  'NAMESPACE\nFUNCTION "F" : Void\nBEGIN\nEND_FUNCTION\nEND_NAMESPACE',
  'NAMESPACE a\nNAMESPACE b\nFUNCTION "F" : Void\nBEGIN\nEND_FUNCTION\nEND_NAMESPACE\nEND_NAMESPACE',
  'NAMESPACE a\nFUNCTION "F" : Void\nBEGIN\nEND_FUNCTION',
  'something\nFUNCTION "F" : Void\nBEGIN\nEND_FUNCTION',
  'DATA_BLOCK "D"\nVAR\na : Int;\nEND_VAR\nBEGIN\na = 5;\nEND_DATA_BLOCK',
  'DATA_BLOCK "D"\nBEGIN\nEND_DATA_BLOCK',
  'TYPE "T"\nEND_TYPE',
  'FUNCTION "F" : Void\nBEGIN\nNETWORK\nTITLE = x\n a: b: A "x";\n A( "x";\n NOP;\n L #a #b;\n { x\nEND_FUNCTION',
  'FUNCTION "F" : Void\nBEGIN\nNETWORK\n CALL;\n CALL "G" (a = 1);\n CALL "G" (a := );\n (* open\nEND_FUNCTION',
  "// Gantry { Number := '0'; Odd := 'x' }\nORGANIZATION_BLOCK \"Main\"\nBEGIN\nEND_ORGANIZATION_BLOCK",
  '// Gantry { Number := \'5\' }\nFUNCTION "F" : Void\nBEGIN\nEND_FUNCTION',
  'FUNCTION "F" : Void\n{ S7_Odd := \'x\' }\nVERSION : x\nAUTHOR :\nBEGIN\nEND_FUNCTION',
]

const caex = (inside: string) => `<CAEXFile FileName="x.aml" SchemaVersion="2.15">${inside}</CAEXFile>`
const amls = [
  '<Other />',
  caex('text<InstanceHierarchy Name="a" />'),
  caex('<InstanceHierarchy Name="a"><InternalElement Name="b" /></InstanceHierarchy>'),
  caex('<InstanceHierarchy><InternalElement ID="1" /></InstanceHierarchy>'),
  '<CAEXFile>',
]
const gsdmls = [
  '<Other />',
  '<ISO15745Profile />',
  '<ISO15745Profile><ProfileBody><DeviceIdentity VendorID="x" DeviceID="0x1" /></ProfileBody></ISO15745Profile>',
]

function written(): string[] {
  const [block] = readSource('FUNCTION "F" : Void\nVAR_INPUT\na : Int;\nEND_VAR\nBEGIN\n#a := 1;\nEND_FUNCTION').blocks
  const base: ImportedObject = block!.object
  const [data] = readSource('DATA_BLOCK "D"\n"T"\nBEGIN\nEND_DATA_BLOCK').blocks
  const objects: Readonly<Record<string, ImportedObject>> = {
    'a technology object': { ...data!.object, element: 'SW.TechnologicalObjects.TechnologicalInstanceDB' },
    'a screen': { ...base, kind: 'Hmi.Screen.Screen' },
    'a watch table': { ...base, kind: 'WatchTable', networks: [], entries: [] },
    'control characters': { ...base, author: 'a\u0001b', comment: { 'en-US': '\u0007' } },
    'a value of a structure': {
      ...base,
      interface: [
        {
          section: 'Input',
          members: [
            { name: 's', dataType: '"T"', startValue: '(a := 1)', comment: {}, attributes: [], members: [] },
            {
              name: 'l',
              dataType: 'Array[0..1] of Int',
              startValue: '[1, 2, 3]',
              comment: {},
              attributes: [],
              members: [],
            },
          ],
        },
      ],
    },
  }
  const outcome = (run: () => { readonly warnings: readonly (string | Told)[] }): string[] => {
    try {
      const { warnings } = run()
      return warnings.length === 0 ? ['  nothing'] : warnings.map(shown('?'))
    } catch (error) {
      if (!(error instanceof FormatError)) throw error
      return error.faults.map(shown('!'))
    }
  }
  return Object.entries(objects).flatMap(([name, object]) => [
    `${name} as SimaticML`,
    ...outcome(() => writeSimaticMl(object, { version: 'V19' })),
    `${name} as SIMATIC SD`,
    ...outcome(() => writeSd(object)),
  ])
}

test('what is wrong is told with words and places', async () => {
  const lines = [
    '── SIMATIC SD',
    ...(await table(sdFiles, readSdText)),
    '── rungs',
    ...(await table(sdRungs, readSdText, sdNetwork)),
    '── texts of SIMATIC SD',
    ...(await table(resources, async (text) =>
      [...(await readResources(text))].map(([id, one]) => `  ${id} ${JSON.stringify(one)}`),
    )),
    '── SimaticML',
    ...(await table(documents, (text) => {
      const { objects } = importSimaticMlText(text)
      return objects.flatMap(({ warnings = [] }) => warnings.map(shown('?')))
    })),
    '── sources',
    ...(await table(sources, (text) => {
      const { blocks, faults } = readSource(text)
      return [...faults.map(shown('!')), ...blocks.flatMap(({ object }) => (object.warnings ?? []).map(shown('?')))]
    })),
    '── AML',
    ...(await table(amls, (text) => [`  ${JSON.stringify(readAml(text)).slice(0, 100)}`])),
    '── GSDML',
    ...(await table(gsdmls, (text) => [
      `  read ${JSON.stringify(readGsdml(text, 'GSDML-V2.4-A-B-20200101.xml')).slice(0, 80)}`,
    ])),
    '── written',
    ...written(),
  ]
  assertRecorded(import.meta.url, 'refused.txt', `${lines.join('\n')}\n`)
})
