/**
 * Generates the function of one block. The result depends only on the block: what only the whole program determines is
 * left open.
 */
import type { BlockCode, Expression, SafePoint, Statement } from '../../ir/ir.ts'
import { visitAll } from '../../ir/walk.ts'
import { textBlockName } from '../../library/text-blocks.ts'
import type { ScalarType } from '../../program/type.ts'
import type { CompiledFunction, FunctionType, ImportedFunction } from '../wasm/module.ts'
import { Op, ValueType } from '../wasm/opcodes.ts'
import { checkFinite, emitBinary, emitUnary } from './arithmetic.ts'
import { withChunks } from './chunks.ts'
import { emitConvert } from './conversions.ts'
import { emitCopy, emitSwap } from './copies.ts'
import { FunctionEmitter } from './emitter.ts'
import { forwardLoads } from './forward.ts'
import { type ImageUse, ImageUseCollector } from './image-use.ts'
import { withLoopMoves } from './loop-moves.ts'
import { emitAddress, emitLoad, emitStore, type PlaceContext } from './places.ts'
import { promoteLoops } from './promote.ts'
import { withSafeIndices } from './ranges.ts'
import { emitConstant, registerOf, typeOfExpression } from './registers.ts'
import { isPureRoutine } from './rewrite.ts'
import { withSelects } from './selects.ts'
import { swapAt } from './swaps.ts'
import { emitSwitch } from './switch.ts'
import { controlCells, controlSymbol, functionSymbol, globalNames, numberSymbol } from './symbols.ts'

/** A block as WebAssembly, with the runtime routines that it calls. */
export interface CompiledBlock {
  readonly function: CompiledFunction
  readonly routines: readonly ImportedFunction[]
  /** Constant bytes that it needs in memory, by symbol. */
  readonly constants: ReadonlyMap<string, Uint8Array>
  /** Bytes of the process images that it uses. */
  readonly image: ImageUse
}

/** Returns the type of the function: an FB takes the address of its instance, an FC its parameters. */
function typeOf({ kind, signature }: Pick<BlockCode, 'kind' | 'signature'>): FunctionType {
  if (kind === 'FB') return { parameters: [ValueType.i32], results: [] }
  return {
    parameters: signature.parameters.map(({ type }) => registerOf(type)),
    results: signature.results.map(({ type }) => registerOf(type)),
  }
}

/**
 * Compiles a block.
 * @param isOptimized false: every load and check is made where the intermediate form has it; for comparisons
 */
export function compileBlock(block: BlockCode, isOptimized = true): CompiledBlock {
  return new BlockCompiler(isOptimized ? optimized(block) : block).compile()
}

/** Returns the block after all passes; it behaves the same. */
export function optimized(block: BlockCode): BlockCode {
  return withChunks(forwardLoads(withSelects(withLoopMoves(promoteLoops(withSafeIndices(block))))))
}

class BlockCompiler implements PlaceContext {
  readonly out: FunctionEmitter
  readonly firstLocal: number
  readonly instance: number
  readonly frame: number
  readonly image = new ImageUseCollector()
  readonly #block: BlockCode
  readonly #type: FunctionType
  readonly #eno: number
  readonly #routines = new Map<string, ImportedFunction>()
  readonly #constants = new Map<string, Uint8Array>()
  /** WebAssembly labels of `leave` and `repeat`, by the label of the intermediate form. */
  readonly #leave = new Map<number, number>()
  readonly #repeat = new Map<number, number>()
  /** For `sections`: the register with the index of the next one. */
  readonly #next = new Map<number, number>()
  #end = 0

