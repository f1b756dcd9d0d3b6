/** Uses in the sequences of GRAPH blocks. */

import type { InterfaceSection } from '../model/object.ts'
import type { Action, Condition, PermanentOperation, SequenceProgram } from '../model/sequence.ts'
import { addLogicUses } from './network-uses.ts'
import { addOperand } from './operand-uses.ts'
import { addScl } from './scl-uses.ts'
import { addStatements } from './statement-uses.ts'
import type { Use, UsePlace } from './use.ts'

/** Adds what a sequence program uses. */
export function addSequenceUses(
  into: Use[],
  body: SequenceProgram,
  sections: readonly InterfaceSection[],
  place: UsePlace,
): void {
  const permanent = (operations: readonly PermanentOperation[], element: string) => {
    for (const { graph, statements, text } of operations) {
      const here = { ...place, element }
      if (graph !== undefined) addLogicUses(into, graph, here)
      else if (statements !== undefined) addStatements(into, { statements }, sections, here)
      else if (text !== undefined) addScl(into, text, sections, here)
    }
  }
  const condition = (part: Condition | undefined, element: string) => {
    if (part?.graph !== undefined) addLogicUses(into, part.graph, { ...place, element })
  }
  permanent(body.before, 'before the sequences')
  for (const { steps, transitions } of body.sequences) {
    for (const { number, name, actions, supervision, interlock } of steps) {
      const element = `Step ${number} "${name}"`
      for (const action of actions) addAction(into, action, sections, { ...place, element })
      condition(interlock, element)
      condition(supervision, element)
    }
    for (const transition of transitions) condition(transition, `Transition ${transition.number} "${transition.name}"`)
  }
  permanent(body.after, 'behind the sequences')
}

/** An action is an operand that its qualifier sets, an assignment, or a call. */
function addAction(into: Use[], action: Action, sections: readonly InterfaceSection[], place: UsePlace): void {
  const { text, operands, qualifier } = action
  const call = /^\s*CALL\b/i.exec(text)
  const written = call === null ? text : text.slice(call[0].length)
  if (call !== null || /:=|\(/.test(text)) {
    // The uses of the same text as SCL; line breaks of the action have no meaning.
    const found: Use[] = []
    addScl(found, `${written.trim().replace(/;\s*$/, '')};`, sections, {})
    for (const { place: _place, ...use } of found) into.push({ ...use, place })
    return
  }
  for (const operand of operands) addOperand(into, operand, { access: qualifier === '' ? 'Read' : 'Write', place })
}
