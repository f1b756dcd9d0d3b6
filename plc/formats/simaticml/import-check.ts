/**
 * Checks of a SimaticML file that is imported, beyond what reading needs: its version, its languages, the attributes of
 * its objects. Stored documents are not checked again. Facts: docs/formats.md#namespaces-and-versions,
 * docs/formats.md#objects-and-attributes.
 */

import { nearest } from '../../../lib/nearest.ts'
import { LineIndex } from '../../model/fault.ts'
import { scheduleNames } from '../source/event-line.ts'
import { targetVersions } from './versions.ts'
import { child, childrenOf, type XmlElement, type XmlFaults } from './xml.ts'

/** Versions before those that files can be written for; TIA Portal has SimaticML since V13. */
const olderVersions = ['V13', 'V13 SP1', 'V13 SP2', 'V14', 'V14 SP1', 'V15', 'V15.1']

/** Values of ProgrammingLanguage; the networks of a block have one too. */
const languages =
  'STL LAD FBD SCL DB GRAPH CPU_DB CFC SFC FBD_IEC LAD_IEC SDB S7_PDIAG RSE F_STL F_LAD F_FBD F_DB F_LAD_LIB F_FBD_LIB FCP FLD ProDiag ProDiag_OB Motion_DB F_CALL CEM ST'.split(
    ' ',
  )

const common =
  'Name Number AutoNumber Interface Namespace ProgrammingLanguage HeaderAuthor HeaderFamily HeaderName HeaderVersion MemoryLayout ' +
  'IsKnowHowProtected IsWriteProtected IsConsistent IsFailsafeCompliant CodeModifiedDate CompileDate CreationDate ModifiedDate ' +
  'InterfaceModifiedDate ParameterModified StructureModified PLCSimAdvancedSupport LibraryConformanceStatus UId ' +
  'UDABlockProperties UDAEnableTagReadback DownloadWithoutReinit Supervisions'
const code =
  'IsIECCheckEnabled SetENOAutomatically HandleErrorsWithinBlock IsRetainMemResEnabled MemoryReserve RetainMemoryReserve SetTaskNumber'
const called = 'LibraryType LibraryTypeVersionGuid ParameterPassing'
const graph =
  'AcknowledgeErrorsRequired ExtensionBlockName GraphVersion InitialValuesAcquisition LanguageInNetworks LockOperatingMode ' +
  'PermanentILProcessingInMANMode SkipSteps WithAlarmHandling NumberingObjectIDs CreateMinimizedDB IsRetain'
const data =
  'DBAccessibleFromOPCUA DBAccessibleFromWebserver IsOnlyStoredInLoadMemory IsWriteProtectedInAS IsRetainMemResEnabled MemoryReserve ' +
  'RetainMemoryReserve IsPLCDB IsIECCheckEnabled'
const instance =
  'InstanceOfName InstanceOfNumber InstanceOfType OfSystemLibElement OfSystemLibVersion AssignedProDiagFB InstSupervisions'
/** Of organization blocks, most of them only exported with those that cannot be written. */
const events =
  'ApplicationCycle AutomaticMinimum ConstantName CycleTimeDistributedIO CyclicApplicationCycleTime CyclicTime DataExchangeMode ' +
  'DelayTime DistributedIOName DistributedIONumber EnableTimeError EventClass EventsToBeQueued EventThresholdForTimeError Execution ' +
  'Factor PhaseOffset PriorityNumber ProcessImagePartNumber ReportEvents SecondaryType StartDate SynchronousApplicationCycleTime ' +
  'TimeMode TimeOfDay TransformationDBNumber'

/** Attributes of each kind of object. Kinds that are not listed are not checked. */
const attributesOfRoot: Readonly<Record<string, ReadonlySet<string>>> = {
  'SW.Blocks.OB': words(`${common} ${code} ${events} ${scheduleNames.join(' ')}`),
  'SW.Blocks.FB': words(
    `${common} ${code} ${called} ${graph} AssignedProDiagFB ISMultiInstanceCapable ProDiagVersion SupervisionCategories`,
  ),
  'SW.Blocks.FC': words(`${common} ${code} ${called}`),
  'SW.Blocks.GlobalDB': words(`${common} ${data}`),
  'SW.Blocks.InstanceDB': words(`${common} ${data} ${instance}`),
  'SW.Blocks.ArrayDB': words(`${common} ${data} ArrayDataType ArrayLimitUpperBound`),
  'SW.Types.PlcStruct': words(`${common} PLCDataTypeSupervisions`),
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(' '))
}

/** Adds a fault when the version of a file is none of TIA Portal's, or one that is not known yet. */
export function checkVersion(document: XmlElement, faults: XmlFaults): void {
  const engineering = child(document, 'Engineering')
  const version = engineering?.attributes.version?.trim()
  if (engineering === undefined || version === undefined || version === '') return
  // Service packs and updates do not change the format.
  const main = version.replace(/^v/, 'V').replace(/[ _](?:Update|Upd)[ _]?\d+$/i, '')
  const known: readonly string[] = [...olderVersions, ...targetVersions]
  if (known.includes(main)) return
  faults.add(
    'unsupported',
    engineering,
    `engineering version ${JSON.stringify(version)} is not known; files of ${known[0]} to ${known.at(-1)} can be read`,
  )
}

