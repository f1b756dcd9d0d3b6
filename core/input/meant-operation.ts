/**
 * Which operation somebody meant who named one that is not there: first by what it does (`blocks.remove` is
 * `blocks.delete`), then by its spelling. Nothing that changes something is proposed to who wants to read, and nothing
 * that makes something run to who did not ask for that.
 */
import { distance } from 'fastest-levenshtein'
import { nearest } from '../../lib/nearest.ts'
import { isReadOnly, type Operation } from '../contract/operation.ts'
import { agreement, askedBy, doesAsked, type Meaning, mayPropose, onlyReads, titleVerbs } from './meaning.ts'

/** Proposals in one message. */
const most = 3
/** Below this agreement an operation does something else, unless hardly any other does that at all. */
const leastAgreement = 0.2
/** The same for a name that does not say what is to be done. */
const surely = 0.5
const mostSlips = 2

/** `Blocks_create`, `block.create` and `blocks.create` are the same. */
const plain = (id: string) =>
  id
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .map((word) => word.replace(/s$/, ''))
    .join(' ')

/**
 * The operations that a wrong id or tool name most likely means, the best first; at most three. A name without a verb
 * (`hmi.screens`) asks to see something.
 */
export function operationsMeant(id: string, operations: readonly Operation[]): Operation[] {
  const same = operations.find((operation) => plain(operation.id) === plain(id))
  if (same) return [same]
  const asked = askedBy(id.slice(0, 200))
  if (asked.verbs.size > 0) {
    const found = doing(asked, id, operations, leastAgreement)
    if (found.length > 0) return found
  }
  const slip = spelledLike(id, asked, operations)
  if (slip || asked.verbs.size > 0) return slip ? [slip] : []
  return doing(askedBy(id.slice(0, 200), 'show'), id, operations, surely)
}

/** The nearest id; of what changes something only one with a slip or two. */
function spelledLike(id: string, asked: Meaning, operations: readonly Operation[]): Operation | undefined {
  const edits = (other: string) => distance(id.toLowerCase().replaceAll('_', '-'), other)
  const ids = new Map(
    operations
      .filter((one) => mayPropose(asked, one, isReadOnly(one)) && (isReadOnly(one) || edits(one.id) <= mostSlips))
      .map((operation) => [operation.id, operation]),
  )
  const near = nearest(id, ids.keys()) ?? nearest(id.replace('_', '.').replaceAll('_', '-'), ids.keys())
  return near === undefined ? undefined : ids.get(near)
}

/** The operations that do what is asked, to what is asked about: of the same plugin, or in general use, first. */
function doing(asked: Meaning, id: string, operations: readonly Operation[], least: number): Operation[] {
  const [verb = ''] = asked.verbs
  const words = new Set(plain(id).split(' '))
  const found = operations
    .filter((one) => doesAsked(asked, one) && mayPropose(asked, one, isReadOnly(one)))
    .map((operation) => {
      const [plugin = '', ...name] = operation.id.split('.')
      const isNamedSo = askedBy(name.join('.')).verbs.has(verb)
      const isTitledSo = titleVerbs(operation).has(verb)
      const isOfPlugin = plain(id).startsWith(`${plain(plugin)} `)
      const isCommon = operation.mcp !== false && operation.mcp?.essential === true
      const weight = (isNamedSo ? (isTitledSo ? 1 : 0.9) : 0.7) * (isOfPlugin ? 1.6 : 1) * (isCommon ? 1.2 : 1)
      const score = agreement(asked, operation) * weight
      // The very word counts more than one that means the same.
      const isSameWord =
        isNamedSo &&
        plain(name.join(' '))
          .split(' ')
          .some((word) => words.has(word))
      return { operation, isSameWord, score: isSameWord ? score * 1.1 : score }
    })
    .sort((a, b) => b.score - a.score)
  const [best] = found
  if (!best) return []
  const named = found.filter(({ isSameWord }) => isSameWord)
  if (best.score < least) return named.length === 1 && onlyReads(asked) ? [named[0]!.operation] : []
  return found
    .filter(({ score }) => score >= 0.7 * best.score)
    .slice(0, most)
    .map(({ operation }) => operation)
}
