/**
 * What the family of the CPU does not have, reported where code uses it (docs/plc-semantics.md#families-of-cpus). Only
 * for programs of a device: declarations alone do not say for certain what CPU a program is for.
 */
import { familyRules, lackingInName, lacksType } from '../../program/cpu-family.ts'
import { LInt, scalarNamed } from '../../program/scalars.ts'
import type { ScalarType } from '../../program/type.ts'
import type { BlockContext } from './block-context.ts'
import type { Comparison } from './operator-names.ts'
import type { SourceRange } from './source-range.ts'

/** Reports a constant whose type the CPU lacks, and says whether it does: `LT#1s`. */
export function refusesConstant(context: BlockContext, { name }: ScalarType, text: string, at: SourceRange): boolean {
  const { family, isFamilyKnown } = context.program
  if (!isFamilyKnown || !lacksType(family, name)) return false
  context.report('type-of-cpu', at, `${text} is of type ${name}, which ${family} does not have.`)
  return true
}

/** Reports an instruction that the CPU lacks, or whose name has a type that it lacks, and says whether it does. */
export function refusesInstruction(context: BlockContext, name: string, at: SourceRange): boolean {
  const { family, isFamilyKnown } = context.program
  if (!isFamilyKnown) return false
  const upper = name.toUpperCase()
  // PEEK_WORD is PEEK with a type.
  const typed = /^(.+)_([A-Z]+)$/.exec(upper)
  const base = typed && scalarNamed(typed[2] as string) ? (typed[1] as string) : upper
  const { lacksInstructions } = familyRules[family]
  if (lacksInstructions.has(upper) || lacksInstructions.has(base)) {
    context.report('instruction-of-cpu', at, `${family} does not have the instruction ${name}.`)
    return true
  }
  const type = lackingInName(family, name)
  if (type === undefined) return false
  context.report('type-of-cpu', at, `${name} is of type ${type}, which ${family} does not have.`)
  return true
}

/** Reports `<`, `<=`, `>`, `>=` of bit strings in SCL where the CPU has none, and says whether it does. */
export function refusesOrder(
  context: BlockContext,
  operator: Comparison,
  types: readonly ScalarType[],
  at: SourceRange,
): boolean {
  const { program, block } = context
  const isRight =
    /^(=|<>)$/.test(operator) || block.language !== 'SCL' || !types.every(({ family }) => family === 'bits')
  if (isRight || !program.isFamilyKnown || familyRules[program.family].ordersBitStrings) return false
  const names = [...new Set(types.map(({ name }) => name))].join(' and ')
  const hint = 'Compare them as numbers, e.g. WORD_TO_INT(…).'
  context.report('wrong-operand', at, `${operator} cannot be applied to ${names} on ${program.family}.`, hint)
  return true
}

/** Whether the CPU lacks an implicit conversion that S7-1500 has. */
export function lacksConversion({ program }: BlockContext, from: ScalarType, to: ScalarType): boolean {
  return program.isFamilyKnown && familyRules[program.family].lacksConversions[from.name]?.includes(to.name) === true
}

/**
 * Warns where only LInt holds both a UDInt and a signed number, and the CPU has no LInt: the help does not say what the
 * result is then. It is calculated as an LInt all the same.
 */
export function warnOfLongInteger(
  context: BlockContext,
  types: readonly ScalarType[],
  shared: ScalarType,
  at: SourceRange,
  what: string,
): void {
  const { family, isFamilyKnown } = context.program
  if (!isFamilyKnown || shared !== LInt || !lacksType(family, LInt.name)) return
  const names = new Set(types.flatMap((type) => (type === LInt ? [] : [type.name])))
  const message = `${what} of ${[...names].join(' and ')} needs LInt, which ${family} does not have.`
  context.report('type-of-cpu', at, message, 'Convert by name to one type, e.g. UDINT_TO_DINT(…).', 'warning')
}
