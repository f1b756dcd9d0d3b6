/**
 * Instructions of S7-1200 and S7-1500 by the groups of the task card: the contents of the TIA Portal help (V19,
 * chapters "LAD", "SCL", "Extended instructions", "Technology", "Communication", "SINAMICS Instructions", "STEP 7
 * Safety"). Names are those of SCL; an instruction that exists only in LAD and FBD has the name of its element in
 * exports. Conversions by name (`INT_TO_REAL`) and operators are no entries. The compiler recognises a name of this
 * list that it does not compile, and docs/instructions.md shows which ones these are.
 */

/** A group: its names, and names that only older versions or S7-300 and S7-400 have. */
export interface InstructionGroup {
  readonly title: string
  readonly names: readonly string[]
}

const text = `
Bit logic: Contact Coil SCoil RCoil Not SET_BF RESET_BF Sr Rs PContact NContact PCoil NCoil P_TRIG N_TRIG R_TRIG F_TRIG O A X
Timers: TP TON TOF TONR CoilTP CoilTON CoilTOF CoilTONR RESET_TIMER PRESET_TIMER S_PULSE S_PEXT S_ODT S_ODTS S_OFFDT SP SE SD SS SF
Counters: CTU CTD CTUD S_CU S_CD S_CUD SC CU CD
Comparison: Eq Ne Ge Le Gt Lt InRange OutRange OK NOT_OK EQ_Type NE_Type EQ_ElemType NE_ElemType EQ_TypeOfDB NE_TypeOfDB IS_NULL NOT_NULL IS_ARRAY TypeOf TypeOfElements TypeOfDB
Mathematics: Calc Add Sub Mul Div Mod Neg INC DEC ABS MIN MAX LIMIT SQR SQRT LN EXP SIN COS TAN ASIN ACOS ATAN FRAC EXPT
Moving: MOVE Deserialize Serialize MOVE_BLK MOVE_BLK_VARIANT UMOVE_BLK FILL_BLK UFILL_BLK SCATTER SCATTER_BLK GATHER GATHER_BLK SWAP FieldRead FieldWrite BLKMOV UBLKMOV FILL
Array data blocks: ReadFromArrayDB WriteToArrayDB ReadFromArrayDBL WriteToArrayDBL
Reading and writing memory: PEEK PEEK_BOOL POKE POKE_BOOL POKE_BLK READ_LITTLE WRITE_LITTLE READ_BIG WRITE_BIG
Variant, references, Array[*]: VariantGet VariantPut CountOfElements VARIANT_TO_DB_ANY DB_ANY_TO_VARIANT REF LOWER_BOUND UPPER_BOUND
Symbols at run time: ResolveSymbols MoveToResolvedSymbol MoveFromResolvedSymbol MoveResolvedSymbolsToBuffer MoveResolvedSymbolsFromBuffer
Conversion: CONVERT ROUND CEIL FLOOR TRUNC SCALE_X NORM_X SCALE UNSCALE
Program control: Jump JumpNot JMP_LIST SWITCH Return RE_TRIGR STP GET_ERROR GET_ERR_ID INIT_RD WAIT RUNTIME ENDIS_PW SHUT_DOWN
Word logic: And Or Xor Inv DECO ENCO SEL MUX DEMUX
Shift and rotate: SHR SHL ROR ROL
Further basic instructions: DRUM DRUM_X DCAT MCAT IMC SMC LEAD_LAG SEG BCDCPL BITSUM BITCMP Random
Date and time: T_COMP T_CONV T_ADD T_SUB T_DIFF T_COMBINE WR_SYS_T RD_SYS_T RD_LOC_T WR_LOC_T SET_TIMEZONE SNC_RTCB TIME_TCK RTM
String and character: S_MOVE S_COMP S_CONV STRG_VAL VAL_STRG Strg_TO_Chars Chars_TO_Strg MAX_LEN JOIN SPLIT ATH HTA LEN CONCAT LEFT RIGHT MID DELETE INSERT REPLACE FIND
Names at run time: GetSymbolName GetSymbolPath GetInstanceName GetInstancePath GetBlockName GetSymbolForReference
Process image: UPDAT_PI UPDAT_PO SYNC_PI SYNC_PO
Distributed I/O: RDREC WRREC GETIO SETIO GETIO_PART SETIO_PART RALRM D_ACT_DP ReconfigIOSystem RD_REC WR_REC DPRD_DAT DPWR_DAT RCVREC PRVREC DPSYC_FR DPNRM_DG DP_TOPOL ASI_CTRL
PROFIenergy: PE_START_END PE_CMD PE_DS3_Write_ET200S PE_WOL PE_I_DEV PE_Error_RSP PE_Start_RSP PE_End_RSP PE_List_Modes_RSP PE_Get_Mode_RSP PE_PEM_Status_RSP PE_Identify_RSP PE_Measurement_List_RSP PE_Measurement_Value_RSP
Parameters of modules: RD_DPAR RD_DPARA RD_DPARM WR_PARM WR_DPARM PARM_MOD
Interrupts: ATTACH DETACH SET_CINT QRY_CINT SET_TINT SET_TINTL CAN_TINT ACT_TINT QRY_TINT SRT_DINT CAN_DINT QRY_DINT DIS_IRT EN_IRT DIS_AIRT EN_AIRT MSK_FLT DMSK_FLT READ_ERR
Alarms: Program_Alarm Get_AlarmState Get_Alarm Ack_Alarms Get_AlarmResources Gen_UsrMsg ACK_FCT_WARN
Diagnostics: RD_SINFO RT_INFO LED Get_IM_Data GET_NAME GetStationInfo DeviceInfo GetChecksum GetSMCinfo GetClockStatus DeviceStates ModuleStates GEN_DIAG GET_DIAG
Pulses: CTRL_PWM CTRL_PTO
Recipes and data logs: RecipeExport RecipeImport DataLogCreate DataLogTypedCreate DataLogOpen DataLogTypedOpen DataLogWrite DataLogClear DataLogClose DataLogDelete DataLogNewFile
Data blocks: CREATE_DB READ_DBL WRIT_DBL ATTR_DB DELETE_DB CREAT_DB DEL_DB TEST_DB
Addresses: RD_ADDR GEO2LOG LOG2GEO LOG2MOD IO2MOD GEO_LOG LOG_GEO RD_LGADR GADR_LGC LGC_GADR
Files: FileReadC FileWriteC FileDelete
Cryptography: SHA2
Redundant systems: RH_CTRL RH_GetPrimaryID
S7 communication: GET PUT USEND URCV BSEND BRCV
Open communication: TSEND_C TRCV_C TMAIL_C TCON TDISCON TSEND TRCV TUSEND TURCV T_RESET T_DIAG T_CONFIG CommConfig TCONSettings
OPC UA: OPC_UA_Connect OPC_UA_Disconnect OPC_UA_NamespaceGetIndexList OPC_UA_NodeGetHandleList OPC_UA_NodeReleaseHandleList OPC_UA_TranslatePathList OPC_UA_ReadList OPC_UA_WriteList OPC_UA_MethodGetHandleList OPC_UA_MethodReleaseHandleList OPC_UA_MethodCall OPC_UA_ConnectionGetStatus OPC_UA_ReadList_C OPC_UA_WriteList_C OPC_UA_MethodCall_C OPC_UA_ServerMethodPre OPC_UA_ServerMethodPost
Web server: WWW
Modbus TCP: MB_CLIENT MB_SERVER MB_RED_CLIENT MB_RED_SERVER
Point-to-point: Port_Config Send_Config Receive_Config P3964_Config Send_P2P Receive_P2P Receive_Reset Signal_Get Signal_Set Get_Features Set_Features
Modbus RTU: Modbus_Comm_Load Modbus_Master Modbus_Slave
USS: USS_Port_Scan USS_Drive_Control USS_Read_Param USS_Write_Param USS_PORT USS_DRV USS_RPM USS_WPM
Time-based IO: TIO_SYNC TIO_DI TIO_DI_ONCE TIO_DQ TIO_IOLink_IN TIO_IOLink_INOUT
Counting and measuring: High_Speed_Counter SSI_Absolute_Encoder CTRL_HSC CTRL_HSC_EXT
PID control: PID_Compact PID_3Step PID_Temp CONT_C CONT_S PULSEGEN TCONT_CP TCONT_S
Auxiliary functions of PID control: Polyline SplitRange RampFunction RampSoak Filter_PT1 Filter_PT2 Filter_DT1 Filter_Universal
Motion control: MC_Power MC_Reset MC_Home MC_Halt MC_HaltSuperimposed MC_Stop MC_MoveAbsolute MC_MoveRelative MC_MoveVelocity MC_MoveJog MC_MoveSuperimposed MC_ChangeDynamic MC_WriteParameter MC_ReadParameter MC_CommandTable MC_SetSensor MC_SetAxisSTW MC_SaveAbsoluteEncoderData MC_TorqueLimiting MC_TorqueRange MC_TorqueAdditive MC_MeasuringInput MC_MeasuringInputCyclic MC_AbortMeasuringInput MC_OutputCam MC_CamTrack MC_MotionInVelocity MC_MotionInPosition MC_MotionInSuperimposed
Synchronous motion: MC_GearIn MC_GearInVelocity MC_GearInPos MC_GearOut MC_CamIn MC_CamOut MC_PhasingRelative MC_PhasingAbsolute MC_OffsetRelative MC_OffsetAbsolute MC_SynchronizedMotionSimulation MC_LeadingValueAdditive MC_InterpolateCam MC_GetCamFollowingValue MC_GetCamFollowingValueCyclic MC_GetCamLeadingValue MC_CopyCamData
Kinematics: MC_GroupInterrupt MC_GroupContinue MC_GroupStop MC_MoveLinearAbsolute MC_MoveLinearRelative MC_MoveCircularAbsolute MC_MoveCircularRelative MC_MoveDirectAbsolute MC_MoveDirectRelative MC_TrackConveyorBelt MC_KinematicsMotionSimulation MC_DefineWorkspaceZone MC_DefineKinematicsZone MC_SetWorkspaceZoneActive MC_SetWorkspaceZoneInactive MC_SetKinematicsZoneActive MC_SetKinematicsZoneInactive MC_DefineTool MC_SetTool MC_SetOcsFrame MC_KinematicsTransformation MC_InverseKinematicsTransformation MC_LoadProgram MC_RunProgram MC_StopProgram
SINAMICS: SinaPos SinaSpeed SinaPara SinaParaS SinaInfeed
Safety: ESTOP1 TWO_HAND TWO_H_EN MUTING MUT_P EV1oo2DI FDBACK SFDOOR ACK_GL ACK_OP BO_W W_BO SCALE_D RD_ARRAY_I RD_ARRAY_DI SENDDP RCVDP SENDS7 RCVS7
Energy: EnS_EEm_Calc EnS_EEm_Report
`

export const instructionGroups: readonly InstructionGroup[] = text
  .trim()
  .split('\n')
  .map((line) => {
    const colon = line.indexOf(':')
    return {
      title: line.slice(0, colon),
      names: line
        .slice(colon + 1)
        .trim()
        .split(' '),
    }
  })

const titles = new Map(
  instructionGroups.flatMap(({ title, names }) => names.map((name) => [name.toUpperCase(), title])),
)

/** Returns the group of an instruction of S7-1200 or S7-1500, case ignored; `undefined`: there is none of this name. */
export function groupOfInstruction(name: string): string | undefined {
  return titles.get(name.toUpperCase())
}
