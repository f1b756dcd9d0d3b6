/** Generates and reads specifications, as plain data, so that large ones are worked on in the engine. */

import { defined } from '../../core/index.ts'
import { compareObjects } from '../../plc/edit/compare.ts'
import { comparedForm } from '../../plc/edit/compared-form.ts'
import { calleeOf, type StoredDocument } from '../../plc/edit/stored-document.ts'
import { importSimaticMlText } from '../../plc/formats/simaticml/read.ts'
import { targetVersion } from '../../plc/formats/simaticml/versions.ts'
import { generateObject } from '../../plc/generate/object-of.ts'
import type { BlockSpecification } from '../../plc/generate/specification.ts'
import { specificationOf } from '../../plc/generate/specification-of.ts'
import type { DeclaredNames } from '../../plc/languages/ladder/declared-names.ts'
import { FormatError } from '../../plc/model/fault.ts'
import { faultsAsProblems } from '../program-objects/index.ts'

export interface GenerateInput {
  readonly specification: BlockSpecification
  readonly version: string
  readonly culture: string
  readonly declared?: DeclaredNames
  /** What calls in SCL call, by the upper-case name of the function or of the instance data block. */
  readonly callees?: StoredDocument['callees']
  /** Pointer of the steps of the only sequence, when they are not in a chart. */
  readonly sequenceAt?: string
}

export interface GeneratedFile {
  readonly name: string
  readonly kind: string
  readonly language: string
  /** SimaticML without byte order mark. */
  readonly text: string
  readonly warnings: readonly string[]
}

/** The file of a block or type. */
export function generate(input: GenerateInput): GeneratedFile {
  const { specification, culture, declared, callees = {}, sequenceAt } = input
  return faultsAsProblems(`"${specification.name}" cannot be generated`, () => {
    const version = targetVersion(input.version)
    const options = {
      version,
      culture,
      ...calleeOf({ callees }),
      at: '/specification',
      ...defined({ declared, sequenceAt }),
    }
    const { object, text, warnings } = generateObject(specification, options)
    const { name, kind, language } = object
    return { name, kind, language, text, warnings: [...warnings] }
  })
}

export interface ReadInput {
  readonly xml: string
  readonly version: string
  readonly declared: DeclaredNames
  readonly networks: 'text' | 'graph'
}

/** At most this many differences are told. */
const mostDifferences = 50

/** The specification of the object in a file. It is generated again, and what is not the same is in the warnings. */
export function readSpecification({ xml, version, declared, networks }: ReadInput): {
  specification: BlockSpecification
  warnings: string[]
} {
  return faultsAsProblems('the block has no specification', () => {
    const [object] = importSimaticMlText(xml.replace(/^\uFEFF/, '')).objects
    if (object === undefined)
      throw new FormatError([{ code: 'unsupported', message: 'there is no object', line: 1, column: 1 }])
    const specification = specificationOf(object, { declared, networks })
    return { specification, warnings: lossesOf() }

    function lossesOf(): string[] {
      try {
        const again = generateObject(specification, { version: targetVersion(version), declared }).object
        const { differences } = compareObjects(comparedForm(object!), comparedForm(again))
        return differences
          .filter(({ aspect }) => aspect !== 'text')
          .slice(0, mostDifferences)
          .map(({ path, aspect }) => `${path} (${aspect}) is not expressed in the specification`)
      } catch (error) {
        if (!(error instanceof FormatError)) throw error
        return error.faults.slice(0, mostDifferences).map(({ message }) => `cannot be generated again: ${message}`)
      }
    }
  })
}
