/** The syntax tree of network expressions; expression.ts describes the notation. */

import type { Operand, PathComponent, SymbolScope } from '../../model/operand.ts'

/** Offset at which a node begins, in its text of the statement list. */
interface Placed {
  readonly at: number
}

export interface Braces extends Placed {
  readonly entries: ReadonlyMap<string, string>
  /** Single words: a data type, `auto`, `direct`, `pin`, `out`, `in`. */
  readonly words: readonly string[]
}

export type Expression =
  | OperandExpression
  | RailExpression
  | OpenExpression
  | ValueReference
  | NotExpression
  | LogicExpression
  | CompareExpression
  | ArithmeticExpression
  | Group
  | Call

export interface OperandExpression extends Placed {
  readonly kind: 'operand'
  readonly operand: Operand
  readonly braces?: Braces
}

/** `TRUE` (`isWord` false) or `RAIL`. */
export interface RailExpression extends Placed {
  readonly kind: 'rail'
  readonly isWord: boolean
  readonly literal: Operand
}

export interface OpenExpression extends Placed {
  readonly kind: 'open' | 'openbranch'
}

/** A value of the statement before. */
export interface ValueReference extends Placed {
  readonly kind: 'wire' | 'eno' | 'rlo'
  /** Name of a wire; empty for the others. */
  readonly name: string
}

export interface NotExpression extends Placed {
  readonly kind: 'not'
  readonly inner: Expression
  /** `pin`, `out` or `in` in braces. */
  readonly mark?: string
}

export interface LogicExpression extends Placed {
  readonly kind: 'and' | 'or' | 'xor'
  readonly items: readonly Expression[]
}

export interface CompareExpression extends Placed {
  readonly kind: 'compare'
  readonly operator: string
  readonly braces?: Braces
  readonly items: readonly Expression[]
}

export interface ArithmeticExpression extends Placed {
  readonly kind: 'arithmetic'
  readonly operator: string
  readonly braces?: Braces
  readonly items: readonly Expression[]
}

/** Parentheses; kept because in LAD they distinguish a contact from an operand. */
export interface Group extends Placed {
  readonly kind: 'group'
  readonly inner: Expression
}

export interface Call extends Placed {
  readonly kind: 'call'
  readonly name: string
  /** The name was in quotes: a block of the program. */
  readonly isBlock: boolean
  readonly instance?: { readonly scope: SymbolScope; readonly path: readonly PathComponent[] }
  readonly braces?: Braces
  readonly args: readonly Argument[]
  /** `.Q` after the parentheses: the output that is the value. */
  readonly output?: string
}

export interface Argument extends Placed {
  /** Absent for an argument given by position. */
  readonly name?: string
  readonly value?: Expression
  /** The target after `=>`. */
  readonly target?: Target
  readonly isNegated?: boolean
}

export type Target = OperandTarget | WireTarget | OpenTarget | Call

export interface OperandTarget extends Placed {
  readonly kind: 'operand'
  readonly operand: Operand
}

export interface WireTarget extends Placed {
  readonly kind: 'wire'
  readonly name: string
}

export interface OpenTarget extends Placed {
  readonly kind: 'open'
}

export type Statement = Label | Assignment | CallStatement | Leave | Conditional

export interface Label extends Placed {
  readonly kind: 'label'
  readonly name: string
}

export interface Assignment extends Placed {
  readonly kind: 'assign'
  readonly targets: readonly { readonly target: Target; readonly isNegated: boolean }[]
  readonly value: Expression
}

export interface CallStatement extends Placed {
  readonly kind: 'call'
  readonly call: Call
}

export interface Leave extends Placed {
  readonly kind: 'jump' | 'return'
  /** Label of a jump; empty for a return. */
  readonly label: string
}

export interface Conditional extends Placed {
  readonly kind: 'if'
  readonly condition: Expression
  readonly body: readonly Statement[]
}
