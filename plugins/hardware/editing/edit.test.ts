import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { catalogEntries, type Device, profinetLabels } from '../../devices/index.ts'
import { addressLimit, itemsBelow, itemsOf, overlaps, takenBy } from '../addresses/addresses.ts'
import type { Station } from '../model.ts'
import { familyOf, type ModuleType, moduleTypeOf } from '../modules/module-type.ts'
import { rackAs, s7400Faults } from '../modules/s7-400-racks.ts'
import { classNameOf, classOf, placesFor } from '../modules/slots.ts'
import { comesWithAdapter, defaultStation } from './build.ts'
import { change, move, plug, replace, unplug } from './edit.ts'
import { address } from './edit-addresses.ts'
import type { Environment } from './edited.ts'
import { findItem, Refusal } from './item-names.ts'

const entries = await catalogEntries()
const byNumber = new Map(entries.map((entry) => [entry.orderNumber, moduleTypeOf(entry)]))
const typeOf = (orderNumber: string): ModuleType => {
  const type = byNumber.get(orderNumber)
  assert.ok(type, orderNumber)
  return type
}

function stationFor(orderNumber: string): { station: Station; env: Environment } {
  const entry = entries.find((one) => one.orderNumber === orderNumber)
  assert.ok(entry, orderNumber)
  const { typeName, family } = entry
  const kind = entry.kind === 'CPU' ? 'PLC' : 'IO'
  const device: Device = {
    ...{ id: orderNumber, name: 'X_1', orderNumber, firmware: '', typeIdentifier: '', typeName, family, kind },
    ...{ unplaced: false, createdAt: 0 },
  }
  const adapter = comesWithAdapter(moduleTypeOf(entry)) ? typeOf('6ES7 193-6AR00-0AA0') : undefined
  const className = classNameOf(familyOf(family), kind === 'PLC')
  return {
    station: defaultStation(device, moduleTypeOf(entry, profinetLabels(device)), adapter),
    env: { className, others: [], limit: addressLimit(family, typeName), identifiers: new Map() },
  }
}

let ids = 0
const plugged = (station: Station, env: Environment, orderNumber: string, more: object = {}) =>
  plug(station, env, typeOf(orderNumber), { id: `id-${++ids}`, ...more })

/** Everything that must be true of a station at any time. */
function requireSound(station: Station, { className, limit, others }: Environment): void {
  const taken = takenBy(station)
  assert.deepEqual(overlaps([...others, ...taken]), [])
  for (const { from, to } of taken) assert.ok(from >= 0 && to <= limit, `bytes ${from} to ${to}`)
  const all = [...itemsOf(station)].map(({ item }) => item)
  const nodes = [...station.racks, ...all]
  assert.equal(new Set(nodes.map(({ id }) => id)).size, nodes.length, 'ids are unique')
  const names = all.filter(({ builtIn }) => !builtIn).map(({ name }) => name.toLowerCase())
  assert.equal(new Set(names).size, names.length, 'names are unique')
  const identifiers = all.flatMap(({ hardwareIdentifier }) => hardwareIdentifier ?? [])
  assert.equal(new Set(identifiers).size, identifiers.length, 'hardware identifiers are unique')
  const networks = all.flatMap((item) => item.interface?.network ?? [])
  assert.equal(new Set(networks).size, networks.length, 'interfaces have network entries of their own')
  for (const holder of nodes) {
    const places = holder.items.map(({ position }) => position)
    assert.equal(new Set(places).size, places.length, `one item in each place of ${holder.name}`)
    assert.deepEqual(
      places,
      [...places].sort((a, b) => a - b),
      `the items of ${holder.name} are in order`,
    )
  }
  assert.equal(all.filter(({ role }) => role !== undefined).length, 1, 'one head')
  // Each plugged item is where the rules put it.
  for (const { item, module, rack } of itemsOf(station)) {
    if (item.builtIn || item.role !== undefined || item.typeIdentifier === undefined) continue
    const type = typeOf(item.typeIdentifier.replace('OrderNumber:', ''))
    const { places } = placesFor(station, classOf(station, className), type, item.id)
    const [slot, subslot] = item === module ? [item.position, undefined] : [module.position, item.position]
    assert.ok(
      places.some((one) => one.rack === rack.position && one.slot === slot && one.subslot === subslot),
      `${item.name} in ${slot}.${subslot ?? ''}`,
    )
    for (const { addresses = [], channels = [] } of itemsBelow(item)) {
      for (const ioType of ['Input', 'Output'] as const) {
        const bits = addresses.filter((one) => one.ioType === ioType).reduce((sum, { length }) => sum + length, 0)
        const used = channels.filter((one) => one.ioType === ioType).reduce((sum, { length }) => sum + length, 0)
        assert.ok(used <= bits, `the channels of ${item.name} have addresses`)
      }
    }
  }
}

