/**
 * All that the compiler answers about a program, as text that a person can check: diagnostics, the places and start
 * values of its data, and the code of its blocks in the intermediate form (ir-text.ts).
 */
import { type CompileOutput, compileProgram } from '../compiler/compile-program.ts'
import { interfaceFacts } from '../compiler/interfaces.ts'
import { lowerBlock } from '../compiler/lower/lower-block.ts'
import { importFile } from '../formats/import.ts'
import { decodeText } from '../model/decode.ts'
import type { ImportedObject } from '../model/object.ts'
import { accessInside, extentOf, layoutOf } from '../program/layout.ts'
import type { LinkTagTable } from '../program/link-program.ts'
import { linkProgram } from '../program/link-program.ts'
import { startImage } from '../program/memory-image.ts'
import type { Diagnostic, Program, ProgramBlock } from '../program/program.ts'
import { programSymbols } from '../program/program-symbols-of.ts'
import { retentiveRanges } from '../program/retentive.ts'
import { symbolsOfBlock } from '../program/symbol-rows.ts'
import type { Access, Member } from '../program/type.ts'
import { typeName } from '../program/type-name.ts'
import { codeText } from './ir-text.ts'

/** Reads a file of the fixtures; tag tables and their constants are those of the file. */
export async function importedProgram(bytes: Uint8Array, path: string) {
  const { objects, faults, warnings = [] } = await importFile(bytes, { path })
  return { objects, faults, warnings, text: decodeText(bytes).text }
}

/** Compiles the objects of a file. */
export function compiledProgram(
  objects: readonly ImportedObject[],
  given: readonly LinkTagTable[] = [],
): CompileOutput {
  const own = objects.flatMap(({ kind, name, tags = [], constants = [] }): LinkTagTable[] =>
    kind === 'TagTable' ? [{ name, tags, constants }] : [],
  )
  const tables = [...given, ...own]
  const documents = objects
    .filter(({ kind }) => kind !== 'TagTable')
    .map((object) => ({ object, document: object.name, facts: interfaceFacts(object) }))
  return compileProgram({ documents, tables, compiler: 'test', unitsOf: () => [] })
}

/** Returns the program as text. */
export function programText(objects: readonly ImportedObject[], tables: readonly LinkTagTable[] = []): string {
  const { objects: compiled, others } = compiledProgram(objects, tables)
  const program = linkProgram(
    objects.map((object) => ({ object })),
    tables,
  )
  const told = [...others, ...compiled.flatMap(({ diagnostics }) => diagnostics)].map(diagnosticText)
  const data = [...program.blocks.values()].map((block) => dataText(program, block)).filter(Boolean)
  const code = [...program.blocks.values()].flatMap((block) => {
    if (block.kind.endsWith('DB')) return []
    const lowered = lowerBlock(program, block)
    const places = (lowered.temporaries ?? []).map(
      ({ name, byte, bit }) =>
        `${name} ${byte === undefined ? 'register' : `${byte}${bit === undefined ? '' : `.${bit}`}`}`,
    )
    const temporaries = places.length === 0 ? '' : `  temporaries: ${places.join(', ')}\n`
    return lowered.code ? [codeText(lowered.code) + temporaries] : []
  })
  const obs = programSymbols(program, () => ({ hash: '', size: 0, temporaries: [] })).organizationBlocks.map((ob) => {
    const { startInformation, ...schedule } = ob
    const members = startInformation.map(
      ({ name, byte, bit }) => `${name} ${byte}${bit === undefined ? '' : `.${bit}`}`,
    )
    return [JSON.stringify(schedule), ...(members.length === 0 ? [] : [`  ${members.join(', ')}`])].join('\n')
  })
  const facts = compiled.flatMap(({ name, unit }) => (unit?.facts ? [`${name}: ${JSON.stringify(unit.facts)}`] : []))
  return [
    section('diagnostics', told),
    section('types', [...program.types.values()].map(typeText)),
    section('data', data),
    section('organization blocks', obs),
    section('code', code),
    section('facts', facts),
  ].join('')
}

function section(title: string, parts: readonly string[]): string {
  return parts.length === 0 ? '' : `== ${title}\n${parts.map((part) => `${part.trimEnd()}\n`).join('')}\n`
}

/** Returns a diagnostic with all of its places. */
export function diagnosticText(one: Diagnostic): string {
  const { code, severity, object, member, network, line, column, endLine, endColumn, uId, element, message, hint } = one
  const places = [
    member !== undefined && `member ${member}`,
    network !== undefined && `network ${network}`,
    line !== undefined && `${line}:${column} to ${endLine ?? ''}:${endColumn ?? ''}`,
    uId !== undefined && `u${uId}`,
    element !== undefined && element,
    one.sourceLine !== undefined && `source ${one.sourceLine}:${one.sourceColumn}`,
  ].filter(Boolean)
  return `${severity} ${code} in ${object}, ${places.join(', ')}\n  ${message}${hint === undefined ? '' : `\n  ${hint}`}`
}

