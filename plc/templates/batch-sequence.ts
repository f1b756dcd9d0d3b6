/** A batch of steps with the states of ISA-88. */
import { choice, names, seconds } from './parameter.ts'
import { code, duration, lines, member, parts } from './source.ts'
import { defineTemplate } from './template.ts'

/** `MixSlow` as `MIX_SLOW`. */
const upper = (name: string) => name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toUpperCase()
const lower = (name: string) => `${name[0]?.toLowerCase()}${name.slice(1)}`

export const batchSequence = defineTemplate({
  name: 'batch-sequence',
  title: 'Batch sequence',
  category: 'Process',
  summary: 'Runs the steps of a batch in order, with the states of ISA-88: idle, running, held, complete, aborted.',
  blockName: 'BatchSequence',
  operation: [
    'A rising edge of `start` in idle begins with the first step. The output of the active step is TRUE; its input `…Done` ends it and begins the next one in the same cycle, after the last step the batch is complete. `hold`, or FALSE at `holdInterlockOk`, holds the batch: no step output is TRUE, the step is remembered, and `restart` goes on with it.',
    'A step that takes longer than `stepTime` sets `stepTimeout`; with `onTimeout` hold it also holds the batch. `abort`, or FALSE at `abortInterlockOk`, aborts from every state except complete and idle. `reset` brings a complete or aborted batch back to idle. Commands are rising edges; abort dominates hold, and hold dominates restart.',
  ],
  wiring: [
    'Wire each step output to the equipment of that step (or to the start of its phase), and what ends it to its `…Done`. The equipment must take its safe state when no step output is TRUE. Both interlocks are wired closed-circuit: TRUE is healthy.',
  ],
  parameters: {
    steps: names(['Fill', 'Heat', 'Mix', 'Drain'], [1, 30], 'Names of the steps in their order: letters and digits.', {
      pattern: '^[A-Za-z][A-Za-z0-9]*$',
      maxLength: 24,
    }),
    onTimeout: choice(
      ['hold', 'report'],
      'hold',
      'What a step does that takes too long: hold the batch, or only report it.',
    ),
    stepTime: seconds(600, 'Longest time of a step'),
  },
  design({ steps, onTimeout, stepTime }) {
    const stepConstants = steps.map((name, i) => code(`STEP_${upper(name)}`, i + 1, `Step ${name}`))
    const first = stepConstants[0]?.name
    return {
      states: [
        code('STATE_IDLE', 0, 'Waits for a start'),
        code('STATE_RUNNING', 1, 'A step is active'),
        code('STATE_HELD', 2, 'Held: no step output, the step is remembered'),
        code('STATE_COMPLETE', 3, 'All steps are done'),
        code('STATE_ABORTED', 4, 'Aborted'),
      ],
      block: {
        inputs: [
          member('start', 'Bool', 'Start, rising edge'),
          member('hold', 'Bool', 'Hold, rising edge'),
          member('restart', 'Bool', 'Go on after hold, rising edge'),
          member('abort', 'Bool', 'Abort, rising edge'),
          member('reset', 'Bool', 'Back to idle, rising edge'),
          member('holdInterlockOk', 'Bool', 'FALSE: hold'),
          member('abortInterlockOk', 'Bool', 'FALSE: abort'),
          ...steps.map((name) => member(`${lower(name)}Done`, 'Bool', `TRUE: step ${name} is done`)),
          member('stepTime', 'Time', 'Longest time of a step', duration(stepTime)),
        ],
        outputs: [
          ...steps.map((name) => member(`${lower(name)}Active`, 'Bool', `TRUE: step ${name} works`)),
          member('step', 'Int', 'Active or remembered step: STEP_ constants; 0: none'),
          member('running', 'Bool', 'TRUE: a step is active'),
          member('held', 'Bool', 'TRUE: held'),
          member('complete', 'Bool', 'TRUE: all steps are done'),
          member('stepTimeout', 'Bool', 'TRUE: the step takes longer than stepTime'),
          member('stepElapsed', 'Time', 'Time that the step has been active since its start or restart'),
          member('state', 'Int', 'State: STATE_ constants'),
        ],
        statics: [
          member('statState', 'Int', 'State of the last cycle'),
          member('statStep', 'Int', 'Active or remembered step'),
          member('statTimedStep', 'Int', 'Step whose time runs'),
          member('instStartEdge', 'R_TRIG', 'Edge of start'),
          member('instHoldEdge', 'R_TRIG', 'Edge of hold'),
          member('instRestartEdge', 'R_TRIG', 'Edge of restart'),
          member('instAbortEdge', 'R_TRIG', 'Edge of abort'),
          member('instResetEdge', 'R_TRIG', 'Edge of reset'),
          member('instStepTimer', 'TON_TIME', 'Time of the step'),
        ],
        temps: [member('tempIsDone', 'Bool', 'The active step is done')],
        constants: [
          code('NO_STEP', 0, 'No step is active'),
          ...stepConstants,
          code('LAST_STEP', steps.length, 'Last step'),
        ],
        body: parts(
          `
REGION Commands
    #instStartEdge(CLK := #start);
    #instHoldEdge(CLK := #hold);
    #instRestartEdge(CLK := #restart);
    #instAbortEdge(CLK := #abort);
    #instResetEdge(CLK := #reset);
END_REGION`,
          `
REGION Time of the step
    // It begins anew with each step, and after a hold.
    #instStepTimer(IN := #statState = #STATE_RUNNING AND #statStep = #statTimedStep,
                   PT := #stepTime);
    IF #statState = #STATE_RUNNING THEN
        #statTimedStep := #statStep;
    ELSE
        #statTimedStep := #NO_STEP;
    END_IF;
    #stepTimeout := #instStepTimer.Q OR (#stepTimeout AND #statState = #STATE_HELD);
    #stepElapsed := #instStepTimer.ET;
END_REGION`,
          `
REGION End of the step
    CASE #statStep OF
${steps.map((name) => `        #STEP_${upper(name)}:\n            #tempIsDone := #${lower(name)}Done;`).join('\n')}
        ELSE
            #tempIsDone := FALSE;
    END_CASE;
END_REGION`,
          `
REGION State machine
    CASE #statState OF
        #STATE_IDLE:
            IF #instStartEdge.Q AND #holdInterlockOk AND #abortInterlockOk THEN
                #statStep := #${first};
                #statState := #STATE_RUNNING;
            END_IF;
        #STATE_RUNNING:
            IF #instAbortEdge.Q OR NOT #abortInterlockOk THEN
                #statState := #STATE_ABORTED;
            ELSIF #instHoldEdge.Q OR NOT #holdInterlockOk${onTimeout === 'hold' ? ' OR #instStepTimer.Q' : ''} THEN
                #statState := #STATE_HELD;
            ELSIF #tempIsDone AND #statStep >= #LAST_STEP THEN
                #statStep := #NO_STEP;
                #statState := #STATE_COMPLETE;
            ELSIF #tempIsDone THEN
                #statStep := #statStep + 1;
            END_IF;
        #STATE_HELD:
            IF #instAbortEdge.Q OR NOT #abortInterlockOk THEN
                #statState := #STATE_ABORTED;
            ELSIF #instRestartEdge.Q AND #holdInterlockOk AND NOT #instHoldEdge.Q THEN
                #statState := #STATE_RUNNING;
            END_IF;
        #STATE_COMPLETE, #STATE_ABORTED:
            IF #instResetEdge.Q THEN
                #statStep := #NO_STEP;
                #statState := #STATE_IDLE;
            END_IF;
        ELSE
            // An undefined state is left towards the safe side.
            #statState := #STATE_ABORTED;
    END_CASE;
END_REGION`,
          `
REGION Outputs
    #running := #statState = #STATE_RUNNING;
${lines(...steps.map((name) => `    #${lower(name)}Active := #running AND #statStep = #STEP_${upper(name)};`))}
    #step := #statStep;
    #held := #statState = #STATE_HELD;
    #complete := #statState = #STATE_COMPLETE;
    #state := #statState;
END_REGION`,
        ),
      },
    }
  },
})
