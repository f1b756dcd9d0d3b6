/** Names of the items of a station, and what a refused change says. */
import { itemsOf } from '../addresses/addresses.ts'
import type { DeviceItem, Station } from '../model.ts'

/** Why a change is refused. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  /** @param suggestion what would do instead */
  constructor(
    readonly kind: 'place' | 'address' | 'name' | 'built-in' | 'input',
    readonly path: string,
    message: string,
    readonly suggestion?: string,
    readonly slots?: readonly string[],
  ) {
    super(message)
  }
}

/**
 * The catalog does not know all versions, so any that looks like one will do: `V2.0`, `V4.0.1`, `V3.1 SP1`.
 * @throws Refusal input
 */
export function requireFirmware(firmware: string): void {
  if (/^v?\d+(\.\d+)*( .*)?$/i.test(firmware)) return
  throw new Refusal('input', '/firmware', `"${firmware}" is no version, as V2.0 is one`)
}

/** A plugged item by its name (case ignored); built-in parts are found by their own names too. */
export function findItem(
  station: Station,
  name: string,
): { item: DeviceItem; module: DeviceItem; rack: DeviceItem } | undefined {
  const wanted = name.trim().toLowerCase()
  const all = [...itemsOf(station)].filter(({ item }) => item.name.toLowerCase() === wanted)
  return all.find(({ item }) => !item.builtIn) ?? all[0]
}

/** Modules, also built-in ones of a GSD file, and what is plugged into them; built-in parts are often named like it. */
const hasOwnName = ({ item, module }: { readonly item: DeviceItem; readonly module: DeviceItem }) =>
  item === module || !item.builtIn

/** Names of the modules, and of what is plugged into them. */
export function itemNames(station: Station): string[] {
  return [...itemsOf(station)].filter(hasOwnName).map(({ item }) => item.name)
}

/** `DI 16x24VDC ST_1`: the next free name of a type. @param more names that are taken too */
export function freeItemName(station: Station, typeName: string, more: readonly string[] = []): string {
  const taken = new Set([...itemNames(station), ...more].map((name) => name.toLowerCase()))
  for (let n = 1; ; n++) if (!taken.has(`${typeName}_${n}`.toLowerCase())) return `${typeName}_${n}`
}

/** A new module whose plugged submodules have free names. */
export function withFreeNames(station: Station, module: DeviceItem): DeviceItem {
  const given = [module.name]
  const items = module.items.map((one) => {
    if (one.builtIn) return one
    const name = freeItemName(station, one.name, given)
    given.push(name)
    return { ...one, name }
  })
  return { ...module, items }
}

/** `DI 16x24VDC ST_3`: nobody gave it a name. */
export function isDefaultName({ name, typeName = '' }: DeviceItem): boolean {
  return name.startsWith(`${typeName}_`) && /^\d+$/.test(name.slice(typeName.length + 1))
}

/** Checks a new name of an item. @throws Refusal */
export function requireItemName(station: Station, name: string, path: string, own?: string): void {
  const fault =
    name.trim() === '' || name !== name.trim()
      ? 'must not be empty, or begin or end with a blank'
      : name.length > 128
        ? `has ${name.length} characters; at most 128 are allowed`
        : /\p{Cc}|\p{Surrogate}/u.test(name)
          ? 'must not contain control characters'
          : undefined
  if (fault) throw new Refusal('input', path, `"${name}" ${fault}`)
  const holder = [...itemsOf(station)].find(
    (one) => hasOwnName(one) && one.item.id !== own && one.item.name.toLowerCase() === name.toLowerCase(),
  )
  if (holder)
    throw new Refusal(
      'name',
      path,
      `"${name}" is the name of the ${holder.item.typeName ?? 'item'} in slot ${holder.module.position}`,
      freeItemName(station, name),
    )
}
