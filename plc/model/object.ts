/**
 * The typed model of one imported program object, which every format reads and writes. Header and interface are
 * interpreted; the exact original (`xml` or `text`) is kept with them, so nothing is lost.
 */

import type { Kept } from './kept.ts'
import type { LogicNetwork } from './logic-network.ts'
import type { MultilingualText } from './multilingual-text.ts'
import type { SequenceProgram } from './sequence.ts'
import type { Statement, StatementPlace } from './statement.ts'

/** Kinds of objects a PLC program is made of. */
const programObjectKinds = [
  'OB',
  'FB',
  'FC',
  'GlobalDB',
  'InstanceDB',
  'ArrayDB',
  'UDT',
  'TagTable',
  'WatchTable',
  'ForceTable',
] as const
export type ProgramObjectKind = (typeof programObjectKinds)[number]

/** A program object's kind, or the root element's own name for anything else (kept, but not part of the program). */
export type ObjectKind = ProgramObjectKind | (string & {})

/** True for the kinds that are part of a PLC program; false for e.g. `Hmi.Screen.Screen`. */
export function isProgramObjectKind(kind: string): kind is ProgramObjectKind {
  return (programObjectKinds as readonly string[]).includes(kind)
}

/** One entry of the object's AttributeList, or of the header and pragmas of an external source. */
export interface ObjectAttribute {
  readonly name: string
  readonly value: string
  /** Exported for information, ignored when it is imported. */
  readonly readOnly?: boolean
}

/** Interface sections, in the order TIA Portal writes them (SW.Common_v3.xsd, SectionName_TE). */
export const sectionNames = [
  'None',
  'Base',
  'Input',
  'Output',
  'InOut',
  'Static',
  'Temp',
  'Constant',
  'Return',
] as const
export type SectionName = (typeof sectionNames)[number]

/** Sections by the keywords of sources. */
const sectionOfKeyword: Readonly<Record<string, SectionName>> = {
  VAR_INPUT: 'Input',
  VAR_OUTPUT: 'Output',
  VAR_IN_OUT: 'InOut',
  VAR: 'Static',
  VAR_TEMP: 'Temp',
  'VAR CONSTANT': 'Constant',
  VAR_CONSTANT: 'Constant',
}

/** The section that a text names: in any case, or by its keyword in a source (`VAR_INPUT`). */
export function sectionNamed(text: string): SectionName | undefined {
  return (
    sectionNames.find((known) => known.toLowerCase() === text.trim().toLowerCase()) ??
    sectionOfKeyword[text.trim().toUpperCase()]
  )
}

export interface InterfaceSection {
  readonly section: SectionName
  readonly members: readonly InterfaceMember[]
  /** Expanded sections of the base class (GRAPH function blocks). */
  readonly base?: readonly InterfaceSection[]
  /** What was kept of the element around `base`: its type and version. */
  readonly baseKept?: Kept
  readonly kept?: Kept
}

export type Remanence = 'NonRetain' | 'Retain' | 'SetInIDB'

/** Value or comment of one array element, or of a member inside it. `path` is `1`, `0,2`, nested `1;0`. */
export interface Subelement {
  readonly path: string
  readonly startValue?: string
  readonly comment?: MultilingualText
  readonly kept?: Kept
}

/** A member's own attribute (`ExternalAccessible`, `SetPoint`, `At`, `InstructionName` …), value as text. */
export interface MemberAttribute {
  readonly name: string
  readonly type: 'Boolean' | 'Integer' | 'Real' | 'String' | 'Date'
  readonly value: string
  readonly systemDefined?: boolean
  readonly informative?: boolean
}

export interface InterfaceMember {
  readonly name: string
  /** As TIA Portal spells it: `Bool`, `Array[0..9] of "UDT_x"`, `Struct`, `TON_TIME`. */
  readonly dataType: string
  /** Version of a library or system type, e.g. `1.0`. */
  readonly version?: string
  readonly startValue?: string
  /** Name of the constant the start value comes from. */
  readonly startValueConstant?: string
  /** The start value is that of the type, not the member's own. */
  readonly startValueIsInformative?: boolean
  readonly startValueIsBulk?: boolean
  readonly comment: MultilingualText
  /** The comment is that of the type. */
  readonly commentIsInformative?: boolean
  readonly remanence?: Remanence
  readonly accessibility?: string
  readonly informative?: boolean
  readonly attributes: readonly MemberAttribute[]
  /** Members of a Struct (or of the elements of an array of Struct). */
  readonly members: readonly InterfaceMember[]
  /** Informative copy of the content of a UDT or FB type, as found in the file. */
  readonly sections?: readonly InterfaceSection[]
  /** What was kept of the element around `sections`. */
  readonly sectionsKept?: Kept
  readonly subelements?: readonly Subelement[]
  readonly assignedProDiagFB?: string
  readonly kept?: Kept
}

