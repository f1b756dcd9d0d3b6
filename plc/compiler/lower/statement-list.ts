/**
 * Lowers statement lists to the intermediate form. The registers of STL are registers of the call
 * (statement-list-machine.ts); labels make sections. What a statement needs to know of earlier ones (whether a string
 * of logic begins, which brackets are open) is computed here once, so that most of the status word needs no code.
 */
import { nearest } from '../../../lib/nearest.ts'
import { binary, constant, convert, isFalse, isTrue, local, not, setLocal, when } from '../../ir/build.ts'
import type { Expression, Statement as IrStatement } from '../../ir/ir.ts'
import { stlInstruction } from '../../languages/stl/mnemonics.ts'
import type { Operand as ModelOperand } from '../../model/operand.ts'
import { operandText } from '../../model/operand-text.ts'
import { type PlacedStatements, placesOfStatements, type Statement } from '../../model/statement.ts'
import type { ProgramBlock } from '../../program/program.ts'
import { Bool, Byte, DInt, DWord, Int, UInt, Word } from '../../program/scalars.ts'
import type { BlockContext } from './block-context.ts'
import { checkUnreachable, type ListedStatement } from './checks/unreachable.ts'
import { JumpTargets } from './jumps.ts'
import { s5Value } from './s5.ts'
import type { SourceRange } from './source-range.ts'
import { bitWork } from './statement-list-bits.ts'
import { blockRegisters, exchangeBlocks } from './statement-list-blocks.ts'
import { lowerCall } from './statement-list-calls.ts'
import { bracketsOf, firstsOf, labelIndices } from './statement-list-flow.ts'
import { asAccu, type First, StatementMachine } from './statement-list-machine.ts'
import { accumulatorWork } from './statement-list-numbers.ts'
import { accuValue, openBlock, s5Operand, transfer } from './statement-list-operands.ts'

/** Machines by block: accumulators keep their values from one network to the next. */
const machines = new WeakMap<BlockContext, StatementMachine>()

/** Returns the labels in a statement list, in order. */
export function labelsOfStatements(statements: readonly Statement[]): string[] {
  return statements.flatMap(({ label }) => (label === undefined ? [] : [label]))
}

/**
 * Lowers a statement list. Faults go to `context.diagnostics`, with the line of the statement in the network's text.
 * @param jumps labels of the block that contains this network; the statements are added to it and nothing is returned.
 *   Without it jumps can reach only labels of this list
 */
export function lowerStatements(context: BlockContext, network: PlacedStatements, jumps?: JumpTargets): IrStatement[] {
  const own = jumps ?? new JumpTargets(context, labelsOfStatements(network.statements ?? []))
  let machine = machines.get(context)
  if (!machine) {
    machine = new StatementMachine(context)
    machines.set(context, machine)
  }
  new ListLowering(machine, network, own).run()
  return jumps ? [] : own.finish()
}

/** The condition of a jump, and whether it ends a string of logic. */
interface Jump {
  readonly condition?: (machine: StatementMachine) => Expression
  /** Sets OR, STA, RLO and FC for a new string. */
  readonly endsLogic: boolean
  /** Runs before the jump, after the condition is evaluated. */
  readonly before?: (machine: StatementMachine) => void
}

function status(name: string): Jump {
  return { condition: (machine) => machine.condition(name) as Expression, endsLogic: false }
}

const saveRlo = (machine: StatementMachine) => machine.add({ kind: 'setEno', value: machine.rlo })

const jumpTable: ReadonlyMap<string, Jump> = new Map<string, Jump>([
  ['JU', { endsLogic: false }],
  ['JC', { condition: (machine) => machine.rlo, endsLogic: true }],
  ['JCN', { condition: (machine) => not(machine.rlo), endsLogic: true }],
  ['JCB', { condition: (machine) => machine.rlo, endsLogic: true, before: saveRlo }],
  ['JNB', { condition: (machine) => not(machine.rlo), endsLogic: true, before: saveRlo }],
  ['JBI', { condition: () => ({ kind: 'eno' }), endsLogic: true }],
  ['JNBI', { condition: () => not({ kind: 'eno' }), endsLogic: true }],
  ['JO', status('OV')],
  ['JOS', status('OS')],
  ['JZ', status('EQ')],
  ['JN', status('NE')],
  ['JP', status('GT')],
  ['JM', status('LT')],
  ['JPZ', status('GE')],
  ['JMZ', status('LE')],
  ['JUO', status('UO')],
])
const keepsLogic = new Set(['JBI', 'JNBI'])

