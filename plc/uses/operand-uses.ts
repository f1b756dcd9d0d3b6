/** Uses in operands of networks, statement lists and tables. */
import type { Instance } from '../model/instance.ts'
import type { Operand, PathComponent } from '../model/operand.ts'
import { operandText, pathText } from '../model/operand-text.ts'
import { type Use, type UseAccess, type UsedArgument, type UsePlace, usedAddress } from './use.ts'

/** How an operand is used, and where. */
export interface UseContext {
  readonly access: UseAccess
  readonly place: UsePlace
  readonly argument?: UsedArgument
}

/**
 * Adds what an operand uses: the operand itself when it belongs to the whole program, and the operands in its indices
 * and pointers.
 */
export function addOperand(into: Use[], operand: Operand, context: UseContext): void {
  switch (operand.kind) {
    case 'symbol':
      if (operand.scope === 'GlobalVariable' || operand.scope === 'Undef')
        into.push({
          ...named(operand.path),
          text: operandText(operand),
          ...context,
          // Names that were not resolved when the file was written may be local ones.
          ...(operand.scope === 'Undef' ? { isBare: true } : {}),
        })
      addIndices(into, operand.path, context.place)
      return
    case 'constant':
      if (operand.scope === 'LocalConstant') return
      into.push({
        name: operand.scope === 'NamedValueConstant' ? typeOfNamedValue(operand.name) : operand.name,
        path: [],
        text: operandText(operand),
        ...context,
        access: operand.scope === 'NamedValueConstant' ? 'Type' : 'Read',
      })
      return
    case 'address': {
      const address = usedAddress(operand)
      if (address !== undefined) into.push({ name: '', path: [], address, text: operandText(operand), ...context })
      return
    }
    case 'indirect':
      if (operand.pointer !== undefined) addOperand(into, operand.pointer, { access: 'Read', place: context.place })
      return
  }
}

/** Adds the instance data of a call or instruction. */
export function addInstance(into: Use[], { scope, path }: Instance, place: UsePlace): void {
  if (scope === 'GlobalVariable') into.push({ ...named(path), text: pathText(scope, path), access: 'Instance', place })
  addIndices(into, path, place)
}

function named(path: readonly PathComponent[]): Pick<Use, 'name' | 'path'> {
  const [first, ...rest] = path
  return { name: first?.name ?? '', path: rest.map(({ name }) => name).filter((name) => name !== '') }
}

function addIndices(into: Use[], path: readonly PathComponent[], place: UsePlace): void {
  for (const { indices } of path) for (const index of indices ?? []) addOperand(into, index, { access: 'Read', place })
}

/** `_.ns.Colour#RED`, `"Colour"#RED` -> `Colour`. */
export function typeOfNamedValue(text: string): string {
  const type = text.slice(0, text.lastIndexOf('#'))
  return /"([^"]*)"$/.exec(type)?.[1] ?? type.replace(/^.*\./, '')
}
