/** The function blocks of analog values, controllers, modes and groups of alarms. */

import { block } from './library-blocks.ts'
import { declared, region, systemInstance } from './sources.ts'

/** A limit is passed until the value is back by the hysteresis. */
const above = (flag: string, limit: string, use: string): string[] => [
  `#${flag} := #limits.${use} AND NOT #fault`,
  `   AND (#value > #limits.${limit} OR (#${flag} AND #value > #limits.${limit} - #limits.hysteresis));`,
]
const below = (flag: string, limit: string, use: string): string[] => [
  `#${flag} := #limits.${use} AND NOT #fault`,
  `   AND (#value < #limits.${limit} OR (#${flag} AND #value < #limits.${limit} + #limits.hysteresis));`,
]

const analogInput = block(
  'EM_AnalogInput',
  'Analog input with limits',
  ['Scales 0 to 27648 to the range. Outside of what a module measures (wire break, overflow) the last value stays.'],
  [
    [
      'VAR_INPUT',
      [
        declared('raw', 'Int', 'From the module'),
        declared('low', 'Real', 'Value at 0 %', '0.0'),
        declared('high', 'Real', 'Value at 100 %', '100.0'),
      ],
    ],
    [
      'VAR_OUTPUT',
      [
        declared('value', 'Real', 'Scaled value'),
        declared('fault', 'Bool', 'The signal is disturbed'),
        declared('belowLowLow', 'Bool', 'Alarm'),
        declared('belowLow', 'Bool', 'Warning'),
        declared('aboveHigh', 'Bool', 'Warning'),
        declared('aboveHighHigh', 'Bool', 'Alarm'),
      ],
    ],
    [
      'VAR',
      [
        declared('limits', '"UDT_EM_Limits"', 'Limits, which an operator may change'),
        systemInstance('alarmSignal', 'Program_Alarm', 'Signal is disturbed'),
        systemInstance('alarmLowLow', 'Program_Alarm', 'Below the lower alarm limit'),
        systemInstance('alarmLow', 'Program_Alarm', 'Below the lower warning limit'),
        systemInstance('alarmHigh', 'Program_Alarm', 'Above the upper warning limit'),
        systemInstance('alarmHighHigh', 'Program_Alarm', 'Above the upper alarm limit'),
      ],
    ],
  ],
  [
    ...region('Value', [
      '// 32511 and -4864 are the ends of the range that modules measure.',
      '#fault := #raw > 32511 OR #raw < -4864;',
      'IF NOT #fault THEN',
      '   #value := #low + INT_TO_REAL(#raw) / 27648.0 * (#high - #low);',
      'END_IF;',
    ]),
    ...region('Limits', [
      ...below('belowLowLow', 'lowLow', 'useLowLow'),
      ...below('belowLow', 'low', 'useLow'),
      ...above('aboveHigh', 'high', 'useHigh'),
      ...above('aboveHighHigh', 'highHigh', 'useHighHigh'),
    ]),
    ...region('Alarms', [
      '#alarmSignal(SIG := #fault);',
      '#alarmLowLow(SIG := #belowLowLow,',
      '             SD_1 := #value);',
      '#alarmLow(SIG := #belowLow,',
      '          SD_1 := #value);',
      '#alarmHigh(SIG := #aboveHigh,',
      '           SD_1 := #value);',
      '#alarmHighHigh(SIG := #aboveHighHigh,',
      '               SD_1 := #value);',
    ]),
  ],
)

const analogOutput = block(
  'EM_AnalogOutput',
  'Analog output',
  ['In automatic mode it gives out value, by hand manualValue; both within the range.'],
  [
    [
      'VAR_INPUT',
      [
        declared('automatic', 'Bool', 'The unit is in automatic mode', 'TRUE'),
        declared('value', 'Real', 'Value in automatic mode'),
        declared('low', 'Real', 'Value at 0 %', '0.0'),
        declared('high', 'Real', 'Value at 100 %', '100.0'),
      ],
    ],
    ['VAR_OUTPUT', [declared('actual', 'Real', 'What is given out'), declared('raw', 'Int', 'To the module')]],
    ['VAR', [declared('manualValue', 'Real', 'Value by hand, set by an operator')]],
  ],
  [
    ...region('Value', [
      'IF #automatic THEN',
      '   #actual := LIMIT(MN := #low, IN := #value, MX := #high);',
      '   // By hand it begins with the last value.',
      '   #manualValue := #actual;',
      'ELSE',
      '   #actual := LIMIT(MN := #low, IN := #manualValue, MX := #high);',
      'END_IF;',
      'IF #high > #low THEN',
      '   #raw := REAL_TO_INT((#actual - #low) / (#high - #low) * 27648.0);',
      'ELSE',
      '   #raw := 0;',
      'END_IF;',
    ]),
  ],
)

