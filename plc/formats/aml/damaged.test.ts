/**
 * A file with everything that is interpreted, each of its elements, attributes and texts left out, doubled and replaced
 * in turn: what is told, what differs in meaning, and what differs when the hardware is written into the first file
 * again (`fixtures/*.txt`).
 */
import { test } from 'node:test'
import { assertRecorded, fixtureText } from '../../../test/recorded.ts'
import { FormatError } from '../../model/fault.ts'
import { damagedXml, tableOfAnswers } from '../../testing/damage.ts'
import { changedLines, outline } from '../../testing/outline.ts'
import { compareHardware } from './compare.ts'
import { amlVersions, describeHardware } from './describe.ts'
import { interpretAml } from './interpret.ts'
import { mergeKept } from './merge.ts'
import { readAml, writerOf } from './read.ts'
import { splitDocument } from './split.ts'
import { writeAml } from './write.ts'

const text = fixtureText(import.meta.url, 'dense.aml')
const document = readAml(text)
const whole = interpretAml(document)
const options = { version: 'V19', fileName: 'dense.aml', writtenAt: '2024-01-02T03:04:05Z' } as const

/** Attributes of one name are alike, but for interfaces of different classes; all need a name, few a type. */
const damages = damagedXml(
  text,
  ({ name, attributes, parent }) =>
    `${parent?.attributes.RefBaseClassPath ?? parent?.attributes.Name}/${name}/${attributes.Name}`,
).filter(
  ({ what }) =>
    /DefaultSubnet/.test(what) ||
    !/ AttributeDataType=|<Attribute .* with|twice <(Attribute|Value|Supported|Internal|External)/.test(what),
)

function problemLines(given: string): string[] {
  return interpretAml(readAml(given)).problems.map(
    ({ severity, code, message, element, line }) =>
      `${severity} ${code} ${line} ${element.split('/').at(-1)}: ${message}`,
  )
}

/** At most three, and how many there are. */
function first(lines: readonly string[], noun: string): string[] {
  return lines.length > 3 ? [...lines.slice(0, 2), `${lines.length} ${noun}`] : [...lines]
}

test('a file is read to all it has', () => {
  const told = [
    ...outline(writerOf(document)),
    ...outline(whole.hardware),
    ...problemLines(text),
    `${whole.emptyGroups} empty groups`,
  ]
  assertRecorded(import.meta.url, 'dense-model.txt', `${told.join('\n')}\n`)
})

test('a file with one wrong place is refused or told with words and place, and what differs is known', () => {
  const usual = new Set(problemLines(text).map((line) => line.replace(/\d+/g, '')))
  const answer = (damaged: string): string[] => {
    try {
      const { hardware } = interpretAml(readAml(damaged))
      const problems = problemLines(damaged).filter((line) => !usual.has(line.replace(/\d+/g, '')))
      const { objects } = compareHardware([whole.hardware], [hardware])
      const changes = objects.flatMap(({ kind, name, change, differences }) =>
        differences.length === 0
          ? [`${kind} ${name} ${change}`]
          : differences.map((one) => `${name}: ${one.aspect} ${one.path} ${one.change}: ${one.left} → ${one.right}`),
      )
      return [...first(problems, 'problems'), ...first(changes, 'changes')]
    } catch (error) {
      if (!(error instanceof FormatError)) throw error
      return error.faults.map(({ code, line, path, message }) => `${code} ${line} ${path ?? ''}: ${message}`)
    }
  }
  assertRecorded(import.meta.url, 'dense-damaged.txt', tableOfAnswers(damages, answer))
})

test('what changed is written into the file that is there, and all else stays', () => {
  const { frame, stations } = splitDocument(document)
  const kept = { frame, stations: [...stations.values()] }
  const written = (given: string): string[] => {
    const described = describeHardware(interpretAml(readAml(given)).hardware, options).document
    return writeAml(mergeKept(described, kept, { isPart: false })).split('\n')
  }
  const before = written(text)
  // What the file leaves out is written with its usual value.
  const added = changedLines(writeAml(document).split('\n'), before, 20)
  const answer = (damaged: string): string[] => {
    try {
      return changedLines(before, written(damaged), 2)
    } catch (error) {
      return error instanceof FormatError ? ['refused'] : [String(error)]
    }
  }
  assertRecorded(
    import.meta.url,
    'dense-merged.txt',
    `${added.join('\n')}\n${tableOfAnswers(
      damages.filter(({ what }) => !/ twice | without \w+=/.test(what)),
      answer,
    )}`,
  )
})

test('hardware is described for each version, with what it has no place for', () => {
  let last: string[] = []
  const told = [...amlVersions].reverse().flatMap((version) => {
    const { document: described, warnings } = describeHardware(whole.hardware, { ...options, version })
    const lines = writeAml(described).split('\n')
    const changes = last.length === 0 ? lines : changedLines(last, lines, 20)
    last = lines
    return [`── ${version}`, ...changes, ...warnings.map((one) => `! ${one}`)]
  })
  assertRecorded(import.meta.url, 'dense-written.txt', `${told.join('\n')}\n`)
})

test('IDs, ends of links and numbers that are wrong are told with their element and line', () => {
  const edits: readonly (readonly [from: string, to: string])[] = [
    ['ID="net"', ''],
    ['ID="bus"', 'ID="{NET}"'],
    ['node:LogicalEndPoint_Node"', 'node:Other"'],
    ['node:LogicalEndPoint_Node"', 'nobody:LogicalEndPoint_Node"'],
    ['node:LogicalEndPoint_Node"', 'node"'],
    ['node:LogicalEndPoint_Node"', '{NODE}:LogicalEndPoint_Node"'],
    ['RefPartnerSideB="net:LogicalEndPoint_Subnet"', 'RefPartnerSideB="system:LogicalEndPoint_IoSystem"'],
    ['RefPartnerSideB="system:LogicalEndPoint_IoSystem"', 'RefPartnerSideB="net:LogicalEndPoint_Subnet"'],
    ['RefPartnerSideB="node2:LogicalEndPoint_Node"', 'RefPartnerSideB="node:LogicalEndPoint_Node"'],
    ['RefPartnerSideA="di:Channel_DI_1"', 'RefPartnerSideA="port:CommunicationPortInterface"'],
    ['<Value>Digital</Value>', '<Value>Other</Value>'],
    ['<Value>4.1</Value>', '<Value>4.9</Value>'],
    ['<Value>4.1</Value>', '<Value />'],
  ]
  const usual = problemLines(text)
  const told = edits.flatMap(([from, to]) => {
    const changed = text.replace(from, to)
    if (changed === text) throw new Error(`${from} is not in the file`)
    return [`${from} → ${to}`, ...problemLines(changed).flatMap((line) => (usual.includes(line) ? [] : [`  ${line}`]))]
  })
  assertRecorded(import.meta.url, 'problems.txt', `${told.join('\n')}\n`)
})
