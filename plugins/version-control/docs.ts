/** The documentation page on version control. */
export const versionControlPage = `The files of a project are made for version control: one text file for each object, and the same content gives the same files. The operations here
keep them in a **git** repository; git must be installed for the gateway (2.38 or later).

    POST /api/source-control/init
    POST /api/source-control/commit-sync   { "message": "As delivered" }

The repository is that of the project's folder, or of a folder of the workspace above it. People can use it with their own tools at any time.

| request | does |
|---|---|
| \`GET /status\` | what has changed since the last commit; \`POST /export-preview\` is the same as a job |
| \`POST /commit { message }\` | saves the project and commits its files; a job (\`commit-sync\` waits) |
| \`GET /log?count=50\` | commits, the latest first |
| \`GET /diff?from=HEAD~1&to=HEAD\` | a patch, and lines by file; without parameters the last commit with the project as it is |
| \`GET /file-content?commitSha=HEAD&filePath=…\` | a file as a commit has it |
| \`POST /restore { commitSha, filePath }\` | brings a file back; a job |
| \`GET /branches\`, \`POST /branches { branchName }\`, \`DELETE /branches/{branchName}\` | branches |
| \`POST /branches/checkout { branchName }\`, \`POST /merge { branchName }\` | brings another version into the folder and opens it |
| \`GET /config\`, \`GET /remotes\` | the author of commits; remotes that the repository names |

All below \`/api/source-control\`.

**What counts.** Status, commit and differences take what a save *would* write (version \`WORKING\`), so a change in the gateway shows at once. Only files
of the project count: what else is in the repository is not listed and not committed, and what somebody has staged stays staged. Contents
are kept byte by byte: line ends are not converted.

A commit can be that of what somebody has looked at: send the \`ETag\` of the status as \`If-Match\`; after any change it is a 412.

**The author** of a commit is the name of the key that calls. The address is git's \`user.email\` for the gateway, else \`<key>@gantry.invalid\`.

**Checkout, merge and restore** open the project again from its files. Nothing is lost by that: checkout and merge are refused while there are changes that
are not committed, restore while there are changes that are not saved, and when the new version cannot be opened the files and the project stay as they
were. A merge with conflicts changes nothing; resolve it in the folder with git (\`gantry git\` sets up merges by networks) and open the project again.

**What the gateway does not do.** It runs no hooks, signs nothing, and neither pushes nor pulls: that would use rights of the gateway on a server that a client
names. Do it in the folder, as yourself. Filters and merge drivers that the repository's own settings name are run, as git does.

Undo does not take a commit, a checkout or a merge back; git does.
`
