/**
 * Applies the rows of an exchange file to the tag tables of a PLC: all rows are checked first, then all tables change
 * together.
 */
import { isDeepStrictEqual } from 'node:util'
import { type CommandContext, defined, type Fault, mostFaults, problem } from '../../../core/index.ts'
import type { Device } from '../../devices/index.ts'
import { findSymbol, nameFault } from '../../program-objects/index.ts'
import { addressFault, normalizedAddress } from '../addresses.ts'
import { constantFault } from '../constant-value.ts'
import { DataTypes } from '../data-types.ts'
import { overlapWarnings } from '../overlap-warnings.ts'
import {
  type Constant,
  findTagTable,
  type Tag,
  type TagTable,
  type Text,
  tagTableCollection,
  tagTableCreated,
  tagTableFolders,
  tagTableMoved,
  tagTableReplaced,
  tagTablesOf,
} from '../tag-table.ts'
import {
  type ConstantRow,
  type ExchangeContent,
  maxFaults,
  RowFaults,
  type RowPlace,
  requestRows,
  type TagRow,
} from './content.ts'
import { readingPercent } from './tables.task.ts'

/** Options of {@link applyRows}. */
export interface ApplyOptions {
  /** Table of rows that do not name one; it is created when it does not exist. */
  readonly tableName: string
  /** All rows go to `tableName`, also those that name another table; a warning says which. */
  readonly ignorePath: boolean
  /** True: rows change existing tags and constants. False: such a row is a fault. */
  readonly overwrite: boolean
  /** True: correct rows are applied although others have faults. */
  readonly continueOnError: boolean
  /** Language of comments without one. */
  readonly culture: string
}

/** The result for one table. */
export interface AppliedTable {
  readonly name: string
  readonly folder: string
  readonly action: 'created' | 'changed' | 'unchanged'
  /** Number of its tags and constants that were created or changed; `constants` likewise. */
  readonly tags: number
  readonly constants: number
}

/** The result of applying rows. */
export interface Applied {
  /** Number of tags and constants that were created or changed. */
  readonly imported: number
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  /** Number of rows with faults. */
  readonly failed: number
  readonly tables: readonly AppliedTable[]
  readonly errors: readonly Fault[]
  readonly omittedErrors: number
  readonly warnings: readonly string[]
}

/** A table after the change. Rows by name in lower case, in the order of the table. */
interface Plan {
  readonly before: TagTable | undefined
  readonly name: string
  folder: string | undefined
  readonly tags: Map<string, Tag>
  readonly constants: Map<string, Constant>
  changedTags: number
  changedConstants: number
}

type Kind = 'tag' | 'constant'

/** A warning names at most this many tables. */
const mostNames = 10

/** Who has a name: a row of a table, or of the file. */
interface Holder {
  readonly kind: Kind
  readonly plan: Plan | undefined
  readonly tableName: string
  /** Position in the file of the row that introduced it. */
  readonly place?: RowPlace
}

/**
 * Applies rows to tag tables.
 * @param path name of the file in faults
 * @throws GatewayError `unacceptable_content` with all faulty rows (up to `maxFaults`), unless `continueOnError`
 */
export async function applyRows(
  ctx: CommandContext,
  device: Device,
  content: ExchangeContent,
  options: ApplyOptions,
  path: string,
): Promise<Applied> {
  return new Import(ctx, device, options, nameFault).run(content, path)
}

class Import {
  readonly #ctx: CommandContext
  readonly #device: Device
  readonly #options: ApplyOptions
  readonly #nameFault: (name: string) => string | undefined
  readonly #types: DataTypes
  readonly #faults = new RowFaults()
  readonly #plans = new Map<string, Plan>()
  readonly #holders = new Map<string, Holder>()
  /** Tables that rows name and do not go to, by name in lower case; and how many such rows there are. */
  readonly #passed = new Map<string, string>()
  #passedRows = 0
  readonly #counts = { created: 0, updated: 0, unchanged: 0, failed: 0 }

  constructor(
    ctx: CommandContext,
    device: Device,
    options: ApplyOptions,
    nameFault: (name: string) => string | undefined,
  ) {
    this.#ctx = ctx
    this.#device = device
    this.#options = options
    this.#nameFault = nameFault
    this.#types = new DataTypes(ctx, device)
    for (const table of tagTablesOf(ctx, device.id)) {
      const { name: tableName } = table
      for (const { name } of table.tags)
        this.#holders.set(name.toLowerCase(), { kind: 'tag', plan: undefined, tableName })
      for (const { name } of table.constants)
        this.#holders.set(name.toLowerCase(), { kind: 'constant', plan: undefined, tableName })
    }
  }

