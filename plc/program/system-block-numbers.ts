/**
 * System blocks of S7-300 and S7-400 by number: sources of STEP 7 classic call `SFC 20` and declare `SFB 4`, where
 * later ones write the instruction's name. Numbers and names are those of the symbol table of STEP 7 (reference manual
 * "System Software for S7-300/400, System and Standard Functions"). The parameters are those of the instruction.
 */

const text = `
SFB: 0 CTU, 1 CTD, 2 CTUD, 3 TP, 4 TON, 5 TOF, 8 USEND, 9 URCV, 12 BSEND, 13 BRCV, 14 GET, 15 PUT, 16 PRINT, 19 START, 20 STOP
SFB: 21 RESUME, 22 STATUS, 23 USTATUS, 29 HS_COUNT, 30 FREQ_MES, 31 NOTIFY_8P, 32 DRUM_X, 33 ALARM, 34 ALARM_8, 35 ALARM_8P
SFB: 36 NOTIFY, 37 AR_SEND, 38 HSC_A_B, 39 POS, 41 CONT_C, 42 CONT_S, 43 PULSEGEN, 44 ANALOG, 46 DIGITAL, 47 COUNT, 48 FREQUENC
SFB: 49 PULSE, 52 RDREC, 53 WRREC, 54 RALRM
SFC: 0 SET_CLK, 1 READ_CLK, 2 SET_RTM, 3 CTRL_RTM, 4 READ_RTM, 5 GADR_LGC, 6 RD_SINFO, 7 DP_PRAL, 9 EN_MSG, 10 DIS_MSG
SFC: 11 DPSYC_FR, 12 D_ACT_DP, 13 DPNRM_DG, 14 DPRD_DAT, 15 DPWR_DAT, 17 ALARM_SQ, 18 ALARM_S, 19 ALARM_SC, 20 BLKMOV, 21 FILL
SFC: 22 CREAT_DB, 23 DEL_DB, 24 TEST_DB, 25 COMPRESS, 26 UPDAT_PI, 27 UPDAT_PO, 28 SET_TINT, 29 CAN_TINT, 30 ACT_TINT
SFC: 31 QRY_TINT, 32 SRT_DINT, 33 CAN_DINT, 34 QRY_DINT, 36 MSK_FLT, 37 DMSK_FLT, 38 READ_ERR, 39 DIS_IRT, 40 EN_IRT
SFC: 41 DIS_AIRT, 42 EN_AIRT, 43 RE_TRIGR, 44 REPL_VAL, 46 STP, 47 WAIT, 48 SNC_RTCB, 49 LGC_GADR, 50 RD_LGADR, 51 RDSYSST
SFC: 52 WR_USMSG, 54 RD_DPARM, 55 WR_PARM, 56 WR_DPARM, 57 PARM_MOD, 58 WR_REC, 59 RD_REC, 60 GD_SND, 61 GD_RCV, 64 TIME_TCK
SFC: 65 X_SEND, 66 X_RCV, 67 X_GET, 68 X_PUT, 69 X_ABORT, 70 GEO_LOG, 71 LOG_GEO, 78 OB_RT, 79 SET, 80 RSET, 81 UBLKMOV
SFC: 82 CREA_DBL, 83 READ_DBL, 84 WRIT_DBL, 87 C_DIAG, 99 WWW, 100 SET_CLKS, 101 RTM, 105 READ_SI, 106 DEL_SI, 107 ALARM_DQ
SFC: 108 ALARM_D`

const names: ReadonlyMap<string, string> = new Map(
  text
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [kind = '', blocks = ''] = line.split(': ')
      return blocks.split(', ').map((one): [string, string] => {
        const [number = '', name = ''] = one.split(' ')
        return [`${kind}${number}`, name]
      })
    }),
)

/** Returns the name of the instruction that `SFB4`, `SFC 20` is; undefined for any other text. */
export function systemBlockName(written: string): string | undefined {
  const found = /^(SF[BC])\s*0*(\d+)$/i.exec(written)
  return found ? names.get(`${found[1]?.toUpperCase()}${found[2]}`) : undefined
}
