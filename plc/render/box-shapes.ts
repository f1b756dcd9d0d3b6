/** Sizes of the boxes of a network, and how each is drawn (IEC 61131-3, 2013, clause 8: ladder diagram and FBD). */
import { coilInstructions } from '../languages/ladder/elements.ts'
import { type Box, flowName, instanceText, type Pin } from './network-graph.ts'
import { circleAt, lineHeight, lineThrough, rectangle, shortenedOperand, textAt, textWidth } from './svg.ts'

export type Kind = 'contact' | 'comparison' | 'coil' | 'join' | 'box'

/** The size of a box around the line of its first pin. Widths from left: labels, symbol, labels. */
export interface Shape {
  readonly kind: Kind
  readonly left: number
  readonly symbol: number
  readonly right: number
  readonly up: number
  readonly down: number
}

/** Distance of the pins of a box. */
const pinHeight = 18
/** Line at a pin that has only an operand, and the place of its text: they do not touch. */
const stubLength = 10
const labelAt = 14
/** Longest label of an operand; longer ones are shortened. */
const maxLabel = 200
const contactWidth = 30
const coilWidth = 30

const contactMarks: Readonly<Record<string, string>> = { Contact: '', PContact: 'P', NContact: 'N' }
const comparisons: Readonly<Record<string, string>> = { Eq: '==', Ne: '<>', Lt: '<', Le: '<=', Gt: '>', Ge: '>=' }
/** What FBD writes into the box of a logic operation. */
const logicSigns: Readonly<Record<string, string>> = {
  ...{ A: '&', O: '>=1', X: 'x', Coil: '=', SCoil: 'S', RCoil: 'R' },
  ...{ PContact: 'P', NContact: 'N', PCoil: 'P=', NCoil: 'N=' },
}
const titles: Readonly<Record<string, string>> = {
  ...comparisons,
  ...logicSigns,
  Move: 'MOVE',
  Convert: 'CONVERT',
  Add: 'ADD',
  Sub: 'SUB',
  Mul: 'MUL',
  Div: 'DIV',
  Mod: 'MOD',
  Not: 'NOT',
  Calc: 'CALCULATE',
  ...{ Normalize: 'NORM_X', Scale_X: 'SCALE_X', InRange: 'IN_RANGE', OutRange: 'OUT_RANGE', S_Move: 'S_MOVE' },
  ...{ Inc: 'INC', Dec: 'DEC', And: 'AND', Or: 'OR', Xor: 'XOR', Abs: 'ABS', Neg: 'NEG', Round: 'ROUND' },
  ...{ Trunc: 'TRUNC', Swap: 'SWAP', Shl: 'SHL', Shr: 'SHR', Rol: 'ROL', Ror: 'ROR' },
  Sp: 'S_PULSE',
  Se: 'S_PEXT',
  Sd: 'S_ODT',
  Ss: 'S_ODTS',
  Sf: 'S_OFFDT',
  PBox: 'P_TRIG',
  NBox: 'N_TRIG',
  Sr: 'SR',
  Rs: 'RS',
}

/** Out of the block or to a label: the one pin of their boxes in FBD needs no name. */
const jumps = /^(Jump|JumpNot|Return|ReturnTrue|ReturnFalse)$/

function kindOf({ node }: Box, language: string): Kind {
  if (node.kind === 'call' || language !== 'LAD') return 'box'
  if (node.name in contactMarks) return 'contact'
  if (node.name in comparisons) return 'comparison'
  if (node.name === 'O') return 'join'
  return coilInstructions.has(node.name) ? 'coil' : 'box'
}

const labelWidth = (text: string | undefined) => (text === undefined ? 0 : Math.min(maxLabel, textWidth(text)))

/** The operand above a symbol: that of the pin, or the instance. */
function signalOf(box: Box): string | undefined {
  return box.operand ?? instanceText(box)
}

export function shapeOf(box: Box, language: string): Shape {
  const kind = kindOf(box, language)
  if (kind === 'join') return { kind, left: 0, symbol: 4, right: 0, up: 8, down: 8 }
  if (kind === 'box') return boxShape(box)
  const below = belowOf(box, kind)
  const width = Math.max(
    kind === 'coil' ? coilWidth : contactWidth,
    labelWidth(aboveOf(box, kind)),
    labelWidth(below),
    kind === 'coil' ? textWidth(coilMark(box)) + 20 : 0,
  )
  return {
    kind,
    left: 0,
    symbol: width + 8,
    right: 0,
    up: 12 + lineHeight + 4,
    down: below === undefined ? 14 : 14 + lineHeight,
  }
}

const pinOperand = ({ inputs }: Box, name: string) => inputs.find((pin) => pin.name === name)?.operand
const aboveOf = (box: Box, kind: Kind) => (kind === 'comparison' ? pinOperand(box, 'in1') : signalOf(box))
const belowOf = (box: Box, kind: Kind) =>
  kind === 'comparison' ? pinOperand(box, 'in2') : (box.bit ?? pinOperand(box, 'value'))

