/** The documentation page on alarms. */
export const alarmPage = `A virtual controller raises alarms as a CPU 1500 does: with \`Program_Alarm\`, with \`Gen_UsrMsg\`, and for supervisions (ProDiag) of function blocks, PLC data types, tags and members of data blocks.

## Reading and acknowledging

    K='X-API-Key: <key>'; H='Content-Type: application/json'; G=http://127.0.0.1:9000/api/simulation/instances/PLC_1/alarms
    curl -H "$K" $G                                  # pending alarms, newest first
    curl -H "$K" "$G/log?event=incoming&limit=20"    # what happened
    curl -H "$K" -N $G/stream?culture=de-DE          # server-sent events
    curl -H "$K" -H "$H" $G/actions/acknowledge -d '{"all":true}'

| state | signal | acknowledgement |
|---|---|---|
| incoming | present | missing, or not needed |
| acknowledged | present | done |
| outgoing | gone | missing; the alarm leaves the list when it is acknowledged |

Whether an alarm needs its acknowledgement is a matter of its class. \`actions/acknowledge\` takes \`alarms\` (paths or numbers), \`alarmClass\` or \`all\`; it is in the audit. Alarms that come
and go by themselves are observations of a running program: they are in the log of alarms (the newest 10 000), and in the audit as
\`simulation.alarms-reported\`, at most ten records a minute for an instance with at most 100 events each; \`unreported\` says how many are missing.

Alarms stay in STOP, where they can be acknowledged too. A warm restart, a memory reset and power-off remove them. A download keeps those whose source is still there. A CPU has a
maximum of pending alarms (CPU 1511 to 1514: 600, 1515: 800, others: 1000): beyond it Program_Alarm gives \`Status\` 16#8007, and reports the change when there is room.

## Texts and classes

Exports of TIA Portal do not contain the texts of program alarms. \`PUT /api/devices/{deviceName}/alarms\` keeps them in the project; they are loaded with the next download.

    { "classes": [{ "name": "Fault", "needsAcknowledgement": true, "priority": 12 }],
      "alarms": [
        { "block": "Motor", "member": "tooHot", "alarmClass": "Fault",
          "text": { "en-US": "@2%s@: @1%d@ °C", "de-DE": "@2%s@: @1%d@ Grad" } },
        { "instance": "\\"Line_DB\\".motors[1].tooHot", "alarmClass": "No Acknowledgement" } ],
      "textLists": [{ "name": "Modes", "number": 2, "entries": [{ "from": 0, "to": 0, "text": { "en-US": "off" } }] }] }

Without a text the comment of the member, else the path of the alarm is shown. A project has the classes Acknowledgement (the default) and No Acknowledgement.

Fields for associated values: \`@<number><element type>%<format>@\`.

| format | shows | | element type | |
|---|---|---|---|---|
| \`%5d\` | a signed number, filled with blanks | | \`B\` | Bool |
| \`%u\` | an unsigned number | | \`Y W X\` | Byte, Word, DWord |
| \`%4X\`, \`%8b\` | hexadecimal, binary, filled with zeros | | \`C\` | Char |
| \`%6.2f\` | fixed point | | \`I D\` | Int, DInt |
| \`%s\` | a text | | \`R\` | Real |
| \`%t#Modes\` | the entry of a text list | | none | as the value is |

A value that does not exist is shown as \`###\`.

## Supervisions

Function blocks and PLC data types bring theirs in their exports (\`Supervisions\`, \`PLCDataTypeSupervisions\`): each instance in a data block, and each value of the type in data blocks and tags, is watched at the end of each cycle,
and raises the alarm \`"Line".motors[2].#1\`: path and number. Exports of TIA Portal are not known to contain supervisions of tags: set these, and any other, here.

    { "supervisions": [
        { "operand": "\\"Hall\\".full", "conditions": [{ "operand": "Pump" }], "values": ["\\"Hall\\".level"], "text": { "en-US": "full at @1%d@" } },
        { "dataType": "Valve", "number": 2, "operand": "#open", "delay": "T#2s", "alarmClass": "No Acknowledgement" },
        { "block": "Motor", "operand": "#ready", "status": false } ] }

An error is present while operand and conditions have their states for longer than the delay. One that was set replaces one of the same place and number in an export; \`alarms\` sets
class and text of a supervision too (\`"block": "Motor", "member": "#1"\`). What cannot be watched is in the warnings of the download, and in the diagnostics buffer (\`supervision\`).

## In the program

- \`#jam(SIG := …, TIMESTAMP := …, SD_1 := …)\`: an edge of SIG makes an incoming or outgoing alarm, with the values of that call. TIMESTAMP (UTC) replaces the time of the CPU.
- \`Get_AlarmState(Alarm := #jam, AlarmState => …)\`: 16#86 not active, 16#85 present, 16#87 present and acknowledged or without acknowledgement, 16#84 gone and not acknowledged.
- \`Ack_Alarms\` with \`MODE\` 1 acknowledges all pending alarms.
- \`Gen_UsrMsg(Mode, TextID, TextListID, AssocValues)\`: 1 incoming, 2 outgoing; the text is an entry of the text list with that number. It is in the diagnostics buffer too.
- \`Get_Alarm\` gives the changes of alarms one by one; texts are the numbers of the alarms.
`
