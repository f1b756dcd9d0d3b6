/** Reads the content of a TIA Portal project; runs on the engine, because it takes seconds and memory. */
import { defined, type EngineTask, problem } from '../../../core/index.ts'
import type { ObjectReport } from '../../../plc/formats/tia-project/files.ts'
import type { Module, NetworkNode, Station } from '../../../plc/formats/tia-project/hardware.ts'
import type { Save } from '../../../plc/formats/tia-project/store.ts'
import type { PackedFile } from '../archive/archive.task.ts'
import { fileNameOf } from '../files/names.ts'
import { type EngineeringVersion, engineeringVersions } from '../project.ts'
import type { GivenController, GivenInterface, GivenItem, GivenLibrary, GivenStation } from '../project-section.ts'

/** Percent of opening a project that is done when its file is read. */
export const readPercent = 60

/** What the file holds, as files of an export. */
export interface TiaContent {
  readonly name: string
  readonly author: string
  /** Version of TIA Portal, and the one that the files are written for. */
  readonly found?: string
  readonly version: EngineeringVersion
  readonly kind: 'Project' | 'Library'
  /** Products it was made with, with versions. */
  readonly products: readonly string[]
  readonly saves: readonly Save[]
  readonly controllers: readonly GivenController[]
  /** Stations without a controller, by their type: drives, panels, IO devices. */
  readonly otherStations: readonly string[]
  readonly stations: readonly GivenStation[]
  /** Stations that are no device here: without a CPU and without a head module with an order number. */
  readonly unknownStations: readonly string[]
  readonly files: readonly { readonly path: string; readonly content: string }[]
  /** The library of the project, or the content of a global library. */
  readonly library: GivenLibrary
  readonly report: readonly ObjectReport[]
  /** Blocks of the instruction library in the project, by controller. */
  readonly systemElements: number
  /** System constants that became user constants. */
  readonly systemConstants: number
  readonly damaged: readonly string[]
  readonly notRead: Readonly<Record<string, number>>
}

export interface TiaContentInput {
  /** Where the project file is, for messages. */
  readonly path: string
  /** `System/PEData.plf`, or the archive that it is in. */
  readonly store: Uint8Array | PackedFile
  /** Version that the header file names, e.g. `V19`; else that of the content counts. */
  readonly version?: string
  /** Opens the state of an earlier save, from 1. */
  readonly asOfSave?: number
  /** Leaves damaged records out. */
  readonly skipDamaged?: boolean
}

/** Reads a project file. What is wrong with it is a problem that names record and offset. */
export async function readTiaContent(
  { path, store, version: given, asOfSave, skipDamaged }: TiaContentInput,
  api: { progress(percent: number, message?: string): void },
): Promise<TiaContent> {
  const [{ readTiaProject }, { projectFiles }, { TiaProjectError }, { usesOf }] = await Promise.all([
    import('../../../plc/formats/tia-project/project.ts'),
    import('../../../plc/formats/tia-project/files.ts'),
    import('../../../plc/formats/tia-project/problem.ts'),
    import('../../../plc/uses/uses-of.ts'),
  ])
  const bytes =
    'archive' in store
      ? await (await import('../archive/archive.task.ts')).unpackEntry(store)
      : Buffer.from(store.buffer, store.byteOffset, store.byteLength)
  try {
    api.progress(5, "Reading TIA Portal's project file")
    const content = readTiaProject(bytes, {
      ...defined({ asOfSave }),
      skipDamaged: skipDamaged ?? false,
    })
    api.progress(readPercent, 'Writing what was read as exports')
    const found = given ?? content.version
    const version = nearestVersion(found)
    const { files, library, report } = projectFiles(content, version, (object) => [
      ...new Set(usesOf(object).uses.flatMap(({ name }) => (name === '' ? [] : [name]))),
    ])
    return {
      ...defined({ found }),
      version,
      name: content.name,
      author: content.author ?? '',
      kind: content.kind,
      products: content.products,
      saves: content.saves,
      controllers: content.stations.flatMap(({ controllers }) =>
        controllers.map(({ stored: _, nodes, ...controller }) => ({
          ...controller,
          interfaces: nodes.map(interfaceOf),
        })),
      ),
      otherStations: content.stations.flatMap(({ name, typeName, controllers }) =>
        controllers.length === 0 ? [`${name}${typeName ? ` (${typeName})` : ''}`] : [],
      ),
      stations: content.stations.flatMap((station) => givenStation(station) ?? []),
      unknownStations: content.stations.flatMap((station) =>
        givenStation(station) === undefined && station.controllers.length === 0 ? [station.name] : [],
      ),
      files: withPaths(files),
      library,
      report,
      systemElements: content.programs.reduce((sum, { systemElements }) => sum + systemElements.length, 0),
      systemConstants: content.programs.reduce(
        (sum, program) => sum + (program.systemConstants?.constants?.length ?? 0),
        0,
      ),
      damaged: content.damaged,
      notRead: content.notRead,
    }
  } catch (error) {
    if (!(error instanceof TiaProjectError)) throw error
    const isDamage = error.fault === 'hash' || error.fault === 'damaged'
    throw problem('unacceptable_content', `"${path}": ${error.message}`, {
      errors: [{ path: '/path', message: error.message, reason: error.fault, ...(error.place ?? {}) }],
      ...(isDamage
        ? {
            suggestion: skipDamaged
              ? 'Without this record the rest cannot be read: take another copy or backup of the project.'
              : 'Send "continueOnError": true to leave damaged records out and open the rest.',
          }
        : {}),
    })
  }
}