const heads = [
  '6ES7 515-2AM02-0AB0',
  '6ES7 214-1AG40-0XB0',
  '6ES7 211-1AE40-0XB0',
  '6ES7 512-1DK01-0AB0',
  '6ES7 155-6AU01-0BN0',
  '6ES7 155-6AR00-0AN0',
  '6ES7 155-5AA01-0AB0',
  '6ES7 315-2EH14-0AB0',
  '6ES7 412-2EK07-0AB0',
  '6ES7 416-3ES07-0AB0',
]
const modules = entries.filter(
  ({ kind, family }) =>
    !['CPU', 'HMI', 'IM', 'Rack', 'Switch', 'drive'].includes(kind) &&
    /S7-1[25]00|ET 200SP|S7-[34]00/.test(family) &&
    !/SIPLUS/.test(family),
)

test('3000 random steps: after each no address overlaps and every rule of the model holds', () => {
  let done = 0
  let refused = 0
  const step = fc.record({
    what: fc.constantFrom('plug', 'plug', 'plug', 'move', 'unplug', 'replace', 'address', 'rename'),
    module: fc.nat(modules.length - 1),
    which: fc.nat(100),
    rack: fc.option(fc.nat(3), { nil: undefined }),
    slot: fc.option(fc.integer({ min: 0, max: 104 }), { nil: undefined }),
    start: fc.nat(200),
  })
  const run = fc.property(
    fc.constantFrom(...heads),
    fc.array(step, { minLength: 50, maxLength: 50, size: 'max' }),
    (head, steps) => {
      const { station: first, env } = stationFor(head)
      let station = first
      for (const { what, module, which, rack, slot, start } of steps) {
        const items = [...itemsOf(station)].map(({ item }) => item).filter((one) => !one.builtIn)
        const item = items[which % items.length]
        const type = moduleTypeOf(modules[module] as (typeof modules)[number])
        if (!item) continue
        const before = JSON.stringify(station)
        const was = station
        try {
          switch (what) {
            case 'plug':
              station = plug(station, env, type, { id: `id-${++ids}`, rack, slot }).station
              break
            case 'move': {
              const own = typeOf((item.typeIdentifier ?? '').replace('OrderNumber:', ''))
              station = move(station, env, item.id, own, slot === undefined ? {} : { rack: rack ?? 0, slot }).station
              break
            }
            case 'unplug':
              station = unplug(station, item.id).station
              break
            case 'replace':
              station = replace(station, env, item.id, type, undefined).station
              break
            case 'address':
              station = address(station, env, item.id, { Input: start }).station
              break
            default:
              station = change(station, item.id, { name: `Item ${start}` }).station
          }
          done++
        } catch (error) {
          if (!(error instanceof Refusal)) throw error
          assert.ok(error.message.length > 10)
          refused++
        }
        assert.equal(JSON.stringify(was), before, 'a station is not changed in place')
        requireSound(station, env)
      }
    },
  )
  fc.assert(run, { numRuns: 60, includeErrorInReport: true })
  assert.equal(done + refused, 3000)
  assert.ok(done > 300, `${done} steps had an effect`)
})