const codeJumps = new Set(['JZ', 'JN', 'JP', 'JM', 'JPZ', 'JMZ', 'JUO', 'RLDA', 'RRDA'])
const codeBits = new Set(['EQ', 'NE', 'GT', 'LT', 'GE', 'LE', 'UO'])
/** Statements that S7-1500 does not have, or that have no meaning there. */
const refused: Readonly<Record<string, string>> = {
  'MCR(': 'The master control relay does not exist on S7-1500.',
  ')MCR': 'The master control relay does not exist on S7-1500.',
  MCRA: 'The master control relay does not exist on S7-1500.',
  MCRD: 'The master control relay does not exist on S7-1500.',
  ENT: 'S7-1500 has two accumulators: TAK, PUSH and POP move values between them.',
  LEAVE: 'S7-1500 has two accumulators: TAK, PUSH and POP move values between them.',
}

/** Statements that may be unreachable. */
const withoutEffect: ReadonlySet<string> = new Set(['', 'NOP', 'BLD', 'BE', ')'])

class ListLowering {
  readonly #machine: StatementMachine
  readonly #statements: readonly Statement[]
  readonly #jumps: JumpTargets
  readonly #firsts: readonly First[]
  readonly #ranges: readonly SourceRange[]
  /** Statements by their labels in upper case. */
  readonly #labels: ReadonlyMap<string, number>
  /** For each statement the bracket that contains it. */
  readonly #brackets: readonly number[]
  /** Index of the current statement. */
  #index = 0

  constructor(machine: StatementMachine, network: PlacedStatements, jumps: JumpTargets) {
    const { statements = [] } = network
    this.#machine = machine
    this.#statements = statements
    this.#jumps = jumps
    this.#firsts = firstsOf(statements)
    this.#ranges = placesOfStatements(network)
    this.#brackets = bracketsOf(statements)
    this.#labels = labelIndices(statements)
    machine.watched = watchedIn(machine.context, statements)
  }

