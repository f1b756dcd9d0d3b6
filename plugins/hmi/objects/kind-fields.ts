/** Fields of the kinds of objects: what clients may send, what they are when they are left out, and what is checked. */
import {
  type CommandContext,
  defined,
  type Fault,
  problem,
  type SchemaBuilder,
  type TSchema,
} from '../../../core/index.ts'
import { overlaps } from '../../../lib/overlaps.ts'
import type { FaceplateProperty, HmiContents, HmiItem, HmiKind, Texts } from '../../../plc/formats/hmi/model.ts'
import { type Device, findDevice } from '../../devices/index.ts'
import { requireProject } from '../../projects/index.ts'
import { screenType } from '../input-fields.ts'
import { isColour } from '../items/converters.ts'
import { type ItemInput, itemFields, readItem, textInput } from '../items/item-input.ts'
import { allScreensOf, hmiCollections } from '../object.ts'
import { familyOf, resolutionOf } from '../stations.ts'

type Fields = Readonly<Record<string, unknown>>
type Schemas = Record<string, TSchema>

/** How the objects of a kind are read from a request. */
export interface KindFields<K extends HmiKind = HmiKind> {
  /** Fields beside name and folder; all optional. */
  readonly schema: (t: SchemaBuilder) => Schemas
  /** The content for what was sent: over the one before, or for a new object. */
  readonly read: (
    ctx: CommandContext,
    station: Device,
    input: Fields,
    before: HmiContents[K] | undefined,
  ) => HmiContents[K]
  /** Other phrases for making one, by which the operation is found. */
  readonly asks?: readonly string[]
}

const text = (t: SchemaBuilder, description: string) => t.Optional(t.String({ maxLength: 1000, description }))
const pixels = (t: SchemaBuilder) => t.Optional(t.Integer({ minimum: 1, maximum: 20_000 }))

function refuse(faults: readonly Fault[]): void {
  const [first] = faults
  if (first) throw problem('unacceptable_content', `${first.path}: ${first.message}.`, { errors: faults })
}

/** Texts of a request by culture. */
function textsIn(value: unknown, culture: string): Texts {
  return typeof value === 'string' ? { [culture]: value } : ((value ?? {}) as Texts)
}

/** Entries with their values in order; no two may overlap. */
function readEntries<T>(
  given: unknown,
  field: (entry: Fields) => T,
): (T & { from: number; to: number; isDefault: boolean })[] {
  const faults: Fault[] = []
  const entries = ((given ?? []) as Fields[]).map((entry) => {
    const from = Number(entry.from ?? entry.value ?? 0)
    return { from, to: Number(entry.to ?? from), isDefault: entry.isDefault === true, ...field(entry) }
  })
  for (const [i, { from, to }] of entries.entries())
    if (to < from) faults.push({ path: `/entries/${i}/to`, message: `${to} is below from (${from})`, value: to })
  const ranges = entries.map((entry, i) => ({ ...entry, i })).filter(({ isDefault }) => !isDefault)
  for (const { one, before } of overlaps(ranges))
    faults.push({ path: `/entries/${one.i}/from`, message: `overlaps with entry ${before.i}`, value: one.from })
  if (entries.filter(({ isDefault }) => isDefault).length > 1)
    faults.push({ path: '/entries', message: 'more than one entry is the default' })
  refuse(faults)
  return entries
}

const entryFields = (t: SchemaBuilder) => ({
  from: t.Optional(t.Number()),
  to: t.Optional(t.Number()),
  value: t.Optional(t.Number({ description: 'Instead of from and to.' })),
  isDefault: t.Optional(t.Boolean()),
})

