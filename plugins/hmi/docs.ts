/** The page of the manual about HMI stations. */
import { converters } from './converters.ts'
import { itemTypes } from './item-types.ts'
import { systemFunctions } from './system-functions.ts'

const list = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ')

export const hmiPage = `# HMI stations

An HMI device of the project is a station: screens with objects, tags, connections, scripts, text and graphic lists, project graphics, alarms,
library types (faceplates). All are made, changed, moved and deleted below \`/api/devices/{deviceName}/hmi/\`; the objects of a screen below
\`/api/hmi/screens/{screenName}/objects\`. The size of new screens is that of the panel.

## Objects and bindings

Types: ${list(Object.keys(itemTypes))}.

A binding drives a property by a PLC variable, given by its dotted path (\`Data.motor.speed\`), or by an HMI tag of that name. The variable is
looked for in the PLCs that are partners of the station's connections, in all PLCs of the project when it has none. Converters and their parameters:

| converter | parameters |
|---|---|
${Object.entries(converters)
  .map(([name, { parameters }]) => `| \`${name}\` | ${list(Object.keys(parameters))} |`)
  .join('\n')}

\`ranges\` is text such as \`0..10:green;10..20:yellow;else:red\`. A name that is not known is a 422 with those that are. A variable that the program
does not have is a warning when the object is made, and an error of the compile.

## Faceplates

A library type has properties and objects. An object in it follows a property: the tag \`block.run\` is the member \`run\` of what the instance
binds to its property \`block\`. An instance is an object of the type \`FaceplateInstance\` with \`links: { "faceplate": "<type>" }\`.

## Events and scripts

An event (\`Click\`, \`Press\`, \`Release\`, \`Change\`) has actions: a system function or a script of the station. System functions:
${list(systemFunctions)}.

Scripts are JavaScript: \`await Tags('Data.speed').Read()\` is \`HMIRuntime.Tags(…)\` in full; \`Write(value)\` writes, \`HMIRuntime.UI.ChangeScreen(name)\`
shows a screen. A script runs in a worker without network and without the page, for five seconds at most. VBScript is kept and exported, not run.

## Files

\`hmi.import\` reads exports of classic devices, one or a folder, and images. What is not changed is exported byte for byte; a change touches only
its place. Alarms and library types have no XML in TIA Portal. Tags go in and out as a workbook too. In a project each object is one JSON file in
\`devices/<device>/hmi/\`, with the imported file or the image beside it.

## Compile

\`POST /api/hmi/compile\` checks everything. What it makes is content of the gateway: the model of the station and the drawings of its screens are
blobs, so that \`GET /hmi/<station>/\` serves the station as it was compiled last without errors, also after a restart. It goes with its device:
a project that is opened again is compiled again. \`binaryPath\` is a copy for people and other tools, in \`.gantry/hmi/<station>\` of the project:
\`index.html\` with all it needs, the screens as SVG, scripts, languages. It is written anew by each compile, and nothing reads it back.

## Run

The page asks for an API key once and keeps it in the tab; showing needs the access level viewer, operating and acknowledging the level operator.
Values come over one stream, \`/api/hmi/stations/{stationName}/stream\`, when they change, with the alarms of the station. When the station is
compiled again, the page shows the new one. An input field is drawn and becomes an input while it is edited: Enter writes, Escape leaves the value.
The words of the page itself follow the language of the station (German, French, Spanish, Italian, else English). A value that cannot be read is drawn with a dashed frame and its reason. Internal tags have a value
of their own in each page.

**Alarms** of the station are followed by the gateway, whether a page is open or not. A discrete alarm follows a bit of its trigger, an analog one
a limit. States: \`incoming\`; \`acknowledged\`: present and acknowledged; \`outgoing\`: gone, and its acknowledgement is missing. Alarms of the classes
Warnings, Information, System and Diagnosis need none; \`needsAcknowledgement\` of an alarm says otherwise.
\`GET /api/hmi/stations/{stationName}/alarms\` lists what is pending, \`…/alarms/log\` what happened; \`POST …/alarms/actions/acknowledge\` takes
\`alarms\`, \`alarmClass\` or \`all\`. They are kept as long as the gateway runs. An alarm view shows them together with the alarms of the controllers'
programs.

**Trends** begin with what the controller recorded: a trace of its own keeps the variables that trends show, every 250 ms for half an hour, from
the compile on; it begins anew with another program. A trend has \`processValue\` and \`processValue2\` to \`processValue8\`, a table up to
\`processValue32\`.

## Screens from the program

\`POST /api/hmi/generate\` makes screens. \`from: "design-spec"\`, which is the default when a design spec is loaded and the PLC has an instance of a
block of its phases: a screen for each unit, with the commands, states, parameters and the step chart of each phase, and a faceplate for each
control module. \`from: "folders"\`: a screen for each folder of blocks, with a faceplate for each instance.

## Libraries

All objects of a station can be master copies, with what they refer to, by folder, or the station as a whole; screens and library types can be
types with versions. The kinds are \`hmi-screen\`, \`hmi-library-type\`, \`hmi-text-list\` … An instance is equal to what was copied, also in its export.
`
