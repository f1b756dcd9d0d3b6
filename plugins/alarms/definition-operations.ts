/** Operations on the classes, texts and text lists of the alarms of a PLC. */
import {
  type CommandContext,
  command,
  type Fault,
  get,
  nearest,
  type Operation,
  problem,
  put,
  query,
} from '../../core/index.ts'
import { overlaps } from '../../lib/overlaps.ts'
import { blocksOf, findBlock } from '../blocks/index.ts'
import { type Device, requirePlc } from '../devices/index.ts'
import { declaredNamed } from '../program-objects/index.ts'
import { type AlarmDefinition, type AlarmDefinitions, standardClasses, supervisionKey } from '../simulation/index.ts'
import { alarmsDefined, definitionsOf, keyOf, mostDefinitions, noDefinitions } from './definitions.ts'
import { definedSupervision, supervisionFaults } from './supervisions.ts'

type Builder = Parameters<Operation['input']>[0]

const deviceName = (t: Builder) => t.String({ minLength: 1, description: 'Name of the PLC.' })
const texts = (t: Builder, description: string) =>
  t.Record(t.String({ maxLength: 20 }), t.String({ maxLength: 1000 }), { maxProperties: 32, description })

const classFields = (t: Builder) =>
  t.Object({
    name: t.String({ minLength: 1, maxLength: 128 }),
    needsAcknowledgement: t.Boolean(),
    priority: t.Optional(t.Integer({ minimum: 0, maximum: 16 })),
  })
const alarmFields = (t: Builder) =>
  t.Object({
    block: t.Optional(t.String({ minLength: 1, description: 'Function block with the alarm.' })),
    member: t.Optional(t.String({ minLength: 1, description: 'Its member of type Program_Alarm.' })),
    instance: t.Optional(
      t.String({ minLength: 1, description: 'Instead: path of one instance, "Line_DB".station[2].jam.' }),
    ),
    alarmClass: t.Optional(t.String({ minLength: 1, description: 'Default Acknowledgement.' })),
    text: t.Optional(texts(t, 'Alarm text by culture, with fields for associated values: @1%d@, @2%t#Modes@.')),
    infoText: t.Optional(texts(t, 'Info text by culture.')),
    additionalTexts: t.Optional(t.Array(texts(t, 'By culture.'), { maxItems: 9 })),
  })
const listFields = (t: Builder) =>
  t.Object({
    name: t.String({ minLength: 1, maxLength: 128 }),
    number: t.Optional(t.Integer({ minimum: 0, maximum: 65_535, description: 'For Gen_UsrMsg.' })),
    entries: t.Array(t.Object({ from: t.Integer(), to: t.Integer(), text: texts(t, 'By culture.') }), {
      maxItems: mostDefinitions,
    }),
  })

const supervisionTypes = ['Operand', 'Interlock', 'Action', 'Reaction', 'Position', 'MessageText', 'MessageError']
const operand = (t: Builder, description: string) => t.String({ minLength: 1, maxLength: 1000, description })
const supervisionFields = (t: Builder) =>
  t.Object({
    block: t.Optional(t.String({ minLength: 1, description: 'Function block: each of its instances is watched.' })),
    dataType: t.Optional(
      t.String({ minLength: 1, description: 'PLC data type: each value of it in data blocks and tags.' }),
    ),
    number: t.Optional(t.Integer({ minimum: 1, maximum: 65_535, description: 'Unique in its place. Default 1.' })),
    type: t.Optional(t.Enum(supervisionTypes as [string, ...string[]], { description: 'Default Operand.' })),
    operand: operand(t, 'A Bool: #late of the block or data type; without these a tag or member of a data block.'),
    status: t.Optional(t.Boolean({ description: 'The state that is an error. Default true.' })),
    delay: t.Optional(t.String({ maxLength: 1000, description: 'T#2s, or an operand of type Time.' })),
    conditions: t.Optional(
      t.Array(t.Object({ operand: operand(t, 'A Bool.'), status: t.Optional(t.Boolean()) }), { maxItems: 3 }),
    ),
    values: t.Optional(t.Array(operand(t, 'Associated value.'), { maxItems: 3 })),
    category: t.Optional(t.Integer({ minimum: 1, maximum: 8 })),
    alarmClass: t.Optional(t.String({ minLength: 1, description: 'Default Acknowledgement.' })),
    text: t.Optional(texts(t, 'By culture, with fields for associated values: @1%d@.')),
  })

