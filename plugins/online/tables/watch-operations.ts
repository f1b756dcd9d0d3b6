/** Watch tables of devices that are online: live values, modify now, modify with trigger. */
import { command, del, get, type Operation, post, query, stream } from '../../../core/index.ts'
import { tagValue } from '../../program-objects/index.ts'
import { requireProgram } from '../../simulation/index.ts'
import { findWatchTable, type WatchTable } from '../../watch-tables/index.ts'
import {
  entriesAliases,
  entriesField,
  intervalAliases,
  intervalField,
  modifyingStarted,
  modifyingStopped,
  placeFields,
  rowFields,
  rowsModified,
  tableAliases,
  toldRows,
  valuesFields,
  watchTableFields,
} from './declarations.ts'
import { followTable } from './follow.ts'
import { chosenRows, type OnlineDevice, type placeOf, requireLiveTable } from './live-table.ts'
import { planJobs, planNow } from './modify.ts'
import { type JobState, type ModifyJob, modifying, startModifying, stopModifying } from './modify-jobs.ts'
import { tableValues } from './row-values.ts'

type Builder = Parameters<Operation['input']>[0]

const toolset = 'online'
const path = (rest: string) => `/api/devices/{deviceName}/watch-tables/{tableName}/${rest}`
const example = { deviceName: 'PLC_1', tableName: 'Watch table_1' }

/** Key of a table, unique over all devices. */
const keyOf = ({ deviceId, id }: WatchTable) => `${deviceId}/${id}`

const values = query({
  id: 'online.read-watch-table',
  title: 'Read the live values of a watch table',
  description:
    '"Monitor now": all rows at once, whatever their monitor triggers are. All values are of one scan boundary, which is the end of one cycle and the start of the next. A row whose symbol or address the loaded program does not have is told with quality Bad and its `error`. The device must be online.',
  live: true,
  input: (t) => t.Object(watchTableFields(t)),
  output: (t) => t.Object(valuesFields(t)),
  http: [get(path('values'))],
  asks: ['watch tags'],
  mcp: { toolset },
  aliases: tableAliases,
  example,
  async run(input, ctx) {
    const { online, table } = await requireLiveTable(ctx, input, 'online.read-watch-table')
    return tableValues(online, table)
  },
})

const follow = stream({
  id: 'online.follow-watch-table',
  title: 'Follow the live values of a watch table',
  description:
    '"Monitor all", with the monitor triggers of the rows. Server-sent events `values`: first all rows, then those that have changed, at most one message in `intervalMs`; the values of one message are of one scan boundary. Rows with a trigger at the transition to STOP are told when the controller goes to STOP, rows that are monitored once are told once, in RUN; `waiting` has the positions of rows that were not told yet. The event `end` says why there is no more: the device went offline, or the table was deleted.',
  input: (t) => t.Object({ ...watchTableFields(t), ...intervalField(t) }),
  http: [get(path('values/stream'))],
  mcp: false,
  aliases: { ...tableAliases, ...intervalAliases },
  async run({ intervalMs = 250, ...input }, ctx) {
    const { online, table } = await requireLiveTable(ctx, input, 'online.follow-watch-table')
    const { name } = table
    const { read } = ctx.gateway.state
    return followTable(online, () => findWatchTable({ read }, online.device.id, name), intervalMs, ctx.signal)
  },
})

const modify = command({
  id: 'online.modify-watch-table',
  title: 'Modify rows of a watch table now',
  description:
    '"Modify now": writes the modify values once, all at the next cycle control point; triggers do not matter. Without `entries` all rows that have a modify value and modifyIntention. Inputs are written to the periphery, which the process image follows in RUN. A row that the loaded program does not have, or a value that does not fit, refuses the whole (422, `errors` names each row). What is forced stays as it is forced. The device must be online.',
  live: true,
  lasting: 'The controller keeps the values that were written.',
  access: 'operator',
  input: (t) => t.Object({ ...watchTableFields(t), ...entriesField(t, 'modify') }),
  output: (t) => t.Object({ ...valuesFields(t), modified: t.Integer(), rows: t.Array(t.Object(rowFields(t))) }),
  http: [post(path('actions/modify'))],
  mcp: { toolset, destructive: true },
  aliases: { ...tableAliases, ...entriesAliases },
  example,
  async run({ entries, ...input }, ctx) {
    const { online, table, place } = await requireLiveTable(ctx, input, 'online.modify-watch-table')
    const chosen = chosenRows(table, entries)
    const plan = planNow(requireProgram(online.controller), chosen)
    if (!ctx.dryRun) await online.controller.write(plan.flatMap(({ writes }) => writes))
    const rows = chosen.map(({ operand, value }) => ({ operand, value }))
    ctx.emit(rowsModified, { ...place, ...toldRows(rows) }, `device/${place.deviceName}`)
    const read = await tableValues(online, table)
    const positions = new Set(chosen.map(({ position }) => position))
    const shown = read.rows.filter(({ position }) => positions.has(position))
    const bad = shown.filter(({ quality }) => quality === 'Bad').length
    return { ...read, rows: shown, bad, modified: chosen.length }
  },
})

