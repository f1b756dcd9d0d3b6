/** What the operations on specifications do. */

import { type CommandContext, defined, problem, type QueryContext } from '../../core/index.ts'
import type { BlockSpecification, SequenceSpecification } from '../../plc/generate/specification.ts'
import { compileImported, importMade } from '../blocks/index.ts'
import type { Device } from '../devices/index.ts'
import { calleesOf, cultureOf, declaredFor, taskWork, writeExport } from '../program-objects/index.ts'
import { currentProject } from '../projects/index.ts'
import type { GeneratedFile } from './generate.task.ts'
import { withNested } from './nested.ts'
import { atGivenPlaces, sectionsOf } from './sections.ts'

export const generateWork = taskWork(
  new URL('./generate.task.ts', import.meta.url).href,
  () => import('./generate.task.ts'),
)

/** Version of files without a project and without one asked for. */
const usualVersion = 'V19'

/** A specification as the schema has let it through. */
export type GivenSpecification = Omit<BlockSpecification, 'interface'> & {
  readonly interface?: readonly unknown[] | undefined
  /** Pointer of the steps of the only sequence, when they are not in a chart. */
  readonly sequenceAt?: string
}

/** A GRAPH block as the schema has let it through. */
export interface GivenGraph extends Omit<GivenSpecification, 'kind' | 'language'> {
  readonly steps?: SequenceSpecification['steps'] | undefined
  readonly transitions?: SequenceSpecification['transitions'] | undefined
}

/**
 * The block specification of a GRAPH block.
 * @throws GatewayError `invalid_input` unless it has a chart or steps
 */
export function graphSpecification({ steps, transitions, chart, ...rest }: GivenGraph): GivenSpecification {
  if ((chart === undefined) === (steps === undefined)) {
    const message = 'give steps and transitions of one sequence, or a chart with all sequences; one of the two'
    throw problem('invalid_input', `/specification/steps: ${message}.`, {
      errors: [{ path: '/specification/steps', message }],
    })
  }
  if (chart !== undefined && transitions !== undefined) {
    const message = 'belong to steps; those of a chart are in its sequences'
    throw problem('invalid_input', `/specification/transitions: ${message}.`, {
      errors: [{ path: '/specification/transitions', message }],
    })
  }
  const whole = chart ?? { sequences: [{ steps: steps ?? [], ...defined({ transitions }) }] }
  const place = chart === undefined ? { sequenceAt: '/specification' } : {}
  return { ...rest, kind: 'FB', language: 'GRAPH', chart: whole, ...place }
}

/** Generates the file. Without a device the names of the program are not known. */
async function generateFile(
  ctx: Pick<QueryContext, 'read' | 'blobs' | 'engine' | 'extensions'>,
  device: Device | undefined,
  given: GivenSpecification,
  version?: string,
): Promise<GeneratedFile> {
  const at = '/specification/interface'
  const { interface: entries, ...rest } = given
  if (entries === undefined) return generateSections(ctx, device, rest, version)
  const { sections, places } = sectionsOf(entries, given.kind, at)
  return atGivenPlaces(places, at, async () =>
    generateSections(ctx, device, { ...rest, interface: await withNested(sections, at) }, version),
  )
}

async function generateSections(
  ctx: Pick<QueryContext, 'read' | 'blobs' | 'engine' | 'extensions'>,
  device: Device | undefined,
  given: BlockSpecification & Pick<GivenSpecification, 'sequenceAt'>,
  version?: string,
): Promise<GeneratedFile> {
  const { sequenceAt, ...specification } = given
  // Names in quotes, as the text of the program has them.
  const text = JSON.stringify(specification).replace(/\\"/g, '"')
  const around = device && {
    declared: await declaredFor(ctx, device, [text], []),
    callees: calleesOf(ctx, device.id, [text]),
  }
  const wanted = version ?? currentProject(ctx)?.version ?? usualVersion
  const input = { specification, version: wanted, culture: cultureOf(ctx), ...around, ...defined({ sequenceAt }) }
  return generateWork(ctx, 'generate', input, text.length)
}

/** Where a generated file goes. */
export interface FileRequest {
  readonly exportPath?: string | undefined
  readonly overwrite?: boolean | undefined
}

/** Generates the file and writes it when a path is given. */
export async function generateOnly(
  ctx: CommandContext,
  device: Device | undefined,
  given: GivenSpecification,
  { version, exportPath, overwrite = false }: FileRequest & { readonly version?: string | undefined },
) {
  const { name, kind, language, text, warnings } = await generateFile(ctx, device, given, version)
  const written =
    exportPath === undefined
      ? undefined
      : await writeExport(ctx, name, { content: text, extension: '.xml' }, exportPath, overwrite)
  return {
    name,
    kind,
    language,
    ...(written === undefined ? {} : { exportPath: written.path }),
    size: written?.size ?? Buffer.byteLength(text),
    content: text,
    warnings: [...warnings],
  }
}

/** Generates a block, imports it and compiles it with what it uses. */
export async function generateAndImport(
  ctx: CommandContext,
  device: Device,
  given: GivenSpecification,
  request: {
    readonly folder?: string | undefined
    readonly overwrite?: boolean | undefined
    readonly compile?: boolean | undefined
  },
) {
  const { folder, overwrite = true, compile = true } = request
  const { name, kind, language, text, warnings } = await generateFile(ctx, device, given)
  const imported = await importMade(ctx, device, { content: text, folder, overwrite })
  const result = await compileImported(ctx, device, imported, compile)
  return { name, kind, language, ...result, warnings: [...warnings, ...result.warnings] }
}
