/** The function blocks of equipment modules. A person may add to each between its marks. */

import { userRegion } from './regions.ts'
import { declared, type GeneratedSource, region, sclText, systemInstance } from './sources.ts'

const operator = declared('operator', '"UDT_EM_Operator"', 'Commands by hand')
const faultInputs = [
  declared('interlock', 'Bool', 'Released: it may work', 'TRUE'),
  declared('acknowledge', 'Bool', 'Acknowledges faults'),
]
const automatic = declared('automatic', 'Bool', 'The unit is in automatic mode', 'TRUE')

function block(
  name: string,
  title: string,
  notes: readonly string[],
  sections: readonly (readonly [string, readonly string[]])[],
  body: readonly string[],
): GeneratedSource {
  const withMarks = sections.map(
    ([keyword, lines]) => [keyword, keyword === 'VAR' ? [...lines, ...userRegion('declarations')] : lines] as const,
  )
  const text = sclText({
    name,
    kind: 'FB',
    title,
    family: 'EM',
    notes: [...notes, 'Generated: what stands between <user> and </user> is kept, everything else is replaced.'],
    sections: withMarks,
    body: [...userRegion('before'), '', ...body, ...userRegion('after')],
  })
  return { name, kind: 'FB', text }
}

const acknowledged = (faults: readonly (readonly [fault: string, cause: string])[]): string[] => [
  'IF #acknowledge OR #operator.acknowledge THEN',
  ...faults.map(([fault, cause]) => `   #${fault} := ${cause};`),
  'END_IF;',
  '#operator.acknowledge := FALSE;',
  `#fault := ${faults.map(([fault]) => `#${fault}`).join(' OR ')};`,
]

const motor = block(
  'EM_Motor',
  'Motor with one direction',
  [
    'In automatic mode it runs while start is TRUE, by hand from start to stop of the operator.',
    'A fault stops it and stays until it is acknowledged. By hand it does not start again by itself.',
  ],
  [
    [
      'VAR_INPUT',
      [
        automatic,
        declared('start', 'Bool', 'Runs in automatic mode'),
        ...faultInputs,
        declared('runningFeedback', 'Bool', 'The contactor is closed'),
        declared('hasFeedback', 'Bool', 'runningFeedback is wired'),
        declared('trip', 'Bool', 'The motor protection has tripped'),
        declared('feedbackTime', 'Time', 'Longest time from command to feedback', 'T#3s'),
      ],
    ],
    [
      'VAR_OUTPUT',
      [
        declared('run', 'Bool', 'To the contactor'),
        declared('running', 'Bool', 'It runs'),
        declared('fault', 'Bool', 'A fault is not acknowledged'),
        declared('ready', 'Bool', 'It can be started'),
      ],
    ],
    [
      'VAR',
      [
        operator,
        declared('request', 'Bool', 'It shall run'),
        declared('tripped', 'Bool', 'Fault: motor protection'),
        declared('noFeedback', 'Bool', 'Fault: feedback differs from the command'),
        systemInstance('monitor', 'TON_TIME', 'Time that feedback and command differ'),
        systemInstance('alarmTrip', 'Program_Alarm', 'Motor protection has tripped'),
        systemInstance('alarmFeedback', 'Program_Alarm', 'No feedback'),
      ],
    ],
  ],
  [
    ...region('Faults', [
      '#monitor(IN := #hasFeedback AND (#run XOR #runningFeedback),',
      '         PT := #feedbackTime);',
      'IF #trip THEN',
      '   #tripped := TRUE;',
      'END_IF;',
      'IF #monitor.Q THEN',
      '   #noFeedback := TRUE;',
      'END_IF;',
      ...acknowledged([
        ['tripped', '#trip'],
        ['noFeedback', 'FALSE'],
      ]),
    ]),
    ...region('Command', [
      '#ready := #interlock AND NOT #fault;',
      'IF #automatic THEN',
      '   #request := #start;',
      'ELSIF #operator.stop OR NOT #ready THEN',
      '   #request := FALSE;',
      'ELSIF #operator.start THEN',
      '   #request := TRUE;',
      'END_IF;',
      '#operator.start := FALSE;',
      '#operator.stop := FALSE;',
      '#run := #request AND #ready;',
      '#running := #run AND (#runningFeedback OR NOT #hasFeedback);',
    ]),
    ...region('Alarms', ['#alarmTrip(SIG := #tripped);', '#alarmFeedback(SIG := #noFeedback);']),
  ],
)

