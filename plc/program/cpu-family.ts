/**
 * Families of CPUs: what depends on the family, and the family that a program is for
 * (docs/plc-semantics.md#families-of-cpus).
 */
import type { ImportedObject, InterfaceMember } from '../model/object.ts'

/** Families whose types and instructions differ; software controllers and ET 200 CPUs are as S7-1500. */
export type CpuFamily = 'S7-300/400' | 'S7-1200' | 'S7-1200 G2' | 'S7-1500'

export type Moment = 'DTL' | 'Date_And_Time'

/**
 * What depends on the family. Each row names its page of the TIA help (V19); of S7-1200 G2 the page titles of V20 say
 * which types it has.
 */
export interface FamilyRules {
  /**
   * Data types that the CPU has not, in upper case ("Overview of the valid data types"; "Implicit conversions
   * (S7-1500, S7-1200 G2)"). Their timers and counters: "TON: Generate on-delay", "System data types".
   */
  readonly lacksTypes: ReadonlySet<string>
  /**
   * Instructions that it has not, in upper case: no page of the chapters "LAD", "SCL", "Extended instructions",
   * "Communication" and "Technology" that is about them has the family in its title. Of S7-300/400 only those of "LAD",
   * "SCL" and "Extended instructions", since other libraries of theirs have pages without a family.
   */
  readonly lacksInstructions: ReadonlySet<string>
  /** Date + Time_Of_Day ("Arithmetic expressions"), and T_COMBINE ("T_COMBINE: Combine times"). */
  readonly dateWithTime: Moment
  /** CONCAT_DATE_TOD, which is T_COMBINE in SCL of S7-1200 (S7-1200 manual V4.2, tables 9-7 and 9-8). */
  readonly concatDateTod: Moment
  /** Date - Date and DTL - DTL ("Arithmetic expressions"). */
  readonly betweenDates: 'Time' | 'LTime'
  /** Whether `<`, `<=`, `>` and `>=` of SCL compare bit strings ("Relational expressions"). */
  readonly ordersBitStrings: boolean
  /**
   * Implicit conversions without the IEC check that it has not while S7-1500 has them: targets by source ("Implicit
   * conversion of LREAL (S7-1200)"; "Overview of data type conversions (S7-300, S7-400)" and its tables).
   */
  readonly lacksConversions: Readonly<Record<string, readonly string[]>>
}

const words = (text: string): readonly string[] => text.trim().split(/\s+/)
const names = (text: string): ReadonlySet<string> => new Set(words(text).map((name) => name.toUpperCase()))

const longTypes = `LWORD LINT ULINT LTIME LTOD LTIME_OF_DAY LDT DATE_AND_LTIME IEC_LTIMER TP_LTIME TON_LTIME TOF_LTIME
  TONR_LTIME IEC_LCOUNTER IEC_ULCOUNTER CTU_LINT CTU_ULINT CTD_LINT CTD_ULINT CTUD_LINT CTUD_ULINT`

