/** What an assignment gives: constants, values of other variables, or anything. */
import type { Expression, Statement } from '../../../ir/ir.ts'
import { visitAll } from '../../../ir/walk.ts'
import type { BlockContext } from '../block-context.ts'
import { type FactRange, keyOf, MemoryMap } from './memory-map.ts'

/** What an assignment gives. */
export interface Written {
  /** Constants; together with `from` all that it gives, unless `isOther`. */
  readonly values: readonly string[]
  /** Variables whose value it gives: `keyOf`. */
  readonly from: readonly string[]
  /** It may give any value. */
  readonly isOther?: true
}

/** What is left of the nodes that may be looked at. */
interface Room {
  left: number
}

/** Nodes of the intermediate form that are looked at for one assignment: registers may lead to each other. */
const mostNodes = 200

export class Values {
  readonly map: MemoryMap
  /** What registers get, but for those that get it from outside: parameters and results of calls. */
  readonly #locals: ReadonlyMap<number, readonly Expression[] | undefined>
  /** Registers with the address of an instance that is called. */
  readonly instances = new Set<number>()

  constructor(context: BlockContext, body: readonly Statement[]) {
    this.map = new MemoryMap(context)
    const found = new Map<number, Expression[] | undefined>()
    const { parameters, results } = context.signature
    for (let local = 0; local < parameters.length + results.length; local++) found.set(local, undefined)
    visitAll(body, {
      statement: (one) => {
        if (one.kind === 'call') {
          for (const local of one.results) found.set(local, undefined)
          if (one.instance?.kind === 'local') this.instances.add(one.instance.local)
        }
        if (one.kind !== 'setLocal') return
        const list = found.get(one.local)
        if (list) list.push(one.value)
        else if (!found.has(one.local)) found.set(one.local, [one.value])
      },
    })
    this.#locals = found
  }

  /** What an expression gives. */
  of(value: Expression): Written {
    const values = new Set<string>()
    const from = new Set<string>()
    const isKnown = this.#add(value, values, from, new Set(), { left: mostNodes })
    if (!isKnown) return { values: [], from: [], isOther: true }
    return { values: [...values], from: [...from] }
  }

  /** The register's only value. */
  only(local: number): Expression | undefined {
    const list = this.#locals.get(local)
    return list?.length === 1 ? list[0] : undefined
  }

  /** The value of a condition that is a constant. */
  truthOf(condition: Expression): boolean | undefined {
    const { values, from, isOther } = this.of(condition)
    return isOther === true || from.length > 0 || values.length !== 1 ? undefined : values[0] !== '0'
  }

  #add(node: Expression, values: Set<string>, from: Set<string>, seen: Set<number>, room: Room): boolean {
    if (room.left-- <= 0) return false
    switch (node.kind) {
      case 'constant':
        values.add(`${node.value}`)
        return true
      case 'load': {
        const range = this.map.variableOf(node)
        if (range) from.add(keyOf(range))
        return range !== undefined
      }
      case 'convert': {
        // A constant keeps its value unless it does not fit, which is an error; a wider variable may be cut.
        if (node.mode !== 'value') return false
        const isWhole = node.type.bits >= node.from.bits || node.operand.kind === 'constant'
        return isWhole && this.#add(node.operand, values, from, seen, room)
      }
      case 'select':
        return this.#add(node.whenTrue, values, from, seen, room) && this.#add(node.otherwise, values, from, seen, room)
      case 'local': {
        if (seen.has(node.local)) return true
        seen.add(node.local)
        const list = this.#locals.get(node.local)
        return list?.every((one) => this.#add(one, values, from, seen, room)) === true
      }
      default:
        return false
    }
  }
}

/** Whether a Bool never gets FALSE by a value once it is TRUE: `TRUE`, `#q OR …`. */
export function keepsTrue(
  value: Expression,
  range: FactRange,
  values: Values,
  room: Room = { left: mostNodes },
): boolean {
  if (room.left-- <= 0) return false
  const inner = (node: Expression) => keepsTrue(node, range, values, room)
  const isOpposite = (node: Expression) => node.kind === 'unary' && isSame(node.operand, range, values)
  switch (value.kind) {
    case 'constant':
      return value.value !== 0n && value.value !== 0
    case 'load':
      return isSame(value, range, values)
    case 'binary':
      // `#q OR NOT #q` is a way to write TRUE.
      if (value.operator === 'or')
        return (inner(value.left) || inner(value.right)) && !isOpposite(value.left) && !isOpposite(value.right)
      return value.operator === 'and' && inner(value.left) && inner(value.right)
    case 'select':
      return inner(value.whenTrue) && inner(value.otherwise)
    case 'local': {
      const only = values.only(value.local)
      return only !== undefined && inner(only)
    }
    default:
      return false
  }
}

function isSame(node: Expression, range: FactRange, { map }: Values): boolean {
  const own = map.variableOf(node)
  return own !== undefined && keyOf(own) === keyOf(range)
}
