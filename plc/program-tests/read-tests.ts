/** Reads `*.test.yml`. Faults have line and column, and say what is allowed. */
import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, type YAMLMap } from 'yaml'
import { nearest } from '../../lib/nearest.ts'
import { defined } from '../../lib/optional.ts'
import { tooDeepInYaml, yamlTooDeep } from '../../lib/yaml-depth.ts'
import { LineIndex } from '../model/fault.ts'
import { durationOf } from './durations.ts'
import type {
  Assignment,
  Comparison,
  Condition,
  Duration,
  Expected,
  TestCase,
  TestFault,
  TestFile,
  TestPlace,
  TestStep,
  TestValue,
} from './model.ts'
import * as schema from './test-schema.ts'

// What is allowed is said in one place, for editors too.
const fileFields = Object.keys(schema.fileFields)
const caseFields = Object.keys(schema.caseFields)
const stepFields = Object.keys(schema.stepFields)
const expectFields = Object.keys(schema.comparisonFields)
const limitFields = Object.keys(schema.limitFields)
const connectionFields = Object.keys(schema.connectionFields)
const comparisons: readonly string[] = ['<', '<=', '>', '>=']

export const defaultCycle = 10_000_000n
export const defaultMaxCycles = 1_000_000
export const defaultMaxSeconds = 30
const mostCases = 100_000

export interface ReadTests {
  /** Absent when the file has faults. */
  readonly file?: TestFile
  readonly faults: readonly TestFault[]
}

/**
 * Reads the text of a test file.
 * @param path as messages name the file
 */
export function readTests(path: string, text: string): ReadTests {
  return new TestReader(path, text).read()
}

type Row = ReadonlyMap<string, unknown>

class TestReader {
  readonly #lines = new LineCounter()
  readonly #faults: TestFault[] = []
  readonly #path: string
  readonly #text: string
  /** Cases so far, for those that go on from them. */
  readonly #known = new Map<string, TestCase>()
  /** The row of the table whose values take the places of `${name}`. */
  #row: Row | undefined

  constructor(path: string, text: string) {
    this.#path = path
    this.#text = text
  }

