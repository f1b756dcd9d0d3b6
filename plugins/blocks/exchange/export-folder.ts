/**
 * Imports folders of exported SimaticML and sources as a project: what Openness and the version control interface
 * write.
 */

import { type CommandContext, defined, type Fault, isGatewayError, problem } from '../../../core/index.ts'
import { counted } from '../../../lib/counted.ts'
import { addDevice, type Device, findDevice } from '../../devices/index.ts'
import { fileFormat, isReadable } from '../../program-objects/index.ts'
import type { FolderImporter, GivenController, ImportedFile } from '../../projects/index.ts'
import { failuresFirst, ignoredFile, importFailure, importFiles } from './import.ts'
import { programFolder } from './import-folder.ts'

/** Imports a folder: each of its stations becomes a PLC. */
export const exportFolders: Pick<FolderImporter, 'recognizes' | 'import'> = {
  // A folder that only has files of plugins is no export of a project.
  recognizes: (files) => files.list().filter((path) => isReadable(path, [])),
  async import(ctx, _project, files, progress, { continueOnError }) {
    const warnings: string[] = []
    const all = files.list()
    const formats = ctx.extensions(fileFormat)
    const paths = all.filter((path) => isReadable(path, formats))
    const stations = stationsOf(paths)
    // A PLC without a program is a PLC too.
    for (const { name } of files.controllers)
      if (!stations.some((station) => station.name === name)) await plcFor(ctx, name, files.controllers, warnings)
    const outcomes: ImportedFile[] = []
    for (const [i, station] of stations.entries()) {
      const device = await plcFor(ctx, station.name, files.controllers, warnings)
      if (!`/${station.path || namelessPlc}`.endsWith(`/${station.name}`))
        warnings.push(`"${station.path || '.'}" became "${device.name}": another folder has the name of this station.`)
      const sources = station.files.map((path) => {
        const { folder, unit } = programFolder(path)
        return { path, read: () => files.read(path), folder, ...defined({ unit }) }
      })
      // The faults of all stations are collected before they are reported.
      const result = await importFiles(
        ctx,
        device,
        sources,
        { overwrite: false, continueOnError: true, strict: false },
        [],
        (percent, message) => progress((i + percent / 100) / stations.length, message),
      )
      warnings.push(...result.warnings)
      outcomes.push(...result.files)
    }
    const failed = outcomes.filter(({ errors }) => errors !== undefined)
    if (failed.length > 0 && !continueOnError)
      throw importFailure(
        paths.length,
        new Map(failed.map(({ path, errors }): [string, readonly Fault[]] => [path, errors ?? []])),
      )
    const isTaken = ({ status }: ImportedFile) => status === 'imported' || status === 'partial'
    const imported = outcomes.filter(isTaken).length
    // A library of another tool can have no program files at all.
    if (imported === 0 && outcomes.length > 0 && files.controllers.length === 0) throw nothingIn(outcomes)
    const ignored = all.filter((path) => !isReadable(path, formats)).map(ignoredFile)
    if (ignored.length > 0)
      warnings.push(
        `${counted(ignored.length, 'other file')} in the folder ${ignored.length === 1 ? 'is' : 'are'} not part of a PLC program.`,
      )
    return { imported, files: failuresFirst([...outcomes, ...ignored]), warnings }
  },
}

/** The files of one station. */
interface Station {
  /** Name of the folder around its root groups. */
  readonly name: string
  /** The folder and its parents. */
  readonly path: string
  readonly files: string[]
  /** The root groups (`Program blocks`, `PLC tags` …) in it. */
  readonly groups: Set<string>
}

/** Name of the PLC that gets the files outside of every PLC's folder. */
const namelessPlc = 'PLC_1'

/**
 * The files of each station. Folders with the same name in different places are one station when they share no root
 * group (an export by kind), and two otherwise: a folder of several projects has a `PLC_1` in each.
 */
function stationsOf(paths: readonly string[]): Station[] {
  const byPath = new Map<string, Station>()
  for (const file of paths) {
    const { before } = programFolder(file)
    const path = before.join('/')
    const station = byPath.get(path) ?? { name: before.at(-1) ?? '', path, files: [], groups: new Set() }
    byPath.set(path, station)
    station.files.push(file)
    station.groups.add(file.split('/')[before.length]?.toLowerCase() ?? '')
  }
  // A PLC with this name has priority over the one for files outside of every PLC's folder.
  const all = [...byPath.values()]
  const placed = [...all.filter(({ name }) => name !== ''), ...all.filter(({ name }) => name === '')].map((station) =>
    station.name === '' ? { ...station, name: namelessPlc } : station,
  )
  const names = new Set(placed.map(({ name }) => name.toLowerCase()))
  const stations: Station[] = []
  for (const station of placed) {
    const same = stations.find(({ name }) => name === station.name)
    if (same === undefined) stations.push(station)
    else if ([...station.groups].some((group) => same.groups.has(group))) {
      let n = 2
      while (names.has(`${station.name}_${n}`.toLowerCase())) n++
      const name = `${station.name}_${n}`
      names.add(name.toLowerCase())
      stations.push({ ...station, name })
    } else {
      same.files.push(...station.files)
      for (const group of station.groups) same.groups.add(group)
    }
  }
  return stations
}

function nothingIn(outcomes: readonly ImportedFile[]) {
  const [first] = outcomes
  const reason = first?.message ?? first?.errors?.[0]?.message ?? 'there is nothing in it'
  return problem(
    'unacceptable_content',
    `Of ${outcomes.length} files none holds anything for a PLC program, e.g. "${first?.path}": ${reason}`,
  )
}

/** The CPU that is added when the files name none. */
const defaultCpu = '6ES7 516-3AN02-0AB0'

async function plcFor(
  ctx: CommandContext,
  name: string,
  controllers: readonly GivenController[],
  warnings: string[],
): Promise<Device> {
  const present = findDevice(ctx, name)
  if (present?.kind === 'PLC') return present
  const given = controllers.find((controller) => controller.name === name)
  if (given?.orderNumber) {
    const added = await givenPlc(ctx, given, given.orderNumber)
    if (added) {
      warnings.push(...added.warnings)
      return added.device
    }
  }
  const { device } = await addDevice(ctx, { orderNumber: defaultCpu, ...(present ? {} : { name }) })
  const became = `"${device.name}" was added as ${device.typeName} (${device.orderNumber}).`
  warnings.push(
    given?.orderNumber
      ? `The catalog has no ${given.orderNumber} (${given.typeName ?? 'CPU'}): ${became}`
      : `The files do not say which CPU they are for: ${became}`,
  )
  return device
}

/** The PLC of the exported project; undefined when the catalog lacks it. */
async function givenPlc(ctx: CommandContext, given: GivenController, orderNumber: string) {
  const { firmware, interfaces } = given
  try {
    return await addDevice(ctx, {
      orderNumber,
      name: given.name,
      ...(firmware ? { firmware } : {}),
      network: { interfaces },
    })
  } catch (error) {
    if (isGatewayError(error) && error.code === 'not_found') return undefined
    throw error
  }
}
