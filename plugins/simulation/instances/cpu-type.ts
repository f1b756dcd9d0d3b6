/**
 * CPU types of virtual controllers: by order number, by the catalog's name, or by PLCSIM Advanced's name (ECPUType).
 */
import { nearest, problem } from '../../../core/index.ts'
import { type CatalogEntry, catalogEntries, requireCatalogEntry } from '../../devices/index.ts'

/** The CPU that an instance represents. */
export interface CpuType {
  /** For example `CPU 1515-2 PN`. */
  readonly cpuType: string
  /** Empty when unspecified; then it accepts any program of its family. */
  readonly orderNumber: string
  /** Empty when unknown. */
  readonly firmware: string
  /** For example `S7-1500`, `S7-1200`, `ET 200SP`. */
  readonly family: string
}

/** PLCSIM Advanced's `CPU1500_Unspecified`: any S7-1500 (function manual, ECPUType). */
const unspecifiedCpu: CpuType = {
  cpuType: 'CPU 1500 (unspecified)',
  orderNumber: '',
  firmware: '',
  family: 'S7-1500',
}

const key = (text: string) => text.toUpperCase().replace(/[^A-Z0-9]/g, '')

/** `CPU1515`, `CPU1512SPF`, `CPU1518MFP` of `CPU 1515-2 PN`, `CPU 1512SP F-1 PN`, `CPU 1518-4 PN/DP MFP`. */
function shortKey(typeName: string): string {
  const [, short = typeName, variant = ''] =
    /^(?:.* )?(CPU \d+[A-Za-z]*(?: [A-Z]{1,2}(?=-))?)[- ].*?(MFP|ODK)?$/.exec(typeName) ?? []
  return key(short + variant)
}

/** Only S7-1200, S7-1500 and related CPUs are simulated: they are numbered 12xx and 15xx. */
const isSimulated = ({ kind, typeName }: CatalogEntry) => kind === 'CPU' && /CPU 1[25]\d\d/.test(typeName)

function cpuOf(entry: CatalogEntry, firmware: string | undefined, path: string): CpuType {
  if (!isSimulated(entry)) {
    const message = `${entry.orderNumber} (${entry.typeName}, ${entry.family}) cannot be simulated`
    throw problem(
      'unacceptable_content',
      `${path}: ${message}: only CPUs of S7-1200 and S7-1500 (also ET 200SP, ET 200pro) can.`,
      {
        errors: [{ path, message, value: entry.orderNumber }],
      },
    )
  }
  return {
    cpuType: entry.typeName,
    orderNumber: entry.orderNumber,
    firmware: firmware ?? entry.firmware.at(-1) ?? '',
    family: entry.family,
  }
}

/**
 * Finds the CPU in a request. An order number (or a type identifier) selects exactly that CPU, a name the newest CPU
 * with that name. The default is an unspecified S7-1500.
 *
 * @throws GatewayError `not_found` with the nearest name or number; `unacceptable_content` for hardware that cannot be
 *   simulated
 */
export async function readCpuType(input: {
  readonly cpuType?: string | undefined
  readonly orderNumber?: string | undefined
}): Promise<CpuType> {
  const { cpuType, orderNumber } = input
  if (orderNumber !== undefined && orderNumber.trim() !== '') {
    const { entry, firmware } = await requireCatalogEntry(orderNumber)
    return cpuOf(entry, firmware, '/orderNumber')
  }
  const text = cpuType?.trim() ?? ''
  if (text === '') return unspecifiedCpu
  if (/unspecified/i.test(text)) return unspecifiedCpu
  if (/^(OrderNumber:|6[A-Z]{2}\d)/i.test(text)) {
    const { entry, firmware } = await requireCatalogEntry(text)
    return cpuOf(entry, firmware, '/cpuType')
  }
  // `v2` is PLCSIM's suffix for a firmware generation; the newest entry of the catalog is used for both.
  const wanted = key(text.replace(/v2$/i, ''))
  const withCpu = wanted.startsWith('CPU') ? wanted : `CPU${wanted}`
  const cpus = (await catalogEntries()).filter(({ kind }) => kind === 'CPU')
  const named = cpus.filter(({ typeName }) => [wanted, withCpu].includes(key(typeName)))
  const short = cpus.filter(({ typeName, family }) => !family.startsWith('SIPLUS') && shortKey(typeName) === withCpu)
  const found = named.length > 0 ? named : short
  const newest = [...found].sort((a, b) => (a.orderNumber < b.orderNumber ? 1 : -1))[0]
  if (newest) return cpuOf(newest, undefined, '/cpuType')
  const near = nearest(
    text,
    cpus.filter(isSimulated).map(({ typeName }) => typeName),
  )
  throw problem(
    'not_found',
    `There is no CPU type "${text}".${near ? ` Did you mean "${near}"?` : ' Give a name such as "CPU 1515-2 PN" or CPU1515, or an order number.'}`,
    { suggestion: near ?? 'POST /api/catalog/actions/search-sync { query: "CPU 15" }' },
  )
}

/**
 * Alarms of the program that may be pending at the same time (technical data of the CPUs: "number of simultaneously
 * active program alarms").
 */
export function pendingAlarmsOf(cpuType: string): number {
  const number = Number(/CPU (1[25]\d\d)/.exec(cpuType)?.[1] ?? 0)
  // 1500: an unspecified CPU.
  if (number >= 1516 || number === 1500 || number === 0) return 1000
  return number === 1515 ? 800 : 600
}
