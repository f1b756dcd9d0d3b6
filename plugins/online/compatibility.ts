/**
 * Whether the program of a device can be loaded into a controller: family of the CPU, protected blocks, programs of
 * other devices.
 */
import type { Fault, SliceReader } from '../../core/index.ts'
import { cpuMemoryOf, type Device, shortagesOf, shortageText } from '../devices/index.ts'
import { type Controller, type Instance, stepsWithoutInstance, tellSteps } from '../simulation/index.ts'
import { type Manifest, readManifest } from './manifest.ts'
import type { DevicePackage } from './package.ts'
import { problem } from './problems.ts'
import { keyOf, type ProgramItem } from './program-objects.ts'

/**
 * S7-1500 and S7-1200 compile differently; ET 200SP, ET 200pro and SIPLUS CPUs are numbered like those they are
 * relatives of.
 */
function seriesOf({ typeName, cpuType, family }: { typeName?: string; cpuType?: string; family: string }) {
  const [, digit] = /CPU 1([25])\d\d/.exec(typeName ?? cpuType ?? '') ?? /S7-1([25])00/.exec(family) ?? []
  return digit === undefined ? undefined : `S7-1${digit}00`
}

/**
 * Compares the CPU of a device with that of an instance. Another type of the same family is fine; returns a warning
 * then.
 * @throws GatewayError `incompatible_cpu`
 */
export function requireSameFamily(
  device: Pick<Device, 'name' | 'typeName' | 'family' | 'orderNumber'>,
  instance: Pick<Instance, 'name' | 'cpuType' | 'family' | 'orderNumber'>,
): string[] {
  const [own, other] = [seriesOf({ typeName: device.typeName, family: device.family }), seriesOf(instance)]
  if (own === undefined || own !== other) {
    const is = own === undefined ? `of family ${device.family}` : `an ${own}`
    throw problem(
      'incompatible_cpu',
      `Device "${device.name}" is ${is} (${device.typeName}), instance "${instance.name}" ${other === undefined ? `of family ${instance.family}` : `an ${other}`} (${instance.cpuType}).`,
      {
        suggestion: `POST /api/simulation/instances/create { "name": ${JSON.stringify(`${device.name}_2`)}, "orderNumber": ${JSON.stringify(device.orderNumber)} }`,
        extra: { deviceType: device.typeName, instanceType: instance.cpuType },
      },
    )
  }
  // Order numbers of one type differ by its hardware version (6ES7 515-2AM02 and -2AN03): the program is the same.
  if (instance.orderNumber === '' || instance.cpuType === device.typeName) return []
  return [
    `Device "${device.name}" is a ${device.typeName} (${device.orderNumber}), instance "${instance.name}" a ${instance.cpuType} (${instance.orderNumber}) of the same family.`,
  ]
}

function isProtected({ record }: ProgramItem): boolean {
  return 'isKnowHowProtected' in record && record.isKnowHowProtected
}

/**
 * Know-how protected objects that a load would change or remove.
 * @param before the program that is replaced, `next` the new one
 * @param removes objects that are missing in `next` are removed
 */
export function protectedConflicts(
  before: readonly ProgramItem[],
  next: readonly ProgramItem[],
  removes: boolean,
): Fault[] {
  const coming = new Map(next.map((item) => [keyOf(item), item]))
  return before.filter(isProtected).flatMap((item): Fault[] => {
    const other = coming.get(keyOf(item))
    if (other ? other.hash === item.hash : !removes) return []
    const message = `is know-how protected and would be ${other ? 'replaced by another' : 'removed'}`
    return [{ path: `${item.kind} "${item.name}"`, code: 'know-how-protected', message }]
  })
}

/** @throws GatewayError `conflict` */
export function requireNoConflicts(faults: readonly Fault[], where: string): void {
  const [first] = faults
  if (!first) return
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : ''
  throw problem('conflict', `${first.path} of ${where} ${first.message}${more}.`, {
    errors: faults,
    suggestion: 'Send force: true when that is what you want.',
  })
}

/** True when a program was loaded from another device: neither the same nor one of the same name. */
export function isOfAnother(device: Pick<Device, 'id' | 'name'>, loaded: Manifest): boolean {
  return loaded.device.id !== device.id && loaded.device.name.toLowerCase() !== device.name.toLowerCase()
}

/**
 * For a session, which takes no instance from another PLC.
 * @throws GatewayError `conflict` that says how to make one for the device
 */
export function requireOwnInstance(
  ctx: { read: SliceReader },
  device: Device,
  instance: Pick<Instance, 'name'>,
  { program }: Pick<Controller, 'program'>,
): void {
  const loaded = program?.package && readManifest(program.package.manifest)
  if (!loaded || !isOfAnother(device, loaded)) return
  throw problem('conflict', ownedText(instance.name, loaded), {
    suggestion: tellSteps(stepsWithoutInstance(ctx, device)).suggestion,
  })
}

const ownedText = (instance: string, { device, project }: Manifest) =>
  `Instance "${instance}" has the program of device "${device.name}" (project "${project.name}").`

/** @throws GatewayError `conflict` when the controller has the program of another device */
export function requireOwnProgram(device: Pick<Device, 'id' | 'name'>, loaded: Manifest | undefined, instance: string) {
  if (!loaded || !isOfAnother(device, loaded)) return
  throw problem('conflict', ownedText(instance, loaded), { suggestion: 'Send force: true to replace it.' })
}

/**
 * Checks the memory of the CPU of the device, and of that of the instance.
 * @throws GatewayError `memory_exceeded` with the figures of each kind
 */
export function requireMemory(
  device: Pick<Device, 'name' | 'orderNumber' | 'typeName'>,
  instance: Pick<Instance, 'name' | 'cpuType' | 'orderNumber'>,
  { memory: use }: Pick<DevicePackage, 'memory'>,
): void {
  const own = shortagesOf(use, cpuMemoryOf(device.orderNumber))
  const shortages = own.length > 0 ? own : shortagesOf(use, cpuMemoryOf(instance.orderNumber))
  if (shortages.length === 0) return
  const where = own.length > 0 ? `its CPU (${device.typeName})` : `instance "${instance.name}" (${instance.cpuType})`
  throw problem(
    'memory_exceeded',
    `The program of "${device.name}" does not fit into ${where}, ${shortages.map(shortageText).join('; ')}.`,
    {
      errors: shortages.map((shortage) => ({
        path: shortage.memory,
        message: shortageText(shortage),
        value: shortage.needed,
        allowed: shortage.available,
      })),
      suggestion: `GET /api/devices/${encodeURIComponent(device.name)}/program/memory lists what each block takes.`,
    },
  )
}