/** The version that a project of any version is opened as: the nearest one. */
function nearestVersion(found: string | undefined): EngineeringVersion {
  const major = (text: string) => Number(/^V(\d+)/.exec(text)?.[1] ?? 0)
  const wanted = major(found ?? '')
  return engineeringVersions.reduce((best, one) =>
    Math.abs(major(one) - wanted) < Math.abs(major(best) - wanted) ? one : best,
  )
}

/** Nodes are called by label and kind: `X1 : PN(LAN)`. */
const labelOf = ({ name, label }: NetworkNode): string => label ?? name.split(' : ')[0]!

function interfaceOf(node: NetworkNode): GivenInterface {
  const { type, subnet, ipAddress, subnetMask, router, profinetName, busAddress, ioSystem } = node
  return {
    name: labelOf(node),
    ...defined({
      subnet,
      ipAddress,
      subnetMask,
      routerAddress: router,
      profinetDeviceName: profinetName,
      subnetType: type === 'Ethernet' ? undefined : type,
      busAddress,
      ioSystem,
    }),
  }
}

function* itemsBelow(modules: readonly Module[]): Generator<Module> {
  for (const module of modules) {
    yield module
    yield* itemsBelow(module.modules)
  }
}

/** A station with a CPU or head module; the first one, where it has several. */
function givenStation({ name, subtype, modules }: Station): GivenStation | undefined {
  const head = [...itemsBelow(modules)].find(({ isHead, orderNumber }) => isHead && orderNumber !== undefined)
  if (!head) return undefined
  const nodes = [...itemsBelow([head])].flatMap(({ node }) => (node?.type ? [node] : []))
  return {
    name,
    typeIdentifier: `System:Device.${subtype?.split('.')[0] ?? 'Generic'}`,
    isController: head.isController,
    head: givenItem(head),
    interfaces: nodes.map(interfaceOf),
    racks: modules.map(givenItem),
  }
}

function givenItem({ node, isController: _, modules, ...item }: Module): GivenItem {
  const { name = '', ioSystem } = node ?? {}
  return {
    ...item,
    ...(node?.type
      ? {
          interface: {
            label: labelOf(node),
            type: node.type,
            node: name,
            ...(ioSystem?.role === 'controller' ? { ioSystem: ioSystem.name } : {}),
          },
        }
      : {}),
    modules: modules.map(givenItem),
  }
}

/** File names are unique without regard to case; a table and a block of one name are in different folders. */
function withPaths(files: readonly { folder: readonly string[]; name: string; text: string }[]) {
  const taken = new Set<string>()
  return files.map(({ folder, name, text }) => {
    const stem = [...folder, name].map(fileNameOf).join('/')
    let path = `${stem}.xml`
    for (let n = 2; taken.has(path.toLowerCase()); n++) path = `${stem}~${n}.xml`
    taken.add(path.toLowerCase())
    return { path, content: text }
  })
}

/** The task that reads. */
export function tiaContentTask(input: TiaContentInput): EngineTask {
  return { module: import.meta.url, fn: 'readTiaContent', input }
}
