/**
 * Makes the screens of a station from the program of a PLC: for each folder of blocks a screen with a faceplate for
 * each instance of a function block in it. A function block without a faceplate of its name gets one from its
 * interface.
 */
import type { CommandContext } from '../../../core/index.ts'
import type { HmiBinding, HmiItem } from '../../../plc/formats/hmi/model.ts'
import type { InterfaceMember, InterfaceSection } from '../../../plc/model/object.ts'
import { type Block, blocksOf } from '../../blocks/index.ts'
import type { Device } from '../../devices/index.ts'
import { byText, declaredNamed } from '../../program-objects/index.ts'
import { type HmiObject, hmiCollections, stationConfigured, stationSettings } from '../object.ts'
import { resolutionOf } from '../stations.ts'
import { type Generated, gap, item, label, quoted, row, storeScreen, storeType } from './generate-parts.ts'

const faceplateWidth = 260
/** Members that a faceplate shows at most; more would not be read by anybody. */
const mostMembers = 12

/**
 * Screens of the same names are replaced when `overwrite` is set, and left as they are otherwise; faceplates that exist
 * are always left.
 */
export async function generateStation(
  ctx: CommandContext,
  station: Device,
  plc: Device,
  overwrite: boolean,
): Promise<Generated> {
  const warnings: string[] = []
  const instances = blocksOf(ctx, plc.id).filter(({ instanceOf }) => instanceOf !== undefined)
  const functionBlocks = new Map(
    blocksOf(ctx, plc.id).flatMap((block) => (block.kind === 'FB' ? [[block.name.toLowerCase(), block] as const] : [])),
  )
  const shown = instances.filter(({ instanceOf = '' }) => functionBlocks.has(plain(instanceOf)))
  const types = [...new Set(shown.map(({ instanceOf = '' }) => plain(instanceOf)))]
  const { objects } = await declaredNamed(ctx, plc, types)
  const interfaces = new Map(objects.map((object) => [object.name.toLowerCase(), object.interface]))
  const faceplates = new Map<string, HmiObject<'library-type'>>()
  const made: string[] = []
  for (const type of types) {
    const { name } = functionBlocks.get(type)!
    const present = hmiCollections['library-type'].find(ctx, station.id, name)
    const faceplate = present ?? newFaceplate(ctx, station, name, interfaces.get(type) ?? [], warnings)
    if (faceplate === undefined) continue
    if (present === undefined) made.push(name)
    faceplates.set(type, faceplate)
  }
  const byFolder = new Map<string, Block[]>()
  for (const block of shown.filter(({ instanceOf = '' }) => faceplates.has(plain(instanceOf)))) {
    const of = byFolder.get(block.folder)
    if (of) of.push(block)
    else byFolder.set(block.folder, [block])
  }
  const screens: string[] = []
  let count = 0
  for (const [folder, blocks] of [...byFolder].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const name = folder === '' ? plc.name : folder.replaceAll('/', ' - ')
    const before = hmiCollections.screen.find(ctx, station.id, name)
    if (before !== undefined && !overwrite) {
      warnings.push(`Screen "${name}" exists: it was left as it is. Send overwrite: true to make it anew.`)
      continue
    }
    count += newScreen(ctx, station, name, blocks.sort(byText((block) => block.name)), faceplates, warnings)
    screens.push(name)
  }
  if (shown.length === 0)
    warnings.push(`"${plc.name}" has no instance data block of a function block: there is nothing to make screens of.`)
  startWith(ctx, station, screens)
  return { screens, libraryTypes: made, objects: count, warnings }
}

/** Makes the first of the screens the start screen, when there is none. */
export function startWith(ctx: CommandContext, station: Device, [first]: readonly string[]): void {
  const settings = ctx.read(stationSettings).get(station.id)
  if (first !== undefined && settings?.startScreen === undefined)
    ctx.emit(stationConfigured, { ...settings, deviceId: station.id, startScreen: first }, `device/${station.name}`)
}