  async run(content: ExchangeContent, path: string): Promise<Applied> {
    const rows = content.tags.length + content.constants.length
    let done = 0
    const step = async () => {
      if (++done % 1000 !== 0) return
      this.#ctx.signal.throwIfAborted()
      this.#ctx.progress(readingPercent + ((95 - readingPercent) * done) / rows, `Checked ${done} of ${rows} rows`)
      // Lets other requests run.
      await new Promise((resolve) => setImmediate(resolve))
    }
    for (const { place, table, folder } of content.tables)
      if (this.#goesTo(table)) this.#planOf(place, { table, ...defined({ folder }) })
      else this.#passed.set(table.toLowerCase(), table)
    for (const row of content.tags) {
      await this.#tag(row)
      await step()
    }
    for (const row of content.constants) {
      await this.#constant(row)
      await step()
    }
    const errors = [...content.faults, ...this.#faults.faults].map((fault) => ({ file: path, ...fault }))
    const omitted = content.omitted + this.#faults.omitted
    if (errors.length > 0 && !this.#options.continueOnError) throw refusal(path, errors, omitted)
    const tables = [...this.#plans.values()].map((plan) => this.#store(plan))
    const { created, updated, unchanged, failed } = this.#counts
    return {
      imported: created + updated,
      created,
      updated,
      unchanged,
      failed: failed + content.failed,
      tables,
      errors: errors.slice(0, maxFaults),
      omittedErrors: omitted + Math.max(0, errors.length - maxFaults),
      warnings: [...content.warnings, ...this.#passedTables(), ...this.#overlaps()],
    }
  }

  async #tag(row: TagRow): Promise<void> {
    const place = await this.#place(row, 'tag')
    if (!place) return
    const { plan, key, before } = place
    const dataType = await this.#dataType(row, before?.dataType ?? 'Bool')
    if (dataType === undefined) return
    const logicalAddress =
      row.logicalAddress === undefined
        ? ((before as Tag | undefined)?.logicalAddress ?? '')
        : normalizedAddress(row.logicalAddress)
    const isSame = before && (before as Tag).logicalAddress === logicalAddress && before.dataType === dataType
    const wrong = isSame ? undefined : addressFault(logicalAddress, dataType)
    if (wrong !== undefined)
      return this.#fault(row, 'logicalAddress', `the address ${wrong}`, row.logicalAddress ?? logicalAddress)
    const old = before as Tag | undefined
    const tag: Tag = {
      ...old,
      name: row.name,
      dataType,
      logicalAddress,
      comment: this.#comment(row, old?.comment ?? {}),
      externalAccessible: row.externalAccessible ?? old?.externalAccessible ?? true,
      externalVisible: row.externalVisible ?? old?.externalVisible ?? true,
      externalWritable: row.externalWritable ?? old?.externalWritable ?? true,
      ...renamed(old, row.name),
    }
    if (!this.#count(old, tag)) return
    plan.tags.set(key, tag)
    plan.changedTags += 1
  }

  async #constant(row: ConstantRow): Promise<void> {
    const place = await this.#place(row, 'constant')
    if (!place) return
    const { plan, key } = place
    const old = place.before as Constant | undefined
    const dataType = await this.#dataType(row, old?.dataType ?? 'Int')
    if (dataType === undefined) return
    const value = row.value ?? old?.value ?? ''
    const isSame = old && old.value === value && old.dataType === dataType
    const wrong = isSame ? undefined : constantFault(value, dataType)
    if (wrong !== undefined) return this.#fault(row, 'value', `the value ${wrong}`, value)
    const constant: Constant = {
      ...old,
      name: row.name,
      dataType,
      value,
      comment: this.#comment(row, old?.comment ?? {}),
      ...renamed(old, row.name),
    }
    if (!this.#count(old, constant)) return
    plan.constants.set(key, constant)
    plan.changedConstants += 1
  }

  /** Checks the name of a row and finds its table and the row to change; undefined when there is a fault. */
  async #place(row: TagRow | ConstantRow, kind: Kind) {
    const wrong = this.#nameFault(row.name)
    if (wrong !== undefined) return this.#fault(row, 'name', `the name ${wrong}`, row.name)
    if (row.table !== undefined && !this.#goesTo(row.table)) {
      this.#passed.set(row.table.toLowerCase(), row.table)
      this.#passedRows += 1
    }
    const plan = this.#planOf(row.place, row)
    if (!plan) {
      this.#counts.failed += 1
      return undefined
    }
    const key = row.name.toLowerCase()
    const holder = this.#holders.get(key)
    if (holder?.place)
      return this.#fault(
        row,
        'name',
        `"${row.name}" stands twice in the file, first ${placeText(holder.place)}`,
        row.name,
      )
    if (holder && (holder.kind !== kind || holder.tableName.toLowerCase() !== plan.name.toLowerCase()))
      return this.#fault(
        row,
        'name',
        `the name "${row.name}" is taken by a ${holder.kind} of table "${holder.tableName}"${this.#pathHint(row, holder)}`,
        row.name,
        { code: 'name_taken' },
      )
    if (holder && !this.#options.overwrite)
      return this.#fault(
        row,
        'name',
        `${kind} "${row.name}" already exists in table "${plan.name}"; send overwrite: true to change it`,
        row.name,
        { code: 'name_taken' },
      )
    const symbol = holder ? undefined : findSymbol(this.#ctx, this.#device, row.name, ['tag', 'constant'])
    if (symbol)
      return this.#fault(
        row,
        'name',
        `the name "${row.name}" is taken by a ${symbol.kind} (${symbol.description})`,
        row.name,
        { code: 'name_taken' },
      )
    this.#holders.set(key, { kind, plan, tableName: plan.name, place: row.place })
    const before = holder ? (kind === 'tag' ? plan.tags : plan.constants).get(key) : undefined
    return { plan, key, before }
  }

  /** Whether rows that name a table go to it. */
  #goesTo(table: string): boolean {
    const { ignorePath, tableName } = this.#options
    return !ignorePath || table.toLowerCase() === tableName.toLowerCase()
  }

  /** The row names the table that its name is taken in. */
  #pathHint({ table }: TagRow | ConstantRow, { tableName }: Holder): string {
    const isThere = table?.toLowerCase() === tableName.toLowerCase()
    return isThere ? ', which its column Path names; send ignorePath: false to follow it' : ''
  }

