/** Draws one network of a block, in whatever graphical language it is. */
import { defined } from '../../lib/optional.ts'
import { textIn } from '../model/multilingual-text.ts'
import type { ImportedObject } from '../model/object.ts'
import { networkPicture } from './network-svg.ts'
import { sequencePicture } from './sequence-svg.ts'

export interface BlockPicture {
  readonly language: string
  /** Absent for a network in a text language. */
  readonly svg?: string
}

/**
 * The pictures of a network: of LAD and FBD one, of GRAPH one for each sequence, none of a text language.
 * @param index of the network, from 0; the others as of `blockPicture`
 */
export function networkPictures(
  object: ImportedObject,
  index: number,
  culture: string,
  marks?: ReadonlyMap<number, string>,
): string[] {
  const { chart, graph } = object.networks[index] ?? {}
  const numbers = chart?.sequences.map((_, i) => i + 1) ?? (graph === undefined ? [] : [index + 1])
  return numbers.flatMap((number) => blockPicture(object, number, culture, marks)?.svg ?? [])
}

/**
 * The picture of a network, numbered from 1; of a GRAPH block that of a sequence.
 * @param culture language of titles and comments
 * @param marks classes of boxes by the UIds of their nodes
 * @returns undefined when the block has no such network
 */
export function blockPicture(
  object: ImportedObject,
  number: number,
  culture: string,
  marks?: ReadonlyMap<number, string>,
): BlockPicture | undefined {
  const [first] = object.networks
  if (first?.chart !== undefined) {
    const sequence = first.chart.sequences[number - 1]
    const title = object.name + (first.chart.sequences.length > 1 ? `, sequence ${number}` : '')
    return sequence && { language: first.language, svg: sequencePicture(sequence, title) }
  }
  const network = object.networks[number - 1]
  if (network === undefined) return undefined
  const { language, text, statements } = network
  // A network of a drawing language that nobody has put anything into is drawn empty.
  const isEmpty = text === undefined && statements === undefined && /^(F_)?(LAD|FBD)/.test(language)
  const graph = network.graph ?? (isEmpty ? { labels: [], nodes: [], wires: [] } : undefined)
  if (graph === undefined) return { language }
  const head = {
    number,
    language,
    title: textIn(network.title, culture),
    comment: textIn(network.comment, culture),
    ...defined({ marks }),
  }
  return { language, svg: networkPicture(graph, head) }
}
