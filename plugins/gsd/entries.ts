/** What a GSD file gives to the hardware catalog, and to racks. */
import { defined } from '../../core/index.ts'
import {
  commonSlots,
  type GsdAccessPoint,
  type GsdFile,
  type GsdModule,
  type GsdSubmodule,
  gsdIdentifier,
  gsdText,
} from '../../plc/formats/gsdml/gsdml.ts'
import type { CatalogEntry } from '../devices/index.ts'
import type { IoSize, ModuleType, SubmoduleType } from '../hardware/index.ts'

/** Names of items neither begin nor end with a blank; texts of makers do. */
export const nameOf = ({ name, id }: Pick<GsdModule, 'name' | 'id'>) => gsdText(name).trim() || id

/** Access points as devices, modules and submodules as modules. */
export function entriesOf(file: GsdFile): CatalogEntry[] {
  const family = `${file.vendorName} ${file.productFamily}`.trim()
  const entry = (one: GsdModule | GsdSubmodule, kind: 'DAP' | 'M' | 'SM'): CatalogEntry => ({
    orderNumber: gsdIdentifier(file.fileName, kind, one.id),
    typeName: nameOf(one),
    family,
    kind: kind === 'DAP' ? 'IM' : 'GSD',
    firmware: 'softwareRelease' in one && one.softwareRelease !== undefined ? [one.softwareRelease] : [],
    ...(kind === 'DAP' ? { pnPorts: (one as GsdAccessPoint).ports.length } : {}),
    ...(one.orderNumber ? { makerNumber: one.orderNumber } : {}),
    nameSource: 'gsdml',
    source: file.fileName,
  })
  return [
    ...file.accessPoints.map((one) => entry(one, 'DAP')),
    ...file.modules.map((one) => entry(one, 'M')),
    ...file.submodules.map((one) => entry(one, 'SM')),
  ]
}

function ioOf({ inputBits, outputBits }: GsdSubmodule): IoSize[] {
  const size = (ioType: 'Input' | 'Output', bits: number): IoSize[] =>
    bits === 0 ? [] : [{ ioType, length: Math.ceil(bits / 8) * 8, kind: 'Other', channels: 0 }]
  return [...size('Input', inputBits), ...size('Output', outputBits)]
}

/** What is not known of the cyclic data of some submodules, as a sentence; undefined: nothing. */
export function unknownData(name: string, submodules: readonly GsdSubmodule[]): string | undefined {
  const types = [...new Set(submodules.flatMap(({ unknownLengths = [] }) => unknownLengths))]
  if (types.length === 0) return undefined
  const told = types.map((type) => `"${type}"`).join(', ')
  return `${name}: its GSD file gives no length for data of ${told}: they have no addresses here, and the I/O of the module is shorter than on the device.`
}

/** The submodules that a module or access point can have at once: its own ones, and those that come with it. */
function startingSubmodules(file: GsdFile, module: GsdModule): GsdSubmodule[] {
  const targets = new Set(
    module.useableSubmodules.flatMap(({ target, fixed, used }) => (fixed.length + used.length > 0 ? [target] : [])),
  )
  return [...module.submodules, ...file.submodules.filter(({ id }) => targets.has(id))]
}

/** {@link unknownData} of a module or access point with what it comes with. */
export function unknownDataIn(file: GsdFile, module: GsdModule): string | undefined {
  return unknownData(nameOf(module), startingSubmodules(file, module))
}

/** A module as hardware knows it, with the slots behind the access points that take it. */
export function moduleTypeOf(file: GsdFile, module: GsdModule): ModuleType {
  return {
    typeIdentifier: gsdIdentifier(file.fileName, 'M', module.id),
    orderNumber: gsdIdentifier(file.fileName, 'M', module.id),
    typeName: nameOf(module),
    family: file.fileName,
    kind: 'GSD',
    firmware: module.softwareRelease === undefined ? [] : [module.softwareRelease],
    submodules: submodulesIn(file, module),
    interfaces: [],
    ...defined({ assumption: unknownDataIn(file, module) }),
    behind: new Map(
      file.accessPoints.flatMap((point) => {
        const slots = slotsOf(point, module.id)
        return slots.length > 0 ? [[gsdIdentifier(file.fileName, 'DAP', point.id).toUpperCase(), slots]] : []
      }),
    ),
  }
}

/** The submodules of a new module or access point, by subslot. */
export function submodulesIn(file: GsdFile, module: GsdModule): SubmoduleType[] {
  return [...virtualSubmodules(module), ...initialSubmodules(file, module)].sort((a, b) => a.position - b.position)
}

