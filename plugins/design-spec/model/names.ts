/** Names that are used in the controller: which are allowed, and how SCL writes them. */

/** Folds a name for comparison: the controller ignores the case of letters. */
export function foldName(name: string): string {
  return name.toLowerCase()
}

/** Maximum length of the name of a block, a data type or an interface member in TIA Portal. */
const NAME_LENGTH = 125

/** Elements of every phase block (docs/design.md#design-specs), and the two that every block has (EN, ENO). */
export const PHASE_BLOCK_NAMES = [
  'Execute',
  'Abort',
  'Hold',
  'Done',
  'Active',
  'Held',
  'Error',
  '_Step',
  '_StepEntry',
  'EN',
  'ENO',
] as const

/**
 * Keywords of SCL, and the names of standard functions and types that TIA Portal reserves. A name that equals one of
 * them (ignoring case) is allowed, but must be quoted.
 */
const RESERVED = new Set(
  `abs acos and any array asin at atan begin block_db block_fb block_fc block_sdb block_sfb block_sfc bool by byte case
  ceil char chr concat const constant continue cos counter data_block date date_and_time db_any db_specific delete dint
  div do dt dtl dword else elsif en end_case end_const end_data_block end_for end_function end_function_block end_if
  end_label end_namespace end_organization_block end_region end_repeat end_struct end_type end_var end_while eno exit
  exp expd false find floor for frac from function function_block goto if insert int label ldt left len limit lint ln
  log lreal ltime ltime_of_day ltod lword max mid min mod mux name_of namespace nil not null of or ord
  organization_block overlap override pointer program_alarm real ref ref_to region repeat replace return retain right
  rol ror round s5time sel shl shr sin sint sqr sqrt string struct tan then time time_of_day timer tod to trunc true
  type udint uint ulint until usint var var_in_out var_input var_output var_temp variant version void wchar while word
  wstring xor`
    .split(/\s+/)
    .filter((word) => word !== ''),
)

/**
 * Explains why a name cannot be used in the controller.
 *
 * Allowed are letters, digits, underscores, single blanks and hyphens, starting with a letter, digit or underscore. A
 * name that is not a plain identifier is quoted in SCL. TIA Portal accepts more characters, but dots, quotes and
 * operators would make `<CmType>.<Variable>` ambiguous.
 * @param prefix what precedes the name in the controller (`FB_`, `UDT_`); it counts for the length
 * @returns undefined for an allowed name, otherwise the reason
 */
export function nameFault(name: string, prefix = ''): string | undefined {
  if (prefix.length + name.length > NAME_LENGTH) return `it has more than ${NAME_LENGTH - prefix.length} characters`
  const bad = /[^\p{L}\p{M}\p{Nd}_ -]/u.exec(name)
  if (bad !== null) return `the character ${printable(bad[0])} cannot stand in it`
  if (!/^[\p{L}\p{Nd}_]/u.test(name)) return 'it does not start with a letter, digit or underscore'
  if (/ {2}| $/.test(name)) return 'it has two blanks in a row or one at the end'
  return undefined
}

/** Description of the allowed names, for faults. */
export const NAME_RULE = `1 to ${NAME_LENGTH} letters, digits, underscores, single blanks or hyphens, starting with a letter, digit or underscore`

function printable(character: string): string {
  const code = character.codePointAt(0)!
  return code < 0x20 || (code >= 0x7f && code < 0xa0)
    ? `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
    : `"${character}"`
}

/** The name as written in SCL: plain when it is an identifier, otherwise in double quotes. */
export function sclName(name: string): string {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !RESERVED.has(name.toLowerCase()) ? name : `"${name}"`
}

/** Maximum length of a constant's name before a number is added that makes it unique. */
const CONSTANT_LENGTH = 100

/**
 * The name of a constant for a name of the spec: `STEP`, `Open Inlet` gives `STEP_OPEN_INLET`. Letters outside ASCII
 * lose their accents; a name without any that can stay becomes `STEP_<number>`.
 */
export function constantName(prefix: string, name: string, number: number): string {
  const words = name
    .normalize('NFKD')
    .replace(/ß/g, 'ss')
    .replace(/\p{M}+/gu, '')
    .replace(/([\p{Ll}\p{Nd}])(\p{Lu})/gu, '$1_$2')
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, CONSTANT_LENGTH)
  const body = /[A-Z]/.test(words) || (prefix !== '' && words !== '') ? words : `${words}${number}`
  return prefix === '' ? (/^[A-Z]/.test(body) ? body : `_${body}`) : `${prefix}_${body}`
}

/** A text constant in SCL: a WString, because reasons may be in any language. */
export function textConstant(text: string): string {
  const escaped = text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').replace(/[$']/g, '$$$&')
  return `WSTRING#'${escaped}'`
}

/** Makes a text usable in a `//` comment: control characters and line breaks become blanks. */
export function commentText(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()
}
