/**
 * Writes the client for TypeScript: types of the document, a method for each operation, and the hand-written layer.
 *
 * The types have the shape that openapi-typescript gives them, but are made here: that package needs the API of
 * TypeScript 5, which TypeScript 7 does not have, and would bring a second compiler into every installation.
 */
import { readFile } from 'node:fs/promises'
import { type ClientDocument, type ClientField, type ClientFiles, type ClientOperation, grouped } from './document.ts'
import { camel, pascal, UniqueNames } from './names.ts'
import { docComment, propertyName, quoted, typeOf } from './schema-types.ts'

/** Names of the class `Gantry` that no group gets. */
const ownMembers = ['http', 'constructor', 'call', 'start', 'stream', 'job']

const header = (what: string): string =>
  `/** ${what} Written by "gantry client typescript"; changes are lost when it is written again. */\n`

/** The files of the package. */
export async function typescriptClient(document: ClientDocument): Promise<ClientFiles> {
  const asset = (name: string) => readFile(new URL(`./assets/${name}`, import.meta.url), 'utf8')
  const [client, readme, tsconfig] = await Promise.all([
    asset('client.ts.txt'),
    asset('typescript-readme.txt'),
    asset('tsconfig.txt'),
  ])
  return new Map([
    ['package.json', packageFile(document)],
    ['tsconfig.json', tsconfig],
    ['README.md', readme],
    ['src/index.ts', indexFile()],
    ['src/schema.ts', schemaFile(document)],
    ['src/operations.ts', operationsFile(document)],
    ['src/client.ts', client],
  ])
}

function packageFile({ version }: ClientDocument): string {
  const content = {
    name: 'gantry-client',
    version,
    description: 'Typed client of a Gantry gateway.',
    private: true,
    type: 'module',
    exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
    files: ['dist'],
    scripts: { build: 'tsc', prepare: 'tsc' },
    engines: { node: '>=18' },
    dependencies: { 'openapi-fetch': '^0.17.0' },
    devDependencies: { typescript: '>=5.4' },
  }
  return `${JSON.stringify(content, null, 2)}\n`
}

const indexFile = (): string =>
  `${header('A typed client of a Gantry gateway.')}export * from './client.js'
export * from './operations.js'
export type { components, operations, paths } from './schema.js'
`

function schemaFile(document: ClientDocument): string {
  const byPath = new Map<string, ClientOperation[]>()
  for (const operation of document.operations)
    byPath.set(operation.path, [...(byPath.get(operation.path) ?? []), operation])
  const paths = [...byPath.keys()].sort().map((path) => {
    const lines = byPath.get(path)!.map(({ method, id }) => `    ${method}: operations[${quoted(id)}]\n`)
    return `  ${quoted(path)}: {\n${lines.join('')}  }\n`
  })
  return `${header('Types of the OpenAPI document of the gateway, in the shape that openapi-fetch reads.')}
export interface paths {
${paths.join('')}}

export interface operations {
${document.operations.map(operationType).join('')}}

${componentTypes(document.schemas, Object.keys(document.schemas))}`
}

/** The interface `components` with the schemas of these names. */
function componentTypes(schemas: ClientDocument['schemas'], names: readonly string[]): string {
  const types = [...names].sort().map((name) => {
    const schema = schemas[name]!
    return `${docComment(schema.description ?? '', '    ')}    ${propertyName(name)}: ${typeOf(schema, '    ')}\n`
  })
  return `export interface components {
  schemas: {
${types.join('')}  }
}
`
}

/**
 * Types of some schemas and of those that they lead to, as `src/schema.ts` of the package has them.
 * @throws Error for a name that the document does not have
 */
export function typesOfSchemas({ schemas }: ClientDocument, names: readonly string[]): string {
  const reached = new Set(names)
  for (const name of reached) {
    const schema = schemas[name]
    if (schema === undefined) throw new Error(`there is no schema "${name}"`)
    for (const [, other] of JSON.stringify(schema).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) reached.add(other!)
  }
  return componentTypes(schemas, [...reached])
}

function operationType(operation: ClientOperation): string {
  const of = (place: ClientField['in']) => operation.fields.filter((field) => field.in === place)
  const body = of('body')
  const required = body.some((field) => field.required)
  const requestBody = operation.hasBody
    ? `    requestBody${required ? '' : '?'}: {\n      content: {\n        'application/json': ${fieldsType(body, '        ')}\n      }\n    }\n`
    : '    requestBody?: never\n'
  return `${docComment(operation.summary, '  ')}  ${quoted(operation.id)}: {
    parameters: {
${parameterType('query', of('query'))}${headerType(operation.headers)}${parameterType('path', of('path'))}      cookie?: never
    }
${requestBody}    responses: {
${responseTypes(operation)}      default: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['Problem'] } }
    }
  }
`
}

function parameterType(place: string, fields: readonly ClientField[]): string {
  if (fields.length === 0) return `      ${place}?: never\n`
  const optional = fields.some(({ required }) => required) ? '' : '?'
  return `      ${place}${optional}: ${fieldsType(fields, '      ')}\n`
}

