/**
 * Sequences whose ways, actions, times or data are wrong: all that is told of each
 * (`plc/compiler/fixtures/tables/sequence-faults.txt`, testing/recorded-programs.ts).
 */
import { test as check } from 'node:test'
import type { Branch, SequenceProgram } from '../../model/sequence.ts'
import type { Diagnostic } from '../../program/program.ts'
import { sequenceProgram, test } from '../../testing/lower-sequence.ts'
import { isAsRecorded } from '../../testing/recorded-programs.ts'
import { sclDiagnostics } from '../../testing/runtime.ts'

const branch = (type: Branch['type'], number = 1): Branch => ({ number, type, cardinality: 2 })

const ways: readonly (readonly [ways: string, steps: number, ...branches: Branch[]])[] = [
  ['S1 t1 S2; t2 S1', 2],
  ['S1 t1 S2; S2 t2 S9', 2],
  ['S1 t1 S2; S9 t2 S1', 2],
  ['S1 t1 S2; S1 t2; S2 t2 S1', 2],
  ['S1 t1 S2; t1 S1; S2 t2 S1', 2],
  ['S1 t1 t2 S2', 2],
  ['S1 B1; B1.0 t1 S1; B1.1 B1', 2, branch('AltBegin')],
  ['S1 t1 B1; B1.0 B2; B2 B1', 1, branch('SimEnd'), branch('SimEnd', 2)],
  ['S1 t1 B1; B1.0 S2; B1.1 S3; S2 B2.0; S3 B2.1; B2 t2 S1', 3, branch('AltBegin'), branch('AltEnd', 2)],
  ['S1 t1 B1; B1.0 S2; B1.1 S3; S2 B2.0; S3 B2.1; B2 t2 S1', 3, branch('SimBegin'), branch('SimEnd', 2)],
  ['S1 t1 B3; B3 S1', 1],
  ['S1 t1', 1],
]

const actions = listed(`
  N #q  N #nothing  N #n  N "Speed"  N 5  N %Q0.1  S #q  S %I0.0  R #n  R #nothing  D #q, T#1s  D #q  D #q, 5
  D #q, #n  D #nothing, T#1s  L #q, T#1s  L #q  ON S2  ON S9  ON #S2  ON S_ALL  OFF S_ALL  OFF S1  TL %T5, S5T#1s
  TL #q, S5T#1s  TL %T5  TL "Delay_T", S5T#1s  TL %T5, #q  TD %T5, S5T#1s  TF %T5, S5T#1s  TR %T5  TR %C5  CU %C5
  CU %T5  CS %C5, 7  CS %C5  CS %C5, #q  CS %C5, 999  CS %C5, 1000  CS %C5, -1  CS %C5, C#10  CS %C5, #n  CS %C5, DW#16#1  CS %C5, T#1s  CR %C5  CD "Pieces"  CD #n  X #q  N #n := #n + 1
  S #n := 1  N #n := #nothing  N CALL "Nobody"()  N #n := ABS(#n)  N #n := ;
  S1 N #q  S1 D #q, T#1s  A1 S #q  R1 R #q  L1 S #q  C N #q  C S #q  S1 C ON S2  V1 OFF S1  S0 CU %C5  S1 TL %T5, S5T#1s
`)

function listed(text: string): string[] {
  return text.trim().split(/ {2,}|\n */)
}

const linesOf = (found: readonly Diagnostic[]) =>
  found.map(({ code, severity, message, hint = '', element }) => {
    const place = element === undefined ? '' : ` at ${element}`
    return `  ${severity} ${code}${place}: ${message} ${hint}`.trimEnd()
  })
const told = (program: SequenceProgram) => linesOf(sclDiagnostics(test(program)))

check('ways, actions and times of sequences, with what is told of them', () => {
  const rows: string[] = []
  const add = (title: string, lines: readonly string[]) =>
    rows.push(title, ...(lines.length === 0 ? ['  accepted'] : lines))
  for (const [text, steps, ...branches] of ways) {
    const specs = Array.from({ length: steps }, () => ({}))
    add(
      [text, ...branches.map(({ number, type }) => `B${number} ${type}`)].join(', '),
      told(sequenceProgram(specs, text, branches)),
    )
  }
  for (const action of actions) add(action, told(sequenceProgram([{ actions: [action] }, {}], 'S1 t1 S2; S2 t2 S1')))
  for (const maximumTime of ['T#10s', '10', 'T#x', 'LT#10s', '5.0', ''])
    add(`T_MAX ${maximumTime}`, told(sequenceProgram([{ maximumTime }, {}], 'S1 t1 S2; S2 t2 S1')))
  const whole = test(sequenceProgram([{ actions: ['N #q', 'ON S2'] }, {}], 'S1 t1 S2; S2 t2 S1'))
  for (const name of ['S1', 'S2', 't1', 'RT_DATA', 'S_NO']) {
    const members = Object.fromEntries(Object.entries(whole.members).filter(([one]) => one !== name))
    add(`without ${name}`, linesOf(sclDiagnostics({ ...whole, members })))
  }
  const plain = sequenceProgram([{}, {}], 'S1 t1 S2; S2 t2 S1')
  for (const permanent of [
    { language: 'SCL', text: '#q := #nothing;' },
    { language: 'SCL', text: '  ' },
    { language: 'XYZ', text: '#q := 1;' },
    { language: 'STL', statements: [{ mnemonic: 'A' }] },
  ])
    for (const place of ['before', 'after'] as const)
      add(
        `${place} ${JSON.stringify(permanent)}`,
        told({ ...plain, [place]: [{ title: {}, comment: {}, ...permanent }] }),
      )
  isAsRecorded('tables/sequence-faults.txt', `${rows.join('\n')}\n`)
})
