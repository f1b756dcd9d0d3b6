/**
 * The instructions of LAD and FBD: names of their pins, their spelling in network text, and what TIA Portal writes
 * beside them (docs/flgnet-parts.tsv).
 */

/**
 * Contacts and comparisons: elements in the power flow. `out` is the flow at `pre` AND the condition of the element.
 */
export interface FlowElement {
  /** Pin that takes the power flow. */
  readonly pre: string
  readonly args: readonly string[]
  /** Operator in the text, between two operands. */
  readonly operator?: string
  /** Function name in the text. Absent for a contact, which is the operand alone. */
  readonly call?: string
}

export const flowElements: ReadonlyMap<string, FlowElement> = new Map<string, FlowElement>([
  ['Contact', { pre: 'in', args: ['operand'] }],
  ['PContact', { pre: 'pre', args: ['operand', 'bit'], call: 'P' }],
  ['NContact', { pre: 'pre', args: ['operand', 'bit'], call: 'N' }],
  ['Eq', { pre: 'pre', args: ['in1', 'in2'], operator: '=' }],
  ['Ne', { pre: 'pre', args: ['in1', 'in2'], operator: '<>' }],
  ['Lt', { pre: 'pre', args: ['in1', 'in2'], operator: '<' }],
  ['Le', { pre: 'pre', args: ['in1', 'in2'], operator: '<=' }],
  ['Gt', { pre: 'pre', args: ['in1', 'in2'], operator: '>' }],
  ['Ge', { pre: 'pre', args: ['in1', 'in2'], operator: '>=' }],
  ['InRange', { pre: 'pre', args: ['min', 'in', 'max'], call: 'InRange' }],
  ['OutRange', { pre: 'pre', args: ['min', 'in', 'max'], call: 'OutRange' }],
])

/** Boxes that detect edges of the result of logic. */
export const edgeBoxes: ReadonlyMap<string, string> = new Map([
  ['PBox', 'P_TRIG'],
  ['NBox', 'N_TRIG'],
])

/**
 * Coils: they take the power flow at `in`, and those with an `out` pass it on. `args` are the other pins, in the order
 * of the text.
 */
export const coilInstructions: ReadonlyMap<string, { readonly text: string; readonly args: readonly string[] }> =
  new Map([
    ['Coil', { text: '', args: ['operand'] }],
    ['SCoil', { text: 'S', args: ['operand'] }],
    ['RCoil', { text: 'R', args: ['operand'] }],
    ['PCoil', { text: 'P', args: ['operand', 'bit'] }],
    ['NCoil', { text: 'N', args: ['operand', 'bit'] }],
    ...[
      'CoilTON',
      'CoilTOF',
      'CoilTP',
      'CoilTONR',
      'SdCoil',
      'SeCoil',
      'SfCoil',
      'SpCoil',
      'SsCoil',
      'PresetIECTimerCoil',
    ].map((name): [string, { text: string; args: string[] }] => [name, { text: name, args: ['operand', 'value'] }]),
    ['ResetIECTimerCoil', { text: 'ResetIECTimerCoil', args: ['operand'] }],
    ['FcCoil', { text: 'FcCoil', args: ['block'] }],
    // RETURN is the jump out of the block that can be written as a word.
    ['Return', { text: 'RET', args: [] }],
    ['Jump', { text: 'JMP', args: ['label'] }],
    ['JumpNot', { text: 'JMPN', args: ['label'] }],
    ...['ReturnTrue', 'ReturnFalse', 'TrCoil', 'SvCoil', 'IlCoil'].map(
      (name): [string, { text: string; args: string[] }] => [name, { text: name, args: [] }],
    ),
  ])

/**
 * Boxes that compute a value: inputs in order (`in#`: in1, in2 … as many as `Card` gives), and the output that is
 * assigned.
 */