  read(): ReadTests {
    const deep = tooDeepInYaml(this.#text)
    if (deep !== undefined) {
      const place = new LineIndex(this.#text).at(deep)
      return { faults: [{ file: this.#path, ...place, message: `${yamlTooDeep}.` }] }
    }
    const document = parseDocument(this.#text, { lineCounter: this.#lines, prettyErrors: false, intAsBigInt: true })
    for (const { pos, message } of [...document.errors, ...document.warnings])
      this.#faultAt(pos[0], `${message.replace(/\.$/, '')}.`)
    if (this.#faults.length > 0) return { faults: this.#faults }
    const root = document.contents
    if (!isMap(root)) {
      this.#fault(root as Node | null, `this is no mapping; allowed are the fields ${fileFields.join(', ')}.`)
      return { faults: this.#faults }
    }
    const file = this.#file(root)
    return this.#faults.length > 0 ? { faults: this.#faults } : { file, faults: [] }
  }

  #file(root: YAMLMap): TestFile {
    const fields = this.#fields(root, 'a test file', fileFields)
    const block = fields.get('block')
    const program = fields.get('program')
    const controllers = fields.get('controllers')
    if ([block, program, controllers].filter((one) => one !== undefined).length !== 1)
      this.#fault(
        root,
        'a test file has either `block: <name of an FB, FC or OB>`, `program: true`, or `controllers: { name: folder }`.',
      )
    if (program && this.#plain(program) !== true) this.#fault(program, '"program" is true: the whole program runs.')
    const name = block === undefined ? undefined : this.#oneText(block, 'block')
    const limits = this.#fields(fields.get('limits'), '"limits"', limitFields)
    const common = this.#texts(fields.get('tags'), 'tags')
    const cycle = fields.get('cycle')
    const time = cycle === undefined ? defaultCycle : this.#time(cycle, 'cycle')
    const cases = fields.get('cases')
    if (!isSeq(cases) || cases.items.length === 0) this.#fault(cases ?? root, '"cases" is a list of at least one case.')
    const found = isSeq(cases) ? cases.items.flatMap((one) => this.#remembered(this.#cases(one as Node, common))) : []
    if (found.length > mostCases) this.#fault(cases, `a file has at most ${mostCases} cases.`)
    this.#distinct(found)
    return {
      path: this.#path,
      ...defined({
        block: name?.replace(/^"(.*)"$/, '$1'),
        controllers: controllers && this.#controllers(controllers),
      }),
      connections: this.#connections(fields.get('connect'), controllers !== undefined),
      place: this.#place(block ?? root),
      cycle: time === undefined || time <= 0n ? defaultCycle : time,
      stubs: this.#files(fields.get('stubs')),
      maxCycles: this.#number(limits.get('cycles'), 'cycles') ?? defaultMaxCycles,
      maxWallMs: (this.#number(limits.get('seconds'), 'seconds') ?? defaultMaxSeconds) * 1000,
      cases: found,
    }
  }

  #controllers(node: Node): { name: string; folder: string; place: TestPlace }[] {
    const found = this.#entries(node, '"controllers"').flatMap(([name, key, value]) => {
      const folder = value === null ? undefined : this.#oneText(value, 'controllers')
      if (/[/"]/.test(name)) this.#fault(key, 'the name of a controller has neither / nor quotes.')
      return folder === undefined ? [] : [{ name, folder, place: this.#place(key) }]
    })
    if (found.length === 0) this.#fault(node, '"controllers" is a mapping of names to folders: { line: PLC_1 }.')
    return found
  }

  #connections(node: Node | undefined, isAllowed: boolean): { from: string; to: string; place: TestPlace }[] {
    if (node === undefined) return []
    if (!isAllowed) this.#fault(node, '"connect" needs "controllers".')
    if (!isSeq(node)) this.#fault(node, '"connect" is a list of { from: line/Done, to: store/Start }.')
    return (isSeq(node) ? (node.items as Node[]) : []).map((one) => {
      const fields = this.#fields(one, 'a connection', connectionFields)
      const end = (name: string) => {
        const value = fields.get(name)
        if (value === undefined)
          this.#fault(one, `a connection needs "${name}": a variable with its controller, line/Done.`)
        return value === undefined ? '' : (this.#oneText(value, name) ?? '')
      }
      return { from: end('from'), to: end('to'), place: this.#place(one) }
    })
  }

  #distinct(cases: readonly TestCase[]): void {
    const names = new Set<string>()
    for (const { name, place } of cases) {
      if (names.has(name))
        this.#faults.push({ file: this.#path, ...place, message: `there are two cases "${name}" in the file.` })
      names.add(name)
    }
  }

  #remembered(cases: TestCase[]): TestCase[] {
    for (const one of cases) this.#known.set(one.name, one)
    return cases
  }

  /** One case, or one for each row of its table. */
  #cases(node: Node, common: readonly string[]): TestCase[] {
    const fields = this.#fields(node, 'a case', caseFields)
    const table = fields.get('table')
    if (table === undefined) return [this.#case(node, fields, common)]
    if (!isSeq(table) || table.items.length === 0) {
      this.#fault(table, '"table" is a list of rows, each a mapping of names to values.')
      return []
    }
    return table.items.flatMap((item, i) => {
      const row = new Map<string, unknown>()
      for (const [name, , value] of this.#entries(item as Node, 'a row of "table"'))
        row.set(name, this.#json(value as Node))
      const faults = this.#faults.length
      this.#row = row
      const read = this.#case(node, fields, common)
      this.#row = undefined
      // The same fault in each row is one fault.
      if (this.#faults.length > faults && i > 0) this.#faults.length = Math.max(faults, 1)
      const own = fields.get('name')
      const isNamed = isScalar(own) && String(own.value).includes('${')
      return [isNamed ? read : { ...read, name: `${read.name} [${i + 1}]` }]
    })
  }

  #case(node: Node, fields: ReadonlyMap<string, Node>, common: readonly string[]): TestCase {
    const name = fields.get('name')
    if (name === undefined) this.#fault(node, 'a case needs a name.')
    const before = this.#before(fields.get('after'))
    return {
      name: name === undefined ? '' : (this.#oneText(name, 'name') ?? ''),
      tags: [...new Set([...common, ...this.#texts(fields.get('tags'), 'tags')])],
      place: this.#place(node),
      given: [...(before?.given ?? []), ...this.#assignments(fields.get('given'), 'given')],
      steps: [...(before?.steps ?? []), ...this.#steps(node, fields)],
    }
  }

  /** The `steps` of a case, or what its `when` and `then` say. Where those do not say how long it runs: one cycle. */
  #steps(node: Node, fields: ReadonlyMap<string, Node>): TestStep[] {
    const [steps, when, then] = ['steps', 'when', 'then'].map((name) => fields.get(name))
    if (!when && !then) {
      if (isSeq(steps) && steps.items.length > 0) return steps.items.map((one) => this.#step(one as Node))
      this.#fault(steps ?? node, '"steps" is a list of at least one step; a case may have "when" and "then" instead.')
      return []
    }
    if (steps) this.#fault(steps, 'a case has either "steps", or "when" and "then".')
    if (!then) this.#fault(when, '"when" needs "then": what must be true afterwards.')
    const acts = this.#stepsOf(when, 'set')
    const [first, ...others] = this.#stepsOf(then, 'expect')
    if (!first) return acts
    const lasts = [...acts, first, ...others].some(({ run, within, stimulus }) => run || within || stimulus)
    return [...acts, lasts ? first : { ...first, run: { cycles: 1 } }, ...others]
  }

  /** A step, a list of steps, or the variables of one whose only field is `field`. */
  #stepsOf(node: Node | undefined, field: 'set' | 'expect'): TestStep[] {
    if (node === undefined) return []
    if (isSeq(node)) {
      if (node.items.length === 0) this.#fault(node, 'the list has no step.')
      return node.items.flatMap((one) => this.#stepsOf(one as Node, field))
    }
    const names = isMap(node) ? node.items.map(({ key }) => this.#keyOf(key as Node)) : []
    if (names.some((name) => stepFields.includes(name))) return [this.#step(node)]
    const place = this.#place(node)
    return field === 'set'
      ? [{ place, set: this.#assignments(node, 'when'), events: [], expect: [], never: [] }]
      : [{ place, set: [], events: [], expect: this.#conditions(node, 'then'), never: [] }]
  }

  /** The case whose steps come first. */
  #before(node: Node | undefined): TestCase | undefined {
    if (node === undefined) return undefined
    const name = this.#oneText(node, 'after')
    const found = name === undefined ? undefined : this.#known.get(name)
    if (name !== undefined && !found) {
      const near = nearest(name, this.#known.keys())
      this.#fault(node, `no case "${name}" stands before this one${near ? `; do you mean "${near}"?` : '.'}`)
    }
    return found
  }

  #step(node: Node): TestStep {
    const fields = this.#fields(node, 'a step', stepFields)
    const names = ['stimulus', 'run', 'within', 'never', 'expect', 'event', 'wait'] as const
    const [stimulus, run, within, never, expect, event, wait] = names.map((name) => fields.get(name))
    if (isMap(node) && node.items.length === 0) this.#fault(node, `a step needs one of ${stepFields.join(', ')}.`)
    if (within && !expect) this.#fault(within, '"within" needs "expect": what becomes true in that time.')
    if (never && !run && !within && !stimulus) this.#fault(never, '"never" needs "run", "within" or "stimulus".')
    const file = stimulus && this.#oneText(stimulus, 'stimulus')
    return {
      place: this.#place(node),
      set: this.#assignments(fields.get('set'), 'set'),
      events: this.#files(event, 'event').map(({ file: block, place }) => ({ block, place })),
      ...defined({
        stimulus: file === undefined || !stimulus ? undefined : { file, place: this.#place(stimulus) },
        run: run && this.#duration(run),
        within: within && this.#time(within, 'within'),
        wait: wait && this.#time(wait, 'wait'),
      }),
      expect: this.#conditions(expect, 'expect'),
      never: isSeq(never)
        ? never.items.map((one) => this.#conditions(one as Node, 'never'))
        : never
          ? [this.#conditions(never, 'never')]
          : [],
    }
  }

  #assignments(node: Node | undefined, field: string): Assignment[] {
    if (node === undefined) return []
    return this.#entries(node, `"${field}"`).map(([path, key, value]) => {
      return { path, value: this.#json(value), place: this.#place(key) }
    })
  }

  #conditions(node: Node | undefined, field: string): Condition[] {
    if (node === undefined) return []
    const found = this.#entries(node, `"${field}"`)
    if (isMap(node) && found.length === 0) this.#fault(node, `"${field}" is a mapping of variables to values.`)
    return found.map(([path, key, value]) => ({ path, expected: this.#expected(value, key), place: this.#place(key) }))
  }

  #expected(node: Node | null, key: Node): Expected {
    if (!isMap(node)) {
      const value = this.#json(node)
      const [, operator, rest = ''] = typeof value === 'string' ? (/^(<=|>=|<>|<|>)\s*(.+)$/s.exec(value) ?? []) : []
      if (operator === undefined) return { kind: 'equal', value }
      const limit = plainValue(rest.trim())
      return operator === '<>'
        ? { kind: 'not', value: limit }
        : { kind: 'compare', operator: operator as Comparison, value: limit }
    }
    const names = node.items.map((one) => this.#keyOf(one.key as Node))
    // A mapping without words of a comparison is a structure with some of its members.
    if (!names.some((name) => expectFields.includes(name))) return { kind: 'equal', value: this.#json(node) }
    const fields = this.#fields(node, 'a comparison', expectFields)
    const value = (name: string) => this.#json(fields.get(name) ?? null)
    const [kind = ''] = names.filter((name) => name !== 'by')
    const isPair = names.length === 2 && fields.has('near') && fields.has('by')
    if (isPair) return { kind: 'near', value: value('near'), by: value('by') }
    if (names.length !== 1 || kind === 'near' || kind === '')
      this.#fault(
        key,
        'a comparison is { near: value, by: tolerance } or one of is, not, between, oneOf, <, <=, >, >=.',
      )
    if (comparisons.includes(kind)) return { kind: 'compare', operator: kind as Comparison, value: value(kind) }
    if (kind === 'not') return { kind: 'not', value: value('not') }
    const list = value(kind)
    if (kind === 'between') {
      if (!Array.isArray(list) || list.length !== 2)
        this.#fault(fields.get(kind), '"between" is a list of the lowest and the highest value: [1, 5].')
      const [low = null, high = null] = Array.isArray(list) ? (list as TestValue[]) : []
      return { kind: 'between', low, high }
    }
    if (kind === 'oneOf') {
      if (!Array.isArray(list)) this.#fault(fields.get(kind), '"oneOf" is a list of values.')
      return { kind: 'oneOf', values: Array.isArray(list) ? (list as TestValue[]) : [] }
    }
    return { kind: 'equal', value: list }
  }

  #duration(node: Node): Duration | undefined {
    const text = this.#shown(node)
    const cycles = /^(\d{1,9})\s*cycles?$/i.exec(text.trim())?.[1]
    if (cycles !== undefined) return { cycles: Number(cycles) }
    const nanoseconds = durationOf(text)
    if (nanoseconds !== undefined) return { nanoseconds }
    this.#fault(
      node,
      `${shownOf(node, text)} is no "run": allowed are cycles (3 cycles) and virtual time (T#5s, T#1m30s, T#500ms).`,
    )
    return undefined
  }

  #time(node: Node, field: string): bigint | undefined {
    const text = this.#shown(node)
    const found = durationOf(text)
    if (found === undefined || found <= 0n)
      this.#fault(
        node,
        `${shownOf(node, text)} is no "${field}": allowed is a time above zero: T#2s, T#500ms, LT#100us.`,
      )
    return found
  }

  #number(node: Node | undefined, field: string): number | undefined {
    if (node === undefined) return undefined
    const value = Number(this.#plain(node))
    if (value > 0 && value <= 1e9 && (field !== 'cycles' || Number.isInteger(value))) return value
    this.#fault(node, `"${field}" is a number from ${field === 'cycles' ? 1 : 'above 0'} to 1000000000.`)
    return undefined
  }

  #files(node: Node | undefined, field = 'stubs'): { file: string; place: TestPlace }[] {
    const list = isSeq(node) ? (node.items as Node[]) : node === undefined ? [] : [node]
    return list.flatMap((one) => {
      const file = this.#oneText(one, field)
      return file === undefined ? [] : [{ file, place: this.#place(one) }]
    })
  }

  #texts(node: Node | undefined, field: string): string[] {
    if (node === undefined) return []
    const list = isSeq(node) ? (node.items as Node[]) : [node]
    return list.flatMap((one) => this.#oneText(one, field) ?? [])
  }

  #oneText(node: Node, field: string): string | undefined {
    const value = this.#plain(node)
    if (typeof value === 'string' && value.trim() !== '') return value
    if (typeof value === 'number' || typeof value === 'bigint') return String(value)
    this.#fault(node, `"${field}" is a text.`)
    return undefined
  }

  /** The value of a scalar as text; lists and mappings as they are written. */
  #shown(node: Node): string {
    return isScalar(node) ? String(this.#plain(node)) : this.#text.slice(node.range?.[0], node.range?.[1]).trim()
  }

  /** The value of a scalar with the values of the row. */
  #plain(node: Node | null): unknown {
    if (!isScalar(node)) return undefined
    const { value } = node
    if (typeof value !== 'string' || this.#row === undefined) return value
    return this.#filled(value, node)
  }

  #filled(text: string, node: Node): unknown {
    const row = this.#row
    if (row === undefined || !text.includes('${')) return text
    const of = (name: string): unknown => {
      if (row.has(name)) return row.get(name)
      const near = nearest(name, row.keys())
      this.#fault(
        node,
        `the table has no column "${name}"; ${near ? `do you mean "${near}"?` : `it has ${[...row.keys()].join(', ')}.`}`,
      )
      return ''
    }
    const whole = /^\$\{([^}]+)\}$/.exec(text)?.[1]
    if (whole !== undefined) return of(whole.trim())
    return text.replace(/\$\{([^}]+)\}/g, (_all, name: string) => {
      const value = of(name.trim())
      return typeof value === 'object' ? JSON.stringify(value) : String(value)
    })
  }

  #json(node: Node | null): TestValue {
    if (isMap(node))
      return Object.fromEntries(
        node.items.map(({ key, value }) => [this.#keyOf(key as Node), this.#json(value as Node | null)]),
      )
    if (isSeq(node)) return node.items.map((one) => this.#json(one as Node))
    if (isAlias(node)) {
      this.#fault(node, 'aliases are not allowed here: write the value.')
      return null
    }
    const value = this.#plain(node)
    // Whole numbers beyond those of JSON stay exact as texts.
    if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value)
    return (value ?? null) as TestValue
  }

  #keyOf(key: Node): string {
    const text = isScalar(key) ? String(key.value) : String(key)
    const filled = this.#filled(text, key)
    return typeof filled === 'string' ? filled : String(filled)
  }

  #entries(node: Node | null, what: string): [name: string, key: Node, value: Node | null][] {
    if (!isMap(node)) {
      this.#fault(node, `${what} is a mapping of names to values.`)
      return []
    }
    return node.items.map(({ key, value }) => [this.#keyOf(key as Node), key as Node, value as Node | null])
  }

  /** The known fields of a mapping that have a value. */
  #fields(node: Node | null | undefined, what: string, allowed: readonly string[]): Map<string, Node> {
    const found = new Map<string, Node>()
    if (node === undefined) return found
    for (const [name, key, value] of this.#entries(node, what)) {
      if (!allowed.includes(name)) {
        const near = nearest(name, allowed)
        this.#fault(
          key,
          `${what} has no field "${name}"; ${near ? `do you mean "${near}"?` : ''} allowed are ${allowed.join(', ')}.`,
        )
      } else if (value === null || (isScalar(value) && value.value === null))
        this.#fault(key, `"${name}" has no value.`)
      else found.set(name, value)
    }
    return found
  }

  #place(node: Node | null | undefined): TestPlace {
    const { line, col } = this.#lines.linePos(node?.range?.[0] ?? 0)
    return { line: Math.max(1, line), column: Math.max(1, col) }
  }

  #fault(node: Node | null | undefined, message: string): void {
    this.#faultAt(node?.range?.[0] ?? 0, message)
  }

  #faultAt(offset: number, message: string): void {
    const { line, col } = this.#lines.linePos(offset)
    const place = { line: Math.max(1, line), column: Math.max(1, col) }
    this.#faults.push({ file: this.#path, ...place, message: message.replaceAll('  ', ' ') })
  }
}

/** What is where a text is wanted. */
function shownOf(node: Node, text: string): string {
  if (isScalar(node)) return `"${text}"`
  return isSeq(node) ? 'a list' : 'a mapping'
}

/** A text as YAML would read it: a number, TRUE or FALSE, else the text. */
export function plainValue(text: string): TestValue {
  if (/^(true|false)$/i.test(text)) return text.toLowerCase() === 'true'
  if (/^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(text)) {
    const value = Number(text)
    return Number.isInteger(value) && !Number.isSafeInteger(value) ? text : value
  }
  return text
}
