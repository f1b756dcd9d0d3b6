/**
 * Modes and switches of a GRAPH function block: what its inputs switch on and off besides the steps (S7-GRAPH manual,
 * "Modes", "Input parameters"; parameter table of GRAPH function blocks in the TIA Portal help).
 *
 * SW_AUTO, SW_TAP, SW_TOP and SW_MAN choose the mode when they rise. HALT_SQ, HALT_TM, ZERO_OP, EN_IL, EN_SV, EN_ACKREQ
 * and EN_SSKIP switch a function off when they rise, and on again when they rise the next time ("stop/reactivate"): the
 * inputs act with their edges.
 */

import { binary, isFalse, isTrue, local, not, setLocal, when } from '../../ir/build.ts'
import type { Expression, Statement } from '../../ir/ir.ts'
import type { SequenceProperties } from '../../program/program.ts'
import { Bool } from '../../program/scalars.ts'
import type { BlockContext } from './block-context.ts'
import type { EdgeBit, KeptSwitch, SequenceData } from './sequence-data.ts'

/**
 * Switches in `RT_DATA.MOP`, and the input of each. Interlocks and supervisions are on from the first call, and so is
 * what the properties of the block switch on.
 */
const modeSwitches = [
  ['LOCK', 'EN_IL', true],
  ['SUP', 'EN_SV', true],
  ['ACKREQ', 'EN_ACKREQ', false],
  ['SSKIP', 'EN_SSKIP', false],
] as const

const keptSwitches = [
  ['SQ_HALTED', 'HALT_SQ'],
  ['TM_HALTED', 'HALT_TM'],
  ['OP_ZEROED', 'ZERO_OP'],
] as const

const modes = ['AUTO', 'MAN', 'TAP', 'TOP'] as const

export class SequenceSwitches {
  readonly #data: SequenceData
  readonly #edges: Expression
  readonly #registers: ReadonlyMap<string, number>
  readonly #properties: SequenceProperties

  /** @param edges the word of the last call */
  constructor(context: BlockContext, data: SequenceData, edges: Expression) {
    this.#data = data
    this.#edges = edges
    this.#properties = context.block.sequence ?? {}
    this.#registers = new Map(keptSwitches.map(([name]) => [name, context.local(Bool)]))
  }

  /** Whether the input EN_SSKIP or a property of the block can switch on that steps are skipped. */
  get maySkip(): boolean {
    return this.#data.parameter('EN_SSKIP') !== undefined || this.#properties.skipsSteps === true
  }

  /** Whether a switch is on in this call. */
  kept(name: KeptSwitch): Expression {
    return local(Bool, this.#registers.get(name) ?? 0)
  }

  /** All switches that the word of the edges stores for the next call. */
  get all(): Readonly<Record<KeptSwitch, Expression>> {
    return {
      SQ_HALTED: this.kept('SQ_HALTED'),
      TM_HALTED: this.kept('TM_HALTED'),
      OP_ZEROED: this.kept('OP_ZEROED'),
    }
  }

  /**
   * Returns a mode or switch in the run-time data; a block without them works automatically, with interlocks and
   * supervisions.
   */
  mode(name: string): Expression {
    const mode = this.#data.mode(name)
    return !mode && ['AUTO', 'LOCK', 'SUP', 'SACT_DISP'].includes(name) ? isTrue : this.#data.read(mode)
  }

  rises(bit: EdgeBit): Expression | undefined {
    return this.#data.rises(bit, this.#edges)
  }

  /** Sets the switches when the first call begins. */
  initialise(): Statement[] {
    const { skipsSteps, needsAcknowledgement, interlocksInManual } = this.#properties
    const on = [
      ...modeSwitches.filter(([, , isOn]) => isOn).map(([name]) => name),
      'SACT_DISP',
      ...(skipsSteps ? ['SSKIP'] : []),
      ...(needsAcknowledgement ? ['ACKREQ'] : []),
      ...(interlocksInManual ? ['ILP_MAN'] : []),
    ]
    return on.flatMap((name) => this.#data.set(this.#data.mode(name)))
  }

  /** Evaluates the edges of the inputs. */
  lower(): Statement[] {
    return [...this.#modes(), ...this.#kept(), ...this.#turned(), ...this.#display()]
  }

  #modes(): Statement[] {
    const choose = (chosen: string) =>
      modes.flatMap((mode) => this.#data.write(this.#data.mode(mode), mode === chosen ? isTrue : isFalse))
    const any = modes.map((mode) => this.mode(mode)).reduce((left, right) => binary('or', Bool, left, right))
    return [
      when(not(any), choose('AUTO')),
      ...modes.flatMap((mode) => {
        const rises = this.rises(`SW_${mode}`)
        return rises ? [when(rises, choose(mode))] : []
      }),
    ]
  }

  #kept(): Statement[] {
    return keptSwitches.map(([name, input]) => {
      const before = this.#data.was(name, this.#edges)
      const rises = this.rises(input)
      return setLocal(this.#registers.get(name) ?? 0, rises ? binary('xor', Bool, before, rises) : before)
    })
  }

  #turned(): Statement[] {
    return modeSwitches.flatMap(([name, input]) => {
      const rises = this.rises(input)
      return rises ? [when(rises, this.#data.write(this.#data.mode(name), not(this.mode(name))))] : []
    })
  }

  /** DISP_SACT, DISP_SEF and DISP_SALL choose the steps that S_NO goes through. */
  #display(): Statement[] {
    return (['DISP_SACT', 'DISP_SEF', 'DISP_SALL'] as const).flatMap((input) => {
      const rises = this.rises(input)
      const kinds = { DISP_SACT: 'active', DISP_SEF: 'faulty', DISP_SALL: 'all' } as const
      return rises ? [when(rises, this.#data.showSteps(kinds[input]))] : []
    })
  }
}
