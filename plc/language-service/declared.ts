/**
 * What a program declares, in one shape: objects of texts (with the places of their names), objects of other formats,
 * tags, and types of the system.
 */
import { anyText } from '../model/multilingual-text.ts'
import type { ImportedObject, InterfaceMember, InterfaceSection, SectionName } from '../model/object.ts'
import { type SystemMember, systemTypeNamed } from '../program/system-types.ts'

/** Kinds of what is declared. `System` is a type of the controller. */
export type DeclaredKind = 'OB' | 'FB' | 'FC' | 'DB' | 'UDT' | 'Tag' | 'Constant' | 'Member' | 'System'

/** A name that is declared. Offsets are UTF-16 code units of the text of `file`. */
export interface Declared {
  readonly kind: DeclaredKind
  readonly name: string
  /** The same for all declarations of one name: the object, and the names from the outermost member inwards. */
  readonly key: string
  /** Type of a member or tag, return type of a function, type of an instance data block; else empty. */
  readonly dataType: string
  readonly section?: SectionName
  readonly comment: string
  readonly value?: string
  readonly members: readonly Declared[]
  readonly file: string
  /** The name as written; absent when the file is no text, as an export in XML. */
  readonly at?: readonly [start: number, end: number]
  /** The whole declaration. */
  readonly range?: readonly [start: number, end: number]
}

/** The key of a name: the object's name, and those of the members. */
export function keyOf(path: readonly string[]): string {
  return path.map((name) => name.toUpperCase()).join('\0')
}

/** What declarations are made of: an object as it was read, or as much of it. */
export type DeclaringObject = Pick<ImportedObject, 'kind' | 'name' | 'interface'> &
  Partial<Pick<ImportedObject, 'instanceOf' | 'tags' | 'constants' | 'title' | 'comment'>>

/** The declarations of an object that was read by a reader of formats: the object itself, or the tags of a table. */
export function declaredOf(object: DeclaringObject, file: string): Declared[] {
  const { kind, name, tags = [], constants = [] } = object
  if (kind === 'TagTable')
    return [
      ...tags.map((tag) =>
        leafDeclared(file, 'Tag', tag.name, tag.dataType, anyText(tag.comment), { value: tag.logicalAddress }),
      ),
      ...constants.map((one) =>
        leafDeclared(file, 'Constant', one.name, one.dataType, anyText(one.comment), { value: one.value }),
      ),
    ]
  const known = kind.endsWith('DB') ? 'DB' : (['OB', 'FB', 'FC', 'UDT'] as const).find((one) => one === kind)
  if (known === undefined) return []
  const result = object.interface.find(({ section }) => section === 'Return')?.members[0]
  return [
    {
      ...{ kind: known, name, key: keyOf([name]), file },
      dataType: kind === 'InstanceDB' ? (object.instanceOf ?? '') : known === 'FC' ? (result?.dataType ?? 'Void') : '',
      comment: anyText(object.title ?? {}) || anyText(object.comment ?? {}),
      members: membersOf(object.interface, [name], file),
    },
  ]
}

/** A tag or constant. `value`: its address or value. */
export function leafDeclared(
  file: string,
  kind: DeclaredKind,
  name: string,
  dataType: string,
  comment: string,
  more: { readonly value: string },
): Declared {
  return { kind, name, key: keyOf([name]), dataType, comment, members: [], file, ...more }
}

function membersOf(sections: readonly InterfaceSection[], path: readonly string[], file: string): Declared[] {
  return sections
    .filter(({ section }) => section !== 'Return')
    .flatMap(({ section, members, base = [] }) => [
      ...members.map((member) => memberOf(member, section, path, file)),
      ...membersOf(base, path, file),
    ])
}

function memberOf(member: InterfaceMember, section: SectionName, path: readonly string[], file: string): Declared {
  const own = [...path, member.name]
  return {
    ...{ kind: 'Member', name: member.name, key: keyOf(own), dataType: member.dataType, section, file },
    comment: anyText(member.comment),
    ...(member.startValue === undefined ? {} : { value: member.startValue }),
    members: member.members.map((inner) => memberOf(inner, section, own, file)),
  }
}

const systemTypes = new Map<string, Declared | undefined>()

/** A type or function block of the system, case ignored; `undefined` when there is none. */
export function systemDeclared(name: string): Declared | undefined {
  const key = name.toUpperCase()
  if (systemTypes.has(key)) return systemTypes.get(key)
  const type = systemTypeNamed(name)
  const found: Declared | undefined = type && {
    ...{ kind: 'System', name: type.name, key: keyOf([type.name]), dataType: '', comment: '', file: '' },
    members: type.members.filter(({ isHidden }) => !isHidden).map((member) => systemMember(member, type.name)),
  }
  // Only names of the system are kept: others come and go with what is typed.
  if (found) systemTypes.set(key, found)
  return found
}

function systemMember({ name, dataType, section, startValue }: SystemMember, type: string): Declared {
  return {
    ...{ kind: 'Member', name, key: keyOf([type, name]), dataType, comment: '', members: [], file: '' },
    ...(section === 'None' ? {} : { section: section as SectionName }),
    ...(startValue === undefined ? {} : { value: startValue }),
  }
}
