/**
 * The scripts that check phases (fixtures/plans.txt), item by item: what is written before a scan, what it changes,
 * what the row asks for, and what may have any value.
 */
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { loadSound, SOUND_LINES } from '../../../test/design-spec/specs.ts'
import { assertRecorded, fixtureText } from '../../../test/recorded.ts'
import { unitTypesOf } from '../model/model.ts'
import { checkedPhase } from './phase.ts'
import { planPhase } from './plan.ts'
import type { MemberValue, ScriptItem } from './script.ts'

const values = (members: readonly MemberValue[]) =>
  members.map(([path, value]) => `${path.join('.')}=${typeof value === 'string' ? `'${value}'` : value}`).join(' ')

function itemText(item: ScriptItem): string {
  if (item.kind !== 'scan') return item.kind === 'elapse' ? `${item.milliseconds} ms pass` : item.kind
  const { row, note, step, write, expect, must, open } = item
  const parts = [
    write.length > 0 && `write ${values(write)}`,
    expect.length > 0 && `then ${values(expect)}`,
    must.length > 0 && `must ${values(must)}`,
    open.length > 0 && `open ${open.map((path) => path.join('.')).join(' ')}`,
  ]
  return `${step} ${row}${note === undefined ? '' : ` (${note})`}: ${parts.filter(Boolean).join('; ')}`
}

async function assertPlans(name: string, text: string | Uint8Array, maxScans = 10_000) {
  const model = await loadSound(text, `${name}.csv`)
  const told: string[] = []
  for (const { unit } of unitTypesOf(model))
    for (const { name } of unit.phases) {
      const { items, steps, transitions, members, ...plan } = planPhase(checkedPhase(model, name), maxScans)
      told.push(`${name}: ${JSON.stringify(plan)}`, `members: ${members.map((path) => path.join('.')).join(' ')}`)
      told.push(...steps.map((one) => `step ${JSON.stringify(one)}`), ...transitions.map((one) => JSON.stringify(one)))
      told.push(...items.map(itemText))
    }
  assertRecorded(import.meta.url, `plan-${name}.txt`, `${told.join('\n')}\n`)
}

for (const name of ['tank', 'cip', 'conveyor'])
  test(`${name}: its plans`, async () =>
    assertPlans(name, readFileSync(new URL(`../fixtures/${name}.csv`, import.meta.url))))

test('what cannot be planned is told', async () => assertPlans('hard', fixtureText(import.meta.url, 'hard.csv')))

test('steps whose conditions and actions meet', async () =>
  assertPlans('busy', fixtureText(import.meta.url, 'busy.csv')))

test('a plan that is cut', async () => assertPlans('cut', SOUND_LINES.join('\n'), 25))