  /** Records that a statement ran, where the execution is recorded. */
  #probe({ mnemonic, label }: Statement, at: SourceRange): void {
    const { probes } = this.#machine.context
    if (!probes) return
    if (label !== undefined) probes.run = undefined
    this.#jumps.add(this.#machine.take())
    this.#jumps.add(probes.enter())
    probes.here('statement', at)
    // What follows a jump may be reached or not.
    if (/^(?:J|LOOP|BE)/.test(mnemonic)) probes.run = undefined
  }

  run(): void {
    const machine = this.#machine
    machine.endLogic()
    machine.brackets = []
    for (const [i, statement] of this.#statements.entries()) {
      const at = this.#ranges[i] ?? {}
      this.#index = i
      if (statement.label !== undefined) this.#label(statement.label, this.#firsts[i] ?? 'first', at)
      this.#probe(statement, at)
      this.#statement(statement, i, at)
      this.#jumps.add(machine.take())
    }
    for (const { mnemonic, at } of machine.brackets)
      machine.context.report(
        'unbalanced-bracket',
        at,
        `${mnemonic}( is not closed.`,
        'Write ) behind the last statement in it.',
      )
    machine.brackets = []
    checkUnreachable(machine.context, this.#listed())
  }

  *#listed(): Iterable<ListedStatement> {
    let inJumpList = false
    for (const [i, { mnemonic, label }] of this.#statements.entries()) {
      // JL chooses among the JU after it.
      inJumpList = mnemonic === 'JL' || (inJumpList && mnemonic === 'JU')
      yield {
        leaves: !inJumpList && (mnemonic === 'JU' || mnemonic === 'BEU' || mnemonic === 'BE'),
        isTarget: label !== undefined,
        isEmpty: withoutEffect.has(mnemonic),
        at: () => this.#ranges[i] ?? {},
        text: mnemonic,
      }
    }
  }

  #label(name: string, first: First, at: SourceRange): void {
    const machine = this.#machine
    if (first === 'unknown' && machine.first !== 'unknown') this.#tellFirst()
    this.#jumps.add(machine.take())
    if (!this.#jumps.begin(name)) machine.context.report('duplicate-label', at, `Label ${name} stands here twice.`)
    machine.endLogic()
    machine.first = first
    machine.openBlock = undefined
  }

  /** Records at run time whether a string of logic continues, for a label that is reached in both ways. */
  #tellFirst(): void {
    const machine = this.#machine
    if (machine.first === 'unknown') return
    machine.add(setLocal(machine.firstRegister, machine.first === 'following' ? isTrue : isFalse))
  }

  #statement(statement: Statement, index: number, at: SourceRange): void {
    const machine = this.#machine
    const { context } = machine
    const { mnemonic, operand } = statement
    if (mnemonic === '') return
    const instruction = stlInstruction(mnemonic)
    if (!instruction || mnemonic in refused) {
      const reason = refused[mnemonic]
      context.report(
        'unknown-statement',
        at,
        `${mnemonic} is ${instruction ? 'not supported' : 'no instruction of STL'}.`,
        reason,
      )
      return
    }
    if (
      !operand &&
      !statement.call &&
      instruction.operands.length > 0 &&
      !instruction.isOptional &&
      !['LAR1', 'LAR2', 'TAR1', 'TAR2'].includes(mnemonic)
    ) {
      context.report('missing-operand', at, `${mnemonic} needs an operand.`)
      return
    }
    const work = bitWork.get(mnemonic) ?? accumulatorWork.get(mnemonic)
    if (work) {
      work(machine, operand, at)
      return
    }
    const jump = jumpTable.get(mnemonic)
    if (jump) {
      this.#jump(mnemonic, jump, operand, at)
      return
    }
    switch (mnemonic) {
      case 'CALL':
      case 'UC':
      case 'CC':
        lowerCall(machine, statement, at)
        machine.openBlock = undefined
        return
      case 'L': {
        const value = isStatusWord(operand) ? machine.statusWord() : operand && accuValue(machine, operand, at)
        if (value) machine.push(value)
        return
      }
      case 'LC':
        if (operand) this.#loadDigits(operand, at)
        return
      case 'T':
        if (isStatusWord(operand)) machine.setStatusWord(machine.accu(1))
        else if (operand) transfer(machine, operand, machine.accu(1), at)
        return
      case 'OPN':
      case 'OPNDI':
        if (operand) openBlock(machine, mnemonic === 'OPNDI' || isDi(operand) ? 'DI' : 'DB', operand, at)
        return
      case 'CDB':
        exchangeBlocks(machine)
        return
      case 'L DBNO':
      case 'L DINO':
      case 'L DBLG':
      case 'L DILG': {
        const registers = blockRegisters(machine, mnemonic.startsWith('L DB') ? 'DB' : 'DI')
        machine.push(
          mnemonic.endsWith('NO')
            ? asAccu(local(UInt, registers.number), UInt)
            : convert(local(DInt, registers.size), DInt, DWord, 'bits'),
        )
        return
      }
      case 'JL':
        this.#jumpList(operand, index, at)
        return
      case 'LOOP':
        this.#loop(operand, at)
        return
      case 'BE':
      case 'BEU':
        machine.add(machine.context.returns())
        return
      case 'BEC':
        machine.add(context.noted(when(machine.rlo, [context.returns()]), at, 'BEC'))
        machine.setRlo(isTrue)
        machine.endLogic()
        return
      case 'NOP 0':
      case 'NOP 1':
      case 'BLD':
        return
      default:
        if (this.#addressRegister(mnemonic, operand, at)) return
        context.report('unknown-statement', at, `${mnemonic} is not supported.`)
    }
  }

  #loadDigits(operand: ModelOperand, at: SourceRange): void {
    const machine = this.#machine
    const s5 = s5Operand(machine, operand, at)
    if (!s5)
      machine.context.report('wrong-operand', at, `LC loads a timer or counter; ${operandText(operand)} is none.`)
    else if (s5.kind !== 'wrong') {
      const { before, bcd } = s5Value(machine.context, s5)
      machine.add(...before)
      machine.push(asAccu(bcd, Word))
    }
  }

  // ── Jumps ─────────────────────────────────────────────────────────────────────────────────────────────────────────

  /**
   * Returns the jump to a label, with the state it must leave; `undefined`: there is no such label, which is then
   * reported.
   */
  #to(operand: ModelOperand | undefined, at: SourceRange, endsLogic: boolean): IrStatement[] | undefined {
    const machine = this.#machine
    const name =
      operand?.kind === 'label' ? operand.name : operand?.kind === 'symbol' ? operand.path[0]?.name : undefined
    const jump = name === undefined ? undefined : this.#jumps.to(name)
    if (!jump) {
      const close = name === undefined ? undefined : nearest(name, this.#jumps.names())
      machine.context.report(
        'no-label',
        at,
        name === undefined ? 'A jump leads to a label.' : `There is no label ${name} in this block.`,
        close === undefined ? undefined : `Did you mean ${close}?`,
      )
      return undefined
    }
    const target = this.#labels.get(name?.toUpperCase() ?? '') ?? -1
    if ((target < 0 ? -1 : this.#brackets[target]) !== this.#brackets[this.#index])
      machine.context.report(
        'unbalanced-bracket',
        at,
        `The jump to ${name} leads into or out of a bracket.`,
        'Jump and label stand in the same bracket, or in none.',
      )
    if (this.#firsts[target] !== 'unknown') return [jump]
    const following = !endsLogic && machine.first === 'following'
    if (!endsLogic && machine.first === 'unknown') return [jump]
    return [setLocal(machine.firstRegister, following ? isTrue : isFalse), jump]
  }

  #jump(
    mnemonic: string,
    { condition, endsLogic, before }: Jump,
    operand: ModelOperand | undefined,
    at: SourceRange,
  ): void {
    const machine = this.#machine
    before?.(machine)
    const jump = this.#to(operand, at, endsLogic)
    if (!condition) {
      if (jump) machine.add(...jump)
      return
    }
    const taken = machine.keep('jump', Bool, condition(machine))
    if (mnemonic === 'JOS') machine.add(setLocal(machine.register('OS', Bool), isFalse))
    if (endsLogic) {
      if (!keepsLogic.has(mnemonic)) machine.setRlo(isTrue)
      machine.endLogic()
    }
    if (jump) machine.add(machine.context.noted(when(taken, jump), at, mnemonic))
  }

  /** JL: the JU after it are the targets; a number beyond the last one leads to the label. */
  #jumpList(operand: ModelOperand | undefined, index: number, at: SourceRange): void {
    const machine = this.#machine
    const beyond = this.#to(operand, at, false)
    const branches: { ranges: readonly (readonly [bigint, bigint])[]; body: readonly IrStatement[] }[] = []
    for (const [k, { mnemonic, operand: target, label }] of this.#statements.slice(index + 1).entries()) {
      if (mnemonic === '' && label === undefined) continue
      if (mnemonic !== 'JU' || label !== undefined) break
      const number = BigInt(branches.length)
      branches.push({
        ranges: [[number, number]],
        body: this.#to(target, this.#ranges[index + 1 + k] ?? at, false) ?? [],
      })
    }
    if (branches.length > 255) machine.context.report('unknown-statement', at, 'JL takes at most 255 jumps.')
    if (!beyond) return
    machine.add({
      kind: 'switch',
      selector: machine.accuAs(1, Byte),
      type: Byte,
      branches,
      otherwise: beyond,
      site: machine.context.site(at),
    })
  }

  /** LOOP: counts down the low word of ACCU 1 and jumps until it is 0. */
  #loop(operand: ModelOperand | undefined, at: SourceRange): void {
    const machine = this.#machine
    const jump = this.#to(operand, at, false)
    machine.setLowWord(binary('subtract', DInt, convert(machine.accuAs(1, Word), Word, DInt), constant(DInt, 1n)))
    const goesOn = binary('notEqual', Word, machine.accuAs(1, Word), constant(Word, 0n))
    if (jump) machine.add(machine.context.noted(when(goesOn, jump), at, 'LOOP'))
  }

  // ── Address registers ─────────────────────────────────────────────────────────────────────────────────────────────

  #addressRegister(mnemonic: string, operand: ModelOperand | undefined, at: SourceRange): boolean {
    const machine = this.#machine
    const register = (name: 'AR1' | 'AR2') => machine.register(name, DWord)
    const read = (name: 'AR1' | 'AR2') => local(DWord, register(name))
    const [, verb, which] = /^(LAR|TAR|\+AR)([12])$/.exec(mnemonic) ?? []
    if (mnemonic === 'CAR') {
      const kept = machine.keep('kept', DWord, read('AR1'))
      machine.add(setLocal(register('AR1'), read('AR2')), setLocal(register('AR2'), kept))
      return true
    }
    if (mnemonic === 'LAR1 AR2' || mnemonic === 'TAR1 AR2') {
      const [from, to] = mnemonic.startsWith('L') ? (['AR2', 'AR1'] as const) : (['AR1', 'AR2'] as const)
      machine.add(setLocal(register(to), read(from)))
      return true
    }
    if (!verb) return false
    const own = which === '1' ? 'AR1' : 'AR2'
    const isOther =
      operand?.kind === 'symbol' && operand.path.length === 1 && /^AR[12]$/i.test(operand.path[0]?.name ?? '')
    if (verb === 'LAR') {
      const value = !operand
        ? machine.accu(1)
        : isOther
          ? read(own === 'AR1' ? 'AR2' : 'AR1')
          : accuValue(machine, operand, at)
      if (value) machine.add(setLocal(register(own), value))
    } else if (verb === 'TAR') {
      if (!operand) machine.push(read(own))
      else if (isOther) machine.add(setLocal(register(own === 'AR1' ? 'AR2' : 'AR1'), read(own)))
      else transfer(machine, operand, read(own), at)
    } else {
      // The signed low word of ACCU 1, or a pointer; the area stays.
      const value = operand
        ? accuValue(machine, operand, at)
        : convert(convert(machine.accuAs(1, Int), Int, DInt), DInt, DWord, 'bits')
      if (!value) return true
      const sum = binary('and', DWord, binary('add', DWord, read(own), value), constant(DWord, 0xffffffn))
      const area = binary('and', DWord, read(own), constant(DWord, 0xff000000n))
      machine.add(setLocal(register(own), binary('or', DWord, area, sum)))
    }
    return true
  }
}

