/** The documentation page on simulation. */
export const simulationPage = `A virtual controller (an *instance*) runs the program of a PLC. It has a name, a CPU type, network settings and a memory card; states and their names
are those of S7-PLCSIM Advanced. Up to 16 can be powered on side by side; each scans in a thread of its own.

## First success

With a project open that has a PLC with a program, and simulation support (\`POST /api/projects/actions/simulation-support\` with \`{"enabled":true}\`):

    K='X-API-Key: <key>'; H='Content-Type: application/json'; G=http://127.0.0.1:9000/api/simulation
    curl -H "$K" -H "$H" $G/instances/create -d '{"name":"PLC_1","cpuType":"CPU1515","ipAddress":"192.168.0.1"}'
    curl -H "$K" -H "$H" $G/start -d '{"name":"PLC_1","deviceName":"PLC_1"}'
    curl -H "$K" $G/tags
    curl -H "$K" -H "$H" -X PUT $G/tags/Start -d '{"value":true}'
    curl -H "$K" -H "$H" $G/tags/batch-read -d '{"tags":["Start","Data.speed","%QW0"]}'
    curl -H "$K" -X POST $G/stop

\`start\` powers the instance on, loads the compiled program of the device, switches to RUN and connects. \`stop\` undoes that.

## States

| state | possible transitions |
|---|---|
| Off | power-on |
| Booting | none: it becomes Stop or Run by itself |
| Stop | run, memory-reset, power-off |
| Startup | stop, power-off |
| Run | stop, hold, freeze, power-off |
| Hold | continue, stop, power-off |
| Freeze | unfreeze, stop, power-off |
| ShuttingDown | none: it becomes Off by itself |

Anything else is a 409 \`invalid_operating_state\`; \`state\` and \`allowed\` in it say what is possible. \`POST …/instances/{name}/power-on\` goes to Run when a
program is on the memory card, unless the configuration says \`"startup": "Stop"\` or \`"Last"\` (as before power-off). Memory reset is possible in
Stop only. Each transition is in the audit with the state before and after. What a controller does by itself (STP, the cycle time, an S7 client that stops it) is there as \`simulation.state-reported\`, with the entry of the diagnostics buffer that led to it.

**When the gateway stops**, instances are powered off and keep their retentive data. **When it starts**, they are Off, except those with
\`"autoStart": true\`. Forces are kept on the memory card. The
connection for tags, the session, traces and the diagnostics buffer do not survive it.

## Configuration and network

\`PUT …/instances/{name}/config\` sets cycle times, virtual time, start-up behaviour, clock and system memory bytes, retentive flags and cyclic
interrupts, partitions of the process image, hardware interrupts and the rights of S7 clients; what is left out stays. \`PUT …/instances/{name}/network\` sets addresses: IPv4, contiguous masks, gateways inside the subnet, no
address twice among all instances, every interface in a subnet of its own. A device of the project is reachable when a powered-on instance has its address.

The memory card is a folder, \`simulation/instances/<name>\` of the workspace unless \`storagePath\` says otherwise. No two instances share one. Deleting
an instance removes a folder that the gateway chose, and leaves one that you gave.

## Tags

Without an instance in the path, \`/api/simulation/tags…\` works on the connected one (\`POST /api/simulation/connect\`); all clients of the gateway share
that connection. \`/api/simulation/instances/{name}/tags…\` names the instance.

- Names: \`Start\`, \`"Start"\`, \`Data.list[1,2].speed\`, \`T1_DB.ET\`, \`word.%X3\`; addresses \`%I0.0\`, \`%MW2\`, \`%DB1.DBX2.3\` (data blocks with standard access).
- Structures and arrays are JSON objects and arrays. An object that is written changes only the members it names.
- All values of one request are of one scan boundary. A batch is written whole or not at all.
- Values that are no JSON are texts: \`"T#1s500ms"\`, \`"16#FF"\`, 64-bit integers beyond 2^53. A wrong type or range is a 422 that names value and type.
- \`GET …/tags/stream?tags=Start,Data.speed&intervalMs=100\` is a stream of server-sent events: first all values, then those that change; a name that is not there has quality Bad and its error, and the others go on; \`end\` with a reason when the instance is gone.

## Time

\`PUT …/instances/{name}/time\` with \`{"mode":"real","factor":10}\` lets time pass ten times as fast (0.01 to 100). \`{"mode":"stepped","cycleTimeMs":1}\` lets it
stand until \`POST …/actions/advance\` with \`{"cycles":100}\` or \`{"milliseconds":600000}\` moves it on, as fast as the computer can; two runs with the same inputs
give the same trace. Commands are done one after the other: while a long advance runs, a \`stop\` waits for it; \`DELETE /api/jobs/{jobId}\` ends the
advance at a cycle control point (\`actions/advance/async\` gives the job). \`freeze\` and \`unfreeze\` stop time and let it go on. \`hold\` and \`continue\`
do so as a CPU in HOLD: outputs are as in STOP (\`outputsInStop\`: Off, or Keep), and the clock of the day goes on.

## Process image and interrupts

\`"processImagePartitions": { "1": { "organizationBlock": 30, "inputs": [{ "firstByte": 10, "bytes": 4 }] } }\` gives OB 30 inputs of its own: they are read
when it begins, its outputs are written when it ends, and the cycle leaves them alone. Without a block (in the configuration or in the block's attribute
\`ProcessImagePartNumber\`) UPDAT_PI and UPDAT_PO update a partition. \`"hardwareInterrupts": [{ "byte": 0, "bit": 3, "edge": "rising", "organizationBlock": 40 }]\`
runs OB 40 when an input is written and changes. An event that finds the queue of its block full is lost: it is counted in the statistics and calls OB 80.

## Forces, traces, diagnostics

- \`PUT …/forces\` with \`{"forces":[{"tag":"%I0.0","value":true}]}\` replaces all forces of inputs and outputs; \`DELETE …/forces\` takes them away. Until
  then they hold, over power-off and another program too, as in an S7-1500.
- \`POST …/trace\` with \`{"tags":[…],"samples":1000,"everyCycles":1}\` records; \`GET …/trace\` gives JSON, or CSV for \`Accept: text/csv\`.
- \`GET …/diagnostics\`: what happened, when (virtual time) and where in the program. \`GET …/statistics\`: cycle times, overruns, lost events.

## Events

\`POST …/instances/{name}/events\` with \`{"event":"diagnosticError","laddr":260,"direction":"incoming"}\` runs the organization block of an event with its start
information: hardwareInterrupt (OB 40), diagnosticError (82), pullOrPlug (83), rackOrStationFailure (86), ioAccessError (122), timeError (80), programmingError (121).
\`information\` sets single fields by name. Without such a block, or without its module, the event is refused with the reason. In stepped time it runs when time is advanced next.

## Several controllers

\`POST /api/simulation/actions/advance\` with \`{"instances":["PLC_1","PLC_2"],"milliseconds":1000}\` advances controllers in lock step: each runs one step (their smallest
cycle, or \`stepMs\`), then they exchange what they sent to each other, in the order given. So a run repeats exactly. \`steps\` runs so many, \`until\` ends when a tag has a
value: \`{"until":{"instance":"PLC_2","tag":"Data.done","operator":"=","value":true}}\`.

## Communication

The blocks of communication work between instances, by the addresses of their network settings, and with real partners.

| blocks | between instances | real partners |
|---|---|---|
| TCON, TDISCON, TSEND, TRCV, TSEND_C, TRCV_C with TCP | yes | yes, active and passive |
| TUSEND, TURCV (UDP) | yes | yes |
| the same with ISO-on-TCP | yes | no |
| MB_CLIENT, MB_SERVER | yes | yes |
| GET, PUT | yes | yes |
| BSEND, BRCV, USEND, URCV | yes | no |

- Programs reach real partners on this computer (127.0.0.0/8). Others must be listed: \`PUT /api/simulation/runtime/config\` with \`{"allowedPartners":["192.168.0.10","10.0.0.0/8"]}\`. What is not allowed is
  in the diagnostics buffer (\`communication\`), and the block gives 16#80C6.
- A passive connection (TCON, MB_SERVER) listens on the instance's address when that is in 127.0.0.0/8, else on \`communicationHost\`, at its local port. A port that cannot be opened (below 1024 without
  rights, in use) is in the diagnostics buffer; other instances still reach it.
- S7 connections, and those of TCON_Configured, are in the configuration of an instance: \`{"connections":[{"id":"W#16#100","partnerAddress":"192.168.0.2"}]}\`, for real partners also
  \`partnerPort\`, \`rack\`, \`slot\`; for \`"kind":"tcp"\` \`partnerPort\`, \`localPort\`, \`isActive\`.
- Buffers have 64 KiB in each direction; a sender waits (BUSY) while its bytes have not left. STOP and power-off end all connections. A connection that is lost is established again.
- In stepped time use lock step: with \`advance\` of one instance, data arrive whenever the computer has passed them on.

## S7 clients

\`POST /api/simulation/runtime/port\` with \`{"port":10102}\` opens a port on which standard S7 clients (ISO-on-TCP) read and write I, Q, M and standard data
blocks, and read the CPU state. It listens on 127.0.0.1 unless \`host\` says otherwise, because S7 has no passwords. A client reaches the instance whose address
it calls (with \`host\` 0.0.0.0 a computer answers on all its addresses, Linux on all of 127.0.0.0/8: give an instance 127.0.0.2), else the connected instance, else the
only one that is powered on. The port is kept: it is open whenever the runtime is on, that is from the first power-on of an instance, or from the start of
the gateway with \`"autoStart": true\` in \`PUT /api/simulation/runtime/config\`. \`communicationPort\`, given when an instance is created or with \`PUT …/config\`, opens a port for it alone while it is on (from its next power-on).

Clients connect to rack 0, slot 1 (or 0); other places are refused. \`putGetAccess: false\` in the configuration of an instance refuses their reads and writes,
as a CPU without "Permit access with PUT/GET communication" does; \`protectionLevel\` 2 or 3 refuses start and stop. Data blocks with READ_ONLY are not written.

## Who may do what

Reading needs access level viewer; creating, configuring and connecting engineer; power, run, stop, writes, forces, time and opening ports operator.

## Profiles

A profile is a JSON file with definitions of instances in \`simulation/profiles\` of the workspace. \`POST /api/simulation/profiles\` with a \`name\` saves the registered
instances, or the \`instances\` it is given; \`POST …/profiles/{fileName}/load\` creates them, all or none.

    { "version": 1, "name": "Line 1", "description": "",
      "instances": [
        { "name": "PLC_1", "cpuType": "CPU1515",
          "network": [{ "interface": "X1", "ipAddress": "192.168.0.1", "subnetMask": "255.255.255.0" }],
          "config": { "maximumCycleTimeMs": 200 } } ] }

## From PLCSIM Advanced

\`POST /api/simulation/import-legacy\` takes a JSON description with the names of PLCSIM Advanced's API, as a file (\`filePath\`) or in the body (\`content\`): an array of
instances, an object with \`Instances\`, or one instance. The case of names does not matter.

| field | meaning |
|---|---|
| \`InstanceName\` (or \`Name\`) | name; required |
| \`CPUType\` | name or number of ECPUType: \`CPU1515\`, \`CPU1512SPF\`, \`CPU1500_Unspecified\`, 1511; or \`OrderNumber\` |
| \`IPSuites\` | array of \`{ IPAddress, SubnetMask, DefaultGateway }\`, one for each interface; or \`ControllerIP\`: array of addresses; 0.0.0.0 is left out |
| \`ScaleFactor\` | speed of virtual time |
| \`OverwrittenMinimalCycleTime_ns\` | minimum cycle time |
| \`OperatingMode\` | \`SingleStep…\`, \`TimespanSynchronized…\`: stepped time |
| \`SystemTime\` | system time at power-on |
| \`ID, OperatingState, StoragePath, CommunicationInterface …\` | without meaning here |

Any other field is refused (422) with its place. Archives (\`.zip\` of ArchiveStorage) and virtual memory cards hold the program compiled for Siemens'
own simulator; they are refused. Import the sources of the project instead, and download the device.
`
