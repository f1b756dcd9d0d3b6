/**
 * BaseUnits of ET 200SP: which type a module needs, and where a potential group begins (ET 200SP system manual,
 * "Selecting the BaseUnit", "Forming potential groups"). The type is at the end of the order number: …-0BA0 is A0,
 * …-0BA1 A0 or A1, …-0BB1 B1.
 */
import type { DeviceItem, Station } from '../model.ts'

/** A light BaseUnit opens a potential group; a dark one continues that of its left neighbour. */
const potentialGroups = ['new', 'left'] as const

/** Types of the BaseUnits that take a module; empty: it needs none. */
export function baseUnitsFor(orderNumber: string, kind: string | undefined): string[] {
  if (!/^(F-)?(DI|DQ)$|^(DIQ|AI|AQ|AIQ|TM|IO-Link|CM)$/.test(kind ?? '')) return []
  const [, type] = /^6(?:ES7|AG[12]) 13\d-6\w{2}\d{2}-\d\w(\w\d)$/.exec(orderNumber) ?? []
  if (type === undefined) return []
  return type === 'A1' ? ['A0', 'A1'] : [type]
}

/** Items of a rack on BaseUnits, in the order of the slots. */
export function onBaseUnits(station: Pick<Station, 'racks'>): DeviceItem[] {
  const items = station.racks[0]?.items ?? []
  return items.filter((item) => baseUnitsFor(numberOf(item), item.moduleKind).length > 0)
}

function numberOf({ typeIdentifier = '' }: DeviceItem): string {
  return typeIdentifier.replace(/^OrderNumber:/, '').replace(/\/.*$/, '')
}

/** The BaseUnit of a module that is plugged: its first type; the first of the station opens a potential group. */
export function baseUnitOf(station: Pick<Station, 'racks'>, item: DeviceItem): DeviceItem['parameters'] {
  const [baseUnit] = baseUnitsFor(numberOf(item), item.moduleKind)
  if (baseUnit === undefined) return undefined
  const hasLeft = onBaseUnits(station).some(({ position, id }) => position < item.position && id !== item.id)
  return { baseUnit, potentialGroup: hasLeft ? 'left' : 'new' }
}

/** What is wrong with the BaseUnit of a module, and the parameter that is; undefined: nothing. */
export function baseUnitFault(
  station: Pick<Station, 'racks'>,
  item: DeviceItem,
): { readonly parameter: string; readonly message: string; readonly allowed: readonly string[] } | undefined {
  const { baseUnit, potentialGroup } = item.parameters ?? {}
  const types = baseUnitsFor(numberOf(item), item.moduleKind)
  if (baseUnit !== undefined && !types.includes(String(baseUnit)))
    return {
      parameter: 'baseUnit',
      message:
        types.length === 0
          ? `"${item.name}" needs no BaseUnit`
          : `"${item.name}" does not fit on a BaseUnit of type ${baseUnit}; it needs ${types.join(' or ')}`,
      allowed: types,
    }
  if (potentialGroup === undefined) return undefined
  if (!potentialGroups.includes(potentialGroup as 'new'))
    return { parameter: 'potentialGroup', message: 'potentialGroup must be new or left', allowed: potentialGroups }
  const [first] = onBaseUnits(station)
  if (potentialGroup === 'left' && first?.id === item.id)
    return {
      parameter: 'potentialGroup',
      message: `"${item.name}" is the first module: there is no potential group to its left that it could continue`,
      allowed: ['new'],
    }
  return undefined
}
