/** Plugins as listeners of the bus: their operations handle commands, their hooks join them. */
import { wildcard } from '../../lib/wildcard.ts'
import type { Bus } from '../contract/bus.ts'
import type { CommandContext } from '../contract/context.ts'
import type { OperationCall } from '../contract/operation-call.ts'
import type { Plugin } from '../contract/plugin.ts'

/** Makes a plugin's operations and hooks listen to the bus. */
export function listen({ operations = [], hooks = [] }: Pick<Plugin, 'operations' | 'hooks'>, bus: Bus): void {
  for (const operation of operations) {
    if (operation.kind !== 'stream')
      bus.on(`command:${operation.id}`, (call) =>
        call.handle((input, ctx) => operation.run(input, ctx as CommandContext)),
      )
  }
  for (const hook of hooks) {
    const matches = wildcard(hook.on)
    const join = (call: OperationCall) => {
      if (matches(call.operation.id)) call.join(hook)
    }
    bus.on('command', join)
    bus.on('query', join)
  }
}
