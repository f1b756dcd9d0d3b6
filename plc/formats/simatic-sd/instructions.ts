/**
 * The instructions of LAD and FBD as SIMATIC SD names them, and the parts and pins of SimaticML they correspond to.
 * Sources: the same project in both formats (docs/formats.md#simatic-sd), exports of SIMATIC SD with every basic
 * instruction (public repository Chamoswor/s7-lint-vscode, docs/fbd-knowhow), docs/flgnet-parts.tsv. Instructions that
 * are not listed have the same name and pins in both.
 */

/** A pin of an instruction as it is written between the parentheses. */
export interface InstructionPin {
  readonly sd: string
  readonly pin: string
  /** Written with `=>`. */
  readonly arrow: boolean
  /** The part drives this pin. Coils write `operand =>` although their operand is an input of the part. */
  readonly isOutput: boolean
  /** The pin represents `in1`, `in2` … or `out1`, `out2` …; the numbering begins with this. */
  readonly from?: number
}

export interface Instruction {
  readonly sd: string
  readonly part: string
  /** The pin that the rung leads into, and the pin that it continues from; neither is written. */
  readonly flowIn?: string
  readonly flowOut?: string
  /** The part is always drawn with its flow output, even when nothing follows. */
  readonly drawsFlowOut: boolean
  /** Pins that the name itself negates: `I_Contact`. */
  readonly negated: readonly string[]
  /** The only pin, written without its name: `Contact( x )`. */
  readonly single?: string
  readonly pins: readonly InstructionPin[]
  /** ENO can be switched on and off; off when nothing is written. */
  readonly hasEno: boolean
  /** Called on instance data: `#timer.TON( … )`. */
  readonly hasInstance: boolean
  readonly hasEquation: boolean
  /** The pins that the template `Card` counts. */
  readonly counted?: 'in' | 'out'
  /** The template that follows from the operands when it is not written. */
  readonly automatic?: string
  readonly version?: string
  /** The template that gives the type of a literal at a pin; `*` for all others. */
  readonly literals: Readonly<Record<string, string>>
  /** Pins that are bits whatever the templates say; `in#` for in1, in2 … */
  readonly bits: readonly string[]
}

type Options = Partial<
  Pick<
    Instruction,
    'negated' | 'single' | 'hasEno' | 'hasInstance' | 'hasEquation' | 'counted' | 'automatic' | 'version'
  >
> & { literals?: Record<string, string>; bits?: string; draws?: boolean }

/**
 * Parses a short notation: `a` input, `>a` output, `^a` input written with `=>`, `a:B` pin B, `a#2` numbered from 2.
 */
