import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deepestYaml, tooDeepInYaml } from './yaml-depth.ts'

const forms: Readonly<Record<string, (n: number) => string>> = {
  brackets: (n) => `${'['.repeat(n)}${']'.repeat(n)}`,
  'open brackets': (n) => '['.repeat(n),
  braces: (n) => `${'{a: '.repeat(n)}1${'}'.repeat(n)}`,
  'lists in one line': (n) => `${'- '.repeat(n)}a`,
  keys: (n) => `${'? '.repeat(n)}a`,
  lines: (n) => Array.from({ length: n }, (_, i) => `${' '.repeat(i)}a:`).join('\n'),
}

for (const [name, form] of Object.entries(forms))
  test(`YAML that is nested too deep: ${name}`, () => {
    assert.equal(tooDeepInYaml(form(20)), undefined)
    const at = tooDeepInYaml(form(2000))
    assert.ok(at !== undefined && at > deepestYaml - 2, `${at}`)
  })

test('brackets beside each other, in texts and in comments are not nested', () => {
  const brackets = '['.repeat(500)
  assert.equal(
    tooDeepInYaml(`a: [${'[], '.repeat(500)}]\nb: "${brackets}"\n# ${brackets}\nc: |\n  ${brackets}\n`),
    undefined,
  )
})