export interface ValueBox {
  readonly args: readonly string[]
  readonly result: 'out' | 'out#'
  readonly operator?: '+' | '-' | '*' | '/' | 'MOD'
}

const unary = (name: string): [string, ValueBox] => [name, { args: ['in'], result: 'out' }]

export const valueBoxes: ReadonlyMap<string, ValueBox> = new Map<string, ValueBox>([
  ['Move', { args: ['in'], result: 'out#' }],
  ['Add', { args: ['in#'], result: 'out', operator: '+' }],
  ['Sub', { args: ['in1', 'in2'], result: 'out', operator: '-' }],
  ['Mul', { args: ['in#'], result: 'out', operator: '*' }],
  ['Div', { args: ['in1', 'in2'], result: 'out', operator: '/' }],
  ['Mod', { args: ['in1', 'in2'], result: 'out', operator: 'MOD' }],
  ...['And', 'Or', 'Xor', 'Calc', 'Min', 'Max'].map((name): [string, ValueBox] => [
    name,
    { args: ['in#'], result: 'out' },
  ]),
  ...['Shl', 'Shr', 'Rol', 'Ror'].map((name): [string, ValueBox] => [name, { args: ['in', 'n'], result: 'out' }]),
  ...['Normalize', 'Scale_X'].map((name): [string, ValueBox] => [
    name,
    { args: ['min', 'value', 'max'], result: 'out' },
  ]),
  ...'S_Move Convert Round Trunc Ceil Floor Abs Neg Sqr Sqrt Ln Exp Sin Cos Tan ASin ACos ATan Frac Swap Inv Enco Deco Bcd_I'
    .split(' ')
    .map(unary),
])

/**
 * Whether a pin takes power flow in LAD: a bare operand there is a contact. At every other pin it is the operand
 * itself.
 */
export function isFlowPin(name: string, pin: string): boolean {
  return pin === 'in' && !valueBoxes.has(name) ? true : pin === 'en' || pin === 'pre' || firstPins.get(name) === pin
}

const firstPins: ReadonlyMap<string, string> = new Map([
  ...['TON', 'TOF', 'TP', 'TONR'].map((name): [string, string] => [name, 'IN']),
  ['CTU', 'CU'],
  ['CTD', 'CD'],
  ['CTUD', 'CU'],
  ['Sr', 's'],
  ['Rs', 'r'],
  ...['Sd', 'Se', 'Sf', 'Sp', 'Ss'].map((name): [string, string] => [name, 's']),
])

/**
 * The output that carries the power flow on, of boxes without EN. TIA Portal writes it only where it is wired, and
 * draws it always (of 333 TON in 460 files 44 have no Q, all an ET).
 */
export const flowOutputs: ReadonlyMap<string, string> = new Map([
  ...['TON', 'TOF', 'TP', 'TONR', 'CTU', 'CTD'].map((name): [string, string] => [name, 'Q']),
  ['CTUD', 'QU'],
  ['Sr', 'q'],
  ['Rs', 'q'],
])

/** Names of pins that are never outputs: a wire that names one first was written in the wrong direction. */
export const inputPins: ReadonlySet<string> = new Set(['in', 'en', 'pre', 'operand', 'bit', 'value', 'label'])

/** Versions TIA Portal writes at instructions of the library that have only one. */
export const defaultVersions: ReadonlyMap<string, string> = new Map(
  'TON TOF TP TONR CTU CTD CTUD R_TRIG F_TRIG'.split(' ').map((name) => [name, '1.0']),
)

/** Templates with the value they nearly always have. */
export const defaultTemplates: ReadonlyMap<string, readonly [name: string, value: string]> = new Map([
  ...['TON', 'TOF', 'TP', 'TONR', 'CoilTON', 'CoilTOF', 'CoilTP', 'CoilTONR'].map(
    (name): [string, [string, string]] => [name, ['time_type', 'Time']],
  ),
  ...['CTU', 'CTD', 'CTUD'].map((name): [string, [string, string]] => [name, ['value_type', 'Int']]),
])

