/** Names of routines of the runtime that say which block asks: what the lowering of a call and the runtime agree on. */

/** Name of the routine that writes the name or path of the instance of a function block. */
export function instanceRoutine(kind: 'name' | 'path', functionBlock: string): string {
  return `instance.${kind}@${functionBlock}`
}

/** The text in at most `size` characters, the last of them `…` when it was cut; 0: all of it. */
export function shortened(text: string, size: number): string {
  return size > 0 && text.length > size ? `${text.slice(0, size - 1)}…` : text
}

/** `id` asks for the error of a block, `reaction` and `area` tell more of what was asked for; `begin`, at the beginning of a call, forgets it. */
export type ErrorQuestion = 'id' | 'reaction' | 'area' | 'begin'

/** Name of the routine that answers a question on the error of a block. */
export function errorRoutine(question: ErrorQuestion, block: string): string {
  return `error.${question}@${block}`
}
