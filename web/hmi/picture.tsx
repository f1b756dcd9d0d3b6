/** A screen without a browser, with values that the gateway has read: for pictures and lists of what is shown. */
import renderToString from 'preact-render-to-string'
import { escapeText } from '../../lib/xml-text.ts'
import type { ScreenChoice, ScreenProgram, ShownObject, StationState } from '../../plugins/hmi/page/screen-view.ts'
import type { ModelItem, StationModel } from '../../plugins/hmi/station-model.ts'
import { box } from './drawing.ts'
import { Runtime } from './runtime.ts'
import { ScreenView } from './screen.tsx'
import { isVisible, shownOf } from './shown.ts'

/** The page as it is with these values; it follows nothing. */
function runtimeOf(model: StationModel, state: StationState, { screen, culture }: ScreenChoice): Runtime {
  const runtime = new Runtime(model, culture)
  runtime.screenName.value = screen
  const { values } = runtime
  for (const [index, value] of state.values) {
    values.of(index).value = value
    values.faultOf(index).value = undefined
  }
  for (const [index, fault] of state.faults) values.faultOf(index).value = fault
  values.plcs.value = state.plcs
  values.alarms.value = state.alarms
  runtime.programAlarms.value = state.programAlarms
  return runtime
}

function objectsOf(runtime: Runtime, items: readonly ModelItem[], before: string): ShownObject[] {
  return items.flatMap((item): ShownObject[] => {
    const text = shownOf(runtime, item)
    const values = item.bindings.map(({ property, variable }) => {
      const value = runtime.values.of(variable).value === null ? null : runtime.read(item, property).value
      return { property, variable, value }
    })
    const does = item.events.flatMap(({ event, actions }) =>
      actions.map(({ function: name, parameters }) => {
        const given = Object.entries(parameters).map(([key, value]) => `${key}=${value}`)
        return `${event}: ${name}(${given.join(', ')})`
      }),
    )
    const own: ShownObject = {
      ...{ name: `${before}${item.name}`, type: item.type, ...box(runtime, item) },
      isVisible: isVisible(runtime, item),
      ...(text === undefined ? {} : { text }),
      values,
      does,
    }
    return [own, ...objectsOf(runtime, item.items ?? [], `${before}${item.name}/`)]
  })
}

export const shownObjects: ScreenProgram['shownObjects'] = (model, state, choice) => {
  const runtime = runtimeOf(model, state, choice)
  try {
    return objectsOf(runtime, runtime.screen?.items ?? [], '')
  } finally {
    runtime.close()
  }
}

export const screenPicture: ScreenProgram['screenPicture'] = (model, state, choice, style) => {
  const runtime = runtimeOf(model, state, choice)
  try {
    const { screen } = runtime
    if (screen === undefined) return ''
    const sizes = `xmlns="http://www.w3.org/2000/svg" width="${screen.width}" height="${screen.height}"`
    const rules = escapeText(`${style}\nsvg{font:16px/1.4 system-ui,sans-serif}`)
    return asXml(renderToString(<ScreenView of={runtime} screen={screen} />)).replace(
      /^<svg([^>]*)>/,
      (_all, attributes: string) => `<svg ${sizes}${attributes}><style>${rules}</style>`,
    )
  } finally {
    runtime.close()
  }
}

/** HTML of the page as XML: attributes without a value have one, and HTML inside of SVG has its name. */
function asXml(html: string): string {
  return html
    .replace(
      /<([a-zA-Z]\w*)((?:\s+[\w:-]+(?:="[^"]*")?)*)(\s*\/?>)/g,
      (_all, name: string, list: string, end: string) => {
        const attributes = list.replace(
          /(\s+[\w:-]+)(="[^"]*")?/g,
          (_one, key: string, value?: string) => `${key}${value ?? '=""'}`,
        )
        return `<${name}${attributes}${end}`
      },
    )
    .replace(/(<foreignObject[^>]*>)<(\w+)/g, '$1<$2 xmlns="http://www.w3.org/1999/xhtml"')
}