const screen: KindFields<'screen'> = {
  schema: (t) => ({
    number: t.Optional(t.Integer({ minimum: 0, maximum: 65_535 })),
    width: pixels(t),
    height: pixels(t),
    backColor: text(t, 'Default: #ffffff.'),
    template: text(t, 'Name of the template.'),
    screenType: screenType(t),
    layers: t.Optional(
      t.Array(
        t.Object({
          index: t.Integer({ minimum: 0, maximum: 31 }),
          name: t.Optional(t.String()),
          visible: t.Optional(t.Boolean()),
        }),
        { maxItems: 32 },
      ),
    ),
  }),
  read(ctx, station, input, before) {
    const faults: Fault[] = []
    const { width, height } = resolutionOf(ctx, station)
    const backColor = String(input.backColor ?? before?.backColor ?? '#ffffff')
    if (!isColour(backColor))
      faults.push({ path: '/backColor', message: `"${backColor}" is no colour`, value: backColor })
    const used = allScreensOf(ctx, station.id).map(({ content }) => content.number)
    const free = used.reduce((highest, one) => Math.max(highest, one), 0) + 1
    const layers = (input.layers as HmiContents['screen']['layers'] | undefined)?.map((layer) => ({
      index: layer.index,
      name: layer.name ?? '',
      visible: layer.visible ?? true,
    }))
    refuse(faults)
    return {
      screenType: before?.screenType ?? String(input.screenType ?? 'Screen'),
      number: Number(input.number ?? before?.number ?? free),
      width: Number(input.width ?? before?.width ?? width),
      height: Number(input.height ?? before?.height ?? height),
      backColor,
      template: String(input.template ?? before?.template ?? ''),
      layers: layers ?? before?.layers ?? [{ index: 0, name: '', visible: true }],
    }
  },
}

const connection: KindFields<'connection'> = {
  asks: ['connect an HMI device to a PLC'],
  schema: (t) => ({
    partner: text(t, 'Name of the PLC, or its IPv4 address.'),
    type: text(t, 'Communication driver. Default: SIMATIC S7 1500.'),
  }),
  read(ctx, _station, input, before) {
    const partner = String(input.partner ?? before?.partner ?? '')
    const plc = partner === '' ? undefined : findDevice(ctx, partner)
    if (plc !== undefined && plc.kind !== 'PLC')
      refuse([{ path: '/partner', message: `"${plc.name}" is no PLC (${plc.kind})`, value: partner }])
    return { partner: plc?.name ?? partner, type: String(input.type ?? before?.type ?? 'SIMATIC S7 1500') }
  },
}

/** Characters of a script. */
const maxScript = 1_000_000

const script: KindFields<'script'> = {
  schema: (t) => ({
    source: t.Optional(t.String({ maxLength: maxScript, description: 'Body of the script.' })),
    language: t.Optional(t.Enum(['JavaScript', 'VBScript'])),
    parameters: t.Optional(t.Array(t.String({ pattern: '^[A-Za-z_$][A-Za-z0-9_$]*$' }), { maxItems: 50 })),
  }),
  read(_ctx, station, input, before) {
    const usual = familyOf(station) === 'Unified' ? 'JavaScript' : 'VBScript'
    return {
      language: String(input.language ?? before?.language ?? (input.source === undefined ? usual : 'JavaScript')),
      parameters: (input.parameters as string[] | undefined) ?? before?.parameters ?? [],
      source: String(input.source ?? before?.source ?? ''),
    }
  },
}

const textList: KindFields<'text-list'> = {
  schema: (t) => ({
    rangeType: t.Optional(t.Enum(['Decimal', 'Bit', 'BitNumber'])),
    entries: t.Optional(t.Array(t.Object({ ...entryFields(t), text: t.Optional(textInput(t)) }), { maxItems: 10_000 })),
  }),
  read(ctx, _station, input, before) {
    const culture = requireProject(ctx).cultures[0] ?? 'en-US'
    const entries = readEntries(input.entries, (entry) => ({ text: textsIn(entry.text, culture) }))
    return {
      rangeType: String(input.rangeType ?? before?.rangeType ?? 'Decimal'),
      entries: input.entries === undefined ? (before?.entries ?? []) : entries,
    }
  },
}

const graphicList: KindFields<'graphic-list'> = {
  schema: (t) => ({
    rangeType: t.Optional(t.Enum(['Decimal', 'Bit', 'BitNumber'])),
    entries: t.Optional(
      t.Array(t.Object({ ...entryFields(t), graphic: t.Optional(t.String()) }), { maxItems: 10_000 }),
    ),
  }),
  read(_ctx, _station, input, before) {
    const entries = readEntries(input.entries, (entry) => ({ graphic: String(entry.graphic ?? '') }))
    return {
      rangeType: String(input.rangeType ?? before?.rangeType ?? 'Decimal'),
      entries: input.entries === undefined ? (before?.entries ?? []) : entries,
    }
  },
}

