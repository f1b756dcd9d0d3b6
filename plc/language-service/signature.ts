/** The parameters of the call that a place of a text is in. */
import { TokenKind as K } from '../languages/scl/tokens.ts'
import { memberName, quoted } from '../model/names.ts'
import type { Declared } from './declared.ts'
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
  const token = significant[at]
  return files.occurrences(path).find((one) => one.token === token)?.declared
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

/** As TIA Portal orders them; blocks of the system have their members as they are in memory. */
const sections = ['Input', 'Output', 'InOut']

function signatureOf(callee: Declared, members: Iterable<Declared>, wanted: string | number): Signature {
  const shown = sections.flatMap((wanted) => [...members].filter(({ section }) => section === wanted))
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
