/**
 * A small interpreter of the SCL that phase blocks are made of: declarations, assignments, IF, CASE, REGION and
 * expressions. It reads the generated text and nothing else, so that a test proves what the text does.
 * It refuses everything it does not know: undeclared names, unknown types, mixed data types.
 */

/** A value: Bool, an integer or a duration in ms (bigint), a floating-point number, a text. */
export type Value = boolean | bigint | number | string
type Struct = { [member: string]: Value | Struct }

interface Token {
  readonly text: string
  readonly kind: 'word' | 'quoted' | 'number' | 'typed' | 'text' | 'symbol' | 'end'
}

type Reader = (memory: Struct) => Value
type Statement = (memory: Struct) => void

const TOKEN =
  /(?<skip>\s+|\/\/[^\n]*|\{[^}]*\})|(?<typed>[A-Za-z_]+#(?:'(?:\$.|[^$'])*'|[0-9A-Za-z_#.:+-]+))|(?<number>(?:16|8|2)#[0-9A-Fa-f_]+|[0-9][0-9_]*(?:\.[0-9]+)?(?:E[+-]?[0-9]+)?)|(?<word>[A-Za-z_][A-Za-z0-9_]*)|"(?<quoted>[^"]*)"|(?<text>'(?:\$.|[^$'])*')|(?<symbol>:=|<>|<=|>=|[-+*/=<>()#.:;[\]])/suy

function tokenize(source: string): Token[] {
  const tokens: Token[] = []
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < source.length) {
    const at = TOKEN.lastIndex
    const groups = TOKEN.exec(source)?.groups
    if (groups === undefined) throw new Error(`cannot read SCL at: ${source.slice(at, at + 40)}`)
    for (const kind of ['typed', 'number', 'word', 'quoted', 'text', 'symbol'] as const) {
      const text = groups[kind]
      if (text !== undefined) tokens.push({ kind, text })
    }
  }
  tokens.push({ kind: 'end', text: '' })
  return tokens
}

const INTEGERS = new Set('BYTE WORD DWORD LWORD SINT INT DINT LINT USINT UINT UDINT ULINT TIME LTIME S5TIME'.split(' '))
const TEXTS = new Set('CHAR WCHAR STRING WSTRING DATE TIME_OF_DAY LTIME_OF_DAY DATE_AND_TIME LDT DTL'.split(' '))

function startValue(type: string): Value {
  const name = type.toUpperCase()
  if (name === 'BOOL') return false
  if (INTEGERS.has(name)) return 0n
  if (name === 'REAL' || name === 'LREAL') return 0
  if (TEXTS.has(name)) return ''
  throw new Error(`no elementary type: ${type}`)
}

/** Binding powers of SCL operators; NOT and signs bind tighter than all of them. */
const POWERS: Record<string, number> = {
  OR: 1,
  XOR: 2,
  AND: 3,
  '=': 4,
  '<>': 4,
  '<': 5,
  '<=': 5,
  '>': 5,
  '>=': 5,
  '+': 6,
  '-': 6,
  '*': 7,
  '/': 7,
  MOD: 7,
}

class Parser {
  #next = 0
  readonly #tokens: readonly Token[]

  constructor(source: string) {
    this.#tokens = tokenize(source)
  }

  get token(): Token {
    return this.#tokens[this.#next]!
  }

  is(text: string): boolean {
    return this.token.kind !== 'quoted' && this.token.kind !== 'text' && this.token.text.toUpperCase() === text
  }

  take(text: string): boolean {
    if (!this.is(text)) return false
    this.#next += 1
    return true
  }

  expect(text: string): void {
    if (!this.take(text)) throw new Error(`expected ${text}, found "${this.token.text}"`)
  }

  name(): string {
    const { kind, text } = this.token
    if (kind !== 'word' && kind !== 'quoted') throw new Error(`expected a name, found "${text}"`)
    this.#next += 1
    return text
  }

  quotedName(): string {
    if (this.token.kind !== 'quoted') throw new Error(`expected a quoted name, found "${this.token.text}"`)
    return this.name()
  }

  skipTo(...words: string[]): void {
    while (!words.some((word) => this.is(word))) {
      if (this.token.kind === 'end') throw new Error(`no ${words.join(' or ')}`)
      this.#next += 1
    }
  }

