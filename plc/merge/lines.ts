/** Three-way merge of lists and of the lines of a text. */
import { diffArrays } from 'diff'

/** A piece of a merge: what is taken, or what two sides made different things of. Indexes count from 0. */
export type MergePiece<T> =
  | { readonly kind: 'taken'; readonly items: readonly T[] }
  | {
      readonly kind: 'conflict'
      readonly base: readonly T[]
      readonly ours: readonly T[]
      readonly theirs: readonly T[]
      readonly at: { readonly base: number; readonly ours: number; readonly theirs: number }
    }

/** Pieces between items that all three have. @param keys equal keys, equal items */
export function mergeLists(
  base: readonly string[],
  ours: readonly string[],
  theirs: readonly string[],
): MergePiece<string>[] {
  const [toOurs, toTheirs] = [matches(base, ours), matches(base, theirs)]
  const found: MergePiece<string>[] = []
  const isEqual = (a: readonly string[], b: readonly string[]) => a.length === b.length && a.every((x, i) => x === b[i])
  let [b, o, t] = [0, 0, 0]
  for (let k = 0; k <= base.length; k++) {
    const [nextOurs, nextTheirs] = k === base.length ? [ours.length, theirs.length] : [toOurs.get(k), toTheirs.get(k)]
    if (nextOurs === undefined || nextTheirs === undefined) continue
    const [x, y, z] = [base.slice(b, k), ours.slice(o, nextOurs), theirs.slice(t, nextTheirs)]
    if (isEqual(x, z) || isEqual(y, z)) found.push({ kind: 'taken', items: y })
    else if (isEqual(x, y)) found.push({ kind: 'taken', items: z })
    else found.push({ kind: 'conflict', base: x, ours: y, theirs: z, at: { base: b, ours: o, theirs: t } })
    if (k < base.length) found.push({ kind: 'taken', items: [ours[nextOurs]!] })
    b = k + 1
    o = nextOurs + 1
    t = nextTheirs + 1
  }
  return found
}

/** A search for the nearest alignment ends here: two lists have then nothing in common. */
const mostMoves = 10_000

/** Where items of one list are in another. */
function matches(from: readonly string[], to: readonly string[]): Map<number, number> {
  const found = new Map<number, number>()
  let [i, j] = [0, 0]
  for (const { added, removed, value } of diffArrays([...from], [...to], { maxEditLength: mostMoves }) ?? []) {
    if (added) j += value.length
    else if (removed) i += value.length
    else for (let k = 0; k < value.length; k++) found.set(i++, j++)
  }
  return found
}

export interface MergedKeys {
  /** Keys of ours with those that theirs added, each behind the key it follows there. */
  readonly order: readonly string[]
  /** Both sides added different keys at one place. */
  readonly contested: readonly { readonly ours: string; readonly theirs: string }[]
  /** Theirs has other keys in another order than the base. */
  readonly isMoved: boolean
}

/** The order of named things after both sides changed a list of them. */
export function mergeKeys(base: readonly string[], ours: readonly string[], theirs: readonly string[]): MergedKeys {
  const [inBase, inOurs, inTheirs] = [new Set(base), new Set(ours), new Set(theirs)]
  const before = base.filter((key) => inTheirs.has(key))
  const after = theirs.filter((key) => inBase.has(key))
  const added = new Map<string, string[]>()
  let last = ''
  for (const key of theirs) {
    if (inOurs.has(key)) last = key
    else if (!inBase.has(key)) {
      const list = added.get(last)
      if (list === undefined) added.set(last, [key])
      else list.push(key)
    }
  }
  const order: string[] = []
  const contested: { ours: string; theirs: string }[] = []
  // Of what both sides added between two keys that both have, ours comes first.
  let held = added.get('') ?? []
  for (const key of ours) {
    if (inTheirs.has(key)) {
      order.push(...held)
      held = added.get(key) ?? []
    } else if (!inBase.has(key) && held[0] !== undefined) contested.push({ ours: key, theirs: held[0] })
    order.push(key)
  }
  order.push(...held)
  return { order, contested, isMoved: before.some((key, i) => key !== after[i]) }
}