const reversingMotor = block(
  'EM_ReversingMotor',
  'Motor with two directions',
  [
    'In automatic mode it follows startForward and startReverse, by hand the operator; both at once are none.',
    'Between the directions it pauses. A fault stops it and stays until it is acknowledged.',
  ],
  [
    [
      'VAR_INPUT',
      [
        automatic,
        declared('startForward', 'Bool', 'Runs forward in automatic mode'),
        declared('startReverse', 'Bool', 'Runs in reverse in automatic mode'),
        ...faultInputs,
        declared('forwardFeedback', 'Bool', 'It runs forward'),
        declared('reverseFeedback', 'Bool', 'It runs in reverse'),
        declared('hasForwardFeedback', 'Bool', 'forwardFeedback is wired'),
        declared('hasReverseFeedback', 'Bool', 'reverseFeedback is wired'),
        declared('trip', 'Bool', 'The motor protection has tripped'),
        declared('feedbackTime', 'Time', 'Longest time from command to feedback', 'T#3s'),
        declared('pauseTime', 'Time', 'Between the directions', 'T#1s'),
      ],
    ],
    [
      'VAR_OUTPUT',
      [
        declared('forward', 'Bool', 'To the contactor forward'),
        declared('reverse', 'Bool', 'To the contactor reverse'),
        declared('runningForward', 'Bool', 'It runs forward'),
        declared('runningReverse', 'Bool', 'It runs in reverse'),
        declared('fault', 'Bool', 'A fault is not acknowledged'),
        declared('ready', 'Bool', 'It can be started'),
      ],
    ],
    [
      'VAR',
      [
        operator,
        declared('requestForward', 'Bool', 'It shall run forward'),
        declared('requestReverse', 'Bool', 'It shall run in reverse'),
        declared('tripped', 'Bool', 'Fault: motor protection'),
        declared('noFeedback', 'Bool', 'Fault: feedback differs from the command'),
        systemInstance('monitor', 'TON_TIME', 'Time that feedback and command differ'),
        systemInstance('afterForward', 'TOF_TIME', 'Pause after forward'),
        systemInstance('afterReverse', 'TOF_TIME', 'Pause after reverse'),
        systemInstance('alarmTrip', 'Program_Alarm', 'Motor protection has tripped'),
        systemInstance('alarmFeedback', 'Program_Alarm', 'No feedback'),
      ],
    ],
  ],
  [
    ...region('Faults', [
      '#monitor(IN := (#hasForwardFeedback AND (#forward XOR #forwardFeedback))',
      '            OR (#hasReverseFeedback AND (#reverse XOR #reverseFeedback)),',
      '         PT := #feedbackTime);',
      'IF #trip THEN',
      '   #tripped := TRUE;',
      'END_IF;',
      'IF #monitor.Q THEN',
      '   #noFeedback := TRUE;',
      'END_IF;',
      ...acknowledged([
        ['tripped', '#trip'],
        ['noFeedback', 'FALSE'],
      ]),
    ]),
    ...region('Command', [
      '#ready := #interlock AND NOT #fault;',
      'IF #automatic THEN',
      '   #requestForward := #startForward AND NOT #startReverse;',
      '   #requestReverse := #startReverse AND NOT #startForward;',
      'ELSIF #operator.stop OR NOT #ready THEN',
      '   #requestForward := FALSE;',
      '   #requestReverse := FALSE;',
      'ELSIF #operator.start THEN',
      '   #requestForward := TRUE;',
      '   #requestReverse := FALSE;',
      'ELSIF #operator.reverse THEN',
      '   #requestForward := FALSE;',
      '   #requestReverse := TRUE;',
      'END_IF;',
      '#operator.start := FALSE;',
      '#operator.reverse := FALSE;',
      '#operator.stop := FALSE;',
      '#afterForward(IN := #forward,',
      '              PT := #pauseTime);',
      '#afterReverse(IN := #reverse,',
      '              PT := #pauseTime);',
      '#forward := #requestForward AND #ready AND NOT #reverse AND NOT #afterReverse.Q;',
      '#reverse := #requestReverse AND #ready AND NOT #forward AND NOT #afterForward.Q;',
      '#runningForward := #forward AND (#forwardFeedback OR NOT #hasForwardFeedback);',
      '#runningReverse := #reverse AND (#reverseFeedback OR NOT #hasReverseFeedback);',
    ]),
    ...region('Alarms', ['#alarmTrip(SIG := #tripped);', '#alarmFeedback(SIG := #noFeedback);']),
  ],
)