test('addresses are given as TIA Portal gives them', () => {
  const starts = (station: Station, name: string) =>
    [...itemsBelow(findItem(station, name)!.item)].flatMap(({ addresses = [] }) => addresses.map(({ start }) => start))
  const s71500 = stationFor('6ES7 515-2AM02-0AB0')
  let { station } = s71500
  const add = (orderNumber: string, name: string) => {
    station = plugged(station, s71500.env, orderNumber, { name }).station
    return starts(station, name)
  }
  assert.deepEqual(add('6ES7 521-1BL00-0AB0', 'DI'), [0])
  assert.deepEqual(add('6ES7 531-7KF00-0AB0', 'AI'), [4])
  assert.deepEqual(add('6ES7 522-1BH00-0AB0', 'DQ'), [0])
  assert.deepEqual(add('6ES7 521-1BH00-0AB0', 'DI 2'), [20])
  const s71200 = stationFor('6ES7 214-1AG40-0XB0')
  station = s71200.station
  const small = (orderNumber: string, name: string, slot?: number) => {
    station = plugged(station, s71200.env, orderNumber, { name, slot }).station
    return starts(station, name)
  }
  assert.deepEqual(starts(station, 'DI 14/DQ 10_1'), [0, 0])
  assert.deepEqual(starts(station, 'AI 2_1'), [64])
  assert.deepEqual(small('6ES7 223-0BD30-0XB0', 'SB'), [4, 4])
  assert.deepEqual(small('6ES7 221-1BH32-0XB0', 'DI in 3', 3), [12])
  assert.deepEqual(small('6ES7 231-4HD32-0XB0', 'AI in 4', 4), [128])
})

test('BaseUnits: the type that the module needs; the first one opens a potential group', () => {
  const { station, env } = stationFor('6ES7 155-6AU01-0BN0')
  const first = plugged(station, env, '6ES7 131-6BH01-0BA0')
  assert.deepEqual(first.item.parameters, { baseUnit: 'A0', potentialGroup: 'new' })
  const relay = plugged(first.station, env, '6ES7 132-6HD00-0BB1')
  assert.deepEqual(relay.item.parameters, { baseUnit: 'B1', potentialGroup: 'left' })
  const analog = plugged(relay.station, env, '6ES7 134-6HD00-0BA1')
  const set = (id: string, parameters: Record<string, string>) =>
    change(analog.station, id, { parameters }).item.parameters
  assert.deepEqual(set(analog.item.id, { baseUnit: 'A1' }), { baseUnit: 'A1', potentialGroup: 'left' })
  assert.throws(() => set(relay.item.id, { baseUnit: 'A0' }), /does not fit on a BaseUnit of type A0; it needs B1/)
  assert.throws(() => set(first.item.id, { potentialGroup: 'left' }), /is the first module/)
  assert.throws(() => set(first.item.id, { potentialGroup: 'right' }), /new or left/)
  const replaced = replace(analog.station, env, relay.item.id, typeOf('6ES7 131-6BH01-0BA0'), undefined)
  assert.equal(replaced.item.parameters?.baseUnit, 'A0')
  assert.match(replaced.losses.join(), /BaseUnit B1 became A0/)
})

test('S7-300: addresses follow the slots, 4 bytes digital and 16 analog', () => {
  const { station, env } = stationFor('6ES7 315-2EH14-0AB0')
  const inputs = plugged(station, env, '6ES7 321-1BL00-0AA0', { slot: 5 })
  assert.deepEqual(inputs.item.items[0]?.addresses, [{ ioType: 'Input', start: 4, length: 32 }])
  // Slot 10: 352, as in a real station.
  const analog = plugged(inputs.station, env, '6ES7 331-7KF02-0AB0', { slot: 10 })
  assert.deepEqual(analog.item.items[0]?.addresses, [{ ioType: 'Input', start: 352, length: 128 }])
  assert.throws(() => plugged(station, env, '6ES7 321-1BL00-0AA0', { slot: 12 }), /does not go into slot 12/)
  assert.throws(() => plugged(station, env, '6ES7 321-1BL00-0AA0', { slot: 3 }), /does not go into slot 3/)
})

