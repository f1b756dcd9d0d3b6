/**
 * Makes the screens of a station from the loaded design spec: for each unit a screen with the control modules as
 * faceplates, and each phase as a step chart with its commands. They show the instances of the phases' blocks.
 */
import type { CommandContext } from '../../../core/index.ts'
import type { HmiItem } from '../../../plc/formats/hmi/model.ts'
import type { InterfaceMember } from '../../../plc/model/object.ts'
import { blocksOf } from '../../blocks/index.ts'
import { type CmType, type DesignModel, type Phase, type UnitType, unitTypesOf } from '../../design-spec/index.ts'
import type { Device } from '../../devices/index.ts'
import { declaredNamed } from '../../program-objects/index.ts'
import { hmiCollections } from '../object.ts'
import { resolutionOf } from '../stations.ts'
import { startWith } from './generate.ts'
import { type Generated, gap, item, label, quoted, row, storeScreen, storeType } from './generate-parts.ts'

const moduleWidth = 220
const chartWidth = 340
const titleHeight = 28
const frame = { backColor: '#f4f6f8', borderColor: '#5a6b7b', borderWidth: 1 }
const lit = { on: '#1fa84a', off: '#b8c0c8' }
const isNumber = (type: string) => /^(u?s?int|u?dint|u?lint|usint|real|lreal|byte|word|dword|time|ltime)$/i.test(type)

/** Units of one name in several process cells have the cell in the name of their screen. */
function screenNames(units: readonly { readonly cell: string; readonly unit: UnitType }[]): string[] {
  const count = new Map<string, number>()
  for (const { unit } of units) count.set(unit.name.toLowerCase(), (count.get(unit.name.toLowerCase()) ?? 0) + 1)
  return units.map(({ cell, unit }) =>
    count.get(unit.name.toLowerCase()) === 1 ? unit.name : `${cell} - ${unit.name}`,
  )
}

/** Screens of the same names are replaced when `overwrite` is set; faceplates that exist are always left. */
export async function generateFromSpec(
  ctx: CommandContext,
  station: Device,
  plc: Device,
  model: DesignModel,
  overwrite: boolean,
): Promise<Generated> {
  const warnings: string[] = []
  const made: string[] = []
  const screens: string[] = []
  let objects = 0
  const units = [...unitTypesOf(model)].map(({ cell, unit }) => ({ cell: cell.name, unit }))
  const program = await phasesInProgram(ctx, plc, units)
  const names = screenNames(units)
  for (const [i, { unit }] of units.entries()) {
    ctx.signal.throwIfAborted()
    const name = names[i]!
    if (hmiCollections.screen.find(ctx, station.id, name) !== undefined && !overwrite) {
      warnings.push(`Screen "${name}" exists: it was left as it is. Send overwrite: true to make it anew.`)
      continue
    }
    const { items, bottom } = unitItems(ctx, station, unit, program, made, warnings)
    if (items.length <= 1) {
      warnings.push(
        `Unit "${unit.name}": "${plc.name}" has no instance of the block of one of its phases; it gets no screen.`,
      )
      continue
    }
    objects += storeScreen(ctx, station, name, items, bottom, warnings)
    screens.push(name)
  }
  startWith(ctx, station, screens)
  return { screens, libraryTypes: made, objects, warnings }
}

/** The blocks of phases that a PLC has. */
interface ProgramPhase {
  readonly instances: readonly string[]
  /** Members of the block, in lower case. */
  readonly members: ReadonlyMap<string, InterfaceMember>
  readonly inputs: readonly InterfaceMember[]
  readonly outputs: readonly InterfaceMember[]
}

