/** Conditions of GRAPH (transition, interlock, supervision) as text. */
import type { Condition } from '../../model/sequence.ts'
import { networkExpression } from './expression.ts'

/** The condition before the coil that ends its network; `TRUE` for a network without elements, '' without a network. */
export function conditionText({ graph, language }: Condition): string {
  if (graph === undefined) return ''
  const text = networkExpression(graph, { language }).statements.join(' ')
  return text.replace(/\b(?:Sv|Il|Tr)Coil\(\) := ([^;]*);$/, '$1')
}