function boxShape(box: Box): Shape {
  const { inputs, outputs } = box
  const nameWidth = (pins: readonly Pin[]) => Math.max(0, ...pins.map((pin) => textWidth(pinText(box, pin))))
  const labels = (pins: readonly Pin[]) => Math.max(0, ...pins.map(({ operand }) => labelWidth(operand))) + labelAt
  const title = titleOf(box)
  const symbol = Math.max(
    box.node.kind === 'part' && box.node.name in logicSigns ? 36 : 60,
    nameWidth(inputs) + nameWidth(outputs) + 28,
    Math.max(textWidth(title), textWidth(typeOf(box) ?? '')) + 16,
  )
  const overhang = Math.max(0, (Math.max(labelWidth(signalOf(box)), labelWidth(box.bit)) - symbol) / 2)
  return {
    kind: 'box',
    left: Math.max(labels(inputs), overhang),
    symbol,
    right: Math.max(labels(outputs), overhang),
    up: headHeight(box) + pinHeight / 2 + (signalOf(box) === undefined ? 4 : lineHeight + 6),
    down: bodyBelow(box) + (box.bit === undefined ? 0 : lineHeight),
  }
}

/** Height of a box below the line of its first pin, with the distance to what is below. */
function bodyBelow({ inputs, outputs }: Box): number {
  return (Math.max(inputs.length, outputs.length, 1) - 1) * pinHeight + pinHeight / 2 + 8
}

function titleOf(box: Box): string {
  const { node } = box
  if (node.kind === 'call') return node.name
  // The operand has no pin that could show the circle.
  if (node.name === 'Coil' && node.negated.includes('operand')) return '/='
  return titles[node.name] ?? coilMark(box)
}

/** Data types of an instruction: `Int`, `Int to Real`. */
function typeOf({ node }: Box): string | undefined {
  if (node.kind === 'call') return node.blockNumber === undefined ? undefined : `%${node.blockType}${node.blockNumber}`
  if (node.equation !== undefined) return `OUT := ${node.equation}`
  const types = node.templates.filter(({ type }) => type === 'Type').map(({ value }) => value)
  return types.length === 0 ? undefined : [...new Set(types)].join(' to ')
}

const headHeight = (box: Box) => lineHeight + 4 + (typeOf(box) === undefined ? 0 : lineHeight)

/** Height of a pin below the line of the first one. */
export function pinOffset(box: Box, pin: Pin, kind: Kind): number {
  if (kind !== 'box') return 0
  const pins = box.inputs.includes(pin) ? box.inputs : box.outputs
  return pins.indexOf(pin) * pinHeight
}

/**
 * Draws a box.
 * @param x of the symbol's left side
 * @param y of the line of the first pin
 * @param mark class of a box that is marked
 */
export function drawBox(box: Box, shape: Shape, x: number, y: number, mark?: string): string {
  const drawn = shape.kind === 'box' ? boxSymbol(box, shape, x, y) : flowSymbol(box, shape, x, y)
  if (mark === undefined) return `<g data-uid="${box.node.uId}">${drawn}</g>`
  const behind = rectangle(
    x - shape.left - 2,
    y - shape.up - 2,
    shape.left + shape.symbol + shape.right + 4,
    shape.up + shape.down,
    'mark',
  )
  return `<g data-uid="${box.node.uId}" class="${mark}">${behind}${drawn}</g>`
}

function flowSymbol(box: Box, { kind, symbol }: Shape, x: number, y: number): string {
  const flowOf = (pin: Pin | undefined) => pin && flowName(box, pin)
  // The power flow comes in at the pin that is no operand.
  const fed = flowOf(box.inputs.find(({ sources }) => sources.length > 0))
  const fedOn = flowOf(box.outputs[0])
  if (kind === 'join')
    return lineThrough(
      [
        [x, y],
        [x + symbol, y],
      ],
      'wire',
      fedOn,
    )
  const middle = x + symbol / 2
  const half = kind === 'coil' ? Math.max(coilWidth, textWidth(coilMark(box)) + 20) / 2 : contactWidth / 2
  const reach = kind === 'comparison' ? 11 : half - 8
  const parts = [
    lineThrough(
      [
        [x, y],
        [middle - reach, y],
      ],
      'wire',
      fed,
    ),
    ...(kind === 'coil' && !box.outputs.some(({ targets }) => targets.length > 0)
      ? []
      : [
          lineThrough(
            [
              [middle + reach, y],
              [x + symbol, y],
            ],
            'wire',
            fedOn,
          ),
        ]),
  ]
  const above = aboveOf(box, kind)
  const below = belowOf(box, kind)
  if (above !== undefined)
    parts.push(
      textAt(middle, y - 18, shortenedOperand(above, symbol), { anchor: 'middle', className: 'name', title: above }),
    )
  if (below !== undefined)
    parts.push(textAt(middle, y + 12 + lineHeight, shortenedOperand(below, symbol), { anchor: 'middle', title: below }))
  if (kind === 'coil') {
    parts.push(
      `<path class="symbol" d="M${middle - reach + 4} ${y - 10}Q${middle - reach - 4} ${y} ${middle - reach + 4} ${y + 10}M${middle + reach - 4} ${y - 10}Q${middle + reach + 4} ${y} ${middle + reach - 4} ${y + 10}"/>`,
    )
  } else {
    parts.push(
      lineThrough(
        [
          [middle - reach, y - 10],
          [middle - reach, y + 10],
        ],
        'symbol',
      ),
    )
    parts.push(
      lineThrough(
        [
          [middle + reach, y - 10],
          [middle + reach, y + 10],
        ],
        'symbol',
      ),
    )
  }
  const isNegated = box.node.negated.includes('operand')
  if (isNegated)
    parts.push(
      lineThrough(
        [
          [middle - 5, y + 8],
          [middle + 5, y - 8],
        ],
        'symbol',
      ),
    )
  const mark =
    kind === 'coil' ? coilMark(box) : kind === 'contact' ? contactMarks[box.node.name] : comparisons[box.node.name]
  if (mark && !isNegated) parts.push(textAt(middle, y + 4, mark, { anchor: 'middle' }))
  return parts.join('')
}

