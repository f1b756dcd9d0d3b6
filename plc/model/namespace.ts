/** Namespaces of blocks: an attribute of the block, whose name does not include it. */

import type { ImportedObject } from './object.ts'

/** Name of the attribute in SimaticML. */
export const namespaceAttributeName = 'Namespace'

/** The namespace that an object is in; '' for the root. */
export function namespaceOf({ attributes }: Pick<ImportedObject, 'attributes'>): string {
  return attributes.find(({ name }) => name === namespaceAttributeName)?.value ?? ''
}
