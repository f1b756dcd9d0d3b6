/** Checks nested members of specifications: a schema cannot say that a member has members of its own kind. */

import { compileInput, type Fault, isGatewayError, isObject, problem, type SchemaBuilder } from '../../core/index.ts'
import type { SectionSpecification } from '../../plc/generate/specification.ts'
import { memberFields } from './schema.ts'

const membersInput = {
  input: (t: SchemaBuilder) => t.Object({ members: t.Array(t.Object(memberFields(t))) }),
  http: [],
}
const sectionsInput = {
  input: (t: SchemaBuilder) =>
    t.Object({
      typeMembers: t.Array(t.Object({ section: t.String(), members: t.Array(t.Object(memberFields(t))) })),
    }),
  http: [],
}

/** Members are nested at most this deep; the reader of specifications tells the place. */
const deepest = 40

/**
 * The sections with all nested members checked, their names as the schema spells them.
 * @throws GatewayError `invalid_input` with the pointers of the faults
 */
export async function withNested(sections: readonly unknown[], at: string): Promise<SectionSpecification[]> {
  const [members, typeMembers] = await Promise.all([compileInput(membersInput), compileInput(sectionsInput)])
  const faults: Fault[] = []
  const read = (reader: typeof members, field: string, value: unknown, path: string): unknown => {
    try {
      return reader.read({ [field]: value })[field]
    } catch (error) {
      if (!isGatewayError(error) || error.code !== 'invalid_input') throw error
      for (const fault of error.details.errors ?? [])
        faults.push({ ...fault, path: `${path}${(fault.path ?? '').slice(field.length + 1)}` })
      return []
    }
  }
  const ofMembers = (list: readonly unknown[], path: string, depth: number): unknown[] =>
    list.map((member, i) => {
      if (!isObject(member) || depth > deepest) return member
      const place = `${path}/${i}`
      const { members: inner, typeMembers: own, ...rest } = member
      return {
        ...rest,
        ...(inner === undefined
          ? {}
          : {
              members: ofMembers(
                read(members, 'members', inner, `${place}/members`) as unknown[],
                `${place}/members`,
                depth + 1,
              ),
            }),
        ...(own === undefined
          ? {}
          : {
              typeMembers: ofSections(
                read(typeMembers, 'typeMembers', own, `${place}/typeMembers`) as unknown[],
                `${place}/typeMembers`,
                depth + 1,
              ),
            }),
      }
    })
  const ofSections = (list: readonly unknown[], path: string, depth: number): unknown[] =>
    list.map((section, i) =>
      isObject(section)
        ? { ...section, members: ofMembers(section.members as unknown[], `${path}/${i}/members`, depth) }
        : section,
    )
  const checked = ofSections(sections, at, 0)
  const [first] = faults
  if (first) throw problem('invalid_input', `${first.path}: ${first.message}`, { errors: faults })
  return checked as SectionSpecification[]
}
