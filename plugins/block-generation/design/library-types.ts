/** PLC data types that the blocks of modules use. */

import type { GeneratedSource } from './sources.ts'

const type = (name: string, comment: string, members: readonly string[]): GeneratedSource => ({
  name,
  kind: 'UDT',
  text: `TYPE "${name}"
TITLE = ${comment}
VERSION : 1.0
   STRUCT
${members.map((line) => `      ${line}`).join('\n')}
   END_STRUCT;

END_TYPE

`,
})

export const libraryTypes: Readonly<Record<string, GeneratedSource>> = {
  UDT_EM_Operator: type('UDT_EM_Operator', 'Commands of an operator, reset by the block that takes them', [
    'start : Bool;   // Starts or opens by hand',
    'reverse : Bool;   // Starts in reverse by hand',
    'stop : Bool;   // Stops or closes by hand',
    'acknowledge : Bool;   // Acknowledges faults',
  ]),
  UDT_EM_Limits: type('UDT_EM_Limits', 'Limits of an analog value', [
    'lowLow : Real;   // Alarm below',
    'low : Real;   // Warning below',
    'high : Real;   // Warning above',
    'highHigh : Real;   // Alarm above',
    'hysteresis : Real;   // A limit is left only so much inside of it',
    'useLowLow : Bool;',
    'useLow : Bool;',
    'useHigh : Bool;',
    'useHighHigh : Bool;',
  ]),
  UDT_EM_Sequence: type('UDT_EM_Sequence', 'State of a sequence', [
    'step : Int;   // Active step, 0 is idle',
    'lastStep : Int;   // Step of the call before',
    'lastStart : Bool;   // Start condition of the call before',
    'running : Bool;',
    'held : Bool;',
    'done : Bool;   // Ended by itself',
    'timeout : Bool;   // A step lasts longer than it may',
    'start : Bool;   // Command of an operator',
    'abort : Bool;   // Command of an operator',
  ]),
  UDT_EM_Interlock: type('UDT_EM_Interlock', 'State of an interlock', [
    'ok : Bool;   // Released',
    'bypass : Bool;   // Released in any case, set by an operator',
    'first : Int;   // Number of the condition that failed first, 0 is none',
  ]),
}
