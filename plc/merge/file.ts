/** Three-way merge of a file of a program: SimaticML by its units, everything else by lines. */
import { importFile } from '../formats/import.ts'
import { decodeText } from '../model/decode.ts'
import { encodeText } from '../model/encode.ts'
import { FormatError } from '../model/fault.ts'
import type { ImportedObject, InterfaceMember } from '../model/object.ts'
import type { MergeConflict } from './elements.ts'
import { type LineMergeOptions, mergeText } from './lines.ts'

/** The three versions of a file. An empty base: both sides added the file. */
export interface MergeInput {
  readonly base: Uint8Array
  readonly ours: Uint8Array
  readonly theirs: Uint8Array
  /** Its ending says what sources are. */
  readonly path: string
  readonly names: LineMergeOptions
}

export interface MergeResult {
  readonly bytes: Uint8Array
  /** What could not be merged; SimaticML has our side there, text has markers. */
  readonly conflicts: readonly MergeConflict[]
}

/**
 * Merges a file. The result has the encoding of ours.
 * @throws FormatError when a side that counts cannot be decoded, or is SimaticML with faults
 */
export async function mergeFile(input: MergeInput): Promise<MergeResult> {
  const { base, ours, theirs, path, names } = input
  if (isEqual(ours, theirs) || isEqual(base, theirs)) return { bytes: ours, conflicts: [] }
  if (isEqual(base, ours)) return { bytes: theirs, conflicts: [] }
  const [a, b, c] = [decodeText(base), decodeText(ours), decodeText(theirs)]
  const [before, own, other] = await Promise.all([base, ours, theirs].map((bytes) => importFile(bytes, { path })))
  const isXml = own!.format === 'simaticml' || other!.format === 'simaticml'
  for (const side of isXml ? [before!, own!, other!] : []) {
    const isAbsent = side === before && base.length === 0
    if (!isAbsent && side.faults.length > 0) throw new FormatError(side.faults)
  }
  if (isXml && (own!.format !== other!.format || before!.format !== own!.format))
    return {
      bytes: ours,
      conflicts: [
        {
          path: 'the file',
          message: base.length === 0 ? 'both sides added it' : 'both sides made a different file of it',
        },
      ],
    }
  const merged = isXml
    ? await mergedXml(
        { text: a.text, objects: before!.objects },
        { text: b.text, objects: own!.objects },
        { text: c.text, objects: other!.objects },
        names,
      )
    : mergedLines(a.text, b.text, c.text, names)
  const bytes = encodeText(merged.text, b)
  const { conflicts } = merged
  if (!isXml && conflicts.length > 0) return { bytes, conflicts }
  const result = await importFile(bytes, { path })
  const isFaulty = result.faults.length > 0 && own!.faults.length === 0 && other!.faults.length === 0
  const faults = isFaulty ? result.faults.slice(0, 1) : []
  const more: MergeConflict[] = [
    ...faults.map(({ line, message }) => ({
      path: `line ${line}`,
      message: `the changes do not fit together: ${message}`,
    })),
    ...twins(result.objects).map((one) => ({
      path: one,
      message: 'it is declared twice when both changes are made',
    })),
  ]
  // A document that cannot be read helps nobody.
  if (isXml && more.length > 0) return { bytes: ours, conflicts: [...conflicts, ...more] }
  return { bytes, conflicts: [...conflicts, ...more] }
}

function mergedLines(base: string, ours: string, theirs: string, names: LineMergeOptions) {
  const { text, conflicts } = mergeText(base, ours, theirs, names)
  return {
    text,
    conflicts: conflicts.map(({ line, endLine }): MergeConflict => {
      return { path: `lines ${line} to ${endLine}`, message: 'both sides changed them' }
    }),
  }
}

interface Document {
  readonly text: string
  readonly objects: readonly ImportedObject[]
}

async function mergedXml(base: Document, ours: Document, theirs: Document, names: LineMergeOptions) {
  const { mergeXml } = await import('./elements.ts')
  const merged = mergeXml(base, ours, theirs)
  if (merged.conflicts.length !== 1 || !/(^|\.)network 1$/.test(merged.conflicts[0]!.path)) return merged
  // Both sides changed statements in SCL: their lines are merged as those of a source.
  const [a, b, c] = [base, ours, theirs].map(statementsOf)
  if (a === undefined || b === undefined || c === undefined) return merged
  const { text, conflicts } = mergeText(a, b, c, names)
  if (conflicts.length > 0) return merged
  const { importSimaticMlText } = await import('../formats/simaticml/read.ts')
  const { replaceContent } = await import('../edit/edit.ts')
  const { parseXml } = await import('../formats/simaticml/xml.ts')
  const [object] = importSimaticMlText(merged.text).objects
  const element = parseXml(merged.text).children.find(({ name }) => name.startsWith('SW.'))
  if (object === undefined || element === undefined) return merged
  try {
    const { xml = '' } = replaceContent(object, { code: text })
    return { text: merged.text.slice(0, element.start) + xml + merged.text.slice(element.end), conflicts: [] }
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    return merged
  }
}

/** The statements of the only SCL network; calls name what this file does not say, so they are left to people. */
function statementsOf({ text, objects }: Document): string | undefined {
  const [object, ...others] = objects
  if (object === undefined || others.length > 0 || object.language !== 'SCL' || /<CallInfo\b/.test(text))
    return undefined
  return object.networks.length === 1 ? object.networks[0]!.text : undefined
}

/** Members that a block has twice. */
function twins(objects: readonly ImportedObject[]): string[] {
  const found: string[] = []
  const visit = (members: readonly InterfaceMember[], above: string): void => {
    const seen = new Set<string>()
    for (const one of members) {
      const key = one.name.toLowerCase()
      if (seen.has(key)) found.push(`${above}.${one.name}`)
      seen.add(key)
      visit(one.members, `${above}.${one.name}`)
    }
  }
  for (const { name, interface: sections } of objects)
    visit(
      sections.filter(({ section }) => section !== 'Return').flatMap(({ members }) => members),
      `"${name}"`,
    )
  return found
}

const isEqual = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0
