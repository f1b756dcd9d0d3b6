/**
 * The library of a project in its files: `library/`, as global libraries have it, and which objects are instances of
 * its types.
 */

import { type CommandContext, type Fault, isObject } from '../../core/index.ts'
import { compareTexts } from '../../lib/compare-texts.ts'
import { counted } from '../../lib/counted.ts'
import {
  faultyFiles,
  type Project,
  type ProjectFile,
  type ProjectFiles,
  parseJson,
  type SaveContext,
} from '../projects/index.ts'
import { libraryFiles, readLibraryFiles, storeContent } from './files.ts'
import { objectsOfInstances } from './instance-objects.ts'
import { type Instance, instanceSet, instances, projectLibrary, typeOfId } from './library.ts'

const base = 'library/'
const instancesFile = `${base}instances.json`
/** Texts of instances that were changed since; nothing else in the project has them. */
const originals = `${base}instances/`

/** All files of the project's library. */
export async function saveProjectLibrary(ctx: SaveContext, project: Project): Promise<ProjectFile[]> {
  const files = await libraryFiles(ctx, project.id, base)
  const entries = []
  const kept = new Set<string>()
  for (const { instance, device, kind, entry } of objectsOfInstances(ctx, [...ctx.read(instances).values()])) {
    const { id, deviceId, typeId, version, document } = instance
    entries.push({ id, deviceId, kind: instance.kind, typeId, version, document })
    if ((await kind.documentOf(ctx, device, entry.name)) === document || kept.has(document)) continue
    kept.add(document)
    files.push({ path: `${originals}${document.replace('sha256:', '')}.txt`, blob: document })
  }
  entries.sort((a, b) => compareTexts(a.id, b.id))
  if (entries.length > 0) files.push({ path: instancesFile, content: `${JSON.stringify(entries, null, 2)}\n` })
  return files
}

/**
 * Brings the library into the state. Instances whose object, type or version is gone are left out, with a warning.
 * @throws GatewayError `unacceptable_content` with every fault
 */
export async function loadProjectLibrary(
  ctx: CommandContext,
  project: Project,
  files: ProjectFiles,
): Promise<readonly string[]> {
  if (files.list(base).length === 0) return []
  const faults: Fault[] = []
  const content = await readLibraryFiles(ctx, files, base, project.id, faults)
  const saved = files.has(instancesFile) ? await readInstances(files, faults) : []
  if (faults.length > 0) throw faultyFiles('The library of the project cannot be read', faults)
  const library = projectLibrary(ctx)
  storeContent(ctx, library, content)
  for (const path of files.list(originals)) await ctx.blobs.put(await files.read(path))
  const found = new Set(objectsOfInstances(ctx, saved).map(({ instance }) => instance))
  let lost = 0
  for (const instance of saved) {
    const versions = typeOfId(ctx, instance.typeId)?.versions ?? []
    const isWhole = found.has(instance) && versions.some(({ version }) => version === instance.version)
    if (isWhole && (await ctx.blobs.has(instance.document)))
      ctx.emit(instanceSet, { instance }, `library/${library.name}`)
    else lost++
  }
  return lost === 0
    ? []
    : [
        `${instancesFile}: ${counted(lost, 'entry names', 'entries name')} objects, types or texts that are not there; left out.`,
      ]
}

async function readInstances(files: ProjectFiles, faults: Fault[]): Promise<Instance[]> {
  const read = parseJson((await files.read(instancesFile)).toString('utf8'), instancesFile, faults)
  if (read === undefined) return []
  const list = read.value
  if (!Array.isArray(list)) {
    faults.push({ path: instancesFile, message: 'must be a list' })
    return []
  }
  const fields = ['id', 'deviceId', 'kind', 'typeId', 'version', 'document'] as const
  return list.flatMap((entry: unknown, i): Instance[] => {
    const wrongField = isObject(entry) ? fields.find((field) => typeof entry[field] !== 'string') : 'id'
    // All of its fields are text, as was just checked.
    if (wrongField === undefined) return [entry as unknown as Instance]
    faults.push({ path: `${instancesFile}#/${i}/${wrongField}`, message: 'must be text' })
    return []
  })
}
