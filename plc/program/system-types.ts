/**
 * Data types and function blocks of the system, with their members.
 *
 * Sources. Members of `IEC_TIMER`, `TON_TIME`, `IEC_COUNTER`, `R_TRIG`, `DTL`, `Program_Alarm` and the `G7_*` types: as
 * TIA Portal V16 to V18 expands them in exports. Sizes of timers and counters: S7-1200 manual
 * (docs/plc-semantics.md#timers, docs/plc-semantics.md#counters). GRAPH steps: docs/plc-semantics.md#sequencers. All
 * others: the parameter tables of the TIA Portal help (STEP 7, "System data types", "Communication", "Compact PID").
 *
 * Hidden members are state: for timers `ST`, the time they were started, and `RU`, whether they run; for timers and
 * counters IN, CU and CD at the last call (`…_OLD`): programs may write to the inputs themselves.
 */

import { defined } from '../../lib/optional.ts'
import { functionBlockStructures, functionBlocks } from '../model/system-function-blocks.ts'
import { scalarNamed } from './scalars.ts'
import { systemBlockName } from './system-block-numbers.ts'
import { technologyObjectStructures } from './technology-objects.ts'
import { axisOf1200, structuresOf1200 } from './technology-objects-1200.ts'
import type { Section } from './type.ts'
import { parseTypeText } from './type-text.ts'

/** A member of a system type; its type is still an unparsed text. */
export interface SystemMember {
  readonly name: string
  readonly dataType: string
  readonly section: Section
  readonly startValue?: string
  readonly isHidden: boolean
  readonly isJoined: boolean
  readonly overlays?: string
}

export interface SystemType {
  /** As TIA Portal spells it. */
  readonly name: string
  readonly kind: 'struct' | 'instance'
  readonly members: readonly SystemMember[]
  /** It is that of S7-1200, where it differs. */
  readonly isOf1200?: boolean
}

const sections: Readonly<Record<string, Section>> = {
  '': 'None',
  i: 'Input',
  o: 'Output',
  io: 'InOut',
  s: 'Static',
  h: 'Static',
}

/**
 * Parses members written as a text: `i.PT:Time o.Q:Bool s.Stat:Bool h.ST:Time`. Members of structures have no letter. A
 * start value follows `=`, the member whose memory it shares follows `@`. Types with blanks have `_of_` for ` of `.
 */
function members(text: string, isJoined = false): SystemMember[] {
  return text.split(/\s+/).map((entry) => {
    const [, letter = '', name = '', type = '', , overlays, , startValue] =
      /^(?:(i|o|io|s|h)\.)?([^:]+):([^=@]+)(@([^=]+))?(=(.+))?$/.exec(entry) ?? []
    return {
      name,
      dataType: type.replaceAll('_of_', ' of '),
      section: sections[letter] ?? 'None',
      isHidden: letter === 'h',
      isJoined,
      ...defined({ startValue, overlays }),
    }
  })
}

/**
 * In standard layout members have the offsets of STEP 7. IN_OLD, IN at the last call, is an array of one byte: so the
 * timer has the 16 bytes of the manual in both layouts.
 */
const timer = (type: string, more = '') =>
  members(
    `h.ST:${type} i.PT:${type} o.ET:${type} h.RU:Bool i.IN:Bool o.Q:Bool ${more}h.IN_OLD:Array[0..0]_of_Byte`,
    true,
  )
const accumulator = (type: string) => timer(type, 'i.R:Bool ')

/** `QU`, `QD` or both are outputs; `CTU` and `CTD` name their output `Q` as well. */
function counter(type: string, kind: 'both' | 'up' | 'down'): SystemMember[] {
  const [up, down] = [kind === 'down' ? 's' : 'i', kind === 'up' ? 's' : 'i']
  const [qu, qd] = [kind === 'both' ? 'o' : 's', kind === 'both' ? 'o' : 's']
  const q = kind === 'both' ? '' : ` o.Q:Bool@${kind === 'up' ? 'QU' : 'QD'}`
  return members(
    `${up}.CU:Bool ${down}.CD:Bool ${up}.R:Bool ${down}.LD:Bool ${qu}.QU:Bool ${qd}.QD:Bool h.CU_OLD:Bool h.CD_OLD:Bool ` +
      `i.PV:${type} o.CV:${type}${q}`,
    true,
  )
}

