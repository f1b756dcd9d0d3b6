/** The manifest `<name>.gantry`: the properties of the project. Its content is in the files beside it. */
import { basename } from 'node:path'
import type { Fault } from '../../../core/index.ts'
import { defined } from '../../../core/index.ts'
import { engineeringVersions, faultyFiles, type OpenedProject, type Project } from '../project.ts'
import { parseJsonFile } from './json-file.ts'

/** Raised when an older Gantry could not read the project any more. 2: each object has a file with its attributes. */
const formatVersion = 2
const format = 'gantry-project'

/** The content of a manifest. The name of the project is that of the file, as with TIA Portal's `.apNN`. */
export interface Manifest
  extends Pick<
    OpenedProject,
    'id' | 'author' | 'comment' | 'version' | 'createdAt' | 'simulationSupport' | 'cultures'
  > {
  /** Names of the parts that have files. */
  readonly parts: readonly string[]
}

export const manifestExtension = '.gantry'

/** True for the path of a manifest (the folder `.gantry` of a project is none). */
export function isManifest(path: string): boolean {
  const name = basename(path)
  return name.endsWith(manifestExtension) && name.length > manifestExtension.length
}

/**
 * The manifest's text. It contains nothing that changes with every save, so that version control sees real changes
 * only.
 */
export function writeManifest(project: Project | OpenedProject, parts: readonly string[]): string {
  const manifest = {
    format,
    formatVersion,
    id: project.id,
    version: project.version,
    author: project.author,
    comment: project.comment,
    createdAt: new Date(project.createdAt).toISOString(),
    simulationSupport: project.simulationSupport,
    cultures: project.cultures,
    parts,
  }
  return `${JSON.stringify(manifest, null, 2)}\n`
}

/**
 * Reads a manifest.
 * @throws GatewayError `unacceptable_content` with every faulty field
 */
export function readManifest(file: string, text: string): Manifest {
  const faults: Fault[] = []
  const fault = (field: string, message: string, value: unknown, allowed?: unknown) =>
    faults.push({ path: `${file}#/${field}`, message, value, ...defined({ allowed }) })
  const refuse = () => faultyFiles(`"${file}" is not a manifest that can be read`, faults)
  const data = parseJsonFile(text, file, faults)
  if (data === undefined) throw refuse()
  if (data.format !== format) fault('format', `must be "${format}"`, data.format, format)
  else if (typeof data.formatVersion !== 'number' || data.formatVersion < 1) {
    fault('formatVersion', 'must be a number from 1', data.formatVersion)
  } else if (data.formatVersion > formatVersion) {
    fault('formatVersion', `is of a newer Gantry; this one reads up to ${formatVersion}`, data.formatVersion)
  }
  if (faults.length > 0) throw refuse()

  const text_ = (field: string, fallback?: string) => {
    const value = data[field] ?? fallback
    if (typeof value === 'string') return value
    fault(field, value === undefined ? 'is missing' : 'must be text', value)
    return ''
  }
  const texts = (field: string, fallback: readonly string[]) => {
    const value = data[field] ?? fallback
    if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value as string[]
    fault(field, 'must be a list of texts', value)
    return []
  }
  const id = text_('id')
  if (id.trim() === '' && typeof data.id === 'string') fault('id', 'must not be empty', id)
  const version = text_('version')
  if (typeof data.version === 'string' && !(engineeringVersions as readonly string[]).includes(version))
    fault('version', `must be one of ${engineeringVersions.join(', ')}`, version, engineeringVersions)
  const created = text_('createdAt')
  const createdAt = Date.parse(created)
  if (typeof data.createdAt === 'string' && Number.isNaN(createdAt))
    fault('createdAt', 'must be an RFC 3339 time', created)
  const simulationSupport = data.simulationSupport ?? false
  if (typeof simulationSupport !== 'boolean') fault('simulationSupport', 'must be true or false', simulationSupport)
  const manifest: Manifest = {
    id,
    version,
    author: text_('author', ''),
    comment: text_('comment', ''),
    createdAt,
    simulationSupport: simulationSupport === true,
    cultures: texts('cultures', []),
    parts: texts('parts', []),
  }
  if (faults.length > 0) throw refuse()
  return manifest
}
