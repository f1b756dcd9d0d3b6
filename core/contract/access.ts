/** Who calls, and what they may do. */

/**
 * Access levels of API keys, each including the ones before it. `operator` is needed for writes to a running
 * controller.
 */
export const accessLevels = ['viewer', 'engineer', 'operator', 'admin'] as const
export type Access = (typeof accessLevels)[number]

/** The caller. */
export interface Actor {
  /**
   * Name of the API key, with the client's `X-Client-Id` after a slash when it sent one; `system` for the gateway
   * itself.
   */
  readonly name: string
  readonly access: Access
}

/** The name of the client program in an actor's name (`<key>/<client>/<version>`), if it sent one. */
export function applicationOf(actorName: string): string | undefined {
  return actorName.split('/')[1] || undefined
}

/** The gateway itself, for actions without a request. */
export const systemActor: Actor = { name: 'system', access: 'admin' }
