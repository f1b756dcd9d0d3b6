/** Rule `unused-data-block`. */
import { isTestName } from '../../library/gantry-test.ts'
import { db, ob } from '../examples.ts'
import type { Rule } from '../rule.ts'

export const unusedDataBlock: Rule = {
  code: 'unused-data-block',
  group: 'data',
  severity: 'information',
  title: 'The program does not use a data block',
  why: 'It takes memory of the controller. It may be meant for clients (HMI, OPC UA), which the program does not know.',
  fails: db('  speed : Int;') + ob(';'),
  passes: db('  speed : Int;') + ob('"Data".speed := 1;'),
  check(program, report) {
    if (!program.hasStart) return
    for (const object of program.objects)
      if (
        object.kind.endsWith('DB') &&
        !program.isUsed(object.name) &&
        !isUsedByNumber(program, object.block?.number) &&
        // Where no gateway runs the tests, an engineer calls them by instances.
        !isTestName(object.object.instanceOf ?? '')
      )
        report(object, {}, `No block uses "${object.name}".`, {
          hint: 'Delete it, or say in a comment which client uses it, with gantry-ignore.',
        })
  },
}

function isUsedByNumber(program: Parameters<Rule['check']>[0], number: number | undefined): boolean {
  return number !== undefined && program.usedAddresses.has(`DB ${number}`)
}
