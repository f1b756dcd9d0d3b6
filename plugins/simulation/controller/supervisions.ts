/**
 * Supervisions (ProDiag): for each instance of a function block, each value of a PLC data type, or the one
 * operand of the whole program, the places of the operands in memory. An error is present while the operand and all
 * conditions have their states, for longer than the delay (docs/plc-semantics.md#alarms).
 */

import { defined } from '../../../core/index.ts'
import { literalOf } from '../../../plc/program/literals.ts'
import type { ScalarType, Type } from '../../../plc/program/type.ts'
import { instancePaths } from '../../../plc/runtime/numbered-blocks.ts'
import { pathName } from '../tags/name-path.ts'
import { resolveTag } from '../tags/resolve.ts'
import type { ResolvedTag } from '../tags/resolved-tag.ts'
import type { AlarmDefinitions, DefinedSupervision } from './alarm-definitions.ts'
import { DefinedAlarms, supervisionKey } from './alarm-definitions.ts'
import type { KnownAlarm } from './alarm-sources.ts'
import type { LoadedProgram } from './contract.ts'

/** A Bool in memory, and the state that counts. */
export interface SupervisedBit {
  readonly address: number
  /** In a byte of bits; absent: the byte is the Bool. */
  readonly bit?: number
  readonly status: boolean
}

/** A value in memory. */
export interface SupervisedValue {
  readonly type: Type
  readonly address: number
  readonly bit?: number
  readonly isStandard: boolean
}

/** A Time in memory. */
export interface SupervisedTime extends SupervisedValue {
  readonly type: ScalarType
}

/** What the thread watches. */
export interface SupervisionPlan {
  readonly name: string
  /** The operand and its conditions: all of them together are an error. */
  readonly bits: readonly SupervisedBit[]
  /** Milliseconds, or where they are (Time). */
  readonly delay: number | SupervisedTime
  readonly values: readonly SupervisedValue[]
}

export interface PlannedSupervisions {
  readonly sources: readonly KnownAlarm[]
  readonly plans: readonly SupervisionPlan[]
  /** Supervisions that cannot be watched, and why. */
  readonly faults: readonly string[]
}

/** Plans the supervisions of a program. @param firstId number of the first alarm that they get */
export function planSupervisions(
  program: LoadedProgram,
  definitions: AlarmDefinitions,
  firstId: number,
): PlannedSupervisions {
  const sources: KnownAlarm[] = []
  const plans: SupervisionPlan[] = []
  const faults: string[] = []
  const { supervisions: ofDocuments = [], ownSupervisions = [] } = definitions
  const supervisions = [
    ...new Map([...ofDocuments, ...ownSupervisions].map((one) => [supervisionKey(one), one])).values(),
  ]
  if (supervisions.length === 0) return { sources, plans, faults }
  const known = new DefinedAlarms(definitions)
  const paths = instancePaths(
    program.symbols,
    program.compiled.linked.dataBlocks,
    new Set(supervisions.flatMap((one) => ownerOf(one) ?? [])),
    pathName,
  )
  const byOwner = new Map<string, string[]>()
  for (const [key, path] of paths) {
    const owner = key.slice(0, key.lastIndexOf('@'))
    const before = byOwner.get(owner)
    if (before) before.push(path)
    else byOwner.set(owner, [path])
  }
  for (const one of supervisions) {
    const { block, number } = one
    const owner = ownerOf(one)
    const found = owner === undefined ? [quoted(one.operand)] : (byOwner.get(owner.toLowerCase()) ?? [])
    for (const path of found) {
      const name = `${path}.#${number}`
      try {
        plans.push({ name, ...planOf(program, path, one) })
      } catch (error) {
        const of = owner === undefined ? '' : ` ("${owner}")`
        faults.push(`Supervision ${number} of ${path}${of} is not watched: ${(error as Error).message}`)
        continue
      }
      const own = known.of(name, owner, `#${number}`)
      const { alarmClass: ownClass = one.alarmClass } = own
      const definition = { ...own, text: own.text ?? one.text, ...defined({ alarmClass: ownClass }) }
      const { name: alarmClass, needsAcknowledgement } = known.classOf(definition)
      const comment = one.name ?? `${one.type} ${one.operand.replace(/^#/, `${path}.`)}`
      sources.push({
        ...{ id: firstId + sources.length, name, alarmClass, needsAcknowledgement },
        ...{ member: `#${number}`, definition, comment, ...defined({ block }) },
      })
    }
  }
  return { sources, plans, faults }
}

function ownerOf({ block, dataType }: DefinedSupervision): string | undefined {
  return block ?? dataType
}

/** A name of the whole program as sources of alarms are called: the tag or data block in quotes. */
function quoted(operand: string): string {
  return operand.startsWith('"') || operand.startsWith('%') ? operand : operand.replace(/^[^.[]+/, '"$&"')
}

function planOf(program: LoadedProgram, path: string, one: DefinedSupervision): Omit<SupervisionPlan, 'name'> {
  const tagOf = (operand: string) => resolveTag(program, operand.replace(/^#/, `${path}.`), false)
  const bitOf = ({ operand, status }: { readonly operand: string; readonly status: boolean }): SupervisedBit => {
    const tag = tagOf(operand)
    if (tag.type.kind !== 'scalar' || tag.type.scalar.bits !== 1) throw new Error(`${operand} is no Bool`)
    return { address: tag.address, status, ...defined({ bit: tag.bit }) }
  }
  return {
    bits: [bitOf(one), ...one.conditions.map(bitOf)],
    delay: delayOf(one.delay, tagOf),
    values: one.values.map((operand) => placedValue(tagOf(operand), operand)),
  }
}

function delayOf(text: string, tagOf: (operand: string) => ResolvedTag): SupervisionPlan['delay'] {
  if (text.trim() === '') return 0
  const constant = /^(T|TIME)#/i.test(text.trim()) ? literalOf(text) : undefined
  if (constant && 'kind' in constant) return Number(constant.value)
  const tag = tagOf(text)
  if (tag.type.kind !== 'scalar' || tag.type.scalar.name !== 'Time') throw new Error(`${text} is no Time`)
  return { ...placedValue(tag, text), type: tag.type.scalar }
}

function placedValue({ type, address, bit, access }: ResolvedTag, operand: string): SupervisedValue {
  const own: Type | undefined = type.kind === 'scalar' ? type.scalar : type.kind === 'string' ? type.string : undefined
  if (!own) throw new Error(`${operand} is no single value`)
  return { type: own, address, isStandard: access === 'standard', ...defined({ bit }) }
}
