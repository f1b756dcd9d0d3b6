/** Lowers SCL statements to the intermediate form. */

import { binary, isFalse, not } from '../../ir/build.ts'
import type { Expression as IrExpression, Statement as IrStatement } from '../../ir/ir.ts'
import { parseScl } from '../../languages/scl/parser.ts'
import {
  type Assignment,
  type Case,
  type Expression,
  type For,
  nameOf,
  type Statement,
} from '../../languages/scl/syntax.ts'
import { constantFor, ownType } from '../../program/constants.ts'
import { Bool } from '../../program/scalars.ts'
import type { ScalarType, Type } from '../../program/type.ts'
import { typeName } from '../../program/type-name.ts'
import { assign } from './assignments.ts'
import type { BlockContext } from './block-context.ts'
import { type LabelRange, repeatedLabels } from './case-labels.ts'
import { checkEndless, checkedRange, leavesLoop, runKey } from './checks/loops.ts'
import { checkUnreachable } from './checks/unreachable.ts'
import { textOf } from './operands.ts'
import { arithmetic } from './operators.ts'
import { load, readAs, readScalar, requireWritable } from './reading.ts'
import { type BranchTools, lowerIf } from './scl-branches.ts'
import { SclExpressions } from './scl-expressions.ts'
import { forLoop, hasOtherSign } from './scl-loops.ts'
import type { SourceRange } from './source-range.ts'
import { attemptAssignment, compareTypes } from './type-questions.ts'
import { type Operand, wrong } from './values.ts'

const leaving: ReadonlySet<Statement['kind']> = new Set<Statement['kind']>(['return', 'exit', 'continue', 'goto'])

/** Lowers the text of one network. Faults go to `context.diagnostics`. */
export function lowerScl(context: BlockContext, text: string): IrStatement[] {
  const { tree, diagnostics } = parseScl(text)
  const lowering = new SclLowering(context, new SclExpressions(context, tree.tokens))
  for (const { code, message, start, end } of diagnostics)
    context.report(code, lowering.expressions.rangeOfOffsets(start, end), message)
  return lowering.body(tree.statements)
}

/** Labels of the loop for EXIT and CONTINUE. */
interface OpenLoop {
  readonly exit: number
  readonly next: number
}

/** Removes regions, which have no meaning in a program: a jump into or out of one is a normal jump. */
function withoutRegions(statements: readonly Statement[]): readonly Statement[] {
  if (!statements.some(({ kind }) => kind === 'region')) return statements
  return statements.flatMap((one) => (one.kind === 'region' ? withoutRegions(one.body) : [one]))
}

class SclLowering {
  readonly context: BlockContext
  readonly expressions: SclExpressions
  readonly #loops: OpenLoop[] = []
  /** Run variables of the surrounding FOR loops in their spelling, in lower case. */
  readonly #running: string[] = []
  /** Sections that GOTO can reach: label of the `sections` statement and index, by the name in upper case. */
  readonly #targets: Map<string, { readonly label: number; readonly section: number }>[] = []

  /** Number of statements so far that leave their place. */
  #left = 0

  constructor(context: BlockContext, expressions: SclExpressions) {
    this.context = context
    this.expressions = expressions
  }

  /** Lowers the statements of a block or branch; labels in them make sections. */
  body(written: readonly Statement[]): IrStatement[] {
    const statements = withoutRegions(written)
    this.#checkReached(statements)
    if (!statements.some(({ kind }) => kind === 'label')) return this.#following(statements)
    // A jump can skip the statements between it and its label.
    this.context.watch.hasJumps = true
    const { tokens } = this.expressions
    const label = this.context.label()
    const targets = new Map<string, { label: number; section: number }>()
    let section = 0
    for (const statement of statements) {
      if (statement.kind !== 'label') continue
      section++
      const name = nameOf(tokens, statement.start).toUpperCase()
      if (targets.has(name))
        this.context.report('duplicate-label', this.expressions.range(statement), `Label ${name} stands here twice.`)
      else targets.set(name, { label, section })
    }
    this.#targets.push(targets)
    const sections: IrStatement[][] = [[]]
    for (const statement of statements) {
      if (statement.kind === 'label') {
        sections.push([])
        if (this.context.probes) this.context.probes.run = undefined
      } else sections.at(-1)?.push(...this.#following([statement]))
    }
    this.#targets.pop()
    return [{ kind: 'sections', label, sections }]
  }

  #checkReached(statements: readonly Statement[]): void {
    if (!statements.some(({ kind }) => leaving.has(kind))) return
    this.context.watch.branch.leaves = true
    checkUnreachable(
      this.context,
      statements.map((statement) => ({
        leaves: leaving.has(statement.kind),
        isTarget: statement.kind === 'label',
        isEmpty: statement.kind === 'label' || statement.kind === 'empty' || statement.kind === 'faulty',
        at: () => this.expressions.range(statement),
        text: statement.kind.toUpperCase(),
      })),
    )
  }