const pidLoop = block(
  'EM_PidLoop',
  'PID controller',
  [
    'Proportional and integral part of the error, derivative part of the process value. The integral part stops at',
    'the limits of the output. While enable is FALSE the output is manualValue, and control begins from there.',
  ],
  [
    [
      'VAR_INPUT',
      [
        declared('enable', 'Bool', 'Controls', 'TRUE'),
        declared('processValue', 'Real', 'Measured value'),
        declared('gain', 'Real', 'Negative: the output falls when the error rises', '1.0'),
        declared('integralTime', 'Time', 'T#0s: no integral part', 'T#20s'),
        declared('derivativeTime', 'Time', 'T#0s: no derivative part', 'T#0s'),
        declared('outputLow', 'Real', 'Lower limit', '0.0'),
        declared('outputHigh', 'Real', 'Upper limit', '100.0'),
      ],
    ],
    [
      'VAR_OUTPUT',
      [declared('output', 'Real', 'Manipulated value'), declared('error', 'Real', 'Setpoint - process value')],
    ],
    [
      'VAR',
      [
        declared('setpoint', 'Real', 'Wanted value'),
        declared('manualValue', 'Real', 'Output while it does not control, set by an operator'),
        declared('integral', 'Real', 'Integral part'),
        declared('lastValue', 'Real', 'Process value of the call before'),
        declared('lastTime', 'Time', 'System time of the call before'),
        declared('called', 'Bool', 'There was a call before'),
      ],
    ],
    [
      'VAR_TEMP',
      [
        declared('now', 'Time', 'System time'),
        declared('cycle', 'Real', 'Seconds since the call before'),
        declared('proportional', 'Real', ''),
        declared('derivative', 'Real', ''),
        declared('sum', 'Real', ''),
      ],
    ],
  ],
  [
    ...region('Time since the call before', [
      '#now := TIME_TCK();',
      '#cycle := DINT_TO_REAL(TIME_TO_DINT(#now - #lastTime)) / 1000.0;',
      '// The first call has none; the system time begins again after 24 days.',
      'IF NOT #called OR #cycle < 0.0 THEN',
      '   #cycle := 0.0;',
      '   #lastValue := #processValue;',
      'END_IF;',
      '#lastTime := #now;',
      '#called := TRUE;',
    ]),
    ...region('Control', [
      '#error := #setpoint - #processValue;',
      '#proportional := #gain * #error;',
      'IF #enable THEN',
      '   IF #integralTime > T#0ms THEN',
      '      #integral := #integral + #proportional * #cycle * 1000.0 / DINT_TO_REAL(TIME_TO_DINT(#integralTime));',
      '   ELSE',
      '      #integral := 0.0;',
      '   END_IF;',
      '   #derivative := 0.0;',
      '   IF #derivativeTime > T#0ms AND #cycle > 0.0 THEN',
      '      #derivative := #gain * DINT_TO_REAL(TIME_TO_DINT(#derivativeTime)) / 1000.0 * (#lastValue - #processValue) / #cycle;',
      '   END_IF;',
      '   #sum := #proportional + #integral + #derivative;',
      '   #output := LIMIT(MN := #outputLow, IN := #sum, MX := #outputHigh);',
      '   // At a limit the integral part goes no further.',
      '   IF #integralTime > T#0ms THEN',
      '      #integral := LIMIT(MN := #outputLow, IN := #integral, MX := #outputHigh);',
      '   END_IF;',
      '   #manualValue := #output;',
      'ELSE',
      '   #output := LIMIT(MN := #outputLow, IN := #manualValue, MX := #outputHigh);',
      '   #integral := LIMIT(MN := #outputLow, IN := #output - #proportional, MX := #outputHigh);',
      'END_IF;',
      '#lastValue := #processValue;',
    ]),
  ],
)

