/**
 * Converts files of SIMATIC SD to documents in SimaticML. SimaticML can express all that SIMATIC SD can, and the rest
 * of the gateway works on it. Loads the XML reader; import it lazily.
 */

import { defined } from '../../../lib/optional.ts'
import { decodeText } from '../../model/decode.ts'
import { FormatError, type FormatFault } from '../../model/fault.ts'
import type { ImportedObject } from '../../model/object.ts'
import type { CalleeLookup } from '../simaticml/callee.ts'
import { readSimaticMlText } from '../simaticml/read.ts'
import { writeObject } from '../simaticml/write.ts'
import { maxFaults } from '../source/cursor.ts'
import { lossesOf } from '../source/losses.ts'
import type { InterfaceLookup } from '../source/value-place.ts'
import { storedAttributes } from './block-attributes.ts'
import type { SdPlaces } from './places.ts'
import type { ProgramAround } from './program.ts'
import { readSd, type SdFile } from './read.ts'
import { type Resources, readResources } from './resources.ts'
import { withTextIds } from './text-ids.ts'

/** SIMATIC SD is a format of TIA Portal V20 Update 3 and V21; the documents made here are of V21. */
const sdVersion = 'V21'

export interface SdImport {
  /** Each has `xml`, the text of the root element. Blocks with faults are left out. */
  readonly objects: readonly ImportedObject[]
  /** Where the parts of each object are in the text: its document is another. */
  readonly sdPlaces: readonly SdPlaces[]
  readonly faults: readonly FormatFault[]
  /** What was left out or guessed, each with its place. */
  readonly warnings: readonly string[]
}

export interface SdImportOptions {
  /** Bytes of the `.s7res` file that belongs to the text. */
  readonly resources?: Uint8Array
  /** Culture of texts in the code. Default `en-US`. */
  readonly culture?: string
  readonly program?: ProgramAround
}

/** Reads the decoded text of a `.s7dcl` file (no BOM). Never throws because of the content. */
export async function importSd(text: string, options: SdImportOptions = {}): Promise<SdImport> {
  const { culture = 'en-US', program = {} } = options
  const { resources, faults: textFaults } = await readTexts(options.resources)
  const { blocks, faults, warnings }: SdFile = readSd(text, {
    culture,
    program,
    ...defined({ resources }),
  })
  const objects: ImportedObject[] = []
  const sdPlaces: SdPlaces[] = []
  const all = [...textFaults, ...faults]
  const told: string[] = []
  for (const { object, textIds, places } of blocks) {
    // Faults beyond the limit are not recorded, so after that no block is known to be right.
    if (faults.length >= maxFaults || faults.some(({ path }) => path === object.name || path === undefined)) continue
    try {
      const { stored, losses } = storedForm(object, textIds, culture, program)
      objects.push(stored)
      sdPlaces.push(places)
      told.push(...losses.map((loss) => `"${object.name}": ${loss}`))
    } catch (error) {
      if (!(error instanceof FormatError)) throw error
      all.push(...error.faults.map((fault) => ({ ...fault, path: object.name })))
    }
  }
  const isComplete = textFaults.length === 0
  return {
    objects: isComplete ? objects : [],
    sdPlaces,
    faults: all,
    warnings: [
      ...warnings.map(
        ({ message, line, column, block }) => `${block === '' ? '' : `"${block}" `}(${line}:${column}): ${message}`,
      ),
      ...told,
    ],
  }
}

/** Reads the text file. Its faults name the file, because its lines are not those of the code. */
async function readTexts(bytes: Uint8Array | undefined): Promise<{ resources?: Resources; faults: FormatFault[] }> {
  if (bytes === undefined) return { faults: [] }
  try {
    return { resources: await readResources(decodeText(bytes).text), faults: [] }
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    return {
      faults: error.faults.map((fault) => ({
        ...fault,
        message: `in the .s7res file: ${fault.message}`,
        inTexts: true,
      })),
    }
  }
}

/** Returns the object as it is stored, written as SimaticML and read again, and what that does not hold of it. */
function storedForm(
  object: ImportedObject,
  textIds: ReadonlyMap<string, string>,
  culture: string,
  program: ProgramAround,
): { stored: ImportedObject; losses: readonly string[] } {
  const complete = { ...object, attributes: storedAttributes(object, program) }
  const { xml, warnings } = writeObject(complete, { version: sdVersion, culture, callee: calleeIn(program) })
  const [stored] = readSimaticMlText(`<Document>${withTextIds(xml, textIds)}</Document>`).objects
  if (stored === undefined) throw new Error(`no object in the XML of ${object.name}`)
  return {
    stored: { ...stored, engineeringVersion: sdVersion },
    losses: [...warnings, ...lossesOf(complete, stored)],
  }
}

/** What calls in SCL call, as the program around says. */
function calleeIn(program: ProgramAround): CalleeLookup {
  return (name) => {
    const type = program.instanceOf?.(name)
    if (type !== undefined) return { kind: 'FB', name: type }
    return program.interfaceOf?.(name)?.kind === 'FC' ? { kind: 'FC' } : undefined
  }
}

/** What a program contains besides the files of an import. */
export interface KnownProgram {
  /** Function blocks by the upper-case name of their instance data block. */
  readonly instances?: Readonly<Record<string, string>>
  /** Names of PLC data types. */
  readonly types?: readonly string[]
  /** Names of constants. */
  readonly constants?: readonly string[]
  /** Blocks and types with their interfaces. */
  readonly objects?: readonly Pick<ImportedObject, 'kind' | 'name' | 'interface' | 'instanceOf'>[]
  /** Types of the system. */
  readonly systemType?: InterfaceLookup
  /** PLC tags. */
  readonly tags?: readonly { readonly name: string; readonly dataType: string }[]
}

type Named = NonNullable<KnownProgram['objects']>[number]

/**
 * Collects what the files of one import say about each other, and the program around them: interfaces of blocks and
 * types, and what data blocks are instances of. The files take precedence over the program, because they will replace
 * what is there.
 *
 * @param texts decoded texts of `.s7dcl` files
 */
export function programOf(texts: readonly string[], known: KnownProgram = {}): ProgramAround {
  const interfaces = new Map<string, { kind: string; sections: ImportedObject['interface'] }>()
  const types = new Map<string, string>(Object.entries(known.instances ?? {}))
  const add = ({ kind, name, interface: sections, instanceOf }: Named): void => {
    interfaces.set(name.toUpperCase(), { kind, sections })
    if (kind === 'InstanceDB' && instanceOf !== undefined) types.set(name.toUpperCase(), instanceOf)
  }
  for (const object of known.objects ?? []) add(object)
  for (const text of texts) for (const { object } of readSd(text).blocks) add(object)
  const dataTypes = new Set(known.types?.map((name) => name.toUpperCase()))
  const constants = new Set(known.constants?.map((name) => name.toUpperCase()))
  const tags = new Map(known.tags?.map(({ name, dataType }) => [name.toUpperCase(), dataType]))
  return {
    tagType: (name) => tags.get(name.toUpperCase()),
    interfaceOf: (name) => interfaces.get(name.toUpperCase()),
    ...defined({ systemType: known.systemType }),
    instanceOf: (dataBlock) => types.get(dataBlock.toUpperCase()),
    isConstant: (name) => constants.has(name.toUpperCase()),
    isDataType: (name) => dataTypes.has(name.toUpperCase()) || interfaces.get(name.toUpperCase())?.kind === 'UDT',
  }
}
