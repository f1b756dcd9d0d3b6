/**
 * Changes of resources for clients that watch them: by `resources/subscribe` in sessions (until MCP 2025-11-25), by
 * `subscriptions/listen` since 2026-07-28, where the SDK keeps the streams and filters.
 */
import type { Server } from '@modelcontextprotocol/server'
import type { LogRecord } from '../../store/index.ts'
import { resourceChanges } from '../contract/resource-change.ts'
import type { Gateway } from '../gateway.ts'
import type { ActiveJob } from '../log/active-job.ts'
import { jobUri } from './results.ts'

/** Most resources that one session watches. */
const mostWatched = 1000

/**
 * Calls `changed` with the URI of each resource that changes.
 * @param isHeard whether anybody listens: records are frequent, and are looked at only then
 * @returns ends it
 */
export function watchResources(
  { bus, registry, state }: Gateway,
  changed: (uri: string) => void,
  isHeard: () => boolean = () => true,
): () => void {
  const owners = registry.extensions(resourceChanges)
  const onJob = ({ jobId }: ActiveJob) => isHeard() && changed(jobUri(jobId))
  const onRecords = (records: readonly LogRecord[]) => {
    if (!isHeard()) return
    for (const record of records)
      for (const of of owners) {
        const uri = of(record, state.read)
        if (uri !== undefined) changed(uri)
      }
  }
  bus.on('job', onJob)
  bus.on('records', onRecords)
  return () => {
    bus.off('job', onJob)
    bus.off('records', onRecords)
  }
}

/** Serves `resources/subscribe` and `resources/unsubscribe` of one session. */
export function takeSubscriptions(server: Server, gateway: Gateway): void {
  const watched = new Set<string>()
  let end: (() => void) | undefined
  const stop = () => {
    end?.()
    end = undefined
  }
  server.setRequestHandler('resources/subscribe', ({ params: { uri } }) => {
    if (watched.size < mostWatched) watched.add(uri)
    end ??= watchResources(gateway, (changed) => {
      // A client that is gone has no stream any more; the end of its session ends this.
      if (watched.has(changed)) server.sendResourceUpdated({ uri: changed }).catch(() => {})
    })
    return {}
  })
  server.setRequestHandler('resources/unsubscribe', ({ params: { uri } }) => {
    watched.delete(uri)
    if (watched.size === 0) stop()
    return {}
  })
  server.onclose = stop
}
