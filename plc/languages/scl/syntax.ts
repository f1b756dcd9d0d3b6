/**
 * The syntax tree of SCL statements. Nodes contain token numbers and no text: with the token list they give the exact
 * source of everything, comments and white space included. Facts: docs/plc-semantics.md#operators,
 * docs/plc-semantics.md#statements-and-names.
 */
import { TokenKind, type TokenList } from './tokens.ts'

/** Every node spans the tokens `start .. end` (exclusive), without the white space and comments around it. */
interface Span {
  readonly start: number
  readonly end: number
}

// ── Expressions ─────────────────────────────────────────────────────────────────────────────────────────────────────

/** `5`, `16#FF`, `1.5`, `T#5s`, `'abc'`, `TRUE`, `P#M0.0 BYTE 4`; one token. Also a named value, `"colour"#RED`. */
export interface Literal extends Span {
  readonly kind: 'literal'
}

/**
 * The first name of an operand: `#x` (LocalName), `"DB"` (QuotedName), or a plain word (Identifier): a function, a
 * constant, `ENO`, `THIS`, a local name of an external source, or a classic address (`MW10`). The name check decides
 * which. One token.
 */
export interface Name extends Span {
  readonly kind: 'name'
}

/** `%MW10`, `%I0.0`, `%DB1.DBX0.0`; one token. */
export interface Address extends Span {
  readonly kind: 'address'
}

/**
 * `object.name`; the name is the last token. It is a number in classic addresses (`I0.0`, `"DB".DBX2.3`), a literal in
 * `_.ns.Type#VALUE`.
 */
export interface Member extends Span {
  readonly kind: 'member'
  readonly object: Expression
}

/** `object[i, j]`. */
export interface Index extends Span {
  readonly kind: 'index'
  readonly object: Expression
  readonly indices: readonly Expression[]
}

/** `object.%X3`; the slice is the last token. */
export interface Slice extends Span {
  readonly kind: 'slice'
  readonly object: Expression
}

/** `object:P`: bypasses the process image. */
export interface Periphery extends Span {
  readonly kind: 'periphery'
  readonly object: Expression
}

/** `object^`. */
export interface Dereference extends Span {
  readonly kind: 'dereference'
  readonly object: Expression
}

/** `callee(arguments)`: a function, block, instance, method or instruction. */
export interface Call extends Span {
  readonly kind: 'call'
  readonly callee: Expression
  readonly arguments: readonly Argument[]
  /** Token of the attributes between name and bracket (`{time_type := 'Time'}`), -1 if none. */
  readonly pragma: number
}

/** `value`, `name := value`, `name => value`; formal arguments may be left empty. */
export interface Argument extends Span {
  readonly kind: 'argument'
  /** Token of the name, -1 for an argument by position. */
  readonly name: number
  readonly isOutput: boolean
  readonly value: Expression | undefined
}

export type UnaryOperator = '-' | '+' | 'NOT'
export interface Unary extends Span {
  readonly kind: 'unary'
  readonly operator: UnaryOperator
  readonly operand: Expression
}

export type BinaryOperator =
  | '**'
  | '*'
  | '/'
  | 'MOD'
  | 'DIV'
  | '+'
  | '-'
  | '<'
  | '<='
  | '>'
  | '>='
  | '='
  | '<>'
  | 'AND'
  | 'XOR'
  | 'OR'
/** `&` is read as `AND`. */
export interface Binary extends Span {
  readonly kind: 'binary'
  readonly operator: BinaryOperator
  readonly left: Expression
  readonly right: Expression
}

/** `( expression )`. */
export interface Group extends Span {
  readonly kind: 'group'
  readonly inner: Expression
}

/** `1..5` as a label of CASE. */
export interface Range extends Span {
  readonly kind: 'range'
  readonly from: Expression
  readonly to: Expression
}

/** Replaces an expression that is missing or cannot be parsed; a diagnostic reports it. */
export interface Missing extends Span {
  readonly kind: 'missing'
}

export type Expression =
  | Literal
  | Name
  | Address
  | Member
  | Index
  | Slice
  | Periphery
  | Dereference
  | Call
  | Unary
  | Binary
  | Group
  | Missing

// ── Statements ──────────────────────────────────────────────────────────────────────────────────────────────────────

export type AssignmentOperator = ':=' | '+=' | '-=' | '*=' | '/=' | '?='
/** `target := value`; `a := b := 1` has an assignment as its value. */
export interface Assignment extends Span {
  readonly kind: 'assignment'
  readonly operator: AssignmentOperator
  readonly target: Expression
  readonly value: Expression | Assignment
}

