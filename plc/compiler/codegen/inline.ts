/**
 * Replaces calls of small blocks by their code when the module is linked. An engine writes all registers to memory
 * around a call and loses what it knows of the caller's registers, so a call of a small function block costs as much as
 * its code.
 *
 * Inlining works on finished code, since a block is compiled without the code of others: a compiled caller stays valid
 * when a block that it calls changes its code. Code of a block never jumps to its own end from within (the generator
 * opens a block for that) and names its block itself when it reports a fault, so it can be inserted into another
 * function with only its registers renumbered. All effects of a call stay the same: ENO, frames, faults, rounds of
 * loops.
 */
import { CodeBuffer, type Relocation } from '../wasm/code-buffer.ts'
import type { CompiledFunction } from '../wasm/module.ts'
import { Op, ValueType, VectorOp, vectorPrefix } from '../wasm/opcodes.ts'
import { unsignedAt, visitInstructions } from './instructions.ts'

/** Largest code in bytes of a block that replaces a call: in a loop, and elsewhere, where the call runs once. */
const mostInLoop = 1200
const mostElsewhere = 240
/** Largest growth of a function in bytes. */
const mostGrowth = 8000
/** Number of passes: a block whose calls are all replaced may itself replace a call in the next one. */
const turns = 2

const functionPrefix = 'function:'
const callPrefix = `${functionPrefix}block `

/**
 * Returns the functions with calls of small blocks replaced, in the same order. The result depends only on the
 * functions. A function that does not change is the same object, and so is the result of a function that is given
 * again.
 */
export function withInlinedCalls(functions: readonly CompiledFunction[]): CompiledFunction[] {
  let current = [...functions]
  for (let turn = 0; turn < turns; turn++) {
    const small = new Map<string, CompiledFunction>()
    for (const one of current) if (isSmallLeaf(one)) small.set(one.name, one)
    current = current.map((one, i) => {
      const grown = one.code.length - (functions[i]?.code.length ?? 0)
      return inlined(one, small, mostGrowth - grown)
    })
  }
  return current
}

/** A call of a block. */
interface Call {
  readonly at: number
  /** The function that is called. */
  readonly name: string
}

const knownCalls = new WeakMap<CompiledFunction, readonly Call[]>()

/** The calls of blocks in a function. Reports to the host and routines do not count as blocks. */
function callsIn(one: CompiledFunction): readonly Call[] {
  const known = knownCalls.get(one)
  if (known) return known
  const calls = one.relocations
    .filter(({ symbol }) => symbol.startsWith(callPrefix))
    .map(({ at, symbol }) => ({ at, name: symbol.slice(functionPrefix.length) }))
  knownCalls.set(one, calls)
  return calls
}

/** Whether a function is short and calls no block. */
function isSmallLeaf(one: CompiledFunction): boolean {
  return one.code.length <= mostInLoop && callsIn(one).length === 0
}

interface Known {
  readonly callees: readonly (CompiledFunction | undefined)[]
  readonly result: CompiledFunction
}
/** The last result for a function, with the callees it used. */
const knownResults = new WeakMap<CompiledFunction, Known>()

/**
 * @param growth bytes that the function may still grow by; always the same for one function
 */
function inlined(
  caller: CompiledFunction,
  small: ReadonlyMap<string, CompiledFunction>,
  growth: number,
): CompiledFunction {
  if (callsIn(caller).length === 0) return caller
  const callees: (CompiledFunction | undefined)[] = []
  let isConcerned = false
  for (const { name } of callsIn(caller)) {
    const callee = small.get(name)
    callees.push(callee)
    if (callee) isConcerned = true
  }
  if (!isConcerned) return caller
  const known = knownResults.get(caller)
  if (known && known.callees.length === callees.length && known.callees.every((one, i) => one === callees[i]))
    return known.result
  const sites = chosenSites(caller, small, growth)
  const result = sites.size === 0 ? caller : new Inliner(caller, sites).function()
  knownResults.set(caller, { callees, result })
  return result
}

/**
 * The calls to replace, by their position: calls in the innermost loops come first, until the function reaches its
 * limit.
 */
function chosenSites(
  caller: CompiledFunction,
  small: ReadonlyMap<string, CompiledFunction>,
  growth: number,
): Map<number, CompiledFunction> {
  const calls = new Map(callsIn(caller).map(({ at, name }) => [at, name]))
  const found: { at: number; callee: CompiledFunction; loops: number }[] = []
  const open: boolean[] = []
  let loops = 0
  visitInstructions(caller, (op, at, operands) => {
    if (op === Op.block || op === Op.loop || op === Op.if) {
      open.push(op === Op.loop)
      if (op === Op.loop) loops++
    } else if (op === Op.end) {
      if (open.pop() === true) loops--
    } else if (op === Op.call) {
      const callee = small.get(calls.get(operands) ?? '')
      const most = loops > 0 ? mostInLoop : mostElsewhere
      if (callee && callee !== caller && callee.code.length <= most) found.push({ at, callee, loops })
    }
  })
  found.sort((a, b) => b.loops - a.loops || a.at - b.at)
  const sites = new Map<number, CompiledFunction>()
  let rest = growth
  for (const { at, callee } of found) {
    if (callee.code.length > rest) continue
    rest -= callee.code.length
    sites.set(at, callee)
  }
  return sites
}

