/**
 * Writes networks as content of `NetworkSource`: `FlgNet`, `StructuredText`, `StatementList`, `Graph`
 * (docs/formats.md#lad-and-fbd-networks and the two sections after it).
 */

import { FormatError } from '../../model/fault.ts'
import type { Network } from '../../model/object.ts'
import { writeLogicNetwork } from './flgnet-write.ts'
import { writeSequenceProgram } from './sequence-write.ts'
import { writeStatementList } from './statement-list-write.ts'
import { type StructuredTextOptions, writeStructuredText } from './structured-text-write.ts'
import type { XmlWriter } from './xml-write.ts'

/**
 * Writes `<NetworkSource>` of a network.
 * @throws FormatError code `unsupported` when the model contains no content that can be written
 */
export function writeNetworkSource(writer: XmlWriter, network: Network, options: StructuredTextOptions): void {
  writer.element('NetworkSource', {}, () => {
    const { graph, statements, chart, text = '', language } = network
    if (graph !== undefined) writeLogicNetwork(writer, graph, options)
    else if (statements !== undefined) writeStatementList(writer, statements, options)
    else if (chart !== undefined) writeSequenceProgram(writer, chart, options)
    else if (text === '') checkEmpty(network)
    else if (language === 'SCL') writeStructuredText(writer, text, options)
    else throw unsupported(network)
  })
}

function checkEmpty(network: Network): void {
  if (network.parts.length > 0) throw unsupported(network)
}

function unsupported({ number, language }: Network): FormatError {
  const message = `network ${number} is written in ${language || 'no language'}, and nothing of it can be written as SimaticML`
  return new FormatError([{ code: 'unsupported', message, line: 1, column: 1 }])
}
