/**
 * Saved profiles: definitions of instances as JSON files in `simulation/profiles` of the first workspace root, one file
 * for each profile. Users edit and copy these files, so the content is checked each time it is read.
 */

import {
  type CommandContext,
  compileInput,
  type FileReader,
  isGatewayError,
  isObject,
  notFound,
  problem,
  query,
  type SchemaBuilder,
} from '../../../core/index.ts'
import { findJsonFault } from '../../../lib/json-fault.ts'
import { fileNameOf } from '../../projects/index.ts'
import { definitionLimit, definitionSchema } from '../declarations.ts'
import { readCpuType } from '../instances/cpu-type.ts'
import type { NewInstance } from '../instances/create.ts'
import { instanceNameFault } from '../instances/instance.ts'
import { defaultConfig, readConfig } from '../instances/instance-config.ts'
import { readNetwork, type TakenAddress } from '../instances/network.ts'
import { simulationFolder } from '../instances/storage.ts'

/** A profile. */
export interface Profile {
  readonly name: string
  readonly description: string
  readonly instances: readonly NewInstance[]
}

const folder = `${simulationFolder}/profiles`
const extension = '.json'
const fileBytes = 4 * 1024 * 1024

const fileSchema = (t: SchemaBuilder) =>
  t.Object({
    $schema: t.Optional(t.String()),
    version: t.Optional(t.Literal(1)),
    name: t.Optional(t.String()),
    description: t.Optional(t.String()),
    instances: t.Array(definitionSchema(t), { maxItems: definitionLimit }),
  })

/**
 * Returns the file name of a profile without its extension.
 * @throws GatewayError `invalid_input` for a text that cannot be the name of a file in the folder of profiles
 */
export function profileFileName(text: string, path = '/fileName'): string {
  const name = text.toLowerCase().endsWith(extension) ? text.slice(0, -extension.length) : text
  // The rules of instance names exclude separators, and dots at the ends, so that no name is outside the folder.
  const fault = instanceNameFault(name) ?? (fileNameOf(name) === name ? undefined : 'is kept for devices by Windows')
  if (fault === undefined) return name
  throw problem('invalid_input', `${path}: "${text.slice(0, 200)}" is not a name of a profile: it ${fault}.`, {
    errors: [{ path, message: fault, value: text.slice(0, 200) }],
  })
}

/** Path of a profile, relative to the first workspace root. */
export const profilePath = (fileName: string) => `${folder}/${fileName}${extension}`

/** Lists the file names of the saved profiles. */
export async function profileNames(files: FileReader): Promise<string[]> {
  if (!(await files.stat(folder))?.isDirectory) return []
  const entries = await files.list(folder)
  return entries
    .filter(({ name, isDirectory }) => !isDirectory && name.endsWith(extension))
    .map(({ name }) => name.slice(0, -extension.length))
}

/** Finds the profile with this name, ignoring case, in its spelling on disk. */
export async function findProfile(files: FileReader, fileName: string): Promise<string | undefined> {
  return (await profileNames(files)).find((name) => name.toLowerCase() === fileName.toLowerCase())
}

/**
 * Reads a profile.
 * @throws GatewayError `not_found` with the nearest name; `unacceptable_content` for a file that is not a profile, with
 *   line and column or path
 */
export async function readProfile(files: FileReader, text: string): Promise<{ fileName: string; profile: Profile }> {
  const wanted = profileFileName(text)
  const fileName = await findProfile(files, wanted)
  if (fileName === undefined) throw notFound('profile', wanted, await profileNames(files))
  const path = profilePath(fileName)
  const size = (await files.stat(path))?.size ?? 0
  if (size > fileBytes)
    throw problem('unacceptable_content', `${path} has ${size} bytes; a profile has ${fileBytes} at most.`)
  const { name, description, instances } = await checkedFile(
    parseJson((await files.read(path)).toString('utf8'), path),
    path,
  )
  return { fileName, profile: { name: name ?? fileName, description: description ?? '', instances: instances ?? [] } }
}

/** Profiles are checked like the input of an operation: the same rules, spellings and messages. */
const file = query({
  id: 'simulation.profile-file',
  title: 'What a profile file holds',
  input: fileSchema,
  output: fileSchema,
  http: [],
  mcp: false,
  run: (content) => content,
})

/**
 * Checks the content of a profile file.
 * @throws GatewayError `unacceptable_content` with one fault for each wrong place
 */
async function checkedFile(content: unknown, path: string): Promise<Partial<Profile>> {
  if (!isObject(content))
    throw problem('unacceptable_content', `${path} is no profile: it must be an object with "instances".`)
  const reader = await compileInput(file)
  try {
    return reader.read(content)
  } catch (error) {
    if (!isGatewayError(error)) throw error
    throw problem('unacceptable_content', `${path}: ${error.message}`, { errors: error.details.errors ?? [] })
  }
}

/**
 * Parses JSON.
 * @throws GatewayError `unacceptable_content` with line and column
 */
export function parseJson(content: string, what: string): unknown {
  const text = content.replace(/^\uFEFF/, '')
  const fault = findJsonFault(text)
  if (fault === undefined) return JSON.parse(text)
  const { line, column, message } = fault
  throw problem('unacceptable_content', `${what}: line ${line}, column ${column}: it is not JSON: ${message}`, {
    errors: [{ path: what, line, column, message }],
  })
}

/** The content of the file of a profile. */
function profileText({ name, description, instances }: Profile): string {
  return `${JSON.stringify({ version: 1, name, description, instances }, null, 2)}\n`
}

/**
 * Checks definitions together: names, addresses and ports are unique, CPU types known, settings valid. Conflicts with
 * registered instances are checked when the instances are created.
 *
 * @throws GatewayError `invalid_input`, `not_found` (CPU type), `name_taken`, `conflict`
 */
export async function checkDefinitions(definitions: readonly NewInstance[], path = '/instances'): Promise<void> {
  const names = new Set<string>()
  const ports = new Set<number>()
  const taken: TakenAddress[] = []
  for (const [i, each] of definitions.entries()) {
    const at = `${path}/${i}`
    const fault = instanceNameFault(each.name) ?? (names.has(each.name.toLowerCase()) ? 'is listed twice' : undefined)
    if (fault) {
      throw problem('invalid_input', `${at}/name: "${each.name}": ${fault}`, {
        errors: [{ path: `${at}/name`, message: fault, value: each.name }],
      })
    }
    names.add(each.name.toLowerCase())
    await readCpuType(each)
    const network = readNetwork(each.network ?? [], taken, `${at}/network`)
    taken.push(...network.map(({ ipAddress }) => ({ ipAddress, instance: each.name })))
    readConfig(each.config ?? {}, defaultConfig, `${at}/config`)
    const port = each.communicationPort
    if (port !== undefined && ports.has(port)) {
      const message = `port ${port} is listed twice`
      throw problem('conflict', `${at}/communicationPort: ${message}`, {
        errors: [{ path: `${at}/communicationPort`, message, value: port }],
      })
    }
    if (port !== undefined) ports.add(port)
  }
}

/** Writes a profile file, together with the other effects of the command. */
export async function writeProfile(ctx: CommandContext, fileName: string, profile: Profile): Promise<void> {
  await ctx.files.write(profilePath(fileName), profileText(profile))
}
