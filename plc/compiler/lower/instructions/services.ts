/**
 * Instructions without an instance that query or command the controller: interrupts, clocks, diagnostics, addresses,
 * alarms. Each takes numbers, points in time and variables of any type, and returns a status and numbers. The runtime
 * part is in runtime/routines/services.ts.
 */

import { constant, convert, local, setLocal } from '../../../ir/build.ts'
import type { Expression, Statement } from '../../../ir/ir.ts'
import { ownType } from '../../../program/constants.ts'
import { DInt, Int, LInt, LReal, scalarNamed, UDInt } from '../../../program/scalars.ts'
import type { ScalarType } from '../../../program/type.ts'
import { assign } from '../assignments.ts'
import type { Instruction } from '../instruction.ts'
import { readScalar } from '../reading.ts'
import type { Called, Value } from '../values.ts'
import { type BoundCall, type Given, instruction, nothing, number, routine, valueAs, valued } from './arguments.ts'
import { pointInTime } from './dates.ts'
import { regionOf, targetRegion } from './regions.ts'

/**
 * Parameters of each instruction in the form of `instruction` in arguments.ts, with a type after a colon: a scalar, `N`
 * any integer, `B` a data block or its number, `D` a point in time, `V` a variable of any type that is read, `W` one
 * that is written. A parameter that is left out is 0, or no variable.
 * Sources of names and types: TIA Portal help of each instruction, and the pins in real exports.
 */
