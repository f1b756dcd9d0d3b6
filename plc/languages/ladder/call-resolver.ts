/** Resolves a call in a network expression: to an instruction, or to a block of the program and its instance. */

import { pathText } from '../../model/operand-text.ts'
import { fault } from './expression-rules.ts'
import type { Argument, Call } from './expression-syntax.ts'
import { instructionOfType, knownInstruction, nearestInstruction, withInstance } from './instructions.ts'
import type { CallableBlock, ProgramNames } from './program-names.ts'

export class CallResolver {
  readonly #names: ProgramNames
  constructor(names: ProgramNames) {
    this.#names = names
  }

  /**
   * Returns what is called: an instruction, or a block of the program with what is known of it.
   * @throws ExpressionFault when it does not exist, or its instance is missing or not known
   */
  resolve(call: Call): { call: Call; block?: CallableBlock } {
    if (call.isBlock) {
      const instruction = this.#calledInstruction(call)
      if (instruction !== undefined) return this.resolve(instruction)
      const found = this.#calledBlock(call)
      return { call: { ...call, name: found.block.name, ...found.instance }, block: found.block }
    }
    const name = knownInstruction(call.name)
    if (name === undefined && call.instance !== undefined && call.braces === undefined) {
      // `"DB".motor(…)` is not an instruction but a multi-instance.
      const path = [...call.instance.path, { name: call.name }]
      if (this.#names.instanceOf?.(call.instance.scope, path) !== undefined)
        return this.resolve({ ...call, name: '', isBlock: true, instance: { ...call.instance, path } })
    }
    if (name === undefined && call.braces === undefined && call.instance === undefined)
      throw fault(
        call,
        `there is no instruction ${call.name}${suggested(call.name)}; a block of the program stands in quotes, an instruction that is not known here needs its version: ${call.name}{Version := 1.0}(…)`,
      )
    const known = name ?? call.name
    if (withInstance.has(known) && call.instance === undefined)
      throw fault(call, `${known} needs an instance: "${known}_DB".${known}(…) or #instance.${known}(…)`)
    return { call: { ...call, name: known } }
  }

  /**
   * The call of an instruction by its instance alone, as SCL writes it: `#delay(IN := …)` with `delay : TON_TIME` is
   * `#delay.TON(IN := …)`.
   */
  #calledInstruction(call: Call): Call | undefined {
    const { name } = call
    // `"DB"(…)` is read as the call of a block of this name.
    const instance =
      name === ''
        ? call.instance
        : call.instance === undefined && this.#names.block?.(name) === undefined
          ? { scope: 'GlobalVariable' as const, path: [{ name }] }
          : undefined
    if (instance === undefined) return undefined
    // That of a data block is in quotes.
    const type = this.#names.typeOf?.({ kind: 'symbol', ...instance })?.replaceAll('"', '')
    const isOfProgram = type === undefined || this.#names.block?.(type) !== undefined
    const instruction = isOfProgram ? undefined : instructionOfType(type)
    return instruction === undefined ? undefined : { ...call, isBlock: false, name: instruction, instance }
  }

  #calledBlock(call: Call): { block: CallableBlock; instance: Pick<Call, 'instance'> } {
    const { instance, name } = call
    if (name === '' && instance !== undefined) {
      const type = this.#names.instanceOf?.(instance.scope, instance.path)
      const text = pathText(instance.scope, instance.path)
      if (type === undefined)
        throw fault(call, `it is not known of which block ${text} is an instance; write ${text}."FB name"(…)`)
      return { block: this.#requireBlock(call, type, 'FB'), instance: { instance } }
    }
    if (instance === undefined && this.#names.block?.(name) === undefined) {
      // `"DB"(…)` as in SCL.
      const path = [{ name }]
      const type = this.#names.instanceOf?.('GlobalVariable', path)
      if (type !== undefined)
        return {
          block: this.#requireBlock(call, type, 'FB'),
          instance: { instance: { scope: 'GlobalVariable', path } },
        }
    }
    const block = this.#requireBlock(call, name, instance === undefined ? 'FC' : 'FB')
    if (block.blockType === 'FB' && instance === undefined && call.braces?.entries.get('BlockType') === undefined)
      throw fault(call, `FB "${name}" needs an instance: "${name}_DB"."${name}"(…) or #instance."${name}"(…)`)
    if (block.blockType === 'FC' && instance !== undefined)
      throw fault(call, `"${name}" is an FC and has no instance; write "${name}"(…)`)
    return { block, instance: instance === undefined ? {} : { instance } }
  }

  #requireBlock(call: Call, name: string, assumed: 'FB' | 'FC'): CallableBlock {
    const known = this.#names.block?.(name)
    if (known !== undefined) return known
    if (this.#names.block !== undefined) throw fault(call, `there is no block "${name}" to call`)
    const type = call.braces?.entries.get('BlockType')
    return {
      name,
      blockType: type === 'FB' || type === 'FC' ? type : assumed,
      parameters: call.args.flatMap(({ name: parameter, target }) =>
        parameter === undefined || parameter === 'en' || parameter === 'eno'
          ? []
          : [{ name: parameter, section: target === undefined ? 'Input' : 'Output' }],
      ),
    }
  }
}

/** Checks that arguments are parameters of the block, inputs given with `:=` and outputs taken with `=>`. */
export function checkArguments(block: CallableBlock, args: ReadonlyMap<string, Argument>): void {
  const { parameters } = block
  const known = new Set(parameters.map(({ name }) => name))
  for (const [pin, argument] of args) {
    if (pin === 'en' || pin === 'eno' || known.has(pin)) continue
    throw fault(argument, `"${block.name}" has no parameter ${pin}; it has ${[...known].join(', ') || 'none'}`)
  }
  for (const [pin, argument] of args) {
    const section = parameters.find(({ name }) => name === pin)?.section
    const isWritten = argument.target !== undefined
    if (isWritten && (section === 'Input' || section === 'InOut'))
      throw fault(
        argument,
        `${pin} is ${section === 'Input' ? 'an input' : 'an in/out parameter'} of "${block.name}"; write ${pin} := …`,
      )
    if (!isWritten && section === 'Output')
      throw fault(argument, `${pin} is an output of "${block.name}"; write ${pin} => …`)
  }
}

/** Returns `, perhaps Move` for the message about an unknown name. */
export function suggested(name: string): string {
  const nearest = nearestInstruction(name)
  return nearest === undefined ? '' : `, perhaps ${nearest}`
}
