/**
 * The names of a program from the interfaces of its blocks and types, as plain data that can be sent to the engine, and
 * lookups in them for operands.
 */

import { sliceType } from '../../model/block-address.ts'
import type { CallParameter } from '../../model/logic-network.ts'
import { unquoted } from '../../model/names.ts'
import type { InterfaceMember, InterfaceSection } from '../../model/object.ts'
import type { PathComponent, SymbolScope } from '../../model/operand.ts'
import type { CallableBlock, ProgramNames } from './program-names.ts'

/** A block or type with its interface. */
export interface DeclaredObject {
  readonly name: string
  /** `FB`, `FC`, `GlobalDB`, `InstanceDB`, `UDT` …; `system` for a type of the system. */
  readonly kind: string
  /** FB or type of an instance data block. */
  readonly instanceOf?: string
  readonly interface: readonly InterfaceSection[]
}

export interface DeclaredNames {
  readonly objects: readonly DeclaredObject[]
  /** Tags and user constants with their data types. */
  readonly tags: readonly { readonly name: string; readonly dataType: string; readonly isConstant: boolean }[]
}

/** Members of system types that networks use as operands (docs/flgnet-parts.tsv: IEC timers and counters). */
const timer: Readonly<Record<string, string>> = { Q: 'Bool', ET: 'Time', PT: 'Time', IN: 'Bool', R: 'Bool' }
const counter: Readonly<Record<string, string>> = {
  ...{ CU: 'Bool', CD: 'Bool', R: 'Bool', LD: 'Bool', QU: 'Bool', QD: 'Bool', Q: 'Bool', PV: 'Int', CV: 'Int' },
}
const systemTypes: ReadonlyMap<string, Readonly<Record<string, string>>> = new Map([
  ...['IEC_TIMER', 'TON_TIME', 'TOF_TIME', 'TP_TIME', 'TONR_TIME'].map(
    (name): [string, Readonly<Record<string, string>>] => [name, timer],
  ),
  ...['IEC_LTIMER', 'TON_LTIME', 'TOF_LTIME', 'TP_LTIME', 'TONR_LTIME'].map(
    (name): [string, Readonly<Record<string, string>>] => [name, { ...timer, ET: 'LTime', PT: 'LTime' }],
  ),
  ...['IEC_COUNTER', 'CTU_INT', 'CTD_INT', 'CTUD_INT'].map((name): [string, Readonly<Record<string, string>>] => [
    name,
    counter,
  ]),
  [
    'DTL',
    {
      ...{ YEAR: 'UInt', MONTH: 'USInt', DAY: 'USInt', WEEKDAY: 'USInt', HOUR: 'USInt', MINUTE: 'USInt' },
      ...{ SECOND: 'USInt', NANOSECOND: 'UDInt' },
    },
  ],
])

/** Returns the data type of a member of a timer, a counter or a DTL, case ignored. */
export function systemMember(type: string, member: string): string | undefined {
  return systemTypes.get(type.toUpperCase())?.[member.toUpperCase()]
}

/** Types may name each other in a ring; real ones are nested only a few levels. */
const deepestPath = 100

