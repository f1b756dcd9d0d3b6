/**
 * Reads configurations of S7-PLCSIM Advanced as JSON. Its own archives are zips of virtual memory cards in a format
 * that only Siemens' software reads. Scripts and managers that use its API write JSON with the names of the API
 * (function manual A5E37039512: IInstance, SIPSuite4, ECPUType); this module reads that JSON, ignoring the case of
 * names.
 */
import { extname } from 'node:path'
import { type CommandContext, defined, type Fault, isObject, nearest, problem } from '../../../core/index.ts'
import { definitionLimit } from '../declarations.ts'
import type { NewInstance } from '../instances/create.ts'
import type { ConfigInput } from '../instances/instance-config.ts'
import type { NetworkInput } from '../instances/network.ts'
import { parseJson } from './profile.ts'

type Json = Readonly<Record<string, unknown>>

/** Names of fields in lower case, by their meaning. */
const nameFields = ['instancename', 'name']
const addressFields = ['ipaddress', 'ip', 'controllerip']
const cpuFields = ['cputype', 'ordernumber', 'articlenumber']
const networkFields = [
  'ipsuites',
  'ipsuite',
  'controlleripsuite4',
  'controllerip',
  'ipaddress',
  'ip',
  'subnetmask',
  'defaultgateway',
  'gateway',
]
const configFields = ['scalefactor', 'overwrittenminimalcycletime_ns', 'operatingmode', 'systemtime']
/** Fields of PLCSIM's environment that have no meaning for Gantry. */
const ignoredFields = [
  'id',
  'operatingstate',
  'storagepath',
  'communicationinterface',
  'isalwayssendonendofcycleenabled',
  'isautostart',
  'controllername',
  'controllershortdesignation',
  'licensestatus',
  'strictmotiontiming',
  'info',
]
const listFields = ['instances', 'registeredinstances', 'registeredinstanceinfo', 'plcs']
const knownFields = [...nameFields, ...cpuFields, ...networkFields, ...configFields, ...ignoredFields]

/**
 * Bits of ECPUType besides the number of the CPU (C++ header of PLCSIM Advanced: 1512SP is 0x205E8, 1516v2 is
 * 0x10005EC).
 */
const spBit = 0x2_0000
const v2Bit = 0x100_0000

/** The instances in a configuration, with warnings. */
export interface LegacyConfiguration {
  readonly definitions: NewInstance[]
  readonly warnings: string[]
}

/**
 * Reads a file.
 * @throws GatewayError `unacceptable_content` for archives and binary files, with a proposal; for other content as
 *   {@link readLegacy}
 */
export async function readLegacyFile(ctx: CommandContext, filePath: string): Promise<LegacyConfiguration> {
  if ((await ctx.files.stat(filePath))?.isDirectory)
    throw refuse(
      filePath,
      'it is a folder. A virtual memory card (SIMATIC_MC) holds a compiled program in a form of Siemens’ own',
    )
  const bytes = await ctx.files.read(filePath)
  if (bytes.subarray(0, 2).toString('latin1') === 'PK')
    throw refuse(
      filePath,
      'it is a zip archive (ArchiveStorage): it holds a compiled program in a form of Siemens’ own',
    )
  const kind = extname(filePath).toLowerCase()
  if (bytes.subarray(0, 4096).includes(0))
    throw refuse(
      filePath,
      `it is a binary file${kind ? ` (${kind})` : ''}; only a JSON description of instances can be read`,
    )
  return readLegacy(bytes.toString('utf8'), filePath)
}

function refuse(filePath: string, why: string) {
  return problem('unacceptable_content', `${filePath} cannot be imported: ${why}.`, {
    errors: [{ path: filePath, message: why }],
    suggestion:
      'Create the instances (or import their JSON description), open the TIA project’s exported sources, and download the device.',
  })
}

/** Collects faults and warnings. */
class Report {
  readonly faults: Fault[] = []
  readonly warnings: string[] = []
  fault(path: string, message: string, value?: unknown) {
    this.faults.push({ path, message, ...(value === undefined ? {} : { value: short(value) }) })
  }
}

const short = (value: unknown) =>
  typeof value === 'object' && value !== null ? JSON.stringify(value).slice(0, 100) : value

