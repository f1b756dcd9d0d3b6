/** Compares what was read from a project file with exports of the same project; runs on the engine. */
import type { EngineTask } from '../../../core/index.ts'
import type { ComparedKind, EqualCount, ObjectDifference } from '../../../plc/edit/compare-programs.ts'
import type { ImportedObject } from '../../../plc/model/object.ts'

export interface TiaCompareInput {
  /** Files of what was read; their path begins with the controller. */
  readonly files: readonly { readonly path: string; readonly content: string }[]
  readonly exports: readonly { readonly path: string; readonly content: Uint8Array }[]
}

interface Named {
  readonly controller: string
  readonly name: string
  readonly kind: string
}

/** Left is the project file, right are the exports. */
export interface TiaComparison {
  readonly counts: Readonly<Record<ComparedKind, EqualCount>>
  readonly differences: readonly (ObjectDifference & { readonly controller: string })[]
  /** Differences that the list has no room for. */
  readonly omitted: number
  readonly onlyInFile: readonly Named[]
  readonly onlyInExports: readonly Named[]
  /** Files of the exports that were not compared, and why. */
  readonly notCompared: readonly string[]
}

const mostDifferences = 2000

/** Reads both sides by the way of imported files, and compares them by controller. */
export async function compareTia({ files, exports }: TiaCompareInput): Promise<TiaComparison> {
  const [{ importFile }, { comparedKinds, comparePrograms }] = await Promise.all([
    import('../../../plc/formats/import.ts'),
    import('../../../plc/edit/compare-programs.ts'),
  ])
  const notCompared: string[] = []
  const read = new Map<string, ImportedObject[]>()
  for (const { path, content } of files) {
    const controller = path.split('/')[0]!
    const { objects } = await importFile(Buffer.from(content), { path })
    read.set(controller, [...(read.get(controller) ?? []), ...objects])
  }
  const controllers = [...read.keys()]
  const exported = new Map<string, ImportedObject[]>()
  for (const { path, content } of exports) {
    const { objects, faults } = await importFile(content, { path })
    const controller = controllerOfPath(path, controllers)
    if (faults.length > 0) notCompared.push(`${path}: ${faults[0]!.message}`)
    else if (objects.length === 0) notCompared.push(`${path}: it holds no object of a program`)
    else if (controller === undefined)
      notCompared.push(`${path}: none of its folders is called like a controller of the file`)
    else exported.set(controller, [...(exported.get(controller) ?? []), ...objects])
  }
  const counts = Object.fromEntries(comparedKinds.map((kind) => [kind, { equal: 0, total: 0 }])) as Record<
    ComparedKind,
    { equal: number; total: number }
  >
  const all: (ObjectDifference & { controller: string })[] = []
  let omitted = 0
  const onlyInFile: Named[] = []
  const onlyInExports: Named[] = []
  for (const controller of controllers) {
    const compared = comparePrograms(read.get(controller)!, exported.get(controller) ?? [])
    for (const kind of comparedKinds) {
      counts[kind].equal += compared.counts[kind].equal
      counts[kind].total += compared.counts[kind].total
    }
    omitted += compared.omitted.reduce((sum, { count }) => sum + count, 0)
    for (const one of compared.differences) all.push({ controller, ...one })
    for (const one of compared.onlyLeft) onlyInFile.push({ controller, ...one })
    for (const one of compared.onlyRight) onlyInExports.push({ controller, ...one })
  }
  return {
    counts,
    differences: all.slice(0, mostDifferences),
    omitted: omitted + Math.max(0, all.length - mostDifferences),
    onlyInFile,
    onlyInExports,
    notCompared,
  }
}

/** The controller that a folder of the path is called like; the only one takes everything. */
function controllerOfPath(path: string, controllers: readonly string[]): string | undefined {
  const folders = path.toLowerCase().split('/').slice(0, -1)
  const named = controllers.find((name) => folders.includes(name.toLowerCase()))
  return named ?? (controllers.length === 1 ? controllers[0] : undefined)
}

/** The task that compares. */
export function tiaCompareTask(input: TiaCompareInput): EngineTask {
  return { module: import.meta.url, fn: 'compareTia', input }
}