const table = `
SRT_DINT OB_NR:N DTIME:Time SIGN:Word
CAN_DINT OB_NR:N
QRY_DINT OB_NR:N >STATUS:Word
SET_TINT OB_NR:N SDT:D PERIOD:Word
SET_TINTL OB_NR:N SDT:D LOCAL:Bool PERIOD:Word ACTIVATE:Bool
CAN_TINT OB_NR:N
ACT_TINT OB_NR:N
QRY_TINT OB_NR:N >STATUS:Word
SET_CINT OB_NR:N CYCLE:UDInt PHASE:UDInt
QRY_CINT OB_NR:N ?>CYCLE:UDInt ?>PHASE:UDInt ?>STATUS:Word
DIS_IRT MODE:N OB_NR:N
EN_IRT MODE:N OB_NR:N
DIS_AIRT
EN_AIRT
ATTACH OB_NR:N EVENT:N ?ADD:Bool
DETACH OB_NR:N ?EVENT:N
SNC_RTCB
RTM NR:N MODE:Byte PV:DInt ?>CQ:Bool ?>CV:DInt
WAIT WT:N
DPRD_DAT LADDR:N =RECORD:W
DPWR_DAT LADDR:N RECORD:V
WR_PARM REQ:Bool LADDR:N RECNUM:N RECORD:V >BUSY:Bool
WR_DPARM REQ:Bool LADDR:N RECNUM:N >BUSY:Bool
PARM_MOD REQ:Bool LADDR:N >BUSY:Bool
RD_DPARA REQ:Bool LADDR:N RECNUM:N >BUSY:Bool =RECORD:W
RD_DPARM ?IOID:N LADDR:N RECNUM:N =RECORD:W
RD_REC REQ:Bool ?IOID:N LADDR:N RECNUM:N >BUSY:Bool =RECORD:W
WR_REC REQ:Bool ?IOID:N LADDR:N RECNUM:N RECORD:V >BUSY:Bool
DPSYC_FR REQ:Bool LADDR:N GROUP:N MODE:N >BUSY:Bool
DP_TOPOL REQ:Bool R:Bool DP_ID:N >BUSY:Bool ?>DPR:Byte ?>DPRI:Byte
RD_OBINF OB_NR:N =INFO:W
RD_SINFO ?=TOP_SI:W ?=START_UP_SI:W
D_ACT_DP REQ:Bool MODE:N LADDR:N >BUSY:Bool
LED LADDR:N LED:N
DEVICESTATES LADDR:N MODE:N =STATE:W
MODULESTATES LADDR:N MODE:N =STATE:W
GET_DIAG MODE:N LADDR:N ?>CNT_DIAG:UInt ?=DIAG:W ?=DETAILS:W ?=DETAIL:W
GEN_DIAG LADDR:N MODE:N DIAGEVENT:V
DPNRM_DG REQ:Bool LADDR:N =RECORD:W >BUSY:Bool
RD_ADDR LADDR:N ?>PIADDR:UDInt ?>PICOUNT:UInt ?>PQADDR:UDInt ?>PQCOUNT:UInt
GEO2LOG GEOADDR:V >LADDR:UInt
LOG2GEO LADDR:N =GEOADDR:W
IO2MOD ADDR:V >LADDR:UInt
LOG2MOD IOID:N ADDR:N >HWID:UInt
GADR_LGC SUBNETID:N RACK:N SLOT:N SUBSLOT:N SUBADDR:N ?>IOID:Byte >LADDR:Word
LGC_GADR IOID:N LADDR:N ?>AREA:Byte ?>RACK:Word ?>SLOT:Word ?>SUBADDR:Word
RD_LGADR IOID:N LADDR:N ?=PEADDR:V ?>PECOUNT:Int ?=PAADDR:V ?>PACOUNT:Int
GEO_LOG MASTER:N STATION:N SLOT:N SUBSLOT:N >LADDR:Word
LOG_GEO LADDR:N ?>AREA:Int ?>MASTER:Int ?>STATION:Int ?>SLOT:Int ?>SUBSLOT:Int ?>OFFSET:Int
SYNC_PI PART:N ?>FLADDR:Word
SYNC_PO PART:N ?>FLADDR:Word
UPDAT_PI PART:N ?>FLADDR:Word
UPDAT_PO PART:N ?>FLADDR:Word
ATTR_DB REQ:Bool DB_NUMBER:N ?>DB_LENGTH:UDInt ?>ATTRIB:Byte
TEST_DB DB_NUMBER:N ?>DB_LENGTH:UInt ?>WRITE_PROT:Bool
CREATE_DB REQ:Bool LOW_LIMIT:N UP_LIMIT:N COUNT:N ?ATTRIB:Byte ?SRCBLK:V >BUSY:Bool >DB_NUM:UInt
CREAT_DB LOW_LIMIT:N UP_LIMIT:N COUNT:N >DB_NUMBER:UInt
DELETE_DB REQ:Bool DB_NUMBER:N >BUSY:Bool
DEL_DB DB_NUMBER:N
READ_DBL REQ:Bool SRCBLK:V >BUSY:Bool =DSTBLK:W
WRIT_DBL REQ:Bool SRCBLK:V >BUSY:Bool =DSTBLK:V
ENDIS_PW REQ:Bool F_PWD:Bool FULL_PWD:Bool R_PWD:Bool HMI_PWD:Bool ?>F_PWD_ON:Bool ?>FULL_PWD_ON:Bool ?>R_PWD_ON:Bool ?>HMI_PWD_ON:Bool
GEN_USRMSG MODE:N TEXTID:N TEXTLISTID:N ?=ASSOCVALUES:V
CNT_CTRL DB_NO:B ?SW_GATE:Bool ?GATE_STP:Bool ?OT_ERR_A:Bool ?SET_DO0:Bool ?SET_DO1:Bool ?L_DIRECT:Bool ?L_PREPAR:Bool ?T_CMP_V1:Bool ?T_CMP_V2:Bool ?RES_SYNC:Bool ?RES_ZERO:Bool ?C_DOPARA:Bool ?>OT_ERR:Bool ?>OT_ERR_B:Bool ?>L_DATERR:Bool
JOIN MODE:DWord RECSEPARATOR:V ENDSEPARATOR:V SRCSTRUCT:V COUNT:UDInt =DESTARRAY:W =POSITION:W
SPLIT MODE:DWord RECSEPARATOR:V ENDSEPARATOR:V SRCARRAY:V =DESTSTRUCT:W =POSITION:W ?>COUNT:UDInt
MSK_FLT PRGFLT_SET_MASK:DWord ACCFLT_SET_MASK:DWord ?>PRGFLT_MASKED:DWord ?>ACCFLT_MASKED:DWord
DMSK_FLT PRGFLT_RESET_MASK:DWord ACCFLT_RESET_MASK:DWord ?>PRGFLT_MASKED:DWord ?>ACCFLT_MASKED:DWord
READ_ERR PRGFLT_QUERY:DWord ACCFLT_QUERY:DWord ?>PRGFLT_CLR:DWord ?>ACCFLT_CLR:DWord
GET_ALARMRESOURCES
RT_INFO MODE:N OB:N ?=INFO:W
GET_ALARMSTATE =ALARM:V >ALARMSTATE:Byte >ERROR:Bool >STATUS:Word
`

