/**
 * Which types each operator accepts, in which type it calculates, and how the sides are converted to it; and what each
 * type becomes when it is assigned or converted by name (docs/plc-semantics.md#arithmetic, #implicit-conversion,
 * #explicit-conversion). The tables are in `plc/compiler/fixtures`; `UPDATE_SNAPSHOTS=1` writes them again.
 */
import { test } from 'node:test'
import type { Expression } from '../../ir/ir.ts'
import { DbAny, scalarNamed, scalarTypes } from '../../program/scalars.ts'
import type { ScalarType } from '../../program/type.ts'
import { expressionText } from '../../testing/ir-text.ts'
import { isAsRecorded } from '../../testing/recorded-programs.ts'
import { sclProgram } from '../../testing/runtime.ts'
import { assign } from './assignments.ts'
import { BlockContext } from './block-context.ts'
import { findInstruction } from './instructions.ts'
import { arithmetic, comparison, logic, power, unary } from './operators.ts'
import type { Operand, Side, Variable } from './values.ts'

const hardware = ['HW_ANY', 'EVENT_ANY'].flatMap((name) => scalarNamed(name) ?? [])
const types = [...scalarTypes.slice(0, scalarTypes.indexOf(DbAny) + 1), ...hardware]

const shortNames: Readonly<Record<string, string>> = { Time_Of_Day: 'TOD', LTime_Of_Day: 'LTOD' }
const nameOf = ({ name }: ScalarType) => shortNames[name] ?? name
const spoken = ({ name }: ScalarType) => (shortNames[name] ?? name).toUpperCase()

const at = { line: 1, column: 1 } as Side['at']

function side(type: ScalarType, offset: number): Side & { readonly operand: Variable } {
  const place = { base: { kind: 'instance' }, offset, indices: [], isStandard: false } as const
  return { operand: { kind: 'variable', type, at: { kind: 'place', place }, text: `#v${offset}` }, at }
}

function contextOf(isIecCheckOn: boolean): BlockContext {
  const { program, main } = sclProgram({ members: {}, body: '', isIecCheckOn, setsEno: true })
  return new BlockContext(program, main)
}

/**
 * The conversions of a value, the last one first: `v` by its value, `b` its bits, `r` rounded, `s` from milliseconds to
 * nanoseconds, `?` when it sets ENO; `=`: none. Undefined: it is something else.
 */
function waysOf(expression: Expression): string | undefined {
  if (expression.kind === 'load') return '='
  if (expression.kind === 'binary' && expression.operator === 'multiply' && expression.right.kind === 'constant')
    return expression.right.value === 1_000_000n && waysOf(expression.left) === 'v' ? 's' : undefined
  if (expression.kind !== 'convert') return undefined
  const inner = waysOf(expression.operand)
  return inner && `${expression.mode[0]}${expression.setsEno ? '?' : ''}${inner === '=' ? '' : inner}`
}

/** The cells of a table by row and column. What is too long for a cell is below. */
class Table {
  readonly #title: string
  readonly #rows = new Map<string, Map<string, string>>()

  constructor(title: string, cell: (a: ScalarType, b: ScalarType) => string) {
    this.#title = title
    for (const a of types) this.#rows.set(nameOf(a), new Map(types.map((b) => [nameOf(b), cell(a, b)])))
  }

