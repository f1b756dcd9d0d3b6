/** An analog input: scaled, filtered, watched. */
import { choice, flag, number, seconds } from './parameter.ts'
import { code, constant, duration, lines, member, parts, real, when } from './source.ts'
import { defineTemplate } from './template.ts'

export const analogScaling = defineTemplate({
  name: 'analog-scaling',
  title: 'Analog value with limits',
  category: 'Analog',
  summary:
    'Scales a raw analog value, filters it, watches four limits with hysteresis and delay, and detects bad signals.',
  blockName: 'AnalogScaling',
  operation: [
    'The raw value is scaled from the rated range of the module to `rangeLow` … `rangeHigh`, with `filter` smoothed by a first-order lag of `filterTime`. A limit is exceeded when the value is beyond it for `limitDelay`, and is over when the value is back by `hysteresis`. `state` shows the most serious one.',
    'Overflow, underflow and a wire break (raw value outside the range that the module can measure), and FALSE at `signalOk`, make the signal bad: `state` is STATE_BAD_SIGNAL, `quality` is FALSE, the value is `substitute` or the last good one, and no limit is watched. The signal has to be good for `limitDelay` before it counts again.',
  ],
  wiring: [
    'Wire `raw` to the input word of the channel (for example %IW96) and `signalOk` to its value status, or leave `signalOk` TRUE where there is none. The limits are inputs with a start value: write them from the HMI into the instance, or wire them.',
  ],
  parameters: {
    signal: choice(['unipolar', 'bipolar'], 'unipolar', 'Rated raw range: unipolar 0…27648, bipolar -27648…27648.'),
    rangeLow: number(0, [-1e9, 1e9], 'Value at the begin of the range.'),
    rangeHigh: number(100, [-1e9, 1e9], 'Value at the end of the range.'),
    filter: flag(true, 'Smooth the value with a first-order lag.'),
    filterTime: seconds(1, 'Time constant of the filter'),
    onBadSignal: choice(
      ['hold', 'substitute'],
      'hold',
      'Value while the signal is bad: the last good one, or substitute.',
    ),
    limitDelay: seconds(2, 'Time that a limit is exceeded before it counts'),
  },
  faults({ rangeLow, rangeHigh }) {
    const message = `must differ from rangeLow (${rangeLow}): the value would never change`
    return rangeHigh !== rangeLow ? [] : [{ path: '/rangeHigh', message, value: rangeHigh }]
  },
  design({ signal, rangeLow, rangeHigh, filter, filterTime, onBadSignal, limitDelay }) {
    const span = rangeHigh - rangeLow
    const at = (share: number) => real(rangeLow + span * share)
    const limits = [
      ['HighHigh', '>', '-', 'high alarm'],
      ['High', '>', '-', 'high warning'],
      ['Low', '<', '+', 'low warning'],
      ['LowLow', '<', '+', 'low alarm'],
    ] as const
    const lower = (name: string) => `${name[0]?.toLowerCase()}${name.slice(1)}`
    return {
      states: [
        code('STATE_NORMAL', 0, 'Within all limits'),
        code('STATE_HIGH', 1, 'High warning'),
        code('STATE_HIGH_HIGH', 2, 'High alarm'),
        code('STATE_LOW', 3, 'Low warning'),
        code('STATE_LOW_LOW', 4, 'Low alarm'),
        code('STATE_BAD_SIGNAL', 5, 'Wire break, overflow, underflow or bad value status'),
      ],
      block: {
        inputs: [
          member('raw', 'Int', 'Raw value of the channel'),
          member('signalOk', 'Bool', 'FALSE: the module reports a bad value'),
          member('rangeLow', 'Real', 'Value at the begin of the range', real(rangeLow)),
          member('rangeHigh', 'Real', 'Value at the end of the range', real(rangeHigh)),
          member('limitHighHigh', 'Real', 'Limit of the high alarm', at(0.95)),
          member('limitHigh', 'Real', 'Limit of the high warning', at(0.9)),
          member('limitLow', 'Real', 'Limit of the low warning', at(0.1)),
          member('limitLowLow', 'Real', 'Limit of the low alarm', at(0.05)),
          member('hysteresis', 'Real', 'Way back until a limit is over', real(Math.abs(span) * 0.01)),
          member('limitDelay', 'Time', 'Time that a limit is exceeded before it counts', duration(limitDelay)),
          ...when(
            filter,
            member('filterTime', 'Real', 'Time constant of the filter, s; 0: no filter', real(filterTime)),
          ),
          ...when(onBadSignal === 'substitute', member('substitute', 'Real', 'Value while the signal is bad', at(0))),
        ],
        outputs: [
          member('value', 'Real', 'Scaled value'),
          member('quality', 'Bool', 'TRUE: the value is measured'),
          ...limits.map(([name, , , text]) => member(lower(name), 'Bool', `TRUE: ${text}`)),
          member('state', 'Int', 'State: STATE_ constants'),
        ],
        statics: [
          member('statValue', 'Real', 'Scaled and filtered value'),
          ...when(filter, member('statRuntime', 'LReal', 'Memory of RUNTIME')),
          ...when(filter, member('statIsFirst', 'Bool', 'The filter has no value yet', 'TRUE')),
          ...limits.map(([name, , , text]) => member(`inst${name}Timer`, 'TON_TIME', `Delay of the ${text}`)),
          member('instGoodTimer', 'TON_TIME', 'Delay until the signal counts again'),
          member('statIsGood', 'Bool', 'The signal counts'),
        ],
        temps: [
          member('tempIsMeasured', 'Bool', 'The signal is good in this cycle'),
          member('tempScaled', 'Real', 'Scaled value without filter'),
          ...when(filter, member('tempElapsed', 'Real', 'Seconds since the last cycle')),
        ],
        constants: [
          code('RAW_LOW', signal === 'unipolar' ? 0 : -27_648, 'Begin of the rated range'),
          code('RAW_HIGH', 27_648, 'End of the rated range'),
          code('RAW_LOWEST', signal === 'unipolar' ? -4864 : -32_512, 'Least value that is no underflow'),
          code('RAW_HIGHEST', 32_511, 'Largest value that is no overflow'),
          ...when(filter, constant('NO_TIME', 'Real', '0.0', 'Filter off')),
        ],
        body: parts(
          `
REGION Signal
    #tempIsMeasured := #signalOk AND #raw >= #RAW_LOWEST AND #raw <= #RAW_HIGHEST;
    // A signal that has been bad has to be good for a while before it counts again.
    #instGoodTimer(IN := #tempIsMeasured,
                   PT := #limitDelay);
    #statIsGood := #tempIsMeasured AND (#statIsGood OR #instGoodTimer.Q);
END_REGION`,
          `
REGION Scaling
${lines(
  filter && '    #tempElapsed := LREAL_TO_REAL(RUNTIME(#statRuntime));',
  '    IF #tempIsMeasured THEN',
  `        #tempScaled := SCALE_X(MIN := #rangeLow,
                               VALUE := NORM_X(MIN := #RAW_LOW, VALUE := #raw, MAX := #RAW_HIGH),
                               MAX := #rangeHigh);`,
  filter
    ? `        IF #statIsFirst OR #filterTime <= #NO_TIME THEN
            #statValue := #tempScaled;
            #statIsFirst := FALSE;
        ELSE
            #statValue := #statValue + (#tempScaled - #statValue) * #tempElapsed / (#filterTime + #tempElapsed);
        END_IF;`
    : '        #statValue := #tempScaled;',
  onBadSignal === 'substitute' && '    ELSE\n        #statValue := #substitute;',
  onBadSignal === 'substitute' && filter && '        #statIsFirst := TRUE;',
  '    END_IF;',
)}
END_REGION`,
          `
REGION Limits
${limits
  .map(
    ([name, sign, back]) => `    #inst${name}Timer(IN := #statIsGood AND #statValue ${sign} #limit${name},
          PT := #limitDelay);
    IF NOT #statIsGood OR NOT (#statValue ${sign} #limit${name} ${back} #hysteresis) THEN
        #${lower(name)} := FALSE;
    ELSIF #inst${name}Timer.Q THEN
        #${lower(name)} := TRUE;
    END_IF;`,
  )
  .join('\n\n')}
END_REGION`,
          `
REGION Outputs
    #value := #statValue;
    #quality := #statIsGood;
    IF NOT #statIsGood THEN
        #state := #STATE_BAD_SIGNAL;
    ELSIF #highHigh THEN
        #state := #STATE_HIGH_HIGH;
    ELSIF #lowLow THEN
        #state := #STATE_LOW_LOW;
    ELSIF #high THEN
        #state := #STATE_HIGH;
    ELSIF #low THEN
        #state := #STATE_LOW;
    ELSE
        #state := #STATE_NORMAL;
    END_IF;
END_REGION`,
        ),
      },
    }
  },
})
