/** System structures as types without a program: what a controller knows of a data block by the name of its type. */
import { scalarNamed } from './scalars.ts'
import { systemTypeNamed } from './system-types.ts'
import { isTechnologyObject } from './technology-objects.ts'
import type { Member, StructType, Type } from './type.ts'
import { isTypeFault, parseTypeText, type TypeSyntax } from './type-text.ts'

const known = new Map<string, StructType | undefined>()

/**
 * Returns the technology object type of this name, case and quotes ignored; it is the same in every program.
 * `undefined`: there is none.
 */
export function systemStructure(name: string): StructType | undefined {
  const type = structureNamed(name.replaceAll('"', ''))
  return type && isTechnologyObject(type) ? type : undefined
}

function structureNamed(name: string): StructType | undefined {
  const key = name.toUpperCase()
  if (known.has(key)) return known.get(key)
  const found = systemTypeNamed(name)
  const type: StructType | undefined =
    found?.kind === 'struct'
      ? {
          kind: 'struct',
          name: found.name,
          isSystem: true,
          members: found.members.map(
            ({ dataType, isHidden: _hidden, isJoined: _joined, ...one }): Member => ({
              ...one,
              type: typeOf(dataType),
              isRetentive: false,
              comment: '',
            }),
          ),
        }
      : undefined
  known.set(key, type)
  return type
}

function typeOf(text: string): Type {
  const syntax = parseTypeText(text)
  return isTypeFault(syntax) ? { kind: 'unknown', text } : typeOfSyntax(syntax, text)
}

function typeOfSyntax(syntax: TypeSyntax, text: string): Type {
  if (syntax.kind === 'name')
    return scalarNamed(syntax.name) ?? structureNamed(syntax.name) ?? { kind: 'unknown', text }
  if (syntax.kind !== 'array') return { kind: 'unknown', text }
  const dimensions = syntax.dimensions.map(({ low, high }) => ({
    low: low?.kind === 'number' ? low.value : undefined,
    high: high?.kind === 'number' ? high.value : undefined,
  }))
  return { kind: 'array', dimensions, element: typeOfSyntax(syntax.element, text) }
}
