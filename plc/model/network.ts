/**
 * Networks of code blocks: the graph of LAD and FBD, statements of STL, the chart of GRAPH, and the operands of all of them.
 *
 * The model is the same whatever form a block came in (SimaticML, SIMATIC SD, source text, JSON). What it does not interpret is kept as XML
 * text where it stood and written back (`Kept`). Facts: formats.md 1.6 to 1.8; SW.PlcBlocks.Access_v5, LADFBD_v5, STL_v5 and Graph_v6.xsd.
 */
import type { MultilingualText } from './object.ts'

/** What the model does not interpret of an element. Absent when there is nothing. */
export interface Kept {
  readonly attributes?: Readonly<Record<string, string>>
  /** Child elements as XML, each with its index among all children of the element it was found in. */
  readonly elements?: readonly { readonly at: number; readonly xml: string }[]
  /** Of the element around it, where the model makes one of two: `Access` and `Symbol`, `Call` and `CallInfo`. */
  readonly outer?: Kept
  /** Of elements inside it that only hold others together, by name: `Actions` of a `Step`. */
  readonly inner?: Readonly<Record<string, Kept>>
}

// ── Operands ────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Where a symbol is looked up (`Access/@Scope`). `Undef`: it was not resolved when the file was written. */
export type SymbolScope = 'GlobalVariable' | 'LocalVariable' | 'Undef' | 'PredefinedVariable'

/** `#run`, `"DB".list[#i, 2].x.%X3`, `"sensor":P`. */
export interface SymbolOperand {
  readonly kind: 'symbol'
  readonly scope: SymbolScope
  /** From the outermost name on; never empty. Names are without quotes and without `#`. */
  readonly path: readonly PathComponent[]
  readonly kept?: Kept
}

export interface PathComponent {
  readonly name: string
  /** One operand per dimension when the component is an array element. */
  readonly indices?: readonly Operand[]
  /** Part of the operand: `x7`, `b0`, `w1`, `d0` (lower case, without `%`). */
  readonly slice?: string
  /** `Periphery`: `:P`, past the process image. */
  readonly access?: 'Periphery' | 'QualityInformation'
  readonly kept?: Kept
}

/** `5`, `16#FF`, `TRUE`, `'abc'`, `T#5s`, `P#M0.0 BYTE 4`. */
export interface LiteralOperand {
  readonly kind: 'literal'
  /** `LiteralConstant`: the type is beside the value; `TypedConstant`: the value's own prefix says it. */
  readonly scope: 'LiteralConstant' | 'TypedConstant' | 'AddressConstant' | 'AlarmConstant'
  /** As it is written. */
  readonly value: string
  /** Type of a `LiteralConstant` in a graph: `Int`, `Bool`, `Real` … */
  readonly type?: string
  readonly kept?: Kept
}

/** A named constant: `"MAX"`, `#LIMIT`, `_.ns.Type#VALUE`. */
export interface ConstantOperand {
  readonly kind: 'constant'
  readonly scope: 'GlobalConstant' | 'LocalConstant' | 'NamedValueConstant'
  readonly name: string
  readonly kept?: Kept
}

/** `%I0.0`, `%MW10`, `%DB1.DBX2.3`, `%T5`, `%DB7`. */
export interface AddressOperand {
  readonly kind: 'address'
  /** `Input`, `Output`, `Memory`, `PeripheryInput`, `PeripheryOutput`, `Local`, `DB`, `DI`, `Timer`, `Counter`, `FB`, `FC`. */
  readonly area: string
  /** Data type, which says the width: `Bool`, `Byte`, `Word`, `DWord`, `Int` … */
  readonly type: string
  /** Of `DB` and `DI`. */
  readonly blockNumber?: number
  /** Byte * 8 + bit; for timers, counters and blocks the number itself. Absent for a block as a whole. */
  readonly bitOffset?: number
  readonly kept?: Kept
}

/** STL: `DBW [AR1,P#2.0]`, `M [MD 20]`. */
export interface IndirectOperand {
  readonly kind: 'indirect'
  readonly width: 'Bit' | 'Byte' | 'Word' | 'Double' | 'Long' | 'None'
  /** As in `AddressOperand`; absent for register-crossing-area access (`[AR1,P#0.0]`). */
  readonly area?: string
  readonly register?: 'AR1' | 'AR2'
  readonly bitOffset?: number
  /** Memory that holds the pointer, instead of a register. */
  readonly pointer?: Operand
  readonly kept?: Kept
}

