/** The page of the manual on extension points, made of their declarations. */
import type { ExtensionPoint } from '../contract/extension-point.ts'

/** A table of all points, then each with what a contribution is, and an example. */
export function pointsText(points: ReadonlyMap<string, ExtensionPoint<unknown>>): string {
  const all = [...points.values()].sort((a, b) => (a.id < b.id ? -1 : 1))
  const rows = all.map(
    ({ id, title, constant }) => `| [\`${id}\`](#${id.replaceAll('.', '')}) | \`${constant}\` | ${title} |`,
  )
  const parts = all.map(({ id, constant, description, check, example }) =>
    [
      ...[`## ${id}`, description, check === 'function' ? 'A contribution is a function.' : membersOf(check)],
      `\`\`\`js\nextend(${constant}, ${example})\n\`\`\``,
    ].join('\n\n'),
  )
  const head =
    'Where plugins add to the gateway and to each other: `extend(constant, contribution)` in `extensions` of a plugin. A plugin that is a function gets the constants as its second argument; `gantry/points` exports them with their types.'
  return [head, ['| point | constant | |', '|---|---|---|', ...rows].join('\n'), ...parts].join('\n\n')
}

function membersOf(check: Readonly<Record<string, string>>): string {
  const rows = Object.entries(check).map(
    ([name, kind]) => `| \`${name}\` | ${kind.replace('?', '')} | ${kind.endsWith('?') ? 'may be absent' : ''} |`,
  )
  return ['| member | kind | |', '|---|---|---|', ...rows].join('\n')
}
