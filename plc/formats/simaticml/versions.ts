/** The namespaces and attributes of each engineering version (docs/formats.md#namespaces-and-versions). */

import { compareTexts } from '../../../lib/compare-texts.ts'
import { FormatError } from '../../model/fault.ts'

/** Versions that files can be written for. */
export const targetVersions = ['V16', 'V17', 'V18', 'V19', 'V20', 'V21'] as const
export type TargetVersion = (typeof targetVersions)[number]

export interface Namespaces {
  readonly interface: string
  readonly flgNet: string
  readonly structuredText: string
  readonly statementList: string
  readonly graph: string
  /** Supervisions of a block's type (ProDiag). */
  readonly typeSupervisions: string
  /** Additional data of an axis. */
  readonly axis: string
}

const namespaceStem = 'http://www.siemens.com/automation/Openness/SW/'

function namespaces(
  interfaceV: number,
  [flgNet, scl, stl, graph]: readonly [number, number, number, number],
  supervisions = 3,
  axis = 1,
): Namespaces {
  return {
    interface: `${namespaceStem}Interface/v${interfaceV}`,
    flgNet: `${namespaceStem}NetworkSource/FlgNet/v${flgNet}`,
    structuredText: `${namespaceStem}NetworkSource/StructuredText/v${scl}`,
    statementList: `${namespaceStem}NetworkSource/StatementList/v${stl}`,
    graph: `${namespaceStem}NetworkSource/Graph/v${graph}`,
    typeSupervisions: `${namespaceStem}BlockTypeSupervisions/v${supervisions}`,
    axis: `${namespaceStem}Motion/Axis/v${axis}`,
  }
}

const namespacesOfVersion: Readonly<Record<TargetVersion, Namespaces>> = {
  V16: namespaces(4, [4, 3, 4, 5]),
  V17: namespaces(5, [4, 3, 4, 5]),
  V18: namespaces(5, [4, 3, 4, 5]),
  V19: namespaces(5, [5, 4, 5, 6]),
  V20: namespaces(5, [5, 4, 5, 6]),
  V21: namespaces(5, [5, 4, 5, 6], 4, 2),
}

/** Namespaces of a version's fragments. */
export function namespacesOf(version: TargetVersion): Namespaces {
  return namespacesOfVersion[version]
}

/** Returns the same namespace in the target's version; a namespace without versions, or an unknown one, stays. */
export function namespaceFor(namespace: string, target: TargetVersion): string {
  const stem = withoutVersion(namespace)
  for (const candidate of Object.values(namespacesOfVersion[target]))
    if (withoutVersion(candidate) === stem) return candidate
  return namespace
}

function withoutVersion(namespace: string): string {
  return namespace.replace(/\/v\d+$/, '/')
}

/** Number of a version, 16 to 21. */
export function versionNumber(version: TargetVersion): number {
  return Number(version.slice(1))
}

/**
 * Parses a version: `16`, `v16`, `V16` -> `V16`.
 * @throws FormatError code `unsupported` for anything else.
 */
export function targetVersion(text: string): TargetVersion {
  const wanted = `V${text.trim().replace(/^v/i, '')}`
  const found = targetVersions.find((version) => version === wanted)
  if (found !== undefined) return found
  const message = `engineering version ${JSON.stringify(text)} is not supported; allowed: ${targetVersions.join(', ')}`
  throw new FormatError([{ code: 'unsupported', message, line: 1, column: 1 }])
}

/**
 * Compares names as an AttributeList orders them: alphabetically, ignoring case (real exports have `ParameterModified`
 * before `PLCSimAdvancedSupport`).
 */
export function byAlphabet(a: string, b: string): number {
  return compareTexts(a.toLowerCase(), b.toLowerCase()) || compareTexts(a, b)
}