const valve = block(
  'EM_Valve',
  'Valve with one output, closed without current',
  [
    'In automatic mode it opens while openCommand is TRUE, by hand from start to stop of the operator.',
    'When a limit switch is not reached in time it closes; the fault stays until it is acknowledged.',
  ],
  [
    [
      'VAR_INPUT',
      [
        automatic,
        declared('openCommand', 'Bool', 'Opens in automatic mode'),
        ...faultInputs,
        declared('opened', 'Bool', 'Limit switch open'),
        declared('closed', 'Bool', 'Limit switch closed'),
        declared('hasOpened', 'Bool', 'opened is wired'),
        declared('hasClosed', 'Bool', 'closed is wired'),
        declared('travelTime', 'Time', 'Longest time of travel', 'T#10s'),
      ],
    ],
    [
      'VAR_OUTPUT',
      [
        declared('open', 'Bool', 'To the valve'),
        declared('isOpen', 'Bool', 'It is open'),
        declared('isClosed', 'Bool', 'It is closed'),
        declared('fault', 'Bool', 'A fault is not acknowledged'),
        declared('ready', 'Bool', 'It can be opened'),
      ],
    ],
    [
      'VAR',
      [
        operator,
        declared('request', 'Bool', 'It shall open'),
        declared('noTravel', 'Bool', 'Fault: a limit switch is not reached'),
        systemInstance('travel', 'TON_TIME', 'Time without the wanted limit switch'),
        systemInstance('alarmTravel', 'Program_Alarm', 'Limit switch not reached'),
      ],
    ],
  ],
  [
    ...region('Faults', [
      '#travel(IN := (#open AND #hasOpened AND NOT #opened) OR (NOT #open AND #hasClosed AND NOT #closed),',
      '        PT := #travelTime);',
      'IF #travel.Q THEN',
      '   #noTravel := TRUE;',
      'END_IF;',
      ...acknowledged([['noTravel', 'FALSE']]),
    ]),
    ...region('Command', [
      '#ready := #interlock AND NOT #fault;',
      'IF #automatic THEN',
      '   #request := #openCommand;',
      'ELSIF #operator.stop OR NOT #ready THEN',
      '   #request := FALSE;',
      'ELSIF #operator.start THEN',
      '   #request := TRUE;',
      'END_IF;',
      '#operator.start := FALSE;',
      '#operator.stop := FALSE;',
      '#open := #request AND #ready;',
      '// Without a limit switch the command says where the valve is.',
      'IF #hasOpened THEN',
      '   #isOpen := #opened;',
      'ELSE',
      '   #isOpen := #open;',
      'END_IF;',
      'IF #hasClosed THEN',
      '   #isClosed := #closed;',
      'ELSE',
      '   #isClosed := NOT #open;',
      'END_IF;',
    ]),
    ...region('Alarms', ['#alarmTravel(SIG := #noTravel);']),
  ],
)

export const driveBlocks: readonly GeneratedSource[] = [motor, reversingMotor, valve]
export { block }
