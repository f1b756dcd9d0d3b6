/** Compares two documents by meaning: here when they are small, on the engine when they are large. */
import type { QueryContext } from '../../../core/index.ts'
import type { ComparedObjects } from '../../../plc/edit/compare.ts'
import type { StoredDocument } from '../../../plc/edit/stored-document.ts'
import { taskWork } from './documents.ts'

const compareWork = taskWork(new URL('./compare.task.ts', import.meta.url).href, () => import('./compare.task.ts'))

/**
 * The differences of two documents of an object.
 * @throws GatewayError `unacceptable_content` when one cannot be read
 */
export function compareStored(
  ctx: Pick<QueryContext, 'engine'>,
  left: StoredDocument,
  right: StoredDocument,
): Promise<ComparedObjects> {
  return compareWork(ctx, 'compared', { left, right }, left.text.length + right.text.length)
}
