/** Tests that are blocks of the program: function blocks whose name begins with `Test_` and that use GantryTest. */
import type { ImportedObject } from '../model/object.ts'
import type { TestFile, TestPlace } from './model.ts'
import { defaultCycle, defaultMaxCycles, defaultMaxSeconds } from './read-tests.ts'

const isNamed = /^Test_/i
const functions = /\b(?:Assert_(?:Equal|Near|True|False)|Run_Cycles|Advance|Stub)"?\s*\(/i
const stubCall = /\bStub"?\s*\(\s*(?:BLOCK\s*:=\s*)?'([^']+)'\s*,\s*(?:BY\s*:=\s*)?'([^']+)'\s*\)/gi
const assertCall = /\bAssert_\w+"?\s*\(([^;]*?)\)\s*;/gis
const operand = /(?:#(?:"[^"]+"|\w+)|"[^"]+")(?:\.(?:"[^"]+"|\w+)|\[\d+(?:\s*,\s*\d+)*\])*/g
const comments = /\(\*.*?\*\)|\/\*.*?\*\/|\/\/[^\n]*/gs
/** Variables in the trace of a failure. */
const mostTraced = 24

/** The statements of a block without comments. */
function codeOf({ networks }: ImportedObject): string {
  return networks.map(({ text = '' }) => text.replace(comments, ' ')).join('\n')
}

/** Whether a block is a test: a block of a plant that only has such a name is none. */
export function isBlockTest(object: ImportedObject): boolean {
  return object.kind === 'FB' && isNamed.test(object.name) && functions.test(codeOf(object))
}

/** Names of blocks with the names of those that take their places in a test. */
export function stubsIn(object: ImportedObject): { readonly block: string; readonly by: string }[] {
  return [...codeOf(object).matchAll(stubCall)].map(([, block = '', by = '']) => ({ block, by }))
}

/** What assertions of a block are about: its own variables (`#a.b`) and those of the program. */
export function assertedPaths(object: ImportedObject): string[] {
  const found = new Set<string>()
  for (const [, values = ''] of codeOf(object).matchAll(assertCall))
    for (const [path] of values.replace(/'(?:\$.|[^'$])*'/g, "''").matchAll(operand)) found.add(path)
  return [...found].slice(0, mostTraced)
}

/**
 * The test of a block as a file with one case; its family is its tag.
 * @param path of the file of the block, as messages name it
 */
export function blockTestFile(object: ImportedObject, path: string, place: TestPlace): TestFile {
  const tags = [object.family ?? ''].filter((one) => one !== '')
  return {
    ...{ path, block: object.name, place, cycle: defaultCycle, stubs: [], connections: [], isBlockTest: true },
    ...{ maxCycles: defaultMaxCycles, maxWallMs: defaultMaxSeconds * 1000 },
    cases: [{ name: object.name, tags, place, given: [], steps: [] }],
  }
}