/** The connection of one pin of a box; `value` is the operand's text, absent when other logic feeds the pin. */
export interface ElementPin {
  readonly name: string
  readonly section?: string
  readonly type?: string
  readonly value?: string
  readonly negated?: boolean
}

/** One element of a LAD/FBD/GRAPH network. */
export interface NetworkElement {
  readonly uId: number
  /** Part name (`Contact`, `Coil`, `TON` …), `Call`, or `Step`/`Transition` of a sequence. */
  readonly type: string
  /** Operand or, for boxes with an instance, the instance: `"DB".a[1].b`, `#x`, `%M0.0`. */
  readonly signal?: string
  readonly negated: boolean
  /** Whether `signal` is visible in the whole program (tag, DB) rather than in the block only. */
  readonly isGlobal: boolean
  /** Name of the called block. */
  readonly blockName?: string
  /** Absolute address when the operand has one (`%I0.0`). */
  readonly address?: string
  readonly version?: string
  /** Template values such as `SrcType: Int`, `Card: 2`. */
  readonly templates?: Readonly<Record<string, string>>
  readonly parameters: readonly ElementPin[]
}

export interface Network {
  /** Counts from 1 in the block. */
  readonly number: number
  readonly title: MultilingualText
  readonly comment: MultilingualText
  readonly language: string
  /** What clients see of the logic or the sequence program; derived from it. */
  readonly parts: readonly NetworkElement[]
  /** LAD and FBD networks only. */
  readonly graph?: LogicNetwork
  /** STL networks only. */
  readonly statements?: readonly Statement[]
  /** Where these begin in `text`; absent when the text was made of them (see `placesOfStatements`). */
  readonly statementPlaces?: readonly StatementPlace[]
  /** Only in the one network of a GRAPH block. */
  readonly chart?: SequenceProgram
  /** Statement text of SCL and STL networks; lines end with LF. */
  readonly text?: string
  /** Further attributes of the network, each with its index in the AttributeList. */
  readonly kept?: Kept
}

export interface TagEntry {
  readonly name: string
  readonly dataType: string
  readonly logicalAddress: string
  readonly comment: MultilingualText
  readonly externalAccessible?: boolean
  readonly externalVisible?: boolean
  readonly externalWritable?: boolean
}

export interface ConstantEntry {
  readonly name: string
  readonly dataType: string
  readonly value: string
  readonly comment: MultilingualText
}

/** A row of a watch or force table, with the texts of the file. */
export interface WatchEntry {
  /** The row is a comment only. */
  readonly isComment?: true
  /** Symbol with quotes; empty when the row has only an address. */
  readonly name: string
  readonly address: string
  readonly displayFormat: string
  readonly monitorTrigger: string
  readonly modifyTrigger?: string
  readonly modifyValue?: string
  readonly modifyIntention?: boolean
  readonly forceValue?: string
  readonly forceIntention?: boolean
  readonly comment: MultilingualText
}

export interface ImportedObject {
  readonly kind: ObjectKind
  /** Root element (`SW.Blocks.FB`) or source keyword (`FUNCTION_BLOCK`). */
  readonly element: string
  readonly format: 'simaticml' | 'source'
  readonly name: string
  /** Absent when the file leaves the number to the engineering tool (external sources, automatic numbers). */
  readonly number?: number
  /** `SCL`, `LAD`, `FBD`, `STL`, `GRAPH`, `DB` …; empty for types and tables. */
  readonly language: string
  readonly title: MultilingualText
  readonly comment: MultilingualText
  readonly author: string
  readonly family: string
  readonly headerName: string
  readonly version: string
  readonly memoryLayout?: 'Optimized' | 'Standard'
  readonly isKnowHowProtected: boolean
  /** Event class of an OB, e.g. `ProgramCycle`. */
  readonly secondaryType?: string
  /** What `secondaryType` (and the number) of a source was guessed from, if the source does not contain it. */
  readonly guessedEvent?: 'name' | 'title'
  /** FB, UDT or system type that an instance DB belongs to. */
  readonly instanceOf?: string
  readonly attributes: readonly ObjectAttribute[]
  /** Attributes with structured content (`Supervisions` …), each with its index in the AttributeList. */
  readonly kept?: Kept
  readonly interface: readonly InterfaceSection[]
  readonly networks: readonly Network[]
  readonly tags?: readonly TagEntry[]
  readonly constants?: readonly ConstantEntry[]
  readonly entries?: readonly WatchEntry[]
  /** Exact text of the root object's element (format `simaticml`). */
  readonly xml?: string
  /** Exact slice of the source file for this block (format `source`). */
  readonly text?: string
  /** What was not understood, or may be refused by TIA Portal, each with its place in the file it was read from. */
  readonly warnings?: readonly string[]
  /** Version of the file, e.g. `V16`, `V14 SP1`; absent for sources and files without it. */
  readonly engineeringVersion?: string
}
