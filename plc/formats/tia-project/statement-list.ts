/** STL: the stored statements, with calls. */
import { defined } from '../../../lib/optional.ts'
import type { Operand } from '../../model/operand.ts'
import type { Statement, StatementCall } from '../../model/statement.ts'
import { child, childrenOf, type XmlElement } from '../simaticml/xml.ts'
import type { Identifiers } from './identifiers.ts'
import type { VersionOf } from './logic-network.ts'

const known = new Set(['Label', 'Token', 'OpdAccess', 'CallInfo', 'LC'])

/**
 * Reads a stored statement list.
 * @param root `Statements`
 */
export function readStatementList(root: XmlElement, identifiers: Identifiers, versionOf: VersionOf) {
  const reader = new Reader(identifiers, versionOf)
  const statements = childrenOf(root, 'Statement').map((element, index) => reader.statement(element, index + 1))
  return { statements, problems: reader.problems }
}

class Reader {
  readonly problems: string[] = []
  readonly #identifiers: Identifiers
  readonly #versionOf: VersionOf

  constructor(identifiers: Identifiers, versionOf: VersionOf) {
    this.#identifiers = identifiers
    this.#versionOf = versionOf
  }

  statement(element: XmlElement, number: number): Statement {
    const report = (text: string) => this.problems.push(`statement ${number}: ${text}`)
    for (const { name, attributes } of element.children)
      if (!known.has(name)) report(`${name} ${attributes.DispName ?? ''} is not understood`.replace('  ', ' '))
    const label = child(child(element, 'Label'), 'OpdAccess')
    const labelName = label && this.#identifiers.name(label.attributes.RefId)
    if (label && !labelName) report('the name of its label is not in the identifiers')
    const comment = child(element, 'LC')?.attributes.DispName
    const info = child(element, 'CallInfo')
    return {
      ...(labelName ? { label: labelName } : {}),
      mnemonic: child(element, 'Token')?.attributes.DispName ?? '',
      ...(info ? { call: this.#call(element, info, report) } : this.#operand(child(element, 'OpdAccess'), report)),
      ...defined({ comment }),
    }
  }

  #operand(access: XmlElement | undefined, report: (text: string) => void): { operand?: Operand } {
    if (!access) return {}
    const operand = this.#operandOf(access, report)
    return operand ? { operand } : {}
  }
  #operandOf({ attributes }: XmlElement, report: (text: string) => void): Operand | undefined {
    const operand = this.#identifiers.operand(attributes.RefId)
    if (!operand)
      report(
        `the operand (${this.#identifiers.kind(attributes.RefId) ?? 'no identifier'} ${attributes.RefId}) is not understood`,
      )
    return operand
  }

  /** The first access is what is called, the second one its instance. */
  #call(element: XmlElement, info: XmlElement, report: (text: string) => void): StatementCall {
    const [target, instanceAccess] = childrenOf(element, 'OpdAccess')
    const id = target?.attributes.RefId
    const instance = instanceAccess && this.#identifiers.instance(instanceAccess.attributes.RefId)
    if (instanceAccess && !instance) report('the instance of the call is not understood')
    const callee = this.#identifiers.callee(id)
    const called = callee ?? this.#identifiers.calleeOf(info.attributes.RefId)
    const common = {
      ...(instance ? { instance } : {}),
      parameters: this.#parameters(info, called?.id ?? id, report),
    }
    if (callee) {
      const { name, blockType, number } = callee
      return { target: 'block', name, blockType, ...(number ? { blockNumber: number } : {}), ...common }
    }
    const own = this.#identifiers.operand(id)
    if (own?.kind === 'symbol' && own.scope === 'LocalVariable')
      return {
        target: 'multiInstance',
        name: own.path.at(-1)!.name,
        blockType: 'FB',
        ...common,
        instance: { scope: own.scope, path: own.path },
      }
    return { ...this.#instruction(info, target, report), ...common }
  }

  /** An instruction is an identifier, or has its name and its types in the call. */
  #instruction(info: XmlElement, target: XmlElement | undefined, report: (text: string) => void) {
    const id = info.attributes.RefId
    const isKnown = this.#identifiers.kind(id) === 'Instruction'
    const name = isKnown ? this.#identifiers.name(id)! : (info.attributes.DispName ?? target?.attributes.DispName ?? '')
    if (name === '') report('what is called is not understood')
    const templates = isKnown
      ? this.#identifiers.templates(id, target?.attributes.UId)
      : childrenOf(info, 'TemplateParameter').map(({ attributes: { Name = '', Type = 'Type', Value = '' } }) => ({
          name: Name,
          type: Type,
          value: Value,
        }))
    const version = isKnown ? this.#versionOf(name, this.#identifiers.libraryEntry(id)) : undefined
    if (isKnown && version === undefined) report(`the version of the instruction ${name} is not in the file`)
    return {
      target: 'instruction' as const,
      name,
      ...defined({ version }),
      ...(templates.length > 0 ? { templates } : {}),
    }
  }

  /** Parameters have their names in the call, or are those of the called block in order. */
  #parameters(info: XmlElement, calleeId: string | undefined, report: (text: string) => void) {
    const declared = this.#identifiers.parameters(calleeId)
    return childrenOf(info, 'ParaExpression').map((element) => {
      const number = Number(element.attributes.FPNum)
      const name = element.attributes.DispName || declared[number - 1]?.name
      if (!name) report(`the name of parameter ${number} is not in the identifiers`)
      const access = child(element, 'OpdAccess')
      const value = access && this.#operandOf(access, report)
      for (const inner of element.children)
        if (inner.name !== 'OpdAccess') report(`parameter ${name ?? number}: ${inner.name} is not understood`)
      return { name: name ?? '', ...(value ? { value } : {}) }
    })
  }
}
