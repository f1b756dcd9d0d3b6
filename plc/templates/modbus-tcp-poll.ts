/** A Modbus TCP client that works off a table of jobs. */
import { integer, seconds, text } from './parameter.ts'
import { code, constant, duration, member, parts } from './source.ts'
import { defineTemplate } from './template.ts'

export const modbusTcpPoll = defineTemplate({
  name: 'modbus-tcp-poll',
  title: 'Modbus TCP poll',
  category: 'Data',
  summary: 'Reads and writes a Modbus TCP server with MB_CLIENT, by a table of jobs that are done in turn.',
  blockName: 'ModbusPoll',
  operation: [
    'Each round does the enabled jobs of the table `jobs` in their order, one request after another, then waits for `pollInterval`. A job has mode (0 reads, 1 writes), Modbus address (40001… holding registers, 30001… input registers, 1… coils, 10001… inputs), length and data; `ok`, `status` and its counters tell how it went. Data of a job that fails stay as they are.',
    'After an exception of the server the next job follows. After any other error, and when a job takes longer than `jobTime`, the connection is closed and the round goes on after `retryDelay`; MB_CLIENT connects again by itself. `communicationOk` is TRUE after a round without errors, and FALSE from an error on. FALSE at `enable` closes the connection when the running job is done.',
  ],
  wiring: [
    'Make `jobs` in a global data block with optimized access, as an array of the type `<block>_Job`, with start values for the jobs. `interfaceId` is the hardware identifier of the local PROFINET interface (64 is the first one of an S7-1500), `connectionId` must be used by nothing else. One instance for each server; several instances need a connection ID each.',
  ],
  parameters: {
    jobs: integer(4, [1, 32], 'Rows of the table of jobs.'),
    registers: integer(16, [1, 123], 'Most registers of one job.'),
    ipAddress: text('192.168.0.10', 'IPv4 address of the server.', 15, {
      pattern: '^((25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])(\\.(?!$)|$)){4}$',
    }),
    port: integer(502, [1, 65_535], 'TCP port of the server.'),
    unitId: integer(255, [0, 255], 'Modbus unit behind a gateway; 255: the server itself.'),
    connectionId: integer(1, [1, 4095], 'ID of the connection.'),
    interfaceId: integer(64, [1, 65_535], 'Hardware identifier of the local interface.'),
    pollInterval: seconds(1, 'Pause between two rounds'),
    retryDelay: seconds(5, 'Pause after an error of the connection'),
    jobTime: seconds(10, 'Longest time of a job'),
  },
  design(values, blockName) {
    const { jobs, registers, ipAddress, port, unitId, connectionId, interfaceId } = values
    const jobType = `${blockName}_Job`
    const hex = (number: number) => `16#${number.toString(16).toUpperCase()}`
    const address = ipAddress.split('.').map((part) => hex(Number(part)))
    const data = `Array[0..${registers - 1}] of Word`
    return {
      types: [
        {
          name: jobType,
          title: 'Job of a Modbus client',
          members: [
            member('enabled', 'Bool', 'TRUE: the job is done'),
            member('mode', 'USInt', '0: read, 1: write'),
            member('address', 'UDInt', 'Modbus address, 40001 is the first holding register', '40001'),
            member('length', 'UInt', 'Registers or bits', '1'),
            member('ok', 'Bool', 'TRUE: done without an error'),
            member('status', 'Word', 'STATUS of MB_CLIENT at the last error'),
            member('doneCount', 'UDInt', 'Jobs done without an error'),
            member('errorCount', 'UDInt', 'Errors'),
            member('data', data, 'Registers that are read or written'),
          ],
        },
      ],
      states: [
        code('STATE_OFF', 0, 'Not enabled, connection closed'),
        code('STATE_WAITING', 1, 'Pause between two rounds'),
        code('STATE_SELECT', 2, 'Looks for the next job'),
        code('STATE_REQUEST', 3, 'MB_CLIENT works on a job'),
        code('STATE_RETRY', 4, 'Connection closed after an error, pause'),
      ],
      block: {
        inputs: [
          member('enable', 'Bool', 'TRUE: poll'),
          member('remoteAddress', 'Array[1..4] of Byte', 'IPv4 address of the server', `[${address.join(', ')}]`),
          member('remotePort', 'UInt', 'TCP port of the server', String(port)),
          member('unitId', 'Byte', 'Modbus unit; 16#FF: the server itself', hex(unitId)),
          member('connectionId', 'CONN_OUC', 'ID of the connection', String(connectionId)),
          member('interfaceId', 'HW_ANY', 'Hardware identifier of the local interface', String(interfaceId)),
          member('pollInterval', 'Time', 'Pause between two rounds', duration(values.pollInterval)),
          member('retryDelay', 'Time', 'Pause after an error of the connection', duration(values.retryDelay)),
          member('jobTime', 'Time', 'Longest time of a job', duration(values.jobTime)),
        ],
        inOuts: [member('jobs', `Array[1..${jobs}] of "${jobType}"`, 'Table of jobs')],
        outputs: [
          member('connected', 'Bool', 'TRUE: the connection is established'),
          member('communicationOk', 'Bool', 'TRUE: the last round had no error'),
          member('activeJob', 'Int', 'Job that is done; 0: none'),
          member('roundCount', 'UDInt', 'Rounds since the start'),
          member('errorCount', 'UDInt', 'Errors since the start'),
          member('lastStatus', 'Word', 'STATUS of MB_CLIENT at the last error'),
          member('state', 'Int', 'State: STATE_ constants'),
        ],
        statics: [
          member('statState', 'Int', 'State of the last cycle'),
          member('statJob', 'Int', 'Last job of this round'),
          member('statRoundOk', 'Bool', 'No error in this round'),
          member('statConnection', 'TCON_IP_v4', 'Description of the connection'),
          member('statBuffer', data, 'Registers of the running job'),
          member('instClient', 'MB_CLIENT', 'Modbus client'),
          member('instPollTimer', 'TON_TIME', 'Pause between two rounds'),
          member('instRetryTimer', 'TON_TIME', 'Pause after an error'),
          member('instJobTimer', 'TON_TIME', 'Time of the running job'),
        ],
        temps: [
          member('tempIndex', 'Int', 'Row of the table, or byte of the address'),
          member('tempStatus', 'Word', 'STATUS of the error'),
          member('tempIsException', 'Bool', 'The server has answered with an exception'),
        ],
        constants: [
          code('JOB_COUNT', jobs, 'Rows of the table of jobs'),
          code('NO_JOB', 0, 'No row of the table'),
          code('ADDRESS_BYTES', 4, 'Bytes of an address'),
          constant('TYPE_TCP', 'Byte', '16#0B', 'ConnectionType: TCP'),
          constant('EXCEPTION_FIRST', 'UInt', '16#8381', 'STATUS of the first exception of the protocol'),
          constant('EXCEPTION_LAST', 'UInt', '16#8384', 'STATUS of the last exception of the protocol'),
          constant('STATUS_TIMEOUT', 'Word', '16#80C8', 'STATUS of a job that takes too long'),
        ],
        body: parts(
          `
REGION Connection
    #statConnection.InterfaceId := #interfaceId;
    #statConnection.ID := #connectionId;
    #statConnection.ConnectionType := #TYPE_TCP;
    #statConnection.ActiveEstablished := TRUE;
    FOR #tempIndex := 1 TO #ADDRESS_BYTES DO
        #statConnection.RemoteAddress.ADDR[#tempIndex] := #remoteAddress[#tempIndex];
    END_FOR;
    #statConnection.RemotePort := #remotePort;
    #instClient.MB_UNIT_ID := #unitId;
END_REGION`,
          `
REGION Times
    #instPollTimer(IN := #statState = #STATE_WAITING,
                   PT := #pollInterval);
    #instRetryTimer(IN := #statState = #STATE_RETRY,
                    PT := #retryDelay);
    #instJobTimer(IN := #statState = #STATE_REQUEST,
                  PT := #jobTime);
END_REGION`,
          `
REGION State machine
    CASE #statState OF
        #STATE_OFF:
            #communicationOk := FALSE;
            IF #enable THEN
                #statJob := #NO_JOB;
                #statRoundOk := TRUE;
                #statState := #STATE_SELECT;
            END_IF;
        #STATE_WAITING:
            IF NOT #enable THEN
                #statState := #STATE_OFF;
            ELSIF #instPollTimer.Q THEN
                #statJob := #NO_JOB;
                #statRoundOk := TRUE;
                #statState := #STATE_SELECT;
            END_IF;
        #STATE_SELECT:
            // The next enabled job behind the last one; without any the round is over.
            IF NOT #enable THEN
                #statState := #STATE_OFF;
            ELSE
                #statState := #STATE_WAITING;
                FOR #tempIndex := #statJob + 1 TO #JOB_COUNT DO
                    IF #jobs[#tempIndex].enabled THEN
                        #statJob := #tempIndex;
                        #statBuffer := #jobs[#tempIndex].data;
                        #statState := #STATE_REQUEST;
                        EXIT;
                    END_IF;
                END_FOR;
                IF #statState = #STATE_WAITING THEN
                    #communicationOk := #statRoundOk AND #statJob <> #NO_JOB;
                    #roundCount := #roundCount + 1;
                END_IF;
            END_IF;
        #STATE_REQUEST:
            // It is left when the job is done (below).
            ;
        #STATE_RETRY:
            IF NOT #enable THEN
                #statState := #STATE_OFF;
            ELSIF #instRetryTimer.Q THEN
                #statState := #STATE_SELECT;
            END_IF;
        ELSE
            // An undefined state is left towards the safe side.
            #statState := #STATE_OFF;
    END_CASE;
END_REGION`,
          `
REGION Modbus client
    // The parameters stay as they are while a job runs.
    IF #statJob = #NO_JOB THEN
        #tempIndex := 1;
    ELSE
        #tempIndex := #statJob;
    END_IF;
    #instClient(REQ := #statState = #STATE_REQUEST,
                DISCONNECT := #statState = #STATE_OFF OR #statState = #STATE_RETRY,
                MB_MODE := #jobs[#tempIndex].mode,
                MB_DATA_ADDR := #jobs[#tempIndex].address,
                MB_DATA_LEN := #jobs[#tempIndex].length,
                MB_DATA_PTR := #statBuffer,
                CONNECT := #statConnection);
END_REGION`,
          `
REGION Result of the job
    IF #statState = #STATE_REQUEST AND #instClient.DONE THEN
        #jobs[#statJob].data := #statBuffer;
        #jobs[#statJob].ok := TRUE;
        #jobs[#statJob].doneCount := #jobs[#statJob].doneCount + 1;
        #statState := #STATE_SELECT;
    ELSIF #statState = #STATE_REQUEST AND (#instClient.ERROR OR #instJobTimer.Q) THEN
        IF #instClient.ERROR THEN
            #tempStatus := #instClient.STATUS;
        ELSE
            #tempStatus := #STATUS_TIMEOUT;
        END_IF;
        #jobs[#statJob].ok := FALSE;
        #jobs[#statJob].status := #tempStatus;
        #jobs[#statJob].errorCount := #jobs[#statJob].errorCount + 1;
        #lastStatus := #tempStatus;
        #errorCount := #errorCount + 1;
        #communicationOk := FALSE;
        #statRoundOk := FALSE;
        // A server that answers with an exception is there.
        #tempIsException := WORD_TO_UINT(#tempStatus) >= #EXCEPTION_FIRST
                            AND WORD_TO_UINT(#tempStatus) <= #EXCEPTION_LAST;
        IF #tempIsException THEN
            #statState := #STATE_SELECT;
        ELSE
            #statState := #STATE_RETRY;
        END_IF;
    END_IF;
END_REGION`,
          `
REGION Outputs
    #connected := #instClient.CONNECTED;
    IF #statState = #STATE_REQUEST THEN
        #activeJob := #statJob;
    ELSE
        #activeJob := #NO_JOB;
    END_IF;
    #state := #statState;
END_REGION`,
        ),
      },
    }
  },
})
