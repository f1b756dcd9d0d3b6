/** The documentation page on online functions. */
export const onlinePage = `A device of the project is *reachable* when a virtual controller that is powered on has the IP address of one of its interfaces. Its program can then
be downloaded, read back and compared, and its CPU started and stopped.

## A whole journey

From an empty project to a running program and back. Each line was run as it stands, with the key and the address of the gateway:

    K='X-API-Key: <key>'; H='Content-Type: application/json'; G=http://127.0.0.1:9000/api

    # a project with a PLC that has a program; simulation support is off in a new project
    curl -H "$K" -H "$H" $G/projects/actions/create -d '{"name":"Line"}'
    curl -H "$K" -H "$H" $G/projects/actions/simulation-support -d '{"enabled":true}'
    curl -H "$K" -H "$H" $G/projects/devices/actions/add-sync -d '{"orderNumber":"6ES7 515-2AM02-0AB0","name":"PLC_1"}'
    cat > main.scl <<'SCL'
    DATA_BLOCK "Data"
    { S7_Optimized_Access := 'TRUE' }
    VAR
      count : DInt;
    END_VAR
    BEGIN
    END_DATA_BLOCK
    ORGANIZATION_BLOCK "Main"
    BEGIN
      "Data".count := "Data".count + 1;
    END_ORGANIZATION_BLOCK
    SCL
    curl -H "$K" -F file=@main.scl $G/devices/PLC_1/blocks/actions/import

    # a controller with an address, powered on
    curl -H "$K" -H "$H" $G/simulation/instances/create -d '{"name":"Sim","cpuType":"CPU1515","ipAddress":"192.168.0.1"}'
    curl -H "$K" -X POST $G/simulation/instances/Sim/power-on

    # online; ipAddress is needed only when the device itself has another address, or none
    curl -H "$K" -H "$H" $G/devices/PLC_1/online -d '{"ipAddress":"192.168.0.1"}'
    curl -H "$K" -H "$H" $G/devices/PLC_1/actions/download-sync -d '{"compile":true,"dryRun":true}'
    curl -H "$K" -H "$H" $G/devices/PLC_1/actions/download-sync -d '{"compile":true,"startAfter":true}'
    curl -H "$K" $G/devices/PLC_1/cpu/status
    curl -H "$K" $G/simulation/instances/Sim/tags/Data.count

    # a change: what differs, and a download while it runs
    sed -i 's/+ 1;/+ 2;/' main.scl
    curl -H "$K" -F file=@main.scl -F overwrite=true $G/devices/PLC_1/blocks/actions/import
    curl -H "$K" -X POST "$G/devices/PLC_1/actions/compare?only=differences"
    curl -H "$K" -H "$H" $G/devices/PLC_1/actions/download-sync -d '{"compile":true,"inRun":true}'
    curl -H "$K" -X POST $G/devices/PLC_1/cpu/actions/stop

    # another project: the program comes back from the controller, with the device
    curl -H "$K" -H "$H" $G/projects/actions/close -d '{"save":true}'
    curl -H "$K" -H "$H" $G/projects/actions/create -d '{"name":"Copy"}'
    curl -H "$K" -H "$H" $G/devices/PLC_1/actions/upload-sync -d '{"ipAddress":"192.168.0.1"}'
    curl -H "$K" $G/devices/PLC_1/blocks

## Online and offline

\`POST /api/devices/{deviceName}/online\` connects, \`DELETE\` ends the connection, \`GET …/online/status\` says which of both it is. With \`ipAddress\` a controller is
reached at another address than the device's; the connection keeps it for all that follows. The connection ends by itself when the
controller is powered off, and when the device or the project goes. While it lasts, the device is neither renamed nor deleted nor given another
address (409), and only then are watch and force tables live. Download, upload, compare and the CPU routes do not need it: they connect
by themselves to \`ipAddress\`, else to the controller the device is online with, else to the one with the device's address.

A device that cannot be reached is a 409 \`device_unreachable\`. It names the addresses that were looked for (\`addresses\`) and the instances with their states and
addresses (\`instances\`).

## CPU

\`GET …/cpu/status\`: \`STOP\`, \`STARTUP\`, \`RUN\`, or \`HOLD\` for a controller in Hold or Freeze. \`POST …/cpu/actions/start\` and \`…/stop\` work from each of them (operator
rights); \`changed\` is false when there was nothing to do.

## Download

\`POST …/actions/download-sync\` waits; \`POST …/actions/download\` answers with a job whose progress tells the steps: check, compile, plan, stop, load, start.

| field | default | meaning |
|---|---|---|
| \`compile\` | false | compile first when something has changed; without it that is a 409 \`program_not_compiled\` |
| \`stopModules\` | false | stop a running CPU, and start it again |
| \`inRun\` | false | load at the end of a cycle, without a stop |
| \`startAfter\` | when it was stopped | switch to RUN in the end |
| \`reinitialize\` | false | all data blocks take start values |
| \`reinitializeChanged\` | false | in RUN: values that cannot stay become start values, all others stay |
| \`all\` | false | load also when the controller has everything already |
| \`software\`, \`hardware\` | true | the program; the check of the hardware configuration and the description of the device |
| \`force\` | false | replace know-how protected blocks, or the program of another device |
| \`dryRun\` | false | say what would happen, change nothing |

A value stays when its member is still there by name and type, wherever it is in its data block now; new members have start values. So data
blocks and types can be extended while the CPU runs, as with the memory reserve of an S7-1500. What cannot stay (the member is gone, or of
another type, bounds or access) is in \`report.lost\`: in STOP with a warning, in RUN as a 409 \`values_would_be_lost\` unless
\`reinitializeChanged\` or \`reinitialize\` is true. Arrays stay whole or, of structures, member by member. Errors of the
compiler are a 422 \`program_has_errors\` with block, line and column. The controller must be of the family of the device (409 \`incompatible_cpu\`); another
type of the same family is a warning. What takes more work or load memory than the CPU of the device or of the controller has is a 422 \`memory_exceeded\` with
the figures, and already an error of compiling; \`GET /api/devices/PLC_1/program/memory\` lists what each block takes. The project must support simulation (409 \`simulation_support_off\`).

The sources, tag tables, PLC data types, watch tables and folders are loaded too. They stay on the memory card when the controller is off.

\`POST /api/simulation/start {"name":"Sim","deviceName":"PLC_1"}\` compiles, downloads and starts in one call.

## Start values

\`POST /api/devices/PLC_1/blocks/Data/actions/load-start-values\` makes the start values of a data block its actual values, all of them and at once, in RUN too. They are the
start values that were downloaded; a data block that has changed since is a 409.

The other way round: \`POST …/blocks/Data/actions/snapshot-actual-values\` keeps the actual values of a data block (\`POST …/devices/PLC_1/actions/snapshot-actual-values\`
those of all, at one cycle control point), \`GET …/blocks/Data/snapshot-values\` lists them, and \`POST …/actions/apply-snapshot-as-start-values\` copies them to the start
values in the project: all, or \`{"values": "setpoints"}\`, or \`{"values": "retain"}\`. A snapshot is kept until the project is closed; its files do not have it.

## Upload

\`POST …/actions/upload-sync\` gives back what was downloaded, byte for byte, with numbers, folders and protection. A device that the project
does not have is made. Objects that the project has with another content are a 409 that lists them all; \`overwrite\` replaces them. Nothing is
done unless everything can be. What is only in the project stays, and is in \`onlyOffline\`.

## Compare

\`POST …/actions/compare\` tells each object \`equal\`, \`differs\`, \`onlyOffline\` or \`onlyOnline\`, and what differs: \`code\`, \`interface\`, \`startValues\`, \`comments\`, \`properties\`,
\`tags\`, \`constants\`, \`rows\`, \`number\`, \`folder\`, or \`text\` when only the writing does. \`?only=differences\` leaves out what is equal.

## Live logic

\`GET /api/devices/{deviceName}/blocks/{blockName}/networks/{network}/values\` reads the operands of a network at one scan boundary; of LAD and FBD the power
flow at every pin too, of a GRAPH block the active steps. \`…/networks/stream\` follows all networks of a block. Lines of the picture of a network
(\`blocks.picture\`) name their pin in \`data-flow\`. What only the moment of execution knows is null: an edge, ENO of an instruction that can fail,
temporary data, in-out parameters.

\`GET /api/devices/{deviceName}/program/why?name="Motor"\` says why a value is what it is now: the networks that write it and the operands that decide, as a tree.
Of a coil that is off these are the open contacts, of one that is on the closed ones; of timers and other boxes their inputs; of SCL the assigned
expression with the conditions around it, and the inputs of a call of an instance. STL is told with its line only. Writes through pointers, by S7 clients
and of know-how protected blocks are not seen.
`