  skipOne(): void {
    this.#next += 1
  }

  /** Members until `end`, as `name : type;`. */
  members(end: string, types: ReadonlyMap<string, Struct>): Struct {
    const members: Struct = {}
    while (!this.take(end)) {
      const name = this.name()
      if (Object.keys(members).some((other) => other.toLowerCase() === name.toLowerCase()))
        throw new Error(`${name} twice`)
      this.expect(':')
      const start = this.typeValue(types)
      members[name] = this.take(':=') ? this.expression({}, 0)({}) : start
      this.expect(';')
    }
    return members
  }

  typeValue(types: ReadonlyMap<string, Struct>): Value | Struct {
    if (this.token.kind === 'quoted') {
      const name = this.name()
      const type = types.get(name)
      if (type === undefined) throw new Error(`unknown type "${name}"`)
      return structuredClone(type)
    }
    const type = this.name()
    if (this.take('[')) {
      this.skipOne()
      this.expect(']')
    }
    return startValue(type)
  }

  statements(memory: Struct, ...ends: string[]): Statement {
    const list: Statement[] = []
    while (!ends.some((end) => this.is(end)) && !this.atLabel()) list.push(this.statement(memory))
    return (state) => {
      for (const statement of list) statement(state)
    }
  }

  /** A label of CASE: `#NAME:` or a number. */
  atLabel(): boolean {
    return this.token.kind === 'number' || (this.is('#') && this.#tokens[this.#next + 2]?.text === ':')
  }

  statement(memory: Struct): Statement {
    if (this.take('REGION')) {
      // The name of a region runs to the end of its line; the generator uses one word.
      this.name()
      const body = this.statements(memory, 'END_REGION')
      this.expect('END_REGION')
      return body
    }
    if (this.take('IF')) return this.ifStatement(memory)
    if (this.take('CASE')) return this.caseStatement(memory)
    const path = this.path(memory)
    this.expect(':=')
    const read = this.expression(memory, 0)
    this.expect(';')
    const leaf = path.at(-1)!
    return (state) => {
      const owner = path.slice(0, -1).reduce((struct, part) => struct[part] as Struct, state)
      const value = read(state)
      if (typeof value !== typeof owner[leaf]) {
        throw new Error(`${path.join('.')}: a ${typeof value} is assigned to a ${typeof owner[leaf]}`)
      }
      owner[leaf] = value
    }
  }

  ifStatement(memory: Struct): Statement {
    const branches: [Reader, Statement][] = []
    do {
      const condition = this.expression(memory, 0)
      this.expect('THEN')
      branches.push([condition, this.statements(memory, 'ELSIF', 'ELSE', 'END_IF')])
    } while (this.take('ELSIF'))
    const otherwise = this.take('ELSE') ? this.statements(memory, 'END_IF') : () => {}
    this.expect('END_IF')
    this.expect(';')
    return (state) => {
      for (const [condition, body] of branches) {
        const value = condition(state)
        if (typeof value !== 'boolean') throw new Error(`IF with a ${typeof value}`)
        if (value) return body(state)
      }
      otherwise(state)
    }
  }

  caseStatement(memory: Struct): Statement {
    const selector = this.expression(memory, 0)
    this.expect('OF')
    const branches = new Map<bigint, Statement>()
    while (this.atLabel()) {
      const label = this.expression(memory, 0)(memory) as bigint
      this.expect(':')
      if (branches.has(label)) throw new Error(`label ${label} twice`)
      branches.set(label, this.statements(memory, 'ELSE', 'END_CASE'))
    }
    const otherwise = this.take('ELSE') ? this.statements(memory, 'END_CASE') : () => {}
    this.expect('END_CASE')
    this.expect(';')
    return (state) => (branches.get(selector(state) as bigint) ?? otherwise)(state)
  }

  /** `#name.member`: the declared spelling of each part. */
  path(memory: Struct): string[] {
    this.expect('#')
    const parts: string[] = []
    let owner: Value | Struct = memory
    do {
      const name = this.name()
      if (typeof owner !== 'object' || !(name in owner))
        throw new Error(`#${[...parts, name].join('.')} is not declared`)
      parts.push(name)
      owner = owner[name]!
    } while (this.take('.'))
    if (typeof owner === 'object') throw new Error(`#${parts.join('.')} is a structure`)
    return parts
  }

  expression(memory: Struct, power: number): Reader {
    let left = this.operand(memory)
    for (;;) {
      const operator = this.token.text.toUpperCase()
      const own = this.token.kind === 'word' || this.token.kind === 'symbol' ? POWERS[operator] : undefined
      if (own === undefined || own <= power) return left
      this.skipOne()
      const [a, b] = [left, this.expression(memory, own)]
      left = (state) => calculate(operator, a(state), b(state))
    }
  }

  operand(memory: Struct): Reader {
    if (this.is('#')) {
      const path = this.path(memory)
      return (state) => path.reduce<Value | Struct>((struct, part) => (struct as Struct)[part]!, state) as Value
    }
    if (this.take('(')) {
      const inner = this.expression(memory, 0)
      this.expect(')')
      return inner
    }
    if (this.take('NOT')) {
      const operand = this.expression(memory, 8)
      return (state) => {
        const value = operand(state)
        if (typeof value !== 'boolean') throw new Error(`NOT of a ${typeof value}`)
        return !value
      }
    }
    if (this.take('-')) {
      const operand = this.expression(memory, 8)
      return (state) => {
        const value = operand(state)
        return typeof value === 'bigint' ? -value : -(value as number)
      }
    }
    const value = constant(this.token)
    this.skipOne()
    return () => value
  }
}

function constant({ kind, text }: Token): Value {
  if (kind === 'word' && /^true$/i.test(text)) return true
  if (kind === 'word' && /^false$/i.test(text)) return false
  if (kind === 'text') return text
  if (kind === 'number') return numberValue(text)
  if (kind === 'typed') {
    const [, prefix, body] = /^([A-Za-z_]+)#(.*)$/s.exec(text)!
    const name = prefix!.toUpperCase()
    if (/^(T|TIME|LT|LTIME|S5T|S5TIME)$/.test(name)) return duration(body!)
    if (/^(W?STRING|W?CHAR)$/.test(name)) return body!
    if (/^(D|DATE|TOD|DT|LDT|LTOD|DTL|TIME_OF_DAY|DATE_AND_TIME|LTIME_OF_DAY)$/.test(name)) return body!
    if (/^L?REAL$/.test(name)) return Number(body)
    if (name === 'BOOL') return /^(TRUE|1)$/i.test(body!)
    return body!.startsWith('-') ? -(numberValue(body!.slice(1)) as bigint) : numberValue(body!)
  }
  throw new Error(`expected a value, found "${text}"`)
}

function numberValue(text: string): Value {
  const plain = text.replaceAll('_', '')
  const based = /^(16|8|2)#(.+)$/.exec(plain)
  if (based !== null) return BigInt(`${{ 16: '0x', 8: '0o', 2: '0b' }[based[1]!]!}${based[2]}`)
  return /^[0-9]+$/.test(plain) ? BigInt(plain) : Number(plain)
}

function duration(body: string): bigint {
  const units: Record<string, number> = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000, ms: 1 }
  let total = 0
  for (const [, number, unit] of body.toLowerCase().matchAll(/([0-9.]+)(ms|d|h|m|s)/g))
    total += Number(number) * units[unit!]!
  return BigInt(Math.round(body.startsWith('-') ? -total : total))
}

