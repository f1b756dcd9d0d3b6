/**
 * Reads and changes single documents. Small ones are processed in the gateway, large ones on the engine (documents.ts),
 * so inputs and results are plain data, and faults are problems.
 */

import { defined, problem } from '../../../core/index.ts'
import { type ContentText, contentText } from '../../../plc/edit/content-text.ts'
import { content, type ObjectContent } from '../../../plc/edit/document.ts'
import {
  type ContentInput,
  createObject,
  type NewObject,
  rename,
  replaceContent,
  setNumber,
} from '../../../plc/edit/edit.ts'
import type { NetworkInput } from '../../../plc/edit/network-input.ts'
import { editNetworks } from '../../../plc/edit/networks.ts'
import { lostValues } from '../../../plc/edit/retyped-member.ts'
import { sclFaults } from '../../../plc/edit/scl-faults.ts'
import { calleeOf, interfacesOf, objectOf, type StoredDocument } from '../../../plc/edit/stored-document.ts'
import { writeResources } from '../../../plc/formats/simatic-sd/resources.ts'
import { withoutTextIds } from '../../../plc/formats/simatic-sd/text-ids.ts'
import { writeSd } from '../../../plc/formats/simatic-sd/write.ts'
import { exportDocument } from '../../../plc/formats/simaticml/export-version.ts'
import { storedFormOf } from '../../../plc/formats/simaticml/from-source.ts'
import { importSimaticMlText } from '../../../plc/formats/simaticml/read.ts'
import { targetVersion } from '../../../plc/formats/simaticml/versions.ts'
import { writeSimaticMl } from '../../../plc/formats/simaticml/write.ts'
import { readSource } from '../../../plc/formats/source/read.ts'
import { writeSource } from '../../../plc/formats/source/write-source.ts'
import type { DeclaredNames } from '../../../plc/languages/ladder/declared-names.ts'
import { FormatError } from '../../../plc/model/fault.ts'
import { type ImportedObject, type InterfaceSection, isProgramObjectKind } from '../../../plc/model/object.ts'
import { type BlockPicture, blockPicture } from '../../../plc/render/block-picture.ts'
import { withBareNames } from '../../../plc/uses/whole-names.ts'
import { faultsAsProblems } from '../faults-as-problems.ts'

/** Interface, networks and text of an object. */
export function readContent(document: StoredDocument): ObjectContent {
  return faultsAsProblems(document.name, () => content(withNumber(objectOf(document), document), document.culture))
}

/** The object as readable text. */
export function readContentText(document: StoredDocument): ContentText {
  return faultsAsProblems(document.name, () => contentText(objectOf(document), document.culture))
}

/** A network, or a sequence of GRAPH, as an SVG picture; `undefined` when the block has no such network. */
export function picture(input: {
  readonly document: StoredDocument
  readonly number: number
}): BlockPicture | undefined {
  const { document, number } = input
  return faultsAsProblems(document.name, () => blockPicture(objectOf(document), number, document.culture))
}

/** The document as it is exported: whole names of its own namespace are bare (see plc/uses/whole-names.ts). */
export function bareDocument(input: {
  readonly document: StoredDocument
  /** Namespace of its software unit. */
  readonly unit?: string | undefined
}): StoredDocument {
  const { document, unit } = input
  return faultsAsProblems(document.name, () => withBareNames(document, unit))
}

/** The object as external source; `undefined` when it has no such form. */
export function readSourceText(
  document: StoredDocument,
): { text: string; language: string; warnings: string[] } | undefined {
  return faultsAsProblems(document.name, () => {
    const object = numberedObject(document)
    const written = writeSource(object, document.culture)
    return written && { text: written.text, language: object.language, warnings: [...written.warnings] }
  })
}

/** The object with its number in the program, and whether that is fixed. */
function numberedObject(document: StoredDocument): ImportedObject {
  const { number: own, ...object } = objectOf(document)
  const { autoNumber } = document
  const number = document.number ?? own
  return {
    ...object,
    ...defined({ number }),
    attributes: [
      ...object.attributes.filter(({ name }) => autoNumber === undefined || name !== 'AutoNumber'),
      ...(autoNumber === undefined ? [] : [{ name: 'AutoNumber', value: String(autoNumber) }]),
    ],
  }
}

