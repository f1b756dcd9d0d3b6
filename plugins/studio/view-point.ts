/** Where plugins give views of the studio. */
import { extensionPoint } from '../../core/index.ts'

/** A view of a plugin. */
export interface StudioView {
  /** Its address: `plant` is `#/plant`. The name of the plugin, alone or with more behind a hyphen. */
  readonly name: string
  /** In the navigation. */
  readonly title: string
  /** Name of an icon of the studio (web/studio/ui/icon.tsx); default `table`. */
  readonly icon?: string
  /** `file:` address of its ES module: one file, which imports nothing. */
  readonly module: string
}

/** Views behind those of the studio. */
export const studioView = extensionPoint<StudioView>('studio.views', {
  title: 'Views of the studio',
  description:
    'A view in the navigation of the studio. Its ES module default-exports a function that gets the components of the studio and returns a Preact component; it runs under the policy of the page and calls operations as its user.',
  constant: 'studioView',
  check: { name: 'text', title: 'text', icon: 'text?', module: 'text' },
  faults({ name, title, module }, plugin) {
    const faults: string[] = []
    if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name) || !(name === plugin || name.startsWith(`${plugin}-`)))
      faults.push(`the name of a view is "${plugin}" or "${plugin}-<name>", not "${name}"`)
    if (title.trim() === '') faults.push('title must not be empty')
    if (!/^file:.*\.m?js$/.test(module))
      faults.push("module is the address of a JavaScript file: new URL('./view.mjs', import.meta.url).href")
    return faults
  },
  example: "{ name: 'plant', title: 'Plant', icon: 'table', module: 'file:///opt/plugins/plant/view.mjs' }",
})
