/** What Gantry adds of its own to AML files. */
import { guidOf } from '../../plc/formats/aml/guid.ts'
import type { FreeAttribute } from '../../plc/formats/aml/hardware.ts'
import type { DeviceItem } from '../hardware/index.ts'

/**
 * Attribute of a communication interface: its device number in its IO system. CAx has no place for it; others leave it
 * alone.
 */
export const deviceNumberAttribute = 'DeviceNumber'

/** Attribute of an item: its parameters, for which CAx has no place. */
const parametersAttribute = 'Parameters'

type Parameters = NonNullable<DeviceItem['parameters']>

/** Parameters as an attribute of an item. */
export function attributeOfParameters(parameters: Parameters): FreeAttribute {
  const attributes = Object.entries(parameters).map(([name, value]) => {
    const type = typeof value === 'boolean' ? 'xs:boolean' : typeof value === 'number' ? 'xs:double' : 'xs:string'
    return { name, value: String(value), type }
  })
  return { name: parametersAttribute, attributes }
}

/** The parameters among the attributes of an item, and the other attributes. */
export function parametersOf(attributes: readonly FreeAttribute[]): {
  readonly parameters?: Parameters
  readonly others: readonly FreeAttribute[]
} {
  const own = attributes.find(({ name, value }) => name === parametersAttribute && value === undefined)
  if (!own) return { others: attributes }
  const numberOrText = ({ type, value = '' }: FreeAttribute) =>
    type === 'xs:boolean'
      ? value === 'true'
      : type === 'xs:double' && Number.isFinite(Number(value))
        ? Number(value)
        : value
  const parameters = Object.fromEntries((own.attributes ?? []).map((one) => [one.name, numberOrText(one)]))
  return { parameters, others: attributes.filter((one) => one !== own) }
}

/** GUID of the element of a project. */
export function projectGuid(projectId: string): string {
  return guidOf(projectId, 'project')
}
