/** Supervisions (ProDiag) that are set by an operation: as they are kept, and what is wrong with them. */
import { defined, type Fault, nearest, type QueryContext } from '../../core/index.ts'
import { blocksOf } from '../blocks/index.ts'
import type { Device } from '../devices/index.ts'
import { type AlarmTexts, type DefinedSupervision, supervisionKey } from '../simulation/index.ts'
import { typesOf } from '../types/index.ts'

/** As a client gives it. */
export interface GivenSupervision {
  readonly block?: string | undefined
  readonly dataType?: string | undefined
  readonly number?: number | undefined
  readonly type?: string | undefined
  readonly operand: string
  readonly status?: boolean | undefined
  readonly delay?: string | undefined
  readonly conditions?: readonly { readonly operand: string; readonly status?: boolean | undefined }[] | undefined
  readonly values?: readonly string[] | undefined
  readonly category?: number | undefined
  readonly alarmClass?: string | undefined
  readonly text?: AlarmTexts | undefined
}

/** A supervision with all that was left out. */
export function definedSupervision(given: GivenSupervision): DefinedSupervision {
  const { block, dataType, number = 1, type = 'Operand', operand, status = true, delay = '' } = given
  const { conditions = [], values = [], category = 1, alarmClass, text = {} } = given
  return {
    ...defined({ block, dataType, alarmClass }),
    ...{ number: String(number), type, operand: operand.trim(), status, delay: delay.trim() },
    conditions: conditions.map((one) => ({ operand: one.operand.trim(), status: one.status ?? true })),
    category: String(category),
    values: values.map((one) => one.trim()),
    text,
  }
}

/** What is wrong with supervisions, by their places in the input. @param classes names by the same in lower case */
export function supervisionFaults(
  ctx: Pick<QueryContext, 'read'>,
  device: Pick<Device, 'id' | 'name'>,
  all: readonly DefinedSupervision[],
  classes: ReadonlyMap<string, string>,
): Fault[] {
  if (all.length === 0) return []
  const blocks = new Map(
    blocksOf(ctx, device.id).flatMap(({ name, kind }) => (kind === 'FB' ? [[name.toLowerCase(), name] as const] : [])),
  )
  const types = new Map(typesOf(ctx, device.id).map(({ name }) => [name.toLowerCase(), name] as const))
  const seen = new Map<string, number>()
  return all.flatMap((one, i): Fault[] => {
    const at = `/supervisions/${i}`
    const { block, dataType, operand, alarmClass } = one
    const found: Fault[] = []
    const missing = (path: string, name: string, what: string, known: ReadonlyMap<string, string>) => {
      if (known.has(name.toLowerCase())) return
      const near = nearest(name, [...known.values()])
      const hint = near === undefined ? '' : `; did you mean "${near}"?`
      found.push({ path: `${at}/${path}`, message: `"${device.name}" has no ${what} "${name}"${hint}`, value: name })
    }
    if (block !== undefined && dataType !== undefined)
      found.push({ path: `${at}/dataType`, message: 'cannot be given beside block' })
    if (block !== undefined) missing('block', block, 'function block', blocks)
    if (dataType !== undefined) missing('dataType', dataType, 'PLC data type', types)
    const isInside = block !== undefined || dataType !== undefined
    if (isInside !== operand.startsWith('#'))
      found.push({
        path: `${at}/operand`,
        message: isInside
          ? 'must be a member of the block or data type, with #: #late'
          : 'must be a tag or a member of a data block; members of function blocks need block',
        value: operand,
      })
    const inner = [one.delay, ...one.conditions.map((condition) => condition.operand), ...one.values]
    if (!isInside && inner.some((text) => text.startsWith('#')))
      found.push({ path: at, message: 'operands with # need block or dataType' })
    if (alarmClass !== undefined && !classes.has(alarmClass.toLowerCase()))
      found.push({
        path: `${at}/alarmClass`,
        message: `there is no class "${alarmClass}"`,
        value: alarmClass,
        allowed: [...classes.values()],
      })
    const key = supervisionKey(one)
    const before = seen.get(key)
    if (before !== undefined)
      found.push({ path: `${at}/number`, message: `is that of /supervisions/${before} too`, value: Number(one.number) })
    seen.set(key, i)
    return found
  })
}
