/** The plugins of a gateway whose rules and formats a task of the engine loads. */
import type { QueryContext } from '../../../core/index.ts'
import { fileFormat } from '../../program-objects/index.ts'
import { reviewRule } from '../rule-point.ts'

/** Folders of the plugins of a gateway that add something here. */
export function gatewayPlugins({ gateway }: Pick<QueryContext, 'gateway'>): string[] {
  const points = new Set([reviewRule.id, fileFormat.id])
  return gateway.plugins
    .filter(({ plugin }) => plugin.extensions?.some(({ point }) => points.has(point)))
    .map(({ folder }) => folder)
}
