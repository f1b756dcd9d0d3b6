/** A motor with one contactor. */
import { flag, seconds } from './parameter.ts'
import { code, constant, duration, lines, member, parts, when } from './source.ts'
import { defineTemplate } from './template.ts'

export const motorDirect = defineTemplate({
  name: 'motor-direct',
  title: 'Motor, direct on line',
  category: 'Drives',
  summary: 'Switches a motor with one contactor, watches its protection and feedback, counts hours and starts.',
  blockName: 'MotorDirect',
  operation: [
    'A rising edge of `start` switches the contactor on when `enable` and `interlockOk` are TRUE, `stop` is FALSE and no fault is latched. `stop`, a lost `enable` or a lost `interlockOk` switches it off. The motor never starts by itself: after power-up, a fault or a lost release a new edge of `start` is needed.',
    'A fault (tripped protection; with `feedback` also a contactor that does not follow within `feedbackTime`) switches the contactor off and is latched until `acknowledge` comes as a rising edge and its cause is gone.',
  ],
  wiring: [
    '`protectionOk` and `interlockOk` are wired closed-circuit: TRUE is healthy, so that a broken wire stops the motor. `contactor` goes to the output of the contactor coil, `runFeedback` to its auxiliary contact (normally open). Emergency stop does not belong here: it switches the load circuit off by hardware or a safety program, and may be shown through `enable`.',
  ],
  parameters: {
    feedback: flag(true, 'Watch the auxiliary contact of the contactor.'),
    feedbackTime: seconds(2, 'Longest time until the contactor follows'),
    counters: flag(true, 'Count operating hours and starts.'),
  },
  design({ feedback, feedbackTime, counters }) {
    const states = [
      code('STATE_OFF', 0, 'Contactor off'),
      ...when(feedback, code('STATE_STARTING', 1, 'Contactor on, feedback awaited')),
      code('STATE_RUNNING', 2, 'Motor runs'),
      ...when(feedback, code('STATE_STOPPING', 3, 'Contactor off, feedback awaited')),
      code('STATE_FAULT', 4, 'Fault latched'),
    ]
    const [started, stopped] = feedback ? ['STATE_STARTING', 'STATE_STOPPING'] : ['STATE_RUNNING', 'STATE_OFF']
    return {
      states,
      block: {
        inputs: [
          member('enable', 'Bool', 'TRUE: the motor may run'),
          member('start', 'Bool', 'Start, rising edge'),
          member('stop', 'Bool', 'Stop; dominates start'),
          member('interlockOk', 'Bool', 'TRUE: process interlock is healthy'),
          member('protectionOk', 'Bool', 'TRUE: motor protection is healthy (closed-circuit)'),
          ...when(feedback, member('runFeedback', 'Bool', 'Auxiliary contact of the contactor')),
          member('acknowledge', 'Bool', 'Acknowledge fault, rising edge'),
          ...when(
            feedback,
            member('feedbackTime', 'Time', 'Longest time until the contactor follows', duration(feedbackTime)),
          ),
        ],
        outputs: [
          member('contactor', 'Bool', 'To the contactor'),
          member('ready', 'Bool', 'TRUE: a start would be accepted'),
          member('running', 'Bool', 'TRUE: the motor runs'),
          member('fault', 'Bool', 'TRUE: a fault is latched'),
          member('faultCode', 'Int', 'Cause of the fault: FAULT_ constants'),
          member('state', 'Int', 'State: STATE_ constants'),
          ...when(
            counters,
            member('operatingHours', 'LReal', 'Operating hours'),
            member('startCount', 'DInt', 'Starts since commissioning'),
          ),
        ],
        retains: when(
          counters,
          member('statOperatingSeconds', 'LReal', 'Seconds of operation since commissioning'),
          member('statStarts', 'DInt', 'Starts since commissioning'),
        ),
        statics: [
          member('statState', 'Int', 'State of the last cycle'),
          member('statFaultCode', 'Int', 'Cause of the latched fault'),
          member('instStartEdge', 'R_TRIG', 'Edge of start'),
          member('instAcknowledgeEdge', 'R_TRIG', 'Edge of acknowledge'),
          ...when(feedback, member('instFeedbackTimer', 'TON_TIME', 'Contactor does not follow')),
          ...when(counters, member('statRuntime', 'LReal', 'Memory of RUNTIME')),
        ],
        temps: [
          member('tempReleased', 'Bool', 'Motor may run in this cycle'),
          member('tempFaultCode', 'Int', 'Cause that is present in this cycle'),
          ...when(counters, member('tempElapsed', 'LReal', 'Seconds since the last cycle')),
        ],
        constants: [
          code('FAULT_NONE', 0, 'No fault'),
          code('FAULT_PROTECTION', 1, 'Motor protection has tripped'),
          ...when(
            feedback,
            code('FAULT_NO_FEEDBACK', 2, 'Contactor is on, its feedback is missing'),
            code('FAULT_FEEDBACK_STUCK', 3, 'Contactor is off, its feedback is still there'),
          ),
          ...when(counters, constant('SECONDS_PER_HOUR', 'LReal', '3600.0', 'Seconds of an hour')),
        ],
        body: parts(
          `
REGION Commands and releases
    #instStartEdge(CLK := #start);
    #instAcknowledgeEdge(CLK := #acknowledge);
    #tempReleased := #enable AND #interlockOk AND NOT #stop;
END_REGION`,
          `
REGION Faults
${lines(
  feedback &&
    `    // The contactor has to follow its command within the time, when it is switched on and when it is switched off.
    #instFeedbackTimer(IN := #contactor <> #runFeedback,
                       PT := #feedbackTime);
`,
  `    IF NOT #protectionOk THEN
        #tempFaultCode := #FAULT_PROTECTION;`,
  feedback &&
    `    ELSIF #instFeedbackTimer.Q AND #contactor THEN
        #tempFaultCode := #FAULT_NO_FEEDBACK;
    ELSIF #instFeedbackTimer.Q AND NOT #contactor THEN
        #tempFaultCode := #FAULT_FEEDBACK_STUCK;`,
  `    ELSE
        #tempFaultCode := #FAULT_NONE;
    END_IF;`,
)}

    IF #tempFaultCode <> #FAULT_NONE AND #statState <> #STATE_FAULT THEN
        #statFaultCode := #tempFaultCode;
        #statState := #STATE_FAULT;
    END_IF;
END_REGION`,
          `
REGION State machine
    CASE #statState OF
        #STATE_OFF:
            IF #instStartEdge.Q AND #tempReleased THEN
                #statState := #${started};
${lines(counters && '                #statStarts := #statStarts + 1;', '            END_IF;')}
${lines(
  feedback &&
    `        #STATE_STARTING:
            IF NOT #tempReleased THEN
                #statState := #STATE_STOPPING;
            ELSIF #runFeedback THEN
                #statState := #STATE_RUNNING;
            END_IF;`,
  `        #STATE_RUNNING:
            IF NOT #tempReleased THEN
                #statState := #${stopped};
            END_IF;`,
  feedback &&
    `        #STATE_STOPPING:
            IF NOT #runFeedback THEN
                #statState := #STATE_OFF;
            END_IF;`,
)}
        #STATE_FAULT:
            IF #instAcknowledgeEdge.Q AND #tempFaultCode = #FAULT_NONE THEN
                #statFaultCode := #FAULT_NONE;
                #statState := #STATE_OFF;
            END_IF;
        ELSE
            // An undefined state is left towards the safe side.
            #statState := #STATE_FAULT;
    END_CASE;
END_REGION`,
          counters &&
            `
REGION Operating hours
    #tempElapsed := RUNTIME(#statRuntime);
    IF #statState = #STATE_RUNNING THEN
        #statOperatingSeconds := #statOperatingSeconds + #tempElapsed;
    END_IF;
    #operatingHours := #statOperatingSeconds / #SECONDS_PER_HOUR;
    #startCount := #statStarts;
END_REGION`,
          `
REGION Outputs
    #contactor := ${feedback ? '#statState = #STATE_STARTING OR ' : ''}#statState = #STATE_RUNNING;
    #running := #statState = #STATE_RUNNING;
    #ready := #statState = #STATE_OFF AND #tempReleased;
    #fault := #statState = #STATE_FAULT;
    #faultCode := #statFaultCode;
    #state := #statState;
END_REGION`,
        ),
      },
    }
  },
})