const headerType = (names: readonly string[]): string =>
  names.length === 0
    ? '      header?: never\n'
    : `      header?: { ${names.map((name) => `${propertyName(name)}?: string`).join('; ')} }\n`

const fieldsType = (fields: readonly ClientField[], indent: string): string =>
  fields.length === 0
    ? 'Record<string, never>'
    : `{\n${fields
        .map(
          ({ name, required, schema, description }) =>
            `${docComment(description, `${indent}  `)}${indent}  ${propertyName(name)}${required ? '' : '?'}: ${typeOf(schema, `${indent}  `)}\n`,
        )
        .join('')}${indent}}`

function responseTypes({ kind, produces, result }: ClientOperation): string {
  const lines: string[] = []
  if (kind !== 'job') {
    const content = produces.map(
      (media) =>
        `${quoted(media)}: ${media === 'application/json' && result ? `components['schemas'][${quoted(result)}]` : 'string'}`,
    )
    lines.push(`      200: { headers: Record<string, unknown>; content: { ${content.join('; ')} } }\n`)
  }
  if (kind === 'job' || kind === 'command')
    lines.push(
      `      202: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['JobAccepted'] } }\n`,
    )
  return lines.join('')
}

function operationsFile(document: ClientDocument): string {
  const classes = new UniqueNames(['Gantry', 'Calls', 'Job'])
  const members = new UniqueNames(ownMembers)
  const groups = [...grouped(document.operations)].map(([name, operations]) => ({
    name,
    operations,
    className: classes.take(`${pascal(name)}Operations`),
    member: members.take(camel(name)),
  }))
  const routes = document.operations.map((operation) => `  ${propertyName(operation.id)}: ${routeOf(operation)},\n`)
  const texts = groups.map(({ name, className, operations }) => {
    const about = document.tags.get(name)
    return `${docComment(about ?? `Operations whose ids begin with "${name}".`, '')}export class ${className} {
  readonly #calls: Calls

  constructor(calls: Calls) {
    this.#calls = calls
  }
${methodsOf(operations)}}
`
  })
  return `${header('A method for each operation, grouped by the first part of the operation id.')}
import { Calls, type CallOptions, type GantryOptions, type Input, type Job, type Schema, type ServerEvent } from './client.js'
import type { operations } from './schema.js'

/** Where each operation is, and where its fields go. */
const routes: Record<keyof operations, Calls.Route> = {
${routes.join('')}}

${texts.join('\n')}
/** A gateway: its operations by groups. */
export class Gantry extends Calls {
${groups.map(({ member, className }) => `  readonly ${member} = new ${className}(this)\n`).join('')}
  constructor(options: GantryOptions) {
    super(options, routes)
  }
}
`
}

function routeOf({ method, path, kind, fields, hasBody, produces }: ClientOperation): string {
  const query = fields.filter((field) => field.in === 'query').map(({ name }) => quoted(name))
  const text = kind !== 'job' && kind !== 'stream' && !produces.includes('application/json')
  const parts = [
    `method: ${quoted(method)}`,
    `path: ${quoted(path)}`,
    `kind: ${quoted(kind)}`,
    ...(query.length > 0 ? [`query: [${query.join(', ')}]`] : []),
    ...(hasBody ? ['body: true'] : []),
    ...(text ? ['text: true'] : []),
  ]
  return `{ ${parts.join(', ')} }`
}

function methodsOf(operations: readonly ClientOperation[]): string {
  const names = new UniqueNames(['constructor'])
  // Names of operations come first: those of extra methods give way.
  const named = operations.map((operation) => ({ operation, name: names.take(camel(operation.rest)) }))
  return named
    .map(({ operation, name }) => {
      const main = method(operation, name, operation.kind)
      return operation.alsoStreams ? main + method(operation, names.take(`${name}Events`), 'stream') : main
    })
    .join('')
}

function method(operation: ClientOperation, name: string, kind: ClientOperation['kind']): string {
  const { id, summary, description, fields, result, access } = operation
  const input = `input: Input<${quoted(id)}>${fields.some(({ required }) => required) ? '' : ' = {}'}`
  const answer = result ? `Schema<${quoted(result)}>` : operation.kind === 'job' ? 'unknown' : 'string'
  const text = [summary, description, `Operation ${id}${access ? `; access: ${access}` : ''}.`]
    .filter((part) => part !== '')
    .join('\n\n')
  const [returns, call] =
    kind === 'stream'
      ? ['AsyncGenerator<ServerEvent, void, undefined>', 'stream']
      : kind === 'job'
        ? [`Promise<Job<${answer}>>`, 'start']
        : [`Promise<${answer}>`, 'call']
  return `
${docComment(text, '  ')}  ${name}(${input}, options: CallOptions = {}): ${returns} {
    return this.#calls.${call}(${quoted(id)}, input, options)${kind === 'stream' ? '' : ` as ${returns}`}
  }
`
}
