/** What a screen of a compiled station shows now: its objects with their values, and a picture of it. */
import {
  defined,
  get,
  notFound,
  type Operation,
  problem,
  type QueryContext,
  query,
  type SchemaBuilder,
} from '../../../core/index.ts'
import { tagValue } from '../../program-objects/index.ts'
import { readTags } from '../../simulation/index.ts'
import { shownScreenType, stationAliases, stationName } from '../input-fields.ts'
import { mcp } from '../objects/kind-operations.ts'
import { screenKindOf, screenKinds } from '../objects/screen-kinds.ts'
import type { ProgramAlarm, ScreenChoice, StationState } from '../page/screen-view.ts'
import { type ModelItem, type ModelScreen, type StationModel, screensOfModel } from '../station-model.ts'
import { requireStation } from '../stations.ts'

const fields = (t: SchemaBuilder) => ({
  stationName: stationName(t),
  screenName: t.Optional(
    t.String({ minLength: 1, maxLength: 200, description: 'A screen, popup or slide-in screen. Default: the first.' }),
  ),
  screenType: shownScreenType(t),
  culture: t.Optional(t.String({ minLength: 2, maxLength: 20, description: 'Language of the texts, as `de-DE`.' })),
})

const aliases = { ...stationAliases, screenName: ['screen', 'name'], culture: ['language'] }

interface Choice {
  readonly stationName: string
  readonly screenName?: string
  readonly screenType?: string
  readonly culture?: string
}

/** The screen that is chosen, and the values that it shows. */
async function shownBy(ctx: QueryContext, { stationName: name, screenName, screenType, culture }: Choice) {
  const station = requireStation(ctx, name)
  const { runtimeOfStation } = await import('./station-runtime.ts')
  const { model: whole, alarms } = await runtimeOfStation(ctx, station)
  const kind = screenKindOf(screenType ?? 'Screen')
  const shown = screensOfModel(whole)
  const all = shown.flatMap((one) => (one.kind === kind ? one.screen : []))
  const wanted = screenName ?? (kind === 'screen' ? whole.startScreen : (all[0]?.name ?? ''))
  const screen = all.find((one) => one.name.toLowerCase() === wanted.toLowerCase())
  if (screen === undefined) {
    const names = all.map((one) => one.name)
    const other = shown.find((one) => one.screen.name.toLowerCase() === wanted.toLowerCase())
    const place = `on the station "${station.name}"`
    if (other === undefined) throw notFound(screenKinds[kind].noun, wanted, names, place)
    const { noun, screenType: otherType } = screenKinds[other.kind]
    throw problem('not_found', `There is no ${screenKinds[kind].noun} "${wanted}" ${place}; there is a ${noun}.`, {
      suggestion: `Send screenType: "${otherType}".`,
    })
  }
  if (culture !== undefined && !whole.cultures.includes(culture))
    throw problem('invalid_input', `/culture: "${culture}" is no language of the station.`, {
      errors: [{ path: '/culture', message: `is none of ${whole.cultures.join(', ')}`, value: culture }],
    })
  const choice: ScreenChoice = { screen: screen.name, culture: culture ?? whole.cultures[0] ?? 'en-US' }
  // A popup is drawn as a screen of its own.
  const model: StationModel = { ...whole, screens: [screen] }
  const state = await stateOf(ctx, model, screen, choice.culture)
  return { station, model, choice, state: { ...state, alarms: [...alarms.pending] } }
}

function variablesOf(items: readonly ModelItem[], found = new Set<number>()): Set<number> {
  for (const { bindings, items: inner = [] } of items) {
    for (const { variable } of bindings) found.add(variable)
    variablesOf(inner, found)
  }
  return found
}

/** Reads the variables of a screen from the controllers of the station, each controller at one of its boundaries. */
async function stateOf(
  ctx: QueryContext,
  model: StationModel,
  screen: ModelScreen,
  culture: string,
): Promise<Omit<StationState, 'alarms'>> {
  const { controllerOfPlc } = await import('./live.ts')
  const values = new Map<number, unknown>()
  const faults = new Map<number, string>()
  const plcs = new Map<string, { isReached: boolean; reason?: string; state?: string }>()
  const programAlarms = new Map<string, readonly ProgramAlarm[]>()
  const indexes = [...variablesOf(screen.items)].filter((index) => model.variables[index]?.plc !== undefined)
  for (const plc of new Set([...(model.plcs ?? []), ...indexes.map((index) => model.variables[index]!.plc!)])) {
    const own = indexes.filter((index) => model.variables[index]!.plc === plc)
    const found = await controllerOfPlc(ctx, plc)
    if (found?.controller.program === undefined) {
      const reason =
        found === undefined
          ? `No controller that is switched on has the address of ${plc}.`
          : `The controller of ${plc} has no program.`
      plcs.set(plc, { isReached: found !== undefined, reason, ...defined({ state: found?.controller.state }) })
      for (const index of own) faults.set(index, reason)
      continue
    }
    const { controller, instance } = found
    plcs.set(plc, { isReached: true, state: controller.state })
    const read = await readTags(
      controller,
      own.map((index) => model.variables[index]!.path ?? ''),
    )
    for (const [i, { quality, value, error }] of read.entries())
      if (quality === 'Good') values.set(own[i]!, value)
      else faults.set(own[i]!, error ?? 'The value cannot be read.')
    programAlarms.set(instance.name, await alarmsOf(ctx, instance.name, culture))
  }
  return { values, faults, plcs, programAlarms }
}