  /** Says that the file names other tables than the one its rows went to. */
  #passedTables(): string[] {
    if (this.#passed.size === 0) return []
    const names = [...this.#passed.values()]
    const some = names
      .slice(0, mostNames)
      .map((name) => `"${name}"`)
      .join(', ')
    const more = names.length > mostNames ? ` and ${names.length - mostNames} more` : ''
    const rows = this.#passedRows
    const went = `${rows} ${rows === 1 ? 'row' : 'rows'} of them went to "${this.#options.tableName}"`
    return [`the file names other tables (${some}${more}): ${went}; send ignorePath: false to follow its column Path`]
  }

  /** The table that a row goes to. */
  #planOf(place: RowPlace, { table, folder }: { readonly table?: string; readonly folder?: string }): Plan | undefined {
    const isNamed = table !== undefined && this.#goesTo(table)
    const name = isNamed ? table : this.#options.tableName
    const key = name.toLowerCase()
    const known = this.#plans.get(key)
    if (known) {
      if (isNamed && folder !== undefined) known.folder ??= folder
      return known
    }
    const before = findTagTable(this.#ctx, this.#device.id, name)
    const wrong = before ? undefined : this.#nameFault(name)
    if (wrong !== undefined) {
      this.#faults.add(place, place.path === undefined ? 'path' : 'table', `the name of the table ${wrong}`, name)
      return undefined
    }
    const plan: Plan = {
      before,
      name: before?.name ?? name,
      folder: isNamed ? folder : undefined,
      tags: new Map(before?.tags.map((tag) => [tag.name.toLowerCase(), tag])),
      constants: new Map(before?.constants.map((constant) => [constant.name.toLowerCase(), constant])),
      changedTags: 0,
      changedConstants: 0,
    }
    this.#plans.set(key, plan)
    return plan
  }

  async #dataType(row: TagRow | ConstantRow, present: string): Promise<string | undefined> {
    if (row.dataType === undefined || row.dataType === present) return present
    const checked = await this.#types.check(row.dataType)
    if ('dataType' in checked) return checked.dataType
    return this.#fault(row, 'dataType', `"${row.dataType}" ${checked.fault}`, row.dataType)
  }

