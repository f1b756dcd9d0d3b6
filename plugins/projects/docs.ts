/** The page on projects in the documentation. */
export const projectPage = `# Projects

A project is a folder with a manifest \`<name>.gantry\` and a tree of text files that version control can read:

    Bottling/
      Bottling.gantry                      version, author, comment, languages (JSON)
      devices/PLC_1/device.json            order number, firmware, network
      devices/PLC_1/blocks/…, types/…, tags/…, watch-tables/…, sources/…
      devices/PLC_1/blocks/Motors/Pump.scl        the exact text of a block
      devices/PLC_1/blocks/Motors/Pump.scl.json   what the text does not say: id, number, event class
      devices/PLC_1/blocks/Later/.folder.json     a folder with nothing in it

Saving the same project twice gives the same bytes, the edit of a block touches one file, and files have the times of their objects. A conflict
that a merge left in any file is told with file and line when the project is opened; nothing is opened then. The name of the project is that of
its manifest. Characters that file names cannot have are percent-encoded; the name itself stands in the file.

**Open.** \`POST /api/projects/actions/open\` takes the folder or the manifest. A folder without manifest that holds exported SimaticML (\`.xml\`),
sources (\`.scl\`, \`.awl\`, \`.db\`, \`.udt\`) or SIMATIC SD (\`.s7dcl\`) is imported and opened as a new project, with the version and the
languages of its files (\`PUT /api/projects/properties\` changes languages, author and comment); it is not saved until you save it. One project can be open at a time. It stays open, with unsaved changes, when the gateway is stopped or killed.

**Save.** Files that differ are written, files of things that are gone are removed, everything else in the folder is left alone. With \`path\` the
project is saved into a new folder ("save as").

**Close.** With unsaved changes the answer is 409, until you say \`save: true\` or \`force: true\` (discard them). TIA Portal's programming interface
discards them silently; here nothing is lost by accident.

**Archive.** \`POST /api/projects/actions/archive\` packs the saved folder into a ZIP file \`<name>.zap<version>\`. \`create-from-archive\` unpacks
one into a new folder and opens it. Archives with symbolic links, encrypted entries, paths that leave the folder, or more than 200 MiB of
content are refused.

**TIA Portal.** Projects (\`.apNN\`) and archives (\`.zapNN\`) made by TIA Portal are recognised, but their database can only be read by TIA
Portal. Export blocks, data types and tag tables there, and open the folder; a \`.apNN\` beside the exported files does not matter. What is in
\`Software units/<unit>/\` is of the PLC around it; where names of units meet (of blocks, types, tag tables, tags), those of units are \`namespace.Name\`, and exports have the bare names.

**Search.** \`POST /api/projects/actions/index\` builds an index; \`GET /api/projects/search?q=\` finds things by words, beginnings of words, and
with a slip in a word (a letter too many, missing, another one, or two that changed places). \`stale\` says that the content has changed since.
`
