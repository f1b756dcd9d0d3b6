/**
 * What the catalog's rows become (fixtures/module-types.txt), and what the stations of its devices take
 * (fixtures/station-slots.txt): rows with the same outcome stand together.
 */
import { test } from 'node:test'
import { assertRecorded } from '../../../test/recorded.ts'
import { catalogEntries, type Device, deviceKindOf, profinetLabels } from '../../devices/index.ts'
import { addressLimit, defaultStart } from '../addresses/addresses.ts'
import { comesWithAdapter, defaultStation } from '../editing/build.ts'
import { channelsOf, type IoSize, type ModuleType, moduleTypeOf } from './module-type.ts'
import { classNameOf, classOf, placesFor, placesText, placeText } from './slots.ts'

const entries = await catalogEntries()
type Entry = (typeof entries)[number]

/** Names by what is told of them, in the order of the first. */
class Groups {
  readonly #names = new Map<string, Set<string>>()

  add(told: string, name: string): void {
    const known = this.#names.get(told)
    if (known) known.add(name)
    else this.#names.set(told, new Set([name]))
  }

  text(): string {
    const lines = [...this.#names].map(([told, names]) => `${[...names].join(' | ')}\n${told}`)
    return `${lines.join('\n')}\n`
  }
}

const ioText = (io: readonly IoSize[]) =>
  io.map((one) => `${one.kind} ${one.ioType} ${one.length} bits ${one.channels} (${channelsOf(one).length})`).join(', ')

function typeText({ family, kind, submodules, interfaces, assumption }: ModuleType): string {
  return [
    `  ${family} ${kind}`,
    ...submodules.map(({ position, name, io }) => `    ${position} ${name ?? ''}: ${ioText(io)}`),
    ...interfaces.map(({ label, type, ports }) => `    ${label} ${type}, ${ports} ports`),
    ...(assumption === undefined ? [] : [`    ${assumption}`]),
  ].join('\n')
}

/** The type of a row: of a device with the labels of its interfaces, of a module without. */
async function typeWith(entry: Entry): Promise<ModuleType> {
  const { typeName, family } = entry
  const kind = await deviceKindOf(entry)
  const isDevice = /^(CPU|IM|HMI|Switch|drive)$/.test(entry.kind) || family === 'ET 200eco PN'
  return moduleTypeOf(entry, isDevice ? profinetLabels({ kind, typeName, family }) : [])
}

test('types of modules and devices', async () => {
  const groups = new Groups()
  for (const entry of entries)
    groups.add(typeText(await typeWith(entry)).replaceAll(entry.typeName, '…'), entry.typeName)
  assertRecorded(import.meta.url, 'module-types.txt', groups.text())
})

/** One module of each kind in each family, and those with rules of their own. */
const modules = [
  ...new Map(
    entries
      .filter(({ kind }) => kind !== 'CPU' && kind !== 'HMI')
      .map((entry) => [
        `${entry.family} ${entry.kind} ${/\bIM \d+-?\d*|\b[SCB]B 12|\bER\d|\bUR\d|\bPS 40\d/.exec(entry.typeName)?.[0]}`,
        entry,
      ]),
  ).values(),
].map((entry) => moduleTypeOf(entry))

test('slots and default addresses of stations', async () => {
  const groups = new Groups()
  const adapter = modules.find(({ kind }) => kind === 'BusAdapter')
  for (const entry of entries) {
    const kind = await deviceKindOf(entry)
    const type = await typeWith(entry)
    const className = classNameOf(type.family, kind === 'PLC')
    if (className === undefined || !['CPU', 'IM'].includes(entry.kind)) continue
    const { orderNumber, typeName, family } = entry
    const device: Device = {
      ...{ id: 'id', name: 'X_1', orderNumber, firmware: '', typeIdentifier: '', typeName, family, kind },
      ...{ unplaced: false, createdAt: 0 },
    }
    const station = defaultStation(device, type, comesWithAdapter(type) ? adapter : undefined)
    const of = classOf(station, className)
    const told = modules.flatMap((module) => {
      const fit = placesFor(station, of, module)
      if (fit.places.length === 0 && fit.reason?.includes('does not fit')) return []
      const [first] = fit.places
      const starts = module.submodules.flatMap(({ io }) => io).map((io) => first && defaultStart(className, first, io))
      const at = first === undefined ? '' : ` (first ${placeText(first)}, addresses ${starts.join(' ')})`
      return [`  ${module.typeName}: ${fit.places.length > 0 ? placesText(fit.places) + at : fit.reason}`]
    })
    const [rack] = station.racks
    const head = rack?.items[0]
    const parts = head?.items.map(
      (item) => `${placeText({ slot: item.position })} ${item.name} ${item.kind} ${item.hardwareIdentifier}`,
    )
    const limit = addressLimit(type.family, typeName)
    const first = `  ${station.typeIdentifier} ${rack?.name} ${rack?.typeIdentifier}, slot ${head?.position}, ${head?.role}, ${limit} bytes: ${parts?.join(', ')}`
    groups.add([first, ...told].join('\n'), typeName)
  }
  assertRecorded(import.meta.url, 'station-slots.txt', groups.text())
})
