/** Templates and parameters of an element of a rung. */

import type { TemplateValue } from '../../model/instance.ts'
import type { CallParameter } from '../../model/logic-network.ts'
import type { InterfaceSection } from '../../model/object.ts'
import type { Instruction } from './instructions.ts'
import type { Element } from './rung-syntax.ts'

/** Splits `SrcType := Int` or `[SrcType := Int, DestType := Real]` into entries. */
export function templateEntries(value: string): [string, string][] {
  const list = value.trim().replace(/^\[(.*)\]$/s, '$1')
  return list
    .split(',')
    .map((entry) => entry.split(':='))
    .map(([name = '', type = '']): [string, string] => [name.trim(), type.trim()])
    .filter(([name]) => name !== '')
}

/** Converts attributes of an instruction other than `S7_…`: counts, relations, types. */
export function otherTemplate(name: string, value: string): TemplateValue {
  const type = /^\d+$/.test(value) ? 'Cardinality' : /^[=<>]+$/.test(value) ? 'Operation' : 'Type'
  return { name, type, value }
}

/** Returns the highest number of the counted pins; the first input of `A`, `O`, `X` is the rung itself. */
export function countedPins(element: Element, entry: Instruction): number {
  const numbered = entry.pins.find(({ from }) => from !== undefined)
  let count = numbered?.from === 2 ? 1 : 0
  for (const { name } of element.arguments) {
    const number = name === undefined ? undefined : /(\d+)$/.exec(name)?.[1]
    if (number !== undefined && Number(number) < 10_000) count = Math.max(count, Number(number))
  }
  return Math.max(count, 1)
}

export function parametersOf(element: Element): CallParameter[] {
  return element.arguments
    .filter(({ name }) => name !== undefined)
    .map(({ name, arrow }) => ({ name: name as string, section: arrow ? 'Output' : 'Input' }))
}

export function declaredParameters(sections: readonly InterfaceSection[]): CallParameter[] {
  const parameters: CallParameter[] = []
  for (const { section, members } of sections) {
    if (section !== 'Input' && section !== 'Output' && section !== 'InOut' && section !== 'Return') continue
    for (const { name, dataType, attributes } of members)
      if (!attributes.some((one) => one.name === 'At') && !(section === 'Return' && /^Void$/i.test(dataType)))
        parameters.push({ name, section, type: dataType })
  }
  return parameters
}
