/** Names of runtime routines that contain the calling block: shared by the lowering of a call and the runtime. */

/** Name of the routine that writes the name or path of the instance of a function block. */
export function instanceRoutine(kind: 'name' | 'path', functionBlock: string): string {
  return `instance.${kind}@${functionBlock}`
}

/** The text in at most `size` characters; the last one is `…` when it is cut. 0: the whole text. */
export function shortened(text: string, size: number): string {
  return size > 0 && text.length > size ? `${text.slice(0, size - 1)}…` : text
}

/**
 * `id` reads the error of a block, `reaction` and `area` read more about that error; `begin`, at the beginning of a
 * call, clears it.
 */
export type ErrorQuestion = 'id' | 'reaction' | 'area' | 'begin'

/** Name of the routine that says that a value is no BCD number; it takes the number of the place in the source. */
export function digitErrorRoutine(block: string): string {
  return `${digitError}${block}`
}

/** The block of such a name. */
export function blockOfDigitError(routine: string): string | undefined {
  return routine.startsWith(digitError) ? routine.slice(digitError.length) : undefined
}

const digitError = 'error.digits@'

/** Name of the routine that reads the error of a block. */
export function errorRoutine(question: ErrorQuestion, block: string): string {
  return `error.${question}@${block}`
}
