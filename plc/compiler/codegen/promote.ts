/**
 * Keeps the scalars that a loop uses in registers: they are read before the loop and written back where it ends. A
 * member in memory costs a load and a store at each use, which WebAssembly engines do not remove (a prototype loop went
 * from 5.6 to 1.8 times hand-written C).
 *
 * Where an interrupt may come in the middle of the loop, the registers are written back and read again.
 *
 * A loop stays unchanged when something in it could read or change the memory in a way this pass does not see: calls of
 * blocks, and places behind addresses. A scalar stays in memory when another place of the loop overlaps it.
 */
import { defined } from '../../../lib/optional.ts'
import type { BlockCode, Expression, Place, Statement } from '../../ir/ir.ts'
import { visitAll } from '../../ir/walk.ts'
import type { ScalarType } from '../../program/type.ts'
import { bytesOf, mayBeOne, memoryOf, reach, sizeAt } from './overlap.ts'
import { isPureRoutine, rewriteStatements } from './rewrite.ts'

/** Returns the block with the scalars of its outermost loops in registers. */
export function promoteLoops(block: BlockCode): BlockCode {
  const locals = [...block.locals]
  const body = promoteIn(block.body, locals)
  return locals.length === block.locals.length ? block : { ...block, locals, body }
}

/** Visits loops from outside in: where the outer one cannot be promoted, an inner one may be. */
function promoteIn(statements: readonly Statement[], locals: BlockCode['locals'][number][]): Statement[] {
  return statements.flatMap((statement): Statement[] => {
    const inner = (list: readonly Statement[]) => promoteIn(list, locals)
    switch (statement.kind) {
      case 'loop': {
        const found = scalarsOf(statement)
        if (found && found.length > 0) return promoteOne(statement, found, locals)
        return [{ ...statement, body: inner(statement.body) }]
      }
      case 'group':
        return [{ ...statement, body: inner(statement.body) }]
      case 'if':
        return [{ ...statement, whenTrue: inner(statement.whenTrue), otherwise: inner(statement.otherwise) }]
      case 'switch':
        return [
          {
            ...statement,
            branches: statement.branches.map((branch) => ({ ...branch, body: inner(branch.body) })),
            otherwise: inner(statement.otherwise),
          },
        ]
      case 'sections':
        return [{ ...statement, sections: statement.sections.map(inner) }]
      default:
        return [statement]
    }
  })
}

interface Scalar {
  readonly key: string
  readonly place: Place
  readonly type: ScalarType
  readonly isWritten: boolean
}

type Loop = Extract<Statement, { kind: 'loop' }>

/** Bytes that a place of a loop covers. */
interface Range {
  readonly memory: string
  readonly from: number
  readonly to: number
  /** Key of a scalar without indices. */
  readonly key?: string
  readonly isWritten: boolean
}

/** Returns the scalars of a loop that can be in registers; `undefined` when the loop must stay unchanged. */
function scalarsOf(loop: Loop): Scalar[] | undefined {
  const ranges: Range[] = []
  const scalars = new Map<string, Scalar>()
  let isOpen = true
  const note = (place: Place, size: number, isWritten: boolean, type?: ScalarType) => {
    if (place.base.kind === 'pointer') {
      isOpen = false
      return
    }
    const memory = memoryOf(place)
    const key = type && place.indices.length === 0 ? keyOf(place, type) : undefined
    ranges.push({
      memory,
      from: place.offset,
      to: place.offset + reach(place, size),
      isWritten,
      ...defined({ key }),
    })
    if (key !== undefined && type)
      scalars.set(key, { key, place, type, isWritten: isWritten || scalars.get(key)?.isWritten === true })
  }
  visitAll([loop], {
    expression(expression) {
      if (expression.kind === 'load') note(expression.place, bytesOf(expression.type), false, expression.type)
      else if (expression.kind === 'routine') isOpen = isOpen && isPureRoutine(expression.routine)
      // Code that has an address may read and write there.
      else if (expression.kind === 'address') isOpen = isOpen && expression.place.base.kind === 'constant'
    },
    statement(statement) {
      if (statement.kind === 'call' || (statement.kind === 'routine' && !isPureRoutine(statement.routine)))
        isOpen = false
      else if (statement.kind === 'store') note(statement.place, bytesOf(statement.type), true, statement.type)
      else if (statement.kind === 'clear') note(statement.place, statement.size, true)
      else if (statement.kind === 'copy') {
        note(statement.from, sizeAt(statement.type, statement.from), false)
        note(statement.to, sizeAt(statement.type, statement.to), true)
      }
    },
  })
  if (!isOpen) return undefined
  const isMixed = (memory: string) => ranges.some((range) => range.isWritten && mayBeOne(memory, range.memory))
  return [...scalars.values()].filter(({ key, place, type }) => {
    const memory = memoryOf(place)
    const [from, to] = [place.offset, place.offset + bytesOf(type)]
    return (
      !isMixed(memory) &&
      ranges.every((range) => range.key === key || range.memory !== memory || range.to <= from || to <= range.from)
    )
  })
}

function keyOf(place: Place, type: ScalarType): string {
  return `${memoryOf(place)} ${place.offset}.${place.bit ?? ''} ${type.name} ${place.isStandard}`
}

function promoteOne(loop: Loop, scalars: readonly Scalar[], locals: BlockCode['locals'][number][]): Statement[] {
  const registers = new Map(scalars.map((scalar) => [scalar.key, locals.push(scalar.type) - 1]))
  const local = (key: string, type: ScalarType): Expression => ({
    kind: 'local',
    type,
    local: registers.get(key) as number,
  })
  const writeBack = scalars
    .filter(({ isWritten }) => isWritten)
    .map(
      ({ key, place, type }): Statement => ({ kind: 'store', place, type, value: local(key, type), site: loop.site }),
    )
  const inside = labelsIn(loop)
  const readIn = scalars.map(
    ({ key, place, type }): Statement => ({
      kind: 'setLocal',
      local: registers.get(key) as number,
      value: { kind: 'load', type, place },
    }),
  )
  const safePoint = { before: writeBack, after: readIn }
  const [promoted] = rewriteStatements([loop], {
    expression(expression) {
      if (expression.kind !== 'load') return expression
      const key = expression.place.indices.length === 0 ? keyOf(expression.place, expression.type) : ''
      return registers.has(key) ? local(key, expression.type) : expression
    },
    statement(statement) {
      if (statement.kind === 'loop' || statement.kind === 'sections') return [{ ...statement, safePoint }]
      if (statement.kind === 'store') {
        const key = statement.place.indices.length === 0 ? keyOf(statement.place, statement.type) : ''
        const register = registers.get(key)
        return [register === undefined ? statement : { kind: 'setLocal', local: register, value: statement.value }]
      }
      const leaves =
        statement.kind === 'return' ||
        ((statement.kind === 'leave' || statement.kind === 'repeat' || statement.kind === 'goto') &&
          !inside.has(statement.label))
      return leaves ? [...writeBack, statement] : [statement]
    },
  })
  return [...readIn, promoted as Statement, ...writeBack]
}

/** Labels inside the loop, including its own. */
function labelsIn(loop: Loop): Set<number> {
  const labels = new Set<number>()
  visitAll([loop], {
    statement(statement) {
      if (statement.kind === 'loop' || statement.kind === 'group' || statement.kind === 'sections')
        labels.add(statement.label)
    },
  })
  return labels
}
