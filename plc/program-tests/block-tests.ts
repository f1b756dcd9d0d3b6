/** Tests that are blocks of the program: function blocks and functions whose name begins with `Test_`. */
import { codeOf, isTestName, usesGantryTest } from '../library/gantry-test.ts'
import type { ImportedObject } from '../model/object.ts'
import { usesIn } from '../uses/uses-of.ts'
import type { TestFile, TestPlace } from './model.ts'
import { defaultCycle, defaultMaxCycles, defaultMaxSeconds } from './read-tests.ts'

const assertCall = /\bAssert_\w+"?\s*\(([^;]*?)\)\s*;/gis
const operand = /(?:#(?:"[^"]+"|\w+)|"[^"]+")(?:\.(?:"[^"]+"|\w+)|\[\d+(?:\s*,\s*\d+)*\])*/g
/** Variables in the trace of a failure. */
const mostTraced = 24

/** What a block with the name of a test is: one that runs, a part of others, or none, with the reason. */
export type TestRole = { readonly kind: 'test' | 'part' } | { readonly kind: 'none'; readonly reason: string }

/**
 * The blocks of a program that have names of tests, by name in lower case. A block is a test when it calls functions
 * of GantryTest, or blocks that do; with parameters it is a part of the tests that call it. A block of the plant that
 * only has such a name, and that the program calls, is not in the answer. Linear in the program.
 */
export function testRoles(objects: readonly ImportedObject[]): ReadonlyMap<string, TestRole> {
  const named = new Map<string, ImportedObject>()
  for (const one of objects)
    if (/^(?:OB|FB|FC)$/.test(one.kind) && isTestName(one.name)) named.set(one.name.toLowerCase(), one)
  const roles = new Map<string, TestRole>()
  if (named.size === 0) return roles
  const callers = callersOf(objects, named)
  const asserting = new Set([...named].filter(([, one]) => usesGantryTest(one)).map(([key]) => key))
  // A set goes on to what is added to it while it is read. Organization blocks call tests where no gateway does.
  for (const key of asserting)
    for (const caller of callers.get(key) ?? [])
      if (named.has(caller) && named.get(caller)?.kind !== 'OB') asserting.add(caller)
  for (const [key, object] of named) {
    const users = [...(callers.get(key) ?? [])]
    if (asserting.has(key) && object.kind !== 'OB')
      roles.set(key, { kind: hasParameters(object) && users.some((one) => asserting.has(one)) ? 'part' : 'test' })
    else if (asserting.has(key) || (users.length === 0 && object.kind !== 'OB'))
      roles.set(key, { kind: 'none', reason: reasonOf(object) })
  }
  return roles
}

/** Who uses each of the named blocks, itself or by a data block: names in lower case. */
function callersOf(objects: readonly ImportedObject[], named: ReadonlyMap<string, unknown>) {
  const instances = new Map<string, string>()
  for (const { kind, name, instanceOf = '' } of objects)
    if (kind === 'InstanceDB' && named.has(instanceOf.toLowerCase()))
      instances.set(name.toLowerCase(), instanceOf.toLowerCase())
  const callers = new Map<string, Set<string>>()
  for (const object of objects) {
    const own = object.name.toLowerCase()
    if (instances.has(own) || /^(?:Watch|Force)Table$/.test(object.kind)) continue
    for (const { name } of usesIn(object)) {
      const used = instances.get(name.toLowerCase()) ?? name.toLowerCase()
      if (named.has(used) && used !== own) callers.set(used, (callers.get(used) ?? new Set()).add(own))
    }
  }
  return callers
}

function hasParameters({ interface: sections }: ImportedObject): boolean {
  return sections.some(
    ({ section, members }) =>
      (['Input', 'Output', 'InOut'].includes(section) && members.length > 0) ||
      (section === 'Return' && members.some(({ dataType }) => dataType.toLowerCase() !== 'void')),
  )
}

function reasonOf(object: ImportedObject): string {
  const why =
    object.kind === 'OB'
      ? 'an organization block is called by the system; tests are function blocks and functions'
      : object.isKnowHowProtected
        ? 'its code is protected and cannot be read'
        : object.networks.some(({ text, language }) => text === undefined || language !== 'SCL')
          ? 'functions of GantryTest are called in SCL'
          : 'it calls no function of GantryTest (Assert_True, Assert_Equal …)'
  return `"${object.name}" is no test, no assertion was executed: ${why}.`
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