export interface MergedText {
  readonly text: string
  /** First and last line of each conflict in the text, from 1. */
  readonly conflicts: readonly { readonly line: number; readonly endLine: number }[]
}

export interface LineMergeOptions {
  /** Names of the sides behind the markers. */
  readonly ours: string
  readonly theirs: string
}

/**
 * Merges by lines; conflicts are marked as git marks them. Lines of declarations are merged by the names of the
 * members, so that both sides can add members at one place. Line ends are those of ours.
 */
export function mergeText(base: string, ours: string, theirs: string, names: LineMergeOptions): MergedText {
  const eol = ours.includes('\r\n') ? '\r\n' : '\n'
  const [a, b, c] = [base, ours, theirs].map((text) => text.replace(/\r\n/g, '\n').split('\n')) as [
    string[],
    string[],
    string[],
  ]
  const declared = [a, b, c].map(declarationLines)
  const lines: string[] = []
  const conflicts: { line: number; endLine: number }[] = []
  for (const piece of mergeLists(a, b, c)) {
    if (piece.kind === 'taken') {
      for (const line of piece.items) lines.push(line)
      continue
    }
    const { at } = piece
    const parts = [piece.base, piece.ours, piece.theirs] as const
    const starts = [at.base, at.ours, at.theirs]
    const isDeclared = parts.every((part, side) => part.every((_, i) => declared[side]![starts[side]! + i] === true))
    const members = isDeclared ? mergedMembers(...parts) : undefined
    if (members !== undefined) {
      lines.push(...members)
      continue
    }
    const line = lines.length + 1
    lines.push(`<<<<<<< ${names.ours}`, ...piece.ours, '=======', ...piece.theirs, `>>>>>>> ${names.theirs}`)
    conflicts.push({ line, endLine: lines.length })
  }
  return { text: lines.join(eol), conflicts }
}

const member = /^\s*(?:"([^"\n]+)"|([\p{L}_][\p{L}\p{N}_]*))\s*(?:\{[^{}]*\}\s*)?:(?!=)[^;]*;\s*(?:\/\/.*)?$/u

/** Which lines are between VAR and END_VAR or STRUCT and END_STRUCT and declare one member each. */
function declarationLines(lines: readonly string[]): boolean[] {
  let isVar = false
  let depth = 0
  return lines.map((line) => {
    const isMember = (isVar || depth > 0) && member.test(line)
    if (/^\s*VAR(_\w+)?\b/i.test(line)) isVar = true
    else if (/^\s*END_VAR\b/i.test(line)) isVar = false
    else if (/^\s*END_STRUCT\b/i.test(line)) depth = Math.max(0, depth - 1)
    else if (/(^|:)\s*STRUCT\b/i.test(line)) depth++
    return isMember
  })
}

/** Lines of members by name; undefined when both sides changed one, or an order changed. */
function mergedMembers(
  base: readonly string[],
  ours: readonly string[],
  theirs: readonly string[],
): string[] | undefined {
  const byName = (lines: readonly string[]) =>
    new Map(lines.map((line) => [(member.exec(line)?.[1] ?? member.exec(line)?.[2] ?? '').toLowerCase(), line]))
  const [a, b, c] = [byName(base), byName(ours), byName(theirs)]
  if (a.size !== base.length || b.size !== ours.length || c.size !== theirs.length) return undefined
  const { order, isMoved } = mergeKeys([...a.keys()], [...b.keys()], [...c.keys()])
  if (isMoved) return undefined
  const lines: string[] = []
  for (const key of new Set([...order, ...a.keys()])) {
    const [x, y, z] = [a.get(key), b.get(key), c.get(key)]
    const chosen = y === z || x === z ? y : x === y ? z : null
    if (chosen === null) return undefined
    if (chosen !== undefined) lines.push(chosen)
  }
  return lines
}
