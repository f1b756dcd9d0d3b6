/** The inventory of a project file as people read it. */
import { shortened } from '../../lib/shortened.ts'
import { table } from './output.ts'

/** What `projects.inspect` answers. */
export interface Inventory {
  readonly file: string
  readonly name: string
  readonly kind: string
  readonly version?: string
  readonly author: string
  readonly products: readonly string[]
  readonly saves: readonly {
    readonly number: number
    readonly at?: string
    readonly by?: string
    readonly records: number
  }[]
  readonly controllers: readonly {
    readonly name: string
    readonly orderNumber?: string
    readonly firmware?: string
    readonly typeName?: string
  }[]
  readonly otherStations: readonly string[]
  readonly counts: Readonly<Record<string, number>>
  readonly objects: readonly {
    readonly controller: string
    readonly name: string
    readonly kind: string
    readonly completeness: string
    readonly problems: readonly string[]
  }[]
  readonly notRead: Readonly<Record<string, number>>
  readonly damaged: readonly string[]
  readonly comparison?: Comparison
}

interface Named {
  readonly controller: string
  readonly name: string
  readonly kind: string
}

interface Comparison {
  readonly counts: Readonly<Record<string, { readonly equal: number; readonly total: number }>>
  readonly differences: readonly (Named & {
    readonly aspect: string
    readonly path: string
    readonly change: string
    readonly left?: string
    readonly right?: string
  })[]
  readonly omitted: number
  readonly onlyInFile: readonly Named[]
  readonly onlyInExports: readonly Named[]
  readonly notCompared: readonly string[]
}

const saveText = ({ number, at, by, records }: Inventory['saves'][number]): string =>
  `${number}${at ? ` at ${at}` : ''}${by ? ` by ${by}` : ''} (${records} records)`

/** The inventory as lines. @param all objects that are whole, too */
export function inventoryText(inventory: Inventory, all: boolean): string {
  const { controllers, objects, saves, counts } = inventory
  const lines = [
    `${inventory.name}: ${inventory.kind.toLowerCase()} of TIA Portal ${inventory.version ?? '(version unknown)'}${inventory.author ? `, by ${inventory.author}` : ''}`,
    `products: ${inventory.products.join(', ')}`,
    `saves: ${saves.map(saveText).join(', ')}`,
    '',
    table([
      ['PLC', 'CPU', 'order number', 'firmware', 'objects'],
      ...controllers.map(({ name, typeName, orderNumber, firmware }) => [
        name,
        typeName ?? '',
        orderNumber ?? '',
        firmware ?? '',
        String(objects.filter(({ controller }) => controller === name).length),
      ]),
    ]).trimEnd(),
  ]
  if (inventory.otherStations.length > 0) lines.push(`other stations: ${inventory.otherStations.join(', ')}`)
  lines.push('', `${counts.whole} objects whole, ${counts.partly} in part, ${counts['not-read']} not read`)
  for (const { controller, kind, name, completeness, problems } of objects)
    if (all || problems.length > 0)
      lines.push(
        `  ${controller}/${name} (${kind}): ${completeness}${problems.map((text) => `\n    ${text}`).join('')}`,
      )
  for (const [kind, number] of Object.entries(inventory.notRead)) lines.push(`not read: ${number} ${kind}`)
  for (const text of inventory.damaged) lines.push(`damaged: ${text}`)
  if (inventory.comparison) lines.push('', ...comparisonLines(inventory.comparison))
  return `${lines.join('\n')}\n`
}

const longestValue = 200
const short = (text = ''): string => shortened(text, longestValue)

function comparisonLines({ counts, ...found }: Comparison): string[] {
  const place = ({ controller, name, kind }: Named) => `${controller}/${name} (${kind})`
  return [
    'compared with the exports: equal of those in the exports',
    ...Object.entries(counts).map(([kind, { equal, total }]) => `  ${kind}: ${equal} of ${total}`),
    ...found.onlyInFile.map((one) => `only in the file: ${place(one)}`),
    ...found.onlyInExports.map((one) => `only in the exports: ${place(one)}`),
    ...found.differences.map(
      (one) =>
        `differs: ${place(one)}, ${one.aspect}, ${one.path}: ${one.change}, file ${short(one.left ?? '-')}, exports ${short(one.right ?? '-')}`,
    ),
    ...(found.omitted > 0 ? [`and ${found.omitted} more differences`] : []),
    ...found.notCompared.map((text) => `not compared: ${text}`),
  ]
}
