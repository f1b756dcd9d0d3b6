/** The tests among the blocks of a program. */
import { rename } from '../../plc/edit/edit.ts'
import { stubsIn } from '../../plc/library/gantry-test.ts'
import { FormatError } from '../../plc/model/fault.ts'
import type { ImportedObject } from '../../plc/model/object.ts'
import { assertedPaths, blockTestFile, testRoles } from '../../plc/program-tests/block-tests.ts'
import type { TestFault, TestFile } from '../../plc/program-tests/model.ts'
import type { PreparedTests } from '../../plc/program-tests/run-tests.ts'
import type { PlacedObject } from '../../plc/review/read-folder.ts'

/**
 * Blocks of tests, with what takes the place of other blocks in each; a stub that is not there is a fault. What only
 * has the name of a test is in `others`, with the reason.
 */
export function blockTests(objects: readonly PlacedObject[]): {
  readonly tests: readonly PreparedTests[]
  readonly faults: readonly TestFault[]
  readonly others: readonly { readonly file: TestFile; readonly reason: string }[]
} {
  const byName = new Map(objects.map(({ object }) => [object.name.toLowerCase(), object]))
  const tests: PreparedTests[] = []
  const faults: TestFault[] = []
  const others: { file: TestFile; reason: string }[] = []
  const roles = testRoles(objects.map(({ object }) => object))
  for (const { object, file, placeOf } of objects) {
    const role = /^(?:FB|FC|OB)$/.test(object.kind) ? roles.get(object.name.toLowerCase()) : undefined
    if (role === undefined || role.kind === 'part') continue
    const place = placeOf({})
    const testFile = blockTestFile(object, file, place)
    if (role.kind === 'none') {
      others.push({ file: testFile, reason: role.reason })
      continue
    }
    const wrong = (message: string) => faults.push({ file, ...place, message: `"${object.name}": ${message}` })
    const stubs: ImportedObject[] = []
    for (const { block, by } of stubsIn(object)) {
      const found = byName.get(by.toLowerCase())
      if (!byName.has(block.toLowerCase())) wrong(`there is no block "${block}" to be replaced by a stub.`)
      else if (!found) wrong(`the stub "${by}" is not in the folder.`)
      else
        try {
          stubs.push(rename(found, block))
        } catch (error) {
          if (!(error instanceof FormatError)) throw error
          wrong(`"${by}" cannot take the place of "${block}": ${error.faults[0]?.message}.`)
        }
    }
    if (faults.some((fault) => fault.file === file && fault.message.startsWith(`"${object.name}":`))) continue
    tests.push({
      file: testFile,
      cases: testFile.cases,
      ...{ stimuli: new Map(), stubs, paths: assertedPaths(object), standIns: stubsIn(object).map(({ by }) => by) },
      stubKey:
        stubs.length === 0
          ? ''
          : `block ${stubsIn(object)
              .map(({ block, by }) => `${block}=${by}`)
              .join()}`,
    })
  }
  return { tests, faults, others }
}