/** `OPN DI 5` opens the second data block. */
function isDi(operand: ModelOperand): boolean {
  return (operand.kind === 'address' || operand.kind === 'indirect') && operand.area === 'DI'
}

/** `L STW`, `T STW`. */
function isStatusWord(operand: ModelOperand | undefined): boolean {
  return operand?.kind === 'status' && operand.name === 'STW'
}

/** The condition bits that statements use. */
interface WatchedBits {
  readonly codes: boolean
  readonly overflow: boolean
  readonly stored: boolean
}

const bitsOfBlocks = new WeakMap<ProgramBlock, WatchedBits>()

/** Condition bits that the block uses, found once for all its networks, or the statements that are lowered. */
function watchedIn({ block }: BlockContext, own: readonly Statement[]): WatchedBits {
  let bits = bitsOfBlocks.get(block)
  if (bits === undefined) {
    bits = bitsIn(block.networks.flatMap(({ statements = [] }) => statements))
    bitsOfBlocks.set(block, bits)
  }
  const more = bitsIn(own)
  return {
    codes: bits.codes || more.codes,
    overflow: bits.overflow || more.overflow,
    stored: bits.stored || more.stored,
  }
}

function bitsIn(statements: readonly Statement[]): WatchedBits {
  const found = { codes: false, overflow: false, stored: false }
  for (const { mnemonic, operand } of statements) {
    const name = operand?.kind === 'status' ? operand.name : ''
    const isAll = isStatusWord(operand)
    found.codes ||= isAll || codeJumps.has(mnemonic) || codeBits.has(name)
    found.overflow ||= isAll || mnemonic === 'JO' || name === 'OV'
    found.stored ||= isAll || mnemonic === 'JOS' || name === 'OS'
  }
  return found
}