const table = new Map<string, SystemType>()
/** Of S7-1200, where they differ: the axis and what is in it. */
const tableOf1200 = new Map<string, SystemType>()

function add(kind: SystemType['kind'], names: string, list: readonly SystemMember[], to = table): void {
  const isOf1200 = to === tableOf1200
  for (const name of names.split(' '))
    to.set(name.toUpperCase(), { name, kind, members: list, ...(isOf1200 ? { isOf1200 } : {}) })
}

/** Adds structures given as lines `NAME member:Type …`. */
function addStructs(text: string, to = table): void {
  for (const line of text.trim().split('\n')) {
    const [name = '', ...rest] = line.trim().split(/\s+/)
    add('struct', name, members(rest.join(' ')), to)
  }
}

function addBlocks(text: string): void {
  for (const line of text.trim().split('\n')) {
    const [name = '', ...rest] = line.trim().split(/\s+/)
    add('instance', name, members(rest.join(' ')))
  }
}

// ── Timers, counters, edges ─────────────────────────────────────────────────────────────────────────────────────────

// `TON`, `TP` and `TOF` without a time type are those of Time: declarations in sources use them.
add('instance', 'IEC_TIMER TON_TIME TOF_TIME TP_TIME TON TOF TP', timer('Time'))
add('instance', 'IEC_LTIMER TON_LTIME TOF_LTIME TP_LTIME', timer('LTime'))
add('instance', 'TONR_TIME TONR', accumulator('Time'))
add('instance', 'TONR_LTIME', accumulator('LTime'))
for (const [names, kind] of [
  ['IEC_SCOUNTER IEC_SINT_COUNTER', 'SInt'],
  ['IEC_USCOUNTER IEC_USINT_COUNTER', 'USInt'],
  ['IEC_COUNTER IEC_INT_COUNTER', 'Int'],
  ['IEC_UCOUNTER IEC_UINT_COUNTER', 'UInt'],
  ['IEC_DCOUNTER IEC_DINT_COUNTER', 'DInt'],
  ['IEC_UDCOUNTER IEC_UDINT_COUNTER', 'UDInt'],
  ['IEC_LCOUNTER IEC_LINT_COUNTER', 'LInt'],
  ['IEC_ULCOUNTER IEC_ULINT_COUNTER', 'ULInt'],
] as const) {
  const suffix = kind.toUpperCase()
  add('instance', `${names} CTUD_${suffix}`, counter(kind, 'both'))
  add('instance', `CTU_${suffix}`, counter(kind, 'up'))
  add('instance', `CTD_${suffix}`, counter(kind, 'down'))
}
add('instance', 'CTU', counter('Int', 'up'))
add('instance', 'CTD', counter('Int', 'down'))
add('instance', 'CTUD', counter('Int', 'both'))
add('instance', 'R_TRIG F_TRIG', members('i.CLK:Bool o.Q:Bool s.Stat_Bit:Bool'))

// ── Structures ──────────────────────────────────────────────────────────────────────────────────────────────────────

