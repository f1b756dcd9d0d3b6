/** The networks that differ in two versions of an object, drawn with what changed marked, or as text. */
import { defined } from '../../../lib/optional.ts'
import { type ChangedElements, changedElements } from '../../../plc/edit/changed-elements.ts'
import { type NetworkPair, pairedNetworks } from '../../../plc/edit/compare.ts'
import { comparedForm } from '../../../plc/edit/compared-form.ts'
import { contentText } from '../../../plc/edit/content-text.ts'
import { facetsOf } from '../../../plc/edit/object-facets.ts'
import { textIn } from '../../../plc/model/multilingual-text.ts'
import type { ImportedObject, Network } from '../../../plc/model/object.ts'
import { networkPictures } from '../../../plc/render/block-picture.ts'

/** A network of one side. */
export interface NetworkSide {
  /** From 1. */
  readonly number: number
  /** SVG: of a network in LAD or FBD one, of GRAPH each sequence. Changed elements have the class of their change. */
  readonly pictures?: readonly string[]
  /** Of a network in a text language, and of GRAPH, where text says best what leads where. */
  readonly text?: string
}

export interface NetworkChange {
  readonly change: 'added' | 'removed' | 'changed'
  readonly title: string
  readonly left?: NetworkSide
  readonly right?: NetworkSide
  /** Both are drawn and have the same elements: wires, labels or comments differ. */
  readonly sameElements?: true
}

/**
 * All networks that differ; for an object of one side all of it.
 *
 * @param culture language of titles and comments
 */
export function networkChanges(
  left: ImportedObject | undefined,
  right: ImportedObject | undefined,
  culture: string,
): NetworkChange[] {
  const code = (object: ImportedObject | undefined) =>
    object === undefined ? [] : facetsOf(comparedForm(object)).code.code
  return pairedNetworks(code(left), code(right))
    .filter(({ isSame }) => !isSame)
    .map((pair) => changeOf(pair, left, right, culture))
}

function changeOf(
  { left: i, right: j }: NetworkPair,
  left: ImportedObject | undefined,
  right: ImportedObject | undefined,
  culture: string,
): NetworkChange {
  const [a, b] = [left?.networks[i ?? -1], right?.networks[j ?? -1]]
  const areGraphs = a?.graph !== undefined && b?.graph !== undefined
  const marks: ChangedElements = areGraphs
    ? changedElements(a.graph, b.graph)
    : { left: all(a, 'removed'), right: all(b, 'added') }
  return {
    change: a === undefined ? 'added' : b === undefined ? 'removed' : 'changed',
    title: textIn((b ?? a)?.title ?? {}, culture),
    ...defined({ left: sideOf(left, i, marks.left, culture), right: sideOf(right, j, marks.right, culture) }),
    ...(areGraphs && marks.left.size + marks.right.size === 0 ? { sameElements: true } : {}),
  }
}

const all = (network: Network | undefined, mark: 'added' | 'removed') =>
  new Map((network?.graph?.nodes ?? []).map(({ uId }) => [uId, mark] as const))

function sideOf(
  object: ImportedObject | undefined,
  index: number | undefined,
  marks: ReadonlyMap<number, string>,
  culture: string,
): NetworkSide | undefined {
  const network = object?.networks[index ?? -1]
  if (object === undefined || index === undefined || network === undefined) return undefined
  const { number, graph, chart } = network
  const isDrawn = graph !== undefined || chart !== undefined
  return {
    number,
    ...(isDrawn ? { pictures: networkPictures(object, index, culture, marks) } : {}),
    ...(graph === undefined ? { text: network.text ?? contentText(object).networks?.[index]?.text ?? '' } : {}),
  }
}
