/** A counter of quantities. */
import { choice, flag, number } from './parameter.ts'
import { code, constant, lines, member, parts, real, when } from './source.ts'
import { defineTemplate } from './template.ts'

const units = { second: 1, minute: 60, hour: 3600 } as const

export const totaliser = defineTemplate({
  name: 'totaliser',
  title: 'Totaliser',
  category: 'Process',
  summary:
    'Totals a flow over time or counts pulses, keeps the total over a power failure, and reports a preset quantity.',
  blockName: 'Totaliser',
  operation: [
    'While `enable` is TRUE, a flow above `cutOff` is added with the time that has passed since the last cycle, whatever the cycle is; with pulses each rising edge adds `pulseValue`. `batchTotal` begins at 0 with a rising edge of `reset`; `total` goes on, and is set back only by the maintenance input `resetTotal`. Both are LReal and retentive, so that small quantities are not lost in a large total.',
    'With `preset`, `reached` is TRUE from the preset quantity on (less `lead`, the quantity that still flows while the valve closes); the counting goes on, so that what flows afterwards counts too.',
  ],
  wiring: [
    'Wire the flow as a scaled value and its quality to `inputOk`: a value that is not measured does not count, and `state` shows it. Pulses must be longer than a cycle; faster ones need a high-speed counter.',
  ],
  parameters: {
    source: choice(['rate', 'pulse'], 'rate', 'What is counted: a flow (rate) or pulses.'),
    rateUnit: choice(['second', 'minute', 'hour'], 'hour', 'Time unit of the flow (rate).'),
    pulseValue: number(1, [1e-9, 1e9], 'Quantity of one pulse (pulse).'),
    cutOff: number(0, [0, 1e9], 'Flow that does not count, for the zero error of the meter (rate).'),
    preset: flag(true, 'Report a preset quantity.'),
  },
  design({ source, rateUnit, pulseValue, cutOff, preset }) {
    const isRate = source === 'rate'
    return {
      states: [
        code('STATE_STOPPED', 0, 'Does not count'),
        code('STATE_COUNTING', 1, 'Counts'),
        ...when(preset, code('STATE_REACHED', 2, 'The preset quantity is reached; counts on')),
        ...when(isRate, code('STATE_BAD_SIGNAL', 3, 'The flow is not measured')),
      ],
      block: {
        inputs: [
          member('enable', 'Bool', 'TRUE: count'),
          ...(isRate
            ? [
                member('flow', 'Real', `Flow, units per ${rateUnit}`),
                member('inputOk', 'Bool', 'TRUE: the flow is measured'),
              ]
            : [member('pulse', 'Bool', 'Pulse, rising edge')]),
          member('reset', 'Bool', 'batchTotal to 0, rising edge'),
          member('resetTotal', 'Bool', 'total to 0, rising edge (maintenance)'),
          ...when(isRate, member('cutOff', 'Real', 'Flow that does not count', real(cutOff))),
          ...when(!isRate, member('pulseValue', 'LReal', 'Quantity of one pulse', real(pulseValue))),
          ...when(
            preset,
            member('presetQuantity', 'LReal', 'Preset quantity; 0: none'),
            member('lead', 'LReal', 'Quantity that still flows after the end', '0.0'),
          ),
        ],
        outputs: [
          member('batchTotal', 'LReal', 'Quantity since reset'),
          member('total', 'LReal', 'Quantity since resetTotal'),
          ...when(
            preset,
            member('remaining', 'LReal', 'Quantity until the preset one'),
            member('reached', 'Bool', 'TRUE: the preset quantity is reached'),
          ),
          member('state', 'Int', 'State: STATE_ constants'),
        ],
        retains: [
          member('statBatchTotal', 'LReal', 'Quantity since reset'),
          member('statTotal', 'LReal', 'Quantity since resetTotal'),
        ],
        statics: [
          member('instResetEdge', 'R_TRIG', 'Edge of reset'),
          member('instResetTotalEdge', 'R_TRIG', 'Edge of resetTotal'),
          isRate
            ? member('statRuntime', 'LReal', 'Memory of RUNTIME')
            : member('instPulseEdge', 'R_TRIG', 'Edge of pulse'),
        ],
        temps: [
          member('tempQuantity', 'LReal', 'Quantity of this cycle'),
          ...when(isRate, member('tempElapsed', 'LReal', 'Seconds since the last cycle')),
        ],
        constants: [
          constant('NOTHING', 'LReal', '0.0', 'No quantity'),
          ...when(isRate, constant('SECONDS_PER_UNIT', 'LReal', real(units[rateUnit]), `Seconds of a ${rateUnit}`)),
        ],
        body: parts(
          `
REGION Quantity of this cycle
${lines(
  isRate
    ? `    // Also called while it does not count, so that no time is added afterwards.
    #tempElapsed := RUNTIME(#statRuntime);
    IF #enable AND #inputOk AND #flow > #cutOff THEN
        #tempQuantity := REAL_TO_LREAL(#flow) * #tempElapsed / #SECONDS_PER_UNIT;`
    : `    #instPulseEdge(CLK := #pulse);
    IF #enable AND #instPulseEdge.Q THEN
        #tempQuantity := #pulseValue;`,
)}
    ELSE
        #tempQuantity := #NOTHING;
    END_IF;
END_REGION`,
          `
REGION Totals
    #instResetEdge(CLK := #reset);
    #instResetTotalEdge(CLK := #resetTotal);
    IF #instResetEdge.Q THEN
        #statBatchTotal := #NOTHING;
    END_IF;
    IF #instResetTotalEdge.Q THEN
        #statTotal := #NOTHING;
    END_IF;
    #statBatchTotal := #statBatchTotal + #tempQuantity;
    #statTotal := #statTotal + #tempQuantity;
END_REGION`,
          `
REGION Outputs
${lines(
  `    #batchTotal := #statBatchTotal;
    #total := #statTotal;`,
  preset &&
    `    IF #presetQuantity > #NOTHING THEN
        #reached := #statBatchTotal >= #presetQuantity - #lead;
        #remaining := MAX(IN1 := #presetQuantity - #statBatchTotal, IN2 := #NOTHING);
    ELSE
        #reached := FALSE;
        #remaining := #NOTHING;
    END_IF;`,
  `
    IF NOT #enable THEN
        #state := #STATE_STOPPED;`,
  isRate && '    ELSIF NOT #inputOk THEN\n        #state := #STATE_BAD_SIGNAL;',
  preset && '    ELSIF #reached THEN\n        #state := #STATE_REACHED;',
)}
    ELSE
        #state := #STATE_COUNTING;
    END_IF;
END_REGION`,
        ),
      },
    }
  },
})
