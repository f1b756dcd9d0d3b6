/** Supervisions (ProDiag) of the blocks that a download loads. */
import { readSupervisions } from '../../plc/formats/simaticml/supervisions.ts'
import type { DefinedSupervision } from '../simulation/index.ts'
import type { ProgramItem } from './program-objects.ts'

/** Reads the supervisions of function blocks. @param texts documents by hash */
export function supervisionsOf(
  items: readonly ProgramItem[],
  texts: ReadonlyMap<string, Uint8Array>,
): DefinedSupervision[] {
  return items.flatMap(({ category, kind, name, record }) => {
    if (category !== 'block' || kind !== 'FB') return []
    const { document } = record as { readonly document?: string }
    const text = Buffer.from(texts.get(document ?? '') ?? []).toString('utf8')
    if (!text.includes('BlockTypeSupervision')) return []
    return readSupervisions(text).flatMap((one): DefinedSupervision[] => {
      if (!one.isOfType || one.operand === '') return []
      const { number, type, operand, delay, category: group, values } = one
      return [
        {
          ...{ block: name, number, type, operand, delay, category: group, values },
          status: isTrue(one.status),
          conditions: one.conditions.map((condition) => ({ ...condition, status: isTrue(condition.status) })),
          text: Object.fromEntries(
            Object.entries(one.texts).map(([culture, words]) => [culture, words.replace(/\{([1-3])\}/g, '@$1%s@')]),
          ),
        },
      ]
    })
  })
}

function isTrue(text: string | undefined): boolean {
  return text === undefined || /^(true|1)$/i.test(text.trim())
}