/** Whether a PLC has an instance of the block of a phase. */
export function hasPhases(ctx: CommandContext, plc: Device, model: DesignModel): boolean {
  const wanted = new Set([...unitTypesOf(model)].flatMap(({ unit }) => unit.phases.map(blockOf)))
  return blocksOf(ctx, plc.id).some(({ instanceOf = '' }) => wanted.has(instanceOf.replace(/"/g, '').toLowerCase()))
}

const blockOf = ({ name }: Phase) => `fb_${name.toLowerCase()}`

async function phasesInProgram(
  ctx: CommandContext,
  plc: Device,
  units: readonly { readonly unit: UnitType }[],
): Promise<ReadonlyMap<string, ProgramPhase>> {
  const wanted = new Set(units.flatMap(({ unit }) => unit.phases.map(blockOf)))
  const instances = new Map<string, string[]>()
  for (const { name, instanceOf = '' } of blocksOf(ctx, plc.id)) {
    const type = instanceOf.replace(/"/g, '').toLowerCase()
    if (wanted.has(type)) instances.set(type, [...(instances.get(type) ?? []), name])
  }
  const { objects } = await declaredNamed(ctx, plc, [...instances.keys()])
  const phases = new Map<string, ProgramPhase>()
  for (const { name, interface: sections } of objects) {
    const key = name.toLowerCase()
    const own = instances.get(key)
    if (own === undefined) continue
    const of = (wantedSection: string) =>
      sections.filter(({ section }) => section === wantedSection).flatMap(({ members }) => members)
    const all = ['Input', 'Output', 'Static'].flatMap(of)
    const members = new Map(all.map((member) => [member.name.toLowerCase(), member]))
    phases.set(key, { instances: own.sort(), members, inputs: of('Input'), outputs: of('Output') })
  }
  return phases
}

function unitItems(
  ctx: CommandContext,
  station: Device,
  unit: UnitType,
  program: ReadonlyMap<string, ProgramPhase>,
  made: string[],
  warnings: string[],
): { items: HmiItem[]; bottom: number } {
  const { width } = resolutionOf(ctx, station)
  const title = unit.description === '' ? unit.name : `${unit.name}: ${unit.description}`
  const items: HmiItem[] = [
    label('Title', [gap, gap, width - 2 * gap, titleHeight], title, { fontSize: 18, fontStyle: 'Bold' }),
  ]
  let [left, top, bottom] = [gap, gap + titleHeight + gap, gap + titleHeight]
  const place = (
    name: string,
    faceplate: string,
    property: string,
    tag: string,
    size: { width: number; height: number },
  ) => {
    if (left + size.width > width && left > gap) [left, top] = [gap, bottom + gap]
    items.push(
      label(`${name} name`, [left, top, size.width, 24], name, { fontSize: 16, fontStyle: 'Bold' }),
      item(name, 'FaceplateInstance', [left, top + 26, size.width, size.height], {
        links: { faceplate },
        bindings: [{ property, tag }],
      }),
    )
    bottom = Math.max(bottom, top + 26 + size.height)
    left += size.width + gap
  }
  const shownModules = new Set<string>()
  for (const phase of unit.phases) {
    const found = program.get(blockOf(phase))
    if (found === undefined) {
      warnings.push(
        `Phase "${phase.name}" of unit "${unit.name}" has no instance data block in the program: it is not shown.`,
      )
      continue
    }
    const chart = faceplate(ctx, station, `Phase ${phase.name}`, made, () => phaseType(phase, found))
    for (const instance of found.instances) {
      const name = found.instances.length === 1 ? phase.name : `${phase.name} (${instance})`
      place(name, chart.name, 'phase', quoted(instance), chart.content)
      for (const module of unit.cmTypes) {
        if (!found.members.has(module.name.toLowerCase())) continue
        const faceplateOf = faceplate(ctx, station, `${unit.name} ${module.name}`, made, () => moduleType(module))
        // Each phase works on a copy of the module of its own.
        const moduleName = `${module.name} (${name})`
        shownModules.add(module.name)
        place(moduleName, faceplateOf.name, 'module', `${quoted(instance)}.${quoted(module.name)}`, faceplateOf.content)
      }
    }
    ;[left, top] = [gap, bottom + gap]
  }
  const unused = unit.cmTypes.filter(({ name }) => !shownModules.has(name)).map(({ name }) => `"${name}"`)
  if (items.length > 1 && unused.length > 0)
    warnings.push(`Unit "${unit.name}": no phase in the program uses ${unused.join(', ')}.`)
  return { items, bottom }
}

/** The library type of this name; it is made when it does not exist. */
function faceplate(
  ctx: CommandContext,
  station: Device,
  name: string,
  made: string[],
  make: () => Parameters<typeof storeType>[3],
) {
  const present = hmiCollections['library-type'].find(ctx, station.id, name)
  if (present !== undefined) return present
  made.push(name)
  return storeType(ctx, station, name, make())
}

/** A control module: lamps for truth values, fields for the others. Nothing can be changed: the phases write it. */
function moduleType({ name, variables }: CmType): Parameters<typeof storeType>[3] {
  const height = row * variables.length + gap
  const items = [item('Frame', 'Rectangle', [1, 1, moduleWidth - 2, height - 2], { properties: frame })]
  for (const [i, variable] of variables.entries()) {
    const top = 8 + row * i
    const tag = `module.${quoted(variable.name)}`
    items.push(
      label(`${variable.name} name`, [8, top, 120, row - 6], variable.name),
      valueItem(variable.name, variable.dataType, tag, top, 130, moduleWidth - 138),
    )
  }
  return {
    description: `Control module ${name} of the design spec.`,
    width: moduleWidth,
    height,
    properties: [{ name: 'module', dataType: `UDT_${name}`, defaultValue: '' }],
    items,
  }
}

function valueItem(name: string, dataType: string, tag: string, top: number, left: number, width: number): HmiItem {
  if (/^bool$/i.test(dataType))
    return item(name, 'Circle', [left, top, row - 8, row - 8], {
      bindings: [{ property: 'backColor', tag, converter: 'BoolToColor', params: lit }],
    })
  return item(name, 'IOField', [left, top, width, row - 6], {
    properties: { mode: 'Output', fontSize: 13 },
    bindings: [{ property: 'processValue', tag }],
  })
}

/** A phase: its commands, its states, and its steps with the active one lit. */
function phaseType(phase: Phase, { inputs, outputs, members }: ProgramPhase): Parameters<typeof storeType>[3] {
  const items: HmiItem[] = []
  let top = 8
  const commands = inputs
    .filter(({ dataType }) => /^bool$/i.test(dataType))
    .filter(({ name }) => !isParameter(phase, name))
  for (const [i, { name }] of commands.entries()) {
    const at: [number, number, number, number] = [8 + (i % 3) * 108, top + Math.floor(i / 3) * 38, 102, 32]
    const tag = `phase.${quoted(name)}`
    // Hold keeps a phase in its step as long as it is TRUE; with states it is a command as the others.
    if (phase.states !== 'ISA88' && /^hold$/i.test(name))
      items.push(
        item(name, 'Switch', at, {
          texts: { textOn: { 'en-US': name }, textOff: { 'en-US': name } },
          bindings: [{ property: 'processValue', tag }],
        }),
      )
    else
      items.push(
        item(name, 'Button', at, {
          texts: { text: { 'en-US': name } },
          events: [{ event: 'Press', actions: [{ function: 'SetBitWhileKeyPressed', parameters: { Tag: tag } }] }],
        }),
      )
  }
  top += Math.ceil(commands.length / 3) * 38 + 4
  const shown = outputs.filter(({ dataType }) => /^bool$/i.test(dataType) || isNumber(dataType))
  const parameters = (phase.parameters ?? []).filter(({ name }) => members.has(name.toLowerCase()))
  for (const { name, dataType } of shown) {
    items.push(
      label(`${name} name`, [8, top, 120, row - 6], name),
      valueItem(name, dataType, `phase.${quoted(name)}`, top, 130, 120),
    )
    top += row
  }
  for (const { name, unit = '', dataType } of parameters) {
    const tag = `phase.${quoted(name)}`
    items.push(label(`${name} name`, [8, top, 120, row - 6], name))
    if (/^bool$/i.test(dataType))
      items.push(item(name, 'Switch', [130, top, 80, row - 6], { bindings: [{ property: 'processValue', tag }] }))
    else
      items.push(
        item(name, 'IOField', [130, top, 140, row - 6], {
          properties: { fontSize: 13, ...(unit === '' ? {} : { unit: ` ${unit}` }) },
          bindings: [{ property: 'processValue', tag }],
        }),
      )
    top += row
  }
  top += 8
  for (const [i, step] of phase.steps.entries()) {
    const text = `${step.number}  ${step.name}`
    items.push(
      item(`Step ${step.number}`, 'TextField', [8, top, chartWidth - 16, 32], {
        texts: { text: { 'en-US': text } },
        properties: { borderWidth: step.isInitial ? 3 : 1, fontSize: 14 },
        bindings: [
          {
            property: 'backColor',
            tag: 'phase._Step',
            converter: 'Range',
            params: { ranges: `${step.number}:#5ad35a;else:#ffffff` },
          },
        ],
      }),
    )
    top += 32
    if (i === phase.steps.length - 1) break
    const next = step.nextStep === null || step.nextStep === phase.steps[i + 1]!.number ? '' : ` → ${step.nextStep}`
    items.push(item(`Line ${step.number}`, 'Line', [24, top, 0, 24], { properties: { borderWidth: 2 } }))
    items.push(item(`Bar ${step.number}`, 'Line', [16, top + 12, 16, 0], { properties: { borderWidth: 3 } }))
    items.push(
      label(`Condition ${step.number}`, [38, top, chartWidth - 46, 24], `${step.condition}${next}`, { fontSize: 11 }),
    )
    top += 24
  }
  const height = top + 8
  return {
    description: `Phase ${phase.name} of the design spec.`,
    width: chartWidth,
    height,
    properties: [{ name: 'phase', dataType: `FB_${phase.name}`, defaultValue: '' }],
    items: [item('Frame', 'Rectangle', [1, 1, chartWidth - 2, height - 2], { properties: frame }), ...items],
  }
}

function isParameter({ parameters = [] }: Phase, name: string): boolean {
  return parameters.some((one) => one.name.toLowerCase() === name.toLowerCase())
}
