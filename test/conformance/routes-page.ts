/** The table of docs/routes.md: for each route of the specification where its effect is checked. */
import { subjects, wire } from './subjects.ts'

const code = (text: string) => `\`${text}\``

/** The page, as `scripts/routes-docs.ts` writes it. */
export function routesPage(): string {
  const tables = Object.entries(subjects).map(([subject, cases]) => {
    const rows = cases.flatMap(({ routes, effect, shows, refused }) => {
      const checked = effect === undefined ? `shows: ${showsText(shows ?? '')}` : code(effect[0])
      return routes.map((route) => `| ${code(route)} | ${checked} | ${code(refused?.[0] ?? 'invalid_input')} |`)
    })
    return `## ${subject}\n\n| route | where its effect is checked | fails with |\n|---|---|---|\n${rows.join('\n')}\n`
  })
  const count =
    Object.values(subjects)
      .flat()
      .flatMap(({ routes }) => routes).length + wire.length
  return `# Routes of the specification

All ${count} routes are tested in \`test/conformance\`: each is called, and what it did is read back through the route of the
second column; a route that only reads must show what the route of the second column wrote. Then each is called so that
it must fail, with the code of the third column and the status that \`GET /api/errors/{code}\` gives for it. Twins
(sync and async), MCP's \`call_operation\` and \`/compat\` must give the same result and the same error. The test takes
back what a call did before the next way is tried.

\`GET /mcp/sse\` and \`POST /mcp/messages\` are the wire of MCP itself: a client lists the tools over them, and a wrong key
(401) and an unknown session (404) are refused.

${tables.join('\n')}`
}

const showsText = (shows: string) => (/^[A-Z]+ \//.test(shows) ? code(shows) : shows)
