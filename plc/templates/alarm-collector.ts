/** Alarms of a plant section: acknowledgement, horn, lamp, first alarm. */
import { flag, integer, seconds } from './parameter.ts'
import { code, duration, lines, member, parts, when } from './source.ts'
import { defineTemplate } from './template.ts'

export const alarmCollector = defineTemplate({
  name: 'alarm-collector',
  title: 'Alarm collector with acknowledgement',
  category: 'Alarms',
  summary: 'Collects the alarms of a section with the four states of ISA-18.2, horn, lamp and the first alarm.',
  blockName: 'AlarmCollector',
  stateMember: 'alarmState[1]',
  operation: [
    'Each condition that is TRUE for `onDelay` raises its alarm. An alarm is unacknowledged until a rising edge of `acknowledge`, which acknowledges all, or of `acknowledgeOne`, which acknowledges the one whose number is in `selected`. A condition that goes before it was acknowledged leaves its alarm as returned, so that nothing gets lost.',
    'The horn sounds when an alarm is raised, until `silence` or an acknowledgement. The lamp flashes with `flashClock` while something is unacknowledged, and is on while acknowledged alarms are still active. `firstAlarm` has the number of the alarm that came first since all were normal.',
  ],
  wiring: [
    'Wire conditions so that TRUE is the alarm, and closed-circuit signals with NOT. `flashClock` is a bit of the clock memory (for example Clock_1Hz). With `suppression`, a condition whose bit is TRUE raises no alarm; show suppressed alarms to the operators (`suppressedCount`).',
  ],
  parameters: {
    alarms: integer(8, [1, 64], 'How many alarms.'),
    onDelay: seconds(0.5, 'Time that a condition is there before it raises its alarm'),
    suppression: flag(true, 'Let single alarms be suppressed.'),
  },
  design({ alarms, onDelay, suppression }) {
    const array = (type: string) => `Array[1..${alarms}] of ${type}`
    return {
      states: [
        code('STATE_NORMAL', 0, 'No alarm'),
        code('STATE_UNACKNOWLEDGED', 1, 'Active, not acknowledged'),
        code('STATE_ACKNOWLEDGED', 2, 'Active, acknowledged'),
        code('STATE_RETURNED', 3, 'Gone, not acknowledged'),
      ],
      block: {
        inputs: [
          member('conditions', array('Bool'), 'TRUE: condition of an alarm'),
          ...when(suppression, member('suppressed', array('Bool'), 'TRUE: the alarm is suppressed')),
          member('acknowledge', 'Bool', 'Acknowledge all, rising edge'),
          member('acknowledgeOne', 'Bool', 'Acknowledge the selected alarm, rising edge'),
          member('selected', 'Int', 'Number of an alarm'),
          member('silence', 'Bool', 'Horn off, rising edge'),
          member('flashClock', 'Bool', 'Bit of the clock memory'),
          member('onDelay', 'Time', 'Time that a condition is there before it counts', duration(onDelay)),
        ],
        outputs: [
          member('alarmState', array('Int'), 'State of each alarm: STATE_ constants'),
          member('active', 'Bool', 'TRUE: a condition is there'),
          member('unacknowledged', 'Bool', 'TRUE: an alarm is not acknowledged'),
          member('horn', 'Bool', 'To the horn'),
          member('lamp', 'Bool', 'To the lamp'),
          member('activeCount', 'Int', 'Active alarms'),
          member('unacknowledgedCount', 'Int', 'Alarms that are not acknowledged'),
          ...when(suppression, member('suppressedCount', 'Int', 'Suppressed conditions that are there')),
          member('firstAlarm', 'Int', 'Number of the alarm that came first; 0: all are normal'),
        ],
        statics: [
          member('instDelay', array('TON_TIME'), 'Delay of each condition'),
          member('instAcknowledgeEdge', 'R_TRIG', 'Edge of acknowledge'),
          member('instOneEdge', 'R_TRIG', 'Edge of acknowledgeOne'),
          member('instSilenceEdge', 'R_TRIG', 'Edge of silence'),
        ],
        temps: [
          member('tempIndex', 'Int', 'Number of the alarm'),
          member('tempIsThere', 'Bool', 'The condition counts'),
          member('tempAcknowledge', 'Bool', 'This alarm is acknowledged now'),
        ],
        constants: [code('ALARM_COUNT', alarms, 'How many alarms'), code('NO_ALARM', 0, 'No number of an alarm')],
        body: parts(
          `
REGION Commands
    #instAcknowledgeEdge(CLK := #acknowledge);
    #instOneEdge(CLK := #acknowledgeOne);
    #instSilenceEdge(CLK := #silence);
    IF #instSilenceEdge.Q OR #instAcknowledgeEdge.Q OR #instOneEdge.Q THEN
        #horn := FALSE;
    END_IF;
END_REGION`,
          `
REGION Alarms
    #activeCount := 0;
    #unacknowledgedCount := 0;
${lines(suppression && '    #suppressedCount := 0;')}
    FOR #tempIndex := 1 TO #ALARM_COUNT DO
        #instDelay[#tempIndex](IN := #conditions[#tempIndex]${suppression ? ' AND NOT #suppressed[#tempIndex]' : ''},
                               PT := #onDelay);
        #tempIsThere := #instDelay[#tempIndex].Q;
        #tempAcknowledge := #instAcknowledgeEdge.Q OR (#instOneEdge.Q AND #selected = #tempIndex);

        CASE #alarmState[#tempIndex] OF
            #STATE_NORMAL:
                IF #tempIsThere THEN
                    #alarmState[#tempIndex] := #STATE_UNACKNOWLEDGED;
                    #horn := TRUE;
                    IF #firstAlarm = #NO_ALARM THEN
                        #firstAlarm := #tempIndex;
                    END_IF;
                END_IF;
            #STATE_UNACKNOWLEDGED:
                IF #tempAcknowledge AND #tempIsThere THEN
                    #alarmState[#tempIndex] := #STATE_ACKNOWLEDGED;
                ELSIF #tempAcknowledge THEN
                    #alarmState[#tempIndex] := #STATE_NORMAL;
                ELSIF NOT #tempIsThere THEN
                    #alarmState[#tempIndex] := #STATE_RETURNED;
                END_IF;
            #STATE_ACKNOWLEDGED:
                IF NOT #tempIsThere THEN
                    #alarmState[#tempIndex] := #STATE_NORMAL;
                END_IF;
            #STATE_RETURNED:
                IF #tempIsThere THEN
                    // It came again: a new alarm.
                    #alarmState[#tempIndex] := #STATE_UNACKNOWLEDGED;
                    #horn := TRUE;
                ELSIF #tempAcknowledge THEN
                    #alarmState[#tempIndex] := #STATE_NORMAL;
                END_IF;
            ELSE
                #alarmState[#tempIndex] := #STATE_NORMAL;
        END_CASE;

        IF #alarmState[#tempIndex] = #STATE_UNACKNOWLEDGED OR #alarmState[#tempIndex] = #STATE_ACKNOWLEDGED THEN
            #activeCount := #activeCount + 1;
        END_IF;
        IF #alarmState[#tempIndex] = #STATE_UNACKNOWLEDGED OR #alarmState[#tempIndex] = #STATE_RETURNED THEN
            #unacknowledgedCount := #unacknowledgedCount + 1;
        END_IF;
${lines(
  suppression &&
    `        IF #conditions[#tempIndex] AND #suppressed[#tempIndex] THEN
            #suppressedCount := #suppressedCount + 1;
        END_IF;`,
  '    END_FOR;',
)}
END_REGION`,
          `
REGION Outputs
    #active := #activeCount > 0;
    #unacknowledged := #unacknowledgedCount > 0;
    IF NOT #active AND NOT #unacknowledged THEN
        #firstAlarm := #NO_ALARM;
    END_IF;
    IF NOT #unacknowledged THEN
        #horn := FALSE;
    END_IF;
    #lamp := (#unacknowledged AND #flashClock) OR (#active AND NOT #unacknowledged);
END_REGION`,
        ),
      },
    }
  },
})
