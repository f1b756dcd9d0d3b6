/** Places of values: `line[2].speed`, with each index behind the array it belongs to. */

import { declaredName } from '../../model/names.ts'

/** A member on the way to a value. */
export interface PlaceStep {
  readonly name: string
  readonly dataType: string
}

/**
 * The text of a place. `index` is the `Path` of a subelement, which joins the indices of all arrays on the way by `;`
 * (docs/formats.md#interface): `1;0` of `a : Array of Struct`, `b : Array of Int` is `a[1].b[0]`.
 */
export function elementPlace(
  steps: readonly PlaceStep[],
  index: string,
  spelled: (name: string) => string = declaredName,
): string {
  const indices = index === '' ? [] : index.split(';')
  let next = 0
  const parts = steps.map(({ name, dataType }, at) => {
    const arrays = dataType.match(/(?:^| of )Array\[/gi)?.length ?? 0
    // What is left over belongs to the last member.
    const end = at === steps.length - 1 ? indices.length : Math.min(indices.length, next + arrays)
    const own = indices.slice(next, end)
    next = end
    return `${name === '' ? '' : spelled(name)}${own.map((one) => `[${one}]`).join('')}`
  })
  return parts.join('.')
}
