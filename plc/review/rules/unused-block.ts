/** Rule `unused-block`. */
import { isTestName, stubsIn } from '../../library/gantry-test.ts'
import { fb, fc, ob } from '../examples.ts'
import type { Rule } from '../rule.ts'

export const unusedBlock: Rule = {
  code: 'unused-block',
  group: 'data',
  severity: 'warning',
  title: 'A block is never called',
  why: 'It is loaded, maintained and searched, and does nothing. Folders without organization block are libraries and not meant.',
  fails: fc('#n := 1;') + ob(';'),
  passes:
    fb('VAR\n  n : Int;\nEND_VAR', '#n := #n + 1;', 'Count') +
    'DATA_BLOCK "Count_DB"\n"Count"\nBEGIN\nEND_DATA_BLOCK\n' +
    ob('"Count_DB"();'),
  check(program, report) {
    if (!program.hasStart) return
    // Blocks of tests are called by who runs them ("gantry test"), and put others in the places of those they test.
    const standIns = new Set(
      program.code
        .filter(({ name }) => isTestName(name))
        .flatMap(({ object }) => stubsIn(object).map(({ by }) => by.toLowerCase())),
    )
    for (const object of program.code) {
      const isOfTest = isTestName(object.name) || standIns.has(object.name.toLowerCase())
      if (object.kind === 'OB' || isOfTest || isCalled(program, object.name)) continue
      report(object, {}, `"${object.name}" is called nowhere in the program.`, { hint: 'Call it, or delete it.' })
    }
  },
}

/** Called by name, or by an instance of it: of a data block, or declared in another block. */
function isCalled(program: Parameters<Rule['check']>[0], name: string): boolean {
  return program.usesOf(name).some(({ by, use }) => {
    if (by.name.toLowerCase() === name.toLowerCase()) return false
    return by.kind !== 'InstanceDB' || use.access !== 'Instance' || program.isUsed(by.name)
  })
}
