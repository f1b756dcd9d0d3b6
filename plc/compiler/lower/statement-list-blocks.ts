/** Open data blocks in a statement list: the registers DB and DI. */

import { address, constant, local, setLocal } from '../../ir/build.ts'
import type { Expression, Place } from '../../ir/ir.ts'
import { layoutOf } from '../../program/layout.ts'
import { DInt, UInt } from '../../program/scalars.ts'
import { isInstanceData } from './block-context.ts'
import type { SourceRange } from './source-range.ts'
import type { StatementMachine } from './statement-list-machine.ts'

/** Registers of an open block: its address, size and number. */
export interface BlockRegisters {
  readonly address: number
  readonly size: number
  readonly number: number
}

export function blockRegisters(machine: StatementMachine, which: 'DB' | 'DI'): BlockRegisters {
  const isNew = !machine.has(`${which} address`)
  const registers = {
    address: machine.register(`${which} address`, 'address'),
    size: machine.register(`${which} size`, DInt),
    number: machine.register(`${which} number`, UInt),
  }
  const { block } = machine.context
  // A function block begins with its own instance as DI.
  if (isNew && which === 'DI' && block.kind === 'FB' && block.access === 'standard') {
    const { size } = layoutOf(
      block.members.filter(({ section }) => isInstanceData(section)),
      'standard',
    )
    machine.context.prologue.push(
      setLocal(registers.address, address({ base: { kind: 'instance' }, offset: 0, indices: [], isStandard: true })),
      setLocal(registers.size, constant(DInt, BigInt(size))),
    )
  }
  return registers
}

/** CDB: exchanges DB and DI. */
export function exchangeBlocks(machine: StatementMachine): void {
  const [db, di] = [blockRegisters(machine, 'DB'), blockRegisters(machine, 'DI')]
  machine.openBlock = undefined
  for (const [name, type] of [
    ['address', 'address'],
    ['size', DInt],
    ['number', UInt],
  ] as const) {
    const kept = machine.register(`kept ${name}`, type)
    machine.add(
      setLocal(kept, local(type, db[name])),
      setLocal(db[name], local(type, di[name])),
      setLocal(di[name], local(type, kept)),
    )
  }
}

/** Whether a data block may be open: some statement opens one, or DI is the instance. */
export function isOpen(machine: StatementMachine, which: 'DB' | 'DI', text: string, at: SourceRange): boolean {
  const { context } = machine
  if (machine.has(`${which} address`)) return true
  const { block } = context
  if (which === 'DI' && block.kind === 'FB') {
    if (block.access === 'standard') return true
    context.report(
      'optimized-access',
      at,
      `${text}: "${block.name}" has optimized access, its instance has no addresses.`,
      'Use the names of its members, or switch optimized access off.',
    )
    return false
  }
  context.report(
    'no-open-block',
    at,
    `${text}: no data block is open here.`,
    `Open one before, e.g. OPN${which === 'DI' ? 'DI' : ''} %DB1.`,
  )
  return false
}

/** The memory of an address: its beginning and its size in bytes. */
export interface Memory {
  readonly base: Place['base']
  readonly size: number | Expression
}

// ── Memory by computed addresses ────────────────────────────────────────────────────────────────────────────────────

export function registerMemory(machine: StatementMachine, which: 'DB' | 'DI'): Memory {
  const registers = blockRegisters(machine, which)
  return {
    base: { kind: 'pointer', address: local('address', registers.address) },
    size: local(DInt, registers.size),
  }
}
