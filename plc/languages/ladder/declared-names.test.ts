import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { InterfaceMember, InterfaceSection } from '../../model/object.ts'
import type { PathComponent } from '../../model/operand.ts'
import { parseOperand } from '../../model/operand-reader.ts'
import { type DeclaredNames, declaredNames } from './declared-names.ts'

const member = (name: string, dataType: string, members: readonly InterfaceMember[] = []): InterfaceMember => ({
  name,
  dataType,
  comment: {},
  attributes: [],
  members,
})
const section = (name: InterfaceSection['section'], ...members: readonly InterfaceMember[]): InterfaceSection => ({
  section: name,
  members,
})
const declared: DeclaredNames = {
  objects: [
    {
      kind: 'FB',
      name: 'Motor',
      interface: [
        section('Output', member('ready', 'Bool')),
        section('InOut', member('data', '"Set"')),
        section('Input', member('on', 'Bool'), member('speed', 'Real')),
        section('Static', member('timer', 'IEC_TIMER'), member('sets', 'Array[0..3] of "Set"')),
      ],
    },
    {
      kind: 'FC',
      name: 'Scale',
      interface: [section('Return', member('Ret_Val', 'Real')), section('Input', member('x', 'Int'))],
    },
    { kind: 'FC', name: 'Nothing', interface: [section('Return', member('Ret_Val', 'Void'))] },
    { kind: 'UDT', name: 'Set', interface: [section('None', member('low', 'Int'), member('word', 'Word'))] },
    { kind: 'InstanceDB', name: 'Motor_DB', instanceOf: 'Motor', interface: [] },
    { kind: 'InstanceDB', name: 'Timer_DB', instanceOf: 'IEC_TIMER', interface: [] },
    { kind: 'InstanceDB', name: 'Lost_DB', instanceOf: 'Lost', interface: [] },
    {
      kind: 'GlobalDB',
      name: 'Data',
      interface: [
        section('Static', member('area', 'Struct', [member('n', 'DInt')]), member('list', 'Array[0..1] of Int')),
      ],
    },
  ],
  tags: [
    { name: 'Start', dataType: 'Bool', isConstant: false },
    { name: 'Set_1', dataType: '"Set"', isConstant: false },
    { name: 'MAX', dataType: 'UInt', isConstant: true },
  ],
}
const own = [
  section('Input', member('run', 'Bool'), member('m', '"Motor"'), member('ms', 'Array[1..2] of "Motor"')),
  section('Constant', member('SIZE', 'Int')),
  section('Static', {
    ...member('copied', '"Unknown"'),
    sections: [section('None', member('inner', 'Time'))],
  }),
]
const names = declaredNames(own, declared)
const typeOf = (text: string) => {
  const operand = parseOperand(text)
  return operand?.kind === 'symbol' || operand?.kind === 'constant' ? names.typeOf?.(operand) : 'no symbol'
}

test('a path has the type of its last member, through structures, types, instances and arrays', () => {
  const cases: readonly (readonly [text: string, type: string | undefined])[] = [
    ['#run', 'Bool'],
    ['#RUN', 'Bool'],
    ['#m', '"Motor"'],
    ['#m.on', 'Bool'],
    ['#m.sets[1].low', 'Int'],
    ['#m.timer.Q', 'Bool'],
    ['#m.timer.Q.x', undefined],
    ['#ms[1]', '"Motor"'],
    ['#ms[1].speed', 'Real'],
    ['#copied.inner', 'Time'],
    ['#run[1]', undefined],
    ['#lost', undefined],
    ['"Start"', 'Bool'],
    ['"Set_1".low', 'Int'],
    ['"Set_1".word.%X0', 'Bool'],
    ['"Set_1".word.%B1', 'Byte'],
    ['"Data"', undefined],
    ['"Data".area.n', 'DInt'],
    ['"Data".area', 'Struct'],
    ['"Data".list[0]', 'Int'],
    ['"Data".lost', undefined],
    ['"Motor_DB"', '"Motor"'],
    ['"Motor_DB".data.low', 'Int'],
    ['"Timer_DB".ET', 'Time'],
    ['"Timer_DB".ET.x', undefined],
    ['"Timer_DB".lost', undefined],
    ['"Lost_DB".x', undefined],
    ['"Unknown"', undefined],
  ]
  for (const [text, type] of cases) assert.equal(typeOf(text), type, text)
  const constant = (name: string, scope: 'GlobalConstant' | 'LocalConstant') =>
    names.typeOf?.({ kind: 'constant', scope, name })
  assert.deepEqual(
    [constant('max', 'GlobalConstant'), constant('x', 'GlobalConstant'), constant('size', 'LocalConstant')],
    ['UInt', undefined, 'Int'],
  )
  const predefined = names.typeOf?.({ kind: 'symbol', scope: 'PredefinedVariable', path: [{ name: 'ENO' }] })
  assert.equal(predefined, 'Bool')
  const circle = declaredNames([], {
    objects: [{ kind: 'UDT', name: 'C', interface: [section('None', member('c', '"C"'))] }],
    tags: [{ name: 'c', dataType: '"C"', isConstant: false }],
  })
  const deep = (length: number): PathComponent[] => Array.from({ length }, () => ({ name: 'c' }))
  const ofPath = (length: number) => circle.typeOf?.({ kind: 'symbol', scope: 'GlobalVariable', path: deep(length) })
  assert.deepEqual([ofPath(100), ofPath(101), ofPath(0)], ['"C"', undefined, undefined])
})

test('constants are those of the section, or of the tag tables', () => {
  assert.deepEqual(
    [names.isConstant?.('size', true), names.isConstant?.('run', true), names.isConstant?.('max', false)],
    [true, false, true],
  )
  assert.deepEqual([names.isConstant?.('Start', false), names.isConstant?.('SIZE', false)], [false, false])
})

test('a call knows the parameters of its block in the order of sections; Void is no value', () => {
  assert.deepEqual(names.block?.('MOTOR'), {
    name: 'Motor',
    blockType: 'FB',
    parameters: [
      { name: 'on', section: 'Input', type: 'Bool' },
      { name: 'speed', section: 'Input', type: 'Real' },
      { name: 'ready', section: 'Output', type: 'Bool' },
      { name: 'data', section: 'InOut', type: '"Set"' },
    ],
  })
  assert.deepEqual(names.block?.('Scale'), {
    name: 'Scale',
    blockType: 'FC',
    parameters: [
      { name: 'x', section: 'Input', type: 'Int' },
      { name: 'Ret_Val', section: 'Return', type: 'Real' },
    ],
  })
  assert.deepEqual(names.block?.('Nothing')?.parameters, [])
  assert.deepEqual([names.block?.('Data'), names.block?.('x')], [undefined, undefined])
})

test('instances are of function blocks of the program, and names are local before global', () => {
  const of = (text: string) => {
    const operand = parseOperand(text)
    return operand?.kind === 'symbol' ? names.instanceOf?.(operand.scope, operand.path) : undefined
  }
  assert.deepEqual(['#m', '#ms', '#ms[1]', '"Motor_DB"', '"Timer_DB"', '"Set_1"', '#run', '"x"'].map(of), [
    'Motor',
    'Motor',
    'Motor',
    'Motor',
    undefined,
    undefined,
    undefined,
    undefined,
  ])
  assert.deepEqual(
    ['RUN', 'size', 'start', 'data', 'x'].map((name) => names.scopeOf?.(name)),
    ['LocalVariable', 'LocalVariable', 'GlobalVariable', 'GlobalVariable', undefined],
  )
})
