/**
 * Writes LAD and FBD networks as structured text: `#run := (#start OR #run) AND NOT #stop;`.
 *
 * The notation, which `compile-expression.ts` reads back:
 * - `#x := e;` coil; `NOT(#x)`, `S(#x)`, `R(#x)`, `P(#x, #mem)`, `N(#x, #mem)` its negated, set, reset and edge forms;
 *   other coils by the name of their instruction: `CoilTON("T", T#5s) := e;`, `JMP(label) := e;`. Several targets, `#x,
 *   S(#y) := e;`, are on one wire.
 * - In LAD `a AND b` are elements in series, `a OR b` parallel branches, `#x` and `NOT #x` contacts, `NOT (…)` the
 *   inversion of the result of logic; `TRUE` is the power rail or a branch without a contact. In FBD they are the boxes
 *   `&`, `>=1`, `x` and negated pins.
 * - `P(#x, #mem)`, `N(#x, #mem)` are edge contacts, `P_TRIG(e, #mem)`, `N_TRIG(e, #mem)` edges of an expression; `#a =
 *   5` compares.
 * - `#y := Move(#x);`, `#y := #a + #b;`, `"DB".TON(IN := #a, PT := T#5s, Q => #late);`, `"DB"."FB name"(…);`, `"FC
 *   name"(…);` are boxes. `IF e THEN … END_IF;` is their EN. `…TON(…).Q` is an output inside an expression.
 * - `ENO` is the enable output of the box in the statement before, `RLO` what the coil in the statement before passes
 *   on, `wire#1` a wire that several places need. `???` is an unconnected pin.
 * - In LAD a bare operand at a data input of a box is the operand itself; `(#x)` is a contact there, `RAIL` the power
 *   rail.
 * - Braces give what cannot be derived: `#a ={DInt} #b`, `MB_CLIENT{Version := 5.1}(…)`, `NOT{pin}` a negated pin in
 *   LAD.
 */

import type { LogicNetwork, WireEnd } from '../../model/logic-network.ts'
import { operandText } from '../../model/operand-text.ts'
import { bracesOf } from './braces.ts'
import { coilInstructions, type ValueBox, valueBoxes } from './elements.ts'
import {
  carriedText,
  type ExpressionOptions,
  instructionName,
  isCarried,
  negatedOutput,
  openPin,
  TermWriter,
} from './expression-terms.ts'
import { cardOf, type FlowSource } from './flow.ts'
import type { Box } from './network-index.ts'

export interface NetworkExpression {
  /** One statement per entry, in order of evaluation; an `IF` is one entry of several lines. */
  readonly statements: readonly string[]
  /**
   * False when something could only be shown in a form that the notation does not read back (`CONNECT`, `UNCONNECTED`).
   */
  readonly isComplete: boolean
}

/**
 * Returns the text of a network. Accepts every network: what has no place in the logic is shown as a connection,
 * nothing is left out.
 */
export function networkExpression(network: LogicNetwork, options: ExpressionOptions): NetworkExpression {
  return new ExpressionWriter(network, options).write()
}

class ExpressionWriter extends TermWriter {
  readonly #labels: LogicNetwork['labels']
  #isComplete = true

  constructor(network: LogicNetwork, options: ExpressionOptions) {
    super(network, options)
    this.#labels = network.labels
  }