  /** A text that the row already has in any language changes nothing: sheets show the language that exists. */
  #comment(row: TagRow | ConstantRow, before: Text): Text {
    let comment = before
    for (const [culture, text] of Object.entries(row.comments ?? {})) {
      if (culture === '' && text !== '' && Object.values(before).includes(text)) continue
      const key = culture === '' ? this.#options.culture : culture
      if ((comment[key] ?? '') === text) continue
      const { [key]: _gone, ...others } = comment
      comment = text === '' ? others : { ...comment, [key]: text }
    }
    return comment
  }

  #fault(
    row: TagRow | ConstantRow,
    field: string,
    message: string,
    value?: unknown,
    more: Partial<Fault> = {},
  ): undefined {
    this.#counts.failed += 1
    this.#faults.add(row.place, field, message, value, { name: row.name, ...more })
  }

  /** Counts the result of a row; true when there is something to store. */
  #count(before: Tag | Constant | undefined, after: Tag | Constant): boolean {
    const isSame = isDeepStrictEqual(before, after)
    this.#counts[isSame ? 'unchanged' : before ? 'updated' : 'created'] += 1
    return !isSame
  }

  #store(plan: Plan): AppliedTable {
    const { before, name, changedTags, changedConstants } = plan
    const ctx = this.#ctx
    const device = this.#device
    const entity = tagTableCollection.entityOf(device, name)
    const wanted =
      plan.folder === undefined || plan.folder === '' ? undefined : tagTableFolders.ensure(ctx, device, plan.folder)
    const rows = { tags: [...plan.tags.values()], constants: [...plan.constants.values()] }
    const counts = { tags: changedTags, constants: changedConstants }
    if (!before) {
      const identity = tagTableCollection.identityOf(ctx, device, name, { folder: wanted ?? '' }, undefined)
      ctx.emit(tagTableCreated, { table: { ...identity, isDefault: false, ...rows } }, entity)
      return { name, folder: identity.folder, action: 'created', ...counts }
    }
    const folder = wanted ?? before.folder
    const hasRows = changedTags + changedConstants > 0
    if (hasRows) {
      const { file: _file, isAsDocument: _same, ...kept } = before
      ctx.emit(tagTableReplaced, { table: { ...kept, ...rows, folder, modifiedAt: ctx.now } }, entity)
    } else if (folder !== before.folder) ctx.emit(tagTableMoved, { deviceId: device.id, name, folder }, entity)
    return { name, folder, action: hasRows || folder !== before.folder ? 'changed' : 'unchanged', ...counts }
  }

  #overlaps(): string[] {
    const changed = new Set<string>()
    for (const [key, { kind, place }] of this.#holders) if (place && kind === 'tag') changed.add(key)
    return overlapWarnings(this.#ctx, this.#device, changed)
  }
}

/** The document still contains the row under its first name. */
function renamed(before: Tag | Constant | undefined, name: string): { documentName?: string } {
  const first = before && (before.documentName ?? before.name)
  return first === undefined || first === name ? {} : { documentName: first }
}

function placeText({ sheet, line, path }: RowPlace): string {
  if (path !== undefined) return `at ${path}`
  return `${sheet === undefined ? 'in line' : `in sheet "${sheet}", row`} ${line}`
}

/** The error for a file, or a request with rows, that is refused because of faulty ones. */
function refusal(path: string, errors: readonly Fault[], omitted: number) {
  // Of a request's own rows as many as of any other body; those of a file a person works off one by one.
  const isBody = path === requestRows
  const told = errors.slice(0, isBody ? mostFaults : maxFaults)
  const untold = errors.length + omitted - told.length
  const first = errors[0]!
  const column = first.column === undefined ? '' : `, column ${first.column}`
  const row = first.sheet === undefined ? 'line' : `sheet "${String(first.sheet)}", row`
  const place = first.line === undefined ? first.path : `${row} ${first.line}${column}`
  const all = errors.length + omitted
  const more = all > 1 ? ` (${all} faults)` : ''
  return problem('unacceptable_content', `${path}: ${place}: ${first.message}${more}. Nothing was imported.`, {
    errors: told,
    ...(isBody ? { moreFaults: untold } : {}),
    suggestion: 'Correct the rows, or send continueOnError: true to import those that are right.',
    ...(untold > 0 ? { extra: { omittedErrors: untold } } : {}),
  })
}
