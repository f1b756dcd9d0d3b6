/** Fields of a request that are given as text on the command line. */
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import type { PlainSchema } from '../contract/schema.ts'
import { fromText } from '../input/validation.ts'
import { CliError, exitCodes } from './exit-codes.ts'

/**
 * Converts texts of the command line to the types in the schema of a request. `@file` is the file's content; where an
 * upload is expected, the file itself; `@@` stands for a text that begins with `@`.
 *
 * @throws CliError for a file that cannot be read and for JSON with a fault
 */
export async function fieldValues(
  texts: Readonly<Record<string, string>>,
  body: PlainSchema | null,
): Promise<Record<string, unknown>> {
  const values: Record<string, unknown> = {}
  for (const [name, text] of Object.entries(texts)) {
    const schema = body?.properties?.[name] ?? body?.properties?.[name[0]!.toLowerCase() + name.slice(1)]
    values[name] = await fieldValue(name, text, schema)
  }
  return values
}

async function fieldValue(name: string, text: string, schema: PlainSchema | undefined): Promise<unknown> {
  if (text.startsWith('@@')) return text.slice(1)
  if (text.startsWith('@')) {
    const bytes = await readFile(text.slice(1)).catch((error: NodeJS.ErrnoException) => {
      throw new CliError(`${name}: the file ${text.slice(1)} cannot be read (${error.code}).`, exitCodes.usage)
    })
    const isUpload = (s: PlainSchema | undefined): boolean =>
      s?.properties?.fileName !== undefined ||
      [...(s?.anyOf ?? []), ...((s?.oneOf as PlainSchema[] | undefined) ?? [])].some(isUpload)
    return isUpload(schema)
      ? { fileName: basename(text.slice(1)), contentBase64: bytes.toString('base64') }
      : bytes.toString('utf8')
  }
  const types = [schema?.type, ...(schema?.anyOf ?? []).map((s) => s.type)].flat()
  if (
    /^\s*[[{]/.test(text) &&
    (types.includes('object') || types.includes('array') || (schema && types.every((t) => t === undefined)))
  ) {
    try {
      return JSON.parse(text)
    } catch (error) {
      throw new CliError(`${name}: ${(error as Error).message}`, exitCodes.usage)
    }
  }
  return fromText(text, schema)
}
