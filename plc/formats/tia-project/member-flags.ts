/**
 * Flags of a member (`MFlags`), as far as exports show what they are: two of them say that it is visible and accessible
 * from outside (HMI, OPC UA), and are the same unless a user changed one of them.
 */
import type { MemberAttribute } from '../../model/object.ts'

const visibleAndAccessible = 0x3
/** The two are stated, and were set by a user. */
const isStated = 0x4
const isOfUser = 0x8
const notWritable = 0x40
/** Whether it is a setpoint is not what it is by default. */
const otherSetPoint = 0x200
const readOnlyInProgram = 0x1000
/**
 * Flags without a counterpart in exports: members of system types, start information of OBs, return values,
 * `Mandatory`, `S7_Visible`, references to other types.
 */
const withoutCounterpart = 0x10 | 0x20 | 0x80 | 0x400 | 0x800 | 0x2000 | 0x40000 | 0x80000 | 0x200000
const understood =
  visibleAndAccessible | isStated | isOfUser | notWritable | otherSetPoint | readOnlyInProgram | withoutCounterpart

/** Whether a member of the instruction library is for its own use: nothing is stated of it, and nobody sees it. */
export const isHidden = (flags: number): boolean =>
  (flags & (readOnlyInProgram | isStated | isOfUser | visibleAndAccessible)) === readOnlyInProgram

/** Whether only the instruction itself writes the member. */
export const isReadOnly = (flags: number): boolean => (flags & readOnlyInProgram) !== 0

export interface FlagReading {
  readonly attributes: MemberAttribute[]
  /** What is not understood; undefined when all is. */
  readonly problem?: string
}

/**
 * @param flags number of the attribute `MFlags`; 0 for a member without it
 * @param isSetPoint what the member is unless its flags say otherwise: in static data a member of a type is a setpoint,
 *   one of an elementary type or a structure is not; undefined where there are no setpoints
 * @param isInstance the member is one of an instance, where exports name what the instruction library forbids to write
 */
export function readMemberFlags(flags: number, isSetPoint?: boolean, isInstance = false): FlagReading {
  const attributes: MemberAttribute[] = []
  const add = (name: string, value: string) => attributes.push({ name, type: 'Boolean', value, systemDefined: true })
  if ((flags & ~understood) !== 0) return { attributes: [], problem: `flags ${flags} are not understood` }
  const isOfTool = (flags & isOfUser) === 0
  // The parameters of a sequence are the tool's, and exports have what they state.
  const counts = !isOfTool || ((flags & readOnlyInProgram) !== 0 && (flags & isStated) !== 0)
  if (!counts) {
    if (isInstance && (flags & notWritable) !== 0) add('ExternalWritable', 'false')
    if (isSetPoint) add('SetPoint', 'true')
    return { attributes }
  }
  const seen = flags & visibleAndAccessible
  if (seen === 0) {
    add('ExternalAccessible', 'false')
    add('ExternalVisible', 'false')
  }
  if (seen === 0 || (flags & notWritable) !== 0) add('ExternalWritable', 'false')
  if (isSetPoint !== undefined && ((flags & otherSetPoint) !== 0) !== isSetPoint) add('SetPoint', 'true')
  return {
    attributes,
    ...(seen === 0 || seen === visibleAndAccessible
      ? {}
      : { problem: `whether it is visible or accessible from outside is not understood (flags ${flags})` }),
  }
}
