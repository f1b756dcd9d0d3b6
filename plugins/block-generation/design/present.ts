/** What is in a program already, as the generator looks at it. */

import type { CommandContext } from '../../../core/index.ts'
import type { Device } from '../../devices/index.ts'
import { documentOf, programContributor, work } from '../../program-objects/index.ts'

/** Types have no author: those of the library are known by their title. */
export const titleOf = (text: string | undefined): string | undefined =>
  /^\s*TITLE\s*=\s*(.*?)\s*$/m.exec(text ?? '')?.[1]

/** Whether a text says that it was generated. */
export const isGenerated = (text: string): boolean => /^\s*AUTHOR\s*:\s*'?Gantry'?\s*$/m.test(text)

/** A block or type of a PLC: its source text where it has one, and what it is. */
export async function sourceOf(ctx: CommandContext, device: Device, name: string) {
  for (const part of ctx.extensions(programContributor)) {
    const found = part.find?.(ctx, device, name)
    if (found?.stored === undefined || !/^(?:block|type)$/.test(found.category)) continue
    const source = await work(ctx, 'readSourceText', await documentOf(ctx, found.stored), found.stored.size)
    return { text: source?.text, kind: found.stored.kind, instanceOf: found.stored.instanceOf }
  }
  return undefined
}
