/** Compiling a station. */
import { createHash } from 'node:crypto'
import { dirname, join } from 'node:path'
import { command, get, type Operation, post, problem, query, type SchemaBuilder } from '../../core/index.ts'
import { loadedModel } from '../design-spec/index.ts'
import { requirePlc } from '../devices/index.ts'
import { fileNameOf, requireProject } from '../projects/index.ts'
import { compiledStations, requireCompiled, stationCompiled } from './compile/compiled.ts'
import { onlyStationName, stationAliases } from './input-fields.ts'
import { mcp } from './objects/kind-operations.ts'
import { screenKinds } from './objects/screen-kinds.ts'
import { plcsOf } from './program.ts'
import { type ModelItem, type StationModel, screensOfModel } from './station-model.ts'
import { onlyStation, requireStation } from './stations.ts'

/** Folder of the compiled stations in the folder of the project. */
const outputFolder = '.gantry/hmi'

const messageFields = (t: SchemaBuilder) =>
  t.Array(
    t.Object({
      state: t.String({ description: 'error or warning.' }),
      code: t.String(),
      description: t.String(),
      hint: t.String(),
      screen: t.String({ description: 'Empty: of the station.' }),
      screenType: t.Optional(t.String({ description: 'Of the screen; absent: Screen.' })),
      object: t.String(),
      property: t.String(),
      line: t.Optional(t.Integer()),
      column: t.Optional(t.Integer()),
    }),
  )

const compile = command({
  id: 'hmi.compile',
  title: 'Compile an HMI station',
  description:
    'Checks every binding, tag, event, script, list entry and reference. Without errors a folder is written that can be run, in `.gantry/hmi/<station>` of the project: `index.html` with all it needs, the screens as SVG, scripts, languages. `GET /hmi/{station}/` serves the station as it was compiled last without errors. With `rebuildAll: false` (the default) only screens that have changed are drawn again.',
  input: (t) =>
    t.Object({
      stationName: onlyStationName(t),
      rebuildAll: t.Optional(t.Boolean({ description: 'Draw all screens anew. Default: false.' })),
    }),
  output: (t) =>
    t.Object({
      success: t.Boolean(),
      errors: t.Integer(),
      warnings: t.Integer(),
      compileTimeMs: t.Integer(),
      binaryPath: t.String({
        description: 'File on the host: the page of the compiled station, index.html. Empty when there are errors.',
      }),
      folder: t.String({ description: 'Folder of that file and the other parts. Empty when there are errors.' }),
      stationName: t.String(),
      screens: t.Integer(),
      compiled: t.Integer({ description: 'Screens that were drawn.' }),
      unchanged: t.Integer({ description: 'Screens that were as before.' }),
      messages: messageFields(t),
    }),
  changes: '/api/hmi/screens',
  http: [post('/api/hmi/compile'), post('/api/hmi/compile/async', 'async')],
  mcp,
  needsInstance: true,
  aliases: stationAliases,
  example: { stationName: 'HMI_1', rebuildAll: false },
  async run({ stationName, rebuildAll = false }, ctx) {
    const began = performance.now()
    const station = onlyStation(ctx, stationName)
    const { compileStation } = await import('./compile/compile.ts')
    ctx.progress(10, `Checking ${station.name}`)
    const { model, messages } = await compileStation(ctx, station)
    const errors = messages.filter(({ state }) => state === 'error').length
    const warnings = messages.length - errors
    const told = { stationName: station.name, screens: model.screens.length, messages: [...messages] }
    const time = () => Math.round(performance.now() - began)
    const nothing = { compiled: 0, unchanged: 0, binaryPath: '', folder: '' }
    if (errors > 0) return { success: false, errors, warnings, compileTimeMs: time(), ...nothing, ...told }

    const [{ svgOf }, { pageFile, stationFiles }, { trendVariables }] = await Promise.all([
      import('./screens/svg.ts'),
      import('./page/publish.ts'),
      import('./run/trend-traces.ts'),
    ])
    const { path } = requireProject(ctx)
    const isFile = (await ctx.files.stat(path))?.isFile === true
    const folder = await ctx.files.resolve(
      `${isFile ? dirname(path) : path}/${outputFolder}/${fileNameOf(station.name)}`,
    )
    const before = rebuildAll ? undefined : ctx.read(compiledStations).get(station.id)
    const screens: Record<string, { source: string; svg: string }> = {}
    let unchanged = 0
    ctx.progress(50, 'Drawing screens')
    await ctx.files.remove(folder)
    const all = screensOfModel(model)
    for (const { screen, kind } of all) {
      ctx.signal.throwIfAborted()
      const key = `${screenKinds[kind].plural}/${screen.name}`
      const source = hashOf([screen, model.cultures, graphicsOf(screen.items, model)])
      const known = before?.screens[key]
      const isSame = known?.source === source && (await ctx.blobs.has(known.svg))
      if (isSame) unchanged++
      const svg = isSame ? known.svg : await ctx.blobs.put(svgOf(screen, model.cultures, model.graphics))
      screens[key] = { source, svg }
      await ctx.files.writeBlob(`${folder}/${screenKinds[kind].plural}/${fileNameOf(screen.name)}.svg`, svg)
    }
    for (const [name, content] of await stationFiles(model)) await ctx.files.write(`${folder}/${name}`, content)
    const blob = await ctx.blobs.put(JSON.stringify(model))
    const compiledAt = ctx.now
    const isLive = model.alarms.length > 0 || trendVariables(model).length > 0
    ctx.emit(
      stationCompiled,
      { deviceId: station.id, model: blob, screens, isLive, errors, warnings, compiledAt },
      `device/${station.name}`,
    )
    const written = { binaryPath: join(folder, pageFile), folder }
    const compiled = all.length - unchanged
    return { success: true, errors, warnings, compileTimeMs: time(), ...written, compiled, unchanged, ...told }
  },
})

