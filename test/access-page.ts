/** The tables of docs/access.md: which operations a key of each level may call. */
import { accessLevels } from '../core/contract/access.ts'
import { accessOf, mayCall, type Operation } from '../core/contract/operation.ts'

/** The page, as `scripts/access-docs.ts` writes it. @param operations of the registry */
export function accessPage(operations: readonly Operation[]): string {
  const subjects = new Map<string, Operation[]>()
  for (const operation of [...operations].sort((a, b) => (a.id < b.id ? -1 : 1))) {
    const subject = operation.id.split('.')[0] ?? ''
    subjects.set(subject, [...(subjects.get(subject) ?? []), operation])
  }
  const head = ['operation', 'without a key', ...accessLevels]
  const tables = [...subjects].map(([subject, own]) => {
    const rows = own.map((operation) => {
      const levels = accessLevels.map((level) => (mayCall(operation, level) ? 'yes' : ''))
      return [`\`${operation.id}\``, accessOf(operation) === 'public' ? 'yes' : '', ...levels]
    })
    const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`)
    return `## ${subject}\n\n${lines.join('\n')}\n`
  })
  return `# Who may call what

All operations with the levels of API keys that may call them; other calls are refused with 403 \`forbidden\`, whichever
way they come. A UMAC user has the level of the role. \`scripts/access-docs.ts\` writes this page from the registry;
\`test/access.int.test.ts\` checks that it is current, and tries every operation at every level.

Commands to a controller also need the access level of its CPU: that table is \`GET /api/security/access-matrix\` and on the
page *Security* of the served documentation.

${tables.join('\n')}`
}