const refusals: [text: string, head: string, module: string, slot: number | undefined, message: RegExp][] = [
  ['a DI in the slot of the power supply', '6ES7 515-2AM02-0AB0', '6ES7 521-1BL00-0AB0', 0, /does not go into slot 0/],
  ['a module on the CPU', '6ES7 515-2AM02-0AB0', '6ES7 521-1BL00-0AB0', 1, /slot 1 is occupied by "X_1"/],
  ['beyond the last slot', '6ES7 515-2AM02-0AB0', '6ES7 521-1BL00-0AB0', 32, /does not go into slot 32/],
  [
    'another family',
    '6ES7 515-2AM02-0AB0',
    '6ES7 131-6BH01-0BA0',
    undefined,
    /ET 200SP.*does not fit into a station of S7-1500/,
  ],
  ['a signal module on a CPU 1211C', '6ES7 211-1AE40-0XB0', '6ES7 221-1BH32-0XB0', undefined, /none with this CPU/],
  ['a CM right of the CPU', '6ES7 214-1AG40-0XB0', '6ES7 241-1AH32-0XB0', 2, /does not go into slot 2/],
  ['a signal board in a rack slot', '6ES7 214-1AG40-0XB0', '6ES7 223-0BD30-0XB0', 2, /does not go into slot 2/],
  ['more than an IM BA takes', '6ES7 155-6AR00-0AN0', '6ES7 131-6BH01-0BA0', 13, /does not go into slot 13/],
]
for (const [what, head, module, slot, message] of refusals)
  test(`refused: ${what}`, () => {
    const { station, env } = stationFor(head)
    assert.throws(
      () => plugged(station, env, module, { slot }),
      (error: Refusal) => {
        assert.ok(error instanceof Refusal, String(error))
        assert.match(error.message, message)
        if (slot !== undefined) assert.match(error.suggestion ?? '', /Slots that would do/)
        return true
      },
    )
  })

test('one signal board; a server module ends an ET 200SP; communication modules go left of the CPU', () => {
  const small = stationFor('6ES7 214-1AG40-0XB0')
  const once = plugged(small.station, small.env, '6ES7 223-0BD30-0XB0')
  assert.equal(once.item.position, 3)
  assert.equal(once.module.role, 'CPU')
  assert.throws(
    () => plugged(once.station, small.env, '6ES7 232-4HA30-0XB0'),
    /one signal, communication or battery board/,
  )
  assert.equal(plugged(once.station, small.env, '6ES7 241-1AH32-0XB0').item.position, 101)
  const sp = stationFor('6ES7 155-6AU01-0BN0')
  const one = plugged(sp.station, sp.env, '6ES7 131-6BH01-0BA0').station
  const ended = plugged(one, sp.env, '6ES7 193-6PA00-0AA0')
  assert.equal(ended.item.position, 2)
  assert.throws(() => plugged(ended.station, sp.env, '6ES7 131-6BH01-0BA0'), /up to the server module in slot 2/)
  assert.throws(() => plugged(one, sp.env, '6ES7 193-6PA00-0AA0', { slot: 1 }), /slot 1 is occupied/)
})

test('a replaced module keeps name and address where it can, and says what it loses', () => {
  const { station, env } = stationFor('6ES7 515-2AM02-0AB0')
  const first = plugged(station, env, '6ES7 521-1BL00-0AB0', { name: 'Doors', starts: { Input: 40 } })
  const second = plugged(first.station, env, '6ES7 521-1BH00-0AB0', { starts: { Input: 44 } })
  const smaller = replace(second.station, env, first.item.id, typeOf('6ES7 521-1BH00-0AB0'), undefined)
  assert.equal(smaller.item.name, 'Doors')
  assert.deepEqual(smaller.item.items[0]?.addresses, [{ ioType: 'Input', start: 40, length: 16 }])
  assert.deepEqual(smaller.losses, ['16 channels fewer'])
  const larger = replace(second.station, env, first.item.id, typeOf('6ES7 531-7KF00-0AB0'), undefined)
  assert.deepEqual(larger.item.items[0]?.addresses, [{ ioType: 'Input', start: 0, length: 128 }])
  assert.match(larger.losses[0] ?? '', /inputs 40 to 43 became 0 to 15/)
  const turned = replace(second.station, env, first.item.id, typeOf('6ES7 522-1BH00-0AB0'), undefined)
  assert.match(turned.losses.join(), /inputs 40 to 43 are gone/)
  assert.equal(turned.item.items[0]?.hardwareIdentifier, first.item.items[0]?.hardwareIdentifier)
})

