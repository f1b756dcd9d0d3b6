/** The operations of the documentation and of route discovery. */
import { codeTables } from '../contract/code-tables.ts'
import { extend } from '../contract/extension-point.ts'
import { jsonSchema, jsonValue } from '../contract/free-schemas.ts'
import { get, query } from '../contract/operation.ts'
import { definePlugin } from '../contract/plugin.ts'
import { notFound } from '../contract/problems.ts'
import type { SchemaBuilder } from '../contract/schema.ts'
import { inputCodes } from './input-codes.ts'

const codePage = (t: SchemaBuilder) => ({
  code: t.String({ description: 'Stable name of the error.' }),
  title: t.String(),
  meaning: t.String(),
  remedy: t.String({ description: 'What to do.' }),
})
const errorPage = (t: SchemaBuilder) => ({
  ...codePage(t),
  status: t.Integer({ description: 'HTTP status.' }),
  example: t.String({ description: 'A `detail` as it may appear.' }),
})

const routeFields = (t: SchemaBuilder) => ({
  method: t.String(),
  path: t.String(),
  route: t.String({ description: 'The same as `path`.' }),
  controller: t.String({ description: 'The plugin that answers.' }),
  operation: t.String({ description: 'Operation id.' }),
  kind: t.Enum(['command', 'query', 'stream', 'wire'], { description: '`wire`: a protocol of its own, no operation.' }),
  title: t.String(),
  mode: t.Enum(['sync', 'async']),
  access: t.String({ description: 'Least access level, or `public`.' }),
})

