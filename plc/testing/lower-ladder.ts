/** Runs LAD and FBD networks in tests: given as expressions, or as parts with the operands wired to their pins. */
import {
  cardinality,
  type InstructionOptions,
  NetworkBuilder,
  pinEnd,
  typeTemplate,
} from '../languages/ladder/build.ts'
import { compileExpression } from '../languages/ladder/compile-expression.ts'
import type { LogicNetwork } from '../model/logic-network.ts'
import type { Operand } from '../model/operand.ts'
import { parseOperand } from '../model/operand-reader.ts'
import type { Diagnostic, ProgramNetwork } from '../program/program.ts'
import type { Type } from '../program/type.ts'
import { typeName } from '../program/type-name.ts'
import { runScl, type SclRun, type SclTest, sclDiagnostics } from './runtime.ts'

export type Members = Readonly<Record<string, Type | string>>

function text(type: Type | string | undefined): string | undefined {
  return type === undefined || typeof type === 'string' ? type : typeName(type)
}

/** Makes the network of an expression (plc/languages/ladder/expression.ts) on members of the block. */
export function expressionNetwork(members: Members, expression: string, language: 'LAD' | 'FBD' = 'LAD'): LogicNetwork {
  return compileExpression(expression, {
    language,
    names: {
      typeOf: (operand) => {
        if (operand.kind !== 'symbol') return undefined
        const [first, second] = operand.path
        const own = members[first?.name ?? '']
        if (second === undefined || typeof own !== 'object') return text(own)
        const inner = own.kind === 'struct' || own.kind === 'instance' ? own.members : []
        return text(inner.find(({ name }) => name === second.name)?.type)
      },
      instanceOf: (_scope, path) => text(members[path[0]?.name ?? '']),
    },
  })
}

/** Makes an operand of its text: `#x`, `5`, `T#1s`. */
export function operandOf(value: string): Operand {
  const operand = parseOperand(value)
  if (!operand) throw new Error(`${value} is no operand`)
  return operand
}

export interface InstructionSpec extends InstructionOptions {
  readonly name: string
  /** Makes it a call of a block of this kind instead of an instruction. */
  readonly call?: 'FB' | 'FC'
  /** Operands by pin; `RAIL`: the power rail; `OPEN`: visibly open; `3.out`: the output of the part with this index. */
  readonly in: Readonly<Record<string, string>>
  readonly out?: Readonly<Record<string, string>>
  readonly card?: number
  readonly types?: Readonly<Record<string, string>>
}

/** Makes a network of instructions. */
export function instructionNetwork(parts: readonly InstructionSpec[], label?: string): LogicNetwork {
  const builder = new NetworkBuilder()
  if (label !== undefined) builder.label(label)
  const ids = parts.map(({ name, call, in: _in, out: _out, card, types = {}, templates = [], ...options }) =>
    call
      ? builder.call(name, call, options)
      : builder.instruction(name, {
          ...options,
          templates: [
            ...(card === undefined ? [] : [cardinality(card)]),
            ...Object.entries(types).map(([template, type]) => typeTemplate(template, type)),
            ...templates,
          ],
        }),
  )
  for (const [i, part] of parts.entries()) {
    const id = ids[i] as number
    for (const [pin, value] of Object.entries(part.in)) {
      const other = /^(\d+)\.([a-z]\w*)$/i.exec(value)
      if (value === 'RAIL') builder.powerrail(id, pin)
      else if (value === 'OPEN') builder.open(id, pin, 'input')
      else if (other) builder.connect(pinEnd(ids[Number(other[1])] as number, other[2] as string), pinEnd(id, pin))
      else if (/^(?:label|DEST\d+)$/.test(pin)) builder.input(id, pin, { kind: 'label', name: value })
      else builder.input(id, pin, operandOf(value))
    }
    for (const [pin, value] of Object.entries(part.out ?? {})) builder.output(id, pin, operandOf(value))
  }
  return builder.network()
}

/** Networks one after another. */
export function networks(...logic: readonly LogicNetwork[]): ProgramNetwork[] {
  return logic.map((graph, i) => ({ number: i + 1, title: '', language: 'LAD', graph }))
}

/** Runs networks in an FB with these members. */
export function runNetworks(members: Members, logic: readonly LogicNetwork[], options: Partial<SclTest> = {}): SclRun {
  return runScl({ ...options, members, body: '', networks: networks(...logic) })
}

export function networkDiagnostics(
  members: Members,
  logic: readonly LogicNetwork[],
  options: Partial<SclTest> = {},
): readonly Diagnostic[] {
  return sclDiagnostics({ ...options, members, body: '', networks: networks(...logic) })
}
