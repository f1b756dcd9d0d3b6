/**
 * The intermediate form as text that a person can check, a statement a line:
 *
 * - `this+4`, `frame+2`, `"Data"+6`, `Q@4.1`, `[address]+0`, `bytes(05 00)+0`: a place; `+` little-endian, `@`
 *   big-endian, the bit after the dot;
 * - `this+4[l0 in 1..5 by 2 ~3:7]`: with an index from 1 to 5, two bytes from one element to the next (`2b`: bits), a
 *   fault at line 3, column 7; `safe`: without a check;
 * - `l3`: a register; `5:Int`: a constant; `Int(a add b)`: the type of the operands before the parentheses; `?` after
 *   an operator: it sets ENO; `=`: exact; `!`: safe;
 * - `~3:7` at the end of a statement: its place in the source, `~2/u21`: network 2, node 21.
 */
import type { BlockCode, Counter, Expression, Place, SafePoint, Site, SourceSite, Statement } from '../ir/ir.ts'
import { scalarNamed } from '../program/scalars.ts'
import type { ScalarType } from '../program/type.ts'
import { typeName } from '../program/type-name.ts'

/** Returns the code of a block, its registers and parameters first. */
export function codeText(code: BlockCode): string {
  return new CodeWriter(code.sites).block(code)
}

/** Returns an expression on one line. */
export function expressionText(expression: Expression): string {
  return new CodeWriter([]).expression(expression)
}

/** The name of a type; lowering makes unsigned variants of signed types. */
function nameOf(type: ScalarType | 'address'): string {
  if (type === 'address') return type
  const { name, isSigned } = type
  return scalarNamed(name)?.isSigned === isSigned ? name : `${isSigned ? 'signed' : 'unsigned'} ${name}`
}

/** Bytes in hexadecimal, many equal ones as `00*200`, texts as they are. */
function hex(bytes: Uint8Array): string {
  const all = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join(' ')
  return all
    .replace(/(?<![0-9a-f])([0-9a-f]{2})(?: \1){8,}/g, (run, one: string) => `${one}*${(run.length + 1) / 3}`)
    .replace(/(?<![0-9a-f*])(?:(?:2[0-9a-f]|[3-6][0-9a-f]|7[0-9a-e])(?: |$)){4,}/g, (run) => {
      const text = Buffer.from(run.replaceAll(' ', ''), 'hex').toString('latin1')
      return `'${text}'${run.endsWith(' ') ? ' ' : ''}`
    })
}

class CodeWriter {
  readonly #sites: readonly SourceSite[]
  readonly #lines: string[] = []

  constructor(sites: readonly SourceSite[]) {
    this.#sites = sites
  }