/** Pending alarms of a controller's program. */
async function alarmsOf(ctx: QueryContext, instanceName: string, culture: string): Promise<readonly ProgramAlarm[]> {
  const { gateway, actor } = ctx
  const operation = gateway.registry.operation('alarms.list-pending')
  if (operation === undefined) return []
  const reply = await gateway.invoke(operation, { instanceName, culture }, { actor })
  return 'value' in reply ? (reply.value as { alarms: ProgramAlarm[] }).alarms : []
}

const screenValues = query({
  id: 'hmi.screen-values',
  title: 'Read what a screen of a compiled HMI station shows now',
  description:
    'Each object with the text that it shows, whether it is visible, the variables that its properties follow with their values now, and what it does when it is operated. Values are converted and formatted as the page does it; internal tags have their start values, since each page has its own. Writing is `hmi.write-variable`.',
  live: true,
  input: (t) =>
    t.Object({
      ...fields(t),
      q: t.Optional(t.String({ description: 'Part of the name of the object, in any case.' })),
      limit: t.Optional(t.Integer({ minimum: 1, maximum: 10_000, description: 'Default: all.' })),
      cursor: t.Optional(t.Integer({ minimum: 0, description: '`nextCursor` of the page before.' })),
    }),
  output: (t) =>
    t.Object({
      stationName: t.String(),
      screenName: t.String(),
      culture: t.String(),
      objects: t.Array(
        t.Object({
          name: t.String({ description: 'Objects of a faceplate after its name: `Pump_1/Speed`.' }),
          type: t.String(),
          left: t.Number(),
          top: t.Number(),
          width: t.Number(),
          height: t.Number(),
          isVisible: t.Boolean(),
          text: t.Optional(t.String({ description: 'What it shows as a text.' })),
          values: t.Array(
            t.Object({
              property: t.String(),
              variable: t.String(),
              plc: t.Optional(t.String()),
              path: t.Optional(t.String({ description: 'In the PLC.' })),
              raw: t.Optional(tagValue(t)),
              value: t.Optional(tagValue(t)),
              error: t.Optional(t.String({ description: 'Why there is none.' })),
            }),
          ),
          does: t.Array(t.String({ description: '`Click: SetBit(Tag=Motor)`' })),
        }),
      ),
      total: t.Integer(),
      nextCursor: t.Optional(t.Integer()),
      plcs: t.Array(
        t.Object({
          plc: t.String(),
          isReached: t.Boolean(),
          state: t.Optional(t.String({ description: 'Run, Stop …' })),
          reason: t.Optional(t.String()),
        }),
      ),
      pendingAlarms: t.Integer({ description: 'Of the station and of the programs of its PLCs.' }),
    }),
  http: [
    get('/api/hmi/stations/{stationName}/screens/{screenName}/values'),
    get('/api/hmi/stations/{stationName}/values'),
  ],
  asks: ['read the values of a running HMI screen'],
  mcp,
  aliases,
  example: { stationName: 'HMI_1', screenName: 'Main' },
  async run(input, ctx) {
    const { station, model, choice, state } = await shownBy(ctx, input)
    const { screenProgram } = await import('../page/web-files.ts')
    const all = (await screenProgram()).shownObjects(model, state, choice)
    const { q = '', cursor = 0, limit = all.length } = input
    // In the order in which they are drawn; names of a template may be those of the screen too.
    const matching = all.filter((one) => one.name.toLowerCase().includes(q.toLowerCase()))
    const end = cursor + limit
    const page = matching.slice(cursor, end)
    const programs = [...state.programAlarms.values()].reduce((sum, alarms) => sum + alarms.length, 0)
    return {
      stationName: station.name,
      screenName: choice.screen,
      culture: choice.culture,
      objects: page.map((object) => ({
        ...object,
        values: object.values.map(({ property, variable, value }) => {
          const { name, plc, path, startValue } = model.variables[variable]!
          const raw = plc === undefined ? startValue : state.values.get(variable)
          return {
            property,
            variable: name,
            ...defined({ plc, path, raw, error: state.faults.get(variable) }),
            ...defined({ value: value ?? undefined }),
          }
        }),
      })),
      total: matching.length,
      ...(end < matching.length ? { nextCursor: end } : {}),
      plcs: [...state.plcs].map(([plc, one]) => ({ plc, ...one })),
      pendingAlarms: state.alarms.length + programs,
    }
  },
})

const screenPicture = query({
  id: 'hmi.screen-picture',
  title: 'Draw what a screen of a compiled HMI station shows now',
  description:
    'An SVG, drawn by the code of the page with the values of this moment. What has no value has a dashed frame; trends are empty, since they are drawn from what a page has followed.',
  live: true,
  input: (t) => t.Object(fields(t)),
  output: (t) => t.String(),
  produces: 'image/svg+xml',
  http: [
    get('/api/hmi/stations/{stationName}/screens/{screenName}/picture'),
    get('/api/hmi/stations/{stationName}/picture'),
  ],
  asks: ['take a picture of an HMI screen', 'screenshot of an HMI screen'],
  mcp,
  aliases,
  example: { stationName: 'HMI_1', screenName: 'Main' },
  async run(input, ctx) {
    const { model, choice, state } = await shownBy(ctx, input)
    const { screenProgram, webFile } = await import('../page/web-files.ts')
    const [program, style] = await Promise.all([screenProgram(), webFile('hmi.css')])
    return program.screenPicture(model, state, choice, style)
  },
})

export const screenViewOperations: readonly Operation[] = [screenValues, screenPicture]
