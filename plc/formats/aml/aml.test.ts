/** Random hardware, written and read again, is the same, in every version of the format. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { describeHardware } from './describe.ts'
import { guidOf } from './guid.ts'
import type { AmlHardware, AmlItem, AmlStation, AmlTagTable } from './hardware.ts'
import { interpretAml } from './interpret.ts'
import { mergeKept } from './merge.ts'
import { readAml } from './read.ts'
import { splitDocument } from './split.ts'
import { writeAml } from './write.ts'

const name = fc.stringMatching(/^[A-Za-zäß<&"'_][A-Za-z0-9 äß<&>"'_.-]{0,10}[A-Za-z0-9>]$/)
const direction = fc.constantFrom('Input' as const, 'Output' as const)

/** A module with its I/O: one range and its channels in one direction. */
const module = fc.record({
  name,
  comment: fc.option(name, { nil: undefined }),
  firmware: fc.option(fc.constantFrom('V0.0', 'V2.1'), { nil: undefined }),
  ioType: direction,
  bytes: fc.integer({ min: 0, max: 8 }),
  isAnalog: fc.boolean(),
  start: fc.integer({ min: 0, max: 30_000 }),
  tag: fc.option(name, { nil: undefined }),
})
const station = fc.record({
  name,
  plc: name,
  groups: fc.array(name, { maxLength: 2 }),
  modules: fc.array(module, { maxLength: 4 }),
  ports: fc.integer({ min: 0, max: 2 }),
  hasNode: fc.boolean(),
  isDevice: fc.boolean(),
})

const withoutNothing = <T extends object>(value: T): T =>
  Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as T

function hardwareOf(given: readonly (typeof station extends fc.Arbitrary<infer T> ? T : never)[]): AmlHardware {
  const stations = given.map((one, n): AmlStation => {
    const isCpu = n === 0 || !one.isDevice
    const tables: AmlTagTable[] = []
    const modules = one.modules.map(
      ({ name: own, comment, firmware, ioType, bytes, isAnalog, start, tag }, i): AmlItem => {
        const id = guidOf(`${n}-${i}`)
        const size = isAnalog ? 16 : 1
        const count = isAnalog ? Math.floor(bytes / 2) : bytes * 8
        const channels = Array.from({ length: count }, (_, number) => ({
          kind: isAnalog ? ('Analog' as const) : ('Digital' as const),
          ...{ id: guidOf(id, 'channel', String(number)), ioType, number, length: size },
        }))
        const address = `%${ioType === 'Input' ? 'I' : 'Q'}${isAnalog ? `W${start}` : `${start}.0`}`
        if (tag !== undefined && count > 0 && isCpu)
          tables.push({
            id: guidOf(`${n}-${i}-tags`),
            name: `Table ${i}`,
            tags: [{ name: `${tag} ${i}`, dataType: isAnalog ? 'Int' : 'Bool', address, comment: { 'en-US': tag } }],
          })
        const inside: AmlItem = {
          ...{ id: guidOf(id, 'inside'), name: own, kind: 'submodule', position: 1, builtIn: true, items: [] },
          ...(bytes > 0 ? { addresses: [{ ioType, start, length: bytes * 8 }] } : {}),
          ...(count > 0 ? { channels } : {}),
        }
        const typeIdentifier = 'OrderNumber:6ES7 131-6BH01-0BA0'
        return withoutNothing<AmlItem>({
          ...{ id, name: `${own} ${i}`, kind: 'module', position: i + 2, builtIn: false, typeIdentifier },
          ...({ firmware, comment, items: [inside] } as Pick<AmlItem, 'items'>),
        })
      },
    )
    const socketId = guidOf(`${n}-socket`)
    const socket: AmlItem = {
      ...{ id: socketId, name: 'PROFINET interface', kind: 'interface', position: 1, builtIn: true, items: [] },
      interface: {
        ...{ label: 'X1', type: 'Ethernet' },
        ...(one.hasNode
          ? {
              node: {
                ...{ id: guidOf(`${n}-node`), name: 'IE1', type: 'Ethernet', subnet: guidOf('subnet') },
                ...{ ipAddress: `10.0.0.${n + 1}`, subnetMask: '255.255.255.0', ipProtocol: 'Project' },
              },
            }
          : {}),
        ...(n === 0 && one.hasNode
          ? { ioSystem: { id: guidOf('system'), name: 'PROFINET IO-System', number: 100 } }
          : {}),
        ...(n > 0 && !isCpu && one.hasNode && given[0]?.hasNode ? { memberOf: guidOf('system') } : {}),
        ports: Array.from({ length: one.ports }, (_, i) => ({
          ...{
            id: guidOf(`${n}-port-${i}`),
            name: `Port_${i + 1}`,
            label: `P${i + 1}`,
            position: i + 1,
            builtIn: true,
          },
        })),
      },
    }
    const head: AmlItem = {
      ...{ id: guidOf(`${n}-head`), name: `${one.plc} ${n}`, kind: 'module', position: 1, builtIn: false },
      ...{ typeIdentifier: 'OrderNumber:6ES7 515-2AM02-0AB0', role: isCpu ? 'CPU' : 'HeadModule', items: [socket] },
      ...(tables.length > 0 ? { tagTables: tables } : {}),
    }
    const rack: AmlItem = {
      ...{ id: guidOf(`${n}-rack`), name: 'Rail_0', kind: 'rack', position: 0, builtIn: false },
      ...{ typeIdentifier: 'System:Rack.ET200SP', items: [head, ...modules] },
    }
    return {
      ...{ id: guidOf(`${n}-station`), name: `${one.name} ${n}`, typeIdentifier: 'System:Device.ET200SP' },
      ...{ groups: one.groups, racks: [rack] },
    }
  })
  const hasPorts = given.flatMap(({ ports }, n) => (ports > 0 ? [guidOf(`${n}-port-0`)] : []))
  const [a, b] = hasPorts
  return {
    project: { id: guidOf('project'), name: 'Plant' },
    subnets: [{ id: guidOf('subnet'), name: 'PN/IE_1', type: 'Ethernet' }],
    stations,
    links: a !== undefined && b !== undefined ? [{ a, b }] : [],
  }
}

/** Lines are those of the file. */
const plain = (value: unknown) => JSON.parse(JSON.stringify(value, (key, one) => (key === 'line' ? undefined : one)))

test('random stations: written and read they are equal, and written again the same bytes', () => {
  const run = fc.property(
    fc.array(station, { minLength: 1, maxLength: 4 }),
    fc.constantFrom('V16', 'V17', 'V18', 'V19', 'V20', 'V21'),
    (given, version) => {
      const options = { version, fileName: 'plant.aml', writtenAt: '2024-01-01T00:00:00.000Z' } as const
      const hardware = hardwareOf(given)
      const text = writeAml(describeHardware(hardware, options).document)
      const document = readAml(text)
      const { frame, stations } = splitDocument(document)
      const read = interpretAml(document)
      // Stations in folders are before the others.
      const sorted = (one: AmlHardware) => ({
        ...one,
        stations: [...one.stations].sort((a, b) => (a.id < b.id ? -1 : 1)),
      })
      assert.deepEqual(plain(sorted(read.hardware)), plain(sorted(hardware)))
      const kept = { frame, stations: [...stations.values()] }
      const again = writeAml(mergeKept(describeHardware(read.hardware, options).document, kept, { isPart: false }))
      assert.equal(again, text)
    },
  )
  fc.assert(run, { numRuns: 60, includeErrorInReport: true })
})
