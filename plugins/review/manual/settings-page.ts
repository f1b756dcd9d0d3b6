/** The page on `gantry.yml`. */
import { configSchema, deviceFields, formatFields } from '../../../plc/review/config-schema.ts'
import { fieldTable, inEditors } from './field-table.ts'

/** Markdown without a title. */
export function settingsPage(): string {
  return `\`gantry.yml\` (or \`gantry.yaml\`) stands in the folder of a program: \`gantry check\`, \`doc\`, \`fmt\`, \`test\` and editors follow it. Another
file is given with \`--config\`. Nothing in it is needed. Faults are told with line, column and what is allowed, and the exit
code is 2.

    # yaml-language-server: $schema=../.gantry/schemas/config.schema.json
    failOn: warning              # error, warning, information or never
    missing: information         # severity of what is not in the folder
    culture: de-DE               # of texts in sources
    libraries: ["LGF_*", "Log"]  # names that libraries supply; * is any characters
    ignore: ["old/*"]            # paths that are left out
    format: { style: tia }       # how "gantry fmt" and editors write sources
    plugins: [./gantry-plugins/plant-rules]  # folders of plugins
    devices:
      - { name: PLC_1, folder: line1 }
      - { name: PLC_2, folders: [line2, shared] }
    rules:
      case-without-else: error
      naming-block: off
      block-size: { severity: warning, networks: 40 }
      naming-tag: { pattern: "^[a-z][A-Za-z0-9]*$" }

## Fields

${fieldTable(configSchema().properties ?? {})}
A list of texts may be one text. \`off\` needs no quotes.

## devices

Each is a name, or:

${fieldTable(deviceFields)}
## format

${fieldTable(formatFields)}
\`gantry fmt\` follows the file of the folder of each source, or the next one above in the repository; its options count more.

## rules

By the code of a rule: \`error\`, \`warning\`, \`information\` or \`off\`, or a mapping with \`severity\` and the options of the rule.
\`gantry rules\` lists them, and \`gantry rules <code>\` explains one with its options; all are in \`docs/review.md\`. Errors of
the compiler stay errors. Rules of plugins have a dot in their code: \`plant-rules.area-prefix: error\`.

## plugins

Folders of plugins of this machine, from the folder of the file. \`gantry check\`, \`rules\`, \`test\` and \`lsp\` load them and use their rules and
file formats; the manual has an example of each (_What plugins add to_). A plugin is code that runs with the rights of who checks: \`--no-plugins\` does without. One
that cannot be loaded ends the command with exit code 2 and the reason. With plugins \`check\` keeps no results. A gateway loads no plugin that a
file names: it uses those of \`--plugins-dir\`.
${inEditors('config')}`
}