test('an address that overlaps is refused with its holder and the next free byte', () => {
  const { station, env } = stationFor('6ES7 515-2AM02-0AB0')
  const first = plugged(station, env, '6ES7 521-1BL00-0AB0')
  const second = plugged(first.station, env, '6ES7 521-1BL00-0AB0')
  assert.throws(
    () => address(second.station, env, second.item.id, { Input: 3 }),
    (error: Refusal) =>
      /overlap inputs 0 to 3 of "DI 32x24VDC HF_1"/.test(error.message) && error.suggestion === 'Next free byte: 4',
  )
  assert.throws(() => address(second.station, env, second.item.id, { Output: 3 }), /has no outputs/)
  assert.throws(() => address(second.station, env, second.item.id, { Input: 32_767 }), /outside/)
})

test('S7-300 on four racks: IM 360 and 361 in slot 3, addresses go on from rack to rack', () => {
  const { station: first, env } = stationFor('6ES7 315-2EH14-0AB0')
  const [im360, im361, di, ai] = [
    '6ES7 360-3AA01-0AA0',
    '6ES7 361-3CA01-0AA0',
    '6ES7 321-1BL00-0AA0',
    '6ES7 331-7KF02-0AB0',
  ]
  assert.throws(() => plugged(first, env, im361), /IM 360 comes first, into slot 0\/3/)
  assert.throws(() => plugged(first, env, di, { rack: 1, slot: 4 }), /rack 1 has no interface module in slot 3/)
  let { station } = plugged(first, env, im360)
  const sender = findItem(station, 'IM 360 S_1')!.item
  assert.equal(sender.position, 3)
  for (const rack of [1, 2, 3]) {
    const added = plugged(station, env, im361)
    assert.deepEqual([added.station.racks.at(-1)?.position, added.item.position], [rack, 3])
    assert.equal(added.station.racks.at(-1)?.name, `Rail_${rack}`)
    station = added.station
    requireSound(station, env)
  }
  assert.throws(() => plugged(station, env, im361), /slot 3; all are occupied/)
  const starts = (rack: number, slot: number, number: string) => {
    const added = plugged(station, env, number, { rack, slot })
    station = added.station
    requireSound(station, env)
    return added.item.items[0]?.addresses?.map(({ start }) => start)
  }
  assert.deepEqual(starts(1, 4, di), [32])
  assert.deepEqual(starts(1, 5, ai), [400])
  assert.deepEqual(starts(2, 4, ai), [512])
  assert.deepEqual(starts(3, 11, di), [124])
  // Rack 0 is meant when none is named.
  assert.equal(plugged(station, env, di, { slot: 4 }).rackId, station.racks[0]?.id)
  assert.throws(
    () => plugged(station, env, di, { rack: 1, slot: 4 }),
    (error: Refusal) =>
      /slot 1\/4 is occupied/.test(error.message) &&
      /4 to 11, 1\/6 to 1\/11, 2\/5 to 2\/11, 3\/4 to 3\/10$/.test(error.suggestion ?? ''),
  )
  const moved = move(station, env, findItem(station, 'DI 32xDC24V_1')!.item.id, typeOf(di), { rack: 2, slot: 9 })
  assert.deepEqual(
    moved.station.racks.map(({ items }) => items.length),
    [2, 2, 3, 2],
  )
  requireSound(moved.station, env)
  // What connects racks stays.
  const receiver = (rack: number) => station.racks[rack]!.items[0]!
  assert.throws(() => unplug(station, sender.id), /racks 1, 2, 3 are connected by it/)
  assert.throws(() => unplug(station, receiver(2).id), /rack 3 is connected by it/)
  assert.throws(() => unplug(station, receiver(3).id), /rack 3 has other modules: "DI 32xDC24V_2"/)
  assert.throws(() => move(station, env, receiver(3).id, typeOf(im361), { rack: 3, slot: 4 }), /it stays there/)
  assert.throws(() => replace(station, env, sender.id, typeOf('6ES7 365-0BA01-0AA0'), undefined), /rack 1 has IM 361/)
  const emptied = unplug(station, findItem(station, 'DI 32xDC24V_2')!.item.id).station
  assert.deepEqual(unplug(emptied, receiver(3).id).station.racks.length, 3)
})