/**
 * Reads a description: an array of instances, an object with `Instances`, or one instance.
 *
 * @param what name of the source in faults
 * @throws GatewayError `unacceptable_content` with a fault for each place that cannot be read
 */
export function readLegacy(content: unknown, what: string): LegacyConfiguration {
  const value = typeof content === 'string' ? parseJson(content, what) : content
  const report = new Report()
  const { list, path } = listOf(value, report)
  if (list.length > definitionLimit)
    report.fault(path || '/', `has ${list.length} instances; at most ${definitionLimit} are read`)
  const definitions = list
    .slice(0, definitionLimit)
    .flatMap((each, i) => instanceOf(each, list === value || path !== '' ? `${path}/${i}` : '', report))
  const { faults } = report
  if (faults[0]) {
    const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : ''
    throw problem('unacceptable_content', `${what}: ${faults[0].path}: ${faults[0].message}${more}`, { errors: faults })
  }
  return { definitions, warnings: report.warnings }
}

/** The instances, and the path of their list; a description of one instance is no list and has none. */
function listOf(value: unknown, report: Report): { list: readonly unknown[]; path: string } {
  if (Array.isArray(value)) return { list: value, path: '' }
  if (isObject(value)) {
    const key = Object.keys(value).find((each) => listFields.includes(each.toLowerCase()))
    if (key !== undefined) {
      const list = value[key]
      if (Array.isArray(list)) return { list, path: `/${key}` }
      report.fault(`/${key}`, 'must be an array of instances', list)
      return { list: [], path: '' }
    }
    if (Object.keys(value).some((each) => nameFields.includes(each.toLowerCase()))) return { list: [value], path: '' }
  }
  report.fault('/', 'must be an array of instances, an object with "Instances", or one instance with "InstanceName"')
  return { list: [], path: '' }
}

/** A field with any of its names, and the path of the field that was found. */
function field(object: Json, names: readonly string[], path: string): { value: unknown; at: string } | undefined {
  const key = Object.keys(object).find((each) => names.includes(each.toLowerCase()))
  return key === undefined || object[key] === null ? undefined : { value: object[key], at: `${path}/${key}` }
}

function text(object: Json, names: readonly string[], path: string, report: Report): string | undefined {
  const found = field(object, names, path)
  if (found === undefined) return undefined
  if (typeof found.value === 'string') return found.value.trim()
  report.fault(found.at, 'must be text', found.value)
  return undefined
}

function instanceOf(value: unknown, path: string, report: Report): NewInstance[] {
  if (!isObject(value)) {
    report.fault(path || '/', 'must be an object that describes an instance', value)
    return []
  }
  for (const key of Object.keys(value)) {
    if (!knownFields.includes(key.toLowerCase())) {
      const near = nearest(key, ['InstanceName', 'CPUType', 'IPSuites', 'ScaleFactor', 'OperatingMode', 'SystemTime'])
      report.fault(`${path}/${key}`, `is not a field of an instance${near ? ` (did you mean "${near}"?)` : ''}`)
    }
  }
  const name = text(value, nameFields, path, report)
  if (name === '' || field(value, nameFields, path) === undefined) report.fault(`${path}/InstanceName`, 'is missing')
  const cpuType = cpuTypeOf(value, path, report)
  const orderNumber = text(value, ['ordernumber', 'articlenumber'], path, report)
  const network = networkOf(value, path, report)
  const config = configOf(value, path, report)
  for (const ignored of ['storagepath', 'communicationinterface']) {
    const found = field(value, [ignored], path)
    if (found)
      report.warnings.push(
        `${found.at}: left out; memory cards are folders of the workspace, communication is set with ports.`,
      )
  }
  if (!name) return []
  return [
    {
      name,
      ...(orderNumber ? { orderNumber } : cpuType ? { cpuType } : {}),
      ...(network.length > 0 ? { network } : {}),
      ...(Object.keys(config).length > 0 ? { config } : {}),
    },
  ]
}

