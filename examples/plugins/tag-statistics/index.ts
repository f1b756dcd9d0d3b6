/**
 * A complete third-party plugin: counts tags by data type for each tag table of the open project, from the events of
 * the plugin `tags` alone.
 *
 * Copy this folder into a directory that `--plugins-dir` names. It uses nothing but the public surface, which the
 * gateway hands to it; the import is for the type checker and is gone when the file runs.
 */
import type * as Gantry from 'gantry'

/** What is known of one tag table. */
interface TableStatistics {
  readonly deviceId: string
  readonly tableName: string
  /** Data type by tag name, lower case: names are compared without case. */
  readonly types: Readonly<Record<string, string>>
  /** Changes since the counters were reset. */
  readonly changes: number
  /** Milliseconds since the epoch. */
  readonly lastChangedAt: number
}

/** The parts of the events of `tags` that are read here. */
interface TagData {
  readonly name: string
  readonly dataType: string
}
interface InTable {
  readonly deviceId: string
  readonly tableName: string
}
interface TableData {
  readonly deviceId: string
  readonly name: string
  readonly tags: readonly TagData[]
}

export default (gantry: typeof Gantry): Gantry.Plugin => {
  const { collection, command, definePlugin, domainEvent, get, notFound, on, post, query } = gantry

  const tableCreated = domainEvent<{ table: TableData }>('tags.table-created', 'A tag table was created')
  const tableReplaced = domainEvent<{ table: TableData }>('tags.table-replaced', 'A tag table was replaced')
  const tableRenamed = domainEvent<{ deviceId: string; oldName: string; newName: string }>(
    'tags.table-renamed',
    'A tag table was renamed',
  )
  const tableDeleted = domainEvent<{ deviceId: string; name: string }>('tags.table-deleted', 'A tag table was deleted')
  const tagAdded = domainEvent<InTable & { tag: TagData }>('tags.added', 'A tag was added')
  const tagChanged = domainEvent<InTable & { name: string; tag: TagData }>('tags.changed', 'A tag was changed')
  const tagDeleted = domainEvent<InTable & { name: string }>('tags.deleted', 'A tag was deleted')
  const projectClosed = domainEvent<unknown>('projects.closed', 'The project was closed')
  const countersReset = domainEvent<{ tables: string[] }>(
    'tag-statistics.reset',
    'The change counters of tag tables were set to zero',
    (t) => t.Object({ tables: t.Array(t.String()) }),
  )

  const tables = collection<TableStatistics>('tag-statistics.tables')
  const keyOf = (deviceId: string, tableName: string) => `${deviceId}/${tableName.toLowerCase()}`
  const typesOf = (tags: readonly TagData[]) =>
    Object.fromEntries(tags.map(({ name, dataType }) => [name.toLowerCase(), dataType]))

  type Write = Parameters<Parameters<typeof on>[1]>[0]
  const replace = (write: Write, { deviceId, name, tags }: TableData, time: number) => {
    const key = keyOf(deviceId, name)
    const changes = (write(tables).get(key)?.changes ?? 0) + 1
    write(tables).set(key, { deviceId, tableName: name, types: typesOf(tags), changes, lastChangedAt: time })
  }
  const change = (
    write: Write,
    { deviceId, tableName }: InTable,
    time: number,
    changed: (types: Readonly<Record<string, string>>) => Record<string, string>,
  ) => {
    const table = write(tables).get(keyOf(deviceId, tableName))
    if (!table) return
    const { types, changes } = table
    write(tables).set(keyOf(deviceId, tableName), {
      ...table,
      types: changed(types),
      changes: changes + 1,
      lastChangedAt: time,
    })
  }
  const without = (types: Readonly<Record<string, string>>, name: string) => {
    const { [name.toLowerCase()]: _, ...rest } = types
    return rest
  }

  /** How many of each, the most frequent first. */
  const countOf = (types: readonly string[]) => {
    const counts = new Map<string, number>()
    for (const type of types) counts.set(type, (counts.get(type) ?? 0) + 1)
    return Object.fromEntries([...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1)))
  }
  const summaryOf = ({ deviceId, tableName, types, changes, lastChangedAt }: TableStatistics) => ({
    deviceId,
    tableName,
    tags: Object.keys(types).length,
    byType: countOf(Object.values(types)),
    changes,
    lastChangedAt: new Date(lastChangedAt).toISOString(),
  })

  return definePlugin({
    name: 'tag-statistics',
    version: '1.0.0',
    description: 'Counts tags by data type, and changes of tag tables.',
    requires: ['tags'],
    slice: {
      version: 1,
      collections: [tables],
      reductions: [
        on(tableCreated, (write, { table }, { time }) => replace(write, table, time)),
        on(tableReplaced, (write, { table }, { time }) => replace(write, table, time)),
        on(tableRenamed, (write, { deviceId, oldName, newName }, { time }) => {
          const table = write(tables).get(keyOf(deviceId, oldName))
          if (!table) return
          write(tables).delete(keyOf(deviceId, oldName))
          const renamed = { ...table, tableName: newName, changes: table.changes + 1, lastChangedAt: time }
          write(tables).set(keyOf(deviceId, newName), renamed)
        }),
        on(tableDeleted, (write, { deviceId, name }) => write(tables).delete(keyOf(deviceId, name))),
        on(tagAdded, (write, { tag, ...table }, { time }) =>
          change(write, table, time, (types) => ({ ...types, [tag.name.toLowerCase()]: tag.dataType })),
        ),
        on(tagChanged, (write, { name, tag, ...table }, { time }) =>
          change(write, table, time, (types) => ({ ...without(types, name), [tag.name.toLowerCase()]: tag.dataType })),
        ),
        on(tagDeleted, (write, { name, ...table }, { time }) =>
          change(write, table, time, (types) => without(types, name)),
        ),
        on(projectClosed, (write) => write(tables).clear()),
        on(countersReset, (write, { tables: keys }) => {
          for (const key of keys) {
            write(tables).update(key, (draft) => {
              draft.changes = 0
            })
          }
        }),
      ],
    },
    operations: [
      query({
        id: 'tag-statistics.get',
        title: 'Count tags by data type',
        description: 'Over all tag tables of the open project, and for each of them.',
        input: (t) => t.Object({}),
        output: (t) =>
          t.Object({
            tables: t.Array(
              t.Object({
                deviceId: t.String(),
                tableName: t.String(),
                tags: t.Integer(),
                byType: t.Record(t.String(), t.Integer()),
                changes: t.Integer({ description: 'Changes since the counters were reset.' }),
                lastChangedAt: t.DateTime(),
              }),
            ),
            total: t.Integer({ description: 'Tag tables.' }),
            tags: t.Integer(),
            byType: t.Record(t.String(), t.Integer()),
          }),
        http: [get('/api/plugins/tag-statistics')],
        mcp: { toolset: 'tag-statistics' },
        run(_, ctx) {
          const all = [...ctx.read(tables).values()]
          const types = all.flatMap((table) => Object.values(table.types))
          return { tables: all.map(summaryOf), total: all.length, tags: types.length, byType: countOf(types) }
        },
      }),
      command({
        id: 'tag-statistics.reset',
        title: 'Set the change counters to zero',
        description: 'Of all tag tables, or of those of one name.',
        input: (t) => t.Object({ tableName: t.Optional(t.String({ minLength: 1 })) }),
        output: (t) => t.Object({ reset: t.Integer({ description: 'Tag tables whose counter was not zero.' }) }),
        http: [post('/api/plugins/tag-statistics/actions/reset')],
        mcp: { toolset: 'tag-statistics' },
        run({ tableName }, ctx) {
          const wanted = [...ctx.read(tables).entries()].filter(
            ([, table]) => tableName === undefined || table.tableName.toLowerCase() === tableName.toLowerCase(),
          )
          if (tableName !== undefined && wanted.length === 0)
            throw notFound(
              'tag table',
              tableName,
              [...ctx.read(tables).values()].map((table) => table.tableName),
            )
          const keys = wanted.filter(([, table]) => table.changes > 0).map(([key]) => key)
          if (keys.length > 0) ctx.emit(countersReset, { tables: keys }, 'tag-statistics')
          return { reset: keys.length }
        },
      }),
    ],
    docs: [
      {
        name: 'tag-statistics',
        title: 'Tag statistics',
        text: [
          '`GET /api/plugins/tag-statistics` counts the tags of the open project by data type, for each tag table and over all, and',
          'the changes of each table. `POST /api/plugins/tag-statistics/actions/reset` sets the change counters to zero.',
          '',
          'The counts come from the events of tags alone, so they are right from the first start with this plugin on: its slice is folded',
          'from the whole log.',
          '',
        ].join('\n'),
      },
    ],
  })
}
