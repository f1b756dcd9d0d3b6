/**
 * PROFINET device names: the one that TIA Portal makes, and the converted one that goes over the network. Verified with
 * names of real devices: `plc_1` is `plcxb1d0ed`, `plc.profinet interface_1` is `plc.profinetxainterfacexb13a48`.
 */
import type { Device, DeviceInterface } from '../../devices/index.ts'

/** CRC-16/ARC. */
function crc16(text: string): number {
  let crc = 0
  for (const byte of Buffer.from(text, 'utf8')) {
    crc ^= byte
    for (let i = 0; i < 8; i++) crc = crc & 1 ? (crc >> 1) ^ 0xa001 : crc >> 1
  }
  return crc
}

/** Known replacements of characters that a DNS name cannot contain. */
const replacements: Readonly<Record<string, string>> = { ' ': 'xa', _: 'xb', $: 'xf', '?': 'xy', '!': 'x1' }

/**
 * The name as it goes over the network: lower case; a blank is `xa`, `_` is `xb` …, and four digits of a checksum
 * follow when something was replaced.
 * @returns undefined when a character is in it whose replacement is not known
 */
export function convertedName(name: string): string | undefined {
  const lower = name.toLowerCase()
  let converted = ''
  for (const char of lower) {
    const next = /[a-z0-9.-]/.test(char) ? char : replacements[char]
    if (next === undefined) return undefined
    converted += next
  }
  return converted === lower ? lower : `${converted}${crc16(converted).toString(16).padStart(4, '0')}`
}

/**
 * The PROFINET device name of an interface: the one that was set, else as TIA Portal makes it: that of an IO device; of
 * a CPU with its interface (`plc_1.profinet interface_1`, from a real export).
 *
 * @param item name of the interface in the station: `PROFINET interface_1`
 */
export function profinetName(
  { name, kind }: Pick<Device, 'name' | 'kind'>,
  item: string,
  network: Pick<DeviceInterface, 'profinetDeviceName'> | undefined,
): string {
  return network?.profinetDeviceName ?? (kind === 'PLC' ? `${name}.${item}` : name).toLowerCase()
}
