/**
 * The line of an action as the content of `Action`: operands, `:=` and blanks, a `Token` each, and one for the end of
 * the line (docs/formats.md#graph; files of V14 to V21). `Access` elements may replace operands.
 */

import { escapeAttribute } from '../../../lib/xml-text.ts'
import type { Operand } from '../../model/operand.ts'
import { scanOperand } from '../../model/operand-reader.ts'
import { operandText } from '../../model/operand-text.ts'
import { elementXml } from './kept.ts'
import { readOperand } from './operand-read.ts'
import type { XmlElement, XmlFaults } from './xml.ts'

export interface ActionLine {
  readonly text: string
  readonly operands: readonly Operand[]
  /** Whether `actionTokens` of the text produces the same elements. */
  readonly isUsual: boolean
}

const lineEnd = '\n'
const blanks = /[ \t]+/y
const other = /:=|=>|<=|>=|<>|\w+|./suy

/** Reads the content of an `Action`. */
export function readActionLine(action: XmlElement, faults: XmlFaults): ActionLine {
  let text = ''
  /** The same without comments. */
  let code = ''
  const operands: Operand[] = []
  const add = (part: string): void => {
    text += part
    code += part
  }
  for (const element of action.children) {
    switch (element.name) {
      case 'Token':
        add(element.attributes.Text ?? '')
        break
      case 'Access': {
        const operand = readOperand(element, faults)
        operands.push(operand)
        add(operandText(operand))
        break
      }
      case 'Blank':
        add(' '.repeat(count(element)))
        break
      case 'NewLine':
        add(lineEnd.repeat(count(element)))
        break
      case 'LineComment':
        text += `//${element.children.map((inner) => inner.text).join('')}`
        break
    }
  }
  const line = text.endsWith(lineEnd) ? text.slice(0, -1) : text
  const tokens = actionTokens(line)
  const isUsual = tokens.length === action.children.length && tokens.every((token, i) => token === tokenXml(action, i))
  return { text: line, operands: operands.length > 0 ? operands : operandsOf(code), isUsual }
}

/** How often a `Blank` or `NewLine` repeats its character; absurd numbers count as one. */
function count(element: XmlElement): number {
  const number = Number(element.attributes.Num ?? 1)
  return Number.isInteger(number) && number > 0 && number <= 1000 ? number : 1
}

function tokenXml(action: XmlElement, index: number): string {
  const element = action.children[index] as XmlElement
  const { UId: _uId, ...attributes } = element.attributes
  return elementXml({ ...element, attributes })
}

/** The elements of a line as TIA Portal writes them; an empty list for an empty line. */
export function actionTokens(line: string): string[] {
  if (line === '') return []
  return [...lexemes(line).map(({ text }) => text), lineEnd].map((text) => `<Token Text="${escapeAttribute(text)}" />`)
}

/** Variables and constants of a line, in order. */
function operandsOf(line: string): Operand[] {
  return lexemes(line).flatMap(({ operand }) => operand ?? [])
}

function lexemes(line: string): { text: string; operand?: Operand }[] {
  const found: { text: string; operand?: Operand }[] = []
  let at = 0
  while (at < line.length) {
    const scanned = scanOperand(line, at)
    if (scanned !== undefined) {
      found.push({ text: line.slice(at, scanned.end), operand: scanned.operand })
      at = scanned.end
      continue
    }
    const pattern = line[at] === ' ' || line[at] === '\t' ? blanks : other
    pattern.lastIndex = at
    const text = pattern.exec(line)?.[0] ?? (line[at] as string)
    found.push({ text })
    at += text.length
  }
  return found
}
