/** The parts that sources are read and written with, case by case (`fixtures/helpers.txt`). */
import { test } from 'node:test'
import { assertRecorded } from '../../../test/recorded.ts'
import { Keyword } from '../../model/keywords.ts'
import type { ImportedObject, InterfaceSection, ObjectAttribute } from '../../model/object.ts'
import { assignedPlaces, sourceAssignments } from './assignments.ts'
import {
  attributeOfSource,
  isSimaticMlAttribute,
  ownAttributes,
  pragmaOfSource,
  wordsOfAttributes,
} from './attribute-names.ts'
import { declaredEvent } from './event-class.ts'
import { needsEventLine, readEventLine } from './event-line.ts'
import { entriesOfLine, gantryLine, isGantryLine, valueOfLine, withGantryLine } from './gantry-line.ts'
import { arrayLimits, spreadArrayValue } from './initial-values.ts'
import { memberPlaces } from './member-places.ts'
import { inNamespace, namespaceFrame } from './namespaces.ts'
import { parsePragma, pragmaLiteral } from './pragma.ts'
import { readSource } from './read.ts'

const told = (value: unknown) => JSON.stringify(value) ?? 'undefined'
const entriesTold = (entries: readonly ObjectAttribute[]) =>
  entries.map(({ name, value }) => `${name}=${told(value)}`).join(' ')

function arrays(): string[] {
  const spread = (type: string, value: string) => {
    const found = spreadArrayValue(type, value)
    const elements = found?.map(({ path, startValue }) => `${path}=${startValue}`).join(' ')
    return `${type} := ${value}: ${elements ?? 'no list'}`
  }
  const types = [
    'Array[0..9] of Int',
    'array[-3..-1, 1..2] of "T"',
    'Array[0.."MAX"] of Int',
    'Array[ 1 .. 2 ] of Int',
    'Array[*] of Int',
    'Int',
  ]
  const values = [
    '[1, 2, 3]',
    '[2(5), 7]',
    '[1, 2(3, 4)]',
    '[[1, 2], [3, 4]]',
    '[\'a,b\', "C"]',
    '[-1, 16#FF]',
    '[]',
    '[1, 2, 3, 4, 5, 6, 7]',
    '[1, ',
    '[1](2)',
    '1',
    '[1 2]',
    '[1 + 2]',
    "[-1, 'a' 'b']",
  ]
  const wrong = ['[1,, 2]', '[(1)]', '[2(1)', '[0(5), 3]', '[1, 2,]', '[1_0(1)]', '[70000(1)]']
  return [
    ...types.map((type) => `limits of ${type}: ${told(arrayLimits(type))}`),
    ...[...values, ...wrong].map((value) => spread('Array[0..5] of Int', value)),
    spread('Array[0..1, -1..1] of Int', '[6(9)]'),
    spread('Array[0..1, -1..1] of Int', '[1, 2, 3, 4]'),
    spread('Array[1..0] of Int', '[]'),
    spread('Array[0..1, 0..1, 5..6] of Bool', '[8(true)]'),
  ]
}

function lines(): string[] {
  const comments = [
    "// Gantry { A := 'b' }",
    "//gantry{A:='b';C:='d'}  ",
    '// Gantry {}',
    '// Gantry { A }',
    '// Gantry A',
    '// A Gantry { A }',
    "// Gantry { A := 'it$'s'; A := 'two' }",
  ]
  const pragmas = [
    "{ S7_Optimized_Access := 'TRUE' }",
    '{A:=\'1\';B:="x";C}',
    "{ A = 'x' , B := TRUE }",
    '{A := a   b}',
    "{ A := 'x' 'y' }",
    '{}',
    '{ ; ; }',
    "{ A := '' }",
    "{ A := '$$1 $N' }",
  ]
  const source = (line: string) => `TYPE "T"\nEND_TYPE\n${line}FUNCTION "F" : Void\nBEGIN\nEND_FUNCTION\n`
  const put = (text: string, entries: readonly ObjectAttribute[]) =>
    told(withGantryLine(text, Keyword.FUNCTION, entries))
  const own = [{ name: 'Number', value: '5' }]
  return [
    ...comments.map((text) => `${text}: ${isGantryLine(text)} ${entriesTold(entriesOfLine(text) ?? [])}`),
    ...pragmas.map((text) => `${text}: ${entriesTold(parsePragma(text))}`),
    ...['a', "it's", '$5', ''].map((text) => `literal ${text}: ${pragmaLiteral(text)}`),
    gantryLine([
      { name: 'Number', value: '5' },
      { name: 'Comment', value: 'one\r\ntwo\nthree' },
    ]),
    `lines of a value: ${told(valueOfLine([...own, { name: 'a', value: '1' }, { name: 'A', value: '2' }], 'A'))} ${told(valueOfLine(own, 'A'))}`,
    `a line of its own: ${put(source(''), own)}`,
    `with CR LF: ${put('FUNCTION "F" : Void\r\nEND_FUNCTION\r\n', own)}`,
    `in place of another: ${put(source("// Gantry { number := '4'; Other := 'x' }\n// more\n"), own)}`,
    `not that of another block: ${put(source("// Gantry { A := 'x' }\n").replace('TYPE', "// Gantry { B := 'y' }\nTYPE").replace("// Gantry { A := 'x' }\n", ''), own)}`,
    `no such block: ${put('TYPE "T"\nEND_TYPE\n', own)}`,
  ]
}