  write(): NetworkExpression {
    for (const { name } of this.#labels) this.statements.push(`${name}:`)
    const statements = this.#groupedStatements()
    this.#arrange(statements)
    for (const boxes of statements) if (!this.inlined.has((boxes[0] as Box).uId)) this.#statement(boxes)
    for (const box of this.index.boxes) if (!this.shown.has(box.uId)) this.#ring(box)
    this.#leftOver()
    return { statements: this.statements, isComplete: this.#isComplete }
  }

  #groupedStatements(): Box[][] {
    const joined = new Set<number>()
    const statements: Box[][] = []
    for (const box of this.flow.statements) {
      if (joined.has(box.uId)) continue
      const members = this.flow.groups.get(box.uId) ?? [box]
      for (const member of members) joined.add(member.uId)
      statements.push(members)
    }
    return statements
  }

  /** Decides which boxes are written inside the next statement, and which ENO and RLO the next statement refers to. */
  #arrange(statements: readonly (readonly Box[])[]): void {
    const place = new Map<number, number>()
    statements.forEach((boxes, at) => {
      for (const box of boxes) place.set(box.uId, at)
    })
    let next: number | undefined
    for (let at = statements.length - 1; at >= 0; at--) {
      const boxes = statements[at] as readonly Box[]
      const box = boxes.at(-1) as Box
      const used = this.#usedOutputs(box)
      const [only] = used
      const isNext = (source: FlowSource) => next !== undefined && this.#placeOf(source, place) === next
      if (boxes.length === 1 && used.length === 1 && only !== undefined && isNext(only) && this.#canInline(box, only)) {
        this.inlined.add(box.uId)
        place.set(box.uId, next as number)
        continue
      }
      for (const source of used) {
        if (!isCarried(source)) source.isNamed = true
        else if (!source.isNamed && isNext(source)) this.carried.add(source.key)
        else source.isNamed = true
      }
      next = at
    }
  }

