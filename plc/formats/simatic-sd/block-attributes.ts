/** Attributes of a block in braces before it: `{ S7_BlockNumber := "101"; S7_Optimized := "TRUE"; … }`. */

import type { MultilingualText } from '../../model/multilingual-text.ts'
import type { ImportedObject, ObjectAttribute } from '../../model/object.ts'
import { systemTypeVersion } from '../../model/system-type-version.ts'
import { attributeOfSource, isSimaticMlAttribute } from '../source/attribute-names.ts'
import { type ProgramAround, valueTypes } from './program.ts'

export interface BlockHeader {
  number?: number
  language?: string
  title: MultilingualText
  comment: MultilingualText
  author: string
  family: string
  version: string
  memoryLayout?: 'Optimized' | 'Standard'
  /** `S7_StandardRetain`: the members of a data block keep their values. */
  isRetained: boolean
  /** `S7_Safety`: a block of the safety program. */
  isSafety?: boolean
  /** Attributes of SimaticML that the model has no field for. */
  attributes: ObjectAttribute[]
}

export function newHeader(): BlockHeader {
  return { title: {}, comment: {}, author: '', family: '', version: '', isRetained: false, attributes: [] }
}

interface HeaderContext {
  readonly text: (id: string, place: string) => MultilingualText
  readonly warn: (message: string) => void
  readonly fault: (message: string) => void
}

/** Enters attributes into a header. Unknown ones are reported as warnings. */
export function applyBlockAttributes(
  header: BlockHeader,
  entries: readonly ObjectAttribute[],
  context: HeaderContext,
): void {
  let isSafety = false
  for (const { name, value } of entries) {
    const isTrue = /^true$/i.test(value)
    switch (name.toUpperCase()) {
      case 'S7_BLOCKNUMBER': {
        const number = Number(value)
        if (!/^\d{1,5}$/.test(value) || number > 65_535)
          context.fault(`S7_BlockNumber is ${JSON.stringify(value)}, allowed are 1 to 65535`)
        else if (number > 0) header.number = number
        break
      }
      case 'S7_OPTIMIZED':
        header.memoryLayout = isTrue ? 'Optimized' : 'Standard'
        break
      case 'S7_PREFERREDLANGUAGE':
      case 'S7_EDITORMODE':
        header.language = value.toUpperCase()
        break
      case 'S7_LANGUAGE':
        header.language ??= value.toUpperCase()
        break
      case 'S7_VERSION':
        header.version = value
        break
      case 'S7_AUTHOR':
        header.author = value
        break
      case 'S7_FAMILY':
        header.family = value
        break
      case 'S7_BLOCKTITLE':
        header.title = context.text(value, 'block.title')
        break
      case 'S7_BLOCKCOMMENT':
        header.comment = context.text(value, 'block.comment')
        break
      case 'S7_STANDARDRETAIN':
        header.isRetained = isTrue
        break
      case 'S7_IECCHECK':
        header.attributes.push({ name: 'IsIECCheckEnabled', value: String(isTrue) })
        break
      case 'S7_SAFETY':
        isSafety = isTrue
        break
      default:
        if (isSimaticMlAttribute(name)) header.attributes.push(attributeOfSource({ name, value }))
        else
          context.warn(`the attribute ${name} := ${JSON.stringify(value)} of the block is not known and was left out`)
    }
  }
  if (isSafety) {
    header.isSafety = true
    header.language = `F_${header.language ?? 'FBD'}`
  }
}

/**
 * Attributes that name the library element, which instance data of system types need too
 * (docs/formats.md#objects-and-attributes).
 */
export function libraryAttributes(type: string, program: ProgramAround): ObjectAttribute[] {
  const version = systemTypeVersion(type)
  if (version === undefined && valueTypes(program)(type)?.kind !== 'system') return []
  return [
    { name: 'OfSystemLibElement', value: type },
    ...(version === undefined ? [] : [{ name: 'OfSystemLibVersion', value: version }]),
  ]
}

/** Attributes that SimaticML needs in addition to those of the model (docs/formats.md#objects-and-attributes). */
export function storedAttributes(object: ImportedObject, program: ProgramAround): ObjectAttribute[] {
  const { kind, name, number, language, instanceOf } = object
  const attributes: ObjectAttribute[] = [
    { name: 'Name', value: name },
    { name: 'Namespace', value: '' },
  ]
  if (kind !== 'UDT') {
    attributes.push({ name: 'AutoNumber', value: String(number === undefined) })
    attributes.push({ name: 'Number', value: String(number ?? 0) })
    attributes.push({ name: 'ProgrammingLanguage', value: language })
  }
  if (kind === 'FB' || kind === 'FC' || kind === 'OB') attributes.push({ name: 'SetENOAutomatically', value: 'false' })
  if (kind === 'InstanceDB') {
    const isLibrary = object.attributes.some((entry) => entry.name === 'OfSystemLibElement')
    const type = program.isDataType?.(instanceOf ?? '') === true ? 'UDT' : 'FB'
    attributes.push({ name: 'InstanceOfName', value: instanceOf ?? '' })
    if (!isLibrary) attributes.push({ name: 'InstanceOfType', value: type })
  }
  return [...attributes, ...object.attributes]
}