test('S7-300: IM 365 connects one rack for signal modules; a CPU 31xC keeps slot 11 of rack 3; S7-1500 has one rack', () => {
  const { station: first, env } = stationFor('6ES7 315-2EH14-0AB0')
  const im365 = '6ES7 365-0BA01-0AA0'
  const central = plugged(first, env, im365)
  assert.equal(central.rackId, first.racks[0]?.id)
  const both = plugged(central.station, env, im365)
  assert.deepEqual([both.station.racks.length, both.item.position], [2, 3])
  requireSound(both.station, env)
  assert.throws(() => plugged(both.station, env, im365), /connects rack 1 only/)
  assert.throws(() => plugged(central.station, env, '6ES7 361-3CA01-0AA0'), /IM 360 comes first/)
  const processor = { rack: 1, slot: 4 }
  assert.throws(() => plugged(both.station, env, '6GK7 343-1EX30-0XE0', processor), /does not go into slot 1\/4/)
  assert.equal(plugged(both.station, env, '6ES7 321-1BL00-0AA0', processor).item.position, 4)
  const compact = stationFor('6ES7 314-6EH04-0AB0')
  let { station } = plugged(compact.station, compact.env, '6ES7 360-3AA01-0AA0')
  for (let i = 0; i < 3; i++) station = plugged(station, compact.env, '6ES7 361-3CA01-0AA0').station
  const last = { rack: 3, slot: 11 }
  assert.throws(() => plugged(station, compact.env, '6ES7 321-1BL00-0AA0', last), /does not go into slot 3\/11/)
  const modern = stationFor('6ES7 515-2AM02-0AB0')
  assert.throws(() => plugged(modern.station, modern.env, '6ES7 521-1BL00-0AB0', { rack: 1, slot: 2 }), /slot 1\/2/)
})

/** Order numbers of S7-400. */
const s7400 = {
  ps10: '6ES7 407-0KA02-0AA0',
  ps20: '6ES7 407-0RA02-0AA0',
  di: '6ES7 421-1BL01-0AA0',
  ai: '6ES7 431-1KF00-0AB0',
  cp: '6GK7 443-1EX30-0XE0',
  send: (variant: number) => `6ES7 460-${variant}${variant === 1 ? 'B' : 'A'}A01-0AB0`,
  receive: (variant: number) => `6ES7 461-${variant}${variant === 1 ? 'B' : 'A'}A01-0AA0`,
}

test('S7-400: what the central rack takes, by its slots and the widths of modules', () => {
  const { station, env } = stationFor('6ES7 416-3ES07-0AB0')
  // The CPU has slots 3 and 4, the power supply 1 and 2.
  assert.throws(() => plugged(station, env, s7400.di, { slot: 4 }), /does not go into slot 4/)
  assert.equal(plugged(station, env, s7400.di).item.position, 5)
  assert.equal(plugged(station, env, s7400.ps10).item.position, 1)
  assert.throws(() => plugged(station, env, s7400.ps20), /it takes 3 slots/)
  const narrow = stationFor('6ES7 412-2EK07-0AB0')
  assert.equal(plugged(narrow.station, narrow.env, s7400.di).item.position, 4)
  const analog = plugged(narrow.station, narrow.env, s7400.ai).item
  assert.deepEqual(analog.items[0]?.addresses, [{ ioType: 'Input', start: 512, length: 128 }])
})