  #usedOutputs(box: Box): FlowSource[] {
    return this.index.outputs(box.uId).flatMap((pin) => this.flow.source({ kind: 'pin', uId: box.uId, pin }) ?? [])
  }

  /** Index of the statement that a source is written in, or that of the named wire that needs it. */
  #placeOf(source: FlowSource, place: ReadonlyMap<number, number>): number | undefined {
    return typeof source.owner === 'number' ? place.get(source.owner) : undefined
  }

  #canInline(box: Box, source: FlowSource): boolean {
    if (source.isNamed || this.flow.role(box) !== 'box' || source.end.pin === 'eno') return false
    const en = this.index.source(box.uId, 'en')
    if (box.kind === 'call' || this.index.inputs(box.uId).includes('en')) {
      if (en !== undefined && (en.kind !== 'powerrail' || !this.isLadder)) return false
      if (en === undefined && this.isLadder) return false
    }
    return true
  }

  // ── Statements ──────────────────────────────────────────────────────────────────────────────────────────────────

  #statement(boxes: readonly Box[]): void {
    const [box] = boxes as readonly [Box]
    const role = this.flow.role(box)
    if (role === 'coil') this.#coils(boxes)
    else if (role === 'box') this.#boxes(boxes)
    else {
      const text = this.elementAlone(box)
      this.push(`??? := ${text};`)
    }
    const last = boxes.at(-1) as Box
    for (const source of this.#usedOutputs(last))
      if (isCarried(source) && source.isNamed) {
        this.push(`${this.nameOf(source)} := ${negatedOutput(last, source.end.pin, carriedText(source))};`)
        this.defined.add(source.key)
      }
  }

  #coils(boxes: readonly Box[]): void {
    const [first] = boxes as readonly [Box]
    const value = this.argument(first, 'in', true)
    this.push(`${boxes.map((box) => this.#coilTarget(box)).join(', ')} := ${value.text};`)
  }

  #coilTarget(box: Box): string {
    this.shown.add(box.uId)
    const coil = coilInstructions.get(box.name)
    const braces = bracesOf(box, this.options, () => undefined)
    const pins = this.index.inputs(box.uId).filter((pin) => pin !== 'in')
    if (coil === undefined) {
      const args = pins.map((pin) => `${pin} := ${this.argument(box, pin, false).text}`)
      return `${instructionName(box.name)}${braces}(${args.join(', ')})`
    }
    const isNegated = box.negated.includes('operand') && (box.name === 'Coil' || !coil.args.includes('operand'))
    const args = coil.args.map((pin) =>
      isNegated && pin === 'operand' ? this.plain(box, pin).text : this.argument(box, pin, false).text,
    )
    if (box.name === 'Coil' && braces === '') return isNegated ? `NOT(${args.join()})` : args.join()
    return `${box.name === 'Coil' ? (isNegated ? 'NOT' : 'Coil') : coil.text}${braces}(${args.join(', ')})`
  }

  #boxes(boxes: readonly Box[]): void {
    const [first] = boxes as readonly [Box]
    const condition = this.#condition(first)
    const lines = boxes.map((box) => this.#boxStatement(box))
    if (condition === undefined) for (const line of lines) this.push(line)
    else this.push(`IF ${condition} THEN\n${lines.map((line) => `  ${line}`).join('\n')}\nEND_IF;`)
  }

  /** Text of EN; `undefined` when the box is always executed. */
  #condition(box: Box): string | undefined {
    const source = this.index.source(box.uId, 'en')
    if (source === undefined)
      return this.isLadder && hasEnable(box) ? (box.negated.includes('en') ? undefined : openPin.text) : undefined
    if (source.kind === 'powerrail' && this.isLadder && !box.negated.includes('en')) return undefined
    return this.argument(box, 'en', true).text
  }

  #boxStatement(box: Box): string {
    const value = this.#valueText(box)
    if (value !== undefined) return `${value.targets.join(', ')} := ${value.text};`
    return `${this.call(box, this.outputArguments(box))};`
  }

  /** `#y := #a + #b`: a box all of whose inputs and outputs have a place without being named. */
  #valueText(box: Box): { targets: string[]; text: string; binding: number } | undefined {
    if (box.kind === 'call' || box.instance !== undefined) return undefined
    const shape = valueBoxes.get(box.name)
    const args = shape && this.valueArguments(box, shape)
    if (shape === undefined || args === undefined) return undefined
    const targets = this.#valueTargets(box, shape)
    return targets && { targets, ...this.valueCall(box, shape, args) }
  }

  /** The targets of the results; `undefined` when an output has several sinks or another name. */
  #valueTargets(box: Box, { result }: ValueBox): string[] | undefined {
    // An operand at ENO can be written in the named form only.
    if (this.outputTargets(box, 'eno').length > 0) return undefined
    const outputs = this.index.outputs(box.uId).filter((pin) => pin !== 'eno')
    const { numbered, others } = this.index.numbered(outputs, 'out')
    if (result === 'out' ? outputs.some((pin) => pin !== 'out') : others.length > 0) return undefined
    const last = Math.max(Number(numbered.at(-1)?.slice(3) ?? 0), Math.min(cardOf(box) ?? 1, 1000), 1)
    const pins = result === 'out' ? ['out'] : Array.from({ length: last }, (_, i) => `out${i + 1}`)
    const targets = pins.map((pin) => this.outputTargets(box, pin))
    if (targets.some((list) => list.length > 1)) return undefined
    return targets.map(([target]) => target ?? openPin.text)
  }

  // ── What has no place in the logic ──────────────────────────────────────────────────────────────────────────────

  /** An element of a ring of connections, which no final element depends on. */
  #ring(box: Box): void {
    const source = this.#usedOutputs(box)[0]
    if (source === undefined) this.push(`??? := ${this.elementAlone(box)};`)
    else if (!this.defined.has(source.key)) {
      source.isNamed = true
      this.reference(source)
    }
  }

  #leftOver(): void {
    const { unconnected, strays } = this.index
    if (unconnected.length > 0) {
      this.push(`UNCONNECTED(${unconnected.map(operandText).join(', ')});`)
      this.#isComplete = false
    }
    for (const { from, to } of strays) {
      this.push(`CONNECT(${this.#endText(from)}, ${this.#endText(to)});`)
      this.#isComplete = false
    }
  }

  #endText(end: WireEnd): string {
    switch (end.kind) {
      case 'operand': {
        const operand = this.index.operand(end.uId)
        return operand === undefined ? `operand ${end.uId}` : operandText(operand)
      }
      case 'pin': {
        const box = this.index.box(end.uId)
        return `${box === undefined ? 'box' : box.name} ${end.uId}.${end.pin}`
      }
      case 'powerrail':
        return 'RAIL'
      case 'openbranch':
        return 'OPENBRANCH'
      default:
        return openPin.text
    }
  }
}

/** Whether an instruction has an EN pin that is not connected: a LAD box that is never executed. */
function hasEnable(box: Box): boolean {
  return box.kind === 'call' || valueBoxes.has(box.name) || box.name === 'Inc' || box.name === 'Dec'
}
