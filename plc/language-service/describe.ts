/** What a declaration is, as Markdown. */
import { quoted } from '../model/names.ts'
import type { Declared } from './declared.ts'
import { elementTypeName, type Names } from './walk.ts'

/** Longer interfaces are cut: a hover is read at one glance. */
const mostMembers = 40

const kinds: Readonly<Record<Declared['kind'], string>> = {
  OB: 'organization block',
  FB: 'function block',
  FC: 'function',
  DB: 'data block',
  UDT: 'PLC data type',
  Tag: 'tag',
  Constant: 'constant',
  Member: 'member',
  System: 'type of the controller',
}

const sections: Readonly<Record<string, string>> = {
  Input: 'input',
  Output: 'output',
  InOut: 'in-out',
  Static: 'static',
  Temp: 'temporary',
  Constant: 'constant',
}

/** Describes a declaration: its line as in a source, what it belongs to, its comment, its members. */
export function describe(declared: Declared, names: Names): string {
  const { kind, key, comment, section, file } = declared
  const [owner = ''] = key.split('\0')
  const object = names.object(owner)
  const what =
    kind === 'Member'
      ? `${sections[section ?? ''] ?? 'member'} of ${object ? `${kinds[object.kind]} ${quoted(object.name)}` : owner}`
      : kinds[kind]
  const type =
    kind === 'Member' && !/^array|^struct$/i.test(declared.dataType)
      ? names.object(elementTypeName(declared.dataType))
      : undefined
  const inside = kind === 'Member' && type === undefined ? declared.members : (type ?? declared).members
  const lines = [head(declared), ...members(inside)]
  const notes = [`${what}${file === '' ? '' : `, ${file}`}`, comment].filter((text) => text !== '')
  return `\`\`\`scl\n${lines.join('\n')}\n\`\`\`\n${notes.map(plain).join('\n\n')}`
}

/** A declaration in one line. */
export function head({ kind, name, dataType, value }: Declared): string {
  const type = dataType === '' ? '' : ` : ${dataType}`
  const written = kind === 'Member' || kind === 'System' ? name : quoted(name)
  const start = value === undefined ? '' : kind === 'Tag' ? ` ${value}` : ` := ${value}`
  return `${written}${type}${start}`
}

function members(all: readonly Declared[]): string[] {
  const shown = all.filter(({ section }) => section !== 'Temp' && section !== 'Constant')
  const lines = shown.slice(0, mostMembers).map((member) => {
    const section = sections[member.section ?? '']
    return `    ${head(member)};${section === undefined || section === 'static' ? '' : `  // ${section}`}`
  })
  return shown.length > mostMembers ? [...lines, `    // and ${shown.length - mostMembers} more`] : lines
}

/** Comments are data: marks of Markdown in them mean nothing. */
function plain(text: string): string {
  return text.replace(/[\\`*_{}[\]<>()#+!|-]/g, '\\$&')
}
