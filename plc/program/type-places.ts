/** Which data types may be where (docs/plc-semantics.md#data-types). */
import type { PointerType, Section, VoidType } from './type.ts'

/** Why a type cannot be at a place, and what would be right. */
export interface TypeRefusal {
  readonly message: string
  readonly hint: string
}

/** Array[*] that is no parameter. */
export const openArrayRefusal: TypeRefusal = {
  message: 'Array[*] is for parameters only: of an FC, or in-outs of an FB.',
  hint: 'Give the array limits, e.g. Array[0..9].',
}

/** REF_TO REF_TO. */
export function doubleReferenceRefusal(text: string): TypeRefusal {
  return {
    message: `"${text}" is a reference to a reference, which does not exist.`,
    hint: 'Let it point to the variable itself, e.g. REF_TO Int.',
  }
}

/** Types that no data have, by their names in capitals; a pointer may be stored. */
export const unstoredTypes: Readonly<Record<string, VoidType | PointerType>> = {
  VOID: { kind: 'void' },
  VARIANT: { kind: 'pointer', form: 'Variant' },
  ANY: { kind: 'pointer', form: 'Any' },
  POINTER: { kind: 'pointer', form: 'Pointer' },
}

/**
 * Only a function that returns nothing has the type Void. Variant and Any are for parameters and Temp.
 * @param isPart it is the type of elements, or of what a reference points to
 * @param isSystem a declaration of a block of the system, which may store a Variant in ways of its own
 */
export function unstoredRefusal(
  type: VoidType | PointerType,
  section: Section,
  isPart = false,
  isSystem = false,
): TypeRefusal | undefined {
  if (type.kind === 'void') {
    if (section === 'Return' && !isPart) return undefined
    return {
      message: 'Void is for functions that return nothing: no variable has this type.',
      hint: section === 'Return' ? 'Write Void alone, or the type of the value.' : 'Give it the type of its values.',
    }
  }
  if (type.form === 'Pointer' || isSystem || (section !== 'Static' && section !== 'None')) return undefined
  const where = section === 'Static' ? 'in data' : 'in a structure or PLC data type'
  return {
    message: `${type.form} is for parameters and Temp only: it cannot stand ${where}.`,
    hint: 'Give it the type of its values, or declare it as a parameter.',
  }
}

/** Instances of function blocks lie in data blocks. */
export function instanceRefusal(block: string, section: Section): TypeRefusal | undefined {
  if (section !== 'Temp' && section !== 'None') return undefined
  const where = section === 'Temp' ? 'in Temp' : 'in a PLC data type'
  return {
    message: `"${block}" is a function block: its instances cannot stand ${where}.`,
    hint: 'Declare the instance in Static, or as an in-out parameter.',
  }
}