/** Signs of coils whose instruction is called otherwise. */
const coilSigns: Readonly<Record<string, string>> = {
  ...{ SpCoil: 'SP', SeCoil: 'SE', SdCoil: 'SD', SsCoil: 'SS', SfCoil: 'SF' },
  ...{ CoilTP: 'TP', CoilTON: 'TON', CoilTOF: 'TOF', CoilTONR: 'TONR' },
  ...{ PresetIECTimerCoil: 'PT', ResetIECTimerCoil: 'RT', FcCoil: 'CALL', ReturnTrue: 'RETT', ReturnFalse: 'RETF' },
}

function coilMark({ node }: Box): string {
  return coilSigns[node.name] ?? coilInstructions.get(node.name)?.text ?? node.name
}

const triggerPins: Readonly<Record<string, string>> = { in: 'CLK', out: 'Q' }

/** Pins of instructions, and EN and ENO, are in capitals; parameters of blocks as they are declared. */
function pinText({ node }: Box, { name }: Pin): string {
  // The sign of a logic operation says it all.
  if (node.kind === 'part' && (node.name in logicSigns || jumps.test(node.name))) return ''
  if (node.name === 'PBox' || node.name === 'NBox') return triggerPins[name] ?? name.toUpperCase()
  return node.kind === 'part' || /^eno?$/i.test(name) ? name.toUpperCase() : name
}

function boxSymbol(box: Box, { symbol, up }: Shape, x: number, y: number): string {
  const signal = signalOf(box)
  const head = headHeight(box)
  const top = y - head - pinHeight / 2
  const bottom = y + bodyBelow(box) - 8
  const middle = x + symbol / 2
  const type = typeOf(box)
  const parts = [
    rectangle(x, top, symbol, bottom - top),
    textAt(middle, top + lineHeight, titleOf(box), { anchor: 'middle', className: 'name' }),
  ]
  if (type !== undefined)
    parts.push(textAt(middle, top + 2 * lineHeight, type, { anchor: 'middle', className: 'type' }))
  const inMiddle = (at: number, operand: string, className = '') => {
    const text = shortenedOperand(operand, Math.max(maxLabel, symbol))
    return textAt(middle, at, text, { anchor: 'middle', className, title: operand })
  }
  if (signal !== undefined) parts.push(inMiddle(y - up + lineHeight, signal, 'instance'))
  // The edge memory bit of P_TRIG and N_TRIG.
  if (box.bit !== undefined) parts.push(inMiddle(bottom + lineHeight, box.bit))
  for (const [pins, side] of [
    [box.inputs, -1],
    [box.outputs, 1],
  ] as const) {
    const edge = side < 0 ? x : x + symbol
    for (const [i, pin] of pins.entries()) {
      const at = y + i * pinHeight
      parts.push(textAt(edge - side * 5, at + 4, pinText(box, pin), side < 0 ? {} : { anchor: 'end' }))
      if (pin.isNegated) parts.push(circleAt(edge + side * 3.5, at, 3.5))
      const isWired = pin.sources.length > 0 || (pin.targets.length > 0 && pin.operand === undefined)
      if (!isWired)
        parts.push(
          lineThrough([
            [edge + side * (pin.isNegated ? 7 : 0), at],
            [edge + side * stubLength, at],
          ]),
        )
      if (pin.operand !== undefined && pin.sources.length === 0) {
        const text = shortenedOperand(pin.operand, maxLabel)
        const lift = pin.targets.length > 0 ? -6 : 4
        parts.push(
          textAt(edge + side * labelAt, at + lift, text, {
            ...(side < 0 ? { anchor: 'end' as const } : {}),
            title: pin.operand,
          }),
        )
      }
    }
  }
  return parts.join('')
}
