/**
 * Rules about values that are missing or lost: `result-not-assigned` for the value and the outputs of a function that
 * nothing assigns, `never-read` for temporaries that are assigned and not used.
 */
import type { Expression, Statement } from '../../../ir/ir.ts'
import { visitAll } from '../../../ir/walk.ts'
import type { BlockContext } from '../block-context.ts'

/** Reports both, given the whole body. Call it after lowering the whole block. */
export function checkRegisters(context: BlockContext, body: readonly Statement[]): void {
  const results = resultsOf(context)
  const { temporaries } = context
  if (results.size === 0 && temporaries.size === 0) return
  const isOwn = isOwnLocal(context)
  const assigned = new Set<number>()
  const read = new Set<number>()
  /** Temporaries that take the result of a call: it has to be put somewhere. */
  const taken = new Set<number>()
  visitAll(body, {
    statement: (one) => {
      if (one.kind === 'setLocal') {
        assigned.add(one.local)
        if (isTaken(one.value, isOwn)) taken.add(one.local)
      } else if (one.kind === 'call')
        for (const local of one.results) {
          assigned.add(local)
          taken.add(local)
        }
    },
    expression: (one) => {
      if (one.kind === 'local') read.add(one.local)
    },
  })
  for (const [local, name] of results) {
    if (assigned.has(local)) continue
    const isValue = name.toLowerCase() === context.block.name.toLowerCase()
    context.reportMember(
      'result-not-assigned',
      isValue ? 'Ret_Val' : name,
      isValue ? `The value of the function "${name}" is never assigned.` : `Output #${name} is never assigned.`,
      isValue ? `Assign it: #${name} := … Without that it is 0.` : 'Assign it, or remove it. Without that it is 0.',
      'warning',
    )
  }
  for (const [local, name] of temporaries) {
    if (!assigned.has(local) || read.has(local) || taken.has(local) || context.partlyWritten.has(local)) continue
    // One that only has a start value is not used at all, which another rule reports.
    if (!context.isNamed(name)) continue
    context.reportMember(
      'never-read',
      name,
      `#${name} is assigned, but never read.`,
      'Remove it, or use it.',
      'information',
    )
  }
}

/** Whether a register is a temporary or a parameter of the block. */
export function isOwnLocal({ temporaries, signature }: BlockContext): (local: number) => boolean {
  const count = signature.parameters.length + signature.results.length
  return (local) => temporaries.has(local) || local < count
}

/** Registers of the value and the outputs of a function, with their names. In-outs have a value from the beginning. */
export function resultsOf({ block, signature }: BlockContext): Map<number, string> {
  if (block.kind !== 'FC') return new Map()
  const outputs = new Set(
    block.members.flatMap(({ section, name, overlays }) =>
      section === 'Output' && overlays === undefined ? [name.toLowerCase()] : [],
    ),
  )
  const hasValue = block.returnType?.kind === 'scalar'
  const found = new Map<number, string>()
  for (const [i, { name }] of signature.results.entries())
    if (hasValue && i === 0) found.set(signature.parameters.length + i, block.name)
    else if (outputs.has(name.toLowerCase())) found.set(signature.parameters.length + i, name)
  return found
}

/**
 * Whether a value comes from a call: directly, or from the register that keeps its result.
 * @param isOwn whether a register is a temporary or a parameter of the block
 */
export function isTaken(value: Expression, isOwn: (local: number) => boolean): boolean {
  switch (value.kind) {
    case 'routine':
    case 'sequence':
    case 'eno':
      return true
    case 'convert':
      return isTaken(value.operand, isOwn)
    case 'local':
      return !isOwn(value.local)
    default:
      return false
  }
}
