/** A control loop around PID_Compact. */
import { flag, number, seconds } from './parameter.ts'
import { code, constant, duration, member, parts, real, when } from './source.ts'
import { defineTemplate } from './template.ts'

export const pidLoop = defineTemplate({
  name: 'pid-loop',
  title: 'PID control loop',
  category: 'Process',
  summary: 'Controls a process value with PID_Compact: off, manual, automatic, setpoint ramp, deviation alarm.',
  blockName: 'PidLoop',
  operation: [
    'FALSE at `enable` takes the loop to off, with 0 % at the output. TRUE at `manual` takes it to manual, without a bump: `manualValue` is an InOut and follows the output in other states. Otherwise it controls the process value to `setpoint`, with `ramp` moved by at most `rampRate` per second from the process value on.',
    'FALSE at `inputOk`, or an error of the controller, takes the loop to fault: the output is 0 %, or in manual stays with the operator. The fault is over by itself when the process value is back; an error of the controller is acknowledged by a rising edge of `acknowledge`. `deviation` is TRUE when setpoint and process value differ by more than `deviationLimit` for `deviationTime` in automatic.',
  ],
  wiring: [
    'Call the instance in a cyclic interrupt OB, and give its time to the template as `cycleTime`: the block sets the controller to it. `processValue` and `inputOk` come from a scaled analog value (template analog-scaling: `value` and `quality`), `output` goes to a control valve (template control-valve: `setpoint`). Gain, Ti and Td are in the instance (`instPid.Retain.CtrlParams`), are retentive, and are tuned at the plant.',
  ],
  parameters: {
    ramp: flag(true, 'Move the setpoint with a ramp.'),
    rampRate: number(1, [1e-6, 1e6], 'Fastest change of the setpoint, in units per second.'),
    invert: flag(false, 'Inverted control: a larger output makes the process value smaller (cooling).'),
    rangeLow: number(0, [-1e9, 1e9], 'Least process value and setpoint.'),
    rangeHigh: number(100, [-1e9, 1e9], 'Largest process value and setpoint.'),
    cycleTime: number(0.1, [0.001, 60], 'Time of the cyclic interrupt OB, in seconds.'),
    deviationLimit: number(5, [1e-6, 1e9], 'Largest difference of setpoint and process value without an alarm.'),
    deviationTime: seconds(60, 'Time of a larger difference until the alarm'),
  },
  faults({ rangeLow, rangeHigh }) {
    const message = `must be more than rangeLow (${rangeLow})`
    return rangeHigh > rangeLow ? [] : [{ path: '/rangeHigh', message, value: rangeHigh }]
  },
  design({ ramp, rampRate, invert, rangeLow, rangeHigh, cycleTime, deviationLimit, deviationTime }) {
    return {
      states: [
        code('STATE_OFF', 0, 'Off, output 0 %'),
        code('STATE_MANUAL', 1, 'Output from manualValue'),
        code('STATE_AUTOMATIC', 2, 'Controls'),
        code('STATE_FAULT', 3, 'Process value missing, or error of the controller: output 0 %'),
      ],
      block: {
        inputs: [
          member('enable', 'Bool', 'FALSE: off'),
          member('manual', 'Bool', 'TRUE: manual operation'),
          member('setpoint', 'Real', 'Setpoint'),
          member('processValue', 'Real', 'Process value'),
          member('inputOk', 'Bool', 'TRUE: the process value is measured'),
          member('acknowledge', 'Bool', 'Acknowledge an error of the controller, rising edge'),
          member('rangeLow', 'Real', 'Least process value and setpoint', real(rangeLow)),
          member('rangeHigh', 'Real', 'Largest process value and setpoint', real(rangeHigh)),
          ...when(ramp, member('rampRate', 'Real', 'Fastest change of the setpoint, units/s', real(rampRate))),
          member('deviationLimit', 'Real', 'Largest difference without an alarm', real(deviationLimit)),
          member('deviationTime', 'Time', 'Time of a larger difference until the alarm', duration(deviationTime)),
        ],
        inOuts: [member('manualValue', 'Real', 'Manual: output, %; follows in other states')],
        outputs: [
          member('output', 'Real', 'Manipulated value, %'),
          member('activeSetpoint', 'Real', 'Setpoint after limits and ramp'),
          member('automatic', 'Bool', 'TRUE: the loop controls'),
          member('deviation', 'Bool', 'TRUE: the process value does not follow'),
          member('fault', 'Bool', 'TRUE: process value missing, or error of the controller'),
          member('errorBits', 'DWord', 'Errors of the controller, as PID_Compact reports them'),
          member('state', 'Int', 'State: STATE_ constants'),
        ],
        statics: [
          member('statState', 'Int', 'State of the last cycle'),
          member('statSetpoint', 'Real', 'Setpoint after limits and ramp'),
          member('statMode', 'Int', 'Mode at the controller; tuning changes it'),
          member('statWantedMode', 'Int', 'Mode that was passed to the controller last'),
          ...when(ramp, member('statRuntime', 'LReal', 'Memory of RUNTIME')),
          member('instPid', 'PID_Compact', 'Controller'),
          member('instDeviationTimer', 'TON_TIME', 'Process value does not follow'),
          member('instAcknowledgeEdge', 'R_TRIG', 'Edge of acknowledge'),
        ],
        temps: [
          member('tempWanted', 'Real', 'Setpoint within its limits'),
          member('tempMode', 'Int', 'Wanted mode of the controller'),
          member('tempChanges', 'Bool', 'Another mode is wanted'),
          ...when(ramp, member('tempStep', 'Real', 'Largest change of the setpoint in this cycle')),
        ],
        constants: [
          code('MODE_INACTIVE', 0, 'PID_Compact: inactive'),
          code('MODE_AUTOMATIC', 3, 'PID_Compact: automatic'),
          code('MODE_MANUAL', 4, 'PID_Compact: manual'),
          constant('CYCLE_TIME', 'Real', real(cycleTime), 'Time of the cyclic interrupt OB, s'),
          constant('NO_OUTPUT', 'Real', '0.0', 'Output when off, %'),
          constant('FULL_OUTPUT', 'Real', '100.0', 'Largest output, %'),
        ],
        body: parts(
          `
REGION State
    #instAcknowledgeEdge(CLK := #acknowledge);
    IF NOT #enable THEN
        #statState := #STATE_OFF;
    ELSIF #manual THEN
        #statState := #STATE_MANUAL;
    ELSIF NOT #inputOk OR #instPid.Error THEN
        #statState := #STATE_FAULT;
    ELSE
        #statState := #STATE_AUTOMATIC;
    END_IF;
END_REGION`,
          `
REGION Setpoint
    #tempWanted := LIMIT(MN := #rangeLow, IN := #setpoint, MX := #rangeHigh);
${
  ramp
    ? `    #tempStep := LREAL_TO_REAL(RUNTIME(#statRuntime)) * #rampRate;
    IF #statState = #STATE_AUTOMATIC THEN
        #statSetpoint := LIMIT(MN := #statSetpoint - #tempStep, IN := #tempWanted, MX := #statSetpoint + #tempStep);
    ELSE
        // The ramp begins where the process is.
        #statSetpoint := LIMIT(MN := #rangeLow, IN := #processValue, MX := #rangeHigh);
    END_IF;`
    : '    #statSetpoint := #tempWanted;'
}
END_REGION`,
          `
REGION Controller
    // Settings that belong to this block; gain and times are set by tuning.
    #instPid.Config.InputPerOn := FALSE;
    #instPid.Config.InvertControl := ${invert ? 'TRUE' : 'FALSE'};
    #instPid.Config.InputLowerLimit := #rangeLow;
    #instPid.Config.InputUpperLimit := #rangeHigh;
    #instPid.Config.OutputLowerLimit := #NO_OUTPUT;
    #instPid.Config.OutputUpperLimit := #FULL_OUTPUT;
    #instPid.Retain.CtrlParams.Cycle := #CYCLE_TIME;

    CASE #statState OF
        #STATE_MANUAL:
            #tempMode := #MODE_MANUAL;
        #STATE_AUTOMATIC:
            #tempMode := #MODE_AUTOMATIC;
        ELSE
            #tempMode := #MODE_INACTIVE;
    END_CASE;
    // Only a change is passed on, so that tuning from the commissioning view is not disturbed.
    #tempChanges := #tempMode <> #statWantedMode;
    IF #tempChanges THEN
        #statWantedMode := #tempMode;
        #statMode := #tempMode;
    END_IF;

    #instPid(Setpoint := #statSetpoint,
             Input := #processValue,
             ManualValue := #manualValue,
             ErrorAck := #instAcknowledgeEdge.Q,
             ModeActivate := #tempChanges,
             Mode := #statMode);
END_REGION`,
          `
REGION Deviation
    #instDeviationTimer(IN := #statState = #STATE_AUTOMATIC AND ABS(#tempWanted - #processValue) > #deviationLimit,
                        PT := #deviationTime);
    #deviation := #instDeviationTimer.Q;
END_REGION`,
          `
REGION Outputs
    CASE #statState OF
        #STATE_MANUAL:
            // The operator has the output, whatever the controller can do.
            #output := LIMIT(MN := #NO_OUTPUT, IN := #manualValue, MX := #FULL_OUTPUT);
        #STATE_AUTOMATIC:
            #output := LIMIT(MN := #NO_OUTPUT, IN := #instPid.Output, MX := #FULL_OUTPUT);
        ELSE
            #output := #NO_OUTPUT;
    END_CASE;
    // An operator goes on from where the output is.
    IF #statState <> #STATE_MANUAL THEN
        #manualValue := #output;
    END_IF;

    #activeSetpoint := #statSetpoint;
    #automatic := #statState = #STATE_AUTOMATIC;
    #fault := #statState = #STATE_FAULT;
    #errorBits := #instPid.ErrorBits;
    #state := #statState;
END_REGION`,
        ),
      },
    }
  },
})
