/**
 * System constants of the hardware of a controller, named as TIA Portal names them: `Local~PROFINET_interface_1`,
 * `Local~DI_32x24VDC_HF_1`, `IO_1~IODevice`, `IO_1~Head`, `Local~PROFINET_IO-System`. Values:
 * docs/plc-semantics.md#hardware-identifiers.
 */
import type { SliceReader } from '../../../core/index.ts'
import type { Device } from '../../devices/index.ts'
import type { Constant } from '../../tags/index.ts'
import type { DeviceItem } from '../model.ts'
import { counterKind } from '../modules/module-type.ts'
import { itemsOf } from './addresses.ts'
import { type Identifiers, identifiersOf } from './identifiers.ts'

/** Parts of an S7-1200, S7-1500 or ET 200SP CPU that every one has. */
const ofCpu = [
  ['Local', 'HW_SUBMODULE', 49],
  ['Local~Common', 'HW_SUBMODULE', 50],
  ['Local~Device', 'HW_DEVICE', 32],
  ['Local~Configuration', 'HW_SUBMODULE', 33],
  ['Local~Exec', 'HW_SUBMODULE', 52],
  ['Local~MC', 'HW_SUBMODULE', 51],
] as const

/** The display of an S7-1500 CPU. */
const display = ['Local~Display', 'HW_SUBMODULE', 54] as const

/** Spaces and other characters that names of constants do not have become `_`. */
const nameOf = (...parts: readonly string[]) =>
  parts.map((part) => part.trim().replace(/[^\p{L}\p{N}_-]/gu, '_')).join('~')

const constant = (name: string, dataType: string, value: number): Constant => ({
  name,
  dataType,
  value: String(value),
  comment: {},
})

/** The constants of a PLC: none for an IO device, whose controller has them. */
export function hardwareConstants(ctx: { readonly read: SliceReader }, device: Device): Constant[] {
  if (device.kind !== 'PLC') return []
  const found = identifiersOf(ctx, device)
  if (found.owner.id !== device.id) return []
  const isNew = /^(SIPLUS )?(S7-1[25]00|ET 200SP)|Drive Controller/.test(device.family)
  const all = [
    ...(isNew ? ofCpu : []).map(([name, type, value]) => constant(name, type, value)),
    ...(/^(SIPLUS )?S7-1500$/.test(device.family) ? [constant(...display)] : []),
    ...found.members.flatMap((member, i) => constantsOf(found, member, i === 0 ? 'Local' : member.device.name)),
    ...found.systems.flatMap((system) => {
      const value = found.ofSystem(system)
      const type = system.isProfibus ? 'HW_DPMASTER' : 'HW_IOSYSTEM'
      return value === undefined ? [] : [constant(nameOf('Local', system.name), type, value)]
    }),
  ]
  // Names of modules that differ only in characters that constants do not have.
  const taken = new Set<string>()
  return all.map((one) => {
    let { name } = one
    for (let n = 1; taken.has(name.toLowerCase()); n++) name = `${one.name}_${n}`
    taken.add(name.toLowerCase())
    return name === one.name ? one : { ...one, name }
  })
}

function constantsOf(found: Identifiers, { device, station }: Identifiers['members'][number], owner: string) {
  const whole = found.ofDevice(device)
  const isSlave = (device.network?.interfaces ?? []).some(({ subnetType }) => /^profibus$/i.test(subnetType ?? ''))
  const constants: Constant[] = []
  if (whole !== undefined)
    constants.push(
      constant(nameOf(owner, isSlave ? 'DPSlave' : 'IODevice'), isSlave ? 'HW_DPSLAVE' : 'HW_DEVICE', whole),
    )
  for (const { item, module } of itemsOf(station)) {
    const value = found.of(device, item)
    if (value === undefined) continue
    constants.push(constant(nameOf(owner, shownName(item, module)), typeOf(item, module), value))
    for (const port of item.interface?.ports ?? []) {
      const number = found.ofPort(port)
      if (number !== undefined) constants.push(constant(nameOf(owner, item.name, port.name), 'HW_INTERFACE', number))
    }
  }
  return constants
}

/** A part that is named like its kind belongs to a module that people have named. */
function shownName(item: DeviceItem, module: DeviceItem): string {
  if (item.role === 'HeadModule') return 'Head'
  return item.kind === 'submodule' && item.builtIn && module.role === undefined && module.items[0] === item
    ? module.name
    : item.name
}

function typeOf(item: DeviceItem, module: DeviceItem): string {
  if (item.interface !== undefined) return 'HW_INTERFACE'
  const counter = counterKind(item, module)
  return counter === undefined ? 'HW_SUBMODULE' : counter === 'HSC' ? 'HW_HSC' : 'HW_PWM'
}
