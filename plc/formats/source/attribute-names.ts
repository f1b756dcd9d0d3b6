/**
 * Attributes of blocks: names in sources and in SimaticML, and values that every block has unless something else is
 * said.
 */

import type { ImportedObject, ObjectAttribute } from '../../model/object.ts'

/** Entries of the pragma of a block and their names in SimaticML (docs/formats.md#external-sources). */
const pragmaNames: readonly (readonly [source: string, simaticml: string])[] = [
  ['DB_Accessible_From_OPC_UA', 'DBAccessibleFromOPCUA'],
  ['DB_Accessible_From_Webserver', 'DBAccessibleFromWebserver'],
]

/** Words in the header of a data block and their names in SimaticML. */
const headerWords: readonly (readonly [source: string, simaticml: string])[] = [
  ['UNLINKED', 'IsOnlyStoredInLoadMemory'],
  ['READ_ONLY', 'IsWriteProtectedInAS'],
]

/** Entries of the pragma of an instance of a system block. */
const libraryNames: readonly (readonly [source: string, simaticml: string])[] = [
  ['InstructionName', 'OfSystemLibElement'],
  ['LibVersion', 'OfSystemLibVersion'],
]

const simaticmlNames: ReadonlyMap<string, string> = new Map(
  [...pragmaNames, ...headerWords, ...libraryNames].map(([source, name]) => [source.toUpperCase(), name]),
)

/** Whether the entry of a source has a name in SimaticML. */
export function isSimaticMlAttribute(name: string): boolean {
  return simaticmlNames.has(name.toUpperCase())
}

/** An attribute of a source as SimaticML has it; those that only sources have stay as they are. */
export function attributeOfSource({ name, value }: ObjectAttribute): ObjectAttribute {
  const known = simaticmlNames.get(name.toUpperCase())
  if (known === undefined) return { name, value }
  return { name: known, value: /^(true|false)$/i.test(value) ? value.toLowerCase() : value }
}

/** Whether an object of a software unit is published: an entry of sources that SimaticML is not known to have. */
const publishedName = 'Published'

/** Entries for the pragma of a source: those of `pragmaOfAttributes`, and whether it is published. */
export function pragmaOfSource(object: Pick<ImportedObject, 'attributes' | 'format'>): [string, string][] {
  const published = ownAttributes(object).find(({ name }) => name === publishedName)?.value
  const entries = pragmaOfAttributes(object)
  return published === undefined ? entries : [...entries, [publishedName, published.toUpperCase()]]
}

/** Entries for the pragma of a block: those of its attributes that a pragma can hold and that are not the default. */
export function pragmaOfAttributes(object: Pick<ImportedObject, 'attributes' | 'format'>): [string, string][] {
  const own = new Map(ownAttributes(object).map(({ name, value }) => [name, value]))
  return pragmaNames.flatMap(([source, name]): [string, string][] => {
    const value = own.get(name)
    return value === undefined ? [] : [[source, value.toUpperCase()]]
  })
}

/** Words for the header of a data block. */
export function wordsOfAttributes(object: Pick<ImportedObject, 'attributes' | 'format'>): string[] {
  const own = ownAttributes(object)
  const isSet = (name: string) => own.some((entry) => entry.name === name && /^true$/i.test(entry.value))
  return headerWords.flatMap(([word, name]) => (isSet(name) ? [word] : []))
}

/**
 * What TIA Portal leaves out of an export without defaults (docs/formats.md#objects-and-attributes, and pairs of files
 * in both formats).
 */
const defaultAttributes: Readonly<Record<string, string>> = {
  SetENOAutomatically: 'false',
  MemoryReserve: '100',
  InstanceOfType: 'FB',
  IsIECCheckEnabled: 'false',
  IsOnlyStoredInLoadMemory: 'false',
  IsWriteProtectedInAS: 'false',
  IsRetainMemResEnabled: 'false',
  IsRetain: 'false',
  DBAccessibleFromOPCUA: 'true',
  DBAccessibleFromWebserver: 'true',
  UDAEnableTagReadback: 'false',
  IsFailsafeCompliant: 'false',
}

/** Attributes that the model has fields for, or that follow from others. */
const inModel: ReadonlySet<string> = new Set(
  (
    'Name Number AutoNumber ProgrammingLanguage MemoryLayout HeaderAuthor HeaderFamily HeaderName HeaderVersion SecondaryType ' +
    'InstanceOfName ArrayDataType ArrayLimitUpperBound IsKnowHowProtected S7_Optimized_Access RETAIN NON_RETAIN'
  ).split(' '),
)

/**
 * What an object says in its attributes: in the names of SimaticML, without those that are fields of the model, that
 * are only for information, and that have their default value.
 */
export function ownAttributes(object: Pick<ImportedObject, 'attributes' | 'format'>): ObjectAttribute[] {
  return object.attributes
    .filter(({ name, value, readOnly }) => !inModel.has(name) && readOnly !== true && value !== '')
    .map((entry) => (object.format === 'source' ? attributeOfSource(entry) : entry))
    .filter(({ name, value }) => value !== defaultAttributes[name])
}
