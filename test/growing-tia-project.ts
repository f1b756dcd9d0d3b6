/** A project file of TIA Portal with a library, made byte by byte, of any size. */
import {
  bytesOf,
  commitOf,
  modelOf,
  objectOf,
  projectFile,
  relationsOf,
  sized,
  slotOf,
  u8,
  u16,
  u32,
} from './tia-bytes.ts'

const types = {
  ProjectData: { id: 1, sets: [] },
  S7ControllerTargetData: { id: 2, sets: [] },
  EAMTZTagTableData: { id: 3, sets: [] },
  EAMTZTagData: { id: 4, sets: ['IStructureItem', 'ITagAddress'] },
  UserTypeData: { id: 5, sets: ['IGeneralBlockSourceData'] },
  LibraryTypeData: { id: 6, sets: [] },
  UserTypeDataByCopyVersionObject: { id: 7, sets: ['IVersionInfo'] },
  LibraryMasterCopyData: { id: 8, sets: [] },
  FolderData: { id: 9, sets: [] },
}
const relations = ['Environment', 'BelongsTo', 'TagTable', 'VersionObjectToTypeObject', 'VisibleParts'] as const

const model = `<M><Namespace name="n">
  <Enumeration name="Kind" base="xs:byte"><Constant name="UDT" value="1"/></Enumeration>
  <Structure name="Version"><Element name="Build" type="xs:int"/><Element name="Major" type="xs:short"/>
    <Element name="Minor" type="xs:int"/></Structure>
  <AttributeSet name="ICoreAttributes"><Attribute name="Name" type="xs:string"/></AttributeSet>
  <AttributeSet name="IGeneralBlockSourceData"><Attribute name="BlockType" type="Kind"/></AttributeSet>
  <AttributeSet name="IStructureItem"><Attribute name="DisplayTypeName" type="xs:string"/></AttributeSet>
  <AttributeSet name="ITagAddress"><Attribute name="LogicalAddress" type="xs:string"/></AttributeSet>
  <AttributeSet name="IVersionInfo"><Attribute name="Version" type="Version"/></AttributeSet>
  ${Object.entries(types)
    .map(([name, { id, sets }]) => {
      const implemented = ['ICoreAttributes', ...sets].map((set) => `<Implements ref="${set}"/>`)
      return `<ObjectType name="${name}" id="${id}">${implemented.join('')}</ObjectType>`
    })
    .join('')}
  ${relations.map((name, i) => `<Relation id="${100 + i}" name="${name}"/>`).join('')}
</Namespace></M>`

type Target = readonly [relation: (typeof relations)[number], type: keyof typeof types, id: number]

const text = (value: string) => slotOf({ at: sized(value) })

/** An object with a name, what its other sets hold, and what it leads to. */
const object = (type: keyof typeof types, id: number, name: string, sets: readonly Buffer[], ...to: Target[]) =>
  objectOf(types[type].id, id, [
    ...[text(name), ...sets],
    relationsOf(
      ...to.map(([relation, of, target]) => [100 + relations.indexOf(relation), types[of].id, target] as const),
    ),
  ])

const inProject: Target = ['Environment', 'ProjectData', 1]

/**
 * The bytes of a `System/PEData.plf`: `n` tags of one table, `n` tables of one tag, `n` PLC data types, `n` types of
 * the library and `n` versions of its first, `n` master copies of one object and one of a folder with `n`; `n` saves.
 */
export function tiaProjectOf(n: number): Buffer {
  const all = (make: (i: number) => readonly Buffer[]) => Array.from({ length: n }, (_, i) => make(i)).flat()
  const plc: Target = ['BelongsTo', 'S7ControllerTargetData', 1]
  const table = (id: number, ...to: Target[]) => object('EAMTZTagTableData', id, `Table ${id}`, [], ...to)
  const tag = (id: number, of: number) =>
    object('EAMTZTagData', id, `Tag ${id}`, [text('Bool'), text(`%M${id}.0`)], ['TagTable', 'EAMTZTagTableData', of])
  const udt = (id: number, ...to: Target[]) => object('UserTypeData', id, `Type ${id}`, [slotOf(u8(1))], ...to)
  const version = (id: number, build: number, type: number, content: number) =>
    object(
      ...(['UserTypeDataByCopyVersionObject', id, `Version ${id}`] as const),
      [slotOf({ at: bytesOf(u32(14), u32(build), u16(1), u32(0)) })],
      ...[inProject, ['VersionObjectToTypeObject', 'LibraryTypeData', type] as const],
      ['VisibleParts', 'UserTypeData', content],
    )
  const copy = (id: number, ...to: Target[]) => object('LibraryMasterCopyData', id, `Copy ${id}`, [], inProject, ...to)
  const inCopy = (id: number): Target => ['Environment', 'LibraryMasterCopyData', id]
  return projectFile(
    modelOf(model),
    object('ProjectData', 1, 'Plant', []),
    object('S7ControllerTargetData', 1, 'PLC_1', [], inProject),
    table(1, inProject, plc),
    object('FolderData', 1, 'Folder', [], inCopy(1)),
    copy(1, ['VisibleParts', 'FolderData', 1]),
    ...all((i) => [
      ...[tag(2 * i + 1, 1), tag(2 * i + 2, i + 2), table(i + 2, inProject, plc), udt(5 * i + 1, inProject, plc)],
      object('LibraryTypeData', i + 1, `Library type ${i}`, [], inProject),
      ...[
        udt(5 * i + 2),
        version(2 * i + 1, 0, i + 1, 5 * i + 2),
        udt(5 * i + 3),
        version(2 * i + 2, i + 1, 1, 5 * i + 3),
      ],
      ...[udt(5 * i + 4, inCopy(i + 2)), copy(i + 2, ['VisibleParts', 'UserTypeData', 5 * i + 4])],
      ...[udt(5 * i + 5, inCopy(1)), commitOf(i + 1, 1_700_000_000_000 + i)],
    ]),
  )
}