/** The images that objects show, those inside of faceplates too. */
function graphicsOf(items: readonly ModelItem[], model: StationModel): string[] {
  return items.flatMap(({ links, items: inner = [] }) => [
    model.graphics[String(links.picture ?? links.graphic ?? '').toLowerCase()] ?? '',
    ...graphicsOf(inner, model),
  ])
}

function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url')
}

const model = query({
  id: 'hmi.show-model',
  title: 'Show the compiled model of an HMI station',
  description: 'What the page of the station shows: screens, variables, lists, graphics, scripts, alarms.',
  input: (t) => t.Object({ stationName: t.String({ minLength: 1 }) }),
  output: (t) => t.String(),
  produces: 'application/json',
  http: [get('/api/hmi/stations/{stationName}/model')],
  mcp: false,
  run: ({ stationName }, ctx) => ctx.blobs.text(requireCompiled(ctx, requireStation(ctx, stationName)).model),
})

const generate = command({
  id: 'hmi.generate',
  title: 'Make the screens of an HMI station from the program of a PLC',
  description:
    'From `design-spec` (the default when one is loaded and the PLC has an instance of a block of its phases): a screen for each unit, with a step chart and the commands of each phase, and a faceplate for each control module. From `folders`: a screen for each folder of blocks, with a faceplate for each instance data block in it. A function block that has no library type of its name on the station gets one from its interface: switches and fields for inputs, lamps and fields for the others. Present screens are left as they are unless `overwrite` is true; present library types always.',
  input: (t) =>
    t.Object({
      stationName: onlyStationName(t),
      plcName: t.Optional(t.String({ minLength: 1, description: 'PLC; may be left out when the station has one.' })),
      from: t.Optional(t.Enum(['design-spec', 'folders'])),
      overwrite: t.Optional(t.Boolean()),
    }),
  output: (t) =>
    t.Object({
      from: t.String({ description: 'design-spec or folders.' }),
      stationName: t.String(),
      plcName: t.String(),
      screens: t.Array(t.String()),
      libraryTypes: t.Array(t.String()),
      objects: t.Integer(),
      warnings: t.Array(t.String()),
    }),
  http: [post('/api/hmi/generate'), post('/api/hmi/generate/async', 'async')],
  mcp: { ...mcp, destructive: true },
  changes: '/api/hmi/screens',
  needsInstance: true,
  aliases: { ...stationAliases, plcName: ['plc'] },
  async run({ stationName, plcName, from, overwrite = false }, ctx) {
    const station = onlyStation(ctx, stationName)
    const plcs = plcsOf(ctx, station)
    const plc = plcName === undefined ? plcs[0] : requirePlc(ctx, plcName)
    if (plc === undefined || (plcName === undefined && plcs.length > 1)) {
      const names = plcs.map(({ name }) => `"${name}"`).join(', ')
      const reason =
        plc === undefined ? 'The project has no PLC.' : `There are ${plcs.length} PLCs: ${names}. Send plcName.`
      throw problem('conflict', reason)
    }
    const model = from === 'folders' ? undefined : await loadedModel(ctx)
    if (from === 'design-spec' && model === undefined)
      throw problem('conflict', 'No design spec is loaded.', {
        suggestion: 'POST /api/design-spec/load, or "from": "folders".',
      })
    const [{ generateStation }, { generateFromSpec, hasPhases }] = await Promise.all([
      import('./generate/generate.ts'),
      import('./generate/generate-spec.ts'),
    ])
    if (model !== undefined && (from === 'design-spec' || hasPhases(ctx, plc, model))) {
      const made = await generateFromSpec(ctx, station, plc, model, overwrite)
      return { from: 'design-spec', stationName: station.name, plcName: plc.name, ...made }
    }
    const made = await generateStation(ctx, station, plc, overwrite)
    return { from: 'folders', stationName: station.name, plcName: plc.name, ...made }
  },
})

export const compileOperations: readonly Operation[] = [compile, model, generate]