const alarmView = (t: Builder) =>
  t.Object({
    block: t.Optional(t.String()),
    member: t.Optional(t.String()),
    instance: t.Optional(t.String()),
    alarmClass: t.Optional(t.String()),
    text: t.Optional(texts(t, 'By culture.')),
    infoText: t.Optional(texts(t, 'By culture.')),
    additionalTexts: t.Optional(t.Array(texts(t, 'By culture.'))),
  })

const supervisionView = (t: Builder) =>
  t.Object({
    block: t.Optional(t.String()),
    dataType: t.Optional(t.String()),
    number: t.String(),
    name: t.Optional(t.String()),
    type: t.String(),
    operand: t.String(),
    status: t.Boolean(),
    delay: t.String(),
    conditions: t.Array(t.Object({ operand: t.String(), status: t.Boolean() })),
    category: t.String(),
    values: t.Array(t.String()),
    alarmClass: t.Optional(t.String()),
    text: texts(t, 'By culture.'),
  })

const output = (t: Builder) =>
  t.Object({
    deviceName: t.String(),
    classes: t.Array(t.Object({ name: t.String(), needsAcknowledgement: t.Boolean(), priority: t.Integer() }), {
      description: 'The standard ones too.',
    }),
    alarms: t.Array(alarmView(t), { description: 'Of block and member, or of an instance.' }),
    textLists: t.Array(
      t.Object({
        name: t.String(),
        number: t.Optional(t.Integer()),
        entries: t.Array(t.Object({ from: t.Integer(), to: t.Integer(), text: texts(t, 'By culture.') })),
      }),
    ),
    supervisions: t.Array(supervisionView(t), {
      description: 'Those set here; blocks that were imported have others.',
    }),
    total: t.Integer({ description: 'Alarms.' }),
  })

function view(
  { name }: Pick<Device, 'name'>,
  { classes, alarms, textLists, ownSupervisions: supervisions = [] }: AlarmDefinitions,
) {
  const own = new Set(classes.map((one) => one.name.toLowerCase()))
  const all = [...standardClasses.filter((one) => !own.has(one.name.toLowerCase())), ...classes]
  return {
    deviceName: name,
    classes: all,
    alarms: [...alarms],
    textLists: [...textLists],
    supervisions: [...supervisions],
    total: alarms.length,
  }
}

const read = query({
  id: 'alarms.get-definitions',
  title: 'Read the classes, texts and text lists of the alarms of a PLC',
  input: (t) => t.Object({ deviceName: deviceName(t) }),
  output,
  http: [get('/api/devices/{deviceName}/alarms')],
  mcp: { toolset: 'alarms' },
  example: { deviceName: 'PLC_1' },
  run(input, ctx) {
    const device = requirePlc(ctx, input.deviceName)
    return view(device, definitionsOf(ctx, device))
  },
})

