/** A sign of life between two partners. */
import { choice, integer, seconds } from './parameter.ts'
import { code, duration, lines, member, parts } from './source.ts'
import { defineTemplate } from './template.ts'

export const watchdog = defineTemplate({
  name: 'watchdog',
  title: 'Watchdog with heartbeat',
  category: 'Control',
  summary: 'Sends a heartbeat to a partner and watches the heartbeat of the partner.',
  blockName: 'Watchdog',
  operation: [
    'The own heartbeat changes every `sendInterval`: a bit toggles, a counter counts. The partner is alive as long as its heartbeat changes within `timeout`; the connection is lost when it does not. It counts again after `goodBeats` changes, each within the timeout, so that a shaky partner is not taken for a good one.',
    '`linkOk` is FALSE from the start of the controller until the partner has shown that it lives. `lossCount` counts the losses since the last restart.',
  ],
  wiring: [
    'Send `heartbeatOut` with the data of the partner and wire `heartbeatIn` to what it sends. Use the same template on both sides, or let the partner send back what it receives. Set `timeout` to at least three times the interval of the partner. Use `linkOk` to take the received data, or safe values instead of it.',
  ],
  parameters: {
    signal: choice(['counter', 'bit'], 'counter', 'Heartbeat: a counter (UInt) or a bit that toggles.'),
    sendInterval: seconds(1, 'Time between two own beats'),
    timeout: seconds(5, 'Longest time between two beats of the partner'),
    goodBeats: integer(3, [1, 100], 'Beats of the partner until it counts as alive.'),
  },
  design({ signal, sendInterval, timeout, goodBeats }) {
    const type = signal === 'bit' ? 'Bool' : 'UInt'
    return {
      states: [
        code('STATE_WAITING', 0, 'No beat since the start'),
        code('STATE_ALIVE', 1, 'The partner is alive'),
        code('STATE_LOST', 2, 'The partner has stopped'),
        code('STATE_RECOVERING', 3, 'The partner beats again, it does not count yet'),
      ],
      block: {
        inputs: [
          member('heartbeatIn', type, 'Heartbeat of the partner'),
          member('sendInterval', 'Time', 'Time between two own beats', duration(sendInterval)),
          member('timeout', 'Time', 'Longest time between two beats of the partner', duration(timeout)),
        ],
        outputs: [
          member('heartbeatOut', type, 'Own heartbeat'),
          member('linkOk', 'Bool', 'TRUE: the partner is alive'),
          member('lossCount', 'DInt', 'Losses since the last restart'),
          member('state', 'Int', 'State: STATE_ constants'),
        ],
        statics: [
          member('statState', 'Int', 'State of the last cycle'),
          member('statIsDue', 'Bool', 'The own heartbeat changes in this cycle'),
          member('statLast', type, 'Last heartbeat of the partner'),
          member('statIsFirst', 'Bool', 'Nothing was received yet', 'TRUE'),
          member('statBeats', 'Int', 'Beats since the loss'),
          member('instSendTimer', 'TON_TIME', 'Time between two own beats'),
          member('instTimeout', 'TON_TIME', 'Time since the last beat of the partner'),
        ],
        temps: [member('tempHasBeaten', 'Bool', 'The partner has beaten in this cycle')],
        constants: [
          code('GOOD_BEATS', goodBeats, 'Beats until the partner counts as alive'),
          ...(signal === 'counter'
            ? [{ name: 'LAST_BEAT', type: 'UInt', value: '65535', comment: 'The counter begins anew after it' }]
            : []),
        ],
        body: parts(
          `
REGION Own heartbeat
    // Reading Q updates a timer, so its restart depends on a copy.
    #instSendTimer(IN := NOT #statIsDue,
                   PT := #sendInterval);
    #statIsDue := #instSendTimer.Q;
    IF #statIsDue THEN
${lines(
  signal === 'bit'
    ? '        #heartbeatOut := NOT #heartbeatOut;'
    : `        IF #heartbeatOut >= #LAST_BEAT THEN
            #heartbeatOut := 0;
        ELSE
            #heartbeatOut := #heartbeatOut + 1;
        END_IF;`,
)}
    END_IF;
END_REGION`,
          `
REGION Heartbeat of the partner
    // The first value is no beat: it may be old.
    #tempHasBeaten := #heartbeatIn <> #statLast AND NOT #statIsFirst;
    #statLast := #heartbeatIn;
    #statIsFirst := FALSE;
    #instTimeout(IN := NOT #tempHasBeaten,
                 PT := #timeout);
END_REGION`,
          `
REGION State machine
    CASE #statState OF
        #STATE_WAITING, #STATE_LOST:
            #statBeats := 0;
            IF #tempHasBeaten THEN
                #statBeats := 1;
                #statState := #STATE_RECOVERING;
            END_IF;
        #STATE_RECOVERING:
            IF #tempHasBeaten THEN
                #statBeats := #statBeats + 1;
            END_IF;
            IF #instTimeout.Q THEN
                #statState := #STATE_LOST;
            ELSIF #statBeats >= #GOOD_BEATS THEN
                #statState := #STATE_ALIVE;
            END_IF;
        #STATE_ALIVE:
            IF #instTimeout.Q THEN
                #lossCount := #lossCount + 1;
                #statState := #STATE_LOST;
            END_IF;
        ELSE
            // An undefined state is left towards the safe side.
            #statState := #STATE_LOST;
    END_CASE;
END_REGION`,
          `
REGION Outputs
    #linkOk := #statState = #STATE_ALIVE;
    #state := #statState;
END_REGION`,
        ),
      },
    }
  },
})
