/** A queue: first in, first out. */
import { choice, flag, integer } from './parameter.ts'
import { code, lines, member, parts, when } from './source.ts'
import { defineTemplate } from './template.ts'

export const fifoQueue = defineTemplate({
  name: 'fifo-queue',
  title: 'First-in-first-out queue',
  category: 'Data',
  summary: 'Keeps items in the order in which they came, in a ring, so that nothing is moved.',
  blockName: 'FifoQueue',
  operation: [
    'A rising edge of `enqueue` puts `item` at the end, one of `dequeue` takes the oldest item off and gives it at `dequeued`; both in one cycle: first off, then on, so that a full queue passes through. `front` shows the oldest item without taking it. A rising edge of `clear` empties the queue; it dominates.',
    'An item for a full queue is refused, or with `onFull` overwrite takes the place of the oldest one. `errorCode` tells what the last command has met, until the next one. Each command costs the same time, however many items there are.',
  ],
  wiring: [
    'To put several items in one cycle, call the instance several times with `enqueue` FALSE and TRUE. Wire `full` so that nothing more comes. With elements of type record, the type `<block>_Item` has what an item needs: change it in the type.',
  ],
  parameters: {
    element: choice(
      ['Int', 'DInt', 'UDInt', 'Real', 'LReal', 'Word', 'DWord', 'String', 'record'],
      'DInt',
      'Type of the items; record: a PLC data type of this template.',
    ),
    capacity: integer(50, [1, 1000], 'Most items.'),
    onFull: choice(['refuse', 'overwrite'], 'refuse', 'What an item does that comes to a full queue.'),
    retentive: flag(true, 'Items stay when the power fails.'),
  },
  design({ element, capacity, onFull, retentive }, blockName) {
    const itemType = `${blockName}_Item`
    const type = element === 'record' ? `"${itemType}"` : element
    const memory = [
      member('statItems', `Array[0..${capacity - 1}] of ${type}`, 'Items, as a ring'),
      member('statFirst', 'Int', 'Place of the oldest item'),
      member('statCount', 'Int', 'How many items there are'),
    ]
    return {
      types:
        element === 'record'
          ? [
              {
                name: itemType,
                title: 'Item of a queue',
                members: [
                  member('id', 'DInt', 'Number of the item'),
                  member('kind', 'Int', 'What it is'),
                  member('value', 'Real', 'What was measured'),
                  member('text', 'String[32]', 'Code or name'),
                ],
              },
            ]
          : [],
      states: [
        code('STATE_EMPTY', 0, 'No item'),
        code('STATE_FILLED', 1, 'Items, and room for more'),
        code('STATE_FULL', 2, 'No room'),
      ],
      block: {
        inputs: [
          member('enqueue', 'Bool', 'Put item at the end, rising edge'),
          member('dequeue', 'Bool', 'Take the oldest item off, rising edge'),
          member('clear', 'Bool', 'Empty the queue, rising edge; dominates'),
          member('item', type, 'Item that is put'),
        ],
        outputs: [
          member('dequeued', type, 'Item that was taken off last'),
          member('front', type, 'Oldest item; valid while the queue is not empty'),
          member('count', 'Int', 'How many items there are'),
          member('empty', 'Bool', 'TRUE: no item'),
          member('full', 'Bool', 'TRUE: no room'),
          member('done', 'Bool', 'TRUE for one cycle: commands were carried out'),
          member('errorCode', 'Int', 'What the last command has met: ERROR_ constants'),
          member('state', 'Int', 'State: STATE_ constants'),
        ],
        retains: when(retentive, ...memory),
        statics: [
          ...when(!retentive, ...memory),
          member('instEnqueueEdge', 'R_TRIG', 'Edge of enqueue'),
          member('instDequeueEdge', 'R_TRIG', 'Edge of dequeue'),
          member('instClearEdge', 'R_TRIG', 'Edge of clear'),
        ],
        constants: [
          code('CAPACITY', capacity, 'Most items'),
          code('ERROR_NONE', 0, 'Nothing'),
          code('ERROR_EMPTY', 1, 'Nothing to take off'),
          code(
            'ERROR_FULL',
            2,
            onFull === 'refuse' ? 'No room: the item was refused' : 'No room: the oldest item was overwritten',
          ),
        ],
        body: parts(
          `
REGION Commands
    #instEnqueueEdge(CLK := #enqueue);
    #instDequeueEdge(CLK := #dequeue);
    #instClearEdge(CLK := #clear);
    #done := FALSE;
    IF #instEnqueueEdge.Q OR #instDequeueEdge.Q OR #instClearEdge.Q THEN
        #errorCode := #ERROR_NONE;
        #done := TRUE;
    END_IF;

    // A retentive memory of an older program may hold what does not fit.
    IF #statFirst < 0 OR #statFirst >= #CAPACITY OR #statCount < 0 OR #statCount > #CAPACITY THEN
        #statFirst := 0;
        #statCount := 0;
    END_IF;
END_REGION`,
          `
REGION Queue
    IF #instClearEdge.Q THEN
        #statFirst := 0;
        #statCount := 0;
    ELSE
        IF #instDequeueEdge.Q THEN
            IF #statCount > 0 THEN
                #dequeued := #statItems[#statFirst];
                #statFirst := (#statFirst + 1) MOD #CAPACITY;
                #statCount := #statCount - 1;
            ELSE
                #errorCode := #ERROR_EMPTY;
                #done := FALSE;
            END_IF;
        END_IF;
        IF #instEnqueueEdge.Q THEN
            IF #statCount < #CAPACITY THEN
                #statItems[(#statFirst + #statCount) MOD #CAPACITY] := #item;
                #statCount := #statCount + 1;
            ELSE
${lines(
  onFull === 'overwrite' &&
    `                // The place of the oldest item is the end of the ring now.
                #statItems[#statFirst] := #item;
                #statFirst := (#statFirst + 1) MOD #CAPACITY;`,
  '                #errorCode := #ERROR_FULL;',
  onFull === 'refuse' && '                #done := FALSE;',
)}
            END_IF;
        END_IF;
    END_IF;
END_REGION`,
          `
REGION Outputs
    #count := #statCount;
    #empty := #statCount = 0;
    #full := #statCount = #CAPACITY;
    IF #empty THEN
        #state := #STATE_EMPTY;
    ELSE
        #front := #statItems[#statFirst];
        IF #full THEN
            #state := #STATE_FULL;
        ELSE
            #state := #STATE_FILLED;
        END_IF;
    END_IF;
END_REGION`,
        ),
      },
    }
  },
})
