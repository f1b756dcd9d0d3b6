/**
 * SEL and MUX of texts (TIA Portal help, "SEL" and "MUX" of SCL: strings are among their data types, the same kind at
 * all inputs).
 */

import { address } from '../../../ir/build.ts'
import type { Statement } from '../../../ir/ir.ts'
import type { InstructionCall } from '../instruction.ts'
import { textFlags } from '../text-places.ts'
import type { Called } from '../values.ts'
import type { Given } from './arguments.ts'
import { isText, newText, type Text, textsOf, textValue } from './strings.ts'

class TextChoice {
  readonly #call: InstructionCall
  readonly #texts: readonly Text[]
  readonly #target: Text
  readonly #prepare: Statement

  constructor(call: InstructionCall, texts: readonly Text[]) {
    this.#call = call
    this.#texts = texts
    const length = Math.max(...texts.map((one) => one.length))
    const { text, prepare } = newText(call.context, texts[0]?.isWide === true, length)
    this.#target = text
    this.#prepare = prepare
  }

  /** Selects the input with this number. */
  take(number: number): Statement {
    const from = this.#texts[number] as Text
    const to = this.#target
    return {
      kind: 'routine',
      routine: 'string.assign',
      arguments: [address(to.place), address(from.place), textFlags([to.place, to.isWide], [from.place, from.isWide])],
      setsEno: false,
    }
  }

  called(statements: readonly Statement[]): Called {
    return { statements: [this.#prepare, ...statements], value: textValue(this.#target, this.#call.name) }
  }
}

/**
 * Returns the inputs as texts when one of them is a text. Characters and texts of one character alone do not count as
 * texts.
 * @returns `undefined`: none is; `'wrong'`: they are not all texts of one kind, which is then reported
 */
export function textChoice(call: InstructionCall, given: readonly Given[]): TextChoice | 'wrong' | undefined {
  const isCharacter = ({ operand }: Given) =>
    'type' in operand && operand.type?.kind === 'scalar' && operand.type.family === 'character'
  const isShort = ({ operand }: Given) =>
    operand.kind === 'constant' && typeof operand.value === 'string' && operand.value.length === 1
  if (!given.some(isText)) return undefined
  // 'a' next to a Char is a Char.
  if (given.some(isCharacter) && given.every((one) => isCharacter(one) || isShort(one))) return undefined
  const texts = textsOf(call.context, ...given)
  return texts ? new TextChoice(call, texts) : 'wrong'
}
