/** Tags and constants as JSON: lists of rows, or tables with their rows. Several spellings of fields are accepted. */
import { defined, nearest, problem } from '../../../core/index.ts'
import { findJsonFault } from '../../../lib/json-fault.ts'
import {
  type ConstantRow,
  type ExchangeContent,
  maxRows,
  type RowFaults,
  type RowPlace,
  splitPath,
  type TableRow,
  type TagRow,
  tooManyRows,
} from './content.ts'

/** Accepted spellings of a row's fields, with either case of the first letter. `''`: known, but ignored. */
const rowFields: Readonly<Record<string, string>> = {
  name: 'name',
  tagName: 'name',
  constantName: 'name',
  dataType: 'dataType',
  dataTypeName: 'dataType',
  type: 'dataType',
  logicalAddress: 'logicalAddress',
  address: 'logicalAddress',
  value: 'value',
  comment: 'comment',
  comments: 'comment',
  externalAccessible: 'externalAccessible',
  hmiAccessible: 'externalAccessible',
  externalVisible: 'externalVisible',
  hmiVisible: 'externalVisible',
  externalWritable: 'externalWritable',
  hmiWriteable: 'externalWritable',
  hmiWritable: 'externalWritable',
  tableName: 'table',
  tagTableName: 'table',
  tagTable: 'table',
  table: 'table',
  path: 'path',
  folder: 'folder',
  folderPath: 'folder',
  kind: 'kind',
}
const tableFields: Readonly<Record<string, string>> = {
  name: 'name',
  tableName: 'name',
  folder: 'folder',
  folderPath: 'folder',
  tags: 'tags',
  constants: 'constants',
  userConstants: 'constants',
  isDefault: '',
  isFolder: '',
  tagCount: '',
  constantCount: '',
  createdAt: '',
  modifiedDate: '',
}
const rootFields: Readonly<Record<string, string>> = {
  tags: 'tags',
  constants: 'constants',
  userConstants: 'constants',
  tagTables: 'tables',
  tables: 'tables',
  total: '',
  nextCursor: '',
}

type Fields = Record<string, unknown>

/** Reads a JSON value: `{ tags, constants, tagTables: [{ name, folder, tags, constants }] }`, or a list of tags. */
export function readJson(value: unknown, faults: RowFaults): ExchangeContent {
  return new JsonReader(faults).read(value)
}

/** @throws GatewayError `unacceptable_content` when the text is not JSON */
export function parseJson(text: string): unknown {
  const fault = findJsonFault(text)
  if (fault === undefined) return JSON.parse(text)
  const { line, column, message } = fault
  throw problem('unacceptable_content', `The file is not JSON: line ${line}, column ${column}: ${message}.`, {
    errors: [{ line, column, message }],
  })
}

class JsonReader {
  readonly #faults: RowFaults
  readonly #tags: TagRow[] = []
  readonly #constants: ConstantRow[] = []
  readonly #tables: TableRow[] = []
  #system = 0

  constructor(faults: RowFaults) {
    this.#faults = faults
  }

  read(value: unknown): ExchangeContent {
    if (Array.isArray(value)) this.#rows(value, '', 'tags', {})
    else {
      const root = this.#fields(value, '', rootFields)
      if (root) {
        for (const [i, one] of this.#list(root.tables, '/tagTables').entries()) this.#table(one, `/tagTables/${i}`)
        this.#rows(this.#list(root.tags, '/tags'), '/tags', 'tags', {})
        this.#rows(this.#list(root.constants, '/constants'), '/constants', 'constants', {})
      }
    }
    const { faults, omitted, failed } = this.#faults
    return {
      tags: this.#tags,
      constants: this.#constants,
      tables: this.#tables,
      faults,
      omitted,
      failed,
      warnings: this.#system > 0 ? [`${this.#system} system constants come from the hardware; they were left out`] : [],
    }
  }

  #table(value: unknown, at: string): void {
    this.#faults.begin()
    const fields = this.#fields(value, at, tableFields)
    if (!fields) return
    const place = { path: at }
    const name = this.#text(fields, 'name', place)?.trim() ?? ''
    if (name === '') {
      this.#faults.add(place, 'name', 'the name of the table is missing', fields.name)
      return
    }
    const folder = this.#text(fields, 'folder', place)
    const into = { table: name, ...defined({ folder }) }
    this.#tables.push({ place, ...into })
    this.#rows(this.#list(fields.tags, `${at}/tags`), `${at}/tags`, 'tags', into)
    this.#rows(this.#list(fields.constants, `${at}/constants`), `${at}/constants`, 'constants', into)
  }

