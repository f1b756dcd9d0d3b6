/**
 * The specification of a block or type as plain JSON: what clients send to have it generated, and what a block is read
 * as. The gateway serves its JSON Schema; therefore the names of fields must not change.
 */

import type { MultilingualText } from '../model/multilingual-text.ts'
import type { Branch } from '../model/sequence.ts'

/** A text of the project language, or texts by culture. */
export type Text = string | MultilingualText

/** What can be specified. `DB` is a global data block, or an instance when `instanceOf` is given. */
export const specifiedKinds = ['OB', 'FB', 'FC', 'DB', 'GlobalDB', 'InstanceDB', 'ArrayDB', 'UDT'] as const
export type SpecifiedKind = (typeof specifiedKinds)[number]

export const specifiedLanguages = ['LAD', 'FBD', 'SCL', 'STL', 'GRAPH'] as const

/** Value of an attribute: its JSON type is its type, otherwise `{ type, value }`. */
export type AttributeValue =
  | string
  | number
  | boolean
  | {
      readonly type: 'Boolean' | 'Integer' | 'Real' | 'String' | 'Date'
      readonly value: string
      readonly systemDefined?: boolean
      readonly informative?: boolean
    }

export interface MemberSpecification {
  readonly name: string
  readonly dataType: string
  readonly version?: string
  readonly startValue?: string
  /** Name of the constant that the start value is of. */
  readonly startValueConstant?: string
  readonly comment?: Text
  readonly remanence?: 'NonRetain' | 'Retain' | 'SetInIDB'
  readonly accessibility?: string
  /** `ExternalAccessible`, `ExternalVisible`, `ExternalWritable`, `SetPoint` … */
  readonly attributes?: Readonly<Record<string, AttributeValue>>
  /** Members of a Struct, or of the elements of an array of Struct. */
  readonly members?: readonly MemberSpecification[]
  /** Start values and comments of elements of an array; `path` is `1`, `0,2`, nested `1;0`. */
  readonly elements?: readonly { readonly path: string; readonly startValue?: string; readonly comment?: Text }[]
  /** Own start values in a member of a PLC data type or function block: the type's members, as far as they differ. */
  readonly typeMembers?: readonly SectionSpecification[]
}

export interface SectionSpecification {
  readonly section: string
  readonly members: readonly MemberSpecification[]
}

/** Content in one of these ways, or none for an empty network. */
export interface NetworkSpecification {
  readonly language?: string
  readonly title?: Text
  readonly comment?: Text
  /** LAD, FBD: statements in the notation of plc/languages/ladder/expression.ts. */
  readonly expressions?: string | readonly string[]
  /** LAD, FBD: elements and wires, plc/model/logic-network.ts. */
  readonly graph?: unknown
  /** SCL, STL: statements. */
  readonly code?: string
  /** Content of `NetworkSource`. */
  readonly xml?: string
}

/** A condition of a step or transition. As text or list: expressions. */
export type ConditionSpecification =
  | string
  | readonly string[]
  | {
      readonly language?: 'LAD' | 'FBD'
      readonly expressions?: string | readonly string[]
      readonly graph?: unknown
      readonly alarmText?: Text
    }

/** One line of the action table; as text `S1 N #motor`, `NC #valve`, `D #lamp, T#5s`. */
export type ActionSpecification =
  | string
  | {
      readonly event?: string
      readonly qualifier?: string
      readonly needsInterlock?: boolean
      readonly text: string
    }

export interface StepSpecification {
  readonly number?: number
  readonly name: string
  readonly initial?: boolean
  readonly maximumTime?: string
  readonly warningTime?: string
  readonly comment?: Text
  readonly actions?: readonly ActionSpecification[]
  readonly interlock?: ConditionSpecification
  readonly supervision?: ConditionSpecification
}

export interface TransitionSpecification {
  readonly number?: number
  readonly name: string
  readonly comment?: Text
  /** Default: always true. */
  readonly condition?: ConditionSpecification
  /** Names of the steps that must be active: several join simultaneous branches. */
  readonly from?: string | readonly string[]
  /** Names of the steps that become active: several open simultaneous branches; none is the end of the sequence. */
  readonly to?: string | readonly string[]
  /** Draws the way to its step as a jump. Ways back always are. */
  readonly jump?: boolean
}

export interface SequenceSpecification {
  readonly title?: Text
  readonly comment?: Text
  readonly steps: readonly StepSpecification[]
  readonly transitions?: readonly TransitionSpecification[]
  /** With `connections`: instead of `from` and `to` of the transitions. */
  readonly branches?: readonly Pick<Branch, 'number' | 'type' | 'cardinality'>[]
  /** `S1`, `T1`, `B1.0` (branch 1, way 0), `END`. */
  readonly connections?: readonly { readonly from: string; readonly to: string; readonly jump?: boolean }[]
}

/** The body of a GRAPH function block. */
export interface ChartSpecification {
  readonly before?: readonly NetworkSpecification[]
  readonly sequences: readonly SequenceSpecification[]
  readonly after?: readonly NetworkSpecification[]
}

export interface BlockSpecification {
  readonly kind: SpecifiedKind
  readonly name: string
  readonly number?: number
  readonly language?: string
  readonly title?: Text
  readonly comment?: Text
  readonly author?: string
  readonly family?: string
  readonly userId?: string
  readonly version?: string
  readonly memoryLayout?: 'Optimized' | 'Standard'
  /** Event class of an OB. */
  readonly eventClass?: string
  /** FB, type or system type that an instance data block belongs to. */
  readonly instanceOf?: string
  /** Of an ArrayDB: `Array[0..9] of Int`. */
  readonly dataType?: string
  /** Further attributes of the block, as its AttributeList names them. */
  readonly attributes?: Readonly<Record<string, string | number | boolean>>
  readonly interface?: readonly SectionSpecification[]
  /** SCL statements, or those of an STL block with one network. */
  readonly code?: string
  readonly networks?: readonly NetworkSpecification[]
  /** GRAPH. */
  readonly chart?: ChartSpecification
}
