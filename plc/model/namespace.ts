/** Namespaces of blocks: an attribute of the block, whose name stays the bare one. */

import type { ImportedObject } from './object.ts'

/** Attribute of a block, as SimaticML calls it. */
export const NAMESPACE_ATTRIBUTE = 'Namespace'

/** The namespace that an object is in; '' for the root. */
export function namespaceOf({ attributes }: Pick<ImportedObject, 'attributes'>): string {
  return attributes.find(({ name }) => name === NAMESPACE_ATTRIBUTE)?.value ?? ''
}
