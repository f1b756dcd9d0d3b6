/** The fields of operations that take a path, found in their schemas, and an input around each of them. */
import type { Operation } from '../../core/contract/operation.ts'
import { buildSchema, definitionOf, type PlainSchema } from '../../core/contract/schema.ts'
import type { TestGateway } from '../harness.ts'

/** A field of an operation's input that is, or may be, a path. */
export interface PathField {
  readonly operation: Operation
  /** Names from the input inwards; `[]` is the one item of a list. */
  readonly at: readonly string[]
  /** It means a file or folder of the workspace, not a folder of a device, a name or a part of an object. */
  readonly isFile: boolean
  /** The input with this value in the field, and what the operation needs beside. */
  input(value: string): Record<string, unknown>
}

/** Every field whose name or description speaks of a path, folder or file, and the file names of uploads. */
const speaksOfPaths = /path|folder|file|director|archive|workspace/i
const ofWorkspace =
  /workspace|project folder is made|existing folder|^Save as|^Folder, manifest or archive|^Folder of the archive|^Folder or manifest|an archive is unpacked|folder is made/i

/** Values that the plant of `test/conformance/plant.ts` has. */
const known: Readonly<Record<string, unknown>> = {
  deviceName: 'PLC_1',
  typeName: 'Unused',
  udtName: 'Unused',
  left: 'plants',
  blockName: 'Counter',
  tableName: 'Default tag table',
  screenName: 'Home',
  objectName: 'Data',
  sourceName: 'Kept.scl',
  fileName: 'Profile',
  instances: [{ name: 'Later' }],
  commitSha: 'HEAD',
  text: 'x',
  content: 'x',
  members: [{ name: 'x', dataType: 'Int' }],
  dataType: 'Bool',
}

/** Every path-taking field of every operation of a gateway. */
export async function pathFields({ gateway }: TestGateway): Promise<PathField[]> {
  const found: PathField[] = []
  for (const operation of gateway.registry.operations) {
    const root = await buildSchema(operation.input)
    const visit = (given: PlainSchema, at: readonly string[]): void => {
      const schema = definitionOf(given, root)
      if (at.length > 6) return
      for (const [name, part] of Object.entries(schema.properties ?? {})) {
        const field = definitionOf(part, root)
        const said = `${name} ${part.description ?? field.description ?? ''}`
        const isText = [field, ...(field.anyOf ?? [])].some(({ type, enum: values }) => type === 'string' && !values)
        const path = [...at, name]
        if (isText && (speaksOfPaths.test(said) || /^(startIn|left|right)$/.test(name)))
          found.push(fieldOf(operation, root, path, said))
        visit(field, path)
        for (const one of field.anyOf ?? []) visit(one, path)
        if (field.items) visit(field.items, [...path, '[]'])
        if (field.items?.type === 'string' && speaksOfPaths.test(said))
          found.push(fieldOf(operation, root, [...path, '[]'], said))
      }
    }
    visit(root, [])
  }
  return found
}

function fieldOf(operation: Operation, root: PlainSchema, at: readonly string[], said: string): PathField {
  const isUpload = at.at(-2) === 'file'
  const { id } = operation
  return {
    operation,
    at,
    isFile: ofWorkspace.test(said.replace(/^\w+ /, '')) && !isUpload && at.at(-1) !== 'content',
    input(value) {
      const around = { ...neededOf(root, root, id), ...ofExample(operation, at), ...beside[`${id} ${at[0]}`] }
      return setAt(around, at, value, isUpload ? id : undefined) as Record<string, unknown>
    },
  }
}

/** What the example of an operation gives, without what would be a second source or target beside the field. */
function ofExample({ example }: Operation, at: readonly string[]): Record<string, unknown> {
  if (typeof example !== 'object' || example === null || at.length > 1) return {}
  const others = Object.entries(example).filter(
    ([name]) => !(name in known) && !/path|file|content|dir|xml|tags|constants|network|config/i.test(name),
  )
  return Object.fromEntries(others)
}

function neededOf(given: PlainSchema, root: PlainSchema, id: string): Record<string, unknown> {
  const schema = definitionOf(given, root)
  const needed = Object.entries(schema.properties ?? {}).filter(([name]) => schema.required?.includes(name))
  return Object.fromEntries(needed.map(([name, part]) => [name, valueFor(name, definitionOf(part, root), root, id)]))
}

/** A project archive of TIA Portal that the test puts into the workspace. */
export const tiaArchive = 'Small.zap16'

/** What has to be beside the field of an operation, so that the field is looked at. */
const beside: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'projects.create-from-archive targetDirectory': { archivePath: 'Line.zap19' },
  'libraries.open-global targetDirectory': { path: 'Shared.zal19' },
  'projects.inspect compareWith': { path: tiaArchive },
  'watch-tables.export-force exportPath': { tableName: 'Force' },
  'blocks.export-diagnostics exportPath': { blockName: 'Counter' },
}

let made = 0
function valueFor(name: string, schema: PlainSchema, root: PlainSchema, id: string): unknown {
  if (schema.enum) return schema.enum[0]
  if (schema.const !== undefined) return schema.const
  if (name === 'deviceName' && id.startsWith('hmi.')) return 'Panel'
  if (name === 'tableName' && id.startsWith('hmi.')) return 'Inner'
  if (name === 'tableName' && id.startsWith('watch-tables.')) return 'Watch'
  // What is created must be new, and what is looked for is not known by its field.
  if (name === 'name') return /create|add/.test(id) ? `Made_${made++}` : id.startsWith('hmi.') ? 'Home' : 'Data'
  if (name in known) return known[name]
  if (schema.anyOf?.[0]) return valueFor(name, definitionOf(schema.anyOf[0], root), root, id)
  switch ([schema.type].flat()[0]) {
    case 'object':
      return neededOf(schema, root, id)
    case 'array':
      return schema.items ? [valueFor('', definitionOf(schema.items, root), root, id)] : []
    case 'boolean':
      return true
    case 'integer':
    case 'number':
      return schema.minimum ?? 1
    default:
      return 'A'
  }
}

function setAt(around: unknown, at: readonly string[], value: string, upload?: string): unknown {
  const [name, ...rest] = at
  if (name === undefined) return value
  if (name === '[]') return [setAt(Array.isArray(around) ? around[0] : {}, rest, value, upload)]
  const object = { ...(around as Record<string, unknown> | undefined) }
  if (upload !== undefined && name === 'fileName' && rest.length === 0) object.content = uploads[upload] ?? 'x'
  object[name] = setAt(object[name] ?? known[name], rest, value, upload)
  return object
}

/** Contents that let an upload get as far as its name is used. */
const uploads: Readonly<Record<string, string>> = {
  'blocks.add-source-from-file': 'FUNCTION "Added" : Void\nBEGIN\nEND_FUNCTION\n',
}
