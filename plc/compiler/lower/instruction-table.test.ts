/**
 * Every instruction without an instance: what it says without arguments, and what it gives when all of its inputs have
 * one type (`plc/compiler/fixtures/tables/instructions.txt`, testing/recorded-programs.ts).
 */
import { test } from 'node:test'
import { Int } from '../../program/scalars.ts'
import { typeName } from '../../program/type-name.ts'
import { isAsRecorded } from '../../testing/recorded-programs.ts'
import { array, sclProgram } from '../../testing/runtime.ts'
import { BlockContext } from './block-context.ts'
import { findInstruction, instructionNames } from './instructions.ts'
import type { CallArgument, Side } from './values.ts'

const at = { line: 1, column: 1 } as Side['at']
const types = {
  ...{
    Bool: 'Bool',
    Byte: 'Byte',
    Word: 'Word',
    DInt: 'DInt',
    UInt: 'UInt',
    LInt: 'LInt',
    Real: 'Real',
    LReal: 'LReal',
  },
  ...{ Time: 'Time', LTime: 'LTime', Date: 'Date', TOD: 'Time_Of_Day', LDT: 'LDT', DT: 'DT', DTL: 'DTL' },
  ...{ Char: 'Char', String: 'String[10]', WString: 'WString[10]' },
}

/** Calls the instruction and returns its answer: the type of its value, `done`, or the codes of what is wrong. */
function answer(name: string, given: (context: BlockContext) => readonly CallArgument[]): string {
  const { program, main } = sclProgram({ members: { ...types, list: array(1, 5, Int) }, body: '' })
  const context = new BlockContext(program, main)
  const called = findInstruction(name)?.({ context, name, arguments: given(context), at })
  const faults = [...new Set(context.diagnostics.map(({ code, severity }) => code + (severity === 'error' ? '' : '!')))]
  if (faults.length > 0) return faults.join(',')
  const { value, statements = [] } = called ?? {}
  if (!value) return statements.length > 0 ? 'done' : 'nothing'
  return 'type' in value && value.type ? typeName(value.type) : value.kind
}

/** The names that the hint of a missing parameter lists. */
function parametersOf(name: string): { readonly text: string; readonly names: readonly string[] } {
  const { program, main } = sclProgram({ members: {}, body: '' })
  const context = new BlockContext(program, main)
  findInstruction(name)?.({ context, name, arguments: [], at })
  const [first] = context.diagnostics
  // How many are missing: the others are told alike.
  const text = first ? `${context.diagnostics.length}: ${first.message} ${first.hint ?? ''}`.trim() : ''
  const names = /Its parameters: (.*)\.$/.exec(first?.hint ?? '')?.[1]?.split(', ') ?? []
  return { text, names }
}

test('instructions tell their parameters, and accept the types of the table', () => {
  const rows = [...instructionNames()].sort().flatMap((name) => {
    const { text, names } = parametersOf(name)
    const groups = new Map<string, string[]>()
    if (names.length > 0 && names.length < 6)
      for (const type of Object.keys(types)) {
        const result = answer(name, (context) =>
          names.map((one): CallArgument => {
            const operand = context.localName(type, at)
            return { name: one, isOutput: false, at, ...(operand ? { operand } : {}) }
          }),
        )
        groups.set(result, [...(groups.get(result) ?? []), type])
      }
    return [`${name}: ${text}`, ...[...groups].map(([result, of]) => `  ${of.join(' ')}: ${result}`)]
  })
  isAsRecorded('tables/instructions.txt', `${rows.join('\n')}\n`)
})