test('S7-400: send and receive IMs belong together, by lines, 5 V and communication bus', () => {
  const { station: first, env } = stationFor('6ES7 412-2EK07-0AB0')
  const add = (station: Station, number: string, place: object = {}) => {
    const { station: after } = plugged(station, env, number, place)
    requireSound(after, env)
    return after
  }
  assert.throws(() => add(first, s7400.receive(1)), /IM 460-1 comes first, into rack 0/)
  assert.throws(() => add(first, s7400.di, { rack: 3, slot: 4 }), /slot 3\/4: the station has no rack 3/)
  let station = add(first, s7400.send(1))
  assert.throws(() => add(station, s7400.receive(3)), /IM 460-3 comes first/)
  // Lowest free rack, UR2; or a UR1 with any number.
  station = add(station, s7400.receive(1))
  assert.deepEqual([station.racks[1]?.name, station.racks[1]?.items[0]?.position], ['UR2_1', 9])
  assert.throws(() => add(station, s7400.receive(1), { rack: 2, slot: 5 }), /does not go into slot 2\/5/)
  station = add(station, s7400.receive(1), { rack: 4, slot: 18 })
  assert.equal(station.racks[2]?.name, 'UR1_4')
  assert.throws(() => add(station, s7400.receive(1)), /the IM 460-1 of rack 0 connect 2 racks, and no more/)
  station = add(station, s7400.send(1))
  assert.throws(() => add(station, s7400.send(1)), /rack 0 has 2 IM 460-1, and takes no more/)
  assert.throws(() => add(station, s7400.receive(1), { rack: 22, slot: 9 }), /does not go into slot 22\/9/)
  // 5 V come from rack 0, the communication bus does not.
  assert.throws(() => add(station, s7400.ps10, { rack: 1, slot: 1 }), /rack 1 is supplied by its IM 461-1/)
  assert.throws(() => add(station, s7400.cp, { rack: 1 }), /IM 461-1 does not connect the communication bus/)
  station = add(station, s7400.di, { rack: 1 })
  assert.throws(() => unplug(station, findItem(station, 'IM 461-1_1')!.item.id), /rack 1 has other modules/)
  // One send IM of two may go, the last one not.
  station = unplug(station, findItem(station, 'IM 460-1_2')!.item.id).station
  const last = findItem(station, 'IM 460-1_1')!.item
  assert.throws(() => unplug(station, last.id), /2 racks are connected by it/)
  assert.throws(() => replace(station, env, last.id, typeOf(s7400.di), undefined), /2 racks are connected by it/)
  assert.equal(unplug(station, findItem(station, 'IM 461-1_2')!.item.id).station.racks.length, 2)
})

test('S7-400: 21 expansion racks; the communication bus reaches six of them', () => {
  const { station: first, env } = stationFor('6ES7 412-2EK07-0AB0')
  let station = first
  const add = (number: string, place: object = {}) => {
    station = plugged(station, env, number, place).station
  }
  for (let i = 0; i < 3; i++) add(s7400.send(3))
  for (let i = 0; i < 21; i++) add(s7400.receive(3))
  requireSound(station, env)
  assert.deepEqual(
    station.racks.map(({ position }) => position),
    Array.from({ length: 22 }, (_, i) => i),
  )
  assert.throws(() => add(s7400.receive(3)), /IM 461-3 cannot be plugged/)
  add(s7400.cp, { rack: 6 })
  assert.throws(() => add(s7400.cp, { rack: 7 }), /reaches the racks 1 to 6 only/)
  add(s7400.ps20, { rack: 7 })
  add(s7400.di, { rack: 7 })
  assert.equal(findItem(station, 'DI 32xDC24V_1')?.item.position, 4)
  assert.match(
    s7400Faults(station)
      .map(({ message }) => message)
      .join(),
    /Rack 8 has no power supply/,
  )
  for (let i = 0; i < 3; i++) add(s7400.send(0))
  assert.throws(() => add(s7400.send(4)), /rack 0 has 6 send IMs, and takes no more/)
})