interface Parameter {
  readonly name: string
  readonly type: string
  readonly isOutput: boolean
}

function parameterOf(word: string): Parameter {
  const [name = '', type = ''] = word.replace(/[?>*=]/g, '').split(':')
  return { name, type, isOutput: word.includes('>') }
}

/** Returns an input in a form that any routine takes: integers as LInt, reals as LReal. */
function wide(value: Expression, type: ScalarType): Expression {
  return type.family === 'real' ? convert(value, type, LReal) : convert(value, type, LInt)
}

interface Input {
  readonly values: readonly Expression[]
  readonly statements: readonly Statement[]
  readonly after?: readonly Statement[]
}

function input(bound: BoundCall, { type }: Parameter, given: Given | undefined): Input | undefined {
  const { context } = bound
  if (type === 'V' || type === 'W') {
    if (!given) return { values: [number(0), number(0), number(0), constant(DInt, 0n)], statements: [] }
    return type === 'W' ? targetRegion(context, given.operand, given.at) : regionOf(context, given.operand, given.at)
  }
  if (!given) return { values: [constant(LInt, 0n)], statements: [] }
  if (type === 'D') {
    const value = pointInTime(bound, given)
    return value && { values: [value], statements: [] }
  }
  if (type === 'B' && given.operand.kind === 'block') {
    const { block } = given.operand
    return { values: [constant(LInt, BigInt(block.number))], statements: [] }
  }
  const named = scalarNamed(type)
  const own =
    named ??
    (given.operand.kind === 'constant' ? ownType(given.operand) : readScalar(context, given.operand, given.at)?.type)
  if (!own) {
    if (given.operand.kind === 'constant')
      context.report('wrong-operand', given.at, `For ${given.name} of ${bound.call.name} a number is wanted.`)
    return undefined
  }
  if (!named && (own.family === 'real' || own.family === 'bool')) {
    context.report('wrong-operand', given.at, `For ${given.name} of ${bound.call.name} a whole number is wanted.`)
    return undefined
  }
  const value = valueAs(bound, given, own)
  return value && { values: [wide(value, own)], statements: [] }
}

/** Makes an instruction that reads the inputs, calls the routine and writes its results to the outputs. */
function service(name: string, words: readonly string[]): Instruction {
  const all = words.map(parameterOf)
  // Outputs are optional, and older sources write them with := too.
  const text = words.map((word) => word.replace(/:\w+/, '').replace(/^\??>/, '?=')).join(' ')
  return instruction(text === '' ? '?NONE' : text, (bound): Called => {
    const { context } = bound
    const inputs = all
      .filter(({ isOutput }) => !isOutput)
      .map((parameter) => input(bound, parameter, bound.optional(parameter.name)))
    const known = inputs.filter((one) => one !== undefined)
    if (known.length < inputs.length) return nothing
    const status = context.local(Int)
    const run = routine(bound, `service.${name}`, Int, ...known.flatMap(({ values }) => values))
    const outputs = all
      .filter(({ isOutput }) => isOutput)
      .flatMap((parameter, i): readonly Statement[] => {
        const given = bound.optional(parameter.name)
        const type = scalarNamed(parameter.type)
        if (!given || !type) return []
        const left: Expression = {
          kind: 'routine',
          routine: 'service.output',
          type: LInt,
          arguments: [constant(UDInt, BigInt(i))],
          setsEno: false,
        }
        const value: Value = { kind: 'result', type, expression: convert(left, LInt, type, 'value') }
        return assign(context, given.operand, value, given.at, given.at)
      })
    return valued(Int, local(Int, status), [
      ...known.flatMap(({ statements }) => statements),
      setLocal(status, run),
      ...outputs,
      ...known.flatMap(({ after = [] }) => after),
    ])
  })
}

/** Instructions by name in upper case. */
export const serviceInstructions: Readonly<Record<string, Instruction>> = Object.fromEntries(
  table
    .trim()
    .split('\n')
    .map((line): [string, Instruction] => {
      const [name = '', ...words] = line.split(' ')
      return [name, service(name, words)]
    }),
)