function namespaces(): string[] {
  const frame = (name: string, opens: boolean, closes: boolean, text: string) =>
    `${name}, ${opens ? 'opens' : 'goes on'}${closes ? ', closes' : ''}: ${told(namespaceFrame({ name, opens, closes }, text))}`
  return [
    told(namespaceFrame(undefined, 'x')),
    frame('a', true, true, 'x\n'),
    frame('a.b', false, false, 'x\n'),
    frame('a.b c', false, true, 'x'),
    frame('a', true, false, 'x'),
    ...['', 'a', 'a.b', 'Línea.Tank 1', '1st._x', 'a-b'].map((name) => `${name}: ${told(inNamespace(name, 'x\n\n'))}`),
  ]
}

function events(): string[] {
  const read = (entries: Readonly<Record<string, string>>) => {
    const { number, secondaryType, schedule, unknown } = readEventLine(
      Object.entries(entries).map(([name, value]) => ({ name, value })),
    )
    return `${told(entries)}: ${number} ${secondaryType} [${entriesTold(schedule)}] unknown [${entriesTold(unknown)}]`
  }
  const section = (name: 'Input' | 'Temp', ...members: string[]): InterfaceSection => ({
    section: name,
    members: members.map((one) => ({ name: one, dataType: 'Int', comment: {}, attributes: [], members: [] })),
  })
  const event = (name: string, more: { title?: string; number?: number; sections?: InterfaceSection[] } = {}) =>
    `${name} ${more.title ?? ''} ${more.number ?? ''} ${(more.sections ?? []).map((one) => one.members.map((two) => two.name).join()).join(' ')}: ${told(
      declaredEvent({
        name,
        number: more.number,
        title: more.title ?? '',
        sections: more.sections ?? [],
        line: undefined,
      }),
    )}`
  const needs = (have: Partial<ImportedObject>, wanted: Partial<ImportedObject>) =>
    `${told(have)} wanted ${told(wanted)}: ${needsEventLine({ attributes: [], ...have }, { attributes: [], ...wanted })}`
  const cyclic = 'CyclicInterrupt'
  const time = (value: string) => [{ name: 'CyclicTime', value }]
  return [
    read({ Number: '30', SecondaryType: cyclic, CyclicTime: '5000' }),
    read({ number: '65535', PriorityNumber: 'x', EnableTimeError: 'True', PhaseOffset: '1234567890123456' }),
    read({ Number: '0', SecondaryType: '3D', Other: 'y' }),
    read({ Number: '65536', enabletimeerror: 'no' }),
    read({ Number: '1.5', EventsToBeQueued: '3', ProcessImagePartNumber: '2' }),
    event('Main'),
    event('Anything'),
    event('Cyclic interrupt_2'),
    event('CYC_INT3'),
    event('OB35'),
    event('Anything', { title: 'Cyclic interrupt' }),
    event('Anything', { title: 'OB35' }),
    event('Anything', { number: 35 }),
    event('Anything', { number: 200 }),
    event('Cyclic interrupt', { number: 200 }),
    event('OB7', { number: 200 }),
    event('Anything', { number: 200, title: '"Startup"' }),
    event('Anything', { sections: [section('Temp', 'OB33_EV_CLASS', 'x')] }),
    event('Anything', { sections: [section('Temp', 'x', 'OB33_EV_CLASS')] }),
    event('Anything', { sections: [section('Input', 'Initial_Call', 'Remanence')] }),
    event('Anything', { sections: [section('Input', 'LostRetentive', 'LostRTC')] }),
    event('Anything', { sections: [section('Input', 'Initial_Call', 'Event_Count')] }),
    event('Anything', { sections: [section('Input', 'toString')] }),
    ...['CaughtUp', 'SecondTime', 'Sign', 'PIP_Input', 'LostRTC', 'IChannel', 'MultiError'].map((input) =>
      event('Anything', { sections: [section('Input', input)] }),
    ),
    needs({}, {}),
    needs({}, { secondaryType: cyclic }),
    needs({ secondaryType: cyclic }, { secondaryType: cyclic }),
    needs({ secondaryType: cyclic, guessedEvent: 'name' }, { secondaryType: cyclic }),
    needs({ secondaryType: 'ProgramCycle', guessedEvent: 'name' }, {}),
    needs({ secondaryType: cyclic }, { secondaryType: cyclic, number: 30 }),
    needs({ secondaryType: cyclic }, { secondaryType: cyclic, number: 31 }),
    needs({ secondaryType: cyclic, number: 31 }, { number: 31 }),
    needs({ secondaryType: cyclic }, { number: 30, attributes: time('5') }),
    needs({ secondaryType: cyclic, attributes: time('5') }, { number: 30, attributes: time('5') }),
    needs({ attributes: time('5') }, { attributes: [{ name: 'Other', value: '1' }] }),
  ]
}

