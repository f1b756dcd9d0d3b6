/** What was done to controllers by way of tables, for the audit; nothing is folded from it. */
import { domainEvent } from '../../../core/index.ts'

/** Where something was done, and by which table. */
interface Place {
  readonly deviceName: string
  readonly instance: string
  readonly tableName: string
}

/** Of the rows the first 100. */
interface Rows {
  readonly rows: readonly { readonly operand: string; readonly value: unknown; readonly trigger?: string }[]
  readonly total: number
}

export const rowsModified = domainEvent<Place & Rows>(
  'online.rows-modified',
  'Rows of a watch table were modified once',
)
export const modifyingStarted = domainEvent<Place & Rows>(
  'online.modifying-started',
  'Rows of a watch table are modified with their triggers',
)
export const modifyingStopped = domainEvent<Place>(
  'online.modifying-stopped',
  'A watch table modifies nothing any more',
)
export const forcingStarted = domainEvent<Place & Rows & { readonly replaced: boolean }>(
  'online.forcing-started',
  'Inputs and outputs of a controller are forced',
)
export const forcingStopped = domainEvent<Omit<Place, 'tableName'> & { readonly total: number }>(
  'online.forcing-stopped',
  'The forces of a controller were taken away',
)

export const tableEvents = [rowsModified, modifyingStarted, modifyingStopped, forcingStarted, forcingStopped]
