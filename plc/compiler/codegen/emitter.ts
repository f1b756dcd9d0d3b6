/** Writes the instructions of one function: registers, labels, instructions with their operands. */
import { CodeBuffer, type Relocation } from '../wasm/code-buffer.ts'
import { emptyBlock, Op, PrefixedOp, prefixed, type ValueType, type VectorOp, vectorPrefix } from '../wasm/opcodes.ts'

/** What a block instruction leaves on the stack. */
export type BlockResult = ValueType | undefined

export class FunctionEmitter {
  readonly #code = new CodeBuffer()
  readonly #registers: ValueType[] = []
  readonly #parameters: number
  readonly #free = new Map<ValueType, number[]>()
  #depth = 0

  /**
   * @param registers types of the registers that exist from the beginning, after the parameters
   */
  constructor(parameters: readonly ValueType[], registers: readonly ValueType[]) {
    this.#parameters = parameters.length
    this.#registers.push(...parameters, ...registers)
  }

  /** The number of open blocks: a label is the depth at which its block was opened. */
  get depth(): number {
    return this.#depth
  }

  get relocations(): readonly Relocation[] {
    return this.#code.relocations
  }

  get locals(): readonly ValueType[] {
    return this.#registers.slice(this.#parameters)
  }

  finish(): Uint8Array {
    this.#code.byte(Op.end)
    return this.#code.bytes()
  }

  /** Takes a temporary register; give it back with `release`. */
  take(type: ValueType): number {
    const free = this.#free.get(type)?.pop()
    return free ?? this.#registers.push(type) - 1
  }

  release(register: number): void {
    const type = this.#registers[register] as ValueType
    const free = this.#free.get(type)
    if (free) free.push(register)
    else this.#free.set(type, [register])
  }

  op(code: number): void {
    this.#code.byte(code)
  }

  prefixedOp(prefix: number, code: number): void {
    this.#code.byte(prefix)
    this.#code.unsigned(code)
  }

  i32(value: number): void {
    this.#code.byte(Op.i32Const)
    this.#code.signed32(value)
  }

  i64(value: bigint): void {
    this.#code.byte(Op.i64Const)
    this.#code.signed(value)
  }

  f32(value: number): void {
    this.#code.byte(Op.f32Const)
    this.#code.f32(value)
  }

  f64(value: number): void {
    this.#code.byte(Op.f64Const)
    this.#code.f64(value)
  }

  /** Pushes the address of `symbol` plus `addend`. */
  address(symbol: string, addend: number): void {
    this.#code.byte(Op.i32Const)
    this.#code.relocate('constant', `address:${symbol}`, addend)
  }

  get(register: number): void {
    this.#code.byte(Op.localGet)
    this.#code.unsigned(register)
  }

  set(register: number): void {
    this.#code.byte(Op.localSet)
    this.#code.unsigned(register)
  }

  tee(register: number): void {
    this.#code.byte(Op.localTee)
    this.#code.unsigned(register)
  }

  getGlobal(name: string): void {
    this.#code.byte(Op.globalGet)
    this.#code.relocate('index', `global:${name}`)
  }

  setGlobal(name: string): void {
    this.#code.byte(Op.globalSet)
    this.#code.relocate('index', `global:${name}`)
  }

  call(name: string): void {
    this.#code.byte(Op.call)
    this.#code.relocate('index', `function:${name}`)
  }

  /** Writes a load or store; the address is on the stack (for a store below the value). */
  memory(code: number, offset: number): void {
    this.#code.byte(code)
    // Alignment is only a hint: data of standard blocks are aligned to two bytes at most.
    this.#code.byte(0)
    this.#code.unsigned(offset)
  }

  /** Same as `memory`, for the 16 bytes of a vector. */
  vector(code: typeof VectorOp.load | typeof VectorOp.store, offset: number): void {
    this.prefixedOp(vectorPrefix, code)
    this.#code.byte(0)
    this.#code.unsigned(offset)
  }

  /** Same as `memory`, at the address of `symbol` plus `offset`; a number on the stack is added to it. */
  memoryAt(code: number, symbol: string, offset: number): void {
    this.#code.byte(code)
    this.#code.byte(0)
    this.#code.relocate('offset', `address:${symbol}`, offset)
  }

  /** Copies bytes: target, source and count are on the stack. */
  memoryCopy(): void {
    this.prefixedOp(prefixed, PrefixedOp.memoryCopy)
    this.#code.byte(0)
    this.#code.byte(0)
  }

  /** Fills bytes: target, value and count are on the stack. */
  memoryFill(): void {
    this.prefixedOp(prefixed, PrefixedOp.memoryFill)
    this.#code.byte(0)
  }

  /** Opens a block, loop or if, and returns its label. */
  open(code: typeof Op.block | typeof Op.loop | typeof Op.if, result?: BlockResult): number {
    this.#code.byte(code)
    this.#code.byte(result ?? emptyBlock)
    return this.#depth++
  }

  otherwise(): void {
    this.#code.byte(Op.else)
  }

  end(): void {
    this.#depth--
    this.#code.byte(Op.end)
  }

  /** Leaves the block of this label, or repeats it when it is a loop. */
  branch(label: number): void {
    this.#code.byte(Op.br)
    this.#code.unsigned(this.#depth - 1 - label)
  }

  branchIf(label: number): void {
    this.#code.byte(Op.brIf)
    this.#code.unsigned(this.#depth - 1 - label)
  }

  branchTable(labels: readonly number[], otherwise: number): void {
    this.#code.byte(Op.brTable)
    this.#code.unsigned(labels.length)
    for (const label of labels) this.#code.unsigned(this.#depth - 1 - label)
    this.#code.unsigned(this.#depth - 1 - otherwise)
  }
}