function attributes(): string[] {
  const names = [
    'DB_Accessible_From_OPC_UA',
    'db_accessible_from_webserver',
    'UNLINKED',
    'Read_Only',
    'InstructionName',
    'LibVersion',
    'Author',
    '',
  ]
  const value = (name: string) => (name.startsWith('Lib') ? '1.0' : 'TRUE')
  const object = (format: 'source' | 'simaticml', entries: Readonly<Record<string, string>>) => ({
    format,
    attributes: Object.entries(entries).map(([name, text]) => ({ name, value: text })),
  })
  const shown = (one: ReturnType<typeof object>) =>
    `${one.format} ${entriesTold(one.attributes)}: own [${entriesTold(ownAttributes(one))}] pragma ${told(pragmaOfSource(one))} words ${told(wordsOfAttributes(one))}`
  return [
    ...names.map(
      (name) =>
        `${name}: ${isSimaticMlAttribute(name)} ${entriesTold([attributeOfSource({ name, value: value(name) })])}`,
    ),
    shown(
      object('simaticml', {
        DBAccessibleFromOPCUA: 'false',
        DBAccessibleFromWebserver: 'true',
        IsOnlyStoredInLoadMemory: 'true',
        IsWriteProtectedInAS: 'false',
        Name: 'x',
      }),
    ),
    shown(
      object('source', {
        DB_ACCESSIBLE_FROM_WEBSERVER: 'False',
        READ_ONLY: 'TRUE',
        UNLINKED: 'x',
        Published: 'true',
        S7_Optimized_Access: 'TRUE',
        Empty: '',
      }),
    ),
    shown(
      object('simaticml', { MemoryReserve: '100', SetENOAutomatically: 'true', Number: '5', UDABlockProperties: 'x' }),
    ),
    shown({ format: 'simaticml', attributes: [{ name: 'Interesting', value: 'x', readOnly: true }] } as never),
  ]
}

function places(): string[] {
  const data =
    'DATA_BLOCK "D"\nBEGIN\n  a := 5;\n  "b c".d[1].e[2, 3] := \'x;y\' ; [4] := 7;\n  l["MAX"] := [1, 2];\n  #if := -3\nEND_DATA_BLOCK\n  f := 1;'
  const text = `FUNCTION_BLOCK "F"
VAR_INPUT
   a, "b c" { ExternalVisible := 'False' } : Int := 5;   // both
   s { A := '1' } : Struct
      t : Array[0..1] of Struct
         u : Bool;
      END_STRUCT;
   END_STRUCT; after : Int;
END_VAR
VAR_OUTPUT RETAIN o : Int; END_VAR
VAR NON_RETAIN
   n : Int END_VAR
VAR DB_SPECIFIC
   d AT n : Word;
END_VAR
VAR CONSTANT C : Int := 1; END_VAR
VAR_TEMP
   x : Int;

   (* before *) y : Int;
END_VAR
CONST
   K := 3;
END_CONST
BEGIN
END_FUNCTION_BLOCK
`
  const { layout } = readSource(text).blocks[0]!
  const { sections, members } = memberPlaces(text, layout.declarations, 'Static')
  const slice = (from: number, to: number) => told(text.slice(from, to))
  return [
    ...sourceAssignments(data).map((one) => `assigned ${told(one)}`),
    ...assignedPlaces(data).map(({ place, value }) => `at ${place}: ${value}`),
    ...sections.map(
      ({ section, remanence, end }) => `section ${section} ${remanence ?? ''} ends before ${slice(end, end + 12)}`,
    ),
    ...members.flatMap(({ path, section, remanence, start, end, names, nameIndex, declarationEnd, innerEnd }) => [
      `${path.join('.')} in ${section} ${remanence ?? ''}: ${slice(start, end)}`,
      `   ${names.map((one) => `${slice(one.start, one.nameEnd)} ${slice(one.nameEnd, one.end)}`).join(', ')} at ${nameIndex}, then ${slice(declarationEnd, declarationEnd + 9)}${innerEnd === undefined ? '' : `, inside to ${slice(innerEnd, innerEnd + 14)}`}`,
    ]),
  ]
}

test('each part of sources, case by case', () => {
  const parts = { arrays, lines, namespaces, events, attributes, places }
  const text = Object.entries(parts).flatMap(([name, made]) => [`── ${name}`, ...made()])
  assertRecorded(import.meta.url, 'helpers.txt', `${text.join('\n')}\n`)
})