addStructs(`
DTL YEAR:UInt=1970 MONTH:USInt=1 DAY:USInt=1 WEEKDAY:USInt=5 HOUR:USInt=0 MINUTE:USInt=0 SECOND:USInt=0 NANOSECOND:UDInt=0
NREF AREA:Byte DB_NUMBER:UInt OFFSET:UDInt
CREF BLOCK_TYPE:Byte CB_NUMBER:UInt OFFSET:UDInt
ERROR_STRUCT ERROR_ID:Word FLAGS:Byte REACTION:Byte CODE_ADDRESS:CREF MODE:Byte OPERAND_NUMBER:UInt POINTER_NUMBER_LOCATION:UInt SLOT_NUMBER_SCOPE:UInt DATA_ADDRESS:NREF
ErrorStruct ERROR_ID:Word FLAGS:Byte REACTION:Byte CODE_ADDRESS:CREF MODE:Byte OPERAND_NUMBER:UInt POINTER_NUMBER_LOCATION:UInt SLOT_NUMBER_SCOPE:UInt DATA_ADDRESS:NREF
IP_V4 ADDR:Array[1..4]_of_Byte
MAC_ADDR MAC:Array[1..6]_of_Byte
TADDR_Param REM_IP_ADDR:Array[1..4]_of_USInt REM_PORT_NR:UInt RESERVED:Word
TADDR_RCV_IP REM_IP_ADDR:IP_V4 REM_PORT_NR:UInt
TADDR_SEND_QDN REM_QDN:String[254] REM_PORT_NR:UInt
TCON_Param BLOCK_LENGTH:UInt=64 ID:CONN_OUC=1 CONNECTION_TYPE:USInt=17 ACTIVE_EST:Bool LOCAL_DEVICE_ID:USInt=1 LOCAL_TSAP_ID_LEN:USInt REM_SUBNET_ID_LEN:USInt REM_STADDR_LEN:USInt REM_TSAP_ID_LEN:USInt NEXT_STADDR_LEN:USInt LOCAL_TSAP_ID:Array[1..16]_of_Byte REM_SUBNET_ID:Array[1..6]_of_USInt REM_STADDR:Array[1..6]_of_USInt REM_TSAP_ID:Array[1..16]_of_Byte NEXT_STADDR:Array[1..6]_of_Byte SPARE:Word
TCON_IP_v4 InterfaceId:HW_ANY ID:CONN_OUC ConnectionType:Byte=16#0B ActiveEstablished:Bool RemoteAddress:IP_V4 RemotePort:UInt LocalPort:UInt
TCON_IP_RFC InterfaceId:HW_ANY ID:CONN_OUC ConnectionType:Byte=16#0C ActiveEstablished:Bool RemoteAddress:IP_V4 RemoteTSelector:TSelector LocalTSelector:TSelector
TSelector TSelLength:UInt TSel:Array[1..32]_of_Byte
TCON_QDN InterfaceId:HW_ANY ID:CONN_OUC ConnectionType:Byte=16#0B ActiveEstablished:Bool RemoteQDN:String[254] RemotePort:UInt LocalPort:UInt
TCON_Configured InterfaceId:HW_ANY ID:CONN_OUC ConnectionType:Byte=16#FE
TCON_IP_V4_SEC ConnPara:TCON_IP_v4 ActivateSecureConn:Bool TLSServerReqClientCert:Bool ExtTLSCapabilities:Word TLSServerCertRef:UDInt TLSClientCertRef:UDInt
TCON_QDN_SEC ConnPara:TCON_QDN ActivateSecureConn:Bool TLSServerReqClientCert:Bool ExtTLSCapabilities:Word TLSServerCertRef:UDInt TLSClientCertRef:UDInt
IP_V6 ADDR:Array[1..16]_of_Byte
EMAIL_ADDR LocalPartPlusAtSign:String[64] FullQualifiedDomainName:String[254]
TMail_V4 InterfaceId:HW_ANY ID:CONN_OUC ConnectionType:Byte=16#20 ActiveEstablished:Bool CertIndex:Byte WatchDogTime:Time MailServerAddress:IP_V4 UserName:String[254] PassWord:String[254] From:EMAIL_ADDR
TMail_V6 InterfaceId:HW_ANY ID:CONN_OUC ConnectionType:Byte=16#21 ActiveEstablished:Bool CertIndex:Byte WatchDogTime:Time MailServerAddress:IP_V6 UserName:String[254] PassWord:String[254] From:EMAIL_ADDR
TMail_FQDN InterfaceId:HW_ANY ID:CONN_OUC ConnectionType:Byte=16#22 ActiveEstablished:Bool CertIndex:Byte WatchDogTime:Time MailServerAddress:String[254] UserName:String[254] PassWord:String[254] From:EMAIL_ADDR
TMail_V4_SEC InterfaceId:HW_ANY ID:CONN_OUC ConnectionType:Byte=16#20 ActiveEstablishment:Bool WatchDogTime:Time MailServerAddress:IP_V4 UserName:String[254] PassWord:String[254] From:EMAIL_ADDR RemotePort:UInt ActivateSecureConn:Bool ExtTLSCapabilities:Byte TLSServerCertRef:UDInt
TMail_V6_SEC InterfaceId:HW_ANY ID:CONN_OUC ConnectionType:Byte=16#21 ActiveEstablishment:Bool WatchDogTime:Time MailServerAddress:IP_V6 UserName:String[254] PassWord:String[254] From:EMAIL_ADDR RemotePort:UInt ActivateSecureConn:Bool ExtTLSCapabilities:Byte TLSServerCertRef:UDInt
TMail_QDN_SEC InterfaceId:HW_ANY ID:CONN_OUC ConnectionType:Byte=16#22 ActiveEstablishment:Bool WatchDogTime:Time MailServerQDN:String[254] UserName:String[254] PassWord:String[254] From:EMAIL_ADDR RemotePort:UInt ActivateSecureConn:Bool ExtTLSCapabilities:Byte TLSServerCertRef:UDInt
TMail_FileReference DirectoryPath:String[254]='/DataLogs/' FileName:String[254]='datalog.csv'
IF_CONF_Header FieldLength:UInt SubfieldCnt:UInt
IF_CONF_V4 Id:UInt=30 Length:UInt=18 Mode:UInt=1 InterfaceAddress:IP_V4 SubnetMask:IP_V4 DefaultRouter:IP_V4
IF_CONF_MAC Id:UInt=3 Length:UInt=12 Mode:UInt MACAddress:Array[1..6]_of_Byte
IF_CONF_NOS Id:UInt=40 Length:UInt=246 Mode:UInt=1 NameOfStation:Array[1..240]_of_Byte
CONDITIONS COND_TYPE:USInt RESERVED:Byte
AssocValues Value:Array[1..10]_of_DInt
TimeTransformationRule Bias:Int DaylightBias:Int DaylightStartMonth:USInt DaylightStartWeek:USInt DaylightStartWeekday:USInt DaylightStartHour:USInt DaylightStartMinute:USInt StandardStartMonth:USInt StandardStartWeek:USInt StandardStartWeekday:USInt StandardStartHour:USInt StandardStartMinute:USInt TimeZoneName:String[80]
Event_ID ALID:Word ARID:Word
AssocValue_0 Syntax:UInt Aap:Byte
IM0_Data Manufacturer_ID:UInt Order_ID:String[20] Serial_Number:String[16] Hardware_Revision:UInt Software_Revision:IM0_Version Revision_Counter:UInt Profile_ID:UInt Profile_Specific_Type:UInt IM_Version:Word IM_Supported:Word
IM0_Version Type:Char Functional:USInt Bugfix:USInt Internal:USInt
VREF AREA:Byte DB_NUMBER:UInt OFFSET:UDInt
GEOADDR HWTYPE:UInt AREA:UInt IOSYSTEM:UInt STATION:UInt SLOT:UInt SUBSLOT:UInt
DIS MaintenanceState:DWord ComponentStateDetail:DWord OwnState:UInt IOState:Word OperatingState:UInt
DNN SubordinateState:UInt SubordinateIOState:Word DNNmode:Word
DiagnosticDetail ChannelInfo:Word ALID:UInt TextID:UInt ChannelNumber:UInt Addval_0:DWord TextID2:UInt LADDR:HW_ANY TextListId:UInt ChannelDirection:UInt Addval_1:DWord
SI_classic EV_CLASS:Byte EV_NUM:Byte PRIORITY:Byte NUM:Byte TYP2_3:Byte TYP1:Byte ZI1:Word ZI2_3:DWord
SI_none SI_Format:USInt=254 OB_Class:USInt OB_Nr:UInt
SI_ProgramCycle SI_Format:USInt=254 OB_Class:USInt=1 OB_Nr:UInt Initial_Call:Bool Remanence:Bool
SI_TimeOfDay SI_Format:USInt=254 OB_Class:USInt=10 OB_Nr:UInt CaughtUp:Bool SecondTime:Bool
SI_Delay SI_Format:USInt=254 OB_Class:USInt=20 OB_Nr:UInt Sign:Word
SI_Cyclic SI_Format:USInt=254 OB_Class:USInt=30 OB_Nr:UInt Initial_Call:Bool Event_Count:Int
SI_HWInterrupt SI_Format:USInt=254 OB_Class:USInt=40 OB_Nr:UInt LADDR:HW_IO USI:Word IChannel:USInt EventType:Byte
SI_HWInterrupt_Extended SI_Format:USInt=254 OB_Class:USInt=40 OB_Nr:UInt LADDR:HW_IO USI:Word IChannel:USInt EventType:Byte PointAddr:DWord
SI_Submodule SI_Format:USInt=254 OB_Class:USInt OB_Nr:UInt LADDR:HW_IO Slot:UInt Specifier:Word
SI_SynchCycle SI_Format:USInt=254 OB_Class:USInt=61 OB_Nr:UInt Initial_Call:Bool PIP_Input:Bool PIP_Output:Bool IO_System:USInt Event_Count:Int SyncCycleTime:LTime
SI_IORedundancyError SI_Format:USInt=254 OB_Class:USInt=70 OB_Nr:UInt LADDR:HW_ANY Event_Class:Byte Fault_ID:Byte
SI_IORedundancyError_V2 SI_Format:USInt=254 OB_Class:USInt=70 OB_Nr:UInt LADDR:HW_ANY Event_Class:Byte Fault_ID:Byte Info1:HW_ANY Info2:HW_ANY
SI_CPURedundancyError SI_Format:USInt=254 OB_Class:USInt=72 OB_Nr:UInt Switch_Over:Bool
SI_CPURedundancyError_V2 SI_Format:USInt=254 OB_Class:USInt=72 OB_Nr:UInt LADDR:HW_ANY Event_Class:Byte Fault_ID:Byte
SI_TimeError SI_Format:USInt=254 OB_Class:USInt=80 OB_Nr:UInt Fault_ID:Byte Csg_OBnr:OB_ANY Csg_Prio:UInt
SI_DiagnosticInterrupt SI_Format:USInt=254 OB_Class:USInt=82 OB_Nr:UInt IO_State:Word LADDR:HW_ANY Channel:UInt MultiError:Bool
SI_PlugPullModule SI_Format:USInt=254 OB_Class:USInt=83 OB_Nr:UInt LADDR:HW_IO Event_Class:Byte Fault_ID:Byte
SI_AccessError SI_Format:USInt=254 OB_Class:USInt=85 OB_Nr:UInt LADDR:HW_IO Event_Class:Byte Fault_ID:Byte IO_Addr:UInt IO_LEN:UInt
SI_StationFailure SI_Format:USInt=254 OB_Class:USInt=86 OB_Nr:UInt LADDR:HW_IO Event_Class:Byte Fault_ID:Byte
SI_Servo SI_Format:USInt=254 OB_Class:USInt=91 OB_Nr:UInt Initial_Call:Bool PIP_Input:Bool PIP_Output:Bool IO_System:USInt Event_Count:Int Synchronous:Bool
SI_Ipo SI_Format:USInt=254 OB_Class:USInt=92 OB_Nr:UInt Initial_Call:Bool PIP_Input:Bool PIP_Output:Bool IO_System:USInt Event_Count:Int Reduction:UInt
SI_Startup SI_Format:USInt=254 OB_Class:USInt=100 OB_Nr:UInt LostRetentive:Bool LostRTC:Bool
SI_ProgIOAccessError SI_Format:USInt=254 OB_Class:USInt OB_Nr:UInt BlockNr:UInt Reaction:USInt Fault_ID:Byte BlockType:USInt Area:USInt DBNr:DB_ANY Csg_OBNr:OB_ANY Csg_Prio:USInt Width:USInt
G7_MOPPlus_V6 AUTO:Bool MAN:Bool TAP:Bool TOP:Bool ACK_S:Bool REG_S:Bool T_PREV:Bool T_NEXT:Bool LOCK:Bool SUP:Bool ACKREQ:Bool SSKIP:Bool OFF:Bool INIT:Bool HALT:Bool TMS_HALT:Bool OPS_ZERO:Bool SACT_DISP:Bool SEF_DISP:Bool SALL_DISP:Bool S_PREV:Bool S_NEXT:Bool S_SELOK:Bool S_ON:Bool S_OFF:Bool T_PUSH:Bool REG:Bool ACK:Bool IL_PERM:Bool T_PERM:Bool ILP_MAN:Bool LMODE:Bool RESET_CRIT:Bool h.PREVIOUS:DWord
G7_SQFlagsPlus_V6 ERR_FLT:Bool ERROR:Bool FAULT:Bool RT_FAIL:Bool NO_SNO:Bool NF_OFL:Bool SA_OFL:Bool TV_OFL:Bool NO_SWI:Bool CYC_OP:Bool AS_MSG:Bool SQ_BUSY:Bool SA_BUSY:Bool
G7_GCFlagsPlus_V6 COND_ED:USInt SSKIP_ON:Bool ACK_REQ:Bool ILP_MAN:Bool SWM_LOCKED:Bool SET_ENO:Bool IL_CAT:USInt IL_SUBCAT_1:USInt IL_SUBCAT_2:USInt REACT_CAT:USInt REACT_SUBCAT_1:USInt REACT_SUBCAT_2:USInt WARN_CAT:USInt WARN_SUBCAT_1:USInt WARN_SUBCAT_2:USInt CRIT_ON:Bool
G7_OffsetsPlus_V6 SINI_OFFSET:UInt LSTT_OFFSET:UInt ATAJ_OFFSET:UInt ATAB_OFFSET:UInt PSTT_OFFSET:UInt NSTT_OFFSET:UInt ASSJ_OFFSET:UInt ASSB_OFFSET:UInt PTTS_OFFSET:UInt NTTS_OFFSET:UInt SW_SQTS_OFFSET:UInt SWITCH_OFFSET:UInt TVX_OFFSET:UInt TTX_OFFSET:UInt TSX_OFFSET:UInt S00X_OFFSET:UInt SOFFX_OFFSET:UInt SONX_OFFSET:UInt SAX_OFFSET:UInt SERRX_OFFSET:UInt SMX_OFFSET:UInt S0X_OFFSET:UInt S1X_OFFSET:UInt
G7_RTDataPlus_V6 VERSION:String[10] S_DISPLAY:Int S_SEL_OLD:Int S_DISPIDX:USInt T_DISPIDX:USInt MOP_EDGE:G7_MOPPlus_V6 MOP:G7_MOPPlus_V6 TIME_DELTA:Time SQ_FLAGS:G7_SQFlagsPlus_V6 PRE_CNT:USInt POST_CNT:USInt SQ_CNT:USInt S_CNT:USInt LOCK_CNT:USInt SUP_CNT:USInt T_CNT:USInt SQ_PART_CNT:USInt MAX_TVAL:USInt MAX_SACT:USInt AS_MSG:Byte EXEC_BITS:Array[0..249]_of_Bool OFFSETS:G7_OffsetsPlus_V6 THRESHOLD_SUP:USInt THRESHOLD_WARN:USInt GC_FLAGS:G7_GCFlagsPlus_V6
G7_TransitionPlus_V6 TV:Bool TT:Bool TS:Bool CF_IV:Bool TNO:Int CRIT:DWord CRIT_OLD:DWord CRIT_FLT:DWord
G7_StepPlus_V6 S1:Bool L1:Bool V1:Bool R1:Bool A1:Bool S0:Bool L0:Bool V0:Bool X:Bool LA:Bool VA:Bool RA:Bool AA:Bool SS:Bool LS:Bool VS:Bool SNO:Int T:Time U:Time T_MAX:Time T_WARN:Time H_IL_ERR:Byte H_SV_FLT:Byte RESERVED:Word CRIT_LOC:DWord CRIT_LOC_ERR:DWord CRIT_SUP:DWord SM:Bool
`)
// Other versions of the GRAPH types differ only in what programs do not see.
for (const name of [
  'MOPPlus',
  'SQFlagsPlus',
  'GCFlagsPlus',
  'OffsetsPlus',
  'RTDataPlus',
  'TransitionPlus',
  'StepPlus',
] as const) {
  const known = table.get(`G7_${name.toUpperCase()}_V6`)
  if (known)
    for (const version of ['', '_V2', '_V3', '_V4', '_V5']) add('struct', `G7_${name}${version}`, known.members)
  // Blocks of version 1.0 use these names for the types of steps and transitions.
  if (known && /^(Step|Transition)Plus$/.test(name)) add('struct', `Graph${name.replace('Plus', '')}`, known.members)
}

