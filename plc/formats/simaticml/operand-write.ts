/**
 * Writes operands as `Access` and `Instance` elements, in the form of LAD, FBD and STL (SW.PlcBlocks.Access_v5.xsd;
 * docs/formats.md#lad-and-fbd-networks).
 */

import { type BlockAddress, bitOffsetOf, readBlockAddress } from '../../model/block-address.ts'
import type { Instance } from '../../model/instance.ts'
import type { Operand, PathComponent } from '../../model/operand.ts'
import { holds, writeChildren } from './kept.ts'
import type { XmlAttributes, XmlWriter } from './xml-write.ts'

/**
 * Writes the `Access` of an operand.
 *
 * @param uId of the access; STL and nested accesses have none
 */
export function writeOperand(writer: XmlWriter, operand: Operand, uId?: number): void {
  if (operand.kind === 'other') {
    writer.raw(uId === undefined ? operand.xml : operand.xml.replace('<Access', `<Access UId="${uId}"`))
    return
  }
  const outer = operand.kept?.outer
  writer.element('Access', { Scope: scopeOf(operand), ...outer?.attributes, UId: uId }, () =>
    writeChildren(writer, outer, [() => writeContent(writer, operand)]),
  )
}

function scopeOf(operand: Exclude<Operand, { kind: 'other' }>): string {
  switch (operand.kind) {
    case 'address':
    case 'indirect':
      return 'Address'
    case 'label':
      return 'Label'
    case 'status':
      return 'Statusword'
    default:
      return operand.scope
  }
}

interface Shape {
  readonly name: string
  readonly attributes: XmlAttributes
  readonly children?: readonly (() => void)[]
}

function writeContent(writer: XmlWriter, operand: Exclude<Operand, { kind: 'other' }>): void {
  const { kept } = operand
  const { name, attributes, children = [] } = shapeOf(writer, operand)
  writer.element(name, { ...attributes, ...kept?.attributes }, () => writeChildren(writer, kept, children))
}

function shapeOf(writer: XmlWriter, operand: Exclude<Operand, { kind: 'other' }>): Shape {
  switch (operand.kind) {
    case 'symbol':
      if (operand.scope === 'PredefinedVariable')
        return { name: 'PredefinedVariable', attributes: { Name: operand.path[0]?.name } }
      return { name: 'Symbol', attributes: {}, children: components(writer, operand.path) }
    case 'literal': {
      const { type, value, kept } = operand
      const children: (() => void)[] = []
      if (type !== undefined) children.push(() => writer.leaf('ConstantType', {}, type))
      if (!holds(kept, 'ConstantValue')) children.push(() => writer.leaf('ConstantValue', {}, value))
      return { name: 'Constant', attributes: {}, children }
    }
    case 'constant':
      return { name: 'Constant', attributes: { Name: operand.name } }
    case 'address': {
      const { area, type, blockNumber, bitOffset } = operand
      // The number of a data block as a whole is in BitOffset (documentation of BitOffset in the schema).
      const isBlock = type === 'Block_DB' && bitOffset === undefined
      const numbers = isBlock ? { BitOffset: blockNumber } : { BlockNumber: blockNumber, BitOffset: bitOffset }
      return { name: 'Address', attributes: { Area: area, Type: type || undefined, ...numbers } }
    }
    case 'indirect': {
      const { width, area, register, bitOffset, pointer } = operand
      const attributes = { Width: width, Area: area, Register: register, BitOffset: bitOffset }
      const children = pointer === undefined ? [] : [() => writeOperand(writer, pointer)]
      return { name: 'Indirect', attributes, children }
    }
    case 'label':
      return { name: 'Label', attributes: { Name: operand.name } }
    case 'status':
      return { name: 'Statusword', attributes: { Combination: operand.name } }
  }
}

function components(writer: XmlWriter, path: readonly PathComponent[]): (() => void)[] {
  return path.flatMap((component) => {
    const offset = component.slice === undefined ? undefined : readBlockAddress(component.slice)
    const write = () => writeComponent(writer, component, offset === undefined)
    return offset ? [write, () => writeOffset(writer, offset)] : [write]
  })
}

function writeOffset(writer: XmlWriter, address: BlockAddress): void {
  writer.leaf('AbsoluteOffset', { BitOffset: bitOffsetOf(address), Type: address.type })
}

function writeComponent(
  writer: XmlWriter,
  { name, indices, slice, access, kept }: PathComponent,
  isPart: boolean,
): void {
  const attributes = {
    Name: name,
    SliceAccessModifier: isPart ? slice : undefined,
    SimpleAccessModifier: access,
    AccessModifier: indices === undefined || indices.length === 0 ? undefined : 'Array',
    ...kept?.attributes,
  }
  writer.element('Component', attributes, () =>
    writeChildren(
      writer,
      kept,
      (indices ?? []).map((index) => () => writeOperand(writer, index)),
    ),
  )
}

/** Writes the instance data of a call or instruction. */
export function writeInstance(writer: XmlWriter, { scope, path, kept }: Instance, uId?: number): void {
  writer.element('Instance', { Scope: scope, ...kept?.attributes, UId: uId }, () =>
    writeChildren(writer, kept, components(writer, path)),
  )
}
