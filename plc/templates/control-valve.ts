/** A valve with a positioner. */
import { choice, flag, number, seconds } from './parameter.ts'
import { code, constant, duration, lines, member, parts, real, when } from './source.ts'
import { defineTemplate } from './template.ts'

export const controlValve = defineTemplate({
  name: 'control-valve',
  title: 'Control valve',
  category: 'Valves',
  summary: 'Positions a control valve in automatic and manual without a bump, with limits, ramp and feedback.',
  blockName: 'ControlValve',
  operation: [
    'In automatic the valve follows `setpoint` (0 to 100 %), in manual `manualSetpoint`. FALSE at `interlockOk` takes it to `safePosition` at once, without a ramp. Entering manual keeps the position: `manualSetpoint` is an InOut and follows while the valve is not in manual, so that an operator goes on from where it is.',
    'The demand is limited to `lowLimit` and `highLimit` and changes by at most `ramp` per second. With `feedback`, a position that differs from the demand by more than `tolerance` for longer than `deviationTime`, or a broken wire of the feedback, is a fault: the valve goes to its safe position until a rising edge of `acknowledge` and the cause is gone.',
  ],
  wiring: [
    '`output` goes to an analog output (0 to 27648 is 0 to 100 %; with `reverse` the other way round), `positionRaw` comes from an analog input 4…20 mA. `manualSetpoint` is a tag or a member of a data block that the operator writes. The controller upstream should track `demand` while `automatic` is FALSE.',
  ],
  parameters: {
    feedback: flag(true, 'Watch the position feedback.'),
    action: choice(['direct', 'reverse'], 'direct', 'direct: 27648 opens; reverse: 27648 closes.'),
    safePosition: number(0, [0, 100], 'Position without a healthy interlock, in %.'),
    ramp: number(20, [0.1, 10_000], 'Fastest change of the demand, in % per second.'),
    tolerance: number(5, [0.1, 100], 'Largest difference of position and demand, in %.'),
    deviationTime: seconds(10, 'Longest time of a larger difference'),
  },
  design({ feedback, action, safePosition, ramp, tolerance, deviationTime }) {
    return {
      states: [
        code('STATE_SAFE', 0, 'Interlock: in the safe position'),
        code('STATE_AUTOMATIC', 1, 'Follows setpoint'),
        code('STATE_MANUAL', 2, 'Follows manualSetpoint'),
        ...when(feedback, code('STATE_FAULT', 3, 'Fault latched: in the safe position')),
      ],
      block: {
        inputs: [
          member('interlockOk', 'Bool', 'FALSE: to the safe position'),
          member('manual', 'Bool', 'TRUE: manual operation'),
          member('setpoint', 'Real', 'Automatic: wanted position, %'),
          ...when(
            feedback,
            member('positionRaw', 'Int', 'Position from the analog input'),
            member('acknowledge', 'Bool', 'Acknowledge fault, rising edge'),
          ),
          member('safePosition', 'Real', 'Position without a healthy interlock, %', real(safePosition)),
          member('lowLimit', 'Real', 'Smallest demand in operation, %', '0.0'),
          member('highLimit', 'Real', 'Largest demand in operation, %', '100.0'),
          member('ramp', 'Real', 'Fastest change of the demand, %/s', real(ramp)),
          ...when(
            feedback,
            member('tolerance', 'Real', 'Largest difference of position and demand, %', real(tolerance)),
            member('deviationTime', 'Time', 'Longest time of a larger difference', duration(deviationTime)),
          ),
        ],
        inOuts: [member('manualSetpoint', 'Real', 'Manual: wanted position, %; follows in other states')],
        outputs: [
          member('output', 'Int', 'To the analog output'),
          member('demand', 'Real', 'Position that the valve is sent to, %'),
          ...when(feedback, member('position', 'Real', 'Measured position, %')),
          member('automatic', 'Bool', 'TRUE: follows setpoint'),
          ...when(
            feedback,
            member('deviation', 'Bool', 'TRUE: position and demand differ'),
            member('fault', 'Bool', 'TRUE: a fault is latched'),
            member('faultCode', 'Int', 'Cause of the fault: FAULT_ constants'),
          ),
          member('state', 'Int', 'State: STATE_ constants'),
        ],
        statics: [
          member('statState', 'Int', 'State of the last cycle'),
          member('statDemand', 'Real', 'Position that the valve is sent to, %', real(safePosition)),
          member('statRuntime', 'LReal', 'Memory of RUNTIME'),
          ...when(
            feedback,
            member('statFaultCode', 'Int', 'Cause of the latched fault'),
            member('instAcknowledgeEdge', 'R_TRIG', 'Edge of acknowledge'),
            member('instDeviationTimer', 'TON_TIME', 'Position and demand differ'),
          ),
        ],
        temps: [
          member('tempTarget', 'Real', 'Demand without ramp, %'),
          member('tempStep', 'Real', 'Largest change in this cycle, %'),
          ...when(feedback, member('tempFaultCode', 'Int', 'Cause that is present in this cycle')),
        ],
        constants: [
          constant('FULL_SCALE', 'Real', '27648.0', 'Rated end of the analog range'),
          constant('HUNDRED_PERCENT', 'Real', '100.0', 'Rated end of the position'),
          constant('NO_PERCENT', 'Real', '0.0', 'Rated begin of the position'),
          ...when(
            feedback,
            code('WIRE_BREAK', -4864, 'Lowest value of 4…20 mA that is not underflow'),
            code('FAULT_NONE', 0, 'No fault'),
            code('FAULT_DEVIATION', 1, 'The valve does not follow'),
            code('FAULT_FEEDBACK', 2, 'Wire break of the position feedback'),
          ),
        ],
        body: parts(
          feedback &&
            `
REGION Faults
    #instAcknowledgeEdge(CLK := #acknowledge);
    #position := INT_TO_REAL(#positionRaw) / #FULL_SCALE * #HUNDRED_PERCENT;
    #deviation := ABS(#position - #statDemand) > #tolerance;
    #instDeviationTimer(IN := #deviation,
                        PT := #deviationTime);

    IF #positionRaw < #WIRE_BREAK THEN
        #tempFaultCode := #FAULT_FEEDBACK;
    ELSIF #instDeviationTimer.Q THEN
        #tempFaultCode := #FAULT_DEVIATION;
    ELSE
        #tempFaultCode := #FAULT_NONE;
    END_IF;

    IF #tempFaultCode <> #FAULT_NONE AND #statState <> #STATE_FAULT THEN
        #statFaultCode := #tempFaultCode;
        #statState := #STATE_FAULT;
    END_IF;
END_REGION`,
          `
REGION State
${lines(
  feedback &&
    `    IF #statState = #STATE_FAULT THEN
        IF #instAcknowledgeEdge.Q AND #tempFaultCode = #FAULT_NONE THEN
            #statFaultCode := #FAULT_NONE;
            #statState := #STATE_SAFE;
        END_IF;
    ELSIF NOT #interlockOk THEN`,
  !feedback && '    IF NOT #interlockOk THEN',
)}
        #statState := #STATE_SAFE;
    ELSIF #manual THEN
        #statState := #STATE_MANUAL;
    ELSE
        #statState := #STATE_AUTOMATIC;
    END_IF;
END_REGION`,
          `
REGION Demand
    #tempStep := LREAL_TO_REAL(RUNTIME(#statRuntime)) * #ramp;
    CASE #statState OF
        #STATE_AUTOMATIC:
            #tempTarget := LIMIT(MN := #lowLimit, IN := #setpoint, MX := #highLimit);
            #statDemand := LIMIT(MN := #statDemand - #tempStep, IN := #tempTarget, MX := #statDemand + #tempStep);
        #STATE_MANUAL:
            #tempTarget := LIMIT(MN := #lowLimit, IN := #manualSetpoint, MX := #highLimit);
            #statDemand := LIMIT(MN := #statDemand - #tempStep, IN := #tempTarget, MX := #statDemand + #tempStep);
        ELSE
            // The safe position is taken at once.
            #statDemand := #safePosition;
    END_CASE;
    #statDemand := LIMIT(MN := #NO_PERCENT, IN := #statDemand, MX := #HUNDRED_PERCENT);

    // An operator goes on from where the valve is.
    IF #statState <> #STATE_MANUAL THEN
        #manualSetpoint := #statDemand;
    END_IF;
END_REGION`,
          `
REGION Outputs
    #demand := #statDemand;
    #output := REAL_TO_INT(${action === 'direct' ? '#statDemand' : '(#HUNDRED_PERCENT - #statDemand)'} / #HUNDRED_PERCENT * #FULL_SCALE);
    #automatic := #statState = #STATE_AUTOMATIC;
${lines(
  feedback && '    #fault := #statState = #STATE_FAULT;',
  feedback && '    #faultCode := #statFaultCode;',
  '    #state := #statState;',
)}
END_REGION`,
        ),
      },
    }
  },
})
