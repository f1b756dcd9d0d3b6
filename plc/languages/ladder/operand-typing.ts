/**
 * Resolves operands of an expression to the form in networks: literals with their type, bare names resolved. Also finds
 * the types of expressions.
 */

import { defined } from '../../../lib/optional.ts'
import type { Instance } from '../../model/instance.ts'
import type { Operand, PathComponent } from '../../model/operand.ts'
import { templatesOf } from './box-options.ts'
import { fitsLiteral, literalShape, literalType, operandType } from './data-types.ts'
import { wholeStatement } from './expression-fault.ts'
import { arithmeticCall, fault, ungrouped } from './expression-rules.ts'
import type { Argument, Assignment, Braces, Call, Expression, OperandExpression, Target } from './expression-syntax.ts'
import type { ProgramNames } from './program-names.ts'

export type Targets = Assignment['targets']

export class OperandTyping {
  readonly #names: ProgramNames
  constructor(names: ProgramNames) {
    this.#names = names
  }

  targetType(target: Target): string | undefined {
    return target.kind === 'operand' ? operandType(target.operand, this.#names) : undefined
  }

  types(args: ReadonlyMap<string, Argument>, targets: Targets) {
    const typeOf = (value: Expression) => this.typeOf(value)
    const inputs = new Map<string, { readonly type: string | undefined; readonly literal?: string }>()
    for (const [pin, { value }] of args) {
      if (value === undefined) continue
      const inner = ungrouped(value)
      const operand = inner.kind === 'operand' ? inner.operand : inner.kind === 'rail' ? inner.literal : undefined
      const literal =
        operand?.kind === 'literal' && literalShape(operand.value) !== undefined ? operand.value : undefined
      inputs.set(pin, { type: typeOf(inner), ...defined({ literal }) })
    }
    const outputs = targets.map(({ target }) => this.targetType(target))
    return { inputs, outputs }
  }

  typeOf(value: Expression): string | undefined {
    const inner = ungrouped(value)
    if (inner.kind === 'operand') {
      const word = inner.braces?.words.find((name) => name !== 'direct')
      return word ?? operandType(inner.operand, this.#names)
    }
    if (inner.kind !== 'arithmetic' && inner.kind !== 'call') return undefined
    const call = inner.kind === 'arithmetic' ? arithmeticCall(inner) : inner
    const args = new Map(call.args.map((argument, i) => [argument.name ?? `in${i + 1}`, argument]))
    const { templates } = templatesOf(call, call.braces, this.types(args, []))
    return (templates.find(({ name }) => name === 'DestType') ?? templates.find(({ name }) => name === 'SrcType'))
      ?.value
  }

  instance({ instance }: Call): Instance | undefined {
    if (instance === undefined) return undefined
    return { scope: instance.scope, path: instance.path.map((component) => this.component(component)) }
  }

  /** An operand with the type in its braces, or that of its place. */
  given(
    { operand, braces }: Pick<OperandExpression, 'operand'> & { braces?: Braces | undefined },
    type: string | undefined,
  ): Operand {
    const word = braces?.words.find((name) => name !== 'direct')
    // A constant written with its type is a literal constant, including P#DB1.DBX0.0 BYTE 10.
    if (word !== undefined && operand.kind === 'literal') return { ...operand, scope: 'LiteralConstant', type: word }
    return this.operand(operand, type)
  }

  /** An operand in the form of networks: literals with their type, bare names resolved. */
  operand(operand: Operand, type?: string): Operand {
    if (operand.kind === 'literal') {
      if (operand.scope !== 'LiteralConstant') return operand
      const plain = type?.replace(/\[.*$/, '')
      const own = literalType(operand.value)
      const chosen =
        type !== undefined && (literalShape(operand.value) === undefined || fitsLiteral(operand.value, type))
          ? plain
          : own
      return chosen === undefined ? operand : { ...operand, type: chosen }
    }
    if (operand.kind !== 'symbol') return operand
    const path = operand.path.map((component) => this.component(component))
    if (operand.scope !== 'Undef') return { ...operand, path }
    const { name } = path[0] as PathComponent
    const scope = this.#names.scopeOf?.(name)
    if (scope === undefined && this.#names.scopeOf !== undefined)
      throw fault(
        { at: wholeStatement },
        `${name} is not declared; write #${name} for a member of the block or "${name}" for a name of the program`,
      )
    return scope === undefined ? { ...operand, path } : { ...operand, scope, path }
  }

  component(component: PathComponent): PathComponent {
    if (component.indices === undefined) return component
    return { ...component, indices: component.indices.map((index) => this.operand(index, 'DInt')) }
  }
}
