/** Writes the SCL text of what a template consists of: types, a function block, its instances. */

/** A member of an interface or type. */
export interface Member {
  readonly name: string
  readonly type: string
  readonly comment: string
  /** Start value as SCL writes it. */
  readonly value?: string
}

/** A state or another value that has a name in the block. */
export interface Constant extends Member {
  readonly value: string
}

export interface DataType {
  readonly name: string
  readonly title: string
  readonly members: readonly Member[]
}

export interface FunctionBlock {
  readonly inputs: readonly Member[]
  readonly outputs: readonly Member[]
  readonly inOuts?: readonly Member[]
  readonly statics?: readonly Member[]
  /** Statics that keep their values when the power fails. */
  readonly retains?: readonly Member[]
  readonly temps?: readonly Member[]
  readonly constants?: readonly Constant[]
  /** Statements, from the left margin. */
  readonly body: string
}

/** Header entries that all objects of a template share. */
export interface Header {
  readonly author: string
  readonly family: string
  readonly version: string
}

export function member(name: string, type: string, comment: string, value?: string): Member {
  return value === undefined ? { name, type, comment } : { name, type, comment, value }
}

/** A constant of type Int; states and codes are such. */
export function code(name: string, value: number, comment: string): Constant {
  return { name, type: 'Int', comment, value: String(value) }
}

export function constant(name: string, type: string, value: string, comment: string): Constant {
  return { name, type, comment, value }
}

/** A duration as SCL writes it: whole seconds as `T#3S`, others in milliseconds. */
export function duration(seconds: number): string {
  const milliseconds = Math.round(seconds * 1000)
  return milliseconds % 1000 === 0 ? `T#${milliseconds / 1000}S` : `T#${milliseconds}MS`
}

/** A Real as SCL writes it: with a point. */
export function real(value: number): string {
  const [mantissa = '', exponent] = String(value).split('e')
  const pointed = mantissa.includes('.') ? mantissa : `${mantissa}.0`
  return exponent === undefined ? pointed : `${pointed}E${exponent}`
}

/** The items, or none of them. */
export function when<T>(isThere: boolean, ...items: readonly T[]): readonly T[] {
  return isThere ? items : []
}

/** Joins the parts of a body that are there; each starts at the left margin and is followed by an empty line. */
export function parts(...all: readonly (string | false)[]): string {
  return all
    .filter((one): one is string => one !== false)
    .map((one) => one.trim())
    .join('\n\n')
}

/** Joins the lines that are there. */
export function lines(...all: readonly (string | false)[]): string {
  return all.filter((one) => one !== false).join('\n')
}

/** A type has no author and family, and its files keep no version (docs/formats.md#objects-and-attributes). */
export function typeText({ name, title, members }: DataType): string {
  return [
    `TYPE "${name}"`,
    `TITLE = ${title}`,
    'VERSION : 0.1',
    '   STRUCT',
    ...members.map(memberText),
    '   END_STRUCT;',
    '',
    'END_TYPE',
    '',
  ].join('\n')
}

export function blockText(
  name: string,
  { title, comment, ...header }: Header & { readonly title: string; readonly comment: string },
  block: FunctionBlock,
): string {
  return [
    `FUNCTION_BLOCK "${name}"`,
    `TITLE = ${title}`,
    "{ S7_Optimized_Access := 'TRUE' }",
    `AUTHOR : '${header.author}'`,
    `FAMILY : '${header.family}'`,
    `VERSION : ${header.version}`,
    `// ${comment}`,
    ...section('VAR_INPUT', block.inputs),
    ...section('VAR_OUTPUT', block.outputs),
    ...section('VAR_IN_OUT', block.inOuts),
    ...section('VAR RETAIN', block.retains),
    ...section('VAR', block.statics),
    ...section('VAR_TEMP', block.temps),
    ...section('VAR CONSTANT', block.constants),
    'BEGIN',
    ...block.body.split('\n').map((line) => (line === '' ? '' : `\t${line}`)),
    'END_FUNCTION_BLOCK',
    '',
  ].join('\n')
}

export function instanceText(name: string, of: string, { author, family, version }: Header): string {
  return [
    `DATA_BLOCK "${name}"`,
    "{ S7_Optimized_Access := 'TRUE' }",
    `AUTHOR : '${author}'`,
    `FAMILY : '${family}'`,
    `VERSION : ${version}`,
    `"${of}"`,
    '',
    'BEGIN',
    '',
    'END_DATA_BLOCK',
    '',
  ].join('\n')
}

function section(keyword: string, members: readonly Member[] = []): string[] {
  return members.length === 0 ? [] : [`   ${keyword}`, ...members.map(memberText), '   END_VAR', '']
}

function memberText({ name, type, value, comment }: Member): string {
  return `      ${name} : ${type}${value === undefined ? '' : ` := ${value}`};   // ${comment}`
}
