/** Racks beside rack 0 of an S7-300 (fixtures/expansion-racks.txt): what each layout allows, what is wrong with it. */
import { test } from 'node:test'
import { assertRecorded } from '../../../test/recorded.ts'
import type { DeviceItem, Station } from '../model.ts'
import {
  connectionFaults,
  expansionRack,
  interfaceModuleOf,
  interfaceModuleSlot,
  keptFault,
  moduleFault,
  rackNumbers,
  receiverFault,
  senderFault,
} from './expansion-racks.ts'

const item = (id: string, name: string, position: number, items: DeviceItem[] = []): DeviceItem => ({
  ...{ id, name, kind: items.length > 0 ? 'rack' : 'module', position, builtIn: false, typeName: name, items },
})

/** `0:IM 360+DI, 1:IM 361`: the modules of each rack; the interface module in slot 3, others behind it. */
function stationOf(text: string): Station {
  const racks = text.split(', ').map((part) => {
    const [rack = '', names = ''] = part.split(':')
    const modules = names.split('+').filter(Boolean)
    const items = modules.map((name, i) =>
      item(`${rack}-${name}`, name, name.startsWith('IM') ? interfaceModuleSlot : 4 + i),
    )
    return { ...item(`rack-${rack}`, `Rail_${rack}`, Number(rack)), kind: 'rack' as const, items }
  })
  return { deviceId: 'd', id: 's', name: 'S', typeIdentifier: '', groups: [], racks }
}

const layouts = [
  '0:',
  '0:DI',
  '0:IM 360',
  '0:IM 365',
  '0:IM 361',
  '0:IM 360, 1:IM 361',
  '0:IM 360+DI, 1:IM 361+DI+CP, 2:IM 361, 3:IM 361+DI',
  '0:IM 360, 1:IM 361, 3:IM 361',
  '0:IM 360, 1:, 2:DI',
  '0:IM 360, 1:IM 365',
  '0:IM 365, 1:IM 365+DI',
  '0:IM 365, 1:IM 361',
  '0:IM 365, 1:IM 365, 2:IM 365',
  '0:IM 365, 1:',
  '0:, 1:IM 361',
  '0:, 1:IM 361, 2:IM 365',
  '0:, 1:DI',
  '0:IM 360, 4:IM 361',
  '0:IM 360, 1:IM 361, 2:IM 361, 3:IM 361, 4:IM 361',
]

test('layouts of racks', () => {
  const told = layouts.flatMap((layout) => {
    const station = stationOf(layout)
    /** What is said of each rack, those with the same answer together. */
    const faults = (what: (rack: number) => string | undefined) => {
      const answers = new Map<string, number[]>()
      for (const rack of [0, 1, 2, 3, 4]) {
        const answer = what(rack)?.replaceAll(`rack ${rack} `, 'rack … ') ?? 'yes'
        answers.set(answer, [...(answers.get(answer) ?? []), rack])
      }
      return [...answers].map(([answer, racks]) => `${racks}: ${answer}`).join('; ')
    }
    return [
      layout,
      `  racks ${rackNumbers(station, [{}])}, of rules ${rackNumbers(station, [{ rack: 5 }, { rack: 1 }])}`,
      `  interface modules ${station.racks.map((rack) => interfaceModuleOf(rack)?.name ?? '-')}`,
      ...['IM 360', 'IM 365'].map(
        (typeName) => `  send ${typeName} ${faults((at) => senderFault({ typeName }, at, station))}`,
      ),
      ...['IM 361', 'IM 365', 'DI'].map(
        (typeName) => `  receive ${typeName} ${faults((at) => receiverFault({ typeName }, at, station))}`,
      ),
      ...['DI', 'CP', 'CM'].map(
        (kind) => `  ${kind} ${faults((at) => moduleFault({ typeName: kind, kind }, at, station))}`,
      ),
      ...station.racks.flatMap((rack) =>
        rack.items.map((one) => `  unplug ${rack.position} ${one.name}: ${keptFault(station, rack, one) ?? 'yes'}`),
      ),
      ...connectionFaults(station).map(({ rack, message, hint }) => `  fault in ${rack}: ${message} ${hint}`),
    ]
  })
  const made = [1, 3].map((rack) => {
    const { name, position, typeName } = expansionRack(stationOf('0:IM 360'), { rack, slot: 3 }, item('i', 'IM 361', 3))
    return `made ${name} ${position} ${typeName}`
  })
  assertRecorded(import.meta.url, 'expansion-racks.txt', `${[...told, ...made].join('\n')}\n`)
})