/** The CPU type by name, or by its number in the enumeration of the API. */
function cpuTypeOf(object: Json, path: string, report: Report): string | undefined {
  const found = field(object, ['cputype'], path)
  if (found === undefined) return undefined
  const { value, at } = found
  if (typeof value === 'string') return value.trim()
  if (typeof value === 'number' && Number.isInteger(value)) {
    const number = value & 0xffff
    const flags = value - number
    if (value === 1500) return 'CPU1500_Unspecified'
    if (number > 1500 && number < 1600 && (flags & ~(spBit | v2Bit)) === 0)
      return `CPU${number}${flags & spBit ? 'SP' : ''}`
  }
  report.fault(at, 'must be a name of ECPUType, such as "CPU1515", or its number', value)
  return undefined
}

function networkOf(object: Json, path: string, report: Report): NetworkInput[] {
  const found = field(object, ['ipsuites', 'ipsuite', 'controlleripsuite4'], path)
  if (found !== undefined) {
    const list = Array.isArray(found.value) ? found.value : [found.value]
    return list.flatMap((each, i) => suiteOf(each, Array.isArray(found.value) ? `${found.at}/${i}` : found.at, report))
  }
  const addresses = field(object, ['controllerip'], path)
  if (addresses !== undefined && Array.isArray(addresses.value)) {
    return addresses.value.flatMap((each, i) => {
      if (typeof each === 'string') return isUnset(each) ? [] : [{ ipAddress: each }]
      report.fault(`${addresses.at}/${i}`, 'must be an IPv4 address', each)
      return []
    })
  }
  return field(object, addressFields, path) ? suiteOf(object, path, report) : []
}

/** An interface that was never configured has this address. */
const isUnset = (address: string) => address === '' || address === '0.0.0.0'

function suiteOf(value: unknown, path: string, report: Report): NetworkInput[] {
  if (!isObject(value)) {
    report.fault(path, 'must be an object with IPAddress, SubnetMask, DefaultGateway', value)
    return []
  }
  const ipAddress = text(value, addressFields, path, report)
  if (ipAddress === undefined) {
    if (field(value, addressFields, path) === undefined) report.fault(`${path}/IPAddress`, 'is missing')
    return []
  }
  if (isUnset(ipAddress)) return []
  const subnetMask = text(value, ['subnetmask', 'mask'], path, report)
  const gateway = text(value, ['defaultgateway', 'gateway'], path, report)
  return [{ ipAddress, ...(subnetMask ? { subnetMask } : {}), ...(gateway ? { gateway } : {}) }]
}

function configOf(object: Json, path: string, report: Report): ConfigInput {
  const factor = numberOf(object, 'scalefactor', path, report, 0.01, 100)
  const cycle = numberOf(object, 'overwrittenminimalcycletime_ns', path, report, 0, 6e9)
  const mode = field(object, ['operatingmode'], path)
  const isStepped = typeof mode?.value === 'string' && /^(SingleStep|TimespanSynchronized)/i.test(mode.value)
  if (mode && !isStepped && !/^(Default)?$/i.test(String(mode.value)) && mode.value !== 0)
    report.fault(mode.at, 'must be Default, SingleStep… or TimespanSynchronized…', mode.value)
  if (isStepped) report.warnings.push(`${mode?.at}: taken as stepped time, which is moved on with actions/advance.`)
  const startTime = text(object, ['systemtime'], path, report)
  if (startTime !== undefined && Number.isNaN(Date.parse(startTime)))
    report.fault(field(object, ['systemtime'], path)!.at, 'must be a time such as 2024-01-31T08:00:00Z', startTime)
  return {
    ...(isStepped ? { time: { mode: 'stepped' } } : factor === undefined ? {} : { time: { mode: 'real', factor } }),
    ...(cycle === undefined || cycle === 0 ? {} : { minimumCycleTimeMs: cycle / 1e6, ...wideEnough(cycle / 1e6) }),
    ...defined({ startTime }),
  }
}

/** PLCSIM's minimum cycle time may exceed the default maximum. */
const wideEnough = (minimum: number) =>
  minimum > 150 ? { maximumCycleTimeMs: Math.min(6000, Math.ceil(minimum * 2)) } : {}

function numberOf(object: Json, name: string, path: string, report: Report, low: number, high: number) {
  const found = field(object, [name], path)
  if (found === undefined) return undefined
  const { value, at } = found
  if (typeof value === 'number' && value >= low && value <= high) return value
  report.fault(at, `must be a number from ${low} to ${high}`, value)
  return undefined
}