/** Makes the lookups for the compiler of network expressions. `own` is the interface of the block the network is in. */
export function declaredNames(own: readonly InterfaceSection[], declared: DeclaredNames): ProgramNames {
  const objects = new Map(declared.objects.map((object) => [object.name.toUpperCase(), object]))
  const tags = new Map(declared.tags.map((tag) => [tag.name.toUpperCase(), tag]))
  const object = (name: string) => objects.get(name.toUpperCase())

  const membersOf = (of: DeclaredObject, depth = 0): readonly InterfaceMember[] => {
    const members = of.interface.flatMap((section) => section.members)
    if (members.length > 0 || of.instanceOf === undefined || depth > 3) return members
    const type = object(of.instanceOf)
    return type === undefined ? [] : membersOf(type, depth + 1)
  }

  const typeOfPath = (scope: SymbolScope, path: readonly PathComponent[]): string | undefined => {
    const [first, ...rest] = path
    if (first === undefined || path.length > deepestPath) return undefined
    if (scope === 'PredefinedVariable') return 'Bool'
    if (scope === 'LocalVariable') {
      const members = own.flatMap((section) => section.members)
      return walk(members, first, rest)
    }
    const tag = tags.get(first.name.toUpperCase())
    if (tag !== undefined) return walk([{ ...empty, name: tag.name, dataType: tag.dataType }], first, rest)
    const block = object(first.name)
    if (block === undefined) return undefined
    const [next, ...others] = rest
    if (next === undefined) return block.instanceOf === undefined ? undefined : `"${block.instanceOf}"`
    const system = block.instanceOf === undefined ? undefined : systemTypes.get(block.instanceOf.toUpperCase())
    if (system !== undefined) return others.length === 0 ? system[next.name.toUpperCase()] : undefined
    return walk(membersOf(block), next, others)
  }

  const walk = (
    members: readonly InterfaceMember[],
    component: PathComponent,
    rest: readonly PathComponent[],
  ): string | undefined => {
    const member = members.find(({ name }) => name.toUpperCase() === component.name.toUpperCase())
    if (member === undefined) return undefined
    const type = component.indices === undefined ? member.dataType : elementOf(member.dataType)
    if (type === undefined) return undefined
    if (component.slice !== undefined) return sliceType(component.slice)
    const [next, ...others] = rest
    if (next === undefined) return type
    const system = systemTypes.get(type.toUpperCase())
    if (system !== undefined) return others.length === 0 ? system[next.name.toUpperCase()] : undefined
    if (/^struct$/i.test(type)) return walk(member.members, next, others)
    const named = object(unquoted(type))
    if (named !== undefined) return walk(membersOf(named), next, others)
    return walk(
      (member.sections ?? []).flatMap((section) => section.members),
      next,
      others,
    )
  }

  return {
    typeOf(operand) {
      if (operand.kind === 'symbol') return typeOfPath(operand.scope, operand.path)
      if (operand.scope === 'GlobalConstant') return tags.get(operand.name.toUpperCase())?.dataType
      return walk(
        own.flatMap((section) => section.members),
        { name: operand.name },
        [],
      )
    },
    isConstant(name, isLocal) {
      if (!isLocal) return tags.get(name.toUpperCase())?.isConstant === true
      return own.some(
        ({ section, members }) =>
          section === 'Constant' && members.some((member) => member.name.toUpperCase() === name.toUpperCase()),
      )
    },
    block(name) {
      const found = object(name)
      return found?.kind === 'FB' || found?.kind === 'FC' ? callable(found) : undefined
    },
    instanceOf(scope, path) {
      const type = typeOfPath(scope, path)
      if (type === undefined) return undefined
      const name = unquoted(elementOf(type) ?? type)
      return object(name)?.kind === 'FB' ? (object(name) as DeclaredObject).name : undefined
    },
    scopeOf(name) {
      const upper = name.toUpperCase()
      if (own.some(({ members }) => members.some((member) => member.name.toUpperCase() === upper)))
        return 'LocalVariable'
      return tags.has(upper) || objects.has(upper) ? 'GlobalVariable' : undefined
    },
  }
}

const empty: InterfaceMember = { name: '', dataType: '', comment: {}, attributes: [], members: [] }
const parameterSections: readonly string[] = ['Input', 'Output', 'InOut', 'Return']

/** `Int` of `Array[0..9] of Int`. */
function elementOf(dataType: string): string | undefined {
  return /^\s*array\s*\[[^\]]*\]\s*of\s+(.+)$/is.exec(dataType)?.[1]
}

/** A block as seen by a call: parameters in the order in which TIA Portal lists them. */
function callable({ name, kind, interface: sections }: DeclaredObject): CallableBlock {
  const parameters = parameterSections.flatMap((section): CallParameter[] =>
    sections
      .filter((candidate) => candidate.section === section)
      .flatMap(({ members }) =>
        members
          .filter((member) => section !== 'Return' || member.dataType.toUpperCase() !== 'VOID')
          .map((member) => ({ name: member.name, section, type: member.dataType })),
      ),
  )
  return { name, blockType: kind === 'FB' ? 'FB' : 'FC', parameters }
}