const define = command({
  id: 'alarms.set-definitions',
  title: 'Set classes, texts, text lists and supervisions of the alarms of a PLC',
  description:
    'Entries replace those of the same name (class, text list) or place (alarm; supervision with its number); others stay, unless `replace` is true. They take effect with the next download, as in TIA Portal. Exports of TIA Portal do not contain these texts, and no supervisions of tags: they are kept in the project (`devices/<device>/alarms.json`). Supervisions of function blocks come with their exports; one of the same number set here replaces it.',
  input: (t) =>
    t.Object({
      deviceName: deviceName(t),
      classes: t.Optional(t.Array(classFields(t), { maxItems: 1000 })),
      alarms: t.Optional(t.Array(alarmFields(t), { maxItems: mostDefinitions })),
      textLists: t.Optional(t.Array(listFields(t), { maxItems: 1000 })),
      supervisions: t.Optional(t.Array(supervisionFields(t), { maxItems: mostDefinitions })),
      replace: t.Optional(t.Boolean({ description: 'What is not given is removed.' })),
    }),
  output,
  http: [put('/api/devices/{deviceName}/alarms')],
  mcp: { toolset: 'alarms', destructive: true },
  example: {
    deviceName: 'PLC_1',
    alarms: [{ block: 'Motor', member: 'tooHot', text: { 'en-US': 'Motor @1%d@ is too hot' } }],
  },
  async run(input, ctx) {
    const { deviceName: wanted, classes = [], alarms = [], textLists = [], replace = false } = input
    const supervisions = (input.supervisions ?? []).map(definedSupervision)
    const device = requirePlc(ctx, wanted)
    const before: AlarmDefinitions = replace ? noDefinitions : definitionsOf(ctx, device)
    const merged: AlarmDefinitions = {
      classes: mergedBy(
        before.classes,
        classes.map((one) => ({ priority: 0, ...one })),
        ({ name }) => name.toLowerCase(),
      ),
      alarms: mergedBy(before.alarms, alarms as AlarmDefinition[], keyOf),
      textLists: mergedBy(before.textLists, textLists, ({ name }) => name.toLowerCase()),
      ownSupervisions: mergedBy(before.ownSupervisions ?? [], supervisions, supervisionKey),
    }
    const names = new Map([...standardClasses, ...merged.classes].map(({ name }) => [name.toLowerCase(), name]))
    const blockNames = oncePerCall(() => blocksOf(ctx, device.id).map(({ name }) => name))
    const faults = alarms.flatMap((alarm, i): Fault[] => {
      const at = `/alarms/${i}`
      const { block, member, instance, alarmClass } = alarm
      const found: Fault[] = []
      if (instance === undefined && (block === undefined || member === undefined))
        found.push({ path: `${at}/block`, message: 'give block and member, or instance' })
      if (instance !== undefined && (block !== undefined || member !== undefined))
        found.push({ path: `${at}/instance`, message: 'cannot be given beside block and member' })
      const first =
        block ??
        /^"([^"]+)"|^([^."[]+)/
          .exec(instance ?? '')
          ?.slice(1)
          .find(Boolean)
      const kind = first === undefined ? undefined : findBlock(ctx, device.id, first)?.kind
      if (block !== undefined && kind !== undefined && kind !== 'FB')
        found.push({
          path: `${at}/block`,
          message: `"${block}" is no function block, its kind is ${kind}`,
          value: block,
        })
      if (first !== undefined && kind === undefined) {
        const near = nearest(first, blockNames())
        const hint = near === undefined ? '' : `; did you mean "${near}"?`
        found.push({
          path: `${at}/${block === undefined ? 'instance' : 'block'}`,
          message: `"${device.name}" has no block "${first}"${hint}`,
          value: first,
        })
      }
      if (alarmClass !== undefined && !names.has(alarmClass.toLowerCase()))
        found.push({
          path: `${at}/alarmClass`,
          message: `there is no class "${alarmClass}"`,
          value: alarmClass,
          allowed: [...names.values()],
        })
      return found
    })
    for (const [i, { entries }] of textLists.entries()) {
      const at = `/textLists/${i}/entries`
      for (const [k, { from, to }] of entries.entries())
        if (from > to) faults.push({ path: `${at}/${k}/to`, message: `must be at least ${from}`, value: to })
      for (const { one, before } of overlaps(entries.map(({ from, to }, k) => ({ from, to, k }))))
        faults.push({ path: `${at}/${one.k}/from`, message: `overlaps with entry ${before.k}`, value: one.from })
    }
    faults.push(...(await memberFaults(ctx, device, alarms)))
    faults.push(...listedTwice(classes, '/classes'), ...listedTwice(textLists, '/textLists'))
    for (const [i, first] of repeated(alarms as AlarmDefinition[], keyOf)) {
      const { instance, block, member } = alarms[i]!
      if (instance === undefined && (block === undefined || member === undefined)) continue
      faults.push({ path: `/alarms/${i}`, message: `is at the place of /alarms/${first} too` })
    }
    faults.push(...supervisionFaults(ctx, device, supervisions, names))
    if ((merged.ownSupervisions ?? []).length > mostDefinitions)
      faults.push({ path: '/supervisions', message: `a PLC takes at most ${mostDefinitions} supervisions` })
    if (merged.alarms.length > mostDefinitions)
      faults.push({ path: '/alarms', message: `a PLC takes at most ${mostDefinitions} alarms` })
    if (faults[0])
      throw problem('unacceptable_content', `${faults[0].path}: ${faults[0].message}.`, {
        errors: faults.slice(0, 1000),
      })
    ctx.emit(alarmsDefined, { deviceId: device.id, ...merged }, `device/${device.name}`)
    return view(device, merged)
  },
})

