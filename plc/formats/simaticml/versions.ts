/** The namespaces and attributes of each engineering version (docs/formats.md#namespaces-and-versions). */

import { FormatError } from '../../model/fault.ts'

/** Versions that files can be written for. */
export const TARGET_VERSIONS = ['V16', 'V17', 'V18', 'V19', 'V20', 'V21'] as const
export type TargetVersion = (typeof TARGET_VERSIONS)[number]

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

const STEM = 'http://www.siemens.com/automation/Openness/SW/'

function namespaces(
  interfaceV: number,
  [flgNet, scl, stl, graph]: readonly [number, number, number, number],
  supervisions = 3,
  axis = 1,
): Namespaces {
  return {
    interface: `${STEM}Interface/v${interfaceV}`,
    flgNet: `${STEM}NetworkSource/FlgNet/v${flgNet}`,
    structuredText: `${STEM}NetworkSource/StructuredText/v${scl}`,
    statementList: `${STEM}NetworkSource/StatementList/v${stl}`,
    graph: `${STEM}NetworkSource/Graph/v${graph}`,
    typeSupervisions: `${STEM}BlockTypeSupervisions/v${supervisions}`,
    axis: `${STEM}Motion/Axis/v${axis}`,
  }
}

const NAMESPACES: Readonly<Record<TargetVersion, Namespaces>> = {
  V16: namespaces(4, [4, 3, 4, 5]),
  V17: namespaces(5, [4, 3, 4, 5]),
  V18: namespaces(5, [4, 3, 4, 5]),
  V19: namespaces(5, [5, 4, 5, 6]),
  V20: namespaces(5, [5, 4, 5, 6]),
  V21: namespaces(5, [5, 4, 5, 6], 4, 2),
}

/** Namespaces of a version's fragments. */
export function namespacesOf(version: TargetVersion): Namespaces {
  return NAMESPACES[version]
}

/** Returns the same namespace in the target's version; a namespace without versions, or an unknown one, stays. */
export function namespaceFor(namespace: string, target: TargetVersion): string {
  const stem = withoutVersion(namespace)
  for (const candidate of Object.values(NAMESPACES[target])) if (withoutVersion(candidate) === stem) return candidate
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
  const found = TARGET_VERSIONS.find((version) => version === wanted)
  if (found !== undefined) return found
  const message = `engineering version ${JSON.stringify(text)} is not supported; allowed: ${TARGET_VERSIONS.join(', ')}`
  throw new FormatError([{ code: 'unsupported', message, line: 1, column: 1 }])
}

/**
 * Compares names as an AttributeList orders them: alphabetically, ignoring case (real exports have `ParameterModified`
 * before `PLCSimAdvancedSupport`).
 */
export function byAlphabet(a: string, b: string): number {
  const [x, y] = [a.toLowerCase(), b.toLowerCase()]
  return x < y ? -1 : x > y ? 1 : a < b ? -1 : a > b ? 1 : 0
}