  /** Lowers statements that follow each other; where the execution is recorded each is noted. */
  #following(statements: readonly Statement[]): IrStatement[] {
    const { probes } = this.context
    if (!probes) return statements.flatMap((statement) => this.#statement(statement))
    return statements.flatMap((statement) => {
      if (statement.kind === 'empty' || statement.kind === 'faulty') return this.#statement(statement)
      const entered = probes.enter()
      probes.here('statement', this.expressions.range(statement))
      const { run } = probes
      const left = this.#left
      const lowered = this.#statement(statement)
      // After a statement that may leave, the next one has a byte of its own.
      probes.run = this.#left === left ? run : undefined
      return [...entered, ...lowered]
    })
  }

  /** Lowers the statements of a branch; where the execution is recorded they set a byte. */
  #branch(byte: number | undefined, lower: () => IrStatement[]): IrStatement[] {
    const { probes } = this.context
    if (!probes) return lower()
    const outer = probes.run
    probes.run = byte
    const lowered = lower()
    probes.run = outer
    return byte === undefined ? lowered : [probes.mark(byte), ...lowered]
  }

  /** Lowers a statement, after the calls in its expressions. */
  #statement(statement: Statement): IrStatement[] {
    const { expressions } = this
    const before = expressions.pending
    expressions.pending = []
    const lowered = this.#lower(statement)
    const all = [...expressions.pending, ...lowered]
    expressions.pending = before
    return all
  }

  #lower(statement: Statement): IrStatement[] {
    const { context, expressions } = this
    if (leaving.has(statement.kind)) this.#left++
    switch (statement.kind) {
      case 'assignment':
        return this.#assignment(statement)
      case 'callStatement': {
        return [...expressions.call(statement.call).statements]
      }
      case 'if':
      case 'case': {
        expressions.choices++
        const lowered = statement.kind === 'case' ? this.#case(statement) : lowerIf(context, statement, this.#branches)
        expressions.choices--
        return lowered
      }
      case 'for':
        return this.#for(statement)
      case 'while': {
        const [exit, next] = [context.label(), context.label()]
        const { value: condition, before } = this.#condition(statement.condition)
        const [round, ended] = this.#outcomes('branch', expressions.range(statement.condition), 2)
        const body = context.watch.inBranch(() => this.#inLoop({ exit, next }, statement.body, round))
        if (!leavesLoop(statement.body, 'exit'))
          checkEndless(context, condition, true, before, body, expressions.range(statement.condition))
        const leave = this.#branch(ended, () => [{ kind: 'leave', label: exit }])
        const site = context.site(expressions.range(statement))
        return [
          {
            kind: 'loop',
            label: exit,
            site,
            body: [
              ...before,
              { kind: 'if', condition: not(condition), whenTrue: leave, otherwise: [], site },
              { kind: 'group', label: next, body },
            ],
          },
        ]
      }
      case 'repeat': {
        const [exit, next] = [context.label(), context.label()]
        const body = context.watch.inBranch(() => this.#inLoop({ exit, next }, statement.body))
        const { value: condition, before, isWrong } = this.#condition(statement.until)
        if (!isWrong && !leavesLoop(statement.body, 'exit'))
          checkEndless(context, condition, false, before, body, expressions.range(statement.until))
        const [ended, again] = this.#outcomes('branch', expressions.range(statement.until), 2)
        const whenTrue = this.#branch(ended, () => [{ kind: 'leave', label: exit }])
        const otherwise = this.#branch(again, () => [])
        const site = context.site(expressions.range(statement))
        return [
          {
            kind: 'loop',
            label: exit,
            site,
            body: [
              { kind: 'group', label: next, body },
              ...before,
              { kind: 'if', condition, whenTrue, otherwise, site },
            ],
          },
        ]
      }
      case 'exit':
      case 'continue': {
        const loop = this.#loops.at(-1)
        if (loop) return [{ kind: 'leave', label: statement.kind === 'exit' ? loop.exit : loop.next }]
        context.report('no-loop', expressions.range(statement), `${statement.kind.toUpperCase()} stands in no loop.`)
        return []
      }
      case 'return':
        return [this.context.returns()]
      case 'goto': {
        const name = statement.label < 0 ? '' : nameOf(expressions.tokens, statement.label).toUpperCase()
        const target = this.#targets.findLast((targets) => targets.has(name))?.get(name)
        if (target) return [{ kind: 'goto', ...target }]
        if (name !== '')
          context.report(
            'no-label',
            expressions.range(statement),
            `There is no label ${name} that GOTO can reach from here.`,
            'A jump leads to a label around it, not into a branch or loop.',
          )
        return []
      }
      case 'region':
      case 'label':
      case 'empty':
      case 'faulty':
        return []
    }
  }

  /** @param round the byte of its rounds, where the execution is recorded */
  #inLoop(loop: OpenLoop, statements: readonly Statement[], round?: number): IrStatement[] {
    this.#loops.push(loop)
    const body = this.#branch(round, () => this.body(statements))
    this.#loops.pop()
    return body
  }

  /** Returns a Bool, and the statements that must run before each evaluation. */
  #condition(node: Expression): { value: IrExpression; before: IrStatement[]; isWrong: boolean } {
    const { expressions, context } = this
    const outer = expressions.pending
    expressions.pending = []
    const operand = expressions.lower(node)
    const value = readAs(context, operand, Bool, expressions.range(node), 'As a condition')
    const before = expressions.pending
    expressions.pending = outer
    return { value: value ?? isFalse, before, isWrong: value === undefined }
  }

  #assignment(statement: Assignment): IrStatement[] {
    const { context, expressions } = this
    const at = expressions.range(statement.target)
    if (statement.value.kind === 'assignment') {
      // a := b := 1: the inner one runs first, then its target is read.
      const inner = this.#assignment(statement.value)
      const value = expressions.lower(statement.value.target)
      return [
        ...inner,
        ...assign(context, this.#target(statement.target), value, at, expressions.range(statement.value)),
      ]
    }
    const target = this.#target(statement.target)
    this.#checkRunVariable(target, at)
    const isText = target.kind === 'variable' && (target.type.kind === 'string' || isCharacter(target.type))
    const right = expressions.lower(statement.value, isText)
    const valueAt = expressions.range(statement.value)
    if (statement.operator === ':=') return assign(context, target, right, at, valueAt)
    if (statement.operator === '?=') return [...attemptAssignment(context, target, right, at, valueAt)]
    const operator = statement.operator[0] as '+' | '-' | '*' | '/'
    const value = arithmetic(
      context,
      operator,
      { operand: target, at },
      { operand: right, at: valueAt },
      expressions.range(statement),
    )
    return assign(context, target, value, at, valueAt)
  }

  /** What is assigned to. */
  #target(node: Expression): Operand {
    const { context, expressions } = this
    if (node.kind !== 'group') return expressions.lower(node)
    context.report(
      'not-assignable',
      expressions.range(node),
      'Nothing can be assigned to what stands in brackets.',
      'Leave the brackets out.',
    )
    return wrong
  }

  /**
   * TIA Portal help, "FOR": the run variable cannot be changed in the loop. Older versions accept it, so this is a
   * warning.
   */
  #checkRunVariable(target: Operand, at: SourceRange): void {
    if (target.kind !== 'variable' || !this.#running.includes(target.text.toLowerCase())) return
    this.context.report(
      'run-variable-assigned',
      at,
      `${target.text} is the run variable of the FOR around: TIA Portal refuses to assign it in the loop.`,
      'Leave the loop with EXIT, or use WHILE.',
      'warning',
    )
  }

  readonly #branches: BranchTools = {
    condition: (node) => this.#condition(node),
    range: (node) => this.expressions.range(node),
    outcomes: (at) => this.#outcomes('branch', at, 2),
    branch: (byte, lower) => this.#branch(byte, lower),
    body: (statements) => this.body(statements),
  }

  /** Notes the ways from a place; none where the execution is not recorded. */
  #outcomes(kind: 'branch' | 'loop', at: SourceRange, count: number): (number | undefined)[] {
    const { probes } = this.context
    if (!probes) return []
    const bytes = Array.from({ length: count }, () => probes.byte())
    probes.note(kind, at, bytes)
    return bytes
  }

  #case(statement: Case): IrStatement[] {
    const { context, expressions } = this
    if (expressions.asksForType(statement.selector)) return this.#caseOfTypes(statement)
    const selectorAt = expressions.range(statement.selector)
    const chosen = expressions.lower(statement.selector)
    const isScalar = chosen.kind !== 'variable' || chosen.type.kind === 'scalar'
    if (!isScalar)
      context.report(
        'wrong-operand',
        selectorAt,
        `CASE chooses by a whole number; ${chosen.text} is of type ${typeName(chosen.type)}.`,
      )
    const selector = isScalar ? readScalar(context, chosen, selectorAt) : undefined
    const isRight = selector && isChoosable(selector.type)
    if (selector && !isRight)
      context.report(
        'wrong-operand',
        selectorAt,
        `CASE chooses by a whole number; this is of type ${typeName(selector.type)}.`,
      )
    const labels: { readonly range: LabelRange; readonly at: SourceRange }[] = []
    const branches = statement.branches.map((branch) => {
      const ranges: LabelRange[] = []
      for (const label of branch.labels) {
        const range = this.#label(label, selector?.type)
        if (range === undefined) continue
        ranges.push(range)
        labels.push({ range, at: expressions.range(label) })
      }
      const [byte] = this.#outcomes('branch', branch.labels[0] ? expressions.range(branch.labels[0]) : selectorAt, 1)
      const body = context.watch.inBranch(() => this.#branch(byte, () => this.body(branch.body)))
      const lowered = { ranges, body }
      if (branch.labels[0]) context.noted(lowered, expressions.range(branch.labels[0]), 'CASE')
      return lowered
    })
    for (const i of repeatedLabels(labels.map(({ range }) => range))) {
      const { range, at } = labels[i] as (typeof labels)[number]
      const text = range[0] === range[1] ? range[0] : `${range[0]}..${range[1]}`
      context.report('duplicate-case', at, `${text} is chosen by an earlier label already.`, undefined, 'warning')
    }
    const { otherwise: rest = [] } = statement
    const [missed] = this.#outcomes('branch', selectorAt, 1)
    const otherwise = context.watch.inBranch(() => this.#branch(missed, () => this.body(rest)))
    if (!selector || !isRight) return []
    const { type, expression } = selector
    const site = context.site(selectorAt)
    return [
      context.noted({ kind: 'switch', selector: expression, type, branches, otherwise, site }, selectorAt, 'CASE'),
    ]
  }

  /** `CASE TypeOf(#v) OF Int: …`: the first label with the type is chosen. */
  #caseOfTypes(statement: Case): IrStatement[] {
    const { context, expressions } = this
    const asked = expressions.askedType(statement.selector)
    const { otherwise: rest = [] } = statement
    const [missed] = this.#outcomes('branch', expressions.range(statement.selector), 1)
    let otherwise = context.watch.inBranch(() => this.#branch(missed, () => this.body(rest)))
    for (const branch of [...statement.branches].reverse()) {
      const [byte] = this.#outcomes('branch', expressions.range(branch), 1)
      const whenTrue = context.watch.inBranch(() => this.#branch(byte, () => this.body(branch.body)))
      const types = branch.labels.map((label) => {
        if (label.kind !== 'range') return expressions.askedType(label)
        context.report('no-constant', expressions.range(label), 'Types have no ranges: write each of them.')
        return undefined
      })
      const matches = types.flatMap((type) => (asked && type ? [compareTypes(asked, type, true).expression] : []))
      const condition = matches.reduce((left, right) => binary('or', Bool, left, right), isFalse)
      otherwise = [{ kind: 'if', condition, whenTrue, otherwise, site: context.site(expressions.range(branch)) }]
    }
    return [...(asked?.statements ?? []), ...otherwise]
  }

  #label(label: Case['branches'][number]['labels'][number], type: ScalarType | undefined): LabelRange | undefined {
    const { context, expressions } = this
    const read = (node: Expression): bigint | undefined => {
      const operand = expressions.lower(node)
      if (operand.kind === 'constant' && type) {
        const fitting = constantFor(operand, type)
        const own = ownType(operand)
        const isWider = own?.family === 'bits' && type.family === 'bits' && own.bits > type.bits
        const isWrong = own && (!isChoosable(own) || isWider)
        if ('value' in fitting && !isWrong) return BigInt(fitting.value)
        const fault = 'value' in fitting ? `${operand.text} is no value of type ${type.name}` : fitting.fault
        context.report('constant-does-not-fit', expressions.range(node), `${fault}.`)
      } else if (operand.kind !== 'wrong' && operand.kind !== 'constant')
        context.report(
          'no-constant',
          expressions.range(node),
          `${textOf(operand)} is no constant: labels of CASE are constants.`,
        )
      return undefined
    }
    if (label.kind === 'range' && type?.family === 'bits')
      context.report(
        'wrong-operand',
        expressions.range(label),
        `Values of type ${type.name} have no ranges.`,
        'Write each label, or choose by a whole number.',
      )
    const from = label.kind === 'range' ? read(label.from) : read(label)
    const to = label.kind === 'range' ? read(label.to) : from
    if (from === undefined || to === undefined) return undefined
    if (from > to) {
      context.report('empty-range', expressions.range(label), `${from}..${to} is an empty range.`, undefined, 'warning')
      return undefined
    }
    return [from, to]
  }

  /**
   * Start, end and increment are evaluated once. Afterwards the run variable has the first value outside
   * (docs/plc-semantics.md#for-loops); rounds are counted in wider numbers, so that an end at the limit of the type
   * ends the loop.
   */
  #for(statement: For): IrStatement[] {
    const { context, expressions } = this
    const variableAt = expressions.range(statement.variable)
    const target = this.#target(statement.variable)
    if (target.kind === 'wrong') {
      this.#inLoop({ exit: 0, next: 0 }, statement.body)
      return []
    }
    if (target.kind !== 'variable' || target.type.kind !== 'scalar' || target.type.family !== 'integer') {
      const type = target.kind === 'variable' ? ` is of type ${typeName(target.type)}` : ' is no variable'
      context.report(
        'wrong-operand',
        variableAt,
        `The run variable of FOR is a whole number; ${textOf(target)}${type}.`,
      )
      return []
    }
    const { type } = target
    requireWritable(context, target, variableAt)
    const read = (node: Expression, what: string) => {
      const [operand, at] = [expressions.lower(node), expressions.range(node)]
      return hasOtherSign(context, operand, type, at, what) ? undefined : readAs(context, operand, type, at, what)
    }
    const from = read(statement.from, 'For the start')
    const to = read(statement.to, 'For the end')
    const by = statement.by ? read(statement.by, 'For the increment') : ({ kind: 'constant', type, value: 1n } as const)
    const [exit, next] = [context.label(), context.label()]
    const limits = from && to && by && { run: load(target), from, to, by }
    const range = limits && checkedRange(context, limits, expressions.range(statement.from))
    const key = range && !leavesLoop(statement.body, 'any') ? runKey(limits.run) : undefined
    const { ranges } = context.watch
    if (key !== undefined && range !== undefined) context.watch.ranges = new Map(ranges).set(key, range)
    // An element with a variable index can be another one each time.
    if (!target.element) this.#running.push(target.text.toLowerCase())
    const isFixed = from?.kind === 'constant' && to?.kind === 'constant' && by?.kind === 'constant'
    // Whether constant borders have a round does not depend on the test.
    const [round, none] = this.#outcomes('loop', variableAt, isFixed ? 1 : 2)
    const body = this.#inLoop({ exit, next }, statement.body, round)
    if (!target.element) this.#running.pop()
    context.watch.ranges = ranges
    if (!from || !to || !by) return []
    const site = context.site(expressions.range(statement))
    const skipped = this.#branch(none, () => [])
    return forLoop(context, { target, type, from, to, by, body, skipped, exit, next, site, variableAt })
  }
}

/** Whether CASE chooses by values of this type. */
function isChoosable({ family }: ScalarType): boolean {
  return family === 'integer' || family === 'bits' || family === 'character'
}

function isCharacter(type: Type): boolean {
  return type.kind === 'scalar' && type.family === 'character'
}
