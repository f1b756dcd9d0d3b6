/** STL: `P##x`, addresses of variables by name, and the local memory they point to. */

import { constant } from '../../ir/build.ts'
import type { Expression, Place } from '../../ir/ir.ts'
import { extentOf } from '../../program/layout.ts'
import { DWord } from '../../program/scalars.ts'
import type { SourceRange } from './source-range.ts'
import { blockRegisters } from './statement-list-blocks.ts'
import type { StatementMachine } from './statement-list-machine.ts'
import type { Variable } from './values.ts'

/** Local memory that `P##x` gives the address of: temporaries (L) and the targets of parameters of a function (V). */
export interface LocalMemory {
  readonly name: string
  readonly place: Place
  readonly size: number
  readonly area: bigint
}

export const [localArea, callerArea] = [0x86n, 0x87n]
/**
 * Size in bytes of the window of each variable in the pointer's 64 KiB, so that no pointer leads from one into another.
 */
export const windowSize = 512n
export const windowCount = 0x10000n / windowSize

/** The member of the block that `P##x` names. */
function namedByPointer(text: string): string | undefined {
  return /^P##"?([^".[\]]+)"?$/.exec(text)?.[1]
}

const localMemories = new WeakMap<StatementMachine['context'], readonly LocalMemory[]>()

/**
 * Returns everything that statements of the block point to with `P##x` and that is in no data block, in the order of
 * the windows.
 */
export function localMemory({ context }: StatementMachine): readonly LocalMemory[] {
  const before = localMemories.get(context)
  if (before) return before
  const found = new Map<string, LocalMemory>()
  for (const { statements = [] } of context.block.networks)
    for (const { operand } of statements) {
      const name = operand?.kind === 'other' ? namedByPointer(operand.text) : undefined
      const variable = name === undefined ? undefined : context.localName(name)
      if (name === undefined || variable?.kind !== 'variable' || variable.at.kind !== 'place') continue
      const { place } = variable.at
      if (place.base.kind !== 'frame' && place.base.kind !== 'pointer') continue
      const { size } = extentOf(variable.type, 'standard')
      const isParameter = place.base.kind === 'pointer'
      found.set(name.toLowerCase(), { name, place, size, area: isParameter ? callerArea : localArea })
    }
  const all = [...found.values()]
  localMemories.set(context, all)
  return all
}

/**
 * Returns `P##x`: the address of a variable with its area. Inputs, outputs and statics of a function block are in its
 * instance (DI); temporaries that are not scalars in L, the targets of parameters of a function in V. The type decides
 * whether the target has the layout that addresses need: an Any, a Pointer, bytes and characters do, and everything in
 * standard access.
 */
export function pointerToName(machine: StatementMachine, text: string, at: SourceRange): Expression | undefined {
  const { context } = machine
  const name = namedByPointer(text)
  const found = name === undefined ? undefined : context.localName(name)
  const place = found?.kind === 'variable' && found.at.kind === 'place' ? found.at.place : undefined
  if (place?.base.kind === 'instance' && place.isStandard) {
    blockRegisters(machine, 'DI')
    return constant(DWord, (0x85n << 24n) | BigInt(place.offset * 8 + (place.bit ?? 0)))
  }
  const all = localMemory(machine)
  const window = all.findIndex((one) => one.name.toLowerCase() === name?.toLowerCase())
  const memory = all[window]
  if (memory && found?.kind === 'variable' && hasS7Layout(found)) {
    if (BigInt(memory.size) <= windowSize && BigInt(window) < windowCount)
      return constant(DWord, (memory.area << 24n) | (BigInt(window) * windowSize * 8n))
    const message = `${text}: variables of at most ${windowSize} bytes have an address here, and ${windowCount} of them.`
    context.report('unsupported-operand', at, message)
    return undefined
  }
  context.report(
    'unsupported-operand',
    at,
    `${text}: inputs, outputs and statics of function blocks with standard access have an address, parameters of type Any and Pointer, and temporaries of these types.`,
  )
  return undefined
}

function hasS7Layout({ type, at }: Variable): boolean {
  if (type.kind === 'pointer') return type.form !== 'Variant'
  const isBytes = type.kind === 'array' && type.element.kind === 'scalar' && type.element.bits === 8
  return isBytes || (at.kind === 'place' && at.place.isStandard)
}