/** Rewrites a function with the code of others inserted. */
class Inliner {
  readonly #out = new CodeBuffer()
  readonly #caller: CompiledFunction
  readonly #sites: ReadonlyMap<number, CompiledFunction>
  readonly #locals: ValueType[]
  /** Registers for inserted code, by type: calls that follow one another share them. */
  readonly #spare = new Map<ValueType, number[]>()

  constructor(caller: CompiledFunction, sites: ReadonlyMap<number, CompiledFunction>) {
    this.#caller = caller
    this.#sites = sites
    this.#locals = [...caller.locals]
  }

  function(): CompiledFunction {
    const caller = this.#caller
    const copy = new BodyCopier(caller, this.#out)
    let from = 0
    visitInstructions(caller, (_op, at, _operands, next) => {
      const callee = this.#sites.get(at)
      if (!callee) return
      copy.to(from, at)
      this.#paste(callee)
      // Skip the relocation of the call itself.
      copy.skip(next)
      from = next
    })
    copy.to(from, caller.code.length)
    return { ...caller, locals: this.#locals, code: this.#out.bytes(), relocations: this.#out.relocations }
  }

  /** Inserts the code of a function without its `end`. Its parameters are on the stack before, its results after. */
  #paste(callee: CompiledFunction): void {
    const out = this.#out
    const { type, locals, code } = callee
    const registers = this.#registers([...type.parameters, ...locals])
    for (let i = type.parameters.length - 1; i >= 0; i--) {
      out.byte(Op.localSet)
      out.unsigned(registers[i] as number)
    }
    for (const local of unsetLocals(callee)) {
      pushZero(out, locals[local - type.parameters.length] as ValueType)
      out.byte(Op.localSet)
      out.unsigned(registers[local] as number)
    }
    const copy = new BodyCopier(callee, out)
    let from = 0
    visitInstructions(callee, (op, at, operands, next) => {
      if (op !== Op.localGet && op !== Op.localSet && op !== Op.localTee) return
      copy.to(from, at)
      out.byte(op)
      out.unsigned(registers[unsignedAt(code, operands)] as number)
      from = next
    })
    copy.to(from, code.length - 1)
  }

  /** Takes registers of the caller for those of another function. */
  #registers(types: readonly ValueType[]): number[] {
    const used = new Map<ValueType, number>()
    return types.map((type) => {
      const spare = this.#spare.get(type) ?? []
      this.#spare.set(type, spare)
      const i = used.get(type) ?? 0
      used.set(type, i + 1)
      const register = spare[i] ?? this.#caller.type.parameters.length + this.#locals.push(type) - 1
      spare[i] = register
      return register
    })
  }
}

/** Copies parts of a function's code, in their order, with their relocations. */
class BodyCopier {
  readonly #from: CompiledFunction
  readonly #out: CodeBuffer
  #next = 0

  constructor(from: CompiledFunction, out: CodeBuffer) {
    this.#from = from
    this.#out = out
  }

  to(begin: number, end: number): void {
    const { code, relocations } = this.#from
    const shift = this.#out.length - begin
    for (; this.#next < relocations.length; this.#next++) {
      const relocation = relocations[this.#next] as Relocation
      if (relocation.at >= end) break
      this.#out.relocations.push({ ...relocation, at: relocation.at + shift })
    }
    this.#out.append(code.subarray(begin, end))
  }

  /** Skips the relocations before a place. */
  skip(end: number): void {
    const { relocations } = this.#from
    while ((relocations[this.#next]?.at ?? end) < end) this.#next++
  }
}

const unsetByFunction = new WeakMap<CompiledFunction, readonly number[]>()

/**
 * Registers that may be read before they are set: their code needs them to be 0 when a call begins. A register is not
 * listed when its first use sets it, and all other uses come before the end of the block with that first use.
 */
function unsetLocals(one: CompiledFunction): readonly number[] {
  const known = unsetByFunction.get(one)
  if (known) return known
  const { code, type } = one
  const unset = new Set<number>()
  const setIn = new Map<number, number>()
  let blocks = 0
  const open: number[] = [0]
  visitInstructions(one, (op, _at, operands) => {
    switch (op) {
      case Op.block:
      case Op.loop:
      case Op.if:
        open.push(++blocks)
        break
      case Op.else:
        open[open.length - 1] = ++blocks
        break
      case Op.end:
        open.pop()
        break
      case Op.localGet:
      case Op.localSet:
      case Op.localTee: {
        const local = unsignedAt(code, operands)
        if (local < type.parameters.length) break
        const block = setIn.get(local)
        if (block !== undefined) {
          if (!open.includes(block)) unset.add(local)
        } else {
          setIn.set(local, open.at(-1) as number)
          if (op === Op.localGet) unset.add(local)
        }
      }
    }
  })
  const found = [...unset].sort((a, b) => a - b)
  unsetByFunction.set(one, found)
  return found
}

function pushZero(out: CodeBuffer, type: ValueType): void {
  switch (type) {
    case ValueType.i32:
      out.byte(Op.i32Const)
      out.signed32(0)
      return
    case ValueType.i64:
      out.byte(Op.i64Const)
      out.signed32(0)
      return
    case ValueType.f32:
      out.byte(Op.f32Const)
      out.f32(0)
      return
    case ValueType.f64:
      out.byte(Op.f64Const)
      out.f64(0)
      return
    case ValueType.v128:
      out.byte(vectorPrefix)
      out.byte(VectorOp.const)
      out.append(new Uint8Array(16))
      return
  }
}
