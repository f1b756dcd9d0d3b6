/** What generated screens and faceplates have in common. */
import type { CommandContext } from '../../../core/index.ts'
import type { HmiItem, LibraryTypeContent } from '../../../plc/formats/hmi/model.ts'
import type { Device } from '../../devices/index.ts'
import { allScreensOf, type HmiObject, hmiCollections, objectStored, type StoredItem } from '../object.ts'
import { resolutionOf } from '../stations.ts'

/** What was made. */
export interface Generated {
  readonly screens: readonly string[]
  readonly libraryTypes: readonly string[]
  readonly objects: number
  readonly warnings: readonly string[]
}

export const gap = 16
export const row = 30

/** A name as a path has it. */
export const quoted = (name: string) => (/^[\p{L}_][\p{L}\p{N}_]*$/u.test(name) ? name : `"${name}"`)

export function item(
  name: string,
  type: string,
  place: readonly [number, number, number, number],
  more: Partial<HmiItem> = {},
): HmiItem {
  const [left, top, width, height] = place
  return {
    name,
    type,
    left,
    top,
    width,
    height,
    layer: 0,
    properties: {},
    texts: {},
    links: {},
    bindings: [],
    events: [],
    ...more,
  }
}

/** A text that is not translated. */
export const label = (
  name: string,
  place: readonly [number, number, number, number],
  text: string,
  properties: HmiItem['properties'] = {},
): HmiItem =>
  item(name, 'TextField', place, {
    texts: { text: { 'en-US': text } },
    properties: { horizontalAlignment: 'Left', fontSize: 13, ...properties },
  })

/** Stores a library type. */
export function storeType(
  ctx: CommandContext,
  station: Device,
  name: string,
  content: Omit<LibraryTypeContent, 'version'>,
): HmiObject<'library-type'> {
  const collection = hmiCollections['library-type']
  const identity = collection.identityOf(ctx, station, name, { folder: '' }, undefined)
  const object: HmiObject<'library-type'> = {
    ...identity,
    kind: 'library-type',
    content: { version: '0.0.1', ...content },
  }
  ctx.emit(objectStored, { object: object as HmiObject }, collection.entityOf(station, name))
  return object
}

/**
 * Stores a screen over the one of its name.
 * @param bottom of the lowest object, pixels;
 * @returns how many objects it has
 */
export function storeScreen(
  ctx: CommandContext,
  station: Device,
  name: string,
  items: readonly HmiItem[],
  bottom: number,
  warnings: string[],
): number {
  const { width, height } = resolutionOf(ctx, station)
  const collection = hmiCollections.screen
  const before = collection.find(ctx, station.id, name)
  const identity = collection.identityOf(ctx, station, name, { folder: '' }, before)
  const numbers = allScreensOf(ctx, station.id).map(({ content }) => content.number)
  if (bottom > height) warnings.push(`Screen "${name}" is ${bottom + gap} pixels high; the display has ${height}.`)
  const object: HmiObject<'screen'> = {
    ...identity,
    kind: 'screen',
    content: {
      screenType: 'Screen',
      number: before?.content.number ?? numbers.reduce((highest, one) => Math.max(highest, one), 0) + 1,
      width,
      height: Math.max(height, bottom + gap),
      backColor: '#ffffff',
      template: '',
      layers: [{ index: 0, name: '', visible: true }],
    },
  }
  const owner = { deviceId: station.id, screenId: object.id }
  const stored = items.map((one): StoredItem => ({ ...one, ...owner, id: ctx.newId() }))
  ctx.emit(objectStored, { object: object as HmiObject, items: stored }, collection.entityOf(station, name))
  return stored.length
}