test('S7-400: a rack becomes one of another kind when its modules fit there', () => {
  const { station: first, env } = stationFor('6ES7 412-2EK07-0AB0')
  let { station } = plugged(first, env, s7400.send(0))
  station = plugged(station, env, s7400.receive(0)).station
  station = plugged(station, env, s7400.cp, { rack: 1 }).station
  const [centralRack, rack] = station.racks
  const as = (one: typeof rack, number: string) => rackAs(one!, typeOf(number))
  const faultOf = (answer: ReturnType<typeof rackAs>) => ('fault' in answer ? answer.fault : undefined)
  assert.match(faultOf(as(rack, '6ES7 403-1JA01-0AA0')) ?? '', /ER2 has no communication bus, which "CP 443-1_1" needs/)
  assert.match(faultOf(as(rack, '6ES7 401-1DA01-0AA0')) ?? '', /CR3 is a central rack/)
  assert.match(faultOf(as(centralRack, '6ES7 403-1TA01-0AA0')) ?? '', /ER1 is an expansion rack/)
  assert.match(faultOf(as(rack, s7400.di)) ?? '', /no rack of an S7-400/)
  assert.equal(faultOf(as(centralRack, '6ES7 401-1DA01-0AA0')), undefined)
  const wide = as(rack, '6ES7 400-1TA01-0AA0')
  assert.ok('rack' in wide)
  assert.deepEqual([wide.rack.name, wide.rack.items.map(({ position }) => position)], ['UR1_1', [2, 18]])
  const full = plugged({ ...station, racks: [centralRack!, wide.rack] }, env, s7400.di, { rack: 1, slot: 12 }).station
  assert.match(faultOf(as(full.racks[1], '6ES7 400-1JA01-0AA0')) ?? '', /in slot 12 would have no place: slots 1 to 8/)
})

test('what is assumed of the I/O of a module, or not known, is told', () => {
  assert.match(typeOf('6ES7 138-6AA00-0BA0').assumption ?? '', /TM Count 1x24V .*is assumed/)
  assert.equal(typeOf('6ES7 521-1BL00-0AB0').assumption, undefined)
})

test('counters and pulse generators of an S7-1200 stay where they are, unless they are moved themselves', () => {
  const { station, env } = stationFor('6ES7 214-1AG40-0XB0')
  const startsOf = (one: Station) =>
    takenBy(one).map(({ ioType, from, item }) => `${item.name} ${ioType} ${from} #${item.hardwareIdentifier}`)
  const counters = Array.from({ length: 6 }, (_, i) => `HSC_${i + 1} Input ${1000 + 4 * i} #${259 + i}`)
  const pulses = Array.from({ length: 4 }, (_, i) => `Pulse_${i + 1} Output ${1000 + 2 * i} #${265 + i}`)
  const onboard = (at: number) => [
    ...[`DI 14/DQ 10_1 Input ${at} #257`, `DI 14/DQ 10_1 Output 0 #257`, `AI 2_1 Input ${64 + at} #258`],
  ]
  assert.deepEqual(startsOf(station), [...onboard(0), ...counters, ...pulses])
  const idOf = (wanted: string) => [...itemsOf(station)].find(({ item }) => item.name === wanted)?.item.id ?? ''
  const moved = address(station, env, idOf('X_1'), { Input: 10 }).station
  assert.deepEqual(startsOf(moved), [...onboard(10), ...counters, ...pulses])
  const counter = address(moved, env, idOf('HSC_1'), { Input: 500 }).station
  assert.deepEqual(startsOf(counter), [...[...onboard(10), 'HSC_1 Input 500 #259', ...counters.slice(1), ...pulses]])
  assert.throws(
    () => address(counter, env, idOf('X_1'), { Input: 499 }),
    (error) => error instanceof Refusal && /overlap inputs 500 to 503 of "X_1"/.test(error.message),
  )
})
