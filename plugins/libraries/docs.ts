/** The documentation page on libraries. */

/** Markdown, without the title. */
export const librariesPage = `A library keeps objects for reuse. The **project library** is a part of the project and is saved with it. **Global libraries** are files that
projects share; several can be open, also without a project. Both hold the same things.

## Master copies

A master copy is an object (block, PLC data type, tag table, watch table; of an HMI device a screen, list, tag table, library type …), a folder
of objects, or a whole station, as it was. It costs nothing: it refers to the texts that are stored already.

\`\`\`sh
POST /api/project/library/master-copies { "deviceName": "PLC_1", "objectName": "Motor", "folder": "Drives" }
POST /api/project/library/master-copies { "deviceName": "PLC_1", "objectFolder": "Conveyor" }
POST /api/project/library/master-copies { "deviceName": "PLC_1", "name": "Packing station" }
POST /api/project/library/master-copies/actions/instantiate { "name": "Drives/Motor", "deviceName": "PLC_2" }
\`\`\`

Blocks and types that an object uses come along (\`withDependencies: false\` leaves them). Tags do not: copy their table.
\`DELETE /api/project/library/master-copies/{name}\` takes a name, or a path with \`/\` as \`%2F\`.

## What is in the way

Before anything is stored, everything in the way is found: an object of the name with another content, a name that a tag or another kind of
object has, a fixed number that is taken, a different library type. The 409 names all of it; \`allowed\` says what can be done about each:

| choice | effect |
|---|---|
| \`overwrite\` | replaces what is there; it keeps its number and folder |
| \`rename\` | a free name (\`Motor_1\`) or number; what comes with it uses the new name |
| \`keep\` | leaves what is there, and does not store the object |

\`onConflict\` is for all of them, \`choices: [{ name, choice }]\` for single ones. With \`dryRun: true\` nothing is stored.

## Types

A type is a code block or a PLC data type with versions, or a screen or faceplate of an HMI device. \`POST /api/project/library/types/versions\` makes one of an object: the types that it
uses become types too, and the objects become instances, which know their version.

- \`inWork\` versions can be replaced, \`released\` ones stay as they are. A released version uses released versions.
- \`GET /api/project/library/types/consistency\` shows which instances are outdated (another version is the default one) or changed.
- \`POST /api/project/library/types/actions/update\` brings instances to a version, of one device or all; with \`dryRun: true\` it lists what
  changes. An instance that was changed is a 409 without a choice.
- A type that has instances or that other types use is not deleted (409 with the users), unless with \`force\`: instances are plain objects then.
- \`POST /api/project/library/types/actions/compare\` compares two versions, a version and an object, a master copy and an object, by meaning:
  interface members, networks, statements, start values, comments and properties, as JSON and as text.

An instance of a type of a global library is made by way of the project library: the version is copied there first. The other way,
\`POST /api/project/library/types/versions { "library": "Plant", "fromLibrary": "project", "typeName": "Motor" }\`.

## Global libraries

A global library is a folder with a manifest \`<name>.gantrylib\`; each master copy and each version is text, fit for version control. An
archive (\`.zalNN\`) is a ZIP of it, which can be opened read-only as it is. A save writes what differs, all files together. As long as a
gateway has a library open for writing, \`library.lock\` stands in its folder: another one can open it read-only.

Global libraries of TIA Portal (\`.alNN\`, \`.zalNN\`, V14 to V21) open the same way, read-only or into \`targetDirectory\`: library types with
their versions, states, comments and dependencies, and master copies of blocks, types, tables and folders of them. \`warnings\` names what is
not read: master copies of stations and of screens, types of the HMI. The library of a TIA Portal project comes with the project when it is
opened, with the objects of the programs that are instances of its types.

## Other kinds of objects

A plugin contributes a kind with \`extend(libraryKind, …)\` from \`plugins/libraries/index.ts\`: how its objects are found, taken and stored.
`