  block({ name, kind, locals, signature, frameSize, body, isRoutine }: BlockCode): string {
    const list = (all: readonly { name: string; type: BlockCode['locals'][number] }[]) =>
      all.map((one) => `${one.name} : ${nameOf(one.type)}`).join(', ')
    this.#lines.push(
      `${kind} "${name}"(${list(signature.parameters)}) -> (${list(signature.results)})${isRoutine ? ' routine' : ''}`,
      `  frame ${frameSize}`,
    )
    const registers = locals.map((type, i) => `l${i} ${nameOf(type)}`)
    for (let i = 0; i < registers.length; i += 10) this.#lines.push(`  ${registers.slice(i, i + 10).join(', ')}`)
    this.#list(body, '  ')
    return `${this.#lines.join('\n')}\n`
  }

  #list(statements: readonly Statement[], indent: string): void {
    for (const statement of statements) this.#statement(statement, indent)
  }

  #inside(head: string, statements: readonly Statement[], indent: string): undefined {
    this.#lines.push(indent + head)
    this.#list(statements, `${indent}  `)
  }

  #statement(statement: Statement, indent: string): undefined {
    const add = (text: string): undefined => {
      this.#lines.push(indent + text)
    }
    switch (statement.kind) {
      case 'store': {
        const { place, type, value, site } = statement
        return add(`${this.#place(place)} := ${nameOf(type)} ${this.expression(value)}${this.#site(site)}`)
      }
      case 'setLocal':
        return add(`l${statement.local} := ${this.expression(statement.value)}`)
      case 'setEno':
        return add(`ENO := ${this.expression(statement.value)}`)
      case 'copy': {
        const { type, from, to, site } = statement
        return add(`${this.#place(to)} := ${typeName(type)} copy ${this.#place(from)}${this.#site(site)}`)
      }
      case 'clear':
        return add(`clear ${this.#place(statement.place)} size ${statement.size}`)
      case 'routine':
        return add(`routine ${this.#call(statement)}`)
      case 'call': {
        const { block, instance, arguments: given, results, site } = statement
        const to = results.length === 0 ? '' : `${results.map((local) => `l${local}`).join(', ')} := `
        const of = instance ? ` of ${this.expression(instance)}` : ''
        return add(`${to}call "${block}"${of}(${this.#all(given)})${this.#site(site)}`)
      }
      case 'if': {
        const { condition, whenTrue, otherwise, site } = statement
        this.#inside(`if ${this.expression(condition)}${this.#site(site)}`, whenTrue, indent)
        if (otherwise.length > 0) this.#inside('else', otherwise, indent)
        return
      }
      case 'switch': {
        const { selector, type, branches, otherwise, site } = statement
        add(`switch ${nameOf(type)} ${this.expression(selector)}${this.#site(site)}`)
        for (const { ranges, body } of branches)
          this.#inside(`case ${ranges.map(([a, b]) => (a === b ? a : `${a}..${b}`)).join(', ')}`, body, `${indent}  `)
        if (otherwise.length > 0) this.#inside('else', otherwise, `${indent}  `)
        return
      }
      case 'loop': {
        const { label, body, site, counter, atMost, step, rounds, safePoint } = statement
        const facts = [
          counter && this.#counter(counter),
          atMost !== undefined && `at most ${atMost}`,
          step !== undefined && `step ${step}`,
          rounds !== undefined && `rounds l${rounds}`,
        ]
        this.#inside(`${['loop', label, ...facts.filter(Boolean)].join(' ')}${this.#site(site)}`, body, indent)
        return this.#safePoint(safePoint, indent)
      }
      case 'group':
        return this.#inside(`group ${statement.label}`, statement.body, indent)
      case 'leave':
        return add(`leave ${statement.label}`)
      case 'repeat':
        return add(`repeat ${statement.label}`)
      case 'sections':
        add(`sections ${statement.label}`)
        for (const [i, section] of statement.sections.entries()) this.#inside(`section ${i}`, section, `${indent}  `)
        return this.#safePoint(statement.safePoint, indent)
      case 'goto':
        return add(`goto ${statement.label} section ${statement.section}`)
      case 'return':
        return add('return')
    }
    return statement satisfies never
  }

  #counter({ local, from, to, step }: Counter): string {
    return `counter l${local} from ${this.expression(from)} to ${this.expression(to)} by ${step}`
  }

  #safePoint(safePoint: SafePoint | undefined, indent: string): undefined {
    if (!safePoint) return
    this.#inside('before a safe point', safePoint.before, indent)
    this.#inside('after a safe point', safePoint.after, indent)
  }

  #all(expressions: readonly Expression[]): string {
    return expressions.map((one) => this.expression(one)).join(', ')
  }

  #call({
    routine,
    arguments: given,
    setsEno,
  }: Pick<Extract<Statement, { kind: 'routine' }>, 'routine' | 'arguments' | 'setsEno'>) {
    return `${routine}${setsEno ? '?' : ''}(${this.#all(given)})`
  }

  expression(expression: Expression): string {
    switch (expression.kind) {
      case 'constant':
        return `${expression.value}:${nameOf(expression.type)}`
      case 'load':
        return `${nameOf(expression.type)} ${this.#place(expression.place)}`
      case 'local':
        return `l${expression.local}`
      case 'unary':
        return `${nameOf(expression.type)}(${expression.operator}${expression.setsEno ? '?' : ''} ${this.expression(expression.operand)})`
      case 'binary': {
        const { operator, type, left, right, setsEno, isExact, isSafe } = expression
        const marks = `${setsEno ? '?' : ''}${isExact ? '=' : ''}${isSafe ? '!' : ''}`
        return `${nameOf(type)}(${this.expression(left)} ${operator}${marks} ${this.expression(right)})`
      }
      case 'convert': {
        const { from, type, operand, mode, setsEno, isExact } = expression
        return `${nameOf(from)}->${nameOf(type)}(${mode}${setsEno ? '?' : ''}${isExact ? '=' : ''} ${this.expression(operand)})`
      }
      case 'select': {
        const { type, condition, whenTrue, otherwise } = expression
        return `${nameOf(type)}(if ${this.expression(condition)} then ${this.expression(whenTrue)} else ${this.expression(otherwise)})`
      }
      case 'address':
        return `&${this.#place(expression.place)}`
      case 'routine':
        return `${nameOf(expression.type)} ${this.#call(expression)}`
      case 'eno':
        return 'ENO'
      case 'calleeEno':
        return 'ENO of the called'
      case 'now':
        return 'now'
      case 'sequence':
        return `{ ${[...this.#short(expression.statements), this.expression(expression.value)].join('; ')} }`
    }
    return expression satisfies never
  }

  /** Statements inside an expression, each on the same line. */
  #short(statements: readonly Statement[]): string[] {
    const inner = new CodeWriter(this.#sites)
    inner.#list(statements, '')
    return inner.#lines.map((line) => line.trim())
  }

  #place({ base, offset, bit, indices, isStandard }: Place): string {
    const at = `${isStandard ? '@' : '+'}${offset}${bit === undefined ? '' : `.${bit}`}`
    return this.#base(base) + at + indices.map((index) => this.#index(index)).join('')
  }

  #base(base: Place['base']): string {
    switch (base.kind) {
      case 'area':
        return base.area
      case 'startInformation':
        return 'start information'
      case 'block':
        return `"${base.block}"`
      case 'instance':
        return 'this'
      case 'frame':
        return 'frame'
      case 'constant':
        return `bytes(${hex(base.bytes)})`
      case 'pointer':
        return `[${this.expression(base.address)}]`
    }
    return base satisfies never
  }

  #index({ value, low, high, stride, isBits, isSafe, site }: Place['indices'][number]): string {
    const limit = (one: number | Expression) => (typeof one === 'number' ? one : this.expression(one))
    const by = `by ${stride}${isBits ? 'b' : ''}${isSafe ? ' safe' : ''}`
    return `[${this.expression(value)} in ${limit(low)}..${limit(high)} ${by}${this.#site(site)}]`
  }

  #site(site: Site): string {
    const found = this.#sites[site]
    if (!found) return site === 0 ? '' : ` ~#${site}`
    const { network, line, column, uId } = found
    const at = line === undefined ? (uId === undefined ? '' : `u${uId}`) : `${line}:${column ?? ''}`
    return ` ~${network === 1 && at !== '' ? '' : `${network}/`}${at}`
  }
}