/** Instructions with a variable number of inputs or outputs, and the pins that the number counts. */
export const countedPins: ReadonlyMap<string, string> = new Map([
  ['Move', 'out'],
  ...'O A X Add Mul And Or Xor Calc Min Max'.split(' ').map((name): [string, string] => [name, 'in']),
])

/** Instructions with `SrcType`: the data type they work with. `Convert` and similar also have `DestType`. */
export const typedInputs: ReadonlySet<string> = new Set(
  (
    'Eq Ne Lt Le Gt Ge InRange OutRange Add Sub Mul Div Mod And Or Xor Calc Min Max Abs Neg Sqr Sqrt Ln Exp Sin Cos Tan ASin ACos ' +
    'ATan Frac Swap Inv Enco Deco Shl Shr Rol Ror Convert Round Trunc Ceil Floor Normalize Scale_X'
  ).split(' '),
)
export const typedOutputs: ReadonlySet<string> = new Set(
  'Convert Round Trunc Ceil Floor Normalize Scale_X Inc Dec'.split(' '),
)

/**
 * Boxes whose EN/ENO mechanism is switched off unless ENO is used, as TIA Portal V14 and later draws them
 * (`DisabledENO`).
 */
export const enoCanBeDisabled: ReadonlySet<string> = new Set([...valueBoxes.keys(), 'Inc', 'Dec'])

const timerPins = 'IN PT Q ET'
const named = (names: string, pins: string) => names.split(' ').map((name) => [name, pins] as const)

/** All pins of the instructions whose pins are known; `in#` stands for in1, in2 … */
const boxPins: ReadonlyMap<string, readonly string[]> = new Map(
  [
    ...[...flowElements].map(([name, { pre, args }]) => [name, [pre, ...args, 'out'].join(' ')] as const),
    ...[...coilInstructions].map(([name, { args }]) => [name, ['in', ...args, 'out'].join(' ')] as const),
    ...[...valueBoxes].map(([name, { args, result }]) => [name, ['en', ...args, result, 'eno'].join(' ')] as const),
    ...named('Inc Dec', 'en operand eno'),
    ...named('SBitfield RBitfield', 'en operand n eno'),
    ...named('R_TRIG F_TRIG', 'en CLK Q eno'),
    ...named('O A X', 'in# out'),
    ...named('Not', 'in out'),
    ...named('PBox NBox', 'in bit out'),
    ...named('Sr', 's r1 operand q'),
    ...named('Rs', 'r s1 operand q'),
    ...named('Sd Se Sf Sp Ss', 's tv r timer q rt rtbcd'),
    ...named('TON TOF TP', timerPins),
    ...named('TONR', `${timerPins} R`),
    ...named('CTU', 'CU R PV Q CV'),
    ...named('CTD', 'CD LD PV Q CV'),
    ...named('CTUD', 'CU CD R LD PV QU QD CV'),
  ].map(([name, pins]) => [name, pins.split(' ')]),
)

/**
 * Returns a pin of a box as TIA Portal writes it, whose imports correct the case of pins too (Openness manual).
 * `undefined`: the box has no such pin. Of boxes whose pins are not known each name stays as it is.
 */
export function pinOfBox(box: string, pin: string): string | undefined {
  const known = boxPins.get(box)
  if (!known || known.includes(pin)) return pin
  const number = /\d+$/.exec(pin)?.[0] ?? ''
  const spelled = (one: string) => one.replace('#', number)
  const found = known.find((one) => spelled(one).toLowerCase() === pin.toLowerCase())
  return found && spelled(found)
}

/** The pins of a box in words, for messages. */
export function pinsOfBox(box: string): string {
  return (
    boxPins
      .get(box)
      ?.map((one) => (one.endsWith('#') ? `${one.slice(0, -1)}1 …` : one))
      .join(', ') ?? 'none'
  )
}
