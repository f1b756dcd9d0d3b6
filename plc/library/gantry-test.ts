/** The library GantryTest as a program shows it: names of its functions, blocks of tests, and what they call. */
import type { ImportedObject } from '../model/object.ts'

/** Parameters of its functions by name, as `examples/GantryTest.scl` declares them. */
const parametersOf: Readonly<Record<string, readonly string[]>> = {
  Assert_Equal: ['EXPECTED', 'ACTUAL', 'MESSAGE'],
  Assert_Near: ['EXPECTED', 'ACTUAL', 'TOLERANCE', 'MESSAGE'],
  Assert_True: ['CONDITION', 'MESSAGE'],
  Assert_False: ['CONDITION', 'MESSAGE'],
  Run_Cycles: ['CYCLES'],
  Advance: ['DURATION'],
  Stub: ['BLOCK', 'BY'],
}

/** Names of its functions. */
export const gantryTestFunctions: readonly string[] = Object.keys(parametersOf)

const functionCall = new RegExp(`\\b(?:${gantryTestFunctions.join('|')})"?\\s*\\(`, 'i')
const stubCall = /\bStub"?\s*\(\s*(?:BLOCK\s*:=\s*)?'([^']+)'\s*,\s*(?:BY\s*:=\s*)?'([^']+)'\s*\)/gi
const comments = /\(\*.*?\*\)|\/\*.*?\*\/|\/\/[^\n]*/gs

/** Whether a block of this name may be a test. */
export function isTestName(name: string): boolean {
  return /^Test_/i.test(name)
}

/** The statements of a block without comments. */
export function codeOf({ networks }: ImportedObject): string {
  return networks.map(({ text = '' }) => text.replace(comments, ' ')).join('\n')
}

/** Whether a block calls a function of GantryTest itself. */
export function usesGantryTest(object: ImportedObject): boolean {
  return functionCall.test(codeOf(object))
}

/** Names of blocks with the names of those that take their places in a test. */
export function stubsIn(object: ImportedObject): { readonly block: string; readonly by: string }[] {
  return [...codeOf(object).matchAll(stubCall)].map(([, block = '', by = '']) => ({ block, by }))
}

/** Whether an object is a block of the library itself, as it lies beside tests: by name and parameters. */
export function isOfGantryTest({ kind, name, interface: sections }: ImportedObject): boolean {
  if (kind !== 'FC') return false
  const known = gantryTestFunctions.find((one) => one.toLowerCase() === name.toLowerCase())
  const inputs = sections.filter(({ section }) => section === 'Input').flatMap(({ members }) => members)
  const names = inputs.map((one) => one.name.toUpperCase()).join()
  return known !== undefined && names === parametersOf[known]?.join()
}
