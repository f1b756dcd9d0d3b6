/** A conveyor of zones that accumulates without pressure. */
import { integer, seconds } from './parameter.ts'
import { code, duration, member, parts } from './source.ts'
import { defineTemplate } from './template.ts'

export const conveyorAccumulation = defineTemplate({
  name: 'conveyor-accumulation',
  title: 'Conveyor with accumulation',
  category: 'Conveying',
  summary: 'Moves items over zones, one item in each, accumulates them without pressure, and finds jams.',
  blockName: 'ConveyorAccumulation',
  stateMember: 'zoneState[1]',
  operation: [
    'Zone 1 is the first in the direction of travel. A zone with an item releases it when the next zone is empty (the last one: when `downstreamReady` is TRUE): both run until the item has arrived. Zones without work stand still. An item that is put on a zone by hand is found by its sensor.',
    'A movement that is not done within `travelTime` is a jam: the zone stops and is latched until a rising edge of `acknowledge`; zones before it accumulate, those behind it empty themselves. FALSE at `enable` stops all zones where they are; they go on from there.',
  ],
  wiring: [
    'Each sensor is TRUE when an item is at the stopping place of its zone. `itemWaiting` comes from the conveyor before (its `itemAtEnd`), `readyToReceive` goes to it (its `downstreamReady`); so sections are put in a row. The output of a zone goes to its motor or, with drives, to their start command.',
  ],
  parameters: {
    zones: integer(4, [2, 50], 'How many zones.'),
    travelTime: seconds(5, 'Longest time of an item from zone to zone'),
  },
  design({ zones, travelTime }) {
    const array = (type: string) => `Array[1..${zones}] of ${type}`
    return {
      states: [
        code('STATE_EMPTY', 0, 'No item, stands'),
        code('STATE_FILLING', 1, 'Runs, an item comes'),
        code('STATE_OCCUPIED', 2, 'An item waits, stands'),
        code('STATE_RELEASING', 3, 'Runs, the item goes'),
        code('STATE_JAM', 4, 'The item has not arrived in time, stands'),
      ],
      block: {
        inputs: [
          member('enable', 'Bool', 'TRUE: the conveyor may run'),
          member('sensor', array('Bool'), 'TRUE: an item is in the zone'),
          member('itemWaiting', 'Bool', 'TRUE: the conveyor before hands an item over'),
          member('downstreamReady', 'Bool', 'TRUE: the conveyor behind takes an item'),
          member('acknowledge', 'Bool', 'Acknowledge jams, rising edge'),
          member('travelTime', 'Time', 'Longest time from zone to zone', duration(travelTime)),
        ],
        outputs: [
          member('motor', array('Bool'), 'To the motor of each zone'),
          member('zoneState', array('Int'), 'State of each zone: STATE_ constants'),
          member('readyToReceive', 'Bool', 'TRUE: zone 1 takes an item'),
          member('itemAtEnd', 'Bool', 'TRUE: the last zone hands an item over'),
          member('items', 'Int', 'Zones that are not empty'),
          member('full', 'Bool', 'TRUE: no zone is empty'),
          member('jam', 'Bool', 'TRUE: a zone has a jam'),
          member('jammedZone', 'Int', 'The jammed zone nearest to the end; 0: none'),
        ],
        statics: [
          member('statBefore', array('Int'), 'State of each zone in the last cycle'),
          member('instTravel', array('TON_TIME'), 'Time of the movement of each zone'),
          member('instAcknowledgeEdge', 'R_TRIG', 'Edge of acknowledge'),
        ],
        temps: [
          member('tempZone', 'Int', 'Number of the zone'),
          member('tempMoves', 'Bool', 'The zone moves an item'),
          member('tempNextTakes', 'Bool', 'The place behind is free'),
          member('tempHasArrived', 'Bool', 'The item has arrived behind'),
        ],
        constants: [code('ZONE_COUNT', zones, 'How many zones'), code('NO_ZONE', 0, 'No number of a zone')],
        body: parts(
          `
REGION Commands
    #instAcknowledgeEdge(CLK := #acknowledge);
END_REGION`,
          `
REGION Zones
    // From the end on, so that a whole row of items starts in one cycle.
    FOR #tempZone := #ZONE_COUNT TO 1 BY -1 DO
        // The time begins anew with each state.
        #tempMoves := #zoneState[#tempZone] = #STATE_FILLING OR #zoneState[#tempZone] = #STATE_RELEASING;
        #instTravel[#tempZone](IN := #enable AND #tempMoves AND #zoneState[#tempZone] = #statBefore[#tempZone],
                               PT := #travelTime);
        #statBefore[#tempZone] := #zoneState[#tempZone];

        IF #tempZone = #ZONE_COUNT THEN
            #tempNextTakes := #downstreamReady;
            #tempHasArrived := TRUE;
        ELSE
            #tempNextTakes := #zoneState[#tempZone + 1] = #STATE_EMPTY;
            #tempHasArrived := #zoneState[#tempZone + 1] <> #STATE_FILLING;
        END_IF;

        CASE #zoneState[#tempZone] OF
            #STATE_EMPTY:
                IF #sensor[#tempZone] THEN
                    #zoneState[#tempZone] := #STATE_OCCUPIED;
                ELSIF #tempZone = 1 AND #enable AND #itemWaiting THEN
                    #zoneState[#tempZone] := #STATE_FILLING;
                END_IF;
            #STATE_FILLING:
                IF #sensor[#tempZone] THEN
                    #zoneState[#tempZone] := #STATE_OCCUPIED;
                ELSIF #instTravel[#tempZone].Q THEN
                    #zoneState[#tempZone] := #STATE_JAM;
                END_IF;
            #STATE_OCCUPIED:
                IF NOT #sensor[#tempZone] THEN
                    // Taken off by hand.
                    #zoneState[#tempZone] := #STATE_EMPTY;
                ELSIF #enable AND #tempNextTakes THEN
                    #zoneState[#tempZone] := #STATE_RELEASING;
                    IF #tempZone < #ZONE_COUNT THEN
                        #zoneState[#tempZone + 1] := #STATE_FILLING;
                    END_IF;
                END_IF;
            #STATE_RELEASING:
                IF NOT #sensor[#tempZone] AND #tempHasArrived THEN
                    #zoneState[#tempZone] := #STATE_EMPTY;
                ELSIF #instTravel[#tempZone].Q THEN
                    #zoneState[#tempZone] := #STATE_JAM;
                END_IF;
            #STATE_JAM:
                IF #instAcknowledgeEdge.Q THEN
                    // What is there now counts.
                    #zoneState[#tempZone] := #STATE_EMPTY;
                END_IF;
            ELSE
                #zoneState[#tempZone] := #STATE_JAM;
        END_CASE;
    END_FOR;
END_REGION`,
          `
REGION Outputs
    #items := 0;
    #jammedZone := #NO_ZONE;
    FOR #tempZone := 1 TO #ZONE_COUNT DO
        #motor[#tempZone] := #enable
                             AND (#zoneState[#tempZone] = #STATE_FILLING OR #zoneState[#tempZone] = #STATE_RELEASING);
        IF #zoneState[#tempZone] <> #STATE_EMPTY THEN
            #items := #items + 1;
        END_IF;
        IF #zoneState[#tempZone] = #STATE_JAM THEN
            #jammedZone := #tempZone;
        END_IF;
    END_FOR;
    #full := #items = #ZONE_COUNT;
    #jam := #jammedZone <> #NO_ZONE;
    #readyToReceive := #enable AND (#zoneState[1] = #STATE_EMPTY OR #zoneState[1] = #STATE_FILLING);
    #itemAtEnd := #zoneState[#ZONE_COUNT] = #STATE_OCCUPIED OR #zoneState[#ZONE_COUNT] = #STATE_RELEASING;
END_REGION`,
        ),
      },
    }
  },
})