/** Documentation, errors and route discovery: a plugin of the core. */
export const docsPlugin = definePlugin({
  name: 'docs',
  version: '1.0.0',
  description: 'The manual, the table of errors and the list of routes.',
  extensions: [extend(codeTables, inputCodes)],
  operations: [
    query({
      id: 'docs.get-manual',
      title: 'Read the whole manual',
      description: 'All sections as one Markdown text. `GET /api/docs/sections` lists them, for reading one at a time.',
      input: (t) => t.Object({}),
      output: (t) => t.String(),
      produces: 'text/markdown',
      http: [get('/api/docs')],
      mcp: false,
      live: true,
      whenDamaged: true,
      async run(_input, { gateway }) {
        const { manualText } = await import('./manual.ts')
        return manualText(gateway.registry, gateway.version)
      },
    }),
    query({
      id: 'docs.list-sections',
      title: 'List the sections of the manual',
      input: (t) => t.Object({}),
      output: (t) =>
        t.Object({
          sections: t.Array(t.Object({ name: t.String(), title: t.String(), plugin: t.String() })),
          total: t.Integer(),
        }),
      http: [get('/api/docs/sections')],
      access: 'public',
      mcp: { toolset: 'docs' },
      live: true,
      whenDamaged: true,
      async run(_input, { gateway }) {
        const { sectionsOf } = await import('./manual.ts')
        const sections = sectionsOf(gateway.registry).map(({ name, title, plugin }) => ({ name, title, plugin }))
        return { sections, total: sections.length }
      },
    }),
    query({
      id: 'docs.get-section',
      title: 'Read one section of the manual',
      input: (t) =>
        t.Object({ sectionName: t.String({ minLength: 1, description: 'Name from `GET /api/docs/sections`.' }) }),
      output: (t) =>
        t.Object({
          name: t.String(),
          title: t.String(),
          plugin: t.String(),
          text: t.String({ description: 'Markdown.' }),
        }),
      http: [get('/api/docs/sections/{sectionName}')],
      mcp: { toolset: 'docs' },
      live: true,
      whenDamaged: true,
      example: { sectionName: 'getting-started' },
      async run({ sectionName }, { gateway }) {
        const { sectionsOf } = await import('./manual.ts')
        const sections = sectionsOf(gateway.registry)
        const section = sections.find(({ name }) => name === sectionName.toLowerCase())
        if (!section)
          throw notFound(
            'section',
            sectionName,
            sections.map(({ name }) => name),
          )
        const { name, title, plugin } = section
        return { name, title, plugin, text: await section.text() }
      },
    }),
    query({
      id: 'docs.search',
      title: 'Search the manual',
      description: 'Words may be incomplete or slightly misspelt. Sections with all words come first.',
      input: (t) =>
        t.Object({
          q: t.String({ minLength: 1, maxLength: 200, description: 'What to look for.' }),
          limit: t.Optional(
            t.Integer({ minimum: 1, maximum: 100, description: 'At most this many sections (default 20).' }),
          ),
        }),
      output: (t) =>
        t.Array(
          t.Object({
            section: t.String({ description: 'Read it with `GET /api/docs/sections/{sectionName}`.' }),
            title: t.String(),
            snippet: t.String(),
            url: t.String({ description: 'Path of the place in the manual in a browser.' }),
            relevance: t.Number({ description: '1 for the best hit.' }),
          }),
        ),
      http: [get('/api/docs/search')],
      aliases: { q: ['query'] },
      mcp: { toolset: 'docs' },
      live: true,
      whenDamaged: true,
      example: { q: 'idempotency' },
      async run({ q, limit = 20 }, { gateway }) {
        const { searchManual } = await import('./search.ts')
        return searchManual(gateway.registry, q, limit)
      },
    }),
    query({
      id: 'docs.list-errors',
      title: 'List all error codes',
      input: (t) => t.Object({}),
      output: (t) => t.Object({ errors: t.Array(t.Object(errorPage(t))), total: t.Integer() }),
      http: [get('/api/errors')],
      mcp: { toolset: 'docs' },
      live: true,
      whenDamaged: true,
      run(_input, { gateway }) {
        const errors = [...gateway.registry.problems].map(([code, definition]) => ({ code, ...definition }))
        return { errors, total: errors.length }
      },
    }),
    query({
      id: 'docs.get-error',
      title: 'Explain an error code',
      description:
        'The `type` of a problem document is the address of this page. Codes of the entries of `errors`, of messages of the compiler and of the diagnostics buffer are explained too; these have a `severity` and no `status`.',
      input: (t) =>
        t.Object({ code: t.String({ minLength: 1, description: '`code` of a problem, fault or message.' }) }),
      output: (t) =>
        t.Object({
          ...codePage(t),
          status: t.Optional(t.Integer({ description: 'HTTP status of a problem.' })),
          severity: t.Optional(t.String({ description: 'Of what is no problem of its own.' })),
          kind: t.Optional(t.String({ description: 'What has such a code.' })),
          example: t.Optional(t.String({ description: 'A `detail`, or a source, that has it.' })),
        }),
      http: [get('/api/errors/{code}')],
      mcp: { toolset: 'docs' },
      live: true,
      whenDamaged: true,
      example: { code: 'no_project' },
      async run({ code }, { gateway }) {
        const { problems } = gateway.registry
        const definition = problems.get(code)
        if (definition) return { code, ...definition }
        const known = [...problems.keys()]
        for (const table of gateway.registry.extensions(codeTables)) {
          const codes = await table.codes()
          const found = codes.get(code)
          if (found) return { code, kind: table.title, ...found }
          known.push(...codes.keys())
        }
        throw notFound('error code', code, known)
      },
    }),
    query({
      id: 'docs.list-routes',
      title: 'List all routes',
      input: (t) =>
        t.Object({
          q: t.Optional(t.String({ description: 'Only routes whose path, operation or title contains this text.' })),
          controller: t.Optional(t.String({ description: 'Only routes of this plugin.' })),
        }),
      output: (t) => t.Object({ routes: t.Array(t.Object(routeFields(t))), total: t.Integer() }),
      http: [get('/api/command/list')],
      mcp: false,
      live: true,
      whenDamaged: true,
      async run({ q, controller }, { gateway }) {
        const { routeEntry, wireRouteEntry } = await import('./route-info.ts')
        const text = q?.toLowerCase()
        const { registry } = gateway
        const routes = [...registry.routes.map(routeEntry), ...registry.wireRoutes.map(wireRouteEntry)]
          .filter((entry) => controller === undefined || entry.controller === controller)
          .filter((e) => text === undefined || `${e.path}\n${e.operation}\n${e.title}`.toLowerCase().includes(text))
        return { routes, total: routes.length }
      },
    }),
    query({
      id: 'docs.describe-route',
      title: 'Describe a route',
      description:
        'The route as its pattern or a real path, with or without `/api` in front, URL-encoded or not; or an operation id. When several methods share the path, `method` chooses; without it the first is described and `methods` names them all.',
      input: (t) =>
        t.Object({
          route: t.String({
            minLength: 1,
            maxLength: 2000,
            description: 'E.g. `projects/actions/open` or `blocks.list`.',
          }),
          method: t.Optional(t.String({ description: 'GET, POST, PUT, PATCH or DELETE.' })),
        }),
      output: (t) =>
        t.Object({
          ...routeFields(t),
          description: t.Optional(t.String()),
          toolset: t.Optional(t.String({ description: 'MCP toolset.' })),
          needsInstance: t.Boolean(),
          methods: t.Array(t.String(), { description: 'All methods of this path.' }),
          otherRoutes: t.Array(t.Object({ method: t.String(), path: t.String(), mode: t.String() })),
          parameters: t.Array(
            t.Object({
              name: t.String(),
              in: t.Enum(['path', 'query', 'body']),
              type: t.String(),
              required: t.Boolean(),
              description: t.Optional(t.String()),
              default: t.Optional(jsonValue(t)),
              aliases: t.Optional(t.Array(t.String(), { description: 'Other spellings that are taken.' })),
            }),
          ),
          contentTypes: t.Array(t.String(), { description: 'Of the body.' }),
          body: t.Union([jsonSchema(t), t.Null()], { description: 'Of the body; null when there is none.' }),
          example: t.String({ description: 'A call with curl.' }),
          responses: t.Array(
            t.Object({
              status: t.String(),
              contentType: t.String(),
              description: t.String(),
              schema: t.Optional(jsonSchema(t)),
            }),
          ),
        }),
      http: [get('/api/command/info/{route*}')],
      mcp: false,
      live: true,
      whenDamaged: true,
      example: { route: 'docs/sections/{sectionName}' },
      async run({ route, method }, { gateway }) {
        const { describeRoute, describeWireRoute, findRoutes, findWireRoutes } = await import('./route-info.ts')
        const wire = findWireRoutes(gateway.registry, route, method)
        if (wire.length > 0) return describeWireRoute(wire)
        return describeRoute(findRoutes(gateway.registry, route, method))
      },
    }),
  ],
})
