/**
 * System constants: names of the hardware, with the numbers that the project's compilation gave them. Those that the
 * program uses become user constants of a table, because the hardware they belong to is not all read.
 */
import type { ConstantEntry, ImportedObject } from '../../model/object.ts'
import { cultureTexts } from './cultures.ts'
import type { StoredObject } from './object.ts'

export const systemConstantType = 'SimaticConstantTagData'
/** Name of the table that they are put into. */
export const systemConstantTable = 'System constants'

/** The constants that one of the objects uses. */
export function usedConstants(constants: readonly StoredObject[], objects: readonly ImportedObject[]): ConstantEntry[] {
  if (constants.length === 0) return []
  const used = new Set<string>()
  for (const { networks } of objects)
    for (const { graph, text } of networks) {
      for (const node of graph?.nodes ?? [])
        if (node.kind === 'operand' && node.operand.kind === 'constant') used.add(node.operand.name)
      for (const [, name] of (text ?? '').matchAll(/"([^"\n]+)"/g)) used.add(name!)
    }
  return constants
    .filter(({ name }) => used.has(name))
    .flatMap((stored) => {
      const value = stored.text('IDefaultStrategyData', 'DefaultValue')
      const dataType = stored.text('IStructureItem', 'DisplayTypeName')
      if (value === undefined || dataType === undefined) return []
      return [{ name: stored.name, dataType, value, comment: cultureTexts(stored.texts('ICoreAttributes', 'Comment')) }]
    })
}
