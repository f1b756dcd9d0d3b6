/** Names of types in messages. */
import type { Type } from './type.ts'

/** Returns the name of a type for messages. */
export function typeName(type: Type): string {
  switch (type.kind) {
    case 'scalar':
      return type.name
    case 'string':
      return `${type.isWide ? 'WString' : 'String'}${type.length < 0 ? '' : `[${type.length}]`}`
    case 'dateAndTime':
      return 'Date_And_Time'
    case 'array': {
      const limits = type.dimensions.map(({ low, high }) => (low === undefined ? '*' : `${low}..${high}`))
      return `Array[${limits.join(', ')}] of ${typeName(type.element)}`
    }
    case 'struct':
      return type.name === undefined ? 'Struct' : type.isSystem ? type.name : `"${type.name}"`
    case 'instance':
      return type.isSystem ? type.name : `"${type.name}"`
    case 'reference':
      return `REF_TO ${typeName(type.target)}`
    case 'pointer':
      return type.form
    case 'void':
      return 'Void'
    case 'unknown':
      return type.text
  }
}
