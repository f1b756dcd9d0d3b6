/**
 * Findings that the program itself accepts: `gantry-ignore rule, rule: reason` in a comment of the line or of the line
 * before, in the comment of a network, member, tag or block, or in the attribute GantryIgnore of a block or member.
 */
import type { MessagePlace } from '../model/message-place.ts'
import type { ReviewedObject } from './reviewed-program.ts'
import { commentsOf } from './texts.ts'

/** One of them; without a line it is of the whole network, without a network of the whole object. */
export interface Suppression {
  readonly codes: ReadonlySet<string>
  readonly reason: string
  readonly place: MessagePlace
  /** The first and the last line of a network that it is of. */
  readonly lines?: readonly [first: number, last: number]
  isUsed: boolean
}

const words = /gantry-ignore(-block)?[ \t]+([a-z0-9.-]+(?:[ \t]*,[ \t]*[a-z0-9.-]+)*)[ \t]*(?::[ \t]*([^\n]*))?/g

/** Lists what an object says. */
export function suppressionsIn(object: ReviewedObject): Suppression[] {
  const found: Suppression[] = []
  const add = (text: string, place: MessagePlace, lines?: readonly [number, number]) => {
    for (const [, isBlock, codes = '', reason = ''] of text.matchAll(words))
      found.push({
        codes: new Set(codes.split(',').map((code) => code.trim())),
        reason: reason.replace(/(\*\/\)?|\*\))\s*$/, '').trim(),
        place: isBlock ? {} : place,
        ...(lines && !isBlock ? { lines } : {}),
        isUsed: false,
      })
  }
  const { title, comment, attributes } = object.object
  for (const text of new Set([...Object.values(title), ...Object.values(comment)])) add(text, {})
  for (const { name, value } of attributes) if (name === 'GantryIgnore') add(`gantry-ignore ${value}`, {})
  for (const { member } of object.members()) {
    for (const text of Object.values(member.comment)) add(text, { member: member.name })
    for (const { name, value } of member.attributes)
      if (name === 'GantryIgnore') add(`gantry-ignore ${value}`, { member: member.name })
  }
  for (const { name, comment: text } of [...(object.object.tags ?? []), ...(object.object.constants ?? [])])
    for (const one of Object.values(text)) add(one, { member: name })
  for (const { text, place } of commentsOf(object)) {
    if (!text.includes('gantry-ignore')) continue
    if (place.line === undefined) add(text, place)
    else {
      const last = place.line + text.split('\n').length - 1
      add(text, place, [place.line, isAlone(object, place) ? last + 1 : last])
    }
  }
  return found
}

/** Whether a comment is on a line of its own: it is then of the next line. */
function isAlone(object: ReviewedObject, { network, line = 1, column = 1 }: MessagePlace): boolean {
  const scl = object.scl.find((one) => one.network === network)
  return (scl?.text.split('\n')[line - 1] ?? '').slice(0, column - 1).trim() === ''
}

/** Whether a suppression is of a finding. */
export function covers({ codes, place, lines }: Suppression, code: string, found: MessagePlace): boolean {
  if (!codes.has(code)) return false
  if (place.member !== undefined)
    return (found.member ?? '').split('.')[0]!.toLowerCase() === place.member.toLowerCase()
  if (place.network === undefined) return true
  if (found.network !== place.network) return false
  return lines === undefined || (found.line !== undefined && found.line >= lines[0] && found.line <= lines[1])
}
