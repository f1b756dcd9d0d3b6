/** Versions of system types (timers, counters, edges, DTL), which sources and SIMATIC SD need not name. */

import { plainType } from './names.ts'

/** The system types whose version has never changed in TIA Portal. */
const systemTypes: ReadonlySet<string> = new Set([
  ...'DTL IEC_TIMER IEC_LTIMER IEC_COUNTER IEC_UCOUNTER IEC_SCOUNTER IEC_USCOUNTER IEC_DCOUNTER IEC_UDCOUNTER'.split(
    ' ',
  ),
  ...'R_TRIG F_TRIG'.split(' '),
  ...'TP TON TOF TONR'.split(' ').flatMap((name) => [name, `${name}_TIME`, `${name}_LTIME`]),
  ...'CTU CTD CTUD'
    .split(' ')
    .flatMap((name) => 'SINT INT DINT LINT USINT UINT UDINT ULINT'.split(' ').map((type) => `${name}_${type}`)),
])

/** Version of a member's type, for members of formats that do not name it: `1.0`, or `undefined`. */
export function systemTypeVersion(dataType: string): string | undefined {
  return systemTypes.has(plainType(dataType)?.toUpperCase() ?? '') ? '1.0' : undefined
}