const plain = (name: string) => name.replace(/"/g, '').toLowerCase()

const isNumber = (type: string) => /^(u?s?int|u?dint|u?lint|usint|real|lreal|byte|word|dword)$/i.test(type)
const isHidden = ({ attributes }: InterfaceMember) =>
  attributes.some(({ name, value }) => /^External(Accessible|Visible)$/.test(name) && /^false$/i.test(value.trim()))

/** A faceplate with the property `block`: lamps for truth values, fields for numbers. Inputs can be changed. */
function newFaceplate(
  ctx: CommandContext,
  station: Device,
  name: string,
  sections: readonly InterfaceSection[],
  warnings: string[],
): HmiObject<'library-type'> | undefined {
  const members = sections
    .filter(({ section }) => ['Input', 'Output', 'InOut', 'Static'].includes(section))
    .flatMap(({ section, members: all }) => all.map((member) => ({ member, isInput: section === 'Input' })))
    .filter(({ member }) => (/^bool$/i.test(member.dataType) || isNumber(member.dataType)) && !isHidden(member))
  if (members.length === 0) {
    warnings.push(`"${name}" has no Bool and no number that is visible in HMI: it gets no faceplate.`)
    return undefined
  }
  if (members.length > mostMembers)
    warnings.push(`The faceplate of "${name}" shows ${mostMembers} of ${members.length} members.`)
  const shown = members.slice(0, mostMembers)
  const height = row * (shown.length + 1) + gap
  const items = [
    item('Frame', 'Rectangle', [1, 1, faceplateWidth - 2, height - 2], {
      properties: { backColor: '#f4f6f8', borderColor: '#5a6b7b', borderWidth: 1 },
    }),
    ...shown.flatMap(({ member, isInput }, i): HmiItem[] => {
      const top = row * (i + 1)
      const title = label(`${member.name} name`, [gap, top, 130, row - 6], member.name)
      return [title, shownMember(member, isInput, `block.${quoted(member.name)}`, top)]
    }),
  ]
  return storeType(ctx, station, name, {
    description: `Made from the interface of "${name}".`,
    width: faceplateWidth,
    height,
    properties: [{ name: 'block', dataType: name, defaultValue: '' }],
    items,
  })
}

function shownMember(member: InterfaceMember, isInput: boolean, tag: string, top: number): HmiItem {
  const left = 150
  const value: HmiBinding = { property: 'processValue', tag }
  if (!/^bool$/i.test(member.dataType)) {
    const properties = { mode: isInput ? 'InputOutput' : 'Output', fontSize: 13 }
    return item(member.name, 'IOField', [left, top, 94, row - 6], { bindings: [value], properties })
  }
  if (isInput) return item(member.name, 'Switch', [left, top, 94, row - 6], { bindings: [value] })
  const params = { on: '#1fa84a', off: '#b8c0c8' }
  const bindings: HmiBinding[] = [{ property: 'backColor', tag, converter: 'BoolToColor', params }]
  return item(member.name, 'Circle', [left, top, row - 8, row - 8], { bindings })
}

/** @returns how many objects it has */
function newScreen(
  ctx: CommandContext,
  station: Device,
  name: string,
  blocks: readonly Block[],
  faceplates: ReadonlyMap<string, HmiObject<'library-type'>>,
  warnings: string[],
): number {
  const { width } = resolutionOf(ctx, station)
  const items: HmiItem[] = []
  let [left, top, bottom] = [gap, gap, 0]
  for (const block of blocks) {
    const faceplate = faceplates.get(plain(block.instanceOf ?? ''))!
    const size = faceplate.content
    if (left + size.width > width && left > gap) [left, top] = [gap, bottom + gap]
    items.push(
      label(`${block.name} name`, [left, top, size.width, 24], block.name, { fontSize: 16, fontStyle: 'Bold' }),
      item(block.name, 'FaceplateInstance', [left, top + 26, size.width, size.height], {
        links: { faceplate: faceplate.name },
        bindings: [{ property: 'block', tag: quoted(block.name) }],
      }),
    )
    bottom = Math.max(bottom, top + 26 + size.height)
    left += size.width + gap
  }
  return storeScreen(ctx, station, name, items, bottom, warnings)
}
