/** `gantry.yml`: each field, and each fault with its place and what is allowed. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { defaultConfig, readConfig } from './config.ts'

test('a whole file', () => {
  const { config, faults } = readConfig(`devices:
  - name: Line
    folder: ./line/plc/
  - name: Cell
    folders: [/cell, lib]
  - Tank
  - name: Pump
ignore: [gen*, 7]
libraries: Lib*
culture: de-DE
failOn: warning
missing: information
format: { style: tia, keywords: keep }
plugins: [../own, ./plant]
rules:
  block-size: { severity: error, statements: 100, networks: 0 }
  magic-number:
    allowed: [3, four]
  naming-block: { pattern: '^F' }
  complexity: off
  unused-tag: information
`)
  assert.deepEqual(faults, [])
  assert.deepEqual(
    { ...config, rules: Object.fromEntries(config.rules) },
    {
      devices: [
        { name: 'Line', folders: ['line/plc'] },
        { name: 'Cell', folders: ['cell', 'lib'] },
        { name: 'Tank', folders: ['Tank'] },
        { name: 'Pump', folders: ['Pump'] },
      ],
      ignore: ['gen*', '7'],
      libraries: ['Lib*'],
      culture: 'de-DE',
      failOn: 'warning',
      missing: 'information',
      format: { style: 'tia', keywords: 'keep' },
      plugins: [
        { folder: '../own', line: 14, column: 11 },
        { folder: './plant', line: 14, column: 19 },
      ],
      rules: {
        'block-size': { severity: 'error', options: { statements: 100, networks: 0 } },
        'magic-number': { options: { allowed: ['3', 'four'] } },
        'naming-block': { options: { pattern: '^F' } },
        complexity: { severity: 'off', options: {} },
        'unused-tag': { severity: 'information', options: {} },
      },
    },
  )
})

test('an empty file has the defaults', () => {
  for (const text of ['', '# nothing\n', 'ignore: []\n'])
    assert.deepEqual(readConfig(text), { config: defaultConfig, faults: [] })
})

test('off without quotes is off', () => {
  const { config, faults } = readConfig('%YAML 1.1\n---\nrules:\n  complexity: off\n')
  assert.deepEqual([faults, config.rules.get('complexity')], [[], { severity: 'off', options: {} }])
})

describe('faults', () => {
  const cases: readonly (readonly [
    text: string,
    ...faults: (readonly [line: number, column: number, message: string])[],
  ])[] = [
    [
      '- a\n',
      [
        1,
        1,
        'this is no mapping; allowed are the fields devices, ignore, libraries, culture, failOn, missing, format, plugins, rules.',
      ],
    ],
    [
      'x: 1\n',
      [
        1,
        1,
        'there is no field "x"; allowed are devices, ignore, libraries, culture, failOn, missing, format, plugins, rules.',
      ],
    ],
    ['ignore: [a]\nculture: 5\n', [2, 10, '"culture" is a text.']],
    ['culture: ""\n', [1, 10, '"culture" is a text.']],
    ['ignore: { a: 1 }\n', [1, 9, '"ignore" is a list of texts.']],
    [
      'libraries: [a, [b], true]\n',
      [1, 16, '"libraries" is a list of texts.'],
      [1, 21, '"libraries" is a list of texts.'],
    ],
    ['failOn: sometimes\n', [1, 9, '"failOn" is one of error, warning, information, never.']],
    ['missing: never\n', [1, 10, '"missing" is one of error, warning, information.']],
    ['missing: [error]\n', [1, 10, '"missing" is one of error, warning, information.']],
    ['devices: Line\n', [1, 10, '"devices" is a list of { name, folder }.']],
    ['devices: [5]\n', [1, 11, 'a device is { name, folder }.']],
    ['devices:\n  - folder: a\n', [2, 5, 'a device needs a name.']],
    [
      'devices:\n  - name: a\n    path: b\n',
      [3, 5, 'a device has no field "path"; allowed are name, folder, folders.'],
    ],
    ['format: tia\n', [1, 9, '"format" is a mapping: { style: tia }.']],
    ['format: { stile: tia }\n', [1, 11, '"format" has no field "stile"; allowed are style, indent, keywords.']],
    ['format: { style: siemens }\n', [1, 18, '"style" is one of gantry, tia.']],
    ['format: { indent: 9 }\n', [1, 19, '"indent" is a number of blanks from 1 to 8, or tab.']],
    ['format: { indent: 0 }\n', [1, 19, '"indent" is a number of blanks from 1 to 8, or tab.']],
    ['format: { style: tia, indent: 2 }\n', [1, 23, '"indent" has no effect with style: tia; leave it out.']],
    ['rules: [a]\n', [1, 8, '"rules" has the codes of rules with off, information, warning, error or options.']],
    ['rules:\n  complexityy: off\n', [2, 3, 'there is no rule "complexityy"; do you mean "complexity"?']],
    ['rules:\n  qqqqqqqqqqqq: off\n', [2, 3, 'there is no rule "qqqqqqqqqqqq".']],
    ['rules:\n  complexity: fatal\n', [2, 15, '"complexity" is one of off, error, warning, information.']],
    ['rules:\n  complexity: { severity: fatal }\n', [2, 27, '"severity" is one of off, error, warning, information.']],
    [
      'rules:\n  complexity: { least: 5 }\n',
      [2, 17, '"complexity" has no option "least"; allowed are severity, most.'],
    ],
    ['rules:\n  complexity: { most: -1 }\n', [2, 23, '"most" is a number from 0.']],
    ['rules:\n  complexity: { most: many }\n', [2, 23, '"most" is a number from 0.']],
    ['rules:\n  naming-block: { pattern: 5 }\n', [2, 28, '"pattern" is a text.']],
    ['rules:\n  magic-number: { allowed: { a: 1 } }\n', [2, 28, '"allowed" is a list of texts.']],
    [
      'rules:\n  unknown-type: warning\n',
      [2, 17, '"unknown-type" is an error of the compiler: the block would not run, so it stays an error.'],
    ],
  ]
  for (const [text, ...wanted] of cases)
    test(JSON.stringify(text), () => {
      const { faults } = readConfig(text)
      assert.deepEqual(
        faults.map(({ line, column, message }) => [line, column, message]),
        wanted,
      )
    })

  test('what has a fault keeps its default, the rest counts', () => {
    const { config, faults } = readConfig(
      'failOn: x\nmissing: y\nculture: 1\nignore: { a: 1 }\nlibraries: [a, [b]]\nrules: 5\ndevices: [5, a]\n',
    )
    assert.equal(faults.length, 7)
    assert.deepEqual(config, { ...defaultConfig, libraries: ['a'], devices: [{ name: 'a', folders: ['a'] }] })
  })

  test('an option with a fault is left out, and a rule whose severity is wrong', () => {
    const { config } = readConfig(
      'rules:\n  block-size: { severity: fatal, statements: -1, networks: 5 }\n  complexity: fatal\n  unknown-type: warning\n',
    )
    assert.deepEqual([...config.rules], [['block-size', { options: { networks: 5 } }]])
  })

  test('an error of the compiler may be written as one', () => {
    const { config, faults } = readConfig('rules:\n  unknown-type: error\n')
    assert.deepEqual([faults, [...config.rules.keys()]], [[], ['unknown-type']])
  })

  test('a pattern that is no regular expression', () => {
    const { faults, config } = readConfig('rules:\n  naming-block: { pattern: "(" }\n')
    assert.match(faults[0]?.message ?? '', /^"pattern" is no regular expression: Invalid regular expression: .*\.$/)
    assert.deepEqual(
      [faults.length, faults[0]?.line, faults[0]?.column, config.rules.get('naming-block')?.options],
      [1, 2, 28, {}],
    )
  })

  test('text that is no YAML', () => {
    const { faults } = readConfig('ignore: [a\nculture: "\n')
    assert.ok(faults.length > 0)
    for (const { line, message } of faults) assert.ok(line >= 1 && message.endsWith('.'), message)
  })
})
