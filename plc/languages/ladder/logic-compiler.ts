/**
 * Compiles expressions to elements and wires: power flow through contacts and branches in LAD, boxes with negated pins
 * in FBD, and the boxes of both.
 */

import type { WireEnd } from '../../model/logic-network.ts'
import { BoxCompiler } from './box-compiler.ts'
import { boxOptions } from './box-options.ts'
import { cardinality, endKey, type NodeId, pinEnd } from './build.ts'
import { edgeBoxes, flowElements } from './elements.ts'
import { factorsOf, fault, isRooted, pushedIn, ungrouped, withoutXor } from './expression-rules.ts'
import type {
  Argument,
  Braces,
  Call,
  CompareExpression,
  Expression,
  LogicExpression,
  NotExpression,
  OperandExpression,
} from './expression-syntax.ts'
import { knownInstruction } from './instructions.ts'

const powerRail: WireEnd = { kind: 'powerrail' }
/** An open end. */
const openEnd: WireEnd = { kind: 'open', uId: 0 }

const compareParts: Readonly<Record<string, string>> = {
  '=': 'Eq',
  '<>': 'Ne',
  '<': 'Lt',
  '<=': 'Le',
  '>': 'Gt',
  '>=': 'Ge',
}
const edgeParts: ReadonlyMap<string, string> = new Map([...edgeBoxes].map(([part, text]) => [text, part]))

export class LogicCompiler extends BoxCompiler {
  /** LAD: the source of a flow end, which shows whether a named wire comes from there. */
  readonly #feeds = new Map<string, WireEnd>()

  /** Leads the flow through an expression and returns where it continues. */
  flow(expression: Expression, feed: WireEnd): WireEnd {
    switch (expression.kind) {
      case 'group':
        return this.#flowGroup(expression.inner, feed)
      case 'rail':
        return expression.isWord ? this.#rooted(powerRail, feed, expression) : feed
      case 'operand':
        return expression.braces?.words.includes('direct') === true
          ? this.#rooted(this.#operandEnd(expression), feed, expression)
          : this.#contact(expression, feed, false)
      case 'open':
        return this.#rooted(openEnd, feed, expression)
      case 'openbranch':
        return this.#rooted({ kind: 'openbranch' }, feed, expression)
      case 'wire':
      case 'eno':
      case 'rlo':
        return this.#rooted(this.known(expression), feed, expression)
      case 'not':
        return this.#inverted(expression, feed)
      case 'and':
        return this.#series(expression, feed)
      case 'or':
        return this.#parallel(expression.items, expression.at, feed)
      case 'xor':
        return this.flow(withoutXor(expression), feed)
      case 'compare':
        return this.#compare(expression, feed)
      case 'call':
        return this.#flowCall(expression, feed)
      case 'arithmetic':
        throw fault(expression, 'this is a number and no condition; compare it: … > 0')
    }
  }

