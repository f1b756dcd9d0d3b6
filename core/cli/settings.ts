/** `gantry settings`: reads and changes the settings of a running gateway, one at a time. */
import { randomBytes } from 'node:crypto'
import { GatewayClient } from './client.ts'
import { CliError, exitCodes } from './exit-codes.ts'
import type { RawOptions } from './options.ts'
import { printResult } from './output.ts'
import { findConnection } from './running-gateway.ts'

type Groups = Record<string, Record<string, unknown>>

/** Prints all settings, a group of them (`limits`), or one (`limits.bodyBytes`). */
export async function showSettings(path: string | undefined, raw: RawOptions): Promise<void> {
  await printResult(partOf(await read(new GatewayClient(findConnection(raw))), path))
}

/** Gives a setting another value; the entries of a list are separated by commas. Prints the value in force. */
export async function setSetting(path: string, text: string, raw: RawOptions): Promise<void> {
  const client = new GatewayClient(findConnection(raw))
  const isList = Array.isArray(partOf(await read(client), path))
  const list = text.split(',').flatMap((entry) => entry.trim() || [])
  await change(client, path, isList ? list : text)
}

/** Adds entries to a list of the settings, or takes them out. */
export async function changeList(
  how: 'add' | 'remove',
  path: string,
  entries: readonly string[],
  raw: RawOptions,
): Promise<void> {
  const client = new GatewayClient(findConnection(raw))
  if (!Array.isArray(partOf(await read(client), path)))
    throw new CliError(`${path} is not a list; "gantry settings set" changes it.`, exitCodes.usage)
  if (how === 'add' && path === 'security.apiKeys')
    throw new CliError('A key is added with "gantry settings add-key <name>".', exitCodes.usage)
  await change(client, path, { [how]: entries })
}

/** Makes a named key and prints it, the only time that it can be read. A key of the same name gets the new secret. */
export async function addKey(name: string, raw: RawOptions): Promise<void> {
  const client = new GatewayClient(findConnection(raw))
  const { access } = raw
  const key = `gty_${randomBytes(24).toString('base64url')}`
  await client.json('PATCH', '/api/settings', { security: { apiKeys: { add: [{ name, access, key }] } } })
  await printResult({ name, access, key })
}

function read(client: GatewayClient): Promise<Groups> {
  return client.json<Groups>('GET', '/api/settings')
}

async function change(client: GatewayClient, path: string, value: unknown): Promise<void> {
  const [group = '', field = ''] = path.split('.')
  await printResult(partOf(await client.json<Groups>('PATCH', '/api/settings', { [group]: { [field]: value } }), path))
}

/** @throws CliError that lists what there is */
function partOf(settings: Groups, path: string | undefined): unknown {
  if (path === undefined) return settings
  const [group = '', field, ...more] = path.split('.')
  const fields = settings[group]
  if (fields !== undefined && field === undefined) return fields
  if (fields !== undefined && more.length === 0 && field! in fields) return fields[field!]
  const { setByEnvironment: _, ...groups } = settings
  const known = Object.entries(groups).flatMap(([name, own]) => Object.keys(own).map((one) => `${name}.${one}`))
  throw new CliError(`There is no setting ${path}. There are: ${known.join(', ')}.`, exitCodes.usage)
}
