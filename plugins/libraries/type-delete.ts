/** Deletes library types, or versions of them, that nobody uses; finds who does. */
import { type CommandContext, problem } from '../../core/index.ts'
import { objectsOfInstances } from './instance-objects.ts'
import {
  entityOf,
  instances,
  instancesDropped,
  type Library,
  type LibraryType,
  libraryTypeDeleted,
  requireVersion,
  requireWritable,
  type TypeReference,
  typesIn,
} from './library.ts'
import { putType } from './versions.ts'

/** Who uses a type, or one version of it: objects of the project, and versions of other types. */
export interface TypeUser {
  readonly kind: string
  readonly name: string
  readonly deviceName?: string
  readonly version: string
}

function usersOfType(
  ctx: CommandContext,
  library: Library,
  type: LibraryType,
  version: string | undefined,
): TypeUser[] {
  const isMeant = (one: string) => version === undefined || one === version
  const users: TypeUser[] = []
  if (library.scope === 'project') {
    const own = ctx.read(instances).find('byType', type.id)
    for (const { instance, device, entry } of objectsOfInstances(ctx, own))
      if (isMeant(instance.version))
        users.push({ kind: instance.kind, name: entry.name, deviceName: device.name, version: instance.version })
  }
  const name = type.name.toLowerCase()
  for (const other of typesIn(ctx, library.id))
    for (const one of other.versions)
      if (one.dependencies.some((used) => used.type.toLowerCase() === name && isMeant(used.version)))
        if (other.id !== type.id) users.push({ kind: 'library-type', name: other.name, version: one.version })
  return users
}

/**
 * Deletes a type, or one version of it. With `force` its instances stay as plain objects, and types that used it stay
 * without it.
 * @throws GatewayError `conflict` naming the users
 */
export function deleteType(
  ctx: CommandContext,
  library: Library,
  type: LibraryType,
  { version: named, force = false }: { readonly version?: string | undefined; readonly force?: boolean | undefined },
) {
  requireWritable(library)
  const version = named === undefined ? undefined : requireVersion(type, named).version
  const users = usersOfType(ctx, library, type, version)
  const what =
    version === undefined ? `Library type "${type.name}"` : `Version ${version} of library type "${type.name}"`
  if (users.length > 0 && !force) {
    const shown = users
      .slice(0, 5)
      .map((one) => `"${one.name}"${one.deviceName ? ` of "${one.deviceName}"` : ` ${one.version}`}`)
    throw problem(
      'conflict',
      `${what} is used by ${shown.join(', ')}${users.length > 5 ? ` and ${users.length - 5} more` : ''}.`,
      {
        suggestion: 'Send force: true to delete it all the same; instances become plain objects.',
        errors: users.map((one) => ({
          path: one.deviceName ?? 'library',
          message: `${one.kind} "${one.name}" uses version ${one.version}`,
          value: one.name,
        })),
      },
    )
  }
  const rest = version === undefined ? [] : type.versions.filter((one) => one.version !== version)
  if (library.scope === 'project') {
    const ids = ctx
      .read(instances)
      .find('byType', type.id)
      .filter((one) => rest.every((kept) => kept.version !== one.version))
      .map(({ id }) => id)
    if (ids.length > 0) ctx.emit(instancesDropped, { ids })
  }
  dropDependencies(ctx, library, type, version)
  if (rest.length === 0)
    ctx.emit(
      libraryTypeDeleted,
      { libraryId: library.id, name: type.name, typeId: type.id },
      entityOf(library, type.name),
    )
  else {
    const released = rest.filter(({ status }) => status === 'released')
    const isThere = rest.some((one) => one.version === type.defaultVersion)
    const defaultVersion = isThere ? type.defaultVersion : (released.at(-1) ?? rest.at(-1)!).version
    putType(ctx, library, { ...type, versions: rest, defaultVersion })
  }
  return {
    name: type.name,
    deleted: true,
    versions: type.versions.filter((one) => !rest.includes(one)).map((one) => one.version),
    users,
  }
}

function dropDependencies(ctx: CommandContext, library: Library, type: LibraryType, version: string | undefined): void {
  const isGone = (one: TypeReference) =>
    one.type.toLowerCase() === type.name.toLowerCase() && (version === undefined || one.version === version)
  for (const other of typesIn(ctx, library.id)) {
    if (other.id === type.id || !other.versions.some(({ dependencies }) => dependencies.some(isGone))) continue
    const versions = other.versions.map((one) => ({
      ...one,
      dependencies: one.dependencies.filter((used) => !isGone(used)),
    }))
    putType(ctx, library, { ...other, versions })
  }
}