  /** Parentheses: `(TRUE)` is a contact with the literal; any other `(…)` is its content. */
  #flowGroup(inner: Expression, feed: WireEnd): WireEnd {
    if (inner.kind === 'rail' && !inner.isWord) return this.#contact({ operand: inner.literal }, feed, false)
    return this.flow(inner, feed)
  }

  /** A value that begins at the rail or at a box can follow a feed only when it comes from that feed itself. */
  #rooted(end: WireEnd, feed: WireEnd, place: { readonly at: number }): WireEnd {
    if (feed.kind === 'powerrail' || this.#comesFrom(end, feed)) return end
    throw fault(
      place,
      'LAD cannot join two values with AND behind each other; put this first, write the network in FBD, or use a bit for it',
    )
  }

  #comesFrom(end: WireEnd, feed: WireEnd): boolean {
    const wanted = endKey(feed)
    for (let at: WireEnd | undefined = end; at !== undefined; at = this.#feeds.get(endKey(at))) {
      if (endKey(at) === wanted) return true
    }
    return false
  }

  #after(node: NodeId, feed: WireEnd): WireEnd {
    const end = pinEnd(node, 'out')
    this.#feeds.set(endKey(end), feed)
    return end
  }

  #contact(asked: Pick<OperandExpression, 'operand' | 'braces'>, feed: WireEnd, isNegated: boolean): WireEnd {
    const node = this.builder.instruction('Contact')
    if (isNegated) this.builder.negate(node, 'operand')
    this.connect(feed, node, 'in')
    this.builder.input(node, 'operand', this.typing.given(asked, 'Bool'))
    return this.#after(node, feed)
  }

  #series({ items }: LogicExpression, feed: WireEnd): WireEnd {
    const factors = items.flatMap(factorsOf)
    let end = feed
    for (const [index, factor] of this.#orderOf(factors, feed).entries()) {
      const isFirst = index === 0 && feed.kind === 'powerrail'
      end = this.flow(factor, isFirst ? powerRail : end)
    }
    return end
  }

  /** A factor that cannot follow another one comes first, since AND commutes. */
  #orderOf(factors: readonly Expression[], feed: WireEnd): readonly Expression[] {
    if (feed.kind !== 'powerrail') return factors
    const first = factors[0] as Expression
    const start = first.kind === 'wire' ? this.wireNamed(first.name) : undefined
    const mustLead = (factor: Expression) => isRooted(factor) && !(start !== undefined && this.#leadsOn(factor, start))
    const at = factors.findIndex((factor, index) => index > 0 && mustLead(factor))
    if (at === -1 || isRooted(first)) return factors
    return [factors[at] as Expression, ...factors.slice(0, at), ...factors.slice(at + 1)]
  }

  /** Whether all values in the expression come from `start` themselves. */
  #leadsOn(factor: Expression, start: WireEnd): boolean {
    if (factor.kind === 'wire') return this.#comesFrom(this.known(factor), start)
    if (factor.kind === 'and' || factor.kind === 'or')
      return factor.items.every((item) => !isRooted(item) || this.#leadsOn(item, start))
    if (factor.kind === 'group') return this.#leadsOn(factor.inner, start)
    return false
  }

  #parallel(items: readonly Expression[], at: number, feed: WireEnd): WireEnd {
    const ends = items.map((item) => this.#branch(item, feed))
    const node = this.builder.instruction('O', { templates: [cardinality(items.length)] })
    if (items.length < 2) throw fault({ at }, 'OR needs two branches')
    ends.forEach(({ end, isNegated }, i) => {
      this.connect(end, node, `in${i + 1}`)
      if (isNegated) this.builder.negate(node, `in${i + 1}`)
    })
    return this.#after(node, feed)
  }

  #branch(item: Expression, feed: WireEnd): { end: WireEnd; isNegated: boolean } {
    if (item.kind === 'not' && item.mark === 'pin')
      return { end: this.flow(ungrouped(item.inner), feed), isNegated: true }
    return { end: item.kind === 'open' ? openEnd : this.flow(item, feed), isNegated: false }
  }

  #inverted(expression: NotExpression, feed: WireEnd): WireEnd {
    const { inner, mark } = expression
    if (mark === 'out') {
      const end = this.flow(inner, feed)
      if (end.kind === 'pin') this.builder.negate(end.uId, end.pin)
      return end
    }
    if (mark === 'pin') throw fault(expression, 'NOT{pin} stands at an input of a box')
    if (mark === 'in' && (inner.kind === 'operand' || inner.kind === 'not')) {
      const operand = inner.kind === 'not' ? inner.inner : inner
      if (operand.kind !== 'operand') throw fault(inner, 'NOT{in} stands before a contact')
      const end = this.#contact(operand, feed, inner.kind === 'not')
      if (end.kind === 'pin') this.builder.negate(end.uId, 'in')
      return end
    }
    if (inner.kind === 'operand') return this.#contact(inner, feed, true)
    if (inner.kind === 'group' && inner.inner.kind === 'rail' && !inner.inner.isWord)
      return this.#contact({ operand: inner.inner.literal }, feed, true)
    if (inner.kind === 'group' && inner.inner.kind === 'operand' && inner.inner.operand.kind === 'literal')
      return this.#contact(inner.inner, feed, true)
    if (feed.kind !== 'powerrail') {
      const without = pushedIn(inner)
      if (without === undefined)
        throw fault(
          expression,
          'the power flow cannot be inverted behind a branch; put the NOT first or write it with wire#1 := NOT (…)',
        )
      return this.flow(without, feed)
    }
    const end = this.flow(inner, powerRail)
    const node = this.builder.instruction('Not')
    this.connect(end, node, 'in')
    return this.#after(node, powerRail)
  }

  #compare(expression: CompareExpression, feed: WireEnd | undefined): WireEnd {
    const name = compareParts[expression.operator] as string
    const args = new Map(
      expression.items.map((value, i): [string, Argument] => [`in${i + 1}`, { at: value.at, value }]),
    )
    return this.#element(name, expression, expression.braces, args, feed)
  }

  /** A contact with its own name, a comparison, a range, or an edge contact. */
  #element(
    name: string,
    place: { readonly at: number },
    braces: Braces | undefined,
    args: ReadonlyMap<string, Argument>,
    feed: WireEnd | undefined,
  ): WireEnd {
    const { pre } = flowElements.get(name) as { pre: string }
    const types = this.typing.types(args, [])
    const options = boxOptions({ name, at: place.at }, braces, types)
    const node = this.builder.instruction(name, options)
    if (feed !== undefined) this.connect(feed, node, pre)
    const type = options.templates?.find((template) => template.name === 'SrcType')?.value
    for (const [pin, argument] of args) {
      if (argument.value === undefined) throw fault(argument, `${name} has no output ${pin}`)
      this.dataPin(node, pin, argument.value, type ?? (name.endsWith('Contact') ? 'Bool' : undefined))
    }
    return feed === undefined ? pinEnd(node, 'out') : this.#after(node, feed)
  }

  isFlowCall({ name, isBlock, instance }: Call): boolean {
    const word = name.toUpperCase()
    if (isBlock || instance !== undefined) return false
    return (
      ['P', 'N', 'O', 'A', 'X', 'NOT'].includes(word) ||
      edgeParts.has(word) ||
      flowElements.has(knownInstruction(name) ?? '')
    )
  }

  #flowCall(call: Call, feed: WireEnd): WireEnd {
    if (!this.isFlowCall(call)) return this.#rooted(this.boxValue(call), feed, call)
    const word = call.name.toUpperCase()
    const part = word === 'P' || word === 'N' ? `${word}Contact` : (knownInstruction(call.name) ?? call.name)
    const element = flowElements.get(part)
    if (element !== undefined)
      return this.#element(part, call, call.braces, this.placedArguments(call, element.args, part), feed)
    if (word === 'O') return this.#junction('O', call, feed)
    if (feed.kind !== 'powerrail') return this.#rooted(openEnd, feed, call)
    if (edgeParts.has(word)) return this.#edge(edgeParts.get(word) as string, call)
    return word === 'NOT' ? this.#notPart(call) : this.#junction(word, call, feed)
  }

  #edge(name: string, call: Call): WireEnd {
    const args = this.placedArguments(call, ['in', 'bit'], name)
    const node = this.builder.instruction(
      name,
      boxOptions({ name, at: call.at }, call.braces, this.typing.types(args, [])),
    )
    for (const [pin, argument] of args) {
      if (argument.value === undefined) throw fault(argument, `${call.name} has no output ${pin}`)
      if (pin === 'in') this.flowPin(node, pin, argument.value)
      else this.dataPin(node, pin, argument.value, 'Bool')
    }
    if (args.size < 2)
      throw fault(
        call,
        `${call.name} needs a condition and the bit that remembers it: ${call.name}(#condition, #memory)`,
      )
    return pinEnd(node, 'out')
  }

  #notPart(call: Call): WireEnd {
    const args = this.placedArguments(call, ['in'], 'Not')
    const node = this.builder.instruction(
      'Not',
      boxOptions({ name: 'Not', at: call.at }, call.braces, this.typing.types(args, [])),
    )
    for (const [pin, { value }] of args) if (value !== undefined) this.flowPin(node, pin, value)
    return pinEnd(node, 'out')
  }

  /** `O(in1 := …)` with its pins by name. */
  #junction(name: string, call: Call, feed: WireEnd): WireEnd {
    const args = this.placedArguments(
      call,
      call.args.map((_, i) => `in${i + 1}`),
      name,
    )
    const options = this.options(name, call.braces, args, new Map())
    const ends = new Map<string, { end: WireEnd; isNegated: boolean }>()
    if (this.isLadder)
      for (const [pin, { value }] of args) if (value !== undefined) ends.set(pin, this.#branch(value, feed))
    const node = this.builder.instruction(name, options)
    if (!this.isLadder) {
      for (const [pin, { value }] of args) if (value !== undefined) this.fbdPin(node, pin, value, 'Bool')
      return pinEnd(node, 'out')
    }
    for (const [pin, { end, isNegated }] of ends) {
      this.connect(end, node, pin)
      if (isNegated) this.builder.negate(node, pin)
    }
    return this.#after(node, feed)
  }

  /** A pin that takes the power flow. */
  protected flowPin(node: NodeId, pin: string, value: Expression): void {
    if (!this.isLadder) {
      this.fbdPin(node, pin, value, 'Bool')
      return
    }
    if (value.kind === 'not' && value.mark === 'pin') {
      this.builder.negate(node, pin)
      this.flowPin(node, pin, ungrouped(value.inner))
    } else this.connect(this.flow(value, powerRail), node, pin)
  }

  /** A pin that takes an operand or a value. */
  dataPin(node: NodeId, pin: string, value: Expression, type: string | undefined): void {
    if (!this.isLadder) {
      this.fbdPin(node, pin, value, type)
      return
    }
    switch (value.kind) {
      case 'open':
        return
      case 'rail':
        if (value.isWord) this.builder.powerrail(node, pin)
        else this.builder.input(node, pin, this.typing.operand(value.literal, type))
        return
      case 'operand':
        this.builder.input(node, pin, this.typing.given(value, type))
        return
      case 'not':
        if (value.mark === 'pin') {
          this.builder.negate(node, pin)
          this.dataPin(node, pin, ungrouped(value.inner), type)
          return
        }
        break
      case 'group': {
        const inner = ungrouped(value)
        if (this.isValueBox(inner)) {
          this.dataPin(node, pin, inner, type)
          return
        }
        break
      }
      case 'arithmetic':
        this.connect(this.arithmeticValue(value), node, pin)
        return
    }
    this.connect(this.flow(value, powerRail), node, pin)
  }

  /** FBD: any expression at a pin; NOT negates the pin. */
  fbdPin(node: NodeId, pin: string, value: Expression, type: string | undefined): void {
    const inner = ungrouped(value)
    switch (inner.kind) {
      case 'open':
        return
      case 'not':
        if (inner.mark === 'out') break
        this.builder.negate(node, pin)
        this.fbdPin(node, pin, inner.inner, type)
        return
      case 'rail':
        if (inner.isWord) this.builder.powerrail(node, pin)
        else this.builder.input(node, pin, this.typing.operand(inner.literal, type ?? 'Bool'))
        return
      case 'operand':
        this.builder.input(node, pin, this.typing.given(inner, type))
        return
    }
    this.connect(this.fbdEnd(inner), node, pin)
  }

  fbdEnd(value: Expression): WireEnd {
    const inner = ungrouped(value)
    switch (inner.kind) {
      case 'operand':
        return this.#operandEnd(inner)
      case 'rail':
        return inner.isWord
          ? powerRail
          : { kind: 'operand', uId: this.builder.operand(this.typing.operand(inner.literal, 'Bool')) }
      case 'open':
        return openEnd
      case 'openbranch':
        return { kind: 'openbranch' }
      case 'wire':
      case 'eno':
      case 'rlo':
        return this.known(inner)
      case 'and':
      case 'or':
      case 'xor':
        return this.#fbdJunction(inner)
      case 'compare':
        return this.#compare(inner, undefined)
      case 'arithmetic':
        return this.arithmeticValue(inner)
      case 'not':
        return this.#fbdInverted(inner)
      case 'call':
        return this.#fbdCall(inner)
      case 'group':
        return this.fbdEnd(inner.inner)
    }
  }

  #fbdInverted(inner: NotExpression): WireEnd {
    if (inner.mark !== 'out')
      throw fault(inner, 'in FBD an inversion is the circle at the input of a box; it cannot stand alone')
    const end = this.fbdEnd(inner.inner)
    if (end.kind === 'pin') this.builder.negate(end.uId, end.pin)
    return end
  }

  #fbdJunction({ kind, items }: LogicExpression): WireEnd {
    const name = kind === 'and' ? 'A' : kind === 'or' ? 'O' : 'X'
    const node = this.builder.instruction(name, { templates: [cardinality(items.length)] })
    items.forEach((item, i) => {
      this.fbdPin(node, `in${i + 1}`, item, 'Bool')
    })
    return pinEnd(node, 'out')
  }

  #fbdCall(call: Call): WireEnd {
    if (!this.isFlowCall(call)) return this.boxValue(call)
    const word = call.name.toUpperCase()
    const part = word === 'P' || word === 'N' ? `${word}Contact` : (knownInstruction(call.name) ?? call.name)
    const element = flowElements.get(part)
    if (element !== undefined) {
      const args = this.placedArguments(call, element.args, part)
      return this.#element(part, call, call.braces, args, undefined)
    }
    if (edgeParts.has(word)) return this.#edge(edgeParts.get(word) as string, call)
    return word === 'NOT' ? this.#notPart(call) : this.#junction(word, call, powerRail)
  }

  #operandEnd({ operand, braces }: OperandExpression): WireEnd {
    return { kind: 'operand', uId: this.builder.operand(this.typing.given({ operand, braces }, 'Bool')) }
  }
}
