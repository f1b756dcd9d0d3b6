/** The page about editors. */
export const editorsPage = `# Editors

\`gantry lsp\` is a language server over standard input and output. Any editor that speaks the Language Server Protocol
starts it with the folder of a program: .scl, .udt, .db, .awl and .s7dcl files. It needs no running gateway.

| in the editor | what it does |
|---|---|
| diagnostics | the findings of \`gantry check\`, with the settings of \`gantry.yml\`; texts that are not saved yet count |
| hover | declaration, section, comment and interface of a name |
| completion | members behind a dot, names of the block behind #, names of the program, parameters in a call, types in declarations |
| signature help | the parameters of the call that is being written, with types and comments, the current one marked: functions and instances of the program, blocks of the system |
| workspace symbols | blocks, types, tags, constants and members of the whole folder whose names are like what is typed |
| definition, references | through instances, types, arrays, calls and data blocks, over all files |
| rename | blocks, types, members, tags in all texts, with quotation marks where they are needed |
| formatting | as \`gantry fmt\`, with \`format\` of \`gantry.yml\`; .scl, .udt and .db |
| outline | objects, members and members of structures |

Exports in SimaticML (.xml) beside the texts are known and checked, but not changed: a name that such a file declares or
may use is not renamed, and the answer says which file it is.

\`examples/vscode\` is an extension for Visual Studio Code, which also shows LAD and FBD networks of an export drawn; \`npm run vsix\` in
Gantry's folder makes the file to install. Neovim:

\`\`\`lua
vim.lsp.start({ name = 'gantry', cmd = { 'gantry', 'lsp' }, root_dir = vim.fs.root(0, { 'gantry.yml', '.git' }) })
\`\`\`
`
