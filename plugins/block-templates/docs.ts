/** The documentation page on templates of blocks. */
import { templates } from '../../plc/templates/templates.ts'

/** The page; its list is made from the templates. */
export function blockTemplatesPage(): string {
  const rows = templates.map(({ name, title, summary }) => `| \`${name}\` | ${title} | ${summary} |`)
  return `Function blocks that plants use, written in SCL with a typed interface, named states and fail-safe defaults. Each has parameters,
documentation, and its own instance data blocks and PLC data types.

    K='X-API-Key: <key>'; H='Content-Type: application/json'; G=http://127.0.0.1:9000/api/blockgeneration/templates
    curl -H "$K" $G                                   # the list
    curl -H "$K" $G/motor-direct                      # parameters as JSON schema, documentation, source
    curl -H "$K" -H "$H" $G/motor-direct/actions/generate -d '{"parameters":{"blockName":"Motor","instances":["M1","M2"]}}'
    curl -H "$K" -H "$H" $G/motor-direct/actions/generate -d '{"deviceName":"PLC_1","import":true}'

| name | title | what it does |
|---|---|---|
${rows.join('\n')}

Every template takes \`blockName\`, \`instances\` (names of the instance data blocks, one for each device), \`author\` and \`version\`. Its other parameters change
either start values of settings, which stay inputs of the block, or its structure: inputs, outputs and code that are not wanted are left out.

What the blocks have in common:

- Interlocks and protections are closed-circuit: TRUE is healthy, and all inputs are FALSE until they are wired. Nothing starts by itself after power-up, a fault or a lost release.
- Faults are latched until a rising edge of \`acknowledge\`; \`faultCode\` tells the cause by constants of the block.
- \`state\` shows the state by constants of the block. Timers and edges are multi-instances. Totals and operating hours are retentive.

Generating again with other parameters replaces the block and its instances; set values that were changed in the instances go back to the parameters. An object that is there
with the same text stays untouched.
`
}
