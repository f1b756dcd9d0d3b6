/** What tags and constants may be: names, data types, addresses, values. */
import { type Fault, problem } from '../../core/index.ts'
import { objectTools, xmlTools } from '../blocks/index.ts'

/** Data types by the width of their address; others (structures, 64 bits and more) are not checked for it. */
const widths: Readonly<Record<string, readonly string[]>> = {
  bit: ['bool'],
  B: ['byte', 'char', 'sint', 'usint'],
  W: ['word', 'int', 'uint', 'wchar', 'date', 's5time'],
  D: ['dword', 'dint', 'udint', 'real', 'time', 'time_of_day'],
}

/** German mnemonics as the international ones, upper case, `%` in front: `e0.0` becomes `%I0.0`. */
export function normalizedAddress(address: string): string {
  const text = address.trim().toUpperCase()
  if (text === '') return ''
  const match = /^%?([IQMEATCZ])(.*)$/.exec(text)
  if (!match) return address.trim()
  const areas: Readonly<Record<string, string>> = { E: 'I', A: 'Q', Z: 'C' }
  const area = match[1] ?? ''
  return `%${areas[area] ?? area}${match[2]}`
}

/** What is wrong with an address (`%I0.0`, `%QB4`, `%MW10`, `%MD20`, `%T1`, `%C1`; empty: none), or undefined. */
export function addressFault(address: string, dataType: string): string | undefined {
  if (address === '') return undefined
  const match = /^%(?:([IQM])(?:X?(\d{1,7})\.([0-7])|([BWDL])(\d{1,7}))|([TC])(\d{1,5}))$/.exec(address)
  if (!match) return 'is not an address; e.g. %I0.0, %QB4, %MW10, %MD20, %T1, %C1'
  const type = dataType.toLowerCase()
  const timer = match[6]
  if (timer !== undefined) {
    const wanted = timer === 'T' ? 'timer' : 'counter'
    return type === wanted ? undefined : `is a ${wanted}, the data type is ${dataType}`
  }
  if (type === 'timer' || type === 'counter')
    return `does not fit data type ${dataType}: ${type === 'timer' ? '%T1' : '%C1'}`
  const width = match[3] === undefined ? (match[4] ?? '') : 'bit'
  const wanted = Object.entries(widths).find(([, types]) => types.includes(type))?.[0]
  if (wanted === undefined || wanted === width) return undefined
  const example = wanted === 'bit' ? `%${match[1]}0.0` : `%${match[1]}${wanted}0`
  return `does not fit data type ${dataType}: an address such as ${example} is needed`
}

/** The data type as TIA Portal spells it, or undefined when it is none. */
export async function dataTypeOf(text: string): Promise<string | undefined> {
  return (await xmlTools()).parseDataType(text)
}

/** What is wrong with a constant's value, or undefined. Whether it fits the type is for the compiler. */
export function valueFault(value: string): string | undefined {
  if (value.trim() === '') return 'must not be empty'
  if (/\p{Cc}/u.test(value)) return 'must not contain control characters'
  return undefined
}

/** Every fault of the rows of a table that comes from a file. */
export async function rowFaults(
  tags: readonly { readonly name: string; readonly dataType: string; readonly logicalAddress: string }[],
  constants: readonly { readonly name: string; readonly dataType: string }[],
): Promise<Fault[]> {
  const { nameFault } = await objectTools()
  const faults: Fault[] = []
  const known = new Map<string, boolean>()
  const check = async (kind: string, name: string, dataType: string) => {
    const wrong = nameFault(name)
    if (wrong !== undefined) faults.push({ message: `${kind} ${JSON.stringify(name)}: the name ${wrong}`, value: name })
    if (!known.has(dataType)) known.set(dataType, (await dataTypeOf(dataType)) !== undefined)
    if (known.get(dataType) !== true)
      faults.push({ message: `${kind} "${name}": ${JSON.stringify(dataType)} is not a data type`, value: dataType })
  }
  for (const { name, dataType, logicalAddress } of tags) {
    await check('tag', name, dataType)
    // Only the form: TIA Portal exports addresses that no longer fit a changed type.
    const wrong = addressFault(logicalAddress, '')
    if (wrong?.startsWith('is not'))
      faults.push({ message: `tag "${name}": "${logicalAddress}" ${wrong}`, value: logicalAddress })
  }
  for (const { name, dataType } of constants) await check('constant', name, dataType)
  return faults
}

/** @throws GatewayError `invalid_input` for one field */
export function invalid(field: string, value: unknown, message: string): never {
  throw problem('invalid_input', `${field}: ${JSON.stringify(value)} ${message}.`, {
    errors: [{ path: field, message, value }],
  })
}