/** Alarms at a member that their block does not have. Blocks whose interface cannot be read are left out. */
async function memberFaults(
  ctx: CommandContext,
  device: Device,
  alarms: readonly { readonly block?: string | undefined; readonly member?: string | undefined }[],
): Promise<Fault[]> {
  const named = alarms.flatMap(({ block, member }) => (member === undefined || block === undefined ? [] : [block]))
  if (named.length === 0) return []
  const { objects } = await declaredNamed(ctx, device, [...new Set(named)])
  const membersOf = new Map(
    objects.flatMap(({ kind, name, interface: sections }) =>
      kind === 'FB' && sections.length > 0
        ? [[name.toLowerCase(), sections.flatMap(({ members }) => members.map((one) => one.name))] as const]
        : [],
    ),
  )
  return alarms.flatMap(({ block = '', member }, i) => {
    const names = membersOf.get(block.toLowerCase())
    // A member of a structure is told by its path.
    const first = member?.replace(/[.[].*$/s, '') ?? ''
    const isThere = [member, first].some((one) => names?.some((name) => name.toLowerCase() === one?.toLowerCase()))
    // `#3` is the third supervision of the block.
    if (names === undefined || member === undefined || member.startsWith('#') || isThere) return []
    const near = nearest(first, names)
    const hint = near === undefined ? '' : ` (it has "${near}")`
    return [{ path: `/alarms/${i}/member`, message: `"${block}" has no member "${member}"${hint}`, value: member }]
  })
}

/** Things of one request with the same key, and the first of each: the last would win, and nobody would know. */
function* repeated<T>(given: readonly T[], key: (one: T) => string): Generator<[at: number, first: number]> {
  const firsts = new Map<string, number>()
  for (const [i, one] of given.entries()) {
    const first = firsts.get(key(one))
    if (first === undefined) firsts.set(key(one), i)
    else yield [i, first]
  }
}

function listedTwice(given: readonly { readonly name: string }[], at: string): Fault[] {
  return [...repeated(given, ({ name }) => name.toLowerCase())].map(([i, first]) => {
    return { path: `${at}/${i}/name`, message: `is that of ${at}/${first} too`, value: given[i]!.name }
  })
}

function mergedBy<T>(before: readonly T[], given: readonly T[], key: (one: T) => string): T[] {
  const all = new Map(before.map((one) => [key(one), one]))
  for (const one of given) all.set(key(one), one)
  return [...all.values()]
}

function oncePerCall<T>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}

export const definitionOperations: readonly Operation[] = [read, define]
