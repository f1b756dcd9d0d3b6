/** The alarms of a program: every instance of Program_Alarm in its data blocks, with its class. */
import type { ProgramSymbols, TypeNumber } from '../../../plc/program/program-symbols.ts'
import { indexText } from '../../../plc/program/symbol-rows.ts'
import { typesWith } from '../../../plc/program/types-with.ts'
import { pathName } from '../tags/name-path.ts'
import type { AlarmDefinition, AlarmDefinitions } from './alarm-definitions.ts'
import { DefinedAlarms } from './alarm-definitions.ts'
import type { AlarmSource } from './alarm-messages.ts'

const alarmBlock = 'program_alarm'

/** A source with what is defined for it. */
export interface KnownAlarm extends AlarmSource {
  /** Function block that contains the alarm, and its member. */
  readonly block?: string
  readonly member?: string
  readonly definition: AlarmDefinition
  /** Comment of the member. */
  readonly comment: string
}

/** Addresses of data blocks by name in lower case. */
type Places = ReadonlyMap<string, { readonly address: number }>

/** Lists the alarms of a program, in the order of its data blocks. */
export function alarmSources(symbols: ProgramSymbols, places: Places, definitions: AlarmDefinitions): KnownAlarm[] {
  const defined = new DefinedAlarms(definitions)
  const { types } = symbols
  const holds = typesWith(symbols, isAlarm)
  const found: KnownAlarm[] = []
  const add = (name: string, address: number, block: string | undefined, member: string, comment: string) => {
    const definition = defined.of(name, block, member)
    const { name: alarmClass, needsAcknowledgement } = defined.classOf(definition)
    const of = { ...(block === undefined ? {} : { block }), ...(member === '' ? {} : { member }) }
    found.push({ id: found.length + 1, name, address, alarmClass, needsAcknowledgement, ...of, definition, comment })
  }
  /** @param block the function block around, and the path of the value inside it */
  const walk = (
    number: TypeNumber,
    path: string,
    address: number,
    block: string | undefined,
    inside: string,
    comment = '',
  ): void => {
    const type = types[number]
    if (!type || !holds(number)) return
    if (type.kind === 'array') {
      const count = type.dimensions.reduce((product, { low, high }) => product * Math.max(0, high - low + 1), 1)
      for (let i = 0; i < count; i++) {
        const index = `[${indexText(type.dimensions, i)}]`
        walk(type.element, path + index, address + i * type.stride, block, inside + index, comment)
      }
    } else if (type.kind === 'struct') {
      if (isAlarm(type.name)) {
        add(path, address, block, inside, comment)
        return
      }
      const isBlock = type.name !== undefined && functionBlocks.has(type.name.toLowerCase())
      const around = isBlock ? type.name : block
      const begin = isBlock || inside === '' ? '' : `${inside}.`
      for (const { type: own, name, byte, comment: said } of type.members)
        walk(own, `${path}.${pathName(name)}`, address + byte, around, begin + name, said)
    }
  }
  const functionBlocks = new Set(
    symbols.codeBlocks.flatMap(({ name, kind }) => (kind === 'FB' ? [name.toLowerCase()] : [])),
  )
  for (const { name, type, instanceOf } of symbols.dataBlocks) {
    const place = places.get(name.toLowerCase())
    if (!place) continue
    if (isAlarm(instanceOf)) add(`"${name}"`, place.address, undefined, '', '')
    else walk(type, `"${name}"`, place.address, instanceOf, '')
  }
  return found
}

function isAlarm(name: string | undefined): boolean {
  return name?.toLowerCase() === alarmBlock
}
