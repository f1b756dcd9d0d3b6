/**
 * What is missing before the program of a PLC runs on a virtual controller of its own: an instance with its address and
 * CPU, simulation support of the project, the start. Told at once and in order, each with the request that mends it, so
 * that a client is not refused once for each.
 */
import type { GatewayError, SliceReader } from '../../../core/index.ts'
import { type Device, devices } from '../../devices/index.ts'
import { currentProject } from '../../projects/index.ts'
import { findInstance, type Instance, instanceOfAddress, instances } from '../instances/instance.ts'
import { problem } from '../problems.ts'

interface Reader {
  readonly read: SliceReader
}

/** One thing that is missing, and the request that mends it. */
export interface MissingStep {
  readonly what: string
  readonly request: string
}

const json = (fields: Readonly<Record<string, unknown>>) =>
  `{ ${Object.entries(fields)
    .map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`)
    .join(', ')} }`

/** IP addresses of a device, in the order of its interfaces. */
export function addressesOf({ network }: Pick<Device, 'network'>): string[] {
  return (network?.interfaces ?? []).flatMap(({ ipAddress }) => (ipAddress ? [ipAddress] : []))
}

/** The PLCs of the open project. */
export function plcsOf(access: Reader): Device[] {
  return [...access.read(devices).values()].filter(({ kind, unplaced }) => kind === 'PLC' && !unplaced)
}

function freeName(access: Reader, name: string): string {
  let free = name
  for (let n = 2; findInstance(access, free) !== undefined; n++) free = `${name}_${n}`
  return free
}

/**
 * The instance that is meant for a PLC: the one with its address, else one of its name or without any address that
 * nobody else uses. The instance of another PLC is not.
 *
 * @param isOfAnother whether an instance has the program of another device
 */
export function instanceFor(
  access: Reader,
  device: Device,
  isOfAnother: (instance: Instance) => boolean,
): Instance | undefined {
  for (const address of addressesOf(device)) {
    const owner = instanceOfAddress(access, address)
    if (owner !== undefined && !isOfAnother(owner)) return owner
  }
  const others = [...access.read(instances).values()].filter((one) => one.network.length === 0 && !isOfAnother(one))
  const named = others.find(({ name }) => name.toLowerCase() === device.name.toLowerCase())
  return named ?? (others.length === 1 ? others[0] : undefined)
}

/** The project does not support simulation: a program cannot be loaded into a virtual controller. */
export function supportStep(access: Reader): MissingStep[] {
  const project = currentProject(access)
  if (project === undefined || project.simulationSupport) return []
  return [
    {
      what: `simulation support of project "${project.name}" is off`,
      request: 'POST /api/projects/actions/simulation-support { "enabled": true }',
    },
  ]
}

/**
 * What is missing when a PLC has no instance. Where the instance of another PLC has its address, it gets a free one.
 *
 * @param name of the instance; default: that of the PLC
 */
export function stepsWithoutInstance(access: Reader, device: Device, name?: string): MissingStep[] {
  const [own] = addressesOf(device)
  const taken = own === undefined ? undefined : instanceOfAddress(access, own)
  const address = taken ? freeAddress(access, own!) : own
  const about = [address ?? 'without address', device.typeName].join('; ')
  const made = {
    name: name ?? freeName(access, device.name),
    ...(address === undefined ? {} : { ipAddress: address }),
    orderNumber: device.orderNumber,
  }
  const path = `/api/devices/${encodeURIComponent(device.name)}/actions/configure-network-sync`
  return [
    ...(taken
      ? [
          {
            what: `its address ${own} is that of instance "${taken.name}", which is another PLC's`,
            request: `POST ${path} ${json({ ipAddress: address })}`,
          },
        ]
      : []),
    {
      what: `there is no instance for "${device.name}" (${about})`,
      request: `POST /api/simulation/instances/create ${json(made)}`,
    },
    ...supportStep(access),
    { what: 'its program is not running', request: startsFor(device) },
  ]
}

/** The next address of the same network that no instance and no device of the project has. */
function freeAddress(access: Reader, address: string): string {
  const used = new Set([...access.read(devices).values()].flatMap(addressesOf))
  const [, network = '', last = '0'] = /^(.*\.)(\d+)$/.exec(address) ?? []
  for (let i = 1; i < 254; i++) {
    const next = `${network}${((Number(last) + i - 1) % 254) + 1}`
    if (!used.has(next) && instanceOfAddress(access, next) === undefined) return next
  }
  return address
}

/** The request that powers an instance on, loads the program of a PLC into it and runs it. */
export function startsFor(device: Pick<Device, 'name'>, instance?: string): string {
  return `POST /api/simulation/start ${json({ ...(instance === undefined ? {} : { name: instance }), deviceName: device.name })}`
}

/** `Missing: 1. …; 2. …` for a message, and the requests one after the other. */
export function tellSteps(steps: readonly MissingStep[]): { readonly detail: string; readonly suggestion: string } {
  const list = steps.map(({ what }, i) => (steps.length === 1 ? what : `${i + 1}. ${what}`))
  return {
    detail: `Missing: ${list.join('; ')}.`,
    suggestion: steps.map(({ request }) => request).join(', then '),
  }
}

/**
 * The error for an instance that is needed and not there.
 *
 * @param message of the field `name`
 */
export function noInstance(message: string, steps: readonly MissingStep[]): GatewayError {
  const { detail, suggestion } = tellSteps(steps)
  return problem('invalid_input', `/name: ${message}. ${detail}`, {
    errors: [{ path: '/name', message }],
    suggestion,
    extra: { missing: steps },
  })
}
