/**
 * What a software unit does not publish is for the unit itself: a use from outside is an error. Objects say it with the
 * attribute `Published` (docs/formats.md#external-sources); an object without it is not published when another one of
 * its unit says it of itself. Units whose objects say nothing are open, because no export of SimaticML says it.
 */

import { namespaceOf } from '../model/namespace.ts'
import type { ImportedObject, InterfaceMember } from '../model/object.ts'
import type { Diagnostic } from '../program/program.ts'
import type { ProgramDocument } from './program-document.ts'
import type { Unit } from './unit.ts'

/** An object that was compiled, with the unit of a code block. */
interface Compiled {
  readonly name: string
  readonly unit?: Unit
}

interface Private {
  readonly name: string
  readonly kind: string
  readonly namespace: string
}

/** Returns errors for uses of unpublished objects of other units; one for each object that uses another. */
export function unpublishedUses(documents: Iterable<ProgramDocument>, objects: readonly Compiled[]): Diagnostic[] {
  const all = [...documents]
  const hidden = unpublished(all)
  if (hidden.size === 0) return []
  const byName = new Map(all.map((one) => [one.object.name.toLowerCase(), one]))
  return objects.flatMap(({ name, unit }) => {
    const document = byName.get(name.toLowerCase())
    if (document === undefined) return []
    const namespace = namespaceOf(document.object)
    const told = new Set<string>()
    const isForeign = (used: string): Private | undefined => {
      const found = hidden.get(used)
      if (found === undefined || told.has(used) || areOfOneUnit(found.namespace, namespace)) return undefined
      told.add(used)
      return found
    }
    const calls = (unit?.facts?.calls ?? []).flatMap((call) => {
      const { block: _block, ...site } = call
      const found = isForeign(call.block.toLowerCase())
      return found === undefined ? [] : [error(document.object, found, site)]
    })
    const types = document.facts.names.flatMap((used) => {
      const found = isForeign(used)
      const member = found && memberOf(document.object, found.name)
      return found === undefined ? [] : [error(document.object, found, member === undefined ? {} : { member })]
    })
    // Code has no other way to a data block than its name.
    const data = (unit?.uses ?? []).flatMap((used) => {
      const found = hidden.get(used)?.kind.endsWith('DB') === true ? isForeign(used) : undefined
      return found === undefined ? [] : [error(document.object, found, {})]
    })
    return [...calls, ...types, ...data]
  })
}

function error(
  { name }: ImportedObject,
  { name: used, kind, namespace }: Private,
  place: Partial<Diagnostic>,
): Diagnostic {
  return {
    ...place,
    code: 'unpublished',
    severity: 'error',
    object: name,
    message: `${kind} "${used}" is not published by the software unit "${namespace}".`,
    hint: 'Publish it in its unit, or use what the unit publishes.',
  }
}

/** The unpublished objects by their names in lower case. */
function unpublished(documents: readonly ProgramDocument[]): Map<string, Private> {
  /** Namespaces of objects that say it, and those around them. */
  const saying = new Set<string>()
  const around = new Set<string>()
  const hidden = new Map<string, Private>()
  for (const { object } of documents) {
    const [own, ...outer] = namespacesOf(object)
    if (own === undefined || publishedOf(object) === undefined) continue
    saying.add(own)
    for (const one of outer) around.add(one)
  }
  if (saying.size === 0) return hidden
  for (const { object } of documents) {
    const namespace = namespaceOf(object)
    if (namespace === '' || publishedOf(object) === true) continue
    if (around.has(namespace.toLowerCase()) || namespacesOf(object).some((one) => saying.has(one)))
      hidden.set(object.name.toLowerCase(), { name: object.name, kind: object.kind, namespace })
  }
  return hidden
}

/** The namespace of an object and those around it, in lower case: `a.b`, `a`. */
function namespacesOf(object: ImportedObject): string[] {
  const namespace = namespaceOf(object).toLowerCase()
  const found: string[] = []
  for (let at = namespace.length; at > 0; at = namespace.lastIndexOf('.', at - 1)) found.push(namespace.slice(0, at))
  return found
}

function publishedOf({ attributes }: ImportedObject): boolean | undefined {
  const value = attributes.find(({ name }) => name.toLowerCase() === 'published')?.value
  return value === undefined ? undefined : /^true$/i.test(value)
}

/** A unit has a namespace and those in it. */
function areOfOneUnit(one: string, other: string): boolean {
  const [a, b] = [`${one.toLowerCase()}.`, `${other.toLowerCase()}.`]
  return a.startsWith(b) ? other !== '' : b.startsWith(a) && one !== ''
}

/** The member whose declaration names a type. */
function memberOf(object: ImportedObject, type: string): string | undefined {
  const isIt = (text: string) => text.toLowerCase().includes(`"${type.toLowerCase()}"`)
  const find = (members: readonly InterfaceMember[], above: string): string | undefined => {
    for (const { name, dataType, members: inner } of members) {
      const found = isIt(dataType) ? `${above}${name}` : find(inner, `${above}${name}.`)
      if (found !== undefined) return found
    }
    return undefined
  }
  return find(
    object.interface.flatMap(({ members }) => members),
    '',
  )
}
