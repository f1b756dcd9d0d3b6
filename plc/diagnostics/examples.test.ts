/**
 * What the compiler says about the failing example of each code: all places, the message and the hint, below the line
 * of the source that `source` names. `UPDATE_SNAPSHOTS=1` writes the file again; then read it.
 */
import { test } from 'node:test'
import { assertRecorded } from '../../test/recorded.ts'
import { readLogicNetwork } from '../formats/simaticml/flgnet-read.ts'
import { parseXml, XmlFaults } from '../formats/simaticml/xml.ts'
import { readSource } from '../formats/source/read.ts'
import { expressionNetwork, networkDiagnostics } from '../testing/lower-ladder.ts'
import { compiledProgram, diagnosticText } from '../testing/program-text.ts'
import { diagnosticCodes } from './codes.ts'
import { ladderCodes } from './ladder-codes.ts'
import { sequenceCodes } from './sequence-codes.ts'

/** Codes whose examples are no sources. */
const otherwise =
  /^(hardware-.*|memory-exceeded|(type|instruction)-of-cpu|tag-address|tag-without-address|unreadable-object|compiler-failure|code-too-deep|unsupported-language)$/
const members = { a: 'Bool', b: 'Bool', q: 'Bool', x: 'Int', y: 'Int', d: 'DInt' }

/** The diagnostics of a source, each below its line; of others than the wanted one only the first errors. */
function ofSource(source: string, code: string): string[] {
  const { blocks, faults } = readSource(source)
  const texts = new Map(blocks.map(({ object }) => [object.name.toLowerCase(), (object.text ?? '').split('\n')]))
  const { objects, others } = compiledProgram(blocks.map(({ object }) => object))
  const all = [...others, ...objects.flatMap(({ diagnostics }) => diagnostics)]
  const wanted = all.filter((one, i) => one.code === code || (one.severity === 'error' && i < 3))
  const told = wanted.map((one) => {
    const line = texts.get(one.object.toLowerCase())?.[(one.sourceLine ?? 0) - 1]
    return `${line === undefined ? '' : `${line.length > 100 ? `${line.slice(0, 100)} …` : line}\n`}${diagnosticText(one)}`
  })
  return [...faults.map(({ code, message, line, column }) => `${code} ${line}:${column} ${message}`), ...told]
}

function ofNetwork(example: string): string[] {
  const network = example.startsWith('<')
    ? readLogicNetwork(parseXml(example), new XmlFaults(example))
    : expressionNetwork(members, example)
  return networkDiagnostics(members, [network]).map(diagnosticText)
}

test('every code tells its place, what is wrong and what would be right', () => {
  const text = [...diagnosticCodes]
    .filter(([code]) => !(code in sequenceCodes) && !otherwise.test(code))
    .map(
      ([code, { fails }]) =>
        `== ${code}\n${(code in ladderCodes ? ofNetwork(fails) : ofSource(fails, code)).join('\n')}\n`,
    )
    .join('\n')
  assertRecorded(import.meta.url, 'examples.txt', text)
})
