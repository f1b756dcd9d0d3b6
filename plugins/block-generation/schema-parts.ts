/** The schemas of specifications and designs, and their examples: as a whole, one by one, or what there is. */
import { compileInput, isObject, notFound, problem } from '../../core/index.ts'
import { designExample, designSchema } from './design/schema.ts'
import { examples, graphExample, graphSchema, memberFields, specificationSchema } from './schema.ts'

/** The parts, with what each is for. */
export const schemaParts = {
  specification: 'Of generate-only and generate-and-import.',
  graph: 'Of generate-graph and generate-graph-only.',
  member: 'A member, also a nested one.',
  design: 'Of generate-from-design.',
  examples: 'Specifications by what they show.',
} as const
type Part = keyof typeof schemaParts

async function contentOf(part: Part): Promise<Readonly<Record<string, unknown>>> {
  const schemaOf = async (input: Parameters<typeof compileInput>[0]['input']) =>
    (await compileInput({ input, http: [] })).schema
  switch (part) {
    case 'specification':
      return schemaOf(specificationSchema)
    case 'graph':
      return schemaOf(graphSchema)
    case 'member':
      return schemaOf((t) => t.Object(memberFields(t)))
    case 'design':
      return schemaOf(designSchema)
    case 'examples':
      return { ...examples, graph: graphExample, design: designExample }
  }
}

/** What a part has by name: the fields of a schema, or the examples. */
function namedIn(content: object): Readonly<Record<string, unknown>> {
  const { properties } = content as { readonly properties?: unknown }
  return (isObject(properties) ? properties : content) as Readonly<Record<string, unknown>>
}

const partNames = Object.keys(schemaParts) as Part[]

/** All parts, by name. */
export async function allParts(): Promise<Record<Part, Readonly<Record<string, unknown>>>> {
  const contents = await Promise.all(partNames.map(async (part) => [part, await contentOf(part)] as const))
  return Object.fromEntries(contents) as Awaited<ReturnType<typeof allParts>>
}

/** Which parts there are, how large each is (characters of JSON), and the names in it. */
export async function partsOverview() {
  return Promise.all(
    partNames.map(async (part) => {
      const content = await contentOf(part)
      const { required = [] } = content as { readonly required?: readonly string[] }
      const names = Object.keys(namedIn(content)).map((name) =>
        part === 'examples' || required.includes(name) ? name : `${name}?`,
      )
      return { part, description: schemaParts[part], characters: JSON.stringify(content).length, names }
    }),
  )
}

/**
 * One part, or one field or example of it.
 * @throws GatewayError `not_found` for a name that is not in it, `invalid_input` for a name without a part
 */
export async function onePart(part: string, name: string | undefined): Promise<Record<string, unknown>> {
  const isPart = (text: string): text is Part => text in schemaParts
  if (!isPart(part)) {
    const message = 'needs the part that it is in'
    throw problem('invalid_input', `/name: ${message}: ${partNames.join(', ')}.`, {
      errors: [{ path: '/part', message, allowed: partNames }],
    })
  }
  const content = await contentOf(part)
  if (name === undefined) return { [part]: content }
  const named = namedIn(content)
  if (!Object.hasOwn(named, name)) throw notFound(`name in the part "${part}"`, name, Object.keys(named))
  return { part, name, content: named[name] }
}
