/**
 * What is said of wrong specs, word by word (fixtures/faults.txt): each fault with its place, value, message, what is
 * allowed and what is proposed. Specs of one fault code each, then a spec of all sections in which one field or one
 * line is another.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CASES } from '../../../test/design-spec/faulty.ts'
import { assertRecorded, fixtureText } from '../../../test/recorded.ts'
import type { SpecFault } from '../model/faults.ts'
import { parseDesignSpec } from './parse.ts'

/** One fault: its place, then what it says. */
function faultText({ code, section, line, column, columnNumber, position, ...fault }: SpecFault): string {
  const { value, message, allowed, suggestion, part } = fault
  const field = [column, columnNumber || '', position === undefined ? '' : `character ${position}`]
  const place = [part ?? '', section && `[${section}]`, `line ${line}`, ...field].filter(Boolean).join(' ')
  const right = typeof allowed === 'object' ? allowed.slice(0, 12).join(' | ') : allowed
  return [
    `  ${place}: ${code} ${JSON.stringify(value)}`,
    `    ${message}`,
    ...(right === undefined ? [] : [`    allowed: ${right}`]),
    ...(suggestion === undefined ? [] : [`    proposed: ${suggestion}`]),
  ].join('\n')
}

async function faultsText(text: string | Uint8Array): Promise<string> {
  const result = await parseDesignSpec(text, 'plant.csv')
  if ('model' in result) return ['  is read', ...result.warnings.map(faultText)].join('\n')
  const listed = result.faults.slice(0, 8).map(faultText)
  return [...listed, ...(result.faults.length > 8 ? [`  and ${result.faults.length - 8} more`] : [])].join('\n')
}

test('each fault as it is told', async () => {
  const told: string[] = []
  const { stackTraceLimit } = Error
  for (const [code, { text }] of Object.entries(CASES)) told.push(`${code}\n${await faultsText(text)}`)
  assert.equal(Error.stackTraceLimit, stackTraceLimit, 'the reader sets it while it reads')
  assertRecorded(import.meta.url, 'faults.txt', `${told.join('\n')}\n`)
})

/** Faults in one line each; what is allowed is in the other file. */
async function shortText(text: string): Promise<string> {
  const result = await parseDesignSpec(text, 'plant.csv')
  const found = 'model' in result ? result.warnings : result.faults
  const listed = found.slice(0, 4).map(({ code, line, column, message }) => `  ${line} ${column} ${code}: ${message}`)
  const more = found.length > 4 ? [`  and ${found.length - 4} more`] : []
  return ['model' in result ? '  is read' : '', ...listed, ...more].filter(Boolean).join('\n')
}

/** The fields of a line; quoted ones hold semicolons. */
const fieldsOf = (line: string) => line.split(/;(?=(?:[^"]*"[^"]*")*[^"]*$)/)

test('a spec of all sections with one place that is another', async () => {
  const lines = fixtureText(import.meta.url, 'whole.csv')
    .trimEnd()
    .split('\n')
  const told: string[] = []
  const tell = async (what: string, changed: readonly string[]) =>
    told.push(`${what}\n${await shortText(changed.join('\n'))}`)
  await tell('as it is', lines)
  for (const [index, line] of lines.entries()) {
    if (line === '') continue
    const put = (...others: string[]) => [...lines.slice(0, index), ...others, ...lines.slice(index + 1)]
    await tell(`without ${index + 1} ${line}`, put())
    await tell(`twice ${index + 1} ${line}`, put(line, line))
    const fields = fieldsOf(line)
    for (const [at, field] of fields.entries()) {
      const misspelt = `${field.slice(0, 2)}${field.slice(3)}`
      for (const other of field === '' ? ['Other'] : field.length < 3 ? ['', 'Oh'] : ['', misspelt])
        await tell(`${index + 1} ${fields.with(at, other).join(';')}`, put(fields.with(at, other).join(';')))
    }
  }
  assertRecorded(import.meta.url, 'damaged.txt', `${told.join('\n')}\n`)
})