/** The table by family. */
export const familyRules: Readonly<Record<CpuFamily, FamilyRules>> = {
  'S7-300/400': {
    lacksTypes: names(`${longTypes} SINT USINT UINT UDINT LREAL DTL WCHAR WSTRING VARIANT DB_ANY REF_TO`),
    lacksInstructions: names(`
      SET_BF RESET_BF R_TRIG F_TRIG RESET_TIMER PRESET_TIMER TONR INC DEC FRAC NORM_X SCALE_X DEMUX Random SHA2
      ReadFromArrayDB WriteToArrayDB ReadFromArrayDBL WriteToArrayDBL IS_ARRAY IS_NULL NOT_NULL
      TypeOf TypeOfDB TypeOfElements Deserialize Serialize FieldRead FieldWrite MOVE_BLK MOVE_BLK_VARIANT
      UMOVE_BLK FILL_BLK UFILL_BLK SCATTER SCATTER_BLK GATHER GATHER_BLK PEEK PEEK_BOOL POKE POKE_BOOL POKE_BLK
      READ_LITTLE WRITE_LITTLE READ_BIG WRITE_BIG VariantGet VariantPut CountOfElements VARIANT_TO_DB_ANY
      DB_ANY_TO_VARIANT REF LOWER_BOUND UPPER_BOUND GET_ERROR GET_ERR_ID RUNTIME INIT_RD ENDIS_PW
      Program_Alarm Get_AlarmState Get_Alarm Ack_Alarms Get_AlarmResources Gen_UsrMsg
      CREATE_DB DELETE_DB ATTR_DB RD_LOC_T WR_LOC_T SET_TIMEZONE S_MOVE STRG_VAL VAL_STRG Strg_TO_Chars
      Chars_TO_Strg MAX_LEN JOIN SPLIT GetSymbolName GetSymbolForReference GetInstanceName GetInstancePath
      GetBlockName ATTACH DETACH SET_CINT QRY_CINT SET_TINTL DeviceStates ModuleStates GET_NAME GetStationInfo
      Get_IM_Data GEN_DIAG GET_DIAG LED RT_INFO GetChecksum GetSMCinfo GetClockStatus ReconfigIOSystem
      RecipeExport RecipeImport DataLogCreate DataLogOpen DataLogWrite DataLogClear DataLogClose DataLogDelete
      DataLogNewFile FileReadC FileWriteC FileDelete CTRL_PWM CTRL_PTO`),
    dateWithTime: 'Date_And_Time',
    concatDateTod: 'Date_And_Time',
    betweenDates: 'Time',
    ordersBitStrings: false,
    lacksConversions: {
      Char: words('Word DWord Int DInt'),
      Word: words('Char'),
      DWord: words('Int Char'),
      Int: words('Byte DWord Char Date'),
      DInt: words('Byte Word Int Char Time_Of_Day'),
      Real: words('Int DInt'),
      Time: words('Time_Of_Day'),
      Date: words('Int'),
      Time_Of_Day: words('DInt Time'),
    },
  },
  'S7-1200': {
    lacksTypes: names(`${longTypes} S5TIME DT DATE_AND_TIME POINTER ANY TIMER COUNTER BLOCK_FC BLOCK_FB BLOCK_DB
      REF_TO`),
    lacksInstructions: names(`
      S_PULSE S_PEXT S_ODT S_ODTS S_OFFDT S_CU S_CD S_CUD TypeOfDB REF
      ReadFromArrayDB WriteToArrayDB ReadFromArrayDBL WriteToArrayDBL
      ResolveSymbols MoveToResolvedSymbol MoveFromResolvedSymbol MoveResolvedSymbolsToBuffer
      MoveResolvedSymbolsFromBuffer BLKMOV UBLKMOV FILL SCALE UNSCALE INIT_RD WAIT
      DRUM DCAT MCAT IMC SMC LEAD_LAG SEG BCDCPL BITSUM
      T_COMP S_COMP SNC_RTCB TIME_TCK JOIN SPLIT GetSymbolForReference UPDAT_PI UPDAT_PO SYNC_PI SYNC_PO
      ReconfigIOSystem RD_REC WR_REC DPSYC_FR DP_TOPOL ASI_CTRL RD_DPAR RD_DPARA RD_DPARM WR_DPARM SET_TINT
      MSK_FLT DMSK_FLT READ_ERR DIS_IRT EN_IRT
      Program_Alarm Get_AlarmState Get_Alarm Ack_Alarms Get_AlarmResources RT_INFO GetClockStatus GEN_DIAG
      LOG2MOD GEO_LOG LOG_GEO GADR_LGC LGC_GADR FileDelete Random SHA2 RH_CTRL RH_GetPrimaryID
      USEND URCV BSEND BRCV CommConfig OPC_UA_ConnectionGetStatus OPC_UA_Disconnect OPC_UA_MethodCall
      OPC_UA_MethodCall_C OPC_UA_MethodGetHandleList OPC_UA_MethodReleaseHandleList
      OPC_UA_NamespaceGetIndexList OPC_UA_NodeGetHandleList OPC_UA_NodeReleaseHandleList OPC_UA_ReadList
      OPC_UA_ReadList_C OPC_UA_TranslatePathList OPC_UA_WriteList OPC_UA_WriteList_C
      MC_AbortMeasuringInput MC_CamTrack MC_GearIn MC_HaltSuperimposed MC_MeasuringInput
      MC_MeasuringInputCyclic MC_MoveSuperimposed MC_OutputCam MC_SaveAbsoluteEncoderData MC_SetAxisSTW MC_Stop
      MC_TorqueAdditive MC_TorqueLimiting MC_TorqueRange MC_WriteParameter`),
    dateWithTime: 'DTL',
    concatDateTod: 'DTL',
    betweenDates: 'Time',
    ordersBitStrings: true,
    lacksConversions: { LReal: words('Real') },
  },
  'S7-1200 G2': {
    lacksTypes: names('DT DATE_AND_TIME'),
    lacksInstructions: new Set(),
    dateWithTime: 'DTL',
    concatDateTod: 'DTL',
    betweenDates: 'LTime',
    ordersBitStrings: true,
    lacksConversions: {},
  },
  'S7-1500': {
    lacksTypes: new Set(),
    lacksInstructions: new Set(),
    dateWithTime: 'DTL',
    concatDateTod: 'Date_And_Time',
    betweenDates: 'LTime',
    ordersBitStrings: true,
    lacksConversions: {},
  },
}

