/**
 * What steps of editing do to stations of each family, and why some are refused (fixtures/edit-steps-*.txt). They are
 * drawn at random from one seed; those of edit.test.ts check what must hold after each.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomFrom } from '../../../test/random.ts'
import { assertRecorded } from '../../../test/recorded.ts'
import { catalogEntries, type Device, profinetLabels } from '../../devices/index.ts'
import { addressLimit, itemsBelow, itemsOf } from '../addresses/addresses.ts'
import type { DeviceItem, Station } from '../model.ts'
import { familyOf, moduleTypeOf } from '../modules/module-type.ts'
import { s7400Faults } from '../modules/s7-400-racks.ts'
import { classNameOf, placeText } from '../modules/slots.ts'
import { comesWithAdapter, defaultStation } from './build.ts'
import { change, move, plug, replace, unplug } from './edit.ts'
import { address } from './edit-addresses.ts'
import type { Environment } from './edited.ts'
import { Refusal } from './item-names.ts'

const entries = await catalogEntries()
const entryOf = (orderNumber: string) => {
  const entry = entries.find((one) => one.orderNumber === orderNumber)
  assert.ok(entry, orderNumber)
  return entry
}

function stationOf(orderNumber: string): { station: Station; env: Environment } {
  const entry = entryOf(orderNumber)
  const { typeName, family } = entry
  const kind = entry.kind === 'CPU' ? 'PLC' : 'IO'
  const device: Device = {
    ...{ id: orderNumber, name: 'X_1', orderNumber, firmware: '', typeIdentifier: '', typeName, family, kind },
    ...{ unplaced: false, createdAt: 0 },
  }
  const type = moduleTypeOf(entry, profinetLabels(device))
  const adapter = comesWithAdapter(type) ? moduleTypeOf(entryOf('6ES7 193-6AR00-0AA0')) : undefined
  const className = classNameOf(familyOf(family), kind === 'PLC')
  // Another device of the address space has the bytes 20 to 23.
  const other = { deviceId: 'other', item: { name: 'Other' } as DeviceItem, module: { name: 'Other' } as DeviceItem }
  const others = (['Input', 'Output'] as const).map((ioType) => ({ ...other, ioType, from: 20, to: 24 }))
  const identifiers = new Map([[258, 'other']])
  return {
    station: defaultStation(device, type, adapter),
    env: { className, others, limit: Math.min(900, addressLimit(familyOf(family), typeName)), identifiers },
  }
}

function itemText(station: Station, id: string): string {
  const found = [...itemsOf(station)].find(({ item }) => item.id === id)
  if (!found) return 'it is gone'
  const { item, module, rack } = found
  const place = placeText({ rack: rack.position, slot: module.position })
  const parts = [...itemsBelow(item)].flatMap(({ addresses = [], hardwareIdentifier, interface: bus }) => [
    ...(hardwareIdentifier === undefined ? [] : [`#${hardwareIdentifier}`]),
    ...addresses.map(({ ioType, start, length }) => `${ioType} ${start} ${length}`),
    ...(bus === undefined ? [] : [`${bus.label} ${bus.network}`]),
  ])
  const parameters = item.parameters === undefined ? '' : ` ${JSON.stringify(item.parameters)}`
  return `"${item.name}" ${item.typeName} ${item.firmware ?? ''} at ${place}${item === module ? '' : `.${item.position}`}: ${parts.join(', ')}${parameters}`
}

const heads: Readonly<Record<string, readonly string[]>> = {
  '6ES7 515-2AM02-0AB0': ['S7-1500'],
  '6ES7 214-1AG40-0XB0': ['S7-1200'],
  '6ES7 512-1DK01-0AB0': ['ET 200SP'],
  '6ES7 155-6AU01-0BN0': ['ET 200SP'],
  '6ES7 155-6AR00-0AN0': ['ET 200SP'],
  '6ES7 155-5AA01-0AB0': ['S7-1500'],
  '6ES7 315-2EH14-0AB0': ['S7-300'],
  '6ES7 412-2EK07-0AB0': ['S7-400'],
}

for (const [head, families] of Object.entries(heads))
  test(`steps of ${entryOf(head).typeName}`, () => {
    const modules = entries.filter(({ kind, family }) => families.includes(family) && !['CPU', 'IM'].includes(kind))
    const random = randomFrom(7)
    const below = (most: number) => Math.floor(random() * most)
    const { station: first, env } = stationOf(head)
    let station = first
    const told = [entryOf(head).typeName]
    for (let step = 0; step < 60; step++) {
      const items = [...itemsOf(station)].map(({ item }) => item)
      const plugged = items.filter(({ builtIn }) => !builtIn)
      const pool = below(6) === 0 ? items : plugged
      const item = pool[below(pool.length)] as DeviceItem
      const type = moduleTypeOf(modules[below(modules.length)] as (typeof modules)[number])
      const own = entries.find(({ orderNumber }) => item.typeIdentifier === `OrderNumber:${orderNumber}`)
      const slot = below(3) === 0 ? below(20) : undefined
      const place = { ...(slot === undefined ? {} : { slot }), ...(below(4) === 0 ? { rack: below(3) } : {}) }
      const at = slot === undefined ? '' : ` at ${placeText({ slot, rack: place.rack ?? 0 })}`
      const starts = below(2) === 0 ? { Input: below(40) } : { Output: below(1000), Input: below(40) }
      const kind = below(10)
      const id = `id-${step}`
      const work = (): [what: string, run: () => { station: Station; losses?: readonly string[] }, id: string] => {
        if (kind < 5) return [`plug ${type.typeName}${at}`, () => plug(station, env, type, { id, ...place }), id]
        const name = `"${item.name}"`
        if (kind === 5 && own)
          return [`move ${name}${at}`, () => move(station, env, item.id, moduleTypeOf(own), place), item.id]
        if (kind === 6) return [`unplug ${name}`, () => unplug(station, item.id), item.id]
        if (kind === 7)
          return [`replace ${name} by ${type.typeName}`, () => replace(station, env, item.id, type, undefined), item.id]
        if (kind === 8)
          return [`address ${name} ${JSON.stringify(starts)}`, () => address(station, env, item.id, starts), item.id]
        const newName = ['Pump', ' x', 'pump', 'Level', ''][below(5)] as string
        return [`rename ${name} to "${newName}"`, () => change(station, item.id, { name: newName }), item.id]
      }
      const [what, run, changed] = work()
      try {
        const { station: next, losses = [] } = run()
        station = next
        told.push(`${what}\n  ${itemText(station, changed)}`, ...losses.map((loss) => `  ! ${loss}`))
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        const { kind: why, path, message, suggestion } = error
        told.push(`${what}\n  ✗ ${why} ${path} ${message}${suggestion === undefined ? '' : ` (${suggestion})`}`)
      }
    }
    if (env.className === 'S7-400') told.push(...s7400Faults(station).map((fault) => `fault: ${JSON.stringify(fault)}`))
    told.push(
      ...[...itemsOf(station)].filter(({ item }) => !item.builtIn).map(({ item }) => `= ${itemText(station, item.id)}`),
    )
    assertRecorded(
      import.meta.url,
      `edit-steps-${entryOf(head).typeName.replace(/\W+/g, '-')}.txt`,
      `${told.join('\n')}\n`,
    )
  })
