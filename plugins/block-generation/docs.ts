/** The documentation page on block generation. */

import { designExample } from './design/schema.ts'
import { blockExample, graphExample } from './schema.ts'

const json = (value: unknown): string => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``

/** Markdown, without the title. */
export const generationPage = `Blocks are generated from JSON: from a **specification** of one block, or from a **design** of a whole plant.
\`GET /api/blockgeneration/schema\` answers the JSON Schemas and an example of each kind.

## Specifications

A specification has the \`kind\` (OB, FB, FC, DB, InstanceDB, ArrayDB, UDT), the header, the \`interface\` (sections, or members that name their section), and the statements:

| field | content |
|---|---|
| \`code\` | SCL statements, or those of an STL block with one network |
| \`networks\` | each with \`expressions\` (LAD, FBD as text), \`graph\` (elements and wires), \`code\` (SCL, STL) or \`xml\`; \`title\`, \`comment\`, \`language\` |
| \`chart\` | the sequences of a GRAPH block |

Titles and comments are text of the project language, or texts by culture: \`{ "en-US": "…", "de-DE": "…" }\`.

${json(blockExample)}

| route | what it does |
|---|---|
| \`POST /api/blockgeneration/generate-only\` | answers the SimaticML of the wanted \`version\` (V16 to V21); with \`exportPath\` it is written, too |
| \`POST /api/blockgeneration/generate-and-import\` | imports the block and compiles it; the messages are in the answer |
| \`POST /api/blockgeneration/generate-graph\`, \`…/generate-graph-only\` | the same for a sequence |
| \`POST /api/blockgeneration/import-only\` | imports an existing file |
| \`POST /api/blockgeneration/bulk-import\` | imports several, each behind what it needs, with a result for each |
| \`GET /api/blockgeneration/specifications/{deviceName}/{name}\` | reads a block or type as its specification |

Each POST has a form that answers with a job at once: the same path with \`-async\`. What is wrong with a specification is a 422 (or 400) with
a JSON pointer for each fault, and nothing is imported.

With \`deviceName\`, \`generate-only\` knows the tags, blocks and types of that program: calls get their parameters, boxes the types of their
operands.

### Sequences

Steps have actions, an interlock and a supervision; transitions have a condition, and say which steps they leave (\`from\`) and activate
(\`to\`). Several transitions of one step are an alternative branch. Several steps in \`to\` open simultaneous branches, several in \`from\`
join them; without \`to\` the sequence ends. Ways back are jumps. An action is \`N #motor\`, \`S1 S #done\`, \`D #lamp, T#5s\`; a \`C\` behind
the qualifier (\`NC #valve\`) needs the interlock. Parameters and data of the system are added to the interface.

${json(graphExample)}

## Designs

\`POST /api/blockgeneration/generate-from-design\` takes units with their equipment modules and the wiring of these. It makes

- a PLC data type or function block for each kind of module that is used (\`EM_Motor\`, \`EM_Valve\` …),
- a function block \`Unit_<unit>\` in SCL that has the modules as multi-instances, calls them in order and wires them, and its instance
  \`<unit>_DB\`,
- a function \`Call_<design>\` that calls the units, and its call in the cyclic organization block (made when there is none),
- tags for the addresses, in a table with the name of the design, and alarms with their texts.

Expressions are SCL with the names of modules: \`Level.value > 20.0 AND NOT Pump.fault\`; \`Other.Pump.running\` reads a module of another
unit, tags are in double quotes. \`tags\` of the design makes those that belong to no module (push buttons, switches). A name that neither the
program has nor the design makes is a warning, with its place.

| modules | can be read |
|---|---|
| \`modes\` | automatic, manual |
| \`analogInputs\` | value, fault, belowLowLow, belowLow, aboveHigh, aboveHighHigh |
| \`interlocks\` | ok (also by the bare name), first, bypass |
| \`sequences\` | step, running, done, held, timeout |
| \`pidLoops\` | output, error, setpoint, processValue |
| \`motors\` | run, running, fault, ready |
| \`reversingMotors\` | forward, reverse, runningForward, runningReverse, fault, ready |
| \`valves\` | open, isOpen, isClosed, fault, ready |
| \`analogOutputs\` | actual, raw |
| \`alarmGroups\` | active, unacknowledged, horn, lamp, count |

**Generated again** after a change of the design, only what differs is touched. What a person wrote between the marks of a block stays:

\`\`\`
// <user after>
#hours := #hours + 1;
// </user>
\`\`\`

So do start values of instances, comments of tags and texts of alarms. Everything else in a generated block is replaced. The text of a region
that the design no longer has (of a step that is gone) is told in \`warnings\`: \`dryRun\` shows it before anything is changed. Blocks, tags
and alarms that it made when it was applied before and no longer has are listed as \`obsolete\`; \`prune\` deletes them, except what is used and
what a person has changed: blocks with text of a person, tags with another address or data type, alarms with another text. What a person made is
neither listed nor deleted, whatever its name. A block of a wanted name that was not generated is a 409, unless \`overwrite\` is true.

The example needs three Bool tags of the program, "LidClosed", "StartBatch" and "Unblock"; without them the answer's messages of the
compiler name what is not there.

${json(designExample)}
`
