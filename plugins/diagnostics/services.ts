/** The operations that work on one PLC, by plugin. */
import type { Gateway, Operation } from '../../core/index.ts'
import { accessOf } from '../../core/services.ts'

/** A plugin with operations on PLCs. */
export interface DeviceService {
  readonly name: string
  readonly description: string
  readonly operations: readonly {
    readonly id: string
    readonly title: string
    readonly kind: Operation['kind']
    readonly access: string
  }[]
}

/** True for what works on a PLC; what HMI devices contain has routes of its own, which refuse PLCs. */
const isOfPlc = ({ http }: Operation) =>
  http.some(({ path }) => path.includes('{deviceName}') && !path.includes('{deviceName}/hmi/'))

/** The plugins that have routes below a PLC, in load order, with these operations. */
export function servicesOf({ registry }: Gateway): DeviceService[] {
  return registry.plugins.flatMap(({ name, description = '', operations = [] }) => {
    const own = operations.filter(isOfPlc).map((operation) => {
      const { id, title, kind } = operation
      return { id, title, kind, access: accessOf(operation) }
    })
    return own.length === 0 ? [] : [{ name, description, operations: own }]
  })
}
