/** A motor with two contactors, for both directions. */
import { flag, seconds } from './parameter.ts'
import { code, duration, lines, member, parts, when } from './source.ts'
import { defineTemplate } from './template.ts'

export const motorReversing = defineTemplate({
  name: 'motor-reversing',
  title: 'Motor, reversing',
  category: 'Drives',
  summary: 'Switches a motor in two directions with interlocked contactors and a pause before the direction changes.',
  blockName: 'MotorReversing',
  operation: [
    'A rising edge of `startForward` or `startReverse` starts the motor in that direction. An edge of the other direction while it runs stops it, waits for `reversingPause`, and starts it again; so does a start within the pause after a stop. Both edges in one cycle are ignored. The motor never starts by itself: a stop, a lost release or a fault drops the wish.',
    'Both contactors are locked against each other in the outputs, whatever the state. A fault (tripped protection; with `feedback` also a contactor that does not follow, or both that are on) switches both off and is latched until `acknowledge` comes as a rising edge and the cause is gone.',
  ],
  wiring: [
    '`protectionOk` and `interlockOk` are wired closed-circuit: TRUE is healthy. The contactors must be locked against each other by their auxiliary contacts too. With end switches, wire them into `forwardAllowed` and `reverseAllowed` (closed-circuit): each stops and blocks only its direction. The load has to be at rest within `reversingPause`.',
  ],
  parameters: {
    feedback: flag(true, 'Watch the auxiliary contacts of the contactors.'),
    feedbackTime: seconds(2, 'Longest time until a contactor follows'),
    reversingPause: seconds(3, 'Pause with both contactors off before the direction changes'),
  },
  design({ feedback, feedbackTime, reversingPause }) {
    return {
      states: [
        code('STATE_OFF', 0, 'Both contactors off'),
        code('STATE_FORWARD', 1, 'Runs forward'),
        code('STATE_REVERSE', 2, 'Runs in reverse'),
        code('STATE_PAUSE', 3, 'Both contactors off, the motor comes to rest'),
        code('STATE_FAULT', 4, 'Fault latched'),
      ],
      block: {
        inputs: [
          member('enable', 'Bool', 'TRUE: the motor may run'),
          member('startForward', 'Bool', 'Start forward, rising edge'),
          member('startReverse', 'Bool', 'Start in reverse, rising edge'),
          member('stop', 'Bool', 'Stop; dominates start'),
          member('interlockOk', 'Bool', 'TRUE: process interlock is healthy'),
          member('forwardAllowed', 'Bool', 'TRUE: forward is allowed (end switch, closed-circuit)'),
          member('reverseAllowed', 'Bool', 'TRUE: reverse is allowed (end switch, closed-circuit)'),
          member('protectionOk', 'Bool', 'TRUE: motor protection is healthy (closed-circuit)'),
          ...when(
            feedback,
            member('forwardFeedback', 'Bool', 'Auxiliary contact of the contactor forward'),
            member('reverseFeedback', 'Bool', 'Auxiliary contact of the contactor reverse'),
          ),
          member('acknowledge', 'Bool', 'Acknowledge fault, rising edge'),
          ...when(
            feedback,
            member('feedbackTime', 'Time', 'Longest time until a contactor follows', duration(feedbackTime)),
          ),
          member('reversingPause', 'Time', 'Pause before the direction changes', duration(reversingPause)),
        ],
        outputs: [
          member('contactorForward', 'Bool', 'To the contactor forward'),
          member('contactorReverse', 'Bool', 'To the contactor reverse'),
          member('ready', 'Bool', 'TRUE: a start would be accepted'),
          member('running', 'Bool', 'TRUE: the motor runs'),
          member('fault', 'Bool', 'TRUE: a fault is latched'),
          member('faultCode', 'Int', 'Cause of the fault: FAULT_ constants'),
          member('state', 'Int', 'State: STATE_ constants'),
        ],
        statics: [
          member('statState', 'Int', 'State of the last cycle'),
          member('statWanted', 'Int', 'State after the pause'),
          member('statFaultCode', 'Int', 'Cause of the latched fault'),
          member('instForwardEdge', 'R_TRIG', 'Edge of startForward'),
          member('instReverseEdge', 'R_TRIG', 'Edge of startReverse'),
          member('instAcknowledgeEdge', 'R_TRIG', 'Edge of acknowledge'),
          member('instPauseTimer', 'TON_TIME', 'Pause before the direction changes'),
          ...when(
            feedback,
            member('instForwardTimer', 'TON_TIME', 'Contactor forward does not follow'),
            member('instReverseTimer', 'TON_TIME', 'Contactor reverse does not follow'),
          ),
        ],
        temps: [
          member('tempReleased', 'Bool', 'Motor may run in this cycle'),
          member('tempGoForward', 'Bool', 'Start forward in this cycle'),
          member('tempGoReverse', 'Bool', 'Start in reverse in this cycle'),
          member('tempFaultCode', 'Int', 'Cause that is present in this cycle'),
        ],
        constants: [
          code('FAULT_NONE', 0, 'No fault'),
          code('FAULT_PROTECTION', 1, 'Motor protection has tripped'),
          ...when(
            feedback,
            code('FAULT_FORWARD', 2, 'Contactor forward does not follow its command'),
            code('FAULT_REVERSE', 3, 'Contactor reverse does not follow its command'),
            code('FAULT_BOTH_ON', 4, 'Both contactors are on'),
          ),
        ],
        body: parts(
          `
REGION Commands and releases
    #instForwardEdge(CLK := #startForward);
    #instReverseEdge(CLK := #startReverse);
    #instAcknowledgeEdge(CLK := #acknowledge);
    #tempReleased := #enable AND #interlockOk AND NOT #stop;
    #tempGoForward := #instForwardEdge.Q AND NOT #instReverseEdge.Q AND #tempReleased AND #forwardAllowed;
    #tempGoReverse := #instReverseEdge.Q AND NOT #instForwardEdge.Q AND #tempReleased AND #reverseAllowed;
END_REGION`,
          `
REGION Faults
${lines(
  feedback &&
    `    #instForwardTimer(IN := #contactorForward <> #forwardFeedback,
                      PT := #feedbackTime);
    #instReverseTimer(IN := #contactorReverse <> #reverseFeedback,
                      PT := #feedbackTime);
`,
  `    IF NOT #protectionOk THEN
        #tempFaultCode := #FAULT_PROTECTION;`,
  feedback &&
    `    ELSIF #forwardFeedback AND #reverseFeedback THEN
        #tempFaultCode := #FAULT_BOTH_ON;
    ELSIF #instForwardTimer.Q THEN
        #tempFaultCode := #FAULT_FORWARD;
    ELSIF #instReverseTimer.Q THEN
        #tempFaultCode := #FAULT_REVERSE;`,
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
REGION State machine
    // The pause runs from the moment in which both contactors are off.
    #instPauseTimer(IN := #statState = #STATE_PAUSE,
                    PT := #reversingPause);

    CASE #statState OF
        #STATE_OFF:
            IF #tempGoForward THEN
                #statState := #STATE_FORWARD;
            ELSIF #tempGoReverse THEN
                #statState := #STATE_REVERSE;
            END_IF;
        #STATE_FORWARD:
            IF #tempGoReverse THEN
                #statWanted := #STATE_REVERSE;
                #statState := #STATE_PAUSE;
            ELSIF NOT (#tempReleased AND #forwardAllowed) THEN
                #statWanted := #STATE_OFF;
                #statState := #STATE_PAUSE;
            END_IF;
        #STATE_REVERSE:
            IF #tempGoForward THEN
                #statWanted := #STATE_FORWARD;
                #statState := #STATE_PAUSE;
            ELSIF NOT (#tempReleased AND #reverseAllowed) THEN
                #statWanted := #STATE_OFF;
                #statState := #STATE_PAUSE;
            END_IF;
        #STATE_PAUSE:
            IF #tempGoForward THEN
                #statWanted := #STATE_FORWARD;
            ELSIF #tempGoReverse THEN
                #statWanted := #STATE_REVERSE;
            ELSIF NOT #tempReleased
                  OR (#statWanted = #STATE_FORWARD AND NOT #forwardAllowed)
                  OR (#statWanted = #STATE_REVERSE AND NOT #reverseAllowed) THEN
                #statWanted := #STATE_OFF;
            END_IF;
            IF #instPauseTimer.Q THEN
                #statState := #statWanted;
            END_IF;
        #STATE_FAULT:
            // The motor may still turn when the fault is acknowledged.
            IF #instAcknowledgeEdge.Q AND #tempFaultCode = #FAULT_NONE THEN
                #statFaultCode := #FAULT_NONE;
                #statWanted := #STATE_OFF;
                #statState := #STATE_PAUSE;
            END_IF;
        ELSE
            // An undefined state is left towards the safe side.
            #statState := #STATE_FAULT;
    END_CASE;
END_REGION`,
          `
REGION Outputs
${
  feedback
    ? `    #contactorForward := #statState = #STATE_FORWARD AND NOT #reverseFeedback;
    #contactorReverse := #statState = #STATE_REVERSE AND NOT #forwardFeedback;`
    : `    #contactorForward := #statState = #STATE_FORWARD;
    #contactorReverse := #statState = #STATE_REVERSE;`
}
    #running := #contactorForward OR #contactorReverse;
    #ready := #statState = #STATE_OFF AND #tempReleased AND (#forwardAllowed OR #reverseAllowed);
    #fault := #statState = #STATE_FAULT;
    #faultCode := #statFaultCode;
    #state := #statState;
END_REGION`,
        ),
      },
    }
  },
})
