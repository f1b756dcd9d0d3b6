/** Tags that come from outside of a program. */
import type { ImportedObject } from '../../plc/model/object.ts'

/** Whether a tag, or an address, is one of an input. */
export function inputTags(objects: readonly ImportedObject[]): (tag: string) => boolean {
  const isInput = (address: string) => /^%?I[BWD]?\d|^%?I\d/i.test(address)
  const names = new Set(
    objects.flatMap(({ tags = [] }) =>
      tags.filter(({ logicalAddress }) => isInput(logicalAddress)).map(({ name }) => name.toLowerCase()),
    ),
  )
  return (tag) => names.has(tag.replace(/^"(.*)"$/, '$1').toLowerCase()) || isInput(tag)
}