function calculate(operator: string, left: Value, right: Value): Value {
  const logical = operator === 'AND' || operator === 'OR' || operator === 'XOR'
  if (logical) {
    if (typeof left === 'boolean' && typeof right === 'boolean') {
      return operator === 'AND' ? left && right : operator === 'OR' ? left || right : left !== right
    }
    if (typeof left === 'bigint' && typeof right === 'bigint') {
      return operator === 'AND' ? left & right : operator === 'OR' ? left | right : left ^ right
    }
    throw new Error(`${typeof left} ${operator} ${typeof right}`)
  }
  const mixed = typeof left !== typeof right
  const numbers =
    typeof left !== 'boolean' && typeof right !== 'boolean' && typeof left !== 'string' && typeof right !== 'string'
  if (mixed && !numbers) throw new Error(`${typeof left} ${operator} ${typeof right}`)
  const [a, b] = mixed ? [Number(left), Number(right)] : [left, right]
  switch (operator) {
    case '=':
      return a === b
    case '<>':
      return a !== b
    case '<':
      return a < b
    case '<=':
      return a <= b
    case '>':
      return a > b
    case '>=':
      return a >= b
    default:
      return arithmetic(operator, a, b)
  }
}

function arithmetic(operator: string, a: Value, b: Value): Value {
  if (typeof a === 'bigint' && typeof b === 'bigint') {
    if (operator === '+') return a + b
    if (operator === '-') return a - b
    if (operator === '*') return a * b
    if (b === 0n) return 0n
    return operator === '/' ? a / b : a % b
  }
  if (typeof a === 'number' && typeof b === 'number') {
    if (operator === '+') return a + b
    if (operator === '-') return a - b
    if (operator === '*') return a * b
    if (operator === '/') return a / b
  }
  throw new Error(`${typeof a} ${operator} ${typeof b}`)
}