// ── Function blocks ─────────────────────────────────────────────────────────────────────────────────────────────────

addBlocks(functionBlocks)
addStructs(functionBlockStructures)
addStructs(technologyObjectStructures)
addStructs(structuresOf1200, tableOf1200)
add('struct', 'TO_PositioningAxis TO_SpeedAxis TO_Axis', members(axisOf1200), tableOf1200)

/**
 * Returns the system type of this name, case ignored. Versions differ only in hidden members, so the version is
 * ignored. Exports of CPUs where an instruction is a system function block add `_SFB` to its name: `TON_SFB`,
 * `CTRL_PWM_SFB`. Sources of STEP 7 classic have its number: `SFB 4`.
 * @param hasAxisOf1200 the program has an axis of S7-1200
 */
export function systemTypeNamed(name: string, hasAxisOf1200 = false): SystemType | undefined {
  const upper = systemBlockName(name) ?? name.toUpperCase()
  const other = hasAxisOf1200 ? tableOf1200.get(upper) : undefined
  if (other) return other
  return table.get(upper) ?? table.get(upper.replace(/_SFB$/, ''))
}

/** Whether a type of this name, case ignored, is one of the system: elementary, structured or a function block. */
export function isSystemTypeName(name: string): boolean {
  return scalarNamed(name) !== undefined || systemTypeNamed(name) !== undefined
}

