/**
 * Facts about what only newer engineering versions know. Sources: the differences between the schemas shipped with
 * V15.1 to V21, which are public (named per entry), and docs/formats.md#objects-and-attributes, docs/formats.md#graph
 * for what has no schema.
 */

import { childText, type XmlElement } from './xml.ts'

export interface VersionFact {
  /** Name of the element that the fact concerns. */
  readonly element: string
  /** First version that knows it; or the last one that does. */
  readonly since?: number
  readonly until?: number
  /** Which elements of that name it concerns; all when absent. */
  applies?(element: XmlElement): boolean
  /**
   * What is left out for a version that does not know it: the element, or that attribute of it. When absent, leaving it
   * out would change the program, so it stays and the import will refuse it.
   */
  readonly leaveOut?: 'element' | { readonly attribute: string }
  /** Left out without a warning when it is empty. */
  readonly isSilentWhenEmpty?: boolean
  /** Reported once per object, however often it occurs. */
  readonly once?: boolean
  /** Text that names it in a message. */
  describe(element: XmlElement): string
}

const isObjectAttribute = ({ parent }: XmlElement): boolean => parent?.name === 'AttributeList'
const isIn =
  (name: string) =>
  ({ parent }: XmlElement): boolean =>
    parent?.name === name

const facts: readonly VersionFact[] = [
  {
    // LADFBD schemas of all versions: Wires contains at least one Wire, or is absent. Hand-made files have it empty.
    element: 'Wires',
    until: 0,
    applies: ({ children }) => children.length === 0,
    leaveOut: 'element',
    isSilentWhenEmpty: true,
    describe: () => 'an empty list of wires',
  },
  {
    // docs/formats.md#objects-and-attributes: accepted from V18 on for blocks and types, refused before.
    element: 'Namespace',
    since: 18,
    applies: isObjectAttribute,
    leaveOut: 'element',
    isSilentWhenEmpty: true,
    describe: ({ text }) => `the namespace ${JSON.stringify(text)} of a block or type`,
  },
  {
    // docs/formats.md#objects-and-attributes.
    element: 'DBAccessibleFromWebserver',
    since: 17,
    applies: isObjectAttribute,
    leaveOut: 'element',
    describe: ({ text }) => `the attribute DBAccessibleFromWebserver (${text})`,
  },
  {
    // docs/formats.md#objects-and-attributes, values of the API's enumeration.
    element: 'ProgrammingLanguage',
    since: 17,
    applies: ({ text }) => text.trim() === 'CEM',
    describe: () => 'the programming language CEM',
  },
  {
    element: 'ProgrammingLanguage',
    since: 21,
    applies: ({ text }) => text.trim() === 'ST',
    describe: () => 'the programming language ST',
  },
  {
    // docs/formats.md#graph and real exports: 4.0 in V14, 5.0 and 6.0 in V17 and V18, 6.0 in V21. V16 is the last
    // without 6.0.
    element: 'GraphVersion',
    since: 17,
    applies: ({ text }) => Number(text) >= 6,
    describe: ({ text }) => `GRAPH ${text}`,
  },
  {
    // The system types of GRAPH 6.0. Where the block has a GraphVersion, that warning already covers them.
    element: 'Member',
    since: 17,
    applies: (member) => /^G7_\w+_V6$/.test(member.attributes.Datatype ?? '') && !hasGraphVersion(member),
    once: true,
    describe: ({ attributes }) => `the data type ${attributes.Datatype}`,
  },
  {
    // SW.InterfaceSections_v4 -> v5.
    element: 'AssignedProDiagFB',
    since: 17,
    leaveOut: 'element',
    describe: ({ text }) => `the ProDiag function block ${JSON.stringify(text)} assigned to a member`,
  },
  {
    // SW.PlcBlocks.Access_v4 -> v5.
    element: 'Access',
    since: 19,
    applies: ({ attributes }) => attributes.Scope === 'NamedValueConstant',
    describe: ({ children }) => `the named value ${children[0]?.attributes.Name ?? ''}`,
  },
  {
    // SW.PlcBlocks.Access_v4 -> v5.
    element: 'Constant',
    since: 19,
    applies: ({ attributes }) => attributes.Scope !== undefined,
    leaveOut: { attribute: 'Scope' },
    describe: ({ attributes }) => `the attribute Scope (${attributes.Scope}) of a constant`,
  },
  {
    // SW.Common_v3 of V18 -> V19: Lang_TP got a place for the script (`zh-Hans-CN`).
    element: 'MultiLanguageText',
    since: 19,
    applies: ({ attributes }) => /^[a-z]{2}-[a-z]{4}-[a-z]{2}$/i.test(attributes.Lang ?? ''),
    describe: ({ attributes }) => `a comment in the culture ${attributes.Lang}`,
  },
  {
    // SW.PlcBlocks.TypeSupervisions_v3 -> v4.
    element: 'SupervisionName',
    since: 21,
    applies: isIn('BlockTypeSupervision'),
    leaveOut: 'element',
    describe: ({ text }) => `the name ${JSON.stringify(text)} of a supervision`,
  },
  {
    // SW.PlcBlocks.PLCDataTypeSupervisions_v2 is part of V21 only.
    element: 'PLCDataTypeSupervisions',
    since: 21,
    leaveOut: 'element',
    describe: () => 'the supervisions of a PLC data type',
  },
  {
    // SW.PlcBlocks.InstSupervisions of V21 replaces InstanceSupervisions_v3.
    element: 'InstSupervisions',
    since: 21,
    leaveOut: 'element',
    describe: () => 'the supervisions of an instance in their form since V21',
  },
  {
    element: 'BlockInstSupervisionGroups',
    until: 20,
    describe: () => 'the supervisions of an instance in their form up to V20',
  },
  {
    // SW.TechnologicalObjects_AdditionalDataAxis_v1 -> v2.
    element: 'SuperimposingAxes',
    since: 21,
    leaveOut: 'element',
    describe: () => 'the superimposing axes of a technology object',
  },
]

function hasGraphVersion(member: XmlElement): boolean {
  let at: XmlElement | undefined = member
  while (at !== undefined && at.name !== 'Interface') at = at.parent
  return childText(at?.parent, 'GraphVersion') !== undefined
}

const byElement: ReadonlyMap<string, readonly VersionFact[]> = new Map(
  facts.map(({ element }) => [element, facts.filter((fact) => fact.element === element)]),
)

/** Finds what a version does not know about an element. */
export function unknownOf(element: XmlElement, version: number): VersionFact | undefined {
  return byElement
    .get(element.name)
    ?.find(
      ({ since = 0, until = Number.POSITIVE_INFINITY, applies }) =>
        (version < since || version > until) && (applies === undefined || applies(element)),
    )
}

/**
 * Children of `AlarmsSettings` in order with the `Id` TIA Portal gives them. All are mandatory in Graph_v4 and later;
 * Graph v1 (V14) has the first and the seventh only (docs/formats.md#graph; real exports of both).
 */
export const alarmSettings: readonly (readonly [name: string, id: number])[] = [
  ['AlarmInterlockCategory', 1],
  ['AlarmSubcategory1Interlock', 0],
  ['AlarmSubcategory2Interlock', 0],
  ['AlarmCategorySupervision', 1],
  ['AlarmSubcategory1Supervision', 0],
  ['AlarmSubcategory2Supervision', 0],
  ['AlarmWarningCategory', 2],
  ['AlarmSubcategory1Warning', 0],
  ['AlarmSubcategory2Warning', 0],
]