/** XML with the number that the object has in the program. */
function withNumber(object: ImportedObject, { number, autoNumber }: StoredDocument): ImportedObject {
  const differs = object.xml !== undefined && number !== undefined && object.number !== number
  return differs ? setNumber(object, number, { keepAuto: autoNumber === true }) : object
}

/** The object as the text of a SimaticML file (without byte order mark) for a version, with its number in it. */
export function writeXml(input: { document: StoredDocument; version: string }): { text: string; warnings: string[] } {
  const { document } = input
  return faultsAsProblems(`"${document.name}" cannot be written as SimaticML`, () => {
    const version = targetVersion(input.version)
    const object = objectOf(document)
    if (object.xml !== undefined) {
      const numbered = withNumber(object, document)
      const { engineeringVersion } = document
      const { text, warnings } = exportDocument([withoutTextIds(numbered.xml ?? object.xml)], {
        engineeringVersion,
        target: version,
      })
      return { text, warnings: [...warnings] }
    }
    const { text, warnings } = writeSimaticMl(numberedObject(document), {
      version,
      culture: document.culture,
      ...defined({ autoNumber: document.autoNumber }),
      ...calleeOf(document),
    })
    return { text, warnings: [...warnings] }
  })
}

/**
 * The object as SIMATIC SD: the code and, when it has texts, those for the `.s7res` file (both without byte order
 * mark).
 */
export function writeSdText(document: StoredDocument): { text: string; resources?: string; warnings: string[] } {
  return faultsAsProblems(`"${document.name}" cannot be written as SIMATIC SD`, () => {
    const { callee } = calleeOf(document)
    const program = {
      instanceOf(dataBlock: string) {
        const called = callee?.(dataBlock)
        return called?.kind === 'FB' ? called.name : undefined
      },
      interfaceOf: interfacesOf(document),
    }
    const { content: text, resources, warnings } = writeSd(numberedObject(document), { program })
    return { text, warnings: [...warnings], ...(resources.size === 0 ? {} : { resources: writeResources(resources) }) }
  })
}

/** The requested change: one of the texts, or parts. */
export interface DocumentEdit {
  readonly name?: string
  readonly number?: number
  /** Whole new external source. */
  readonly sourceText?: string
  /** Whole new SimaticML: the file or its root element. */
  readonly rawXml?: string
  readonly content?: ContentInput
}

/** The object after an edit, read again from its new text. */
export function editDocument({ document, edit }: { document: StoredDocument; edit: DocumentEdit }): ImportedObject {
  return faultsAsProblems(document.name, () => {
    const options = { culture: document.culture, ...calleeOf(document) }
    let object = objectOf(document)
    if (edit.sourceText !== undefined)
      object = sameObject(object, fromSource(edit.sourceText, document, options), 'sourceText')
    if (edit.rawXml !== undefined) object = sameObject(object, fromXml(edit.rawXml, document), 'rawXml')
    if (edit.content !== undefined) object = replaceContent(object, edit.content, options)
    if (edit.number !== undefined) object = setNumber(object, edit.number)
    if (edit.name !== undefined) object = rename(object, edit.name, options)
    const hasNewText = edit.sourceText !== undefined || edit.rawXml !== undefined || edit.content?.code !== undefined
    return hasNewText ? withCodeWarnings(object) : object
  })
}

/** Values that members lose in a new interface because their data types differ. */
export function valueLosses({
  document,
  after,
}: {
  readonly document: StoredDocument
  readonly after: readonly InterfaceSection[]
}): string[] {
  return faultsAsProblems(document.name, () => lostValues(objectOf(document).interface, after))
}

/** A changed text can be a draft: faults in its SCL statements are warnings and do not refuse it. */
export function withCodeWarnings(object: ImportedObject): ImportedObject {
  const found = object.networks.flatMap(({ number, language, text }) =>
    language === 'SCL' && text !== undefined
      ? sclFaults(text, '').map(
          ({ line, column, message }) => `network ${number}, line ${line}, column ${column}: ${message}`,
        )
      : [],
  )
  return found.length === 0 ? object : { ...object, warnings: [...(object.warnings ?? []), ...found] }
}

