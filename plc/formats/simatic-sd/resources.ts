/**
 * Texts of SIMATIC SD: `.s7res` (docs/formats.md#simatic-sd). V21 writes YAML, V20 wrote XML with the same ids:
 * `<root><Comment Id="MLC_34j"><MultiLanguageText Lang="en-US">…`.
 */

import { FormatError, type FormatFault, LineIndex } from '../../model/fault.ts'
import type { MultilingualText } from '../../model/multilingual-text.ts'

/** Texts by their id. */
export type Resources = ReadonlyMap<string, MultilingualText>

/** Limit in characters. A text file of one block is never larger, and the limit bounds the work on hostile files. */
const maxLength = 16 * 1024 * 1024
const culturePattern = /^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/

/**
 * Reads the decoded text of a `.s7res` file (no BOM). Empty texts are left out.
 * @throws FormatError with line and column
 */
export async function readResources(text: string): Promise<Resources> {
  if (text.length > maxLength) throw oneFault('source-limit', `the file has more than ${maxLength} characters`, text, 0)
  return /^\s*</.test(text) ? readXml(text) : readYaml(text)
}

function oneFault(code: FormatFault['code'], message: string, text: string, offset: number): FormatError {
  return new FormatError([{ code, message, offset, ...new LineIndex(text).at(offset) }])
}

async function readYaml(text: string): Promise<Resources> {
  if (text.trim() === '') return new Map()
  const { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument } = await import('yaml')
  const { tooDeepInYaml, yamlTooDeep } = await import('../../../lib/yaml-depth.ts')
  const deep = tooDeepInYaml(text)
  if (deep !== undefined) throw oneFault('source-limit', yamlTooDeep, text, deep)
  const lines = new LineCounter()
  // The failsafe schema makes every value a text, also `1.0`, `true` and `null`. Duplicate keys are faults.
  const document = parseDocument(text, { lineCounter: lines, schema: 'failsafe', prettyErrors: false, version: '1.2' })
  const faults: FormatFault[] = []
  const add = (message: string, offset: number): void => {
    const { line, col } = lines.linePos(offset)
    if (faults.length < 100)
      faults.push({ code: 'source-syntax', message, offset, line: Math.max(line, 1), column: Math.max(col, 1) })
  }
  for (const { message, pos } of document.errors) {
    const isColon = /implicit|compact mapping/i.test(message)
    add(isColon ? `${message} (a text with ": " in it needs apostrophes around it)` : message, pos[0])
  }
  if (faults.length > 0) throw new FormatError(faults)
  const at = (node: unknown): number => (node as { range?: [number, number, number] | null } | null)?.range?.[0] ?? 0
  const list = isMap(document.contents) ? document.contents.get('MultiLingualTexts', true) : undefined
  const resources = new Map<string, MultilingualText>()
  if (list === undefined) add('expected "MultiLingualTexts:" and its list of texts', at(document.contents))
  else if (!isSeq(list)) {
    if (!(isScalar(list) && String(list.value ?? '') === '')) add('expected a list of texts ("  - id: …")', at(list))
  } else
    for (const item of list.items) {
      if (!isMap(item)) {
        add('expected a text: "- id: …" with one line for each culture', at(item))
        continue
      }
      let id: string | undefined
      const texts: Record<string, string> = {}
      for (const { key, value } of item.items) {
        const name = isScalar(key) ? String(key.value) : ''
        if (isAlias(value) || !(value === null || isScalar(value)))
          add(`expected the text of ${name}`, at(value ?? key))
        else if (name === 'id') id = String(value?.value ?? '')
        else if (culturePattern.test(name)) {
          const content = String(value?.value ?? '')
          if (content !== '') texts[name] = content
        } else add(`${JSON.stringify(name)} is no culture such as en-US`, at(key))
      }
      if (id === undefined || id === '') add('this text has no id', at(item))
      else if (resources.has(id)) add(`the id ${id} is used twice`, at(item))
      else resources.set(id, texts)
    }
  if (faults.length > 0) throw new FormatError(faults)
  return resources
}

async function readXml(text: string): Promise<Resources> {
  const { parseXml, XmlFaults } = await import('../simaticml/xml.ts')
  const root = parseXml(text)
  const faults = new XmlFaults(text)
  const resources = new Map<string, MultilingualText>()
  for (const comment of root.children) {
    const id = comment.attributes.Id
    if (id === undefined || id === '') {
      faults.add('xml-structure', comment, `<${comment.name}> needs the attribute Id`)
      continue
    }
    const texts: Record<string, string> = {}
    for (const { name, attributes, text: content } of comment.children)
      if (name === 'MultiLanguageText' && attributes.Lang !== undefined && content !== '')
        texts[attributes.Lang] = content
    if (resources.has(id)) faults.add('xml-structure', comment, `the id ${id} is used twice`)
    resources.set(id, texts)
  }
  faults.throwIfAny()
  return resources
}

/** Writes a `.s7res` file as TIA Portal V21 does (no BOM). */
export function writeResources(resources: Resources): string {
  const lines = ['MultiLingualTexts:']
  for (const [id, texts] of resources) {
    lines.push(`  - id: ${id}`)
    for (const [culture, text] of Object.entries(texts)) if (text !== '') lines.push(`    ${culture}: ${scalar(text)}`)
  }
  return `${lines.join('\n')}\n`
}

/** Matches what YAML would read as something other than text when it has no quotes. */
const needsQuotes =
  /^[-?:,[\]{}#&*!|>'"%@`]|^[-?:]$|: |:$| #|^\s|\s$|\t|^(~|null|true|false|yes|no|on|off)$|^[-+.]?\d[\d_.,:eExXoO+-]*$/i
// biome-ignore lint/suspicious/noControlCharactersInRegex: exactly those
const needsEscapes = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\ufeff\ud800-\udfff\ufffe\uffff]/

/** Writes a text as a plain, quoted or block scalar. */
function scalar(text: string): string {
  if (needsEscapes.test(text.replace(/\r\n/g, '\n')) || (text.includes('\n') && !fitsBlock(text)))
    return JSON.stringify(text).replace(/[\u007f-\uffff]/g, escaped)
  if (text.includes('\n')) return block(text)
  return needsQuotes.test(text) ? `'${text.replaceAll("'", "''")}'` : text
}

function escaped(char: string): string {
  return needsEscapes.test(char) ? `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}` : char
}

/** A block scalar needs a first line that shows its indentation, and keeps LF only. */
function fitsBlock(text: string): boolean {
  return !text.includes('\r') && !/^[ \n\t]/.test(text) && /[^\n]/.test(text)
}

function block(text: string): string {
  const end = /\n*$/.exec(text)?.[0].length ?? 0
  const header = end === 0 ? '|-' : '|+'
  const body = end === 0 ? text : text.slice(0, -1)
  return [header, ...body.split('\n').map((line) => (line === '' ? '' : `      ${line}`))].join('\n')
}
