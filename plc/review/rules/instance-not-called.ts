/** Rule `instance-not-called`. */
import { keyOf } from '../../compiler/lower/checks/memory-map.ts'
import { fb } from '../examples.ts'
import { memoryOf } from '../memory.ts'
import type { Rule } from '../rule.ts'

const sections = `VAR_INPUT
  a : Bool;
END_VAR
VAR_OUTPUT
  q : Bool;
END_VAR
VAR
  delay {InstructionName := 'TON_TIME'; LibVersion := '1.0'} : TON_TIME;
END_VAR`

export const instanceNotCalled: Rule = {
  code: 'instance-not-called',
  group: 'logic',
  severity: 'warning',
  title: 'An instance is read, but never called',
  why: 'The data of a timer, counter or function block change only when it is called: its outputs keep their start values for ever. Data blocks of instances are meant only when the whole program is there.',
  fails: fb(sections, '#q := #delay.Q;'),
  passes: fb(sections, '#delay(IN := #a, PT := T#1s);\n  #q := #delay.Q;'),
  check(program, report) {
    const memory = memoryOf(program)
    const called = new Set(
      memory.blocks.flatMap(({ by, memory: { instances } }) =>
        instances.flatMap((one) => (one.isCalled ? [keyOf(memory.rangeIn(one, by))] : [])),
      ),
    )
    const told = new Set<string>()
    for (const { by, memory: facts } of memory.blocks)
      for (const one of facts.instances) {
        const key = keyOf(memory.rangeIn(one, by))
        if (one.isCalled || called.has(key) || told.has(key)) continue
        if (one.area !== '#' && !memory.isWhole) continue
        told.add(key)
        report(by, one, `${one.text} is read here, but nothing calls the instance.`, {
          hint: 'Call it in every cycle, or read the instance that is called.',
        })
      }
  },
}
