/** The programs in `plc/compiler/fixtures/lower` give the recorded answers (testing/recorded-programs.ts). */
import { test } from 'node:test'
import { defined } from '../../../lib/optional.ts'
import type { Branch } from '../../model/sequence.ts'
import { layoutOf } from '../../program/layout.ts'
import type { Member } from '../../program/type.ts'
import { codeText } from '../../testing/ir-text.ts'
import { type StepSpec, sequenceProgram, test as sequenceTest } from '../../testing/lower-sequence.ts'
import { diagnosticText } from '../../testing/program-text.ts'
import { isAsRecorded, recordedSources, testRecordedPrograms } from '../../testing/recorded-programs.ts'
import { sclProgram } from '../../testing/runtime.ts'
import { lowerBlock } from './lower-block.ts'

testRecordedPrograms('lower')

/** Reads a sequence: steps with their conditions and actions, connections and branches (testing/lower-sequence.ts). */
function sequenceOf(text: string) {
  const specs: { -readonly [K in keyof StepSpec]: StepSpec[K] }[] = []
  const branches: Branch[] = []
  let ways = ''
  for (const row of text.split('\n')) {
    const [word = '', ...rest] = row.trim().split(' ')
    if (row.startsWith('  ')) specs.at(-1)!.actions = [...(specs.at(-1)?.actions ?? []), row.trim()]
    else if (word === 'step') {
      const after = (name: string) => (rest.includes(name) ? rest[rest.indexOf(name) + 1] : undefined)
      const [interlock, supervision, maximumTime] = ['interlock', 'supervision', 'maximum'].map(after)
      specs.push({ ...defined({ interlock, supervision, maximumTime }) })
    } else if (word === 'ways') ways = rest.join(' ')
    else if (word === 'branch')
      branches.push({ number: Number(rest[0]), type: rest[1] as Branch['type'], cardinality: Number(rest[2]) })
  }
  return sequenceProgram(specs, ways, branches)
}

/** The names of the members instead of their places. */
function named(text: string, members: readonly Member[]): string {
  const names = new Map<number, string>()
  const add = (all: readonly Member[], from: number, above: string) => {
    for (const [i, { name, type }] of all.entries()) {
      const at = from + (layoutOf(all, 'optimized').offsets[i]?.byte ?? 0)
      if (type.kind === 'struct') add(type.members, at, `${above}${name}.`)
      else names.set(at, `${above}${name}`)
    }
  }
  add(members, 0, '#')
  return text.replace(/this\+(\d+)/g, (place, at: string) => names.get(Number(at)) ?? place)
}

for (const { file, bytes } of recordedSources('sequences'))
  test(`${file} is checked and lowered as recorded`, () => {
    const texts = bytes
      .toString('utf8')
      .split(/^= /m)
      .slice(1)
      .map((part) => {
        const whole = sequenceTest(sequenceOf(part))
        // The parameters of a GRAPH block are optional but for those that the steps use.
        const own = Object.entries(whole.members).filter(([name]) => /^(RT_DATA|[St]\d+|[a-z]+\d*)$/.test(name))
        const isSmall = /^few parameters$/m.test(part)
        const { program, main } = sclProgram(isSmall ? { ...whole, members: Object.fromEntries(own) } : whole)
        const { code, diagnostics } = lowerBlock(program, main)
        const title = part.slice(0, part.indexOf('\n'))
        const text = code ? named(codeText(code), main.members) : ''
        return [`= ${title}`, ...diagnostics.map(diagnosticText), text].join('\n')
      })
    isAsRecorded(`${file}.txt`, texts.join('\n'))
  })