  #rows(list: readonly unknown[], at: string, kind: 'tags' | 'constants', into: { table?: string; folder?: string }) {
    for (const [i, value] of list.entries()) {
      if (this.#tags.length + this.#constants.length >= maxRows) throw tooManyRows()
      this.#row(value, `${at}/${i}`, kind, into)
    }
  }

  #row(value: unknown, at: string, kind: 'tags' | 'constants', into: { table?: string; folder?: string }): void {
    this.#faults.begin()
    const place: RowPlace = { path: at }
    const fields = this.#fields(value, at, rowFields)
    if (!fields) return
    if (kind === 'constants' && fields.kind === 'system') {
      this.#system += 1
      return
    }
    const text = (field: string) => this.#text(fields, field, place)?.trim()
    const name = text('name') ?? ''
    if (name === '') this.#faults.add(place, 'name', 'the name is missing', fields.name)
    for (const foreign of kind === 'tags'
      ? ['value']
      : ['logicalAddress', 'externalAccessible', 'externalVisible', 'externalWritable'])
      if (fields[foreign] !== undefined)
        this.#faults.add(
          place,
          foreign,
          kind === 'tags' ? 'a tag has no value; constants have' : 'a constant has none; tags have',
          fields[foreign],
        )
    const path = splitPath(text('path') ?? '')
    const table = text('table') ?? path.table ?? into.table
    const folder = text('folder') ?? path.folder ?? into.folder
    const dataType = text('dataType')
    const comments = this.#comments(fields.comment, place)
    const row = {
      place,
      name,
      ...(table === undefined || table === '' ? {} : { table }),
      ...defined({ folder, dataType, comments }),
    }
    if (kind === 'constants') {
      const given = fields.value === undefined ? undefined : this.#text(fields, 'value', place)?.trim()
      if (this.#faults.isRight) this.#constants.push({ ...row, ...defined({ value: given }) })
      return
    }
    const logicalAddress = text('logicalAddress')
    const flags: Record<string, boolean> = {}
    for (const field of ['externalAccessible', 'externalVisible', 'externalWritable']) {
      const flag = fields[field]
      if (typeof flag === 'boolean') flags[field] = flag
      else if (flag !== undefined && flag !== null) this.#faults.add(place, field, 'must be true or false', flag)
    }
    if (this.#faults.isRight) this.#tags.push({ ...row, ...defined({ logicalAddress }), ...flags })
  }

  #comments(value: unknown, place: RowPlace): Record<string, string> | undefined {
    if (value === undefined || value === null) return undefined
    if (typeof value === 'string') return { '': value }
    if (
      typeof value === 'object' &&
      !Array.isArray(value) &&
      Object.values(value).every((one) => typeof one === 'string')
    )
      return value as Record<string, string>
    this.#faults.add(place, 'comment', 'must be text, or texts by culture: { "en-US": "…" }', value)
    return undefined
  }

  #text(fields: Fields, field: string, place: RowPlace): string | undefined {
    const value = fields[field]
    if (value === undefined || value === null) return undefined
    if (typeof value === 'string') return value
    if (typeof value === 'number' || typeof value === 'boolean') return String(value)
    this.#faults.add(place, field, 'must be text', value)
    return undefined
  }

  #list(value: unknown, at: string): readonly unknown[] {
    if (value === undefined || value === null) return []
    if (Array.isArray(value)) return value
    this.#faults.begin()
    this.#faults.add({ path: at }, undefined, 'must be a list', value)
    return []
  }

  /** The fields of an object under their standard names; unknown ones are faults. */
  #fields(value: unknown, at: string, known: Readonly<Record<string, string>>): Fields | undefined {
    if (value === null || typeof value !== 'object' || Array.isArray(value)) {
      this.#faults.add({ path: at }, undefined, 'must be an object', value)
      return undefined
    }
    const fields: Fields = {}
    for (const [key, one] of Object.entries(value)) {
      const spelling = key.charAt(0).toLowerCase() + key.slice(1)
      const field = Object.hasOwn(known, spelling) ? known[spelling] : undefined
      if (field === undefined) {
        const near = nearest(key, Object.keys(known))
        const hint =
          near === undefined
            ? `known: ${[...new Set(Object.values(known))].filter((name) => name !== '').join(', ')}`
            : `did you mean "${near}"?`
        this.#faults.add({ path: `${at}/${key}` }, undefined, `unknown property (${hint})`, undefined, {
          code: 'unknown_property',
        })
      } else if (field !== '') fields[field] = one
    }
    return fields
  }
}