/** Sections of the interface with the names of their members, in order. */
export interface BlockInterface {
  readonly name: string
  readonly sections: Readonly<Record<string, readonly string[]>>
  /** Type of each member as written. */
  readonly types: Readonly<Record<string, string>>
}

/** One instance of a generated block: members keep their values from scan to scan, as in an instance DB. */
export class BlockInstance {
  readonly interface: BlockInterface
  readonly memory: Struct
  readonly #body: Statement

  /** @param udts sources of the types that the block uses */
  constructor(scl: string, udts: readonly string[]) {
    const types = new Map(udts.map(readType))
    const parser = new Parser(withoutHeaderLines(scl))
    parser.expect('FUNCTION_BLOCK')
    const name = parser.quotedName()
    const sections: Record<string, string[]> = {}
    this.memory = {}
    while (!parser.take('BEGIN')) {
      const keyword = parser.name()
      const section = parser.take('CONSTANT') ? `${keyword} CONSTANT` : keyword
      if (!['VAR_INPUT', 'VAR_OUTPUT', 'VAR', 'VAR CONSTANT'].includes(section)) throw new Error(`section ${section}`)
      const members = parser.members('END_VAR', types)
      sections[section] = Object.keys(members)
      Object.assign(this.memory, members)
    }
    this.#body = parser.statements(this.memory, 'END_FUNCTION_BLOCK')
    parser.expect('END_FUNCTION_BLOCK')
    if (parser.token.kind !== 'end') throw new Error('text behind END_FUNCTION_BLOCK')
    const declarations = scl.slice(0, scl.indexOf('\nBEGIN')).matchAll(/^ {6}("?[^":\n]+"?) : ([^;]+);/gm)
    const written = [...declarations].map(([, member, type]) => {
      return [member!.replaceAll('"', ''), type!.replace(/ :=.*/, '')] as const
    })
    this.interface = { name, sections, types: Object.fromEntries(written) }
  }

  /** Runs the block once. */
  scan(): void {
    this.#body(this.memory)
  }

  /** Reads `Active` or `Valve.Open`. */
  get(path: string): Value {
    const [owner, leaf] = this.#owner(path)
    return owner[leaf] as Value
  }

  /** Writes a member; the kind of value must fit the declaration. */
  set(path: string, value: Value): void {
    const [owner, leaf] = this.#owner(path)
    if (typeof owner[leaf] !== typeof value)
      throw new Error(`${path} is a ${typeof owner[leaf]}, not a ${typeof value}`)
    owner[leaf] = value
  }

  #owner(path: string): [Struct, string] {
    const parts = path.split('.')
    const owner = parts.slice(0, -1).reduce((struct, part) => struct[part] as Struct, this.memory)
    return [owner, parts.at(-1)!]
  }
}

/** TITLE, AUTHOR, FAMILY and VERSION have texts of their own syntax to the end of the line. */
function withoutHeaderLines(scl: string): string {
  return scl.replace(/^(TITLE =|AUTHOR :|FAMILY :|VERSION :).*$/gm, '')
}

function readType(scl: string): [string, Struct] {
  const parser = new Parser(withoutHeaderLines(scl))
  parser.expect('TYPE')
  const name = parser.quotedName()
  parser.expect('STRUCT')
  const members = parser.members('END_STRUCT', new Map())
  parser.expect(';')
  parser.expect('END_TYPE')
  return [name, members]
}