function fromSource(
  text: string,
  { culture, number, secondaryType }: StoredDocument,
  options: Parameters<typeof storedFormOf>[1],
): ImportedObject {
  const { blocks, faults } = readSource(text.replace(/^\uFEFF/, ''), { culture })
  if (faults.length > 0) throw new FormatError(faults)
  const [block] = blocks
  if (block === undefined || blocks.length > 1)
    throw problem('unacceptable_content', `The source holds ${blocks.length} blocks; one is wanted.`)
  // A new text of an organization block may contain its event class and number; otherwise both stay.
  const { kind, secondaryType: told, number: ownNumber, guessedEvent, ...rest } = block.object
  const tells = kind === 'OB' && told !== undefined && guessedEvent === undefined
  const keptNumber = kind === 'OB' && guessedEvent === undefined ? (ownNumber ?? number) : number
  const event = tells ? told : (secondaryType ?? told)
  const object: ImportedObject = {
    ...rest,
    kind,
    ...defined({ number: keptNumber }),
    ...(event === undefined || kind !== 'OB' ? {} : { secondaryType: event }),
  }
  return storedFormOf(object, options)
}

function fromXml(text: string, { engineeringVersion }: StoredDocument): ImportedObject {
  const xml = text.replace(/^\uFEFF/, '')
  const hasFrame = /<Document[\s>]/.test(xml.slice(0, 10_000))
  const { objects } = importSimaticMlText(hasFrame ? xml : `<Document>${xml.trim()}</Document>`)
  const [object] = objects.map((one) =>
    hasFrame ? one : { ...one, ...(engineeringVersion && { engineeringVersion }) },
  )
  if (object === undefined || objects.length > 1)
    throw problem('unacceptable_content', `The XML holds ${objects.length} objects; one is wanted.`)
  return object
}

/** A new text must describe the same object: other operations change name and kind. */
function sameObject(before: ImportedObject, after: ImportedObject, field: string): ImportedObject {
  if (!isProgramObjectKind(after.kind))
    throw problem(
      'unacceptable_content',
      `${field} holds no block but ${after.kind || 'another element'}: a <Document> or an element such as <SW.Blocks.${before.kind}> is needed.`,
    )
  if (after.name.toLowerCase() !== before.name.toLowerCase())
    throw problem(
      'unacceptable_content',
      `${field} has the text of "${after.name}", expected "${before.name}". To change the name of a block, rename it.`,
    )
  const isData = (kind: string) => kind.endsWith('DB')
  if (after.kind !== before.kind && !(isData(after.kind) && isData(before.kind)))
    throw problem(
      'unacceptable_content',
      `${field} has the text of a ${after.kind}, "${before.name}" is a ${before.kind}. To change its kind, delete it first.`,
    )
  return after
}

/** A new object from a description; the networks of blocks in LAD, FBD and STL as clients send them. */
export function createDocument(input: {
  readonly spec: NewObject
  readonly culture: string
  readonly version: string
  readonly networks?: readonly NetworkInput[]
  readonly declared?: DeclaredNames
  /** JSON pointers to the code of each network in the request. */
  readonly codePaths?: readonly string[]
}): ImportedObject {
  const { spec, culture, version, networks = [], declared, codePaths = [] } = input
  return faultsAsProblems(`${spec.type} "${spec.name}"`, () => {
    const object = createObject(spec, { culture, version: targetVersion(version) })
    if (networks.length === 0) return object
    const usual = object.language === 'LAD' || object.language === 'FBD' ? 'SCL' : object.language
    const faults = networks.flatMap(({ code, language = usual }, i) =>
      code !== undefined && language.toUpperCase() === 'SCL'
        ? sclFaults(code, codePaths[i] ?? `/networks/${i}/code`)
        : [],
    )
    if (faults.length > 0) throw new FormatError(faults)
    return editNetworks(object, { kind: 'add', networks }, { culture, ...defined({ declared }) })
  })
}