function pinsOf(notation: string): InstructionPin[] {
  if (notation === '') return []
  return notation.split(' ').map((text) => {
    const [, mark = '', sd = '', pin = sd, from] = /^([>^]?)(\w+)(?::(\w+))?(?:#(\d))?$/.exec(text) ?? []
    return {
      sd,
      pin,
      arrow: mark !== '',
      isOutput: mark === '>',
      ...(from === undefined ? {} : { from: Number(from) }),
    }
  })
}

function instruction(
  sd: string,
  part: string,
  flow: string,
  notation: string,
  { literals = {}, bits = '', draws = false, ...options }: Options = {},
): Instruction {
  const [flowIn = '', flowOut = ''] = flow.split('>')
  return {
    sd,
    part,
    ...(flowIn === '' ? {} : { flowIn }),
    ...(flowOut === '' ? {} : { flowOut }),
    drawsFlowOut: draws,
    negated: [],
    pins: pinsOf(notation),
    hasEno: flowIn === 'en' && options.hasInstance !== true,
    hasInstance: false,
    hasEquation: false,
    ...options,
    literals,
    bits: bits.split(' '),
  }
}

const bits: Options = { bits: 'operand bit r s1 r1 in' }
const drawn: Options = { draws: true }
const drawnBits: Options = { ...drawn, ...bits }
const compared: Options = { draws: true, literals: { '*': 'SrcType' } }
const arithmetic: Options = { automatic: 'SrcType', literals: { '*': 'SrcType' } }
const ofSource: Options = { literals: { '*': 'SrcType' } }
const ofValue: Options = { literals: { '*': 'value_type' }, version: '1.0' }
const timer: Options = { hasInstance: true, version: '1.0', bits: 'R' }
const counter: Options = { hasInstance: true, version: '1.0', literals: { PV: 'value_type' }, bits: 'CD R LD' }
const edge: Options = { hasInstance: true, version: '1.0', bits: 'CLK' }

/** All that the table lists; a part may be written by several names. */
export const instructions: readonly Instruction[] = [
  instruction('Contact', 'Contact', 'in>out', 'operand', { ...drawnBits, single: 'operand' }),
  instruction('I_Contact', 'Contact', 'in>out', 'operand', { ...drawnBits, single: 'operand', negated: ['operand'] }),
  instruction('P_Contact', 'PContact', 'pre>out', 'operand bit', drawnBits),
  instruction('N_Contact', 'NContact', 'pre>out', 'operand bit', drawnBits),
  instruction('P_Trig', 'PBox', 'in>out', 'bit', { ...drawnBits, single: 'bit' }),
  instruction('N_Trig', 'NBox', 'in>out', 'bit', { ...drawnBits, single: 'bit' }),
  instruction('Not', 'Not', 'in>out', '', drawn),
  instruction('Coil', 'Coil', 'in>out', 'operand', { ...bits, single: 'operand' }),
  instruction('I_Coil', 'Coil', 'in>out', 'operand', { ...bits, single: 'operand', negated: ['operand'] }),
  instruction('S_Coil', 'SCoil', 'in>out', 'operand', { ...bits, single: 'operand' }),
  instruction('R_Coil', 'RCoil', 'in>out', 'operand', { ...bits, single: 'operand' }),
  instruction('P_Coil', 'PCoil', 'in>out', '^operand bit', bits),
  instruction('N_Coil', 'NCoil', 'in>out', '^operand bit', bits),
  instruction('S_BitfieldCoil', 'S_BitfieldCoil', 'in>out', '^operand n'),
  instruction('R_BitfieldCoil', 'R_BitfieldCoil', 'in>out', '^operand n'),
  instruction('S_RS', 'Rs', 'r>q', 'operand s1', bits),
  instruction('S_SR', 'Sr', 's>q', 'operand r1', bits),
  ...(['Eq', 'Ne', 'Ge', 'Le', 'Gt', 'Lt'] as const).map((part) =>
    instruction(`${part.toUpperCase()}_Contact`, part, 'pre>out', 'in1 in2', compared),
  ),
  instruction('InRange', 'InRange', 'pre>out', 'min in max', compared),
  instruction('OutRange', 'OutRange', 'pre>out', 'min in max', compared),
  instruction('OK', 'OK', 'in>out', 'operand', { ...drawn, single: 'operand' }),
  instruction('NOK', 'NOK', 'in>out', 'operand', { ...drawn, single: 'operand' }),
  ...['A', 'O', 'X'].map((name) =>
    instruction(name, name, 'in1>out', 'in#2', { ...drawn, counted: 'in', bits: 'in#' }),
  ),
  instruction('Move', 'Move', 'en>eno', 'in >out#1', { counted: 'out' }),
  instruction('S_Move', 'S_Move', 'en>eno', 'in >out'),
  ...['Add', 'Mul'].map((name) => instruction(name, name, 'en>eno', 'in#1 >out', { ...arithmetic, counted: 'in' })),
  ...['Sub', 'Div', 'Mod'].map((name) => instruction(name, name, 'en>eno', 'in1 in2 >out', arithmetic)),
  ...['And', 'Or', 'Xor'].map((name) => instruction(name, name, 'en>eno', 'in#1 >out', { ...ofSource, counted: 'in' })),
  instruction('Calculate', 'Calc', 'en>eno', 'in#1 >out', { ...ofSource, counted: 'in', hasEquation: true }),
  ...['Inc', 'Dec'].map((name) => instruction(name, name, 'en>eno', 'operand', { single: 'operand' })),
  ...'Neg Abs Sqr Sqrt Ln Exp Sin Cos Tan Asin Acos Atan Frac Inv Swap Convert Round Ceil Floor Trunc'
    .split(' ')
    .map((name) => instruction(name, name, 'en>eno', 'in >out', ofSource)),
  instruction('Expt', 'Expt', 'en>eno', 'in1 in2 >out', ofSource),
  instruction('Normalize', 'Normalize', 'en>eno', 'min value max >out', ofSource),
  instruction('Scale', 'Scale_X', 'en>eno', 'min value max >out', {
    literals: { '*': 'DestType', value: 'SrcType' },
  }),
  // The function of the S7-300 library, which differs from the other one only in case.
  instruction('SCALE', 'SCALE', 'en>eno', 'IN HI_LIM LO_LIM BIPOLAR >RET_VAL >OUT', { version: '1.2' }),
  ...['Shr', 'Shl', 'Ror', 'Rol'].map((name) =>
    instruction(name, name, 'en>eno', 'in n >out', { literals: { in: 'SrcType' } }),
  ),
  instruction('Limit', 'LIMIT', 'en>eno', 'min:MN in:IN max:MX >out:OUT', ofValue),
  ...['MIN', 'MAX'].map((name) => instruction(name, name, 'en>eno', 'in:IN#1 >out:OUT', ofValue)),
  instruction('SEL', 'SEL', 'en>eno', 'g:G in0:IN0 in1:IN1 >out:OUT', {
    literals: { IN0: 'value_type', IN1: 'value_type' },
    version: '1.4',
  }),
  // It takes anything and passes it as a Variant: no template.
  instruction('S_BlockMove', 'BLKMOV', 'en>eno', 'srcBlock:SRCBLK >ret_val:RET_VAL >dstBlock:DSTBLK', {
    version: '1.1',
  }),
  instruction('S_Fill', 'FILL', 'en>eno', 'BVAL >RET_VAL >BLK'),
  instruction('GATHER', 'GATHER', 'en>eno', 'in:IN >out:OUT', { version: '1.2' }),
  instruction('GatherBlock', 'GATHER_BLK', 'en>eno', 'in:IN countOut:COUNT_OUT >out:OUT', { version: '1.2' }),
  instruction('SCATTER', 'SCATTER', 'en>eno', 'in:IN >out:OUT', { version: '1.2' }),
  instruction('ScatterBlock', 'SCATTER_BLK', 'en>eno', 'in:IN countIn:COUNT_IN >out:OUT', { version: '1.2' }),
  instruction(
    'MoveBlockVariant',
    'MOVE_BLK_VARIANT',
    'en>eno',
    'src:SRC count:COUNT srcIndex:SRC_INDEX dstIndex:DEST_INDEX >ret_val:Ret_Val >dst:DEST',
    { version: '1.2' },
  ),
  instruction('Runtime', 'Runtime', 'en>eno', '>ret_val mem'),
  ...['TP', 'TON', 'TOF'].map((name) => instruction(name, name, 'IN>Q', 'pt:PT >et:ET', timer)),
  instruction('TONR', 'TONR', 'IN>Q', 'r:R pt:PT >et:ET', timer),
  instruction('CTU', 'CTU', 'CU>Q', 'r:R pv:PV >cv:CV', counter),
  instruction('CTD', 'CTD', 'CD>Q', 'ld:LD pv:PV >cv:CV', counter),
  instruction('CTUD', 'CTUD', 'CU>QU', 'cd:CD r:R ld:LD pv:PV >qd:QD >cv:CV', counter),
  ...['R_TRIG', 'F_TRIG'].map((name) => instruction(name, name, 'en>eno', 'clk:CLK >q:Q', edge)),
  ...['TP', 'TON', 'TOF', 'TONR'].map((name) =>
    instruction(`${name}_Coil`, `Coil${name}`, 'in>out', '^timer:operand pt:value'),
  ),
  ...['Sp', 'Se', 'Sd', 'Ss', 'Sf'].map((name) =>
    instruction(`${name.toUpperCase()}_Coil`, `${name}Coil`, 'in>out', '^timer:operand pt:value'),
  ),
  ...['Sp', 'Se', 'Sd', 'Ss', 'Sf'].map((name) => instruction(name, name, 's>q', 'timer tv r >rt >rtbcd')),
  instruction('RT_Coil', 'ResetIECTimerCoil', 'in>out', 'operand', { single: 'operand' }),
  instruction('JumpCoil', 'Jump', 'in>', 'label', { single: 'label' }),
  instruction('I_JumpCoil', 'JumpNot', 'in>', 'label', { single: 'label' }),
  instruction('ReturnCoil', 'ReturnCoil', 'in>', 'operand', { single: 'operand' }),
  ...['Return', 'ReturnTrue', 'ReturnFalse'].map((name) => instruction(name, name, 'in>', '')),
]

const bySd: ReadonlyMap<string, Instruction> = new Map(instructions.map((entry) => [entry.sd, entry]))
const bySdUpper: ReadonlyMap<string, Instruction> = new Map(
  [...instructions].reverse().map((entry) => [entry.sd.toUpperCase(), entry]),
)
const writtenAs: ReadonlyMap<string, readonly Instruction[]> = groupByName()

function groupByName(): Map<string, Instruction[]> {
  const groups = new Map<string, Instruction[]>()
  for (const entry of instructions) {
    const group = groups.get(entry.part)
    if (group === undefined) groups.set(entry.part, [entry])
    else group.push(entry)
  }
  return groups
}

/**
 * Versions of instructions that have only ever had one (docs/flgnet-parts.tsv). Versions of libraries that still
 * develop (motion, Modbus, PID …) are the choice of the project.
 */
const versions: Readonly<Record<string, string>> = {
  UNSCALE: '1.2',
  RD_SYS_T: '1.0',
  WR_SYS_T: '1.0',
  RD_LOC_T: '1.0',
  WR_LOC_T: '1.0',
  T_CONV: '1.2',
  DPRD_DAT: '1.0',
  DPWR_DAT: '1.0',
  GetBlockName: '1.1',
  WRREC: '1.1',
  RDREC: '1.0',
  BLKMOV: '1.1',
  SET_TIMEZONE: '1.1',
  DeviceStates: '1.2',
  Program_Alarm: '1.0',
}

/** An instruction that is not in the table: the same name and pins in both formats, enabled by the rung. */
export function otherInstruction(name: string, hasInstance: boolean, flowIn: string | undefined = 'en'): Instruction {
  return {
    sd: name,
    part: name,
    ...(flowIn === undefined ? {} : { flowIn, flowOut: 'eno' }),
    drawsFlowOut: false,
    negated: [],
    pins: [],
    hasEno: flowIn === 'en' && !hasInstance,
    hasInstance,
    hasEquation: false,
    ...(versions[name] === undefined ? {} : { version: versions[name] }),
    literals: {},
    bits: [],
  }
}

/** Alternative names that TIA Portal reads (those of its help) and that older files contain. */
const aliases: Readonly<Record<string, string>> = {
  'CMP ==': 'EQ_Contact',
  'CMP <>': 'NE_Contact',
  'CMP >=': 'GE_Contact',
  'CMP <=': 'LE_Contact',
  'CMP >': 'GT_Contact',
  'CMP <': 'LT_Contact',
  SCALE_X: 'Scale',
  NORM_X: 'Normalize',
}

/** Finds the listed instruction of this name; case is ignored only when no exact match exists. */
export function instructionNamed(sd: string): Instruction | undefined {
  const upper = sd.toUpperCase()
  return bySd.get(sd) ?? bySdUpper.get(upper) ?? bySd.get(aliases[upper] ?? '')
}

/**
 * Finds the instruction that a part is written as. Returns `undefined` when its name belongs to another part in this
 * format, because reading it back would give that other part.
 *
 * @param negated pins of the part with a negation
 */
export function instructionWritten(
  part: string,
  negated: readonly string[],
  hasInstance: boolean,
  flowIn: string | undefined,
): Instruction | undefined {
  let best: Instruction | undefined
  for (const candidate of writtenAs.get(part) ?? [])
    if (
      candidate.negated.every((pin) => negated.includes(pin)) &&
      candidate.negated.length >= (best?.negated.length ?? 0)
    )
      best = candidate
  if (best !== undefined) return best.hasInstance === hasInstance ? best : undefined
  return instructionNamed(part) === undefined ? otherInstruction(part, hasInstance, flowIn) : undefined
}

/** Finds a pin by the name in the text; a pin that the table does not list has the same name in both formats. */
export function pinNamed(entry: Instruction, sd: string): { readonly pin: string; readonly isOutput?: boolean } {
  for (const exact of [true, false]) {
    for (const candidate of entry.pins) {
      const numbered = candidate.from === undefined ? undefined : /^(.*?)(\d+)$/.exec(sd)
      const text = numbered === undefined || numbered === null ? sd : (numbered[1] as string)
      if (candidate.from !== undefined && (numbered === null || numbered === undefined)) continue
      const isSame = exact ? text === candidate.sd : text.toUpperCase() === candidate.sd.toUpperCase()
      if (isSame) return { pin: `${candidate.pin}${numbered?.[2] ?? ''}`, isOutput: candidate.isOutput }
    }
  }
  for (const flow of [entry.flowIn, entry.flowOut])
    if (flow !== undefined && flow.toUpperCase() === sd.toUpperCase())
      return { pin: flow, isOutput: flow === entry.flowOut }
  return { pin: sd }
}

/** Returns how a pin of the part is written; `undefined` for pins that the table does not list. */
export function writtenPin(
  entry: Instruction,
  pin: string,
): { readonly sd: string; readonly arrow: boolean; readonly order: number } | undefined {
  for (const [order, candidate] of entry.pins.entries()) {
    if (candidate.from === undefined) {
      if (candidate.pin === pin) return { sd: candidate.sd, arrow: candidate.arrow, order: order * 1000 }
      continue
    }
    const number = pin.startsWith(candidate.pin) ? /^\d+$/.exec(pin.slice(candidate.pin.length))?.[0] : undefined
    if (number !== undefined && Number(number) >= candidate.from)
      return { sd: `${candidate.sd}${number}`, arrow: candidate.arrow, order: order * 1000 + Number(number) }
  }
  return undefined
}
