/** `gantry call` and `gantry operations`. */
import { readFile } from 'node:fs/promises'
import { text as readAll } from 'node:stream/consumers'
import { isObject } from '../../lib/is-object.ts'
import { GatewayClient } from './client.ts'
import { CliError, exitCodes } from './exit-codes.ts'
import { callAndFollow } from './follow.ts'
import type { RawOptions } from './options.ts'
import { printResult, table, write } from './output.ts'
import { findConnection } from './running-gateway.ts'

/**
 * Calls an operation and prints its result.
 *
 * @param fields `name=text` (converted to the type in the schema; `@file` is a file's content) and `name:=json`
 */
export async function call(operation: string, fields: readonly string[], raw: RawOptions): Promise<void> {
  const client = new GatewayClient(findConnection(raw))
  const input = await readJson(raw.json as string | undefined)
  const texts: Record<string, string> = {}
  for (const field of fields) {
    const found = /^([A-Za-z_]\w*)(:=|=)(.*)$/s.exec(field)
    if (!found) throw new CliError(`"${field}" is neither name=value nor name:=json.`, exitCodes.usage)
    // A match has all groups of its pattern; none of them is optional.
    const [, name, sign, value] = found as unknown as [string, string, string, string]
    if (sign === '=') texts[name] = value
    else input[name] = parse(value, `${name}:=`)
  }
  const answer = await callAndFollow(client, operation, input, {
    texts,
    async: raw.async === true,
    dryRun: raw.dryRun === true,
  })
  if (answer.kind === 'events') for await (const line of answer.events) await write(process.stdout, `${line}\n`)
  else if (answer.kind === 'job') await printResult({ jobId: answer.jobId, status: answer.status })
  else await printResult(answer.kind === 'text' ? answer.text : answer.value)
}

async function readJson(text: string | undefined): Promise<Record<string, unknown>> {
  if (text === undefined) return {}
  const json =
    text === '-' || text === '@-'
      ? await readAll(process.stdin)
      : text.startsWith('@')
        ? await readJsonFile(text.slice(1))
        : text
  const value = parse(json, '--json')
  if (!isObject(value))
    throw new CliError('--json must be an object with the fields of the operation.', exitCodes.usage)
  return value
}

async function readJsonFile(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new CliError(
      `--json: the file ${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`,
      exitCodes.usage,
    )
  }
}

function parse(json: string, where: string): unknown {
  try {
    return JSON.parse(json)
  } catch (error) {
    throw new CliError(`${where} is not JSON: ${(error as Error).message}`, exitCodes.usage)
  }
}

/** Lists operations whose id or title contains all the words. */
export async function listOperations(words: readonly string[], raw: RawOptions): Promise<void> {
  const client = new GatewayClient(findConnection(raw))
  const { routes } = await client.json<{
    routes: { operation: string; kind: string; title: string; access: string }[]
  }>('GET', '/api/command/list')
  const wanted = words
    .join(' ')
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  const found = new Map<string, (typeof routes)[number]>()
  for (const route of routes) {
    // A route of another protocol is not an operation.
    if (route.operation === '') continue
    const text = `${route.operation} ${route.title}`.toLowerCase()
    if (wanted.every((word) => text.includes(word))) found.set(route.operation, route)
  }
  const operations = [...found.values()].sort((a, b) => (a.operation < b.operation ? -1 : 1))
  if (raw.json === true) {
    await printResult({
      operations: operations.map(({ operation, kind, title, access }) => ({ operation, kind, title, access })),
      total: operations.length,
    })
  } else await write(process.stdout, table(operations.map(({ operation, kind, title }) => [operation, kind, title])))
  if (operations.length === 0 && raw.json !== true)
    throw new CliError('No operation has these words.', exitCodes.failed)
}
