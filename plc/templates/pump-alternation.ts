/** A group of pumps that share the work. */
import { choice, integer, seconds } from './parameter.ts'
import { code, constant, duration, lines, member, parts, when } from './source.ts'
import { defineTemplate } from './template.ts'

export const pumpAlternation = defineTemplate({
  name: 'pump-alternation',
  title: 'Pump alternation',
  category: 'Process',
  summary: 'Runs as many of a group of pumps as are wanted, shares their work, and replaces pumps that fail.',
  blockName: 'PumpAlternation',
  operation: [
    'As many pumps run as `demand` says. Pumps start one after another with `startDelay` between them, and stop with `stopDelay`. With rotation `order` the next pump in the row starts and the one that has run longest since its start stops; with `hours` the one with the fewest operating hours starts and the one with the most stops.',
    'A pump that is not available stops at once, and another takes its place. When fewer are available than are wanted, all available ones run and `state` is STATE_SHORTAGE. FALSE at `enable` stops all at once.',
  ],
  wiring: [
    '`available` of a pump is TRUE when it has no fault, is in automatic and is released (template motor-direct: NOT `fault`); `run` goes to its start command. `demand` comes from level switches (their count) or from a controller. The operating hours are retentive; set an element of `statSeconds` to 0 when a pump is replaced.',
  ],
  parameters: {
    pumps: integer(3, [2, 12], 'How many pumps.'),
    rotation: choice(
      ['order', 'hours'],
      'order',
      'What shares the work: the order of the pumps, or their operating hours.',
    ),
    startDelay: seconds(10, 'Time between two starts'),
    stopDelay: seconds(20, 'Time that a pump is too many before it stops'),
  },
  design({ pumps, rotation, startDelay, stopDelay }) {
    const array = (type: string) => `Array[1..${pumps}] of ${type}`
    const byHours = rotation === 'hours'
    /** A search for the pump that fits best. */
    const search = (isRunning: boolean) => {
      const fits = isRunning ? '#run[#tempPump]' : '#available[#tempPump] AND NOT #run[#tempPump]'
      if (byHours)
        return `        FOR #tempPump := 1 TO #PUMP_COUNT DO
            IF ${fits} THEN
                IF #tempBest = #NO_PUMP THEN
                    #tempBest := #tempPump;
                ELSIF #statSeconds[#tempPump] ${isRunning ? '>' : '<'} #statSeconds[#tempBest] THEN
                    #tempBest := #tempPump;
                END_IF;
            END_IF;
        END_FOR;`
      return `        // In the row, from the pump behind the one that started last.
        FOR #tempStep := 0 TO #PUMP_COUNT - 1 DO
            #tempPump := (#statLast + #tempStep) MOD #PUMP_COUNT + 1;
            IF #tempBest = #NO_PUMP AND ${fits} THEN
                #tempBest := #tempPump;
            END_IF;
        END_FOR;`
    }
    return {
      states: [
        code('STATE_OFF', 0, 'Not enabled'),
        code('STATE_IDLE', 1, 'No pump is wanted, none runs'),
        code('STATE_STEADY', 2, 'As many run as are wanted'),
        code('STATE_STAGING', 3, 'A pump starts or stops when its delay is over'),
        code('STATE_SHORTAGE', 4, 'Fewer are available than are wanted'),
      ],
      block: {
        inputs: [
          member('enable', 'Bool', 'FALSE: all pumps off'),
          member('demand', 'Int', 'How many pumps are wanted'),
          member('available', array('Bool'), 'TRUE: the pump can run'),
          member('startDelay', 'Time', 'Time between two starts', duration(startDelay)),
          member('stopDelay', 'Time', 'Time that a pump is too many before it stops', duration(stopDelay)),
        ],
        outputs: [
          member('run', array('Bool'), 'To the start command of each pump'),
          member('runningCount', 'Int', 'Pumps that run'),
          member('availableCount', 'Int', 'Pumps that can run'),
          member('shortage', 'Bool', 'TRUE: fewer are available than are wanted'),
          member('hours', array('LReal'), 'Operating hours of each pump'),
          member('state', 'Int', 'State: STATE_ constants'),
        ],
        retains: [
          member('statSeconds', array('LReal'), 'Seconds of operation of each pump'),
          ...when(!byHours, member('statLast', 'Int', 'Pump that started last')),
        ],
        statics: [
          member('statRuntime', 'LReal', 'Memory of RUNTIME'),
          member('statHasChanged', 'Bool', 'A pump has started or stopped in the last cycle'),
          member('instStartTimer', 'TON_TIME', 'Time between two starts'),
          member('instStopTimer', 'TON_TIME', 'Time that a pump is too many'),
        ],
        temps: [
          member('tempPump', 'Int', 'Number of the pump'),
          ...when(!byHours, member('tempStep', 'Int', 'Way from the last pump')),
          member('tempBest', 'Int', 'Pump that starts or stops'),
          member('tempDemand', 'Int', 'Pumps that are wanted, within the limits'),
          member('tempElapsed', 'LReal', 'Seconds since the last cycle'),
        ],
        constants: [
          code('PUMP_COUNT', pumps, 'How many pumps'),
          code('NO_PUMP', 0, 'No number of a pump'),
          constant('SECONDS_PER_HOUR', 'LReal', '3600.0', 'Seconds of an hour'),
        ],
        body: parts(
          `
REGION Availability and operating hours
    #tempElapsed := RUNTIME(#statRuntime);
    #runningCount := 0;
    #availableCount := 0;
    FOR #tempPump := 1 TO #PUMP_COUNT DO
        IF #run[#tempPump] THEN
            #statSeconds[#tempPump] := #statSeconds[#tempPump] + #tempElapsed;
        END_IF;
        #hours[#tempPump] := #statSeconds[#tempPump] / #SECONDS_PER_HOUR;
        #run[#tempPump] := #run[#tempPump] AND #available[#tempPump] AND #enable;
        IF #run[#tempPump] THEN
            #runningCount := #runningCount + 1;
        END_IF;
        IF #available[#tempPump] THEN
            #availableCount := #availableCount + 1;
        END_IF;
    END_FOR;
    #shortage := #enable AND #demand > #availableCount;
    #tempDemand := LIMIT(MN := 0, IN := #demand, MX := #availableCount);
END_REGION`,
          `
REGION Start and stop
    // The delays begin anew with each pump.
    #instStartTimer(IN := #enable AND #runningCount < #tempDemand AND NOT #statHasChanged,
                    PT := #startDelay);
    #instStopTimer(IN := #enable AND #runningCount > #tempDemand AND NOT #statHasChanged,
                   PT := #stopDelay);
    #statHasChanged := FALSE;
    #tempBest := #NO_PUMP;

    // The first pump does not wait.
    IF #instStartTimer.Q OR (#enable AND #runningCount = 0 AND #tempDemand > 0) THEN
${search(false)}
        IF #tempBest <> #NO_PUMP THEN
            #run[#tempBest] := TRUE;
            #runningCount := #runningCount + 1;
${lines(!byHours && '            #statLast := #tempBest;', '            #statHasChanged := TRUE;')}
        END_IF;
    ELSIF #instStopTimer.Q THEN
${search(true)}
        IF #tempBest <> #NO_PUMP THEN
            #run[#tempBest] := FALSE;
            #runningCount := #runningCount - 1;
            #statHasChanged := TRUE;
        END_IF;
    END_IF;
END_REGION`,
          `
REGION Outputs
    IF NOT #enable THEN
        #state := #STATE_OFF;
    ELSIF #shortage THEN
        #state := #STATE_SHORTAGE;
    ELSIF #runningCount <> #tempDemand THEN
        #state := #STATE_STAGING;
    ELSIF #runningCount = 0 THEN
        #state := #STATE_IDLE;
    ELSE
        #state := #STATE_STEADY;
    END_IF;
END_REGION`,
        ),
      },
    }
  },
})
