/** The page of the manual about HMI stations. */

import { systemFunctions } from './compile/system-functions.ts'
import { converters } from './items/converters.ts'
import { itemTypes } from './items/item-types.ts'

const list = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ')

export const hmiPage = `# HMI stations

An HMI device of the project is a station: screens with objects, tags, connections, scripts, text and graphic lists, project graphics, alarms,
library types (faceplates). All are made, changed, moved and deleted below \`/api/devices/{deviceName}/hmi/\`; the objects of a screen below
\`/api/hmi/screens/{screenName}/objects\`. The size of new screens is that of the panel.

**Kinds of screens** are told apart by \`screenType\`: Screen, ScreenTemplate, ScreenPopup, ScreenSlidein, ScreenGlobalElements, ScreenOverview. As in
TIA Portal each kind has names of its own: a screen, its template and a popup may have one name. Wherever a request names a screen, \`screenType\` says
which kind has the name; without it a screen of its own is meant, and when only another kind has the name, the 404 tells what to send. A screen stays
of its kind. The template of a screen is looked up among the templates, \`ActivateScreen\`, \`ChangeScreen\` and the start screen among the screens,
\`ShowPopupScreen\` among the popups, \`ShowSlideInScreen\` among the slide-in screens. Lists have the screens of every kind, or of one
(\`screenType\`). Exports into a folder put every kind but screens into a folder of its own (\`popups\`, \`text-lists\` …); the folders of screens are common to all.

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
shows a screen. A script runs apart from the page, with an
origin of its own and without network or storage, for five seconds at most; it reads and writes variables of its station (texts, numbers, truth
values), changes screen and language, and what it writes is written in its order. VBScript is kept and exported, not run.

## Files

\`hmi.import\` reads exports of classic devices, one or a folder, and images. What is not changed is exported byte for byte; a change touches only
its place. Alarms and library types have no XML in TIA Portal. Tags go in and out as a workbook too. In a project each object is one JSON file in
\`devices/<device>/hmi/\`, with the imported file or the image beside it.

## Compile

\`POST /api/hmi/compile\` checks everything. What it makes is content of the gateway: the model of the station and the drawings of its screens are
blobs, so that \`GET /hmi/<station>/\` serves the station as it was compiled last without errors, also after a restart. It goes with its device:
a project that is opened again is compiled again. \`folder\` is a copy for people and other tools, \`.gantry/hmi/<station>\` of the project:
\`index.html\` with all it needs (\`binaryPath\`), the screens as SVG, scripts, languages. It is written anew by each compile, and nothing reads it back.

## Run

A browser that is signed in to the studio shows the page at once, with the same access level. Else it asks for an API key and keeps it in the tab;
*Change user* takes another one there. Showing needs the access level viewer, operating and acknowledging the level operator: the page says who
is signed in, and *display only* below that. When a session ends, the page asks again and goes on where it was. A page that nobody sees (another tab
is in front) follows no values.
Values come over one stream, \`/api/hmi/stations/{stationName}/stream\`, when they change, with the alarms of the station. When the station is
compiled again, the page shows the new one. Bars and gauges have scales, unless their property \`showScale\` is false. On a phone a screen is moved; it
is enlarged, twice at most, until what is pressed has 44 pixels. The alarm view has the colours of the classes, a filter by text and one by class.
An input field is drawn and becomes an input while it is edited: Enter writes, Escape leaves the value.
The words of the page itself follow the language of the station (German, French, Spanish, Italian, else English). A value that cannot be read is drawn with a dashed frame and its reason. Internal tags have a value
of their own in each page. What is refused (a value that is none, beyond a limit, a script that throws) is told at the bottom until OK is pressed. A
number may have the decimal comma where the language has it. A controller in STOP is named in the frame, and its objects are greyed. The count of
alarms has those of the station and of the controllers' programs.

**Without a browser**: \`GET /api/hmi/stations/{stationName}/screens/{screenName}/values\` tells each object with the text that it shows, the
variables behind it with their values, and what it does when it is operated; \`…/picture\` draws the screen as SVG, with the code of the page.
Both take \`culture\`; without a screen (\`/api/hmi/stations/{stationName}/values\`) it is the first. An agent reads the one, and writes with
\`POST …/actions/write\`.

**Held bits**: \`SetBitWhileKeyPressed\` sets a bit while the object is pressed, and resets it when the pointer is let go anywhere, the window loses
the focus, or the screen changes. The bit belongs to the stream of the page: when that ends, the gateway resets it, unless it was written since. Other
clients do the same with \`viewer\`, the ID in the \`station\` event, in \`POST …/actions/write\`.

**Popups**: \`ShowPopupScreen\` (display mode -1 toggle, 0 off, 1 on; coordinates are numbers or tags) opens a screen of the type ScreenPopup above the
screen, \`ShowSlideInScreen\` one of the type ScreenSlidein at its edge, which has a handle there too; both go when another screen is shown.
\`OpenScreenInPopup\` opens a screen (a popup, when no screen has the name) in a window with a title bar, \`ClosePopup\` closes it; it stays when another screen is shown unless it has a
parent screen. Global and overview screens are kept, not shown.

**Limits** of HMI tags (\`LimitUpper2\`, \`LimitLower2\`, each with \`…Type\` Constant or HMI_Tag) hold for everything that is written through the
station: more or less is a 422. A limit that is no number, limits of a tag that is none, and linear scaling are warnings of the compile.

**Formats** of input/output fields: the classic \`dataFormat\` (Decimal, Hexadecimal, Binary, Date, Time, DateTime, String) with \`formatPattern\`
(\`999.99\`; \`s999\` with a sign), \`shiftDecimalPoint\`, \`showLeadingZeros\`, \`fieldLength\`, \`hiddenInput\`; of WinCC Unified \`outputFormat\`
with \`{I}\`, \`{F2}\`, \`{E3}\`, \`{H4}\`, \`{B8}\`, \`{O}\`, \`{S}\`, \`{D}\`, \`{T}\` and texts around it. A value that has more digits than the classic
pattern is shown as \`###\`. A format that is not known, or does not fit the variable, is a warning of the compile.

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
types with versions. The kinds are \`hmi-screen\`, \`hmi-template\`, \`hmi-popup\`, \`hmi-library-type\`, \`hmi-text-list\` … An instance is equal to what was copied, also in its export.
`
