/** The modes of a unit. */
import { choice, flag } from './parameter.ts'
import { code, lines, member, parts, when } from './source.ts'
import { defineTemplate } from './template.ts'

export const modeHandling = defineTemplate({
  name: 'mode-handling',
  title: 'Mode handling',
  category: 'Control',
  summary: 'Decides the mode of a unit: off, manual, automatic stopped and running, optionally local and maintenance.',
  blockName: 'ModeHandling',
  operation: [
    'Manual and automatic are requested by rising edges and taken when `changeAllowed` is TRUE, automatic also only when `automaticAllowed` is TRUE; off is taken always and dominates. In automatic, `start` and `stop` begin and end the run. A lost `automaticAllowed` ends automatic. The unit is off after power-up.',
    'The switch `localSwitch` and the key `maintenanceKey` dominate all requests while they are TRUE, maintenance over local; afterwards the unit is off, so that nothing starts when the key is turned back. A fault (`faultPresent`) takes a unit in automatic to the mode that the parameter `onFault` says.',
  ],
  wiring: [
    'Use `isManual`, `isAutomatic` and `isRunning` to release the commands of the devices of the unit. `changeAllowed` says when a change between manual and automatic does no harm (for example: all drives at rest). Modes are not a protection of persons: a maintenance key also has to act on the safety program.',
  ],
  parameters: {
    local: flag(true, 'There is a switch for local operation.'),
    maintenance: flag(false, 'There is a key for maintenance.'),
    onFault: choice(
      ['stop', 'off', 'none'],
      'stop',
      'What a fault does in automatic: end the run, take the unit off, or nothing.',
    ),
  },
  design({ local, maintenance, onFault }) {
    return {
      states: [
        code('STATE_OFF', 0, 'Off'),
        code('STATE_MANUAL', 1, 'Manual'),
        code('STATE_AUTOMATIC', 2, 'Automatic, stopped'),
        code('STATE_RUNNING', 3, 'Automatic, runs'),
        ...when(local, code('STATE_LOCAL', 4, 'Local operation')),
        ...when(maintenance, code('STATE_MAINTENANCE', 5, 'Maintenance')),
      ],
      block: {
        inputs: [
          member('requestOff', 'Bool', 'Off, rising edge; dominates'),
          member('requestManual', 'Bool', 'Manual, rising edge'),
          member('requestAutomatic', 'Bool', 'Automatic, rising edge'),
          member('start', 'Bool', 'Automatic: begin the run, rising edge'),
          member('stop', 'Bool', 'Automatic: TRUE ends the run; dominates'),
          member('changeAllowed', 'Bool', 'TRUE: manual and automatic may change'),
          member('automaticAllowed', 'Bool', 'TRUE: automatic is possible'),
          ...when(onFault !== 'none', member('faultPresent', 'Bool', 'TRUE: the unit has a fault')),
          ...when(local, member('localSwitch', 'Bool', 'TRUE: local operation')),
          ...when(maintenance, member('maintenanceKey', 'Bool', 'TRUE: maintenance')),
        ],
        outputs: [
          member('isOff', 'Bool', 'TRUE: off'),
          member('isManual', 'Bool', 'TRUE: manual'),
          member('isAutomatic', 'Bool', 'TRUE: automatic, stopped or running'),
          member('isRunning', 'Bool', 'TRUE: automatic, runs'),
          ...when(local, member('isLocal', 'Bool', 'TRUE: local operation')),
          ...when(maintenance, member('isMaintenance', 'Bool', 'TRUE: maintenance')),
          member('modeChanged', 'Bool', 'TRUE for one cycle: another state'),
          member('requestRefused', 'Bool', 'TRUE for one cycle: a request was not taken'),
          member('state', 'Int', 'State: STATE_ constants'),
        ],
        statics: [
          member('statState', 'Int', 'State of the last cycle'),
          member('instOffEdge', 'R_TRIG', 'Edge of requestOff'),
          member('instManualEdge', 'R_TRIG', 'Edge of requestManual'),
          member('instAutomaticEdge', 'R_TRIG', 'Edge of requestAutomatic'),
          member('instStartEdge', 'R_TRIG', 'Edge of start'),
        ],
        body: parts(
          `
REGION Requests
    #instOffEdge(CLK := #requestOff);
    #instManualEdge(CLK := #requestManual);
    #instAutomaticEdge(CLK := #requestAutomatic);
    #instStartEdge(CLK := #start);
    #requestRefused := FALSE;
END_REGION`,
          `
REGION State
    // From what dominates to what gives way.
${lines(
  maintenance &&
    `    IF #maintenanceKey THEN
        #statState := #STATE_MAINTENANCE;`,
  local &&
    `    ${maintenance ? 'ELSIF' : 'IF'} #localSwitch THEN
        #statState := #STATE_LOCAL;`,
  `    ${maintenance || local ? 'ELSIF' : 'IF'} #instOffEdge.Q THEN
        #statState := #STATE_OFF;`,
  (maintenance || local) &&
    `    ELSIF ${[maintenance && '#statState = #STATE_MAINTENANCE', local && '#statState = #STATE_LOCAL'].filter(Boolean).join(' OR ')} THEN
        // Nothing starts when the key or the switch is turned back.
        #statState := #STATE_OFF;`,
)}
    ELSIF #instManualEdge.Q AND #changeAllowed THEN
        #statState := #STATE_MANUAL;
    ELSIF #instAutomaticEdge.Q AND #changeAllowed AND #automaticAllowed THEN
        IF #statState <> #STATE_RUNNING THEN
            #statState := #STATE_AUTOMATIC;
        END_IF;
    ELSIF #instManualEdge.Q OR #instAutomaticEdge.Q THEN
        #requestRefused := TRUE;
    END_IF;
END_REGION`,
          `
REGION Automatic
    IF #statState = #STATE_AUTOMATIC OR #statState = #STATE_RUNNING THEN
        IF NOT #automaticAllowed${onFault === 'off' ? ' OR #faultPresent' : ''} THEN
            #statState := #STATE_OFF;
        ELSIF #stop${onFault === 'stop' ? ' OR #faultPresent' : ''} THEN
            #statState := #STATE_AUTOMATIC;
        ELSIF #instStartEdge.Q THEN
            #statState := #STATE_RUNNING;
        END_IF;
    ELSIF #instStartEdge.Q THEN
        #requestRefused := TRUE;
    END_IF;
END_REGION`,
          `
REGION Outputs
    #modeChanged := #state <> #statState;
    #isOff := #statState = #STATE_OFF;
    #isManual := #statState = #STATE_MANUAL;
    #isAutomatic := #statState = #STATE_AUTOMATIC OR #statState = #STATE_RUNNING;
    #isRunning := #statState = #STATE_RUNNING;
${lines(
  local && '    #isLocal := #statState = #STATE_LOCAL;',
  maintenance && '    #isMaintenance := #statState = #STATE_MAINTENANCE;',
  '    #state := #statState;',
)}
END_REGION`,
        ),
      },
    }
  },
})
