/**
 * What lists and the content view of the API show of an object. The field names are those that clients of this API
 * family read.
 */

import { defined } from '../../lib/optional.ts'
import { fileAround } from '../formats/simaticml/export-version.ts'
import { sourceTextOf } from '../formats/source/write.ts'
import { networkExpression } from '../languages/ladder/expression.ts'
import type { LogicNetwork } from '../model/logic-network.ts'
import { textIn } from '../model/multilingual-text.ts'
import type { ImportedObject, InterfaceMember, Network, NetworkElement } from '../model/object.ts'
import type { SequenceProgram } from '../model/sequence.ts'
import type { Statement } from '../model/statement.ts'

export interface ContentMember {
  readonly section: string
  readonly name: string
  readonly dataType: string
  readonly startValue?: string
  /** `Retain` or `SetInIDB`. */
  readonly remanence?: string
  readonly comment: string
  readonly members: readonly ContentMember[]
}

export interface ContentNetwork {
  readonly number: number
  readonly title: string
  readonly comment: string
  readonly language: string
  readonly parts: readonly NetworkElement[]
  /** Statements of SCL and STL networks. */
  readonly text?: string
  /** LAD and FBD: the network as structured text (notation: plc/languages/ladder/expression.ts). */
  readonly expression?: string
  readonly graph?: LogicNetwork
  /** STL. */
  readonly statements?: readonly Statement[]
  /** GRAPH. */
  readonly chart?: SequenceProgram
}

export interface ObjectContent {
  readonly name: string
  readonly blockType: string
  readonly number: number | null
  readonly programmingLanguage: string
  readonly title: string
  readonly comment: string
  readonly author: string
  readonly isKnowHowProtected: boolean
  /** The SimaticML file of objects that are kept as SimaticML. */
  readonly rawXml?: string
  /** External source form; absent where there is none (LAD, FBD, GRAPH, tables). */
  readonly sourceText?: string
  readonly interface: readonly ContentMember[]
  readonly networks: readonly ContentNetwork[]
}

/** Returns everything a client shows of a block or type. */
export function content(object: ImportedObject, culture?: string): ObjectContent {
  const sourceText = sourceTextOf(object)
  return {
    name: object.name,
    blockType: object.kind,
    number: object.number ?? null,
    programmingLanguage: object.language,
    title: textIn(object.title, culture),
    comment: textIn(object.comment, culture),
    author: object.author,
    isKnowHowProtected: object.isKnowHowProtected,
    ...defined({
      rawXml: object.xml === undefined ? undefined : fileAround([object.xml], object.engineeringVersion),
      sourceText,
    }),
    interface: object.interface.flatMap(({ section, members }) =>
      members.map((member) => contentMember(section, member, culture)),
    ),
    networks: object.networks.map((network) => contentNetwork(network, culture)),
  }
}

function contentNetwork(network: Network, culture: string | undefined): ContentNetwork {
  const { number, title, comment, language, parts, text, graph, statements, chart } = network
  return {
    number,
    title: textIn(title, culture),
    comment: textIn(comment, culture),
    language,
    parts,
    ...defined({ text }),
    ...(graph === undefined ? {} : { expression: networkExpression(graph, { language }).statements.join('\n'), graph }),
    ...defined({ statements, chart }),
  }
}

function contentMember(section: string, member: InterfaceMember, culture: string | undefined): ContentMember {
  const expanded = member.sections?.flatMap((inner) =>
    inner.members.map((part) => contentMember(inner.section, part, culture)),
  )
  return {
    section,
    name: member.name,
    dataType: member.dataType,
    ...defined({ startValue: member.startValue }),
    ...(member.remanence === undefined || member.remanence === 'NonRetain' ? {} : { remanence: member.remanence }),
    comment: textIn(member.comment, culture),
    members: [...member.members.map((part) => contentMember(section, part, culture)), ...(expanded ?? [])],
  }
}
