/** Checks what a schema cannot say of a design: names, references between modules, steps. */

import { type Fault, nearest } from '../../../core/index.ts'
import { isReservedWord } from '../../../plc/model/keywords.ts'
import { isBuiltInType } from '../../../plc/model/names.ts'
import type { NamedModule, Scope } from './expression.ts'
import {
  commands,
  type Design,
  faulty,
  type Module,
  type ModuleList,
  moduleLists,
  readable,
  type Unit,
} from './model.ts'
import { stepConstant } from './sequence.ts'
import { ownMembers, unitData } from './unit.ts'

/** What the writer of a unit needs to know of the names in it. */
export interface UnitNames {
  readonly scope: Scope
  readonly commanded: ReadonlyMap<string, readonly string[]>
  readonly faulty: ReadonlySet<string>
}

/** Checks the design; returns the names of each unit, in order. */
export function checkDesign({ units }: Design, at: string, faults: Fault[]): UnitNames[] {
  const modules = units.map(modulesOf)
  const byUnit = new Map(
    units.map((unit, i) => {
      const { name } = unit
      return [name.toLowerCase(), { name, dataBlock: unitData(unit), modules: modules[i]! }]
    }),
  )
  unique(
    units.map(({ name }, i) => [name, `${at}/units/${i}/name`]),
    faults,
  )
  return units.map((unit, i): UnitNames => {
    const place = `${at}/units/${i}`
    checkNames(unit, place, faults)
    return {
      scope: { own: modules[i]!, units: byUnit },
      commanded: commandsOf(unit, place, faults),
      faulty: new Set(
        moduleLists.flatMap((list) =>
          faulty.has(list) ? ((unit[list] ?? []) as readonly Module[]).map(({ name }) => name.toLowerCase()) : [],
        ),
      ),
    }
  })
}

function modulesOf(unit: Unit): Map<string, NamedModule> {
  const found = new Map<string, NamedModule>()
  for (const list of moduleLists)
    for (const { name } of (unit[list] ?? []) as readonly Module[])
      found.set(name.toLowerCase(), {
        name,
        readable: readable[list],
        ...(list === 'interlocks' ? { itself: 'ok' } : {}),
      })
  return found
}

/** Names of members of the unit's block, with those that are made for modules. */
function checkNames(unit: Unit, at: string, faults: Fault[]): void {
  const names: [string, string][] = []
  const lists = (list: ModuleList) => (unit[list] ?? []) as readonly Module[]
  for (const list of moduleLists)
    for (const [i, { name }] of lists(list).entries()) {
      const place = `${at}/${list}/${i}/name`
      names.push([name, place])
      if (isReservedWord(name) || isBuiltInType(name))
        faults.push({ path: place, message: `"${name}" is a word of SCL`, value: name })
      if ((ownMembers as readonly string[]).includes(name.toLowerCase()))
        faults.push({ path: place, message: `"${name}" is a member that every unit has`, value: name })
    }
  for (const [i, sequence] of (unit.sequences ?? []).entries()) {
    const place = `${at}/sequences/${i}`
    names.push([`${sequence.name}Time`, `${place}/name`], [`${sequence.name}Timeout`, `${place}/name`])
    names.push([stepConstant(sequence), `${place}/name`])
    for (const [k, step] of sequence.steps.entries())
      names.push([stepConstant(sequence, step), `${place}/steps/${k}/name`])
  }
  for (const [i, { name, alarms = [] }] of (unit.alarmGroups ?? []).entries())
    for (const [k, alarm] of alarms.entries())
      names.push([`${name}_${alarm.name}`, `${at}/alarmGroups/${i}/alarms/${k}/name`])
  unique(names, faults)
}

function unique(names: readonly (readonly [name: string, path: string])[], faults: Fault[]): void {
  const seen = new Map<string, string>()
  for (const [name, path] of names) {
    const key = name.toLowerCase()
    const other = seen.get(key)
    if (other === undefined) seen.set(key, path)
    else faults.push({ path, message: `the name "${name}" is taken by ${other}`, value: name })
  }
}

/** The steps that command each module, as expressions; and whether ways lead to steps that are there. */
function commandsOf(unit: Unit, at: string, faults: Fault[]): Map<string, string[]> {
  const targets = new Map<string, { readonly name: string; readonly takes: readonly string[] }>()
  for (const list of moduleLists)
    for (const { name } of (unit[list] ?? []) as readonly Module[])
      targets.set(name.toLowerCase(), { name, takes: commands[list] ?? [] })
  const found = new Map<string, string[]>()
  for (const [i, sequence] of (unit.sequences ?? []).entries()) {
    const names = sequence.steps.map(({ name }) => name)
    for (const [k, step] of sequence.steps.entries()) {
      const place = `${at}/sequences/${i}/steps/${k}`
      for (const [n, wanted] of (step.on ?? []).entries()) {
        const [module = '', ...rest] = wanted.split('.')
        const given = rest.join('.').toLowerCase()
        const known = targets.get(module.toLowerCase())?.takes
        const command = rest.length === 0 ? known?.[0] : known?.find((one) => one.toLowerCase() === given)
        if (command === undefined) {
          const all = [...targets.values()].flatMap(({ name, takes }) => takes.map((one) => `${name}.${one}`))
          faults.push({
            path: `${place}/on/${n}`,
            message:
              known === undefined
                ? `there is no module "${module}"`
                : known.length === 0
                  ? `"${module}" is no module that takes commands`
                  : `"${module}" takes ${known.join(', ')}`,
            value: wanted,
            allowed: all,
          })
          continue
        }
        const key = `${module}.${command}`.toLowerCase()
        const scl = `#${sequence.name}.step = #${stepConstant(sequence, step)}`
        const list = found.get(key)
        if (list) list.push(scl)
        else found.set(key, [scl])
      }
      for (const [n, { to }] of (step.next ?? []).entries()) {
        if (to === undefined || names.some((name) => name.toLowerCase() === to.toLowerCase())) continue
        const near = nearest(to, names)
        faults.push({
          path: `${place}/next/${n}/to`,
          message: `there is no step "${to}"${near ? `; did you mean "${near}"?` : ''}`,
          value: to,
          allowed: names,
        })
      }
      const always = (step.next ?? []).findIndex(({ when, after }) => when === undefined && after === undefined)
      if (always >= 0 && always < (step.next ?? []).length - 1)
        faults.push({ path: `${place}/next/${always}`, message: 'is always taken: the ways behind it never are' })
    }
  }
  return found
}
