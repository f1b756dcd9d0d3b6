/** A drive with PROFIdrive standard telegram 1. */
import { flag, number, seconds } from './parameter.ts'
import { code, constant, duration, member, parts, real } from './source.ts'
import { defineTemplate } from './template.ts'

export const motorTelegram1 = defineTemplate({
  name: 'motor-telegram-1',
  title: 'Drive with standard telegram 1',
  category: 'Drives',
  summary: 'Runs a PROFIdrive speed drive with standard telegram 1: state sequence, setpoint scaling, faults.',
  blockName: 'DriveTelegram1',
  operation: [
    'A rising edge of `start` switches the drive on with STW1 = 16#047F when it reports "ready to switch on" and no inhibit; FALSE at `enable` or TRUE at `stop` ramps it down (OFF1). FALSE at `quickStopOk` is OFF3, FALSE at `coastStopOk` is OFF2. After an inhibit the drive needs OFF1 once, which the block gives by itself while it is off.',
    'The setpoint in rpm is limited to `maximumSpeed`, scaled so that 16#4000 is `referenceSpeed` (p2000 of the drive), and sent only in operation. A fault of the drive, a drive that does not come into operation within `startTime`, or one that gives up control is latched. A rising edge of `acknowledge` sends bit 7 of STW1 and clears the latch when the drive is free of faults.',
  ],
  wiring: [
    'Make two tags of the types of this block at the addresses of the telegram, `send` at the output and `receive` at the input words. `telegramOk` comes from the diagnosis of the station (for example DeviceStates or the return value of DPRD_DAT): FALSE takes the drive to fault. Call the block in the cycle in which the process image of the telegram is updated.',
  ],
  parameters: {
    referenceSpeed: number(1500, [1, 100_000], 'Speed at 16#4000 (p2000 of the drive), in rpm.'),
    maximumSpeed: number(1500, [1, 100_000], 'Largest setpoint, in rpm.'),
    reverse: flag(true, 'Allow negative setpoints.'),
    startTime: seconds(10, 'Longest time until operation is enabled'),
  },
  design({ referenceSpeed, maximumSpeed, reverse, startTime }, blockName) {
    const [sendType, receiveType] = [`${blockName}_Send`, `${blockName}_Receive`]
    return {
      types: [
        {
          name: sendType,
          title: 'Standard telegram 1, PLC to drive',
          members: [
            member('controlWord', 'Word', 'STW1'),
            member('speedSetpoint', 'Int', 'NSOLL_A: 16#4000 is the reference speed'),
          ],
        },
        {
          name: receiveType,
          title: 'Standard telegram 1, drive to PLC',
          members: [
            member('statusWord', 'Word', 'ZSW1'),
            member('speedActual', 'Int', 'NIST_A: 16#4000 is the reference speed'),
          ],
        },
      ],
      states: [
        code('STATE_OFF', 0, 'Switched off, ready to switch on'),
        code('STATE_INHIBITED', 1, 'Switched off, the drive is not ready to switch on'),
        code('STATE_STARTING', 2, 'Switched on, operation awaited'),
        code('STATE_OPERATION', 3, 'Operation enabled, follows the setpoint'),
        code('STATE_STOPPING', 4, 'OFF1: ramps down'),
        code('STATE_FAULT', 5, 'Fault latched'),
      ],
      block: {
        inputs: [
          member('enable', 'Bool', 'TRUE: the drive may run'),
          member('start', 'Bool', 'Start, rising edge'),
          member('stop', 'Bool', 'Stop with ramp (OFF1); dominates start'),
          member('coastStopOk', 'Bool', 'FALSE: coast to rest (OFF2)'),
          member('quickStopOk', 'Bool', 'FALSE: quick stop (OFF3)'),
          member('telegramOk', 'Bool', 'TRUE: the telegram is exchanged'),
          member('speed', 'Real', 'Setpoint, rpm'),
          member('receive', `"${receiveType}"`, 'Telegram of the drive'),
          member('acknowledge', 'Bool', 'Acknowledge fault, rising edge'),
          member('referenceSpeed', 'Real', 'Speed at 16#4000 (p2000), rpm', real(referenceSpeed)),
          member('maximumSpeed', 'Real', 'Largest setpoint, rpm', real(maximumSpeed)),
          member('startTime', 'Time', 'Longest time until operation is enabled', duration(startTime)),
        ],
        outputs: [
          member('send', `"${sendType}"`, 'Telegram to the drive'),
          member('actualSpeed', 'Real', 'Actual speed, rpm'),
          member('ready', 'Bool', 'TRUE: a start would be accepted'),
          member('running', 'Bool', 'TRUE: operation is enabled'),
          member('atSpeed', 'Bool', 'TRUE: the speed is within its tolerance'),
          member('warning', 'Bool', 'TRUE: the drive has a warning'),
          member('fault', 'Bool', 'TRUE: a fault is latched'),
          member('faultCode', 'Int', 'Cause of the fault: FAULT_ constants'),
          member('state', 'Int', 'State: STATE_ constants'),
        ],
        statics: [
          member('statState', 'Int', 'State of the last cycle'),
          member('statFaultCode', 'Int', 'Cause of the latched fault'),
          member('instStartEdge', 'R_TRIG', 'Edge of start'),
          member('instAcknowledgeEdge', 'R_TRIG', 'Edge of acknowledge'),
          member('instStartTimer', 'TON_TIME', 'Operation does not come'),
        ],
        temps: [
          member('tempReleased', 'Bool', 'Drive may run in this cycle'),
          member('tempIsOn', 'Bool', 'OFF1 is withdrawn'),
          member('tempFaultCode', 'Int', 'Cause that is present in this cycle'),
          member('tempSpeed', 'Real', 'Limited setpoint, rpm'),
        ],
        constants: [
          code('FAULT_NONE', 0, 'No fault'),
          code('FAULT_DRIVE', 1, 'The drive reports a fault (ZSW1 bit 3)'),
          code('FAULT_NO_OPERATION', 2, 'Operation has not come within the time'),
          code('FAULT_TELEGRAM', 3, 'The telegram is not exchanged, or the drive has given up control'),
          constant('FULL_SCALE', 'Real', '16384.0', '16#4000: 100 % of the reference speed'),
          constant('LARGEST_RAW', 'Real', '32767.0', 'Largest value of NSOLL_A'),
          constant('NO_SPEED', 'Real', '0.0', 'Setpoint at rest'),
        ],
        body: parts(
          `
REGION Commands and releases
    #instStartEdge(CLK := #start);
    #instAcknowledgeEdge(CLK := #acknowledge);
    #tempReleased := #enable AND NOT #stop AND #coastStopOk AND #quickStopOk;
END_REGION`,
          `
REGION Faults
    #instStartTimer(IN := #statState = #STATE_STARTING,
                    PT := #startTime);

    // ZSW1: bit 3 fault present, bit 9 control requested.
    IF NOT #telegramOk OR NOT #receive.statusWord.%X9 THEN
        #tempFaultCode := #FAULT_TELEGRAM;
    ELSIF #receive.statusWord.%X3 THEN
        #tempFaultCode := #FAULT_DRIVE;
    ELSIF #instStartTimer.Q THEN
        #tempFaultCode := #FAULT_NO_OPERATION;
    ELSE
        #tempFaultCode := #FAULT_NONE;
    END_IF;

    IF #tempFaultCode <> #FAULT_NONE AND #statState <> #STATE_FAULT THEN
        #statFaultCode := #tempFaultCode;
        #statState := #STATE_FAULT;
    END_IF;
END_REGION`,
          `
REGION State machine
    // ZSW1: bit 0 ready to switch on, bit 2 operation enabled, bit 6 switching on inhibited.
    CASE #statState OF
        #STATE_OFF:
            IF #receive.statusWord.%X6 OR NOT #receive.statusWord.%X0 THEN
                #statState := #STATE_INHIBITED;
            ELSIF #instStartEdge.Q AND #tempReleased THEN
                #statState := #STATE_STARTING;
            END_IF;
        #STATE_INHIBITED:
            IF #receive.statusWord.%X0 AND NOT #receive.statusWord.%X6 THEN
                #statState := #STATE_OFF;
            END_IF;
        #STATE_STARTING:
            IF NOT #tempReleased THEN
                #statState := #STATE_STOPPING;
            ELSIF #receive.statusWord.%X2 THEN
                #statState := #STATE_OPERATION;
            END_IF;
        #STATE_OPERATION:
            // The drive also leaves operation by itself: by a local stop, or when its safety function takes the pulses.
            IF NOT #tempReleased OR NOT #receive.statusWord.%X2 THEN
                #statState := #STATE_STOPPING;
            END_IF;
        #STATE_STOPPING:
            IF NOT #receive.statusWord.%X2 THEN
                #statState := #STATE_OFF;
            END_IF;
        #STATE_FAULT:
            IF #instAcknowledgeEdge.Q AND #tempFaultCode = #FAULT_NONE THEN
                #statFaultCode := #FAULT_NONE;
                #statState := #STATE_OFF;
            END_IF;
        ELSE
            // An undefined state is left towards the safe side.
            #statState := #STATE_FAULT;
    END_CASE;
END_REGION`,
          `
REGION Telegram to the drive
    #tempIsOn := #statState = #STATE_STARTING OR #statState = #STATE_OPERATION;
    #send.controlWord.%X0 := #tempIsOn; // ON / OFF1
    #send.controlWord.%X1 := #coastStopOk; // no OFF2
    #send.controlWord.%X2 := #quickStopOk; // no OFF3
    #send.controlWord.%X3 := TRUE; // enable operation
    #send.controlWord.%X4 := TRUE; // enable the ramp generator
    #send.controlWord.%X5 := TRUE; // the ramp generator goes on
    #send.controlWord.%X6 := TRUE; // enable the setpoint
    #send.controlWord.%X7 := #acknowledge; // acknowledge faults
    #send.controlWord.%X10 := TRUE; // control by PLC

    IF #statState = #STATE_OPERATION AND #referenceSpeed > #NO_SPEED THEN
        #tempSpeed := LIMIT(MN := ${reverse ? '-#maximumSpeed' : '#NO_SPEED'}, IN := #speed, MX := #maximumSpeed);
        #tempSpeed := LIMIT(MN := -#LARGEST_RAW, IN := #tempSpeed / #referenceSpeed * #FULL_SCALE, MX := #LARGEST_RAW);
        #send.speedSetpoint := REAL_TO_INT(#tempSpeed);
    ELSE
        #send.speedSetpoint := 0;
    END_IF;
END_REGION`,
          `
REGION Outputs
    #actualSpeed := INT_TO_REAL(#receive.speedActual) / #FULL_SCALE * #referenceSpeed;
    #ready := #statState = #STATE_OFF AND #tempReleased;
    #running := #statState = #STATE_OPERATION;
    // ZSW1: bit 7 warning present, bit 8 speed deviation within its tolerance.
    #atSpeed := #statState = #STATE_OPERATION AND #receive.statusWord.%X8;
    #warning := #telegramOk AND #receive.statusWord.%X7;
    #fault := #statState = #STATE_FAULT;
    #faultCode := #statFaultCode;
    #state := #statState;
END_REGION`,
        ),
      },
    }
  },
})
