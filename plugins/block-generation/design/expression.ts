/** Expressions of a design as SCL: names of modules become members of the unit's block. */

import { type Fault, nearest } from '../../../core/index.ts'
import { sclFaults } from '../../../plc/edit/scl-faults.ts'

/** What a name of a module means. */
export interface NamedModule {
  /** As it is declared. */
  readonly name: string
  /** Members that may be read. */
  readonly readable: readonly string[]
  /** The member that the bare name means; absent: a member must be named. */
  readonly itself?: string
}

export interface Scope {
  /** Modules of the own unit by lower-case name. */
  readonly own: ReadonlyMap<string, NamedModule>
  /** All units by lower-case name. */
  readonly units: ReadonlyMap<string, NamedUnit>
}

/** A unit, its data block, and its modules by lower-case name. */
interface NamedUnit {
  readonly name: string
  readonly dataBlock: string
  readonly modules: ReadonlyMap<string, NamedModule>
}

const words = new Set('and or xor not mod div true false'.split(' '))
/** Quoted names, texts, literals with a type, local names, names with members, numbers, anything else. */
const pieces =
  /"[^"\n]*"(?:\s*\.\s*[\p{L}_][\p{L}\p{N}_]*)*|'(?:\$.|[^'$\n])*'|[A-Za-z_]+#[\w.:+-]+|\d+#\w+|#[\p{L}_][\p{L}\p{N}_]*(?:\.[\p{L}_][\p{L}\p{N}_]*)*|[\p{L}_][\p{L}\p{N}_]*(?:\s*\.\s*[\p{L}_][\p{L}\p{N}_]*)*|\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?|\s+|./gu

/** Translates an expression; what is wrong with it goes to `faults`. */
export function translated(text: string, at: string, scope: Scope, faults: Fault[]): string {
  const parts = text.match(pieces) ?? []
  const before = faults.length
  const out = parts.map((part, i) => {
    if (!/^[\p{L}_]/u.test(part) || part.includes('#')) return part
    const [first = '', ...members] = part.split('.').map((one) => one.trim())
    if (members.length === 0 && words.has(first.toLowerCase())) return first.toUpperCase()
    const next = parts.slice(i + 1).find((one) => one.trim() !== '')
    if (members.length === 0 && next === '(') return part
    // A named parameter of a function.
    if (members.length === 0 && next === ':') return part
    return nameText(first, members, at, scope, faults)
  })
  const scl = out.join('').replace(/\s+/g, ' ').trim()
  if (faults.length === before)
    for (const { message } of sclFaults(`#x := ${scl};`, at))
      faults.push({
        path: at,
        message: `${message.replace(/found ";"$/, 'found its end')} in ${JSON.stringify(text)}`,
        value: text,
      })
  if (faults.length === before && /;|:=.*;|\/\//.test(scl))
    faults.push({ path: at, message: 'is one expression, without ; and comments', value: text })
  return scl
}

function nameText(
  first: string,
  members: readonly string[],
  at: string,
  { own, units }: Scope,
  faults: Fault[],
): string {
  const module = own.get(first.toLowerCase())
  if (module) return `#${module.name}.${memberText(module, members, at, faults)}`
  const unit = units.get(first.toLowerCase())
  const [of = '', ...rest] = members
  const other = unit?.modules.get(of.toLowerCase())
  if (unit && other) return `"${unit.dataBlock}".${other.name}.${memberText(other, rest, at, faults)}`
  const known = unit
    ? [...unit.modules.values()].map(({ name }) => `${first}.${name}`)
    : [...own.values(), ...units.values()].map(({ name }) => name)
  const wrong = unit ? `${first}.${of}` : first
  const near = nearest(wrong, known)
  faults.push({
    path: at,
    message: `there is no module ${JSON.stringify(wrong)}${near ? `; did you mean ${near}?` : ''} (tags are in double quotes)`,
    value: wrong,
  })
  return wrong
}

function memberText(module: NamedModule, members: readonly string[], at: string, faults: Fault[]): string {
  const [member, ...rest] = members
  if (member === undefined) {
    if (module.itself !== undefined) return module.itself
    faults.push({
      path: at,
      message: `${module.name} is a module: say which of its values, ${module.readable.map((one) => `${module.name}.${one}`).join(', ')}`,
      value: module.name,
    })
    return ''
  }
  const known = module.readable.find((one) => one.toLowerCase() === member.toLowerCase())
  if (known === undefined || rest.length > 0) {
    const near = nearest(member, module.readable)
    faults.push({
      path: at,
      message: `${module.name} has no value ${[member, ...rest].join('.')}${near ? `; did you mean ${near}?` : `; it has ${module.readable.join(', ')}`}`,
      value: member,
      allowed: [...module.readable],
    })
  }
  return known ?? member
}