export interface CallStatement extends Span {
  readonly kind: 'callStatement'
  readonly call: Call
}

export interface If extends Span {
  readonly kind: 'if'
  /** The IF, then each ELSIF. */
  readonly branches: readonly IfBranch[]
  readonly otherwise: readonly Statement[] | undefined
}

export interface IfBranch extends Span {
  readonly condition: Expression
  readonly body: readonly Statement[]
}

export interface Case extends Span {
  readonly kind: 'case'
  readonly selector: Expression
  readonly branches: readonly CaseBranch[]
  readonly otherwise: readonly Statement[] | undefined
}

export interface CaseBranch extends Span {
  readonly labels: readonly (Expression | Range)[]
  readonly body: readonly Statement[]
}

export interface For extends Span {
  readonly kind: 'for'
  readonly variable: Expression
  readonly from: Expression
  readonly to: Expression
  readonly by: Expression | undefined
  readonly body: readonly Statement[]
}

export interface While extends Span {
  readonly kind: 'while'
  readonly condition: Expression
  readonly body: readonly Statement[]
}

/** `REPEAT … UNTIL condition END_REPEAT`. */
export interface Repeat extends Span {
  readonly kind: 'repeat'
  readonly body: readonly Statement[]
  readonly until: Expression
}

export interface Exit extends Span {
  readonly kind: 'exit'
}

export interface Continue extends Span {
  readonly kind: 'continue'
}

export interface Return extends Span {
  readonly kind: 'return'
}

export interface Goto extends Span {
  readonly kind: 'goto'
  /** Token of the label, -1 when it is missing. */
  readonly label: number
}

/** `name:` before a statement; the name is the first token. */
export interface Label extends Span {
  readonly kind: 'label'
}

export interface Region extends Span {
  readonly kind: 'region'
  /** Token of the text after REGION, -1 if none. */
  readonly name: number
  readonly body: readonly Statement[]
}

/** A lone `;`. */
export interface Empty extends Span {
  readonly kind: 'empty'
}

/** Tokens that are not a statement; a diagnostic reports them. */
export interface Faulty extends Span {
  readonly kind: 'faulty'
  /** The part of it that could be parsed. */
  readonly expression: Expression | undefined
}

export type Statement =
  | Assignment
  | CallStatement
  | If
  | Case
  | For
  | While
  | Repeat
  | Exit
  | Continue
  | Return
  | Goto
  | Label
  | Region
  | Empty
  | Faulty

export interface SyntaxTree {
  readonly tokens: TokenList
  readonly statements: readonly Statement[]
}

// ── Diagnostics ─────────────────────────────────────────────────────────────────────────────────────────────────────

/** Stable codes of the parser's diagnostics. */
export type SyntaxCode =
  /** The lexer guessed: an open string, comment or name, a character outside the language. */
  | 'scl-token'
  /** Another token is expected. */
  | 'scl-expected'
  | 'scl-missing-semicolon'
  | 'scl-missing-expression'
  | 'scl-not-a-statement'
  /** `IF` without `END_IF` and similar. */
  | 'scl-unclosed'
  /** `END_IF` without `IF` and similar. */
  | 'scl-stray-end'
  | 'scl-too-deep'
  /** There are more faults than the list contains. */
  | 'scl-too-many-faults'

/** A fault at `start .. end` (offsets in UTF-16 code units of the text). */
export interface SyntaxDiagnostic {
  readonly code: SyntaxCode
  readonly message: string
  readonly start: number
  readonly end: number
}

// ── Text of nodes ───────────────────────────────────────────────────────────────────────────────────────────────────

/** Returns the exact source of a node. */
export function sourceOf(tokens: TokenList, { start, end }: Span): string {
  return tokens.text.slice(tokens.start[start], tokens.start[end])
}

/** Returns the name in a token, without `#` and quotes. */
export function nameOf(tokens: TokenList, token: number): string {
  let from = tokens.start[token] as number
  let to = tokens.start[token + 1] as number
  const kind = tokens.kind[token]
  if (kind === TokenKind.LocalName) from++
  // An open name ends with its line, so the closing quote may be absent.
  if (tokens.text.charCodeAt(from) === 34) {
    from++
    if (to > from && tokens.text.charCodeAt(to - 1) === 34) to--
  }
  return tokens.text.slice(from, to)
}