const alarm: KindFields<'alarm'> = {
  schema: (t) => ({
    alarmType: t.Optional(t.Enum(['discrete', 'analog'])),
    number: t.Optional(t.Integer({ minimum: 1, maximum: 100_000 })),
    alarmClass: text(t, 'Default: Errors.'),
    needsAcknowledgement: t.Optional(
      t.Boolean({ description: 'Default: as its class has it; warnings, information and system alarms need none.' }),
    ),
    tag: text(t, 'Trigger: a PLC path or an HMI tag.'),
    bit: t.Optional(t.Integer({ minimum: 0, maximum: 63, description: 'Discrete: bit of the trigger.' })),
    limit: t.Optional(t.Number({ description: 'Analog: the limit.' })),
    mode: t.Optional(t.Enum(['Above', 'Below'])),
    text: t.Optional(textInput(t)),
  }),
  read(ctx, station, input, before) {
    const culture = requireProject(ctx).cultures[0] ?? 'en-US'
    const used = hmiCollections.alarm.of(ctx, station.id).map(({ content }) => content.number)
    const needs = (input.needsAcknowledgement as boolean | undefined) ?? before?.needsAcknowledgement
    return {
      ...defined({ needsAcknowledgement: needs }),
      alarmType: String(input.alarmType ?? before?.alarmType ?? 'discrete'),
      number: Number(input.number ?? before?.number ?? used.reduce((highest, one) => Math.max(highest, one), 0) + 1),
      alarmClass: String(input.alarmClass ?? before?.alarmClass ?? 'Errors'),
      tag: String(input.tag ?? before?.tag ?? ''),
      bit: Number(input.bit ?? before?.bit ?? 0),
      limit: Number(input.limit ?? before?.limit ?? 0),
      mode: String(input.mode ?? before?.mode ?? 'Above'),
      text: input.text === undefined ? (before?.text ?? {}) : { ...before?.text, ...textsIn(input.text, culture) },
    }
  },
}

const libraryType: KindFields<'library-type'> = {
  schema: (t) => ({
    version: t.Optional(t.String({ pattern: '^\\d{1,4}(\\.\\d{1,4}){0,2}$' })),
    description: text(t, 'What it shows.'),
    width: pixels(t),
    height: pixels(t),
    properties: t.Optional(
      t.Array(
        t.Object({
          name: t.String({ pattern: '^[A-Za-z_][A-Za-z0-9_]*$' }),
          dataType: t.Optional(t.String()),
          defaultValue: t.Optional(t.String()),
        }),
        { maxItems: 200 },
      ),
    ),
    items: t.Optional(
      t.Array(t.Object({ type: t.String(), name: t.String({ minLength: 1, maxLength: 200 }), ...itemFields(t) }), {
        maxItems: 1000,
      }),
    ),
  }),
  read(ctx, _station, input, before) {
    const culture = requireProject(ctx).cultures[0] ?? 'en-US'
    const properties = (input.properties as Partial<FaceplateProperty>[] | undefined)?.map(
      ({ name = '', dataType = 'Any', defaultValue = '' }) => ({ name, dataType, defaultValue }),
    )
    const items = (input.items as ItemInput[] | undefined)?.map((one, i) =>
      readItem(one, undefined, culture, `/items/${i}`),
    )
    const names = new Set<string>()
    for (const [i, { name }] of (items ?? []).entries()) {
      if (names.has(name.toLowerCase())) refuse([{ path: `/items/${i}/name`, message: `"${name}" is there twice` }])
      names.add(name.toLowerCase())
    }
    return {
      version: String(input.version ?? before?.version ?? '0.0.1'),
      description: String(input.description ?? before?.description ?? ''),
      width: Number(input.width ?? before?.width ?? 200),
      height: Number(input.height ?? before?.height ?? 100),
      properties: properties ?? before?.properties ?? [],
      items: (items as HmiItem[] | undefined) ?? before?.items ?? [],
    }
  },
}

/** The kinds that are made from fields. Graphics are made from files. */
export const kindFields: { readonly [K in Exclude<HmiKind, 'graphic'>]: KindFields<K> } = {
  screen,
  connection,
  script,
  alarm,
  'text-list': textList,
  'graphic-list': graphicList,
  'library-type': libraryType,
  'tag-table': { schema: () => ({}), read: (_ctx, _station, _input, before) => before ?? { isDefault: false } },
  cycle: {
    schema: (t) => ({ milliseconds: t.Optional(t.Integer({ minimum: 50, maximum: 86_400_000 })) }),
    read: (_ctx, _station, input, before) => ({
      milliseconds: Number(input.milliseconds ?? before?.milliseconds ?? 1000),
    }),
  },
}