/** Target of a jump. */
export interface LabelOperand {
  readonly kind: 'label'
  readonly name: string
  readonly kept?: Kept
}

/** STL: `OV`, `OS`, `UO`, `<>0`, `BR` of the status word. */
export interface StatusOperand {
  readonly kind: 'status'
  /** `Combination` of the schema: `BR`, `OV`, `OS`, `EQ`, `NE`, `GT`, `LT`, `GE`, `LE`, `UO`. */
  readonly name: string
  readonly kept?: Kept
}

/** Anything else, kept as its whole `Access` element; `text` is what can be shown of it. */
export interface OtherOperand {
  readonly kind: 'other'
  readonly scope: string
  readonly text: string
  readonly xml: string
}

export type Operand =
  | SymbolOperand
  | LiteralOperand
  | ConstantOperand
  | AddressOperand
  | IndirectOperand
  | LabelOperand
  | StatusOperand
  | OtherOperand

// ── LAD and FBD ─────────────────────────────────────────────────────────────────────────────────────────────────────

/** A LAD or FBD network. UIds are unique in it; TIA Portal counts nodes, then wires, from 21. */
export interface LogicNetwork {
  /** Jump labels that stand at this network, in order. */
  readonly labels: readonly NetworkLabel[]
  /** Operands, instructions and calls in document order: the order of evaluation where the wires leave it open. */
  readonly nodes: readonly NetworkNode[]
  readonly wires: readonly Wire[]
  readonly kept?: Kept
}

export interface NetworkLabel {
  readonly uId?: number
  readonly name: string
  readonly comment?: MultilingualText
  readonly kept?: Kept
}

export type NetworkNode = OperandNode | InstructionNode | CallNode

/** An operand; a wire with its `operand` connector says which pins it stands at. */
export interface OperandNode {
  readonly kind: 'operand'
  readonly uId: number
  readonly operand: Operand
}

interface Box {
  readonly uId: number
  /** Pins that are inverted (the small circle), `operand` for a negated contact or coil. */
  readonly negated: readonly string[]
  /** Pins that are not shown. */
  readonly invisible: readonly string[]
  readonly comment?: MultilingualText
  readonly kept?: Kept
}

/** An instruction: `Contact`, `Coil`, `O`, `Move`, `TON` … (names and pins: formats.md 1.6). */
export interface InstructionNode extends Box {
  readonly kind: 'part'
  readonly name: string
  readonly version?: string
  /** The instruction has no EN/ENO mechanism switched on. */
  readonly disabledEno?: boolean
  /** Formula of a `Calc` box. */
  readonly equation?: string
  readonly instance?: Instance
  /** `Card`, `SrcType`, `DestType`, `time_type` … in order. */
  readonly templates: readonly TemplateValue[]
  /** Names of templates whose type follows from the operands. */
  readonly automaticTyped: readonly string[]
}

export interface TemplateValue {
  readonly name: string
  readonly type: 'Cardinality' | 'Type' | 'Operation' | (string & {})
  readonly value: string
}

/** Instance data of a call or instruction: a data block, a multi-instance or a parameter instance. */
export interface Instance {
  readonly uId?: number
  readonly scope: SymbolScope
  readonly path: readonly PathComponent[]
  readonly kept?: Kept
}

/** Call of a block of the program. */
export interface CallNode extends Box {
  readonly kind: 'call'
  /** Name of the called block, without quotes. */
  readonly name: string
  readonly blockType: 'FB' | 'FC' | (string & {})
  /** Number of the called block, when the file has it. */
  readonly blockNumber?: number
  readonly instance?: Instance
  /** The called block's interface as the caller knew it, in order. */
  readonly parameters: readonly CallParameter[]
}

export interface CallParameter {
  readonly name: string
  readonly section?: string
  readonly type?: string
  readonly kept?: Kept
}

/** Ends in order: the first is the source, the others are sinks. */
export interface Wire {
  readonly uId: number
  readonly ends: readonly WireEnd[]
  readonly kept?: Kept
}

export type WireEnd =
  | { readonly kind: 'powerrail' }
  /** A pin of a part or call. */
  | { readonly kind: 'pin'; readonly uId: number; readonly pin: string }
  /** An operand node. */
  | { readonly kind: 'operand'; readonly uId: number }
  /** A pin that nothing is connected to. */
  | { readonly kind: 'open'; readonly uId: number }
  | { readonly kind: 'openbranch' }

