/** The parameters of the call that a place of a text is in. */
import { TokenKind as K } from '../languages/scl/tokens.ts'
import { memberName, quoted } from '../model/names.ts'
import { type Declared, systemDeclared } from './declared.ts'
import { firstAtOrBehind, type Outline, partAt } from './outline.ts'
import type { ProgramFiles } from './program.ts'
import { calledMembers } from './walk.ts'

/** A call with its parameters. */
export interface Signature {
  readonly label: string
  /** Comment of the block. */
  readonly comment: string
  readonly parameters: readonly {
    /** In the label. */
    readonly start: number
    readonly end: number
    readonly comment: string
  }[]
  /** The parameter that is being written; undefined: none of them. */
  readonly active?: number
}

/** The innermost call around a place. Indexes are those of significant tokens. */
interface OpenCall {
  /** The opening bracket. */
  readonly open: number
  /** First token of the argument that is being written. */
  readonly argument: number
  /** Arguments before it. */
  readonly count: number
}

/** The signature at an offset: of blocks, instances, functions of the program and blocks of the system. */
export function signatureAt(files: ProgramFiles, path: string, offset: number): Signature | undefined {
  const outline = files.outline(path)
  if (outline === undefined) return undefined
  const n = firstAtOrBehind(outline, offset)
  const part = partAt(outline, n)
  if (part === undefined || n <= part.body) return undefined
  for (let call = openCall(outline, part.body, n); call !== undefined; call = openCall(outline, part.body, call.open)) {
    const callee = calleeOf(files, path, outline, call.open)
    const members = callee && calledMembers(callee, files)
    if (callee !== undefined && members !== undefined) return signatureOf(callee, members, named(outline, call, n))
  }
  return undefined
}

function openCall({ significant, tokens }: Outline, from: number, n: number): OpenCall | undefined {
  let [depth, count, argument] = [0, 0, n]
  for (let at = n - 1; at >= from; at--) {
    const kind = tokens.kind[significant[at] as number]
    if (kind === K.Semicolon) return undefined
    if (kind === K.RightParen || kind === K.RightBracket) depth++
    else if (kind === K.LeftParen || kind === K.LeftBracket) {
      if (depth > 0) depth--
      else if (kind === K.LeftParen) return { open: at, argument: count === 0 ? at + 1 : argument, count }
      else [count, argument] = [0, at]
    } else if (kind === K.Comma && depth === 0) {
      if (count === 0) argument = at + 1
      count++
    }
  }
  return undefined
}

/** What is called by the bracket at `open`. */
function calleeOf(
  files: ProgramFiles,
  path: string,
  { significant, tokens }: Outline,
  open: number,
): Declared | undefined {
  let at = open - 1
  // An element of an array of instances: the name is before its indexes.
  for (let depth = 0; at >= 0; at--) {
    const kind = tokens.kind[significant[at] as number]
    if (kind === K.RightBracket) depth++
    else if (kind === K.LeftBracket) depth--
    else if (depth === 0) break
  }
  const declaredAt = (place: number) =>
    files.occurrences(path).find(({ token }) => token === significant[place])?.declared
  const called = declaredAt(at)
  if (called !== undefined || tokens.kind[significant[at - 1] as number] !== K.Dot) return called
  // The block of a timer or counter may stand behind its data: `#timer.TON(`.
  const data = declaredAt(at - 2)
  return data !== undefined && systemDeclared(data.dataType) !== undefined ? data : undefined
}

/** The name of the argument that is being written, or how many are before it. */
function named({ significant, tokens }: Outline, { argument, count }: OpenCall, n: number): string | number {
  const [token, behind] = [significant[argument], significant[argument + 1]]
  const isNamed =
    argument + 1 < n &&
    behind !== undefined &&
    (tokens.kind[behind] === K.Assign || tokens.kind[behind] === K.OutputAssign)
  if (!isNamed || token === undefined) return count
  return tokens.text
    .slice(tokens.start[token], tokens.start[token + 1])
    .replace(/^"|"$/g, '')
    .toUpperCase()
}

/** As TIA Portal orders them. */
const sections = ['Input', 'Output', 'InOut']

/** Timers and counters have their members as they are in memory; their calls have them in this order. */
const pins = ['CU', 'CD', 'IN', 'R', 'LD', 'PT', 'PV', 'QU', 'QD', 'Q', 'ET', 'CV']

function inOrder(section: readonly Declared[]): readonly Declared[] {
  const rank = ({ name }: Declared) => pins.indexOf(name)
  return section.every((one) => rank(one) >= 0) ? [...section].sort((a, b) => rank(a) - rank(b)) : section
}

function signatureOf(callee: Declared, members: Iterable<Declared>, wanted: string | number): Signature {
  const isSystem = callee.kind === 'System' || systemDeclared(callee.dataType) !== undefined
  const shown = sections.flatMap((wanted) => {
    const own = [...members].filter(({ section }) => section === wanted)
    return isSystem ? inOrder(own) : own
  })
  let label = `${callee.kind === 'Member' || callee.kind === 'System' ? callee.name : quoted(callee.name)}(`
  const parameters = shown.map(({ name, section, dataType, comment }, i) => {
    if (i > 0) label += ', '
    const start = label.length
    label += `${memberName(name)} ${section === 'Output' ? '=>' : ':='} ${dataType}`
    return { start, end: label.length, comment }
  })
  label += ')'
  if (callee.kind === 'FC' && callee.dataType !== '') label += ` : ${callee.dataType}`
  const active = typeof wanted === 'number' ? wanted : shown.findIndex(({ name }) => name.toUpperCase() === wanted)
  const isParameter = active >= 0 && active < parameters.length
  return { label, comment: callee.comment, parameters, ...(isParameter ? { active } : {}) }
}
