import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CompilerMessage, findingsOf, type Member, memberRows } from './model.ts'

const message = (path: string, more: Partial<CompilerMessage> = {}): CompilerMessage => ({
  path,
  description: path,
  state: 'Error',
  errorCount: 1,
  warningCount: 0,
  severity: 'error',
  code: 'c',
  messages: [],
  ...more,
})

test('a message leads to the block before the place in it', () => {
  const cases: readonly [CompilerMessage, string | undefined][] = [
    [message('PLC_1/Program blocks/Main'), 'Main'],
    [message('PLC_1/Program blocks/Folder/Deep/Main'), 'Main'],
    [message('PLC_1/Programmbausteine/Main'), 'Main'],
    [message('PLC_1/Program blocks/Main/Network 3', { network: 3 }), 'Main'],
    [message('PLC_1/Program blocks/Main/Network 3', { network: 4 }), 'Network 3'],
    [message('PLC_1/Program blocks/Main/speed', { member: 'speed' }), 'Main'],
    [message('PLC_1/Program blocks/Main/speed', { member: 'speed', network: 3 }), 'Main'],
    // A block of the member's name, of a member that is named elsewhere.
    [message('PLC_1/Program blocks/speed', { member: 'peed' }), 'speed'],
    [message('PLC_1/Program blocks', {}), undefined],
    [message('PLC_1/PLC data types/Speed'), undefined],
    [message('PLC_2/Program blocks/Main'), undefined],
    [message(''), undefined],
  ]
  for (const [one, block] of cases)
    assert.deepEqual(
      findingsOf([one], 'PLC_1'),
      [
        {
          severity: 'error',
          text: one.path,
          code: 'c',
          ...(block === undefined ? {} : { block }),
          ...(one.network === undefined ? {} : { network: one.network }),
        },
      ],
      one.path,
    )
})

test('places are those of the source text when it is known; messages that count others are left out', () => {
  const { severity: _severity, code: _code, ...counted } = message('PLC_1')
  const root: CompilerMessage = {
    ...counted,
    messages: [
      message('PLC_1/Program blocks/A', { line: 1, column: 2 }),
      message('PLC_1/Program blocks/B', { line: 1, column: 2, sourceLine: 10, sourceColumn: 20, hint: 'so' }),
      {
        ...message('PLC_1/Program blocks/C', { severity: 'warning', sourceLine: 5, messages: [message('x')] }),
      },
      { path: 'y', description: 'y', severity: 'information' } as CompilerMessage,
    ],
  }
  assert.deepEqual(findingsOf([root], 'PLC_1'), [
    { severity: 'error', text: 'PLC_1/Program blocks/A', code: 'c', block: 'A', line: 1, column: 2 },
    { severity: 'error', text: 'PLC_1/Program blocks/B', code: 'c', hint: 'so', block: 'B', line: 10, column: 20 },
    { severity: 'warning', text: 'PLC_1/Program blocks/C', code: 'c', block: 'C', line: 5 },
    { severity: 'error', text: 'x', code: 'c' },
    { severity: 'information', text: 'y', code: '' },
  ])
})

test('members stand below each other with path and depth', () => {
  const member = (name: string, members: readonly Member[] = []): Member => ({
    section: 'Static',
    name,
    dataType: 'Int',
    comment: '',
    members,
  })
  const rows = memberRows([member('a', [member('b', [member('c')]), member('d')]), member('e')])
  assert.deepEqual(
    rows.map(({ path, depth, name }) => [path, depth, name]),
    [
      ['a', 0, 'a'],
      ['a.b', 1, 'b'],
      ['a.b.c', 2, 'c'],
      ['a.d', 1, 'd'],
      ['e', 0, 'e'],
    ],
  )
})