  text(): string {
    const notes: string[] = []
    const short = (cell: string) => {
      if (cell.length < 10) return cell
      const known = notes.indexOf(cell)
      return `(${known >= 0 ? known + 1 : notes.push(cell)})`
    }
    const line = (head: string, cells: readonly string[]) =>
      (head.padEnd(10) + cells.map((cell) => cell.padEnd(10)).join('')).trimEnd()
    const rows = [...this.#rows].map(([head, cells]) => line(head, [...cells.values()].map(short)))
    const below = notes.map((note, i) => `  (${i + 1}) ${note}`)
    return [this.#title, line('', types.map(nameOf)), ...rows, ...below, ''].join('\n')
  }

  /** Only the cells that differ from those of another table. */
  differences(other: Table, what: string): string {
    const rows = [...this.#rows].flatMap(([head, cells]) => {
      const groups = new Map<string, string[]>()
      for (const [column, cell] of cells)
        if (cell !== other.#rows.get(head)?.get(column)) groups.set(cell, [...(groups.get(cell) ?? []), column])
      return [...groups].map(([cell, columns]) => `${head.padEnd(10)}${columns.join(' ')}: ${cell}`)
    })
    return [`${this.#title}: as ${what}${rows.length === 0 ? '' : ' except'}`, ...rows, ''].join('\n')
  }
}

function refused(context: BlockContext): string {
  const codes = context.diagnostics.splice(0).map(({ code, severity }) => (severity === 'error' ? code : `${code}!`))
  return codes.length > 0 && codes.every((code) => /^(wrong-operand|type-mismatch)$/.test(code)) ? '.' : codes.join()
}

const shortened = (expression: Expression) =>
  expressionText(expression).replaceAll('LTime_Of_Day', 'LTOD').replaceAll('Time_Of_Day', 'TOD')

/** The type of the operation, and how each side is converted; a dot: refused. */
function cellOf(context: BlockContext, result: Operand): string {
  const fault = refused(context)
  if (result.kind !== 'result') return fault === '.' ? '.' : `${result.kind} ${fault}`
  const { expression } = result
  const warnings = fault === '' ? '' : ` ${fault}`
  const sides =
    expression.kind === 'binary'
      ? [expression.left, expression.right]
      : expression.kind === 'routine'
        ? expression.arguments
        : []
  const ways = sides.map(waysOf)
  if (expression.kind === 'binary' || expression.kind === 'routine')
    if (ways.every((way) => way !== undefined) && expression.type !== 'address')
      return `${nameOf(expression.type)}${ways.join('') === '==' ? '' : ` ${ways.join('/')}`}${warnings}`
  const text = shortened(expression).replaceAll(' this+0', ' a').replaceAll(' this+100', ' b')
  return `${nameOf(result.type)} ${text}${warnings}`
}

const operators = {
  '+': arithmetic,
  '-': arithmetic,
  '*': arithmetic,
  '/': arithmetic,
  MOD: arithmetic,
  '**': (context: BlockContext, _operator: unknown, a: Side, b: Side) => power(context, a, b, at),
  AND: logic,
  '=': comparison,
  '<': comparison,
} as const

function operatorTable(operator: keyof typeof operators, isIecCheckOn: boolean): Table {
  const apply = operators[operator] as typeof arithmetic
  return new Table(`== a ${operator} b, IEC check ${isIecCheckOn ? 'on' : 'off'}: rows a, columns b`, (a, b) => {
    const context = contextOf(isIecCheckOn)
    return cellOf(context, apply(context, operator as '+', side(a, 0), side(b, 100), at))
  })
}

function unaryTable(isIecCheckOn: boolean): string {
  const context = contextOf(isIecCheckOn)
  const rows = types.map((type) => {
    const cells = (['-', '+', 'NOT'] as const).map((operator) => {
      const result = unary(context, operator, side(type, 0), at)
      const fault = refused(context)
      return result.kind === 'result' ? expressionText(result.expression).replaceAll(' this+0', ' a') : fault
    })
    return `${nameOf(type).padEnd(9)}${cells.map((cell) => cell.padEnd(34)).join('')}`.trimEnd()
  })
  return [`== -a, +a, NOT a, IEC check ${isIecCheckOn ? 'on' : 'off'}`, ...rows, ''].join('\n')
}

/** A conversion: its way, `?` when it sets ENO. */
function conversionOf(expression: Expression): string {
  if (expression.kind === 'load') return '='
  if (expression.kind === 'convert' && expression.operand.kind === 'load')
    return `${expression.mode}${expression.setsEno ? '?' : ''}`
  return shortened(expression).replaceAll(' this+100', ' a')
}

function assignmentTable(isIecCheckOn: boolean): Table {
  const context = contextOf(isIecCheckOn)
  return new Table(
    `== a := b, IEC check ${isIecCheckOn ? 'on' : 'off'}: rows b, columns a; !: with a warning`,
    (b, a) => {
      const [statement] = assign(context, side(a, 0).operand, side(b, 100).operand, at, at)
      const fault = refused(context)
      if (statement?.kind !== 'store') return fault
      const way = conversionOf(statement.value)
      return fault === '' ? way : fault === 'lossy-conversion!' ? `${way}!` : `${way} ${fault}`
    },
  )
}

/** Conversions by name: `INT_TO_REAL` of an Int. */
function namedTable(): Table {
  const context = contextOf(true)
  return new Table('== a_TO_b(a): rows a, columns b; -: there is no such name', (a, b) => {
    const name = `${spoken(a)}_TO_${spoken(b)}`
    const instruction = findInstruction(name)
    if (!instruction) return '-'
    const { operand } = side(a, 100)
    const { value, statements } = instruction({ context, name, arguments: [{ isOutput: false, operand, at }], at })
    const fault = refused(context)
    if (value?.kind !== 'result')
      return fault === 'no-conversion' ? '.' : `${fault} ${statements.length} statements, ${value?.kind ?? ''}`
    return conversionOf(value.expression) + fault
  })
}

/** ROUND and its like, of each type to each type. */
function roundingTable(): string {
  const rows = ['ROUND', 'TRUNC', 'CEIL', 'FLOOR'].flatMap((name) =>
    ['', '_REAL', '_LREAL', '_SINT', '_UINT', '_LINT', '_WORD', '_TIME'].map((suffix) => {
      const context = contextOf(false)
      const cells = types.map((type) => {
        const instruction = findInstruction(name + suffix)
        if (!instruction) return '-'
        const { operand } = side(type, 100)
        const { value } = instruction({ context, name, arguments: [{ isOutput: false, operand, at }], at })
        const fault = refused(context)
        return value?.kind === 'result' ? `${nameOf(type)} ${conversionOf(value.expression)}${fault}` : ''
      })
      return `${(name + suffix).padEnd(12)} ${cells.filter(Boolean).join(', ')}`
    }),
  )
  return ['== ROUND, TRUNC, CEIL, FLOOR of a type: how; others are refused', ...rows, ''].join('\n')
}

test('operators accept the types of the table, and convert their sides as it says', () => {
  const names = Object.keys(operators) as (keyof typeof operators)[]
  const off = new Map(names.map((operator) => [operator, operatorTable(operator, false)]))
  const like: Readonly<Partial<Record<keyof typeof operators, keyof typeof operators>>> = {
    '-': '+',
    '/': '*',
    MOD: '*',
    '<': '=',
  }
  const text = [
    ...[...off].map(([operator, table]) => {
      const other = like[operator]
      return other ? table.differences(off.get(other) as Table, `a ${other} b`) : table.text()
    }),
    unaryTable(false),
    ...[...off].map(([operator, table]) => operatorTable(operator, true).differences(table, 'without it')),
    unaryTable(true),
  ].join('\n')
  isAsRecorded('tables/operators.txt', text)
})

test('assignments and conversions by name accept the types of the table, and convert as it says', () => {
  const text = [
    assignmentTable(false).text(),
    assignmentTable(true).differences(assignmentTable(false), 'without it'),
    namedTable().text(),
    roundingTable(),
  ].join('\n')
  isAsRecorded('tables/conversions.txt', text)
})
