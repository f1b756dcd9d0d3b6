/** A valve that is open or closed, with a spring to its safe position. */
import { choice, seconds } from './parameter.ts'
import { code, duration, lines, member, parts, when } from './source.ts'
import { defineTemplate } from './template.ts'

export const valveOnOff = defineTemplate({
  name: 'valve-on-off',
  title: 'Valve, on/off',
  category: 'Valves',
  summary: 'Opens and closes a valve with one coil and spring return, and watches its limit switches and run time.',
  blockName: 'ValveOnOff',
  operation: [
    'In automatic the valve follows `openCommand`; in manual (`manual` TRUE) rising edges of `manualOpen` and `manualClose` decide, starting from where the valve is. FALSE at `interlockOk` takes it to its safe position whatever was commanded: it goes there by its spring, without energy.',
    'A movement that is not done within `travelTime`, a limit switch that is lost at rest, and two limit switches at once are faults: the coil is switched off and the valve goes to its safe position. The fault is latched until a rising edge of `acknowledge`. Without limit switches the travel time stands for the movement.',
  ],
  wiring: [
    '`coil` goes to the solenoid: TRUE moves the valve away from its safe position. The limit switches are TRUE in their position. `interlockOk` is wired closed-circuit: TRUE is healthy.',
  ],
  parameters: {
    safePosition: choice(['closed', 'open'], 'closed', 'Position without energy (spring): closed or open.'),
    limitSwitches: choice(
      ['both', 'opened', 'closed', 'none'],
      'both',
      'Limit switches that there are: both, opened or closed alone, or none.',
    ),
    travelTime: seconds(5, 'Longest time of a movement'),
  },
  design({ safePosition, limitSwitches, travelTime }) {
    const hasOpened = limitSwitches === 'both' || limitSwitches === 'opened'
    const hasClosed = limitSwitches === 'both' || limitSwitches === 'closed'
    const isWatched = limitSwitches !== 'none'
    // What says that the valve is there: its switch, else that the other has been left and the time is over.
    const isOpen = hasOpened
      ? lines(`#opened${hasClosed ? ' AND NOT #closed' : ''}`)
      : `#instTravelTimer.Q${hasClosed ? ' AND NOT #closed' : ''}`
    const isClosed = hasClosed
      ? lines(`#closed${hasOpened ? ' AND NOT #opened' : ''}`)
      : `#instTravelTimer.Q${hasOpened ? ' AND NOT #opened' : ''}`
    const [safeMove, safeRest] =
      safePosition === 'closed' ? ['STATE_CLOSING', 'STATE_CLOSED'] : ['STATE_OPENING', 'STATE_OPEN']
    return {
      states: [
        code('STATE_CLOSED', 0, 'Closed'),
        code('STATE_OPENING', 1, 'Opens'),
        code('STATE_OPEN', 2, 'Open'),
        code('STATE_CLOSING', 3, 'Closes'),
        ...when(isWatched, code('STATE_FAULT', 4, 'Fault latched, coil off')),
      ],
      block: {
        inputs: [
          member('interlockOk', 'Bool', 'FALSE: to the safe position'),
          member('openCommand', 'Bool', 'Automatic: TRUE opens, FALSE closes'),
          member('manual', 'Bool', 'TRUE: manual operation'),
          member('manualOpen', 'Bool', 'Manual: open, rising edge'),
          member('manualClose', 'Bool', 'Manual: close, rising edge; dominates'),
          ...when(hasOpened, member('opened', 'Bool', 'Limit switch: the valve is open')),
          ...when(hasClosed, member('closed', 'Bool', 'Limit switch: the valve is closed')),
          ...when(isWatched, member('acknowledge', 'Bool', 'Acknowledge fault, rising edge')),
          member('travelTime', 'Time', 'Longest time of a movement', duration(travelTime)),
        ],
        outputs: [
          member('coil', 'Bool', `To the solenoid; FALSE: ${safePosition}`),
          member('isOpen', 'Bool', 'TRUE: the valve is open'),
          member('isClosed', 'Bool', 'TRUE: the valve is closed'),
          member('moving', 'Bool', 'TRUE: it opens or closes'),
          ...when(
            isWatched,
            member('fault', 'Bool', 'TRUE: a fault is latched'),
            member('faultCode', 'Int', 'Cause of the fault: FAULT_ constants'),
          ),
          member('state', 'Int', 'State: STATE_ constants'),
        ],
        statics: [
          member('statState', 'Int', 'State of the last cycle', safePosition === 'closed' ? '0' : '2'),
          member('statWantsOpen', 'Bool', 'Wanted position', safePosition === 'closed' ? 'FALSE' : 'TRUE'),
          ...when(isWatched, member('statFaultCode', 'Int', 'Cause of the latched fault')),
          member('instOpenEdge', 'R_TRIG', 'Edge of manualOpen'),
          member('instCloseEdge', 'R_TRIG', 'Edge of manualClose'),
          ...when(isWatched, member('instAcknowledgeEdge', 'R_TRIG', 'Edge of acknowledge')),
          member('instTravelTimer', 'TON_TIME', 'Time of a movement'),
        ],
        ...(isWatched ? { temps: [member('tempFaultCode', 'Int', 'Cause that is present in this cycle')] } : {}),
        constants: when(
          isWatched,
          code('FAULT_NONE', 0, 'No fault'),
          code('FAULT_TRAVEL', 1, 'Position not reached within the time'),
          code('FAULT_POSITION_LOST', 2, 'Limit switch lost at rest'),
          ...when(limitSwitches === 'both', code('FAULT_BOTH_SWITCHES', 3, 'Both limit switches at once')),
        ),
        body: parts(
          `
REGION Commands
    #instOpenEdge(CLK := #manualOpen);
    #instCloseEdge(CLK := #manualClose);
${lines(isWatched && '    #instAcknowledgeEdge(CLK := #acknowledge);\n')}
    IF NOT #interlockOk THEN
        #statWantsOpen := ${safePosition === 'closed' ? 'FALSE' : 'TRUE'};
    ELSIF NOT #manual THEN
        #statWantsOpen := #openCommand;
    ELSIF #instCloseEdge.Q THEN
        #statWantsOpen := FALSE;
    ELSIF #instOpenEdge.Q THEN
        #statWantsOpen := TRUE;
    END_IF;
END_REGION`.replace(/\n\n+(?= {4}IF)/, '\n\n'),
          `
REGION State machine
    #instTravelTimer(IN := #statState = #STATE_OPENING OR #statState = #STATE_CLOSING,
                     PT := #travelTime);

    CASE #statState OF
        #STATE_CLOSED:
            IF #statWantsOpen THEN
                #statState := #STATE_OPENING;
            END_IF;
        #STATE_OPENING:
            IF NOT #statWantsOpen THEN
                #statState := #STATE_CLOSING;
                // The way back has its whole time.
                RESET_TIMER(#instTravelTimer);
            ELSIF ${isOpen} THEN
                #statState := #STATE_OPEN;
            END_IF;
        #STATE_OPEN:
            IF NOT #statWantsOpen THEN
                #statState := #STATE_CLOSING;
            END_IF;
        #STATE_CLOSING:
            IF #statWantsOpen THEN
                #statState := #STATE_OPENING;
                RESET_TIMER(#instTravelTimer);
            ELSIF ${isClosed} THEN
                #statState := #STATE_CLOSED;
            END_IF;
${lines(
  isWatched &&
    `        #STATE_FAULT:
            IF #instAcknowledgeEdge.Q THEN
                // From the safe position, to which the spring has moved the valve.
                #statFaultCode := #FAULT_NONE;
                #statState := #${safeMove};
            END_IF;`,
  `        ELSE
            // An undefined state is left towards the safe side.
            #statState := #${safeRest};`,
)}
    END_CASE;
END_REGION`,
          isWatched &&
            `
REGION Faults
${lines(
  limitSwitches === 'both' && '    IF #opened AND #closed THEN\n        #tempFaultCode := #FAULT_BOTH_SWITCHES;',
  `    ${limitSwitches === 'both' ? 'ELSIF' : 'IF'} #instTravelTimer.Q AND (#statState = #STATE_OPENING OR #statState = #STATE_CLOSING) THEN
        #tempFaultCode := #FAULT_TRAVEL;`,
  hasOpened &&
    `    ELSIF #statState = #STATE_OPEN AND NOT #opened THEN
        #tempFaultCode := #FAULT_POSITION_LOST;`,
  hasClosed &&
    `    ELSIF #statState = #STATE_CLOSED AND NOT #closed THEN
        #tempFaultCode := #FAULT_POSITION_LOST;`,
  !hasClosed &&
    `    ELSIF #statState = #STATE_CLOSED AND #opened THEN
        #tempFaultCode := #FAULT_POSITION_LOST;`,
  !hasOpened &&
    `    ELSIF #statState = #STATE_OPEN AND #closed THEN
        #tempFaultCode := #FAULT_POSITION_LOST;`,
)}
    ELSE
        #tempFaultCode := #FAULT_NONE;
    END_IF;

    IF #tempFaultCode <> #FAULT_NONE AND #statState <> #STATE_FAULT THEN
        #statFaultCode := #tempFaultCode;
        #statState := #STATE_FAULT;
    END_IF;
END_REGION`,
          `
REGION Outputs
${
  safePosition === 'closed'
    ? '    #coil := #statState = #STATE_OPENING OR #statState = #STATE_OPEN;'
    : '    #coil := #statState = #STATE_CLOSING OR #statState = #STATE_CLOSED;'
}
    #isOpen := #statState = #STATE_OPEN;
    #isClosed := #statState = #STATE_CLOSED;
    #moving := #statState = #STATE_OPENING OR #statState = #STATE_CLOSING;
${lines(
  isWatched && '    #fault := #statState = #STATE_FAULT;',
  isWatched && '    #faultCode := #statFaultCode;',
  '    #state := #statState;',
)}
END_REGION`,
        ),
      },
    }
  },
})
