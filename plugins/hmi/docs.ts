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

\`hmi.import\` reads exports of classic devices, one or a folder, and images. What is not changed is exported byte for byte; a change touches only its
place. Alarms and library types have no XML in TIA Portal. Tags go in and out as a workbook too. In a project each object is one JSON file in
\`devices/<device>/hmi/\`, with the imported file or the image beside it.

## Compile and run

\`POST /api/hmi/compile\` checks everything and writes \`.gantry/hmi/<station>\` in the project: \`index.html\` with all it needs, the screens as SVG,
scripts, languages. \`GET /hmi/<station>/\` is the page of the station as it was compiled last without errors. It asks for an API key once and keeps
it in the tab; showing needs the access level viewer, operating the level operator. Values come over one stream,
\`/api/hmi/stations/{stationName}/stream\`, when they change. A value that cannot be read is drawn with a dashed frame and its reason. Internal tags
have a value of their own in each page; trends begin when their screen is opened; acknowledging is for alarms of the controller.

\`POST /api/hmi/generate\` makes screens from the program: one for each folder of blocks, with a faceplate for each instance.
`