// ── STL ─────────────────────────────────────────────────────────────────────────────────────────────────────────────

/** One line of a statement list. */
export interface Statement {
  readonly label?: string
  /** International mnemonic as it is typed (`A`, `AN(`, `=`, `L`, `+I`, `CALL`); empty for a line that is empty or only a comment. */
  readonly mnemonic: string
  readonly operand?: Operand
  /** Of `CALL`, `UC` and `CC`. */
  readonly call?: StatementCall
  /** Behind `//`. */
  readonly comment?: string
  readonly kept?: Kept
}

export interface StatementCall {
  /** `instruction`: built in (`SFC`, `TON` …). `multiInstance`: `CALL #x`. */
  readonly target: 'block' | 'instruction' | 'multiInstance'
  readonly name: string
  readonly blockType?: string
  readonly blockNumber?: number
  readonly version?: string
  readonly instance?: Instance
  /** `time_type := Time` of a built-in instruction, in order. */
  readonly templates?: readonly TemplateValue[]
  readonly parameters: readonly { readonly name: string; readonly value?: Operand; readonly kept?: Kept }[]
  readonly kept?: Kept
}

// ── GRAPH ───────────────────────────────────────────────────────────────────────────────────────────────────────────

/** The sequencers of a GRAPH function block with the permanent instructions before and after them. */
export interface SequenceProgram {
  readonly before: readonly PermanentOperation[]
  readonly sequences: readonly Sequence[]
  readonly after: readonly PermanentOperation[]
  /** `AlarmsSettings` and anything else. */
  readonly kept?: Kept
}

/** One network that is always worked on. */
export interface PermanentOperation {
  readonly title: MultilingualText
  readonly comment: MultilingualText
  readonly language: string
  readonly graph?: LogicNetwork
  readonly statements?: readonly Statement[]
  readonly text?: string
  readonly kept?: Kept
}

export interface Sequence {
  readonly title: MultilingualText
  readonly comment: MultilingualText
  readonly steps: readonly Step[]
  readonly transitions: readonly Transition[]
  readonly branches: readonly Branch[]
  readonly connections: readonly Connection[]
  readonly kept?: Kept
}

export interface Step {
  readonly number: number
  readonly name: string
  /** Where the sequence begins. */
  readonly isInitial: boolean
  /** `T#10S`: longest time of the step before its supervision responds. */
  readonly maximumTime?: string
  /** `T#7S`. */
  readonly warningTime?: string
  readonly comment: MultilingualText
  readonly actions: readonly Action[]
  readonly supervision?: Condition
  readonly interlock?: Condition
  readonly kept?: Kept
}

/** One line of a step's action table. */
export interface Action {
  /** `N S R D L CD CR CS CU ON OFF TD TF TL TR`; empty for none. */
  readonly qualifier: string
  /** `S1 S0 V1 V0 L1 L0 A1 R1`; empty for none. */
  readonly event: string
  /** The action needs the step's interlock condition. */
  readonly needsInterlock: boolean
  /** Operand, assignment or call as it is typed. `kept` holds it too when it has an unusual form: drop that with a new text. */
  readonly text: string
  /** The operands in it, in order. */
  readonly operands: readonly Operand[]
  readonly kept?: Kept
}

/** A network that ends in a coil: `SvCoil` (supervision), `IlCoil` (interlock), `TrCoil` (transition). */
export interface Condition {
  readonly language: string
  readonly graph?: LogicNetwork
  readonly alarmText?: MultilingualText
  readonly kept?: Kept
}

export interface Transition extends Condition {
  readonly number: number
  readonly name: string
  readonly comment: MultilingualText
}

export interface Branch {
  readonly number: number
  /** Simultaneous or alternative, where it opens and where it closes. */
  readonly type: 'SimBegin' | 'SimEnd' | 'AltBegin' | 'AltEnd'
  readonly cardinality: number
  readonly kept?: Kept
}

export interface Connection {
  readonly from: SequenceNode
  readonly to: SequenceNode
  readonly link: 'Direct' | 'Jump'
  readonly kept?: Kept
}

export type SequenceNode =
  | { readonly kind: 'step'; readonly number: number }
  | { readonly kind: 'transition'; readonly number: number }
  /** `in` or `out`: index of the connection of a branch. */
  | { readonly kind: 'branch'; readonly number: number; readonly in?: number; readonly out?: number }
  | { readonly kind: 'end' }