/** Returns all system types; for documentation and tests. */
export function systemTypes(): SystemType[] {
  return [...table.values()]
}

// ── Organization blocks ─────────────────────────────────────────────────────────────────────────────────────────────

/**
 * Start information of OBs with optimized access, by event class (TIA Portal help, "Start information of organization
 * blocks").
 */
const startInformation: Readonly<Record<string, string>> = {
  ProgramCycle: 'i.Initial_Call:Bool i.Remanence:Bool',
  Startup: 'i.LostRetentive:Bool i.LostRTC:Bool',
  CyclicInterrupt: 'i.Initial_Call:Bool i.Event_Count:Int',
  TimeDelayInterrupt: 'i.Sign:Word',
  TimeOfDay: 'i.CaughtUp:Bool i.SecondTime:Bool',
  HardwareInterrupt: 'i.LADDR:HW_IO i.USI:Word i.IChannel:USInt i.EventType:Byte',
  DiagnosticErrorInterrupt: 'i.IO_State:Word i.LADDR:HW_ANY i.Channel:UInt i.MultiError:Bool',
  PullOrPlugOfModules: 'i.LADDR:HW_IO i.Event_Class:Byte i.Fault_ID:Byte',
  RackOrStationFailure: 'i.LADDR:HW_DEVICE i.Event_Class:Byte i.Fault_ID:Byte',
  TimeErrorInterrupt: 'i.Fault_ID:Byte i.Csg_OBnr:OB_ANY i.Csg_Prio:UInt',
  ProgrammingError:
    'i.BlockNr:UInt i.Reaction:USInt i.Fault_ID:Byte i.BlockType:USInt i.Area:USInt i.DBNr:DB_ANY i.Csg_OBNr:OB_ANY i.Csg_Prio:USInt i.Width:USInt',
  IOAccessError:
    'i.BlockNr:UInt i.Reaction:USInt i.Fault_ID:Byte i.BlockType:USInt i.Area:USInt i.DBNr:DB_ANY i.Csg_OBNr:OB_ANY i.Csg_Prio:USInt i.Width:USInt',
  SynchronousCycle:
    'i.Initial_Call:Bool i.PIP_Input:Bool i.PIP_Output:Bool i.IO_System:USInt i.Event_Count:Int i.SyncCycleTime:LTime',
}

/** Returns the start information of OBs of this event class; empty for classes without any. */
export function startInformationOf(eventClass: string): SystemMember[] {
  const text = startInformation[eventClass]
  return text === undefined ? [] : members(text)
}

/** Returns the types in the table that cannot be read; for tests. */
export function unreadableSystemTypes(): string[] {
  return systemTypes().flatMap(({ name, members: list }) =>
    list
      .filter((member) => member.name === '' || 'column' in parseTypeText(member.dataType))
      .map((member) => `${name}.${member.name}`),
  )
}
