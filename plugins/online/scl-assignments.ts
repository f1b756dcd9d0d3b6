/**
 * The assignments of an SCL text to one operand, by statements and as inputs of calls, with the conditions they stand
 * under.
 */
import { parseScl } from '../../plc/languages/scl/parser.ts'
import type { Call, Statement } from '../../plc/languages/scl/syntax.ts'
import { tokenText } from '../../plc/languages/scl/tokens.ts'

export interface SclAssignment {
  /** Counts from 1. */
  readonly line: number
  readonly text: string
  /** What is assigned. */
  readonly value: string
  /** `IF`, `CASE` and loops around it, from the outermost on, as they are written. */
  readonly conditions: readonly string[]
}

/**
 * @param isWanted whether a target, as it is written, is the operand
 * @param isInstance whether a called instance gives the operand, as one of a timer does its `Q`
 */
export function assignmentsOf(
  text: string,
  isWanted: (target: string) => boolean,
  isInstance: (instance: string) => boolean = () => false,
): SclAssignment[] {
  const { tree } = parseScl(text)
  const { tokens } = tree
  const startOf = (node: { readonly start: number }) => tokens.start[node.start] as number
  const lineOf = (node: { readonly start: number }) => text.slice(0, startOf(node)).split('\n').length
  const textOf = (node: { readonly start: number; readonly end: number }) =>
    text.slice(startOf(node), tokens.start[node.end]).trimEnd().replace(/\s+/g, ' ')
  const found: SclAssignment[] = []
  /** A call of an instance assigns its inputs, and what is behind the arrows of its outputs. */
  const inCall = (call: Call, conditions: readonly string[]) => {
    // `#timer.TON(…)` names the instruction behind its instance.
    const instance = textOf(call.callee).replace(/\.(TON|TOF|TP|TONR|CTU|CTD|CTUD)$/i, '')
    for (const argument of call.arguments) {
      if (argument.name < 0 || argument.value === undefined) continue
      const parameter = `${instance}.${tokenText(tokens, argument.name).replace(/^#?"?([^"]*)"?$/, '$1')}`
      const value = textOf(argument.value)
      if (!isWanted(argument.isOutput ? value : parameter)) continue
      const assigned = argument.isOutput ? parameter : value
      found.push({ line: lineOf(argument), text: textOf(argument), value: assigned, conditions })
    }
    if (!isInstance(instance)) return
    const inputs = call.arguments.filter(({ isOutput }) => !isOutput).map(textOf)
    found.push({ line: lineOf(call), text: textOf(call), value: inputs.join(', '), conditions })
  }
  const walk = (statements: readonly Statement[], conditions: readonly string[]) => {
    for (const statement of statements) {
      switch (statement.kind) {
        case 'assignment': {
          if (statement.value.kind === 'call') inCall(statement.value, conditions)
          if (!isWanted(textOf(statement.target))) break
          found.push({ line: lineOf(statement), text: textOf(statement), value: textOf(statement.value), conditions })
          break
        }
        case 'callStatement':
          inCall(statement.call, conditions)
          break
        case 'if': {
          const before: string[] = []
          for (const { condition, body } of statement.branches) {
            const own = textOf(condition)
            walk(body, [...conditions, ...before, own])
            before.push(`NOT (${own})`)
          }
          walk(statement.otherwise ?? [], [...conditions, ...before])
          break
        }
        case 'case':
          for (const { labels, body } of statement.branches)
            walk(body, [...conditions, `${textOf(statement.selector)} = ${labels.map(textOf).join(', ')}`])
          walk(statement.otherwise ?? [], [...conditions, `${textOf(statement.selector)}: no other label`])
          break
        case 'while':
          walk(statement.body, [...conditions, textOf(statement.condition)])
          break
        case 'for':
          if (isWanted(textOf(statement.variable))) {
            const value = `${textOf(statement.from)} TO ${textOf(statement.to)}`
            found.push({
              line: lineOf(statement),
              text: `FOR ${textOf(statement.variable)} := ${value}`,
              value,
              conditions,
            })
          }
          walk(statement.body, conditions)
          break
        case 'repeat':
        case 'region':
          walk(statement.body, conditions)
          break
        default:
      }
    }
  }
  walk(tree.statements, [])
  return found
}