const mode = block(
  'EM_Mode',
  'Mode of a unit',
  ['Changes with an edge of a request or a command of the operator. Without permit it goes to manual.'],
  [
    [
      'VAR_INPUT',
      [
        declared('automaticRequest', 'Bool', 'Automatic mode is asked for'),
        declared('manualRequest', 'Bool', 'Manual mode is asked for'),
        declared('permit', 'Bool', 'Automatic mode is permitted', 'TRUE'),
      ],
    ],
    ['VAR_OUTPUT', [declared('automatic', 'Bool', 'Automatic mode'), declared('manual', 'Bool', 'Manual mode')]],
    [
      'VAR',
      [
        declared('setAutomatic', 'Bool', 'Command of an operator'),
        declared('setManual', 'Bool', 'Command of an operator'),
        declared('lastAutomatic', 'Bool', 'automaticRequest of the call before'),
        declared('lastManual', 'Bool', 'manualRequest of the call before'),
      ],
    ],
  ],
  [
    ...region('Mode', [
      'IF #setManual OR (#manualRequest AND NOT #lastManual) OR NOT #permit THEN',
      '   #automatic := FALSE;',
      'ELSIF #setAutomatic OR (#automaticRequest AND NOT #lastAutomatic) THEN',
      '   #automatic := TRUE;',
      'END_IF;',
      '#manual := NOT #automatic;',
      '#lastAutomatic := #automaticRequest;',
      '#lastManual := #manualRequest;',
      '#setAutomatic := FALSE;',
      '#setManual := FALSE;',
    ]),
  ],
)

const alarmGroup = block(
  'EM_AlarmGroup',
  'Group of alarms with acknowledgement',
  [
    'A new alarm sounds the horn and lets the lamp flash until it is acknowledged; then the lamp is lit while one is active.',
  ],
  [
    [
      'VAR_INPUT',
      [
        declared('alarms', 'Array[1..64] of Bool', 'The alarms of the group'),
        declared('acknowledge', 'Bool', 'Push button'),
      ],
    ],
    [
      'VAR_OUTPUT',
      [
        declared('active', 'Bool', 'There is an alarm'),
        declared('unacknowledged', 'Bool', 'There is one that is not acknowledged'),
        declared('horn', 'Bool', 'To the horn'),
        declared('lamp', 'Bool', 'To the lamp'),
        declared('count', 'Int', 'How many are active'),
      ],
    ],
    [
      'VAR',
      [
        declared('operator', '"UDT_EM_Operator"', 'acknowledge is used'),
        declared('last', 'Array[1..64] of Bool', 'Alarms of the call before'),
        declared('flash', 'Bool', 'Changes twice a second'),
        declared('flashEnd', 'Bool', 'Half of a flash has passed'),
        systemInstance('flashTime', 'TON_TIME', 'Half of a flash'),
      ],
    ],
    ['VAR_TEMP', [declared('i', 'Int', '')]],
  ],
  [
    ...region('Alarms', [
      '#count := 0;',
      'FOR #i := 1 TO 64 DO',
      '   IF #alarms[#i] THEN',
      '      #count := #count + 1;',
      '      IF NOT #last[#i] THEN',
      '         #unacknowledged := TRUE;',
      '         #horn := TRUE;',
      '      END_IF;',
      '   END_IF;',
      '   #last[#i] := #alarms[#i];',
      'END_FOR;',
      '#active := #count > 0;',
    ]),
    ...region('Acknowledgement', [
      'IF #acknowledge OR #operator.acknowledge THEN',
      '   #unacknowledged := FALSE;',
      '   #horn := FALSE;',
      'END_IF;',
      '#operator.acknowledge := FALSE;',
    ]),
    ...region('Lamp', [
      '// The end is kept: a timer goes on with each access to it.',
      '#flashTime(IN := #unacknowledged AND NOT #flashEnd,',
      '           PT := T#500ms);',
      '#flashEnd := #flashTime.Q;',
      'IF #flashEnd THEN',
      '   #flash := NOT #flash;',
      'END_IF;',
      'IF #unacknowledged THEN',
      '   #lamp := #flash;',
      'ELSE',
      '   #lamp := #active;',
      '   #flash := TRUE;',
      'END_IF;',
    ]),
  ],
)

export const valueBlocks = [analogInput, analogOutput, pidLoop, mode, alarmGroup]
