/** The page on the gateway's own types, served at /api/docs/sections/diagnostics. */

export const diagnosticsPage = `The gateway describes itself, from its own registries:

| what | route |
|---|---|
| namespaces: one for each plugin | \`GET /api/diagnostic/namespaces\` |
| types: inputs and outputs of operations, enums, events, collections | \`GET /api/diagnostic/types?filter=Download\` |
| one type with its fields | \`GET /api/diagnostic/search?typeName=…\` |
| values of an enum | \`GET /api/diagnostic/enum-values/{typeName}\` |
| providers: tasks of the engine, importers, contributors of extension points | \`GET /api/diagnostic/providers\` |
| what can be done with a PLC | \`GET /api/diagnostic/plc-services/{deviceName}\` |
`