const hex = (bytes: Uint8Array) => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join(' ')

function typeText({ name, members }: { readonly name?: string; readonly members: readonly Member[] }): string {
  return (['optimized', 'standard'] as const)
    .map((access) => [
      `TYPE "${name}" ${access} ${layoutOf(members, access).size} bytes`,
      ...memberRows(members, access),
    ])
    .map((lines) => lines.join('\n'))
    .join('\n')
}

/** The members with their places, one a line; those of structures without a name are indented. */
function memberRows(members: readonly Member[], access: Access, indent = '  ', from = 0): string[] {
  const { offsets } = layoutOf(members, access)
  return members.flatMap((member, i) => {
    const { byte = 0, bit } = offsets[i] ?? {}
    const isAddress = member.section === 'InOut' && member.type.kind !== 'scalar'
    const marks = [
      member.isRetentive && 'retentive',
      member.isSetpoint && 'setpoint',
      member.isHidden && 'hidden',
      member.overlays !== undefined && `at ${member.overlays}`,
      isAddress && 'by address',
    ].filter(Boolean)
    const start = member.startValue === undefined ? '' : ` := ${member.startValue}`
    const parts = (member.parts ?? []).map(({ path, value }) => ` ${pathText(path)} := ${value}`)
    const at = `${from + byte}${bit === undefined ? '' : `.${bit}`}`
    const section = member.section === 'None' ? '' : `${member.section} `
    const row = `${indent}${at} ${section}${member.name} : ${typeName(member.type)}${start}${parts.join(',')}`
    const { type } = member
    const inner = type.kind === 'struct' && type.name === undefined ? type.members : []
    return [
      marks.length === 0 ? row : `${row}  (${marks.join(', ')})`,
      ...memberRows(inner, accessInside(type, access), `${indent}  `, from + byte),
    ]
  })
}

function pathText(path: readonly (string | readonly number[])[]): string {
  return path.map((step) => (typeof step === 'string' ? `.${step}` : `[${step.join(',')}]`)).join('')
}

function dataText(program: Program, block: ProgramBlock): string {
  const { name, kind, number, access, type, members, returnType, instanceOf } = block
  if (!kind.endsWith('DB')) {
    const own = type?.kind === 'instance' ? type.members : []
    const size = kind === 'FB' ? ` ${layoutOf(own, access).size} bytes` : ''
    const rest = members
      .filter((member) => !own.includes(member))
      .map(
        (one) =>
          `  ${one.section} ${one.name} : ${typeName(one.type)}${one.startValue === undefined ? '' : ` := ${one.startValue}`}`,
      )
    const result = returnType ? ` : ${typeName(returnType)}` : ''
    const flags = `${block.isIecCheckOn ? ' IEC check' : ''}${block.setsEno ? ' sets ENO' : ''}`
    return [`${kind} ${number} "${name}"${result} ${access}${size}${flags}`, ...memberRows(own, access), ...rest].join(
      '\n',
    )
  }
  const size = type ? extentOf(type, access).size : 0
  const of = instanceOf === undefined ? '' : ` of ${instanceOf}`
  const ranges = retentiveRanges(block).map(([at, length]) => `${at}..${at + length - 1}`)
  const kept = ranges.length === 0 ? '' : ` retentive ${ranges.join(', ')}`
  const values = (block.startValues ?? []).map(({ path, value }) => `  start ${pathText(path)} := ${value}`)
  const image = startImage(block, program)
  const symbols = programSymbols(program, () => undefined)
  const symbol = symbols.dataBlocks.find((one) => one.name === name)
  const rows = symbol ? [...symbolsOfBlock(symbols, symbol, { expandsArrays: true })] : []
  const lines: { array: string; text: string; mark: string }[] = []
  for (const { name: path, type: own, byte, bit, isRetentive } of rows) {
    const bytes = own.kind === 'scalar' ? own.scalar.bits / 8 : own.kind === 'string' ? 12 : 8
    const value =
      bit === undefined ? hex(image.subarray(byte, byte + Math.max(1, bytes))) : `${((image[byte] ?? 0) >> bit) & 1}`
    const short = path.slice(name.length + 1)
    const array = /^(.*)\[[^\]]*\]$/.exec(short)?.[1] ?? ''
    const last = lines.at(-1)
    const mark = isRetentive ? '  (retentive)' : ''
    // Elements of an array are on one line.
    if (array !== '' && last?.array === array && last.mark === mark) last.text += `, ${value}`
    else lines.push({ array, text: `  ${byte}${bit === undefined ? '' : `.${bit}`} ${short} = ${value}`, mark })
  }
  const head = `${kind} ${number} "${name}"${of} ${access} ${size} bytes${kept}`
  return [head, ...values, ...lines.map(({ text, mark }) => text + mark)].join('\n')
}
