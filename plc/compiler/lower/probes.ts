/** Adds what records the execution of a block to its code (program/probes.ts). */
import { constant, convert, local, setLocal, store } from '../../ir/build.ts'
import type { Expression, Place, Statement } from '../../ir/ir.ts'
import { type BlockProbes, type ProbeKind, type ProbePoint, probesName } from '../../program/probes.ts'
import { Bool, DInt, USInt } from '../../program/scalars.ts'
import type { ScalarType } from '../../program/type.ts'
import type { SourceRange } from './source-range.ts'

/** What is recorded of the block that is lowered. */
export interface ProbedBlock {
  readonly block: { readonly name: string }
  readonly network: number
  readonly element: string | undefined
  local(type: ScalarType): number
}

export class Probes {
  readonly #context: ProbedBlock
  readonly #points: ProbePoint[] = []
  /** Bytes of steps and transitions by their names. */
  readonly #elements = new Map<string, number>()
  #size = 0
  #action: string | undefined
  /**
   * The byte of the statements that follow each other here: when the first runs, so do the others. `undefined` where
   * the next statement may be reached in another way.
   */
  run: number | undefined

  constructor(context: ProbedBlock) {
    this.#context = context
  }

  get all(): BlockProbes {
    return { points: this.#points, size: this.#size }
  }

  byte(): number {
    return this.#size++
  }

  /** Sets a byte. */
  mark(byte: number): Statement {
    return store(USInt, this.#place(byte), constant(USInt, 1n))
  }

  /** The byte of the statements that begin here, and what sets it, unless those before have set it. */
  enter(): Statement[] {
    if (this.run !== undefined) return []
    this.run = this.byte()
    return [this.mark(this.run)]
  }

  note(kind: ProbeKind, { line, column, endLine, uId }: SourceRange, bytes: readonly number[]): void {
    const { network, element } = this.#context
    this.#points.push({
      ...{ kind, network, bytes },
      ...(line === undefined ? {} : { line }),
      ...(column === undefined ? {} : { column }),
      ...(endLine === undefined ? {} : { endLine }),
      ...(uId === undefined ? {} : { uId }),
      ...(element === undefined ? {} : { element }),
      ...(this.#action === undefined ? {} : { action: this.#action }),
    })
  }

  /** Lowers an action of a step: its places name it, and its statements share no byte with those of others. */
  inAction<T>(action: string, work: () => T): T {
    const outer = this.run
    this.run = undefined
    this.#action = action
    const lowered = work()
    this.#action = undefined
    this.run = outer
    return lowered
  }

  /** Records that a part of a sequence program became active or was passed; its element is noted once. */
  reached(kind: 'step' | 'transition', element: string): Statement[] {
    let byte = this.#elements.get(element)
    if (byte === undefined) {
      byte = this.byte()
      this.#elements.set(element, byte)
      this.#points.push({ kind, network: this.#context.network, element, bytes: [byte] })
    }
    return [this.mark(byte)]
  }

  /** Notes a place of the statements that run now. */
  here(kind: ProbeKind, at: SourceRange): void {
    if (this.run !== undefined) this.note(kind, at, [this.run])
  }

  /** Records whether a condition was TRUE and FALSE; its value stays. */
  condition(at: SourceRange, value: Expression): Expression {
    if (value.kind === 'constant') return value
    const [whenFalse, whenTrue] = [this.byte(), this.byte()]
    this.note('condition', at, [whenTrue, whenFalse])
    const register = this.#context.local(Bool)
    const index = convert(local(Bool, register), Bool, DInt, 'bits')
    const place: Place = {
      ...this.#place(whenFalse),
      indices: [{ value: index, low: 0, high: 1, stride: 1, isSafe: true, site: 0 }],
    }
    return {
      kind: 'sequence',
      statements: [setLocal(register, value), store(USInt, place, constant(USInt, 1n))],
      value: local(Bool, register),
    }
  }

  #place(byte: number): Place {
    const block = probesName(this.#context.block.name)
    return { base: { kind: 'block', block }, offset: byte, indices: [], isStandard: false }
  }
}