/** The submodules that are part of a module or access point; one for each subslot that the file names. */
function virtualSubmodules({ submodules }: GsdModule): SubmoduleType[] {
  return submodules.flatMap((one, i) => {
    const name = gsdText(one.name)
    const subslots = one.fixedIn.length > 0 ? commonSlots(one.fixedIn, one.fixedIn) : [i + 1]
    return subslots.map((position) => ({ position, ...(name ? { name } : {}), io: ioOf(one) }))
  })
}

/** The pluggable submodules that a new module has: those that are fixed, and those that the maker plugs. */
function initialSubmodules(file: GsdFile, module: GsdModule): SubmoduleType[] {
  return module.useableSubmodules.flatMap(({ target, fixed, used }) => {
    // The reader has checked that the file has what it names.
    const one = file.submodules.find(({ id }) => id === target) as GsdSubmodule
    const [name, typeIdentifier] = [nameOf(one), gsdIdentifier(file.fileName, 'SM', one.id)]
    const of = (ranges: typeof fixed, builtIn: boolean) =>
      commonSlots(ranges, ranges).map(
        (position): SubmoduleType => ({
          position,
          name,
          io: ioOf(one),
          ...(builtIn ? {} : { plugged: { typeIdentifier, typeName: name, kind: 'GSD submodule' } }),
        }),
      )
    return [...of(fixed, true), ...of(used, false)]
  })
}

/** A submodule as hardware knows it, with the subslots of the modules and access points that take it. */
export function submoduleTypeOf(file: GsdFile, submodule: GsdSubmodule): ModuleType {
  const inModules = new Map<string, readonly number[]>()
  const add = (kind: 'DAP' | 'M', holder: GsdModule) => {
    const uses = holder.useableSubmodules.filter(({ target }) => target === submodule.id)
    const ranges = uses.flatMap(({ allowed, fixed, used }) => [...allowed, ...fixed, ...used])
    const subslots = [...new Set(ranges.flatMap((range) => commonSlots([range], [range])))].sort((a, b) => a - b)
    if (subslots.length > 0) inModules.set(gsdIdentifier(file.fileName, kind, holder.id).toUpperCase(), subslots)
  }
  for (const one of file.accessPoints) add('DAP', one)
  for (const one of file.modules) add('M', one)
  const identifier = gsdIdentifier(file.fileName, 'SM', submodule.id)
  return {
    ...{ typeIdentifier: identifier, orderNumber: identifier, typeName: nameOf(submodule) },
    ...{ family: file.fileName, kind: 'GSD submodule', firmware: [], interfaces: [] },
    submodules: [{ position: 1, io: ioOf(submodule) }],
    ...defined({ assumption: unknownData(nameOf(submodule), [submodule]) }),
    inModules,
  }
}

/** The slot of an access point itself. */
export function ownSlot({ ownSlots }: GsdAccessPoint): number {
  return ownSlots[0]?.[0] ?? 0
}

/** The slots of an access point that take a module. Without AllowedInSlots and FixedInSlots all but its own do. */
function slotsOf(point: GsdAccessPoint, moduleId: string): number[] {
  const own = new Set([ownSlot(point), ...commonSlots(point.ownSlots, point.physicalSlots)])
  const slots = point.useableModules
    .filter(({ target }) => target === moduleId)
    .flatMap(({ allowed, fixed, used }) => {
      const named = [...allowed, ...fixed, ...used].sort((a, b) => a[0] - b[0])
      return named.length > 0
        ? commonSlots(named, point.physicalSlots)
        : commonSlots(point.physicalSlots, point.physicalSlots)
    })
  return [...new Set(slots)].filter((slot) => !own.has(slot)).sort((a, b) => a - b)
}

/** The modules that a new device has, by slot: those that are built in, and those that the maker plugs. */
export function initialModules(
  file: GsdFile,
  point: GsdAccessPoint,
): { readonly slot: number; readonly module: GsdModule; readonly builtIn: boolean }[] {
  const modules = new Map(file.modules.map((one) => [one.id, one]))
  const found = point.useableModules.flatMap(({ target, fixed, used }) => {
    const module = modules.get(target) as GsdModule
    const of = (ranges: typeof fixed, builtIn: boolean) =>
      commonSlots(ranges, point.physicalSlots).map((slot) => ({ slot, module, builtIn }))
    return [...of(fixed, true), ...of(used, false)]
  })
  const bySlot = new Map(found.reverse().map((one) => [one.slot, one]))
  return [...bySlot.values()].sort((a, b) => a.slot - b.slot)
}