/** The family that a device names: `SIPLUS S7-1200`, `S7-1200 G2`, `S7-300`, `ET 200SP CPU`. */
export function cpuFamily(family: string): CpuFamily {
  if (/S7-1200/.test(family)) return / G2$/.test(family) ? 'S7-1200 G2' : 'S7-1200'
  return /S7-[34]00/.test(family) ? 'S7-300/400' : 'S7-1500'
}

/**
 * The family that the declarations of a program speak for, where no device says it: of S7-1200 when there is a DTL and
 * nothing that S7-1200 lacks. @param types of tags
 */
export function familyOfTypes(objects: readonly ImportedObject[], types: readonly string[]): CpuFamily {
  let hasDtl = types.some((type) => type.toUpperCase() === 'DTL')
  if (types.some((type) => lacksType('S7-1200', type))) return 'S7-1500'
  const visit = (members: readonly InterfaceMember[]): boolean =>
    members.some(({ dataType, members: inner }) => {
      const type = elementType(dataType)
      if (type.toUpperCase() === 'DTL') hasDtl = true
      return lacksType('S7-1200', type) || visit(inner)
    })
  for (const object of objects) if (object.interface.some(({ members }) => visit(members))) return 'S7-1500'
  return hasDtl ? 'S7-1200' : 'S7-1500'
}

/** Returns `DTL` for `Array[0..3] of DTL`. */
export function elementType(dataType: string): string {
  return dataType.replace(/^.* of /i, '').trim()
}

/** Whether the CPUs of a family lack the type that a declaration names: `LInt`, `WString[20]`, `REF_TO Int`. */
export function lacksType(family: CpuFamily, type: string): boolean {
  return familyRules[family].lacksTypes.has(type.replace(/[ [].*$/s, '').toUpperCase())
}

/** Parts of names of instructions that are no type there: RESET_TIMER. */
const noTypes: ReadonlySet<string> = new Set(['TIMER', 'COUNTER', 'ANY', 'POINTER'])

/** Returns a type in the name of an instruction that the family lacks: LINT of INT_TO_LINT and ROUND_LINT. */
export function lackingInName(family: CpuFamily, instruction: string): string | undefined {
  const upper = instruction.toUpperCase()
  const conversion = /^(?:(\w+?)_)?TO_(\w+)$/.exec(upper)
  const types = conversion ? conversion.slice(1) : [/_([A-Z0-9]+)$/.exec(upper)?.[1]]
  return types.find((type) => type !== undefined && !noTypes.has(type) && familyRules[family].lacksTypes.has(type))
}
