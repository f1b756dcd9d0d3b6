/** Uses of the static data of function blocks from outside. */
import type { Use } from '../uses/use.ts'
import type { ReviewedObject, ReviewedProgram } from './reviewed-program.ts'

export interface ForeignStatics {
  readonly object: ReviewedObject
  /** The function block. */
  readonly type: string
  /** In the order of the text; at least one. */
  readonly uses: readonly Use[]
}

/** For each block and each function block that it reaches into: the uses of one kind. */
export function* foreignStatics(program: ReviewedProgram, access: 'Read' | 'Write'): Generator<ForeignStatics> {
  const statics = new Map<ReviewedObject, ReadonlySet<string>>()
  const staticsOf = (type: ReviewedObject): ReadonlySet<string> => {
    let known = statics.get(type)
    if (known === undefined) {
      known = new Set(type.members('Static').map(({ member }) => member.name.toLowerCase()))
      statics.set(type, known)
    }
    return known
  }
  for (const object of program.code) {
    const found = new Map<ReviewedObject, Use[]>()
    for (const use of object.uses) {
      if (use.access !== access || use.path.length === 0) continue
      const target = program.named(use.name)
      const type = target?.kind === 'InstanceDB' ? program.named(target.object.instanceOf ?? '') : undefined
      if (type?.kind !== 'FB' || type === object || !staticsOf(type).has(use.path[0]!.toLowerCase())) continue
      const list = found.get(type)
      if (list) list.push(use)
      else found.set(type, [use])
    }
    for (const [type, uses] of found) yield { object, type: type.name, uses }
  }
}