// ── Modify with trigger ─────────────────────────────────────────────────────────────────────────────────────────────

const jobFields = (t: Builder) => ({
  position: t.Integer(),
  operand: t.String({ description: 'Symbol or address.' }),
  value: tagValue(t),
  trigger: t.String({ description: 'Modify trigger of the row.' }),
  at: t.Enum(['start', 'end', 'stop'], {
    description: 'Start of the cycle, end of the cycle, transition to STOP.',
  }),
  status: t.Enum(['active', 'waiting', 'done'], {
    description: 'active: written each time; waiting: will be written once; done: was written.',
  }),
})
const modifyingOutput = (t: Builder) =>
  t.Object({
    ...placeFields(t),
    isModifying: t.Boolean({ description: 'A row is active or waiting.' }),
    rows: t.Array(t.Object(jobFields(t))),
    total: t.Integer(),
  })

type Place = ReturnType<typeof placeOf>

function modifyingView(
  { online: { controller }, place }: { readonly online: OnlineDevice; readonly place: Place },
  jobs: readonly { readonly job: ModifyJob; readonly state: JobState }[],
) {
  const rows = jobs.map(({ job: { row, at }, state }) => ({
    position: row.position,
    operand: row.operand,
    value: row.value,
    trigger: row.modifyTrigger,
    at,
    status: state,
  }))
  const isModifying = rows.some(({ status }) => status !== 'done')
  return { ...place, state: controller.state, isModifying, rows, total: rows.length }
}

const status = query({
  id: 'online.get-modifying',
  title: 'Say what a watch table modifies with triggers',
  live: true,
  input: (t) => t.Object(watchTableFields(t)),
  output: modifyingOutput,
  http: [get(path('actions/modify-trigger'))],
  mcp: { toolset },
  aliases: tableAliases,
  example,
  async run(input, ctx) {
    const live = await requireLiveTable(ctx, input, 'online.get-modifying')
    return modifyingView(live, modifying(live.online.controller, keyOf(live.table)))
  },
})

const modifyWithTrigger = command({
  id: 'online.start-modifying',
  title: 'Modify rows of a watch table with their triggers',
  description:
    '"Modify with trigger": PermanentAtStart, PermanentAtEnd and PermanentAtStop write at each start or end of the cycle, or each transition to STOP; OnceOnlyAtStart, OnceOnlyAtEnd and OnceOnlyAtStop once. Permanent is for outputs at the end, for all else at the start of the cycle. What the table modified before is replaced. In STOP the rows wait for RUN. Inputs are written in the process image, and have the values of the periphery again when it ends. It ends with DELETE, when the device goes offline, and when another program is loaded. What is forced stays as it is forced.',
  live: true,
  lasting: 'The controller keeps the values that were written.',
  access: 'operator',
  input: (t) => t.Object({ ...watchTableFields(t), ...entriesField(t, 'modify') }),
  output: modifyingOutput,
  http: [post(path('actions/modify-trigger'))],
  mcp: { toolset, destructive: true },
  aliases: { ...tableAliases, ...entriesAliases },
  example,
  async run({ entries, ...input }, ctx) {
    const live = await requireLiveTable(ctx, input, 'online.start-modifying')
    const { table, place } = live
    const { controller, ended } = live.online
    const jobs = planJobs(requireProgram(controller), chosenRows(table, entries))
    const rows = jobs.map(({ row }) => ({ operand: row.operand, value: row.value, trigger: row.modifyTrigger }))
    ctx.emit(modifyingStarted, { ...place, ...toldRows(rows) }, `device/${place.deviceName}`)
    if (ctx.dryRun) {
      const planned = jobs.map((job) => ({ job, state: job.once ? ('waiting' as const) : ('active' as const) }))
      return modifyingView(live, planned)
    }
    await startModifying(controller, keyOf(table), jobs, ended)
    return modifyingView(live, modifying(controller, keyOf(table)))
  },
})

const stopModifyingOperation = command({
  id: 'online.stop-modifying',
  title: 'End what a watch table modifies with triggers',
  description: 'Values stay as they are until the program writes others. When nothing is modified, nothing happens.',
  live: true,
  lasting: 'It acted on a controller, which goes on.',
  access: 'operator',
  input: (t) => t.Object(watchTableFields(t)),
  output: (t) =>
    t.Object({ ...placeFields(t), ended: t.Integer({ description: 'Rows that were active or waiting.' }) }),
  http: [del(path('actions/modify-trigger'))],
  mcp: { toolset, destructive: true },
  aliases: tableAliases,
  example,
  async run(input, ctx) {
    const { online, table, place } = await requireLiveTable(ctx, input, 'online.stop-modifying')
    const open = modifying(online.controller, keyOf(table)).filter(({ state }) => state !== 'done')
    if (!ctx.dryRun) await stopModifying(online.controller, keyOf(table))
    if (open.length > 0) ctx.emit(modifyingStopped, place, `device/${place.deviceName}`)
    return { ...place, state: online.controller.state, ended: open.length }
  },
})

export const watchOperations: readonly Operation[] = [
  values,
  follow,
  modify,
  status,
  modifyWithTrigger,
  stopModifyingOperation,
]
