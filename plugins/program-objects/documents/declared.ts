/** Collects the declarations that a network needs: tags, and the interfaces of the blocks and types that it names. */
import type { QueryContext } from '../../../core/index.ts'
import type { StoredDocument } from '../../../plc/edit/stored-document.ts'
import type { DeclaredNames, DeclaredObject } from '../../../plc/languages/ladder/declared-names.ts'
import { plainType, unquoted } from '../../../plc/model/names.ts'
import type { InterfaceMember, InterfaceSection } from '../../../plc/model/object.ts'
import type { Device } from '../../devices/index.ts'
import { programContributor } from '../cross-references/contributor.ts'
import { documentOf, taskWork } from './documents.ts'

export const editWork = taskWork(new URL('./edit.task.ts', import.meta.url).href, () => import('./edit.task.ts'))

/** Limit of objects read for one edit or one batch of files; types can use types. */
const mostObjects = 2000

/**
 * The names that a text can refer to.
 * @param texts expressions and code; every name in them is looked up
 * @param own interface of the block: the types of its members are followed
 */
export async function declaredFor(
  ctx: Pick<QueryContext, 'read' | 'blobs' | 'engine' | 'extensions'>,
  device: Device,
  texts: readonly string[],
  own: readonly InterfaceSection[],
): Promise<DeclaredNames> {
  return declaredNamed(ctx, device, [...namesIn(texts), ...typesIn(own)])
}

/** The declarations of these names, and of their types. */
export async function declaredNamed(
  ctx: Pick<QueryContext, 'read' | 'blobs' | 'engine' | 'extensions'>,
  device: Device,
  names: readonly string[],
): Promise<DeclaredNames> {
  const parts = ctx.extensions(programContributor)
  const named = new Set(names.map((name) => name.toUpperCase()))
  const tags = parts
    .flatMap((part) => part.symbols(ctx, device))
    .filter(({ kind, name }) => (kind === 'tag' || kind === 'constant') && named.has(name.toUpperCase()))
    .map(({ kind, name, typeName }) => ({ name, dataType: typeName, isConstant: kind === 'constant' }))
  const objects = await declaredObjects(ctx, device, [...names, ...tags.map(({ dataType }) => unquoted(dataType))])
  return { objects, tags }
}

/**
 * The types that values in the source of a data block can be of, with those they use; none for other documents, which
 * have their values in the interface. Instance data has the interface of its type, with and without values.
 */
export async function typesOfValues(
  ctx: Pick<QueryContext, 'read' | 'blobs' | 'engine' | 'extensions'>,
  deviceId: string,
  { format, kind, text }: Pick<StoredDocument, 'format' | 'kind' | 'text'>,
): Promise<DeclaredObject[]> {
  const hasTypes = kind === 'InstanceDB' || (kind.endsWith('DB') && text.includes(':='))
  if (format !== 'source' || !hasTypes) return []
  const named = namesIn([text])
  const objects = await declaredObjects(ctx, { id: deviceId }, named)
  // Those of the program come last: they count where both have a name.
  return [...(await systemTypesOf(named, objects)), ...objects]
}

/** The types of the system among some names and in the interfaces of objects, with those they use. */
async function systemTypesOf(names: readonly string[], objects: readonly DeclaredObject[]): Promise<DeclaredObject[]> {
  const { systemDeclaration } = await import('../../../plc/program/system-interface.ts')
  const found = new Map<string, DeclaredObject>()
  const pending = [...names, ...objects.flatMap((one) => plainTypesIn(one.interface))]
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (found.has(name.toUpperCase())) continue
    const type = systemDeclaration(name)
    if (type === undefined) continue
    found.set(name.toUpperCase(), { ...type, name })
    pending.push(...plainTypesIn(type.interface))
  }
  return [...found.values()]
}

/** The blocks and types of these names, and those that they use. Each name is looked up, whatever the program. */
async function declaredObjects(
  ctx: Pick<QueryContext, 'read' | 'blobs' | 'engine' | 'extensions'>,
  device: Pick<Device, 'id'>,
  names: readonly string[],
): Promise<DeclaredObject[]> {
  const parts = ctx.extensions(programContributor)
  const objects: DeclaredObject[] = []
  const asked = new Set<string>()
  let wanted = names
  while (wanted.length > 0 && objects.length < mostObjects) {
    const next = [...new Set(wanted.map((name) => name.toUpperCase()))].filter((name) => !asked.has(name))
    for (const name of next) asked.add(name)
    const found = next.flatMap((name) => parts.flatMap((part) => part.find?.(ctx, device, name)?.stored ?? []))
    if (found.length === 0) break
    const documents = await Promise.all(found.map((stored) => documentOf(ctx, stored)))
    const size = found.reduce((sum, stored) => sum + stored.size, 0)
    const read = await editWork(ctx, 'readInterfaces', documents, size)
    objects.push(...read)
    wanted = read.flatMap(({ instanceOf, interface: sections }) => [
      ...(instanceOf === undefined ? [] : [instanceOf]),
      ...typesIn(sections),
    ])
  }
  return objects
}

/** Names in quotes, and plain words, which can be names without quotes. */
function namesIn(texts: readonly string[]): string[] {
  return texts.flatMap((text) => [
    ...[...text.matchAll(/"([^"\n]{1,200})"/g)].map(([, name]) => name as string),
    ...[...text.matchAll(/[\p{L}_][\p{L}\p{N}_]{0,127}/gu)].map(([word]) => word),
  ])
}

function typesIn(sections: readonly InterfaceSection[]): string[] {
  return dataTypesIn(sections).flatMap((type) => [...type.matchAll(/"([^"]+)"/g)].map(([, name]) => name as string))
}

/** Types without quotes: those of the system. */
function plainTypesIn(sections: readonly InterfaceSection[]): string[] {
  return dataTypesIn(sections).flatMap((type) => plainType(type) ?? [])
}

function dataTypesIn(sections: readonly InterfaceSection[]): string[] {
  const types: string[] = []
  const visit = (members: readonly InterfaceMember[]): void => {
    for (const { dataType, members: inner } of members) {
      types.push(dataType)
      visit(inner)
    }
  }
  for (const { members } of sections) visit(members)
  return types
}
