/** The documentation page on live watch and force tables. */
export const liveTablesPage = `A watch table shows and modifies values of the controller that a device is online with; the force table holds inputs and outputs at values.
The tables themselves (rows, formats, triggers) are those of the project: see the operations on watch and force tables.

## First success

With the program of PLC_1 in a controller (see *Online*) that has the tags \`Start\` (%I0.0), \`Lamp\` (%Q0.0) and \`Setpoint\` (%MW10):

    K='X-API-Key: <key>'; H='Content-Type: application/json'; D=http://127.0.0.1:9000/api/devices/PLC_1
    curl -H "$K" -X POST $D/online
    curl -H "$K" -H "$H" $D/watch-tables -d '{"name":"Test"}'
    curl -H "$K" -H "$H" $D/watch-tables/Test/entries -d '{"entries":["Start","Lamp",{"name":"Setpoint","displayFormat":"Hex","modifyValue":"16#1F","modifyIntention":true}]}'
    curl -H "$K" $D/watch-tables/Test/values
    curl -H "$K" -X POST $D/watch-tables/Test/actions/modify
    curl -H "$K" -N $D/watch-tables/Test/values/stream

Without a connection each of these is a 409 \`device_offline\`. A row whose symbol or address the loaded program does not have is \`Bad\` in values; modifying
or forcing it is a 422 that names the row, and nothing is written.

## Values

\`GET …/values\` ("monitor now") reads all rows at one scan boundary: \`value\` in the display format of the row, \`raw\` as JSON, \`quality\`, \`isForced\`.
\`GET …/values/stream\` ("monitor all") sends what changes, with the monitor triggers:

| monitor trigger | is told |
|---|---|
| Permanent, PermanentAtStart, PermanentAtEnd | whenever it has changed. The boundary is the end of one cycle and the start of the next |
| OnceOnlyAtStart, OnceOnlyAtEnd | once, in RUN |
| PermanentAtStop | at each transition to STOP |
| OnceOnlyAtStop | at the next transition to STOP |

## Modify

\`POST …/actions/modify\` ("modify now") writes once, at the next cycle control point. \`POST …/actions/modify-trigger\` writes with the modify triggers; \`GET\` of the
same path says what is \`active\`, \`waiting\` or \`done\`, \`DELETE\` ends it. Both take the rows that have a modify value and \`modifyIntention\`, or those in
\`entries\`: \`{"entries":["Setpoint",3,{"name":"Lamp","value":true}]}\`. Text is in the display format of the row (\`10\` in Hex is sixteen); a JSON number is itself.

| modify trigger | writes |
|---|---|
| Permanent | outputs at the end of each cycle, all else at its start |
| PermanentAtStart, PermanentAtEnd | at each start or end: before or after the program |
| PermanentAtStop | at each transition to STOP |
| OnceOnlyAtStart, OnceOnlyAtEnd, OnceOnlyAtStop | at the next of these, once |

Modify now writes inputs to the periphery, where they stay. With a trigger they are written in the process image, and have the values of the periphery again
afterwards. Modifying with triggers ends when the device goes offline and when another program is loaded.

## Force

    curl -H "$K" -X POST $D/force-tables
    curl -H "$K" -H "$H" "$D/force-tables/Force%20table/entries" -d '{"entries":[{"name":"Start","forceValue":true,"forceIntention":true}]}'
    curl -H "$K" -X POST $D/force-table/actions/start
    curl -H "$K" $D/force-table/values
    curl -H "$K" $D/force-table/forces
    curl -H "$K" -X POST $D/force-table/actions/stop

Inputs, outputs and their periphery (\`%I0.0:P\`) can be forced, as in an S7-1500; bit memory and data blocks cannot. Forces hold against the program, writes and
modifying, in RUN and STOP. They stay when the device goes offline, over power-off, memory reset and downloads, until \`actions/stop\`. \`start\` is a 409 when there
are forces already; \`replace\` puts those of the table in their place. \`isForcing\` of \`GET …/cpu/status\` says whether anything is forced. An input that is no
longer forced has what was written to it last; an output keeps its value until the program writes another one.
`
