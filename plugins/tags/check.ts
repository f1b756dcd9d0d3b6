/**
 * Checks rows from a whole file. TIA Portal exports rows that it would not accept itself, so only rows that cannot be
 * stored are faults.
 */

import type { CommandContext, Fault } from '../../core/index.ts'
import { problem } from '../../core/index.ts'
import type { Device } from '../devices/index.ts'
import { nameFault } from '../program-objects/index.ts'
import { addressFitFault, addressFormFault, parseAddress } from './addresses.ts'
import { constantFault } from './constant-value.ts'
import { DataTypes } from './data-types.ts'

/** Maximum number of warnings for one table. */
const mostWarnings = 100

/** Rows of a table as read from a file. */
export interface FileRows {
  readonly tags: readonly { readonly name: string; readonly dataType: string; readonly logicalAddress: string }[]
  readonly constants: readonly { readonly name: string; readonly dataType: string; readonly value: string }[]
}

/**
 * Checks the rows of a table from a file. Names and the form of addresses and data types must be right. An address that
 * does not fit its type, a PLC data type that does not exist (yet), and a value out of range cause warnings.
 */
export async function checkRows(
  ctx: Pick<CommandContext, 'read'>,
  device: Pick<Device, 'id'>,
  { tags, constants }: FileRows,
): Promise<{ faults: Fault[]; warnings: string[] }> {
  const types = new DataTypes(ctx, device)
  const faults: Fault[] = []
  const warnings: string[] = []
  let omitted = 0
  const warn = (text: string) => {
    if (warnings.length < mostWarnings) warnings.push(text)
    else omitted += 1
  }
  const check = async (kind: string, { name, dataType }: { readonly name: string; readonly dataType: string }) => {
    const wrong = nameFault(name)
    if (wrong !== undefined)
      faults.push({ message: `${kind} ${JSON.stringify(name)}: the name ${wrong}`, value: name, name })
    const checked = await types.check(dataType)
    if ('dataType' in checked) return
    const message = `${kind} "${name}": ${JSON.stringify(dataType)} ${checked.fault}`
    // The import itself reports the missing types of the program.
    if (checked.isUnknown && !dataType.includes('"')) warn(message)
    else if (!checked.isUnknown) faults.push({ message, value: dataType, name })
  }
  for (const tag of tags) {
    await check('tag', tag)
    const { name, dataType, logicalAddress } = tag
    const form = addressFormFault(logicalAddress)
    if (form !== undefined)
      faults.push({ message: `tag "${name}": "${logicalAddress}" ${form}`, value: logicalAddress, name })
    const address = form === undefined && logicalAddress !== '' ? parseAddress(logicalAddress) : undefined
    const misfit = address && addressFitFault(address, dataType)
    if (misfit !== undefined) warn(`tag "${name}": "${logicalAddress}" ${misfit}`)
  }
  for (const constant of constants) {
    await check('constant', constant)
    const { name, dataType, value } = constant
    const wrong = constantFault(value, dataType)
    if (wrong !== undefined) warn(`constant "${name}": "${value}" ${wrong}`)
  }
  return { faults, warnings: omitted > 0 ? [...warnings, `${omitted} more`] : warnings }
}

/** @throws GatewayError `invalid_input` for one field, always */
export function invalid(field: string, value: unknown, message: string): never {
  throw problem('invalid_input', `${field}: ${JSON.stringify(value)} ${message}${message.endsWith('?') ? '' : '.'}`, {
    errors: [{ path: field, message, value }],
  })
}