/** Adds a fault for each language that does not exist, of an object and of its networks. */
export function checkLanguages(root: XmlElement, faults: XmlFaults): void {
  const lists = [root, ...childrenOf(child(root, 'ObjectList'), 'SW.Blocks.CompileUnit')]
  if (!(root.name in attributesOfRoot)) return
  for (const owner of lists) {
    const element = child(child(owner, 'AttributeList'), 'ProgrammingLanguage')
    const language = element?.text.trim() ?? ''
    if (element === undefined || language === '' || languages.includes(language)) continue
    const near = nearest(language, languages)
    const hint = near === undefined ? `allowed: ${languages.join(', ')}` : `did you mean ${near}?`
    faults.add('xml-value', element, `${JSON.stringify(language)} is no programming language; ${hint}`)
  }
}

const isNamed = ({ attributes }: XmlElement): boolean => (attributes.Name ?? '').trim() !== ''

/** What an element needs to mean anything; the text follows `<element>`. */
const needs: Readonly<Record<string, readonly [isRight: (element: XmlElement) => boolean, text: string]>> = {
  // TIA Portal leaves the name out where a program does not have the block of the instance.
  CallInfo: [
    (info) => isNamed(info) || child(info, 'Instance') !== undefined,
    'needs the attribute Name, the called block',
  ],
  Access: [
    ({ attributes, children }) => children.length > 0 || attributes.Scope === 'Unnamed',
    'needs its operand, e.g. <Symbol>, <Constant> or <Address>',
  ],
  Symbol: [({ children }) => children.length > 0, 'needs a <Component> for each part of the name'],
  Negated: [isNamed, 'needs the attribute Name, the pin'],
  Invisible: [isNamed, 'needs the attribute Name, the pin'],
  'SW.Tags.PlcTag': [hasNameElement, 'needs <Name> in its AttributeList'],
  'SW.Tags.PlcUserConstant': [hasNameElement, 'needs <Name> in its AttributeList'],
}

function hasNameElement(row: XmlElement): boolean {
  return (child(child(row, 'AttributeList'), 'Name')?.text ?? '').trim() !== ''
}

/** Adds a fault for each element that lacks what gives it its meaning: it would be an operand or call of nothing. */
export function checkContents(root: XmlElement, faults: XmlFaults): void {
  const [isRight, text] = needs[root.name] ?? []
  if (isRight !== undefined && !isRight(root)) faults.add('xml-structure', root, `<${root.name}> ${text}`)
  for (const inner of root.children) checkContents(inner, faults)
}

/** Returns a warning with its place for each attribute that objects of the kind do not have. */
export function unknownAttributes(root: XmlElement, text: string): string[] {
  const known = attributesOfRoot[root.name]
  const list = child(root, 'AttributeList')
  if (known === undefined || list === undefined) return []
  const unknown = list.children.filter(({ name, attributes }) => !known.has(name) && attributes.ReadOnly !== 'true')
  if (unknown.length === 0) return []
  const lines = new LineIndex(text)
  return unknown.map(({ name, start }) => {
    const { line, column } = lines.at(start)
    const near = nearest(name, [...known])
    const hint = near === undefined ? '' : ` (did you mean ${near}?)`
    return `line ${line}, column ${column}: <${root.name}> has no attribute ${name}${hint}; it is kept, but TIA Portal may refuse the file`
  })
}

/**
 * Returns a warning with its place for each member of a structure whose remanence is not that of the member around it:
 * only whole members of a section have one (docs/plc-semantics.md#retentivity).
 */
export function nestedRemanences(root: XmlElement, text: string): string[] {
  const lines = new LineIndex(text)
  const warnings: string[] = []
  const sections = child(child(child(root, 'AttributeList'), 'Interface'), 'Sections')
  const visit = (members: readonly XmlElement[], above: string, around: string): void => {
    for (const { attributes, children, start } of members) {
      const path = `${above}.${attributes.Name ?? ''}`
      const { Remanence: own = around } = attributes
      if (own !== around) {
        const { line, column } = lines.at(start)
        warnings.push(
          `line ${line}, column ${column}: ${path.slice(1)} is ${own} in a structure that is ${around}; it is kept and holds on a virtual controller, but TIA Portal has the remanence of whole members of a section only`,
        )
      }
      visit(children.filter(isMember), path, around)
    }
  }
  for (const section of childrenOf(sections, 'Section'))
    for (const { attributes, children } of childrenOf(section, 'Member'))
      visit(children.filter(isMember), `.${attributes.Name ?? ''}`, attributes.Remanence ?? 'NonRetain')
  return warnings
}

const isMember = ({ name }: XmlElement): boolean => name === 'Member'
