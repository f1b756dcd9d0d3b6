/** Supervisions (ProDiag) of the blocks and PLC data types that a download loads. */
import { readSupervisions } from '../../plc/formats/simaticml/supervisions.ts'
import type { DefinedSupervision } from '../simulation/index.ts'
import type { ProgramItem } from './program-objects.ts'

/** Reads the supervisions of function blocks and PLC data types. @param texts documents by hash */
export function supervisionsOf(
  items: readonly ProgramItem[],
  texts: ReadonlyMap<string, Uint8Array>,
): DefinedSupervision[] {
  return items.flatMap(({ category, kind, name, record }) => {
    if ((category !== 'block' || kind !== 'FB') && category !== 'type') return []
    const { document } = record as { readonly document?: string }
    const text = Buffer.from(texts.get(document ?? '') ?? []).toString('utf8')
    if (!/<(BlockType|PLCDataType)Supervision[ >]/.test(text)) return []
    const place = category === 'type' ? { dataType: name } : { block: name }
    return readSupervisions(text).flatMap((one): DefinedSupervision[] => {
      if (!one.isOfType || one.operand === '') return []
      const { number, type, delay, category: group } = one
      const inside = (name: string) => (category === 'type' ? memberOperand(name) : name)
      const operand = inside(one.operand)
      const values = one.values.map(inside)
      return [
        {
          ...place,
          ...(one.name === '' ? {} : { name: one.name }),
          ...{ number, type, operand, delay: inside(delay), category: group, values },
          status: isTrue(one.status),
          conditions: one.conditions.map((condition) => ({
            operand: inside(condition.operand),
            status: isTrue(condition.status),
          })),
          text: Object.fromEntries(
            Object.entries(one.texts).map(([culture, words]) => [culture, words.replace(/\{([1-3])\}/g, '@$1%s@')]),
          ),
        },
      ]
    })
  })
}

/** Operands of a PLC data type are its members; some exports have them without `#` [A]. */
function memberOperand(name: string): string {
  return name === '' || /^[#"%]|^(T|TIME)#/i.test(name) ? name : `#${name}`
}

function isTrue(text: string | undefined): boolean {
  return text === undefined || /^(true|1)$/i.test(text.trim())
}