  constructor(block: BlockCode) {
    this.#block = block
    this.#type = typeOf(block)
    const isFb = block.kind === 'FB'
    this.firstLocal = isFb ? 1 : 0
    const own = isFb ? block.locals : block.locals.slice(this.#type.parameters.length)
    this.out = new FunctionEmitter(this.#type.parameters, own.map(registerOf))
    this.instance = isFb ? 0 : -1
    this.frame = block.frameSize > 0 ? this.out.take(ValueType.i32) : -1
    this.#eno = this.out.take(ValueType.i32)
  }

  compile(): CompiledBlock {
    const { out } = this
    const { name, kind, body, frameSize, signature, isRoutine } = this.#block
    out.i32(1)
    out.set(this.#eno)
    if (frameSize > 0) this.#enter(frameSize)
    // Calls that are nested count like rounds of loops; an organization block first takes its start information.
    if (kind !== 'OB' && callsBlocks(body)) this.#watch(0)
    this.#end = out.open(Op.block)
    this.#statements(body)
    out.end()
    if (frameSize > 0) {
      out.get(this.frame)
      out.i32(frameSize)
      out.op(Op.i32Add)
      out.setGlobal(globalNames.stack)
    }
    out.get(this.#eno)
    if (isRoutine === true) {
      out.op(Op.i32Eqz)
      out.setGlobal(globalNames.failed)
    } else out.setGlobal(globalNames.eno)
    for (let i = 0; i < signature.results.length; i++) out.get(signature.parameters.length + i)
    const code = out.finish()
    const { locals, relocations } = out
    return {
      function: { name: functionSymbol(name), type: this.#type, locals, code, relocations },
      routines: [...this.#routines.values()],
      constants: this.#constants,
      image: { I: this.image.I, Q: this.image.Q },
    }
  }

  /** Reserves a frame on the stack. */
  #enter(frameSize: number): void {
    const { out } = this
    out.getGlobal(globalNames.stack)
    out.i32(frameSize)
    out.op(Op.i32Sub)
    out.tee(this.frame)
    out.getGlobal(globalNames.limit)
    out.op(Op.i32LtU)
    out.open(Op.if)
    this.#pushNumber()
    out.call('stackOverflow')
    out.end()
    out.get(this.frame)
    out.setGlobal(globalNames.stack)
  }

  #pushNumber(): void {
    this.out.address(numberSymbol(this.#block.name), 0)
  }

  fault(site: number, what: number, dataBlock: string | undefined): void {
    this.#pushNumber()
    this.out.i32(site)
    this.out.i32(what)
    if (dataBlock === undefined) this.out.i32(0)
    else this.out.address(`block ${dataBlock.toLowerCase()}`, 0)
    this.out.call('fault')
  }

  periphery(what: number, byte: number): void {
    this.#pushNumber()
    this.out.i32(what)
    this.out.i32(byte)
    this.out.call('periphery')
  }

  constant(bytes: Uint8Array): string {
    const symbol = `constant ${Buffer.from(bytes).toString('hex')}`
    this.#constants.set(symbol, bytes)
    return symbol
  }

  clearEnoIf(): void {
    const { out } = this
    out.op(Op.i32Eqz)
    out.get(this.#eno)
    out.op(Op.i32And)
    out.set(this.#eno)
  }

  expression(expression: Expression): void {
    const { out } = this
    switch (expression.kind) {
      case 'constant':
        emitConstant(out, expression.type, expression.value)
        break
      case 'load':
        emitLoad(this, expression.type, expression.place)
        break
      case 'local':
        out.get(this.firstLocal + expression.local)
        break
      case 'unary':
        emitUnary(this, expression)
        break
      case 'binary':
        emitBinary(this, expression)
        break
      case 'convert':
        emitConvert(this, expression)
        break
      case 'select':
        this.expression(expression.whenTrue)
        this.expression(expression.otherwise)
        this.expression(expression.condition)
        out.op(Op.select)
        break
      case 'address':
        emitAddress(this, expression.place)
        break
      case 'routine':
        this.#routine(expression, expression.type)
        break
      case 'eno':
        out.get(this.#eno)
        break
      case 'calleeEno':
        out.getGlobal(globalNames.eno)
        break
      case 'now':
        out.i32(0)
        out.memoryAt(Op.i64Load, controlSymbol, controlCells.now)
        break
      case 'sequence':
        this.#statements(expression.statements)
        this.expression(expression.value)
    }
  }

  #routine(
    {
      routine: name,
      arguments: given,
      setsEno,
    }: { readonly routine: string; readonly arguments: readonly Expression[]; readonly setsEno: boolean },
    result: ScalarType | 'address' | undefined,
  ): void {
    if (this.#textRoutine(name, given, setsEno)) return
    if (isPureRoutine(name) && result !== undefined && result !== 'address') {
      this.#realFunction(name, given, setsEno, result)
      return
    }
    for (const argument of given) this.expression(argument)
    if (name === 'memory.copy') {
      this.out.memoryCopy()
      return
    }
    const type: FunctionType = {
      parameters: given.map((argument) => registerOf(typeOfExpression(argument))),
      results: result === undefined ? [] : [registerOf(result)],
    }
    this.#import(name, type)
    if (!setsEno) {
      this.out.call(name)
      return
    }
    // A failed routine clears ENO. Failures of earlier routines that nothing has checked do not count.
    this.out.i32(0)
    this.out.setGlobal(globalNames.failed)
    this.out.call(name)
    this.out.getGlobal(globalNames.failed)
    this.clearEnoIf()
  }

  #import(name: string, type: FunctionType): void {
    const known = this.#routines.get(name)
    if (known && !isSameType(known.type, type))
      throw new Error(`routine ${name} is called with other types than before`)
    this.#routines.set(name, { name, type })
  }

  /**
   * LN, EXP and similar: the host gives the function of its language itself, in double precision, which engines call
   * without a detour; rounding and ENO are made here.
   */
  #realFunction(name: string, given: readonly Expression[], setsEno: boolean, result: ScalarType): void {
    const { out } = this
    for (const argument of given) {
      this.expression(argument)
      if (registerOf(typeOfExpression(argument)) === ValueType.f32) out.op(Op.f64PromoteF32)
    }
    const imported = `math.${name.slice(0, name.indexOf('.'))}`
    this.#import(imported, { parameters: given.map(() => ValueType.f64), results: [ValueType.f64] })
    out.call(imported)
    if (result.bits === 32) out.op(Op.f32DemoteF64)
    if (setsEno) checkFinite(this, result)
  }

  /**
   * If the routine works on texts and exists as a function of the library, calls that function; its last argument gives
   * the layout of the texts.
   */
  #textRoutine(name: string, given: readonly Expression[], setsEno: boolean): boolean {
    const flags = given.at(-1)
    const block = flags?.kind === 'constant' ? textBlockName(name, flags.value) : undefined
    if (block === undefined) return false
    for (const argument of given.slice(0, -1)) this.expression(argument)
    this.out.call(functionSymbol(block))
    if (setsEno) {
      this.out.getGlobal(globalNames.failed)
      this.clearEnoIf()
    }
    return true
  }

  #statements(statements: readonly Statement[]): void {
    for (let i = 0; i < statements.length; i++) {
      const swap = swapAt(statements, i)
      if (swap) {
        emitSwap(this, swap)
        i += 2
      } else this.#statement(statements[i] as Statement)
    }
  }

  #statement(statement: Statement): void {
    const { out } = this
    switch (statement.kind) {
      case 'store':
        emitStore(this, statement.type, statement.place, statement.value)
        break
      case 'setLocal':
        this.expression(statement.value)
        out.set(this.firstLocal + statement.local)
        break
      case 'setEno':
        this.expression(statement.value)
        out.set(this.#eno)
        break
      case 'clear':
        emitAddress(this, statement.place)
        out.i32(0)
        out.i32(statement.size)
        out.memoryFill()
        break
      case 'copy':
        emitCopy(this, statement.type, statement.from, statement.to)
        break
      case 'routine':
        this.#routine(statement, undefined)
        break
      case 'call':
        if (statement.instance) this.expression(statement.instance)
        for (const argument of statement.arguments) this.expression(argument)
        out.call(functionSymbol(statement.block))
        // The last result is on top.
        for (const local of [...statement.results].reverse()) out.set(this.firstLocal + local)
        break
      case 'if':
        this.expression(statement.condition)
        out.open(Op.if)
        this.#statements(statement.whenTrue)
        if (statement.otherwise.length > 0) {
          out.otherwise()
          this.#statements(statement.otherwise)
        }
        out.end()
        break
      case 'switch':
        emitSwitch(this, statement, (body) => this.#statements(body))
        break
      case 'loop':
        this.#loop(statement)
        break
      case 'group':
        this.#leave.set(statement.label, out.open(Op.block))
        this.#statements(statement.body)
        out.end()
        break
      case 'leave':
        out.branch(labelOf(this.#leave, statement.label))
        break
      case 'repeat':
        out.branch(labelOf(this.#repeat, statement.label))
        break
      case 'sections':
        this.#sections(statement)
        break
      case 'goto':
        out.i32(statement.section)
        out.set(this.#next.get(statement.label) as number)
        out.branch(labelOf(this.#repeat, statement.label))
        break
      case 'return':
        out.branch(this.#end)
    }
  }

  #loop({ label, body, site, atMost, rounds, safePoint }: Extract<Statement, { kind: 'loop' }>): void {
    const { out } = this
    if (atMost !== undefined && atMost > 0) this.#watch(site, safePoint, atMost)
    this.#leave.set(label, out.open(Op.block))
    const again = out.open(Op.loop)
    this.#repeat.set(label, again)
    if (atMost === undefined) this.#watch(site, safePoint, 1, rounds)
    this.#statements(body)
    out.branch(again)
    out.end()
    out.end()
  }

  /**
   * Counts rounds of loops; from time to time the host decides whether the loop may continue, and may run another
   * organization block.
   * @param register has the count instead
   */
  #watch(site: number, safePoint?: SafePoint, count = 1, register?: number): void {
    const { out } = this
    const rest = out.take(ValueType.i32)
    out.i32(0)
    out.i32(0)
    out.memoryAt(Op.i32Load, controlSymbol, controlCells.rounds)
    if (register === undefined) out.i32(count)
    else out.get(this.firstLocal + register)
    out.op(Op.i32Sub)
    out.tee(rest)
    out.memoryAt(Op.i32Store, controlSymbol, controlCells.rounds)
    out.get(rest)
    out.release(rest)
    out.i32(0)
    out.op(Op.i32LtS)
    out.open(Op.if)
    if (safePoint) this.#statements(safePoint.before)
    this.#pushNumber()
    out.i32(site)
    out.call('watchdog')
    if (safePoint) this.#statements(safePoint.after)
    out.end()
  }

  /** Sections fall through to the next one; a jump sets the next section and starts the loop around them again. */
  #sections({ label, sections, safePoint }: Extract<Statement, { kind: 'sections' }>): void {
    const { out } = this
    const next = out.take(ValueType.i32)
    this.#next.set(label, next)
    out.i32(0)
    out.set(next)
    this.#leave.set(label, out.open(Op.block))
    const again = out.open(Op.loop)
    this.#repeat.set(label, again)
    this.#watch(0, safePoint)
    const labels = sections.map(() => out.open(Op.block)).reverse()
    out.get(next)
    out.branchTable(labels.slice(0, -1), labels.at(-1) as number)
    for (const section of sections) {
      out.end()
      this.#statements(section)
    }
    out.end()
    out.end()
    out.release(next)
  }
}

/** Whether a block calls others; the functions of the library do not count, which end by themselves. */
function callsBlocks(body: readonly Statement[]): boolean {
  let found = false
  visitAll(body, {
    statement(statement) {
      if (statement.kind === 'call' && !statement.block.startsWith('$')) found = true
    },
  })
  return found
}

function labelOf(labels: ReadonlyMap<number, number>, label: number): number {
  const found = labels.get(label)
  if (found === undefined) throw new Error(`label ${label} is not open`)
  return found
}

function isSameType(a: FunctionType, b: FunctionType): boolean {
  return a.parameters.join() === b.parameters.join() && a.results.join() === b.results.join()
}
