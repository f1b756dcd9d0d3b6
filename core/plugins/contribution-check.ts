/** Checks what plugins contribute to extension points against what the points declare. */
import { isObject } from '../../lib/is-object.ts'
import { nearest } from '../../lib/nearest.ts'
import type { ContributionShape, ExtensionPoint, MemberKind } from '../contract/extension-point.ts'
import type { Plugin } from '../contract/plugin.ts'
import { kindOf } from './plugin-check.ts'

const kinds: Readonly<Record<MemberKind, readonly [named: string, is: (value: unknown) => boolean]>> = {
  text: ['text', (value) => typeof value === 'string'],
  number: ['a number', (value) => typeof value === 'number' && Number.isFinite(value)],
  boolean: ['true or false', (value) => typeof value === 'boolean'],
  function: ['a function', (value) => typeof value === 'function'],
  'text[]': [
    'a list of text',
    (value) => Array.isArray(value) && value.every((one: unknown) => typeof one === 'string'),
  ],
  list: ['a list', Array.isArray],
  object: ['an object', isObject],
}

/**
 * What is wrong with a contribution, and what would be right; empty: nothing.
 * @param place the path of the value in its plugin
 */
export function shapeFaults(shape: ContributionShape, value: unknown, place: string): string[] {
  if (shape === 'function')
    return typeof value === 'function' ? [] : [`${place} must be a function, not ${kindOf(value)}`]
  const required = Object.keys(shape).filter((name) => !shape[name]!.endsWith('?'))
  if (!isObject(value)) return [`${place} must be an object with ${required.join(', ')}, not ${kindOf(value)}`]
  const faults: string[] = []
  for (const [name, declared] of Object.entries(shape)) {
    const [named, is] = kinds[declared.replace('?', '') as MemberKind]
    const member = value[name]
    if (member === undefined) {
      if (!declared.endsWith('?')) faults.push(`${place}.${name} is missing: it must be ${named}`)
    } else if (!is(member)) faults.push(`${place}.${name} must be ${named}, not ${kindOf(member)}`)
  }
  // A contribution may keep what it needs beside its members; what is nearly the name of an absent one is a mistake.
  const absent = Object.keys(shape).filter((name) => value[name] === undefined)
  for (const name of Object.keys(value)) {
    const near = name in shape ? undefined : nearest(name, absent)
    if (near !== undefined) faults.push(`${place}.${name} is not known (did you mean "${near}"?)`)
  }
  return faults
}

/**
 * What is wrong with the contributions of a plugin; empty: nothing.
 * @param points those of all loaded plugins, by id
 * @param absent says of a plugin that is not loaded why not
 */
export function contributionFaults(
  { name, extensions = [] }: Plugin,
  points: ReadonlyMap<string, ExtensionPoint<unknown>>,
  absent: (plugin: string) => string,
): string[] {
  return extensions.flatMap(({ point: id, value }, i) => {
    const place = `extensions[${i}]`
    const point = points.get(id)
    if (point) {
      const faults = shapeFaults(point.check, value, `${place} (${id})`)
      if (faults.length > 0 || point.faults === undefined) return faults
      return point.faults(value, name).map((fault) => `${place} (${id}): ${fault}`)
    }
    const renamed = [...points.values()].find(({ formerly }) => formerly === id)
    if (renamed) return [`${place}: the extension point "${id}" is "${renamed.id}" now: extend(${renamed.constant}, …)`]
    const near = nearest(id, points.keys())
    const hint = near === undefined ? absent(id.split('.')[0] ?? '') : ` Did you mean "${near}"?`
    return [`${place}: there is no extension point "${id}".${hint}`]
  })
}
