/** Checks nested members of specifications: a schema cannot say that a member has members of its own kind. */

import { compileInput, type Fault, isGatewayError, problem, type SchemaBuilder } from '../../core/index.ts'
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

/** A member or a section, as the schema of its list has let it through. */
interface Given {
  readonly members?: readonly Given[]
  readonly typeMembers?: readonly unknown[]
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
  const read = (reader: typeof members, field: string, value: unknown, path: string): readonly Given[] => {
    try {
      return reader.read({ [field]: value })[field] as readonly Given[]
    } catch (error) {
      if (!isGatewayError(error)) throw error
      for (const fault of error.details.errors ?? [])
        faults.push({ ...fault, path: `${path}${(fault.path ?? '').slice(field.length + 1)}` })
      return []
    }
  }
  const ofMembers = (list: readonly Given[], path: string, depth: number): unknown[] =>
    list.map((member, i) => {
      if (depth > deepest) return member
      const [inner, own] = [`${path}/${i}/members`, `${path}/${i}/typeMembers`]
      return {
        ...member,
        ...(member.members && {
          members: ofMembers(read(members, 'members', member.members, inner), inner, depth + 1),
        }),
        ...(member.typeMembers && {
          typeMembers: ofSections(read(typeMembers, 'typeMembers', member.typeMembers, own), own, depth + 1),
        }),
      }
    })
  const ofSections = (list: readonly Given[], path: string, depth: number): unknown[] =>
    list.map((section, i) => ({
      ...section,
      members: ofMembers(section.members ?? [], `${path}/${i}/members`, depth),
    }))
  const checked = ofSections(sections as readonly Given[], at, 0)
  const [first] = faults
  if (first) throw problem('invalid_input', `${first.path}: ${first.message}`, { errors: faults })
  return checked as SectionSpecification[]
}
