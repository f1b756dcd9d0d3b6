/** Writes LAD and FBD networks as `FlgNet` (SW.PlcBlocks.LADFBD_v5.xsd; docs/formats.md#lad-and-fbd-networks). */

import { FormatError } from '../../model/fault.ts'
import type { Kept } from '../../model/kept.ts'
import type { CallNode, InstructionNode, LogicNetwork, NetworkNode, WireEnd } from '../../model/logic-network.ts'
import type { MultilingualText } from '../../model/multilingual-text.ts'
import { writeComment } from './interface-write.ts'
import { writeChildren } from './kept.ts'
import { writeInstance, writeOperand } from './operand-write.ts'
import { namespacesOf, type TargetVersion } from './versions.ts'
import type { XmlAttributes, XmlWriter } from './xml-write.ts'

export interface LogicNetworkOptions {
  readonly version: TargetVersion
  /** Set where the network's namespace is already declared, e.g. by an element around it. */
  readonly withoutNamespace?: boolean
}

/** Number of a network's first element. */
const firstUid = 21

/**
 * Writes a network. UIds are renumbered from 21: labels, nodes with their instances, then wires with their open ends,
 * as TIA Portal does.
 * @throws FormatError code `xml-reference` when a wire leads to a node that does not exist.
 */
export function writeLogicNetwork(writer: XmlWriter, network: LogicNetwork, options: LogicNetworkOptions): void {
  const numbering: Numbering = { next: firstUid, ofNode: new Map() }
  const xmlns = options.withoutNamespace === true ? undefined : namespacesOf(options.version).flgNet
  const { labels, nodes, wires, kept } = network
  const children = [
    () =>
      writer.element('Parts', {}, () => {
        for (const node of nodes) writeNode(writer, node, numbering)
      }),
  ]
  if (labels.length > 0)
    children.unshift(() =>
      writer.element('Labels', {}, () => {
        for (const label of labels)
          writer.element('LabelDeclaration', { UId: numbering.next++, ...label.kept?.attributes }, () =>
            writeChildren(writer, label.kept, [
              () => writer.leaf('Label', { Name: label.name }),
              ...commentWriter(writer, label.comment),
            ]),
          )
      }),
    )
  // The schema does not allow Wires to be empty.
  if (wires.length > 0)
    children.push(() =>
      writer.element('Wires', {}, () => {
        for (const wire of wires)
          writer.element('Wire', { UId: numbering.next++, ...wire.kept?.attributes }, () =>
            writeChildren(
              writer,
              wire.kept,
              wire.ends.map((end) => () => writeEnd(writer, end, numbering)),
            ),
          )
      }),
    )
  writer.element('FlgNet', { xmlns, ...kept?.attributes }, () => writeChildren(writer, kept, children))
}

interface Numbering {
  next: number
  /** New number by old one. */
  readonly ofNode: Map<number, number>
}

function writeNode(writer: XmlWriter, node: NetworkNode, numbering: Numbering): void {
  const uId = numbering.next++
  numbering.ofNode.set(node.uId, uId)
  if (node.kind === 'operand') writeOperand(writer, node.operand, uId)
  else if (node.kind === 'part') writeInstruction(writer, node, uId, numbering)
  else writeCall(writer, node, uId, numbering)
}

function writeInstruction(writer: XmlWriter, instruction: InstructionNode, uId: number, numbering: Numbering): void {
  const { name, version, disabledEno, equation, instance, kept } = instruction
  const attributes = { Name: name, Version: version, UId: uId, DisabledENO: disabledEno?.toString() }
  const children: (() => void)[] = []
  if (equation !== undefined) children.push(() => writer.leaf('Equation', {}, equation))
  if (instance !== undefined) children.push(() => writeInstance(writer, instance, numbering.next++))
  for (const { name: template, type, value } of instruction.templates)
    children.push(() => writer.leaf('TemplateValue', { Name: template, Type: type }, value))
  for (const template of instruction.automaticTyped)
    children.push(() => writer.leaf('AutomaticTyped', nameAttribute(template)))
  children.push(...pinWriters(writer, instruction))
  writeBox(writer, 'Part', attributes, kept, children)
}

function writeCall(writer: XmlWriter, call: CallNode, uId: number, numbering: Numbering): void {
  const { name, blockType, blockNumber, instance, kept } = call
  const parameters: (() => void)[] = []
  if (blockNumber !== undefined)
    parameters.push(() =>
      writer.leaf('IntegerAttribute', { Name: 'BlockNumber', Informative: 'true' }, String(blockNumber)),
    )
  if (instance !== undefined) parameters.push(() => writeInstance(writer, instance, numbering.next++))
  for (const parameter of call.parameters)
    parameters.push(() =>
      writeBox(
        writer,
        'Parameter',
        { Name: parameter.name, Section: parameter.section, Type: parameter.type },
        parameter.kept,
        [],
      ),
    )
  const info = () =>
    writeBox(writer, 'CallInfo', { Name: name === '' ? undefined : name, BlockType: blockType }, kept, parameters)
  writeBox(writer, 'Call', { UId: uId }, kept?.outer, [info, ...pinWriters(writer, call)])
}

function writeBox(
  writer: XmlWriter,
  name: string,
  attributes: XmlAttributes,
  kept: Kept | undefined,
  children: readonly (() => void)[],
): void {
  writer.element(name, { ...attributes, ...kept?.attributes }, () => writeChildren(writer, kept, children))
}

function pinWriters(
  writer: XmlWriter,
  { invisible, negated, comment }: Pick<InstructionNode, 'invisible' | 'negated' | 'comment'>,
): (() => void)[] {
  return [
    ...invisible.map((pin) => () => writer.leaf('Invisible', nameAttribute(pin))),
    ...negated.map((pin) => () => writer.leaf('Negated', nameAttribute(pin))),
    ...commentWriter(writer, comment),
  ]
}

/** The schema lets the name be absent. */
function nameAttribute(name: string): XmlAttributes {
  return { Name: name === '' ? undefined : name }
}

function commentWriter(writer: XmlWriter, comment: MultilingualText | undefined): (() => void)[] {
  return comment === undefined || Object.keys(comment).length === 0 ? [] : [() => writeComment(writer, comment)]
}

function writeEnd(writer: XmlWriter, end: WireEnd, numbering: Numbering): void {
  switch (end.kind) {
    case 'powerrail':
      writer.leaf('Powerrail')
      break
    case 'openbranch':
      writer.leaf('Openbranch')
      break
    case 'open':
      writer.leaf('OpenCon', { UId: numbering.next++ })
      break
    case 'operand':
      writer.leaf('IdentCon', { UId: nodeNumber(end.uId, numbering) })
      break
    case 'pin':
      writer.leaf('NameCon', { UId: nodeNumber(end.uId, numbering), Name: end.pin })
  }
}

function nodeNumber(uId: number, { ofNode }: Numbering): number {
  const number = ofNode.get(uId)
  if (number !== undefined) return number
  const message = `a wire leads to UId ${uId}, but the network has no node with it`
  throw new FormatError([{ code: 'xml-reference', message, line: 1, column: 1 }])
}
