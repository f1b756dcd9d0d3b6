/**
 * Puts small blocks in the place of their calls, when the module is put together. An engine writes all registers to memory around a call, and
 * what the caller knows of its registers ends there: a call of a small function block costs as much as its code.
 *
 * It is done with finished code, since a block is compiled without looking at the code of others: what a caller was compiled to holds when a
 * block that it calls gets other code. The code of a block has no jump to its own end from within (the generator opens a block for that) and
 * names its block itself where it reports a fault, so it can stand in another function as it is, with other numbers of registers. All that a
 * call does happens as before: ENO, frames, faults, rounds of loops.
 */
import { CodeBuffer, type Relocation } from '../wasm/code-buffer.ts'
import type { CompiledFunction } from '../wasm/module.ts'
import { Op, ValueType, VectorOp, vectorPrefix } from '../wasm/opcodes.ts'
import { unsignedAt, visitInstructions } from './instructions.ts'

/** Most bytes of code of a block that is put in the place of a call: in a loop, and elsewhere, where the call is done once. */
const mostInLoop = 1200
const mostElsewhere = 240
/** Most bytes that a function may grow by. */
const mostGrowth = 8000
/** A block whose calls were all replaced may itself be put in the place of a call. */
const turns = 2

const callPrefix = 'function:block '

/**
 * The functions with calls of small blocks replaced, in the same order. The answer depends on nothing but the functions; one of which nothing
 * changes, and one that was answered before, is the same object.
 */
export function withInlinedCalls(functions: readonly CompiledFunction[]): CompiledFunction[] {
  let current = [...functions]
  for (let turn = 0; turn < turns; turn++) {
    const small = new Map<string, CompiledFunction>()
    for (const one of current) if (isSmallLeaf(one)) small.set(`function:${one.name}`, one)
    current = current.map((one, i) => {
      const grown = one.code.length - (functions[i]?.code.length ?? 0)
      return inlined(one, small, mostGrowth - grown)
    })
  }
  return current
}

/** Whether a function is short and calls no block. What a block reports to the host, and routines, are no blocks. */
function isSmallLeaf({ code, relocations }: CompiledFunction): boolean {
  return code.length <= mostInLoop && !relocations.some(isCall)
}

function isCall({ symbol }: Relocation): boolean {
  return symbol.startsWith(callPrefix)
}

interface Known {
  readonly callees: readonly (CompiledFunction | undefined)[]
  readonly result: CompiledFunction
}
/** What a function became the last time, with what its calls meant then. */
const knownResults = new WeakMap<CompiledFunction, Known>()

/** @param growth bytes that it may still grow by; a function has always the same left */
function inlined(
  caller: CompiledFunction,
  small: ReadonlyMap<string, CompiledFunction>,
  growth: number,
): CompiledFunction {
  const callees: (CompiledFunction | undefined)[] = []
  let isConcerned = false
  for (const relocation of caller.relocations) {
    if (!isCall(relocation)) continue
    const callee = small.get(relocation.symbol)
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

/** The calls to replace, by where they stand: those in the innermost loops first, until the function has grown enough. */
function chosenSites(
  caller: CompiledFunction,
  small: ReadonlyMap<string, CompiledFunction>,
  growth: number,
): Map<number, CompiledFunction> {
  const calls = new Map(caller.relocations.filter(isCall).map(({ at, symbol }) => [at, symbol]))
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

/** Writes a function anew with the code of others in it. */
class Inliner {
  readonly #out = new CodeBuffer()
  readonly #caller: CompiledFunction
  readonly #sites: ReadonlyMap<number, CompiledFunction>
  readonly #locals: ValueType[]
  /** Registers for the code of others, by type: one call after the other uses the same ones. */
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
      // The call's own relocation is left out with it.
      copy.skip(next)
      from = next
    })
    copy.to(from, caller.code.length)
    return { ...caller, locals: this.#locals, code: this.#out.bytes(), relocations: this.#out.relocations }
  }

  /** The code of a function without its end; its parameters are on the stack, and its results will be. */
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

  /** Registers of the caller for those of another function. */
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

  /** Leaves the relocations before a place out. */
  skip(end: number): void {
    const { relocations } = this.#from
    while ((relocations[this.#next]?.at ?? end) < end) this.#next++
  }
}

const unsetByFunction = new WeakMap<CompiledFunction, readonly number[]>()

/**
 * Registers that may be read before they are set: they count on being 0 at the beginning of a call. A register is not among them when the
 * first that is done with it is to set it, and all else happens before the block ends in which that stands.
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
