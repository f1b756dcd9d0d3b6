/** Writes the braces of network text: properties of an element that cannot be derived from the text around it. */

import type { Operand } from '../../model/operand.ts'
import { defaultTemplates, defaultVersions, enoCanBeDisabled } from './elements.ts'
import type { Box } from './network-index.ts'

export interface BraceOptions {
  /**
   * `readable` (default): only what changes the meaning. `exact`: everything that reading the text back would not
   * restore; data types are always written then.
   */
  readonly detail?: 'readable' | 'exact'
}

/**
 * Returns the braces of a box, or an empty text.
 * @param isEnoUsed something is connected to ENO, so it is on
 * @param countOf number of pins the text shows for a template `Card`; the template is left out when it is the same
 */
export function bracesOf(
  box: Box,
  { detail = 'readable' }: BraceOptions,
  countOf: (template: string) => number | undefined,
  isEnoUsed = false,
): string {
  const isExact = detail === 'exact'
  const entries: string[] = []
  if (box.kind === 'call') {
    if (isExact && (box.blockType === 'FB') !== (box.instance !== undefined))
      entries.push(`BlockType := ${value(box.blockType)}`)
  } else {
    if (box.version !== undefined && box.version !== defaultVersions.get(box.name))
      entries.push(`Version := ${value(box.version)}`)
    for (const template of box.templates) {
      const [name, usual] = defaultTemplates.get(box.name) ?? []
      const isUsual = template.name === name && template.value === usual
      const isCounted = template.name === 'Card' && Number(template.value) === countOf('Card')
      const isDerived = !isExact && (template.name === 'SrcType' || template.name === 'DestType')
      if (isUsual || isCounted || isDerived) continue
      const isCard = template.type === 'Cardinality'
      const kind = template.type === (/^card$/i.test(template.name) ? 'Cardinality' : 'Type') ? '' : `${template.type} `
      const isOnlyType = template.name === 'SrcType' && !isCard && kind === ''
      entries.push(isOnlyType ? value(template.value) : `${kind}${template.name} := ${value(template.value)}`)
    }
    if (isExact) {
      for (const name of box.automaticTyped) entries.push(name === 'SrcType' ? 'auto' : `auto := ${name}`)
      const usual = enoCanBeDisabled.has(box.name) ? !isEnoUsed : undefined
      if (box.disabledEno !== usual) entries.push(`DisabledENO := ${box.disabledEno ?? 'none'}`)
    }
  }
  if (isExact && box.invisible.length > 0) entries.push(`Invisible := ${value(box.invisible.join(' '))}`)
  return entries.length === 0 ? '' : `{${entries.join(', ')}}`
}

/** The braces with the type of a literal, when it differs from the one its place gives it. */
export function literalBraces(operand: Operand, box: Box, _pin: string, { detail = 'readable' }: BraceOptions): string {
  if (detail !== 'exact' || operand.kind !== 'literal' || operand.type === undefined) return ''
  const type = box.kind === 'part' ? box.templates.find(({ name }) => name === 'SrcType')?.value : undefined
  return type === operand.type ? '' : `{${value(operand.type)}} `
}

function value(text: string): string {
  return /^[A-Za-z0-9_.]+$/.test(text) ? text : `'${text.replace(/[$']/g, '$$$&')}'`
}
