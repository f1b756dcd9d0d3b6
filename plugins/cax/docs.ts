/** The page on AML files, served at /api/docs/sections/cax. */

export const caxPage = `CAx data is the hardware of a project as AutomationML (CAEX 2.15), as TIA Portal V16 to V21 exports and imports it: devices, racks,
modules, addresses, channels, tags of inputs and outputs, subnets, IO systems, links between ports.

| what | route |
|---|---|
| export a device, or with \`scope: project\` all of them | \`POST /api/devices/{deviceName}/actions/export-hardware\` |
| import a file, an upload or a text | \`POST /api/projects/devices/actions/import-hardware-sync\` |

- What an import finds is one of three, by \`importOption\`: \`MoveToParkingLot\` (the device of the project goes to the parking lot),
  \`OverwriteTiaDevice\`, \`RetainTiaDevice\`. The same device is found by its GUID, then by its name.
- A device with a GUID of its own whose parts have those of another device of the project is a copy: its parts get new ones, and a
  warning says so.
- What Gantry does not interpret is kept with the project and written back by the next export. The same hardware gives the same bytes.
- A broken reference or a duplicate id is an error with element and line, and nothing is imported (\`continueOnError\` leaves out what is
  wrong). An order number that the catalog does not know is a warning; the item stays.
- S7 connections, tags of bit memory and constants have no place in the export; \`warnings\` say so. Passwords are never in it.
`
