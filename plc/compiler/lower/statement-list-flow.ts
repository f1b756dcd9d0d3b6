/**
 * Facts of a statement list before it is lowered: which statements begin a logic operation, labels, brackets, places.
 */

import type { Statement } from '../../model/statement.ts'
import type { First } from './statement-list-machine.ts'

/** Statements that end a string of logic, and statements that continue it. */
const stringEnds = new Set(
  '= S R SET CLR SP SE SD SS SF FR CU CD CALL UC CC BEC JC JCN JCB JNB JBI JNBI A( AN( O( ON( X( XN('.split(' '),
)

const stringContinues = new Set(
  ['A', 'AN', 'O', 'ON', 'X', 'XN', ')', 'FP', 'FN'].concat(
    ['==', '<>', '>', '<', '>=', '<='].flatMap((sign) => [`${sign}I`, `${sign}D`, `${sign}R`]),
  ),
)

const plainJumps = new Set('JU JL LOOP JO JOS JZ JN JP JM JPZ JMZ JUO'.split(' '))
const neverContinues = new Set(['JU', 'BE', 'BEU', 'JL'])

/** Returns for each statement whether a string of logic begins there, over all paths that lead to it. */
export function firstsOf(statements: readonly Statement[]): First[] {
  const firsts: (First | undefined)[] = statements.map(() => undefined)
  const targets = labelIndices(statements)
  let isChanged = true
  const join = (index: number, state: First) => {
    if (index >= statements.length) return
    const before = firsts[index]
    const after = before === undefined || before === state ? state : 'unknown'
    if (after === before) return
    firsts[index] = after
    isChanged = true
  }
  join(0, 'first')
  // A label that other networks jump to begins a string of logic, because they end theirs.
  const reached = new Set(
    statements.flatMap(({ operand }) => (operand?.kind === 'label' ? [operand.name.toUpperCase()] : [])),
  )
  for (const [name, index] of targets) if (!reached.has(name)) join(index, 'first')
  while (isChanged) {
    isChanged = false
    for (const [i, { mnemonic, operand }] of statements.entries()) {
      const before = firsts[i]
      if (before === undefined) continue
      const isBareOr = mnemonic === 'O' && !operand
      const after: First = stringEnds.has(mnemonic)
        ? 'first'
        : stringContinues.has(mnemonic) && !isBareOr
          ? 'following'
          : before
      if (!neverContinues.has(mnemonic)) join(i + 1, after)
      const name = operand?.kind === 'label' ? operand.name.toUpperCase() : undefined
      const target = name === undefined ? undefined : targets.get(name)
      if (target !== undefined) join(target, plainJumps.has(mnemonic) ? before : 'first')
      if (mnemonic === 'JL') join(i + 1, before)
    }
  }
  return firsts.map((first) => first ?? 'first')
}

/** Returns statements by their labels in upper case; of a duplicate label the first one. */
export function labelIndices(statements: readonly Statement[]): Map<string, number> {
  const indices = new Map<string, number>()
  for (const [i, { label }] of statements.entries()) {
    const key = label?.toUpperCase()
    if (key !== undefined && !indices.has(key)) indices.set(key, i)
  }
  return indices
}

/** Returns the innermost open bracket at each statement; -1: none. */
export function bracketsOf(statements: readonly Statement[]): number[] {
  const open: number[] = []
  return statements.map(({ mnemonic }, i) => {
    const here = open.at(-1) ?? -1
    if (/^[AOX]N?\($/.test(mnemonic)) open.push(i)
    else if (mnemonic === ')') open.pop()
    return here
  })
}

/** Jumps that leave the status word unchanged. */
