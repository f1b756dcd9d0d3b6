/** A file that an importer refuses is often right, but of a kind that another operation takes: the answer names it. */
import { isGatewayError, problem } from '../../../core/index.ts'
import type { FileKind } from '../../../plc/formats/file-kind.ts'

/** What files of each kind are, and what takes them. */
const takers: Readonly<Record<FileKind, readonly [string, string]>> = {
  program: [
    'SimaticML, SIMATIC SD or a source of a PLC program',
    'POST /api/devices/{deviceName}/blocks/actions/import-sync',
  ],
  hmi: ['an export of an HMI device', 'POST /api/devices/{deviceName}/hmi/actions/import'],
  hardware: ['hardware as AML', 'POST /api/projects/devices/actions/import-hardware-sync'],
  gsd: ['a GSD file (GSDML)', 'Put it into the folder that the setting engineering.gsdFolder names.'],
  workbook: [
    'a workbook (.xlsx)',
    'PLC tags: POST /api/devices/{deviceName}/tag-tables/{tableName}/actions/import-xlsx-sync; HMI tags: POST /api/devices/{deviceName}/hmi/tags/actions/import',
  ],
  'old-workbook': ['an old Office file (.xls), or one with a password', 'Save it as .xlsx without a password.'],
  project: [
    'an archive of a TIA Portal project',
    'POST /api/projects/actions/create-from-archive, or look into it with POST /api/projects/actions/inspect',
  ],
  zip: ['a zip archive', 'A zip of exports: POST /api/devices/{deviceName}/blocks/actions/import-sync'],
  'tag-list': [
    'a list of tags (.csv, .sdf, .asc, <Tagtable>)',
    'POST /api/devices/{deviceName}/tag-tables/{tableName}/actions/import-csv-sync',
  ],
  json: ['JSON', 'Tags as JSON: POST /api/devices/{deviceName}/tags/actions/import-sync'],
  picture: ['a picture', 'POST /api/devices/{deviceName}/hmi/actions/import'],
  'design-spec': ['a design spec', 'POST /api/design-spec/load'],
}

/**
 * Runs an import. When the file is refused and is of a kind that the importer does not take, the problem says which it
 * is, and what takes it.
 * @param own the kinds that the importer takes
 */
export async function orOtherKind<T>(
  path: string,
  read: () => Uint8Array | Promise<Uint8Array>,
  own: readonly FileKind[],
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!isGatewayError(error) || error.code !== 'unacceptable_content') throw error
    const { kindOfFile } = await import('../../../plc/formats/file-kind.ts')
    const kind = kindOfFile(await read())
    if (kind === undefined || own.includes(kind)) throw error
    const [what, suggestion] = takers[kind]
    throw problem(error.code, `"${path}" is ${what}. ${error.message}`, { ...error.details, suggestion, cause: error })
  }
}
