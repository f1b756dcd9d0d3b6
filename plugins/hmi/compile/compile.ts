/** Compiles an HMI station: checks everything that refers to something, and makes the model that its page shows. */
import { createHash } from 'node:crypto'
import type { CommandContext } from '../../../core/index.ts'
import { defined } from '../../../core/index.ts'
import type { HmiAction, HmiBinding, HmiItem, LibraryTypeContent } from '../../../plc/formats/hmi/model.ts'
import type { Device } from '../../devices/index.ts'
import { requireProject } from '../../projects/index.ts'
import { type HmiCode, severityOf } from '../codes.ts'
import { converters, convertersFor } from '../items/converters.ts'
import { isWrittenBy, itemTypes, propertiesOf } from '../items/item-types.ts'
import { formatHint, formatOf } from '../items/value-formats.ts'
import { allScreensOf, type HmiObject, hmiCollections, hmiTags, itemsOf, stationSettings } from '../object.ts'
import { edgeOf, type ScreenKind, screenKindNames, screenKindOf, screenKinds } from '../objects/screen-kinds.ts'
import { limitsOf, plcsOf, Variables } from '../program.ts'
import type {
  CompiledFormat,
  HmiMessage,
  ModelAlarm,
  ModelBinding,
  ModelItem,
  ModelLimit,
  ModelPopup,
  ModelScreen,
  ModelVariable,
  StationModel,
} from '../station-model.ts'
import { resolutionOf } from '../stations.ts'
import { limitOf } from '../tags/tag-limits.ts'
import { scriptFault, variablesIn } from './script-check.ts'
import { runsFunction, screenParameter, systemFunctions, variableParameter, withVariable } from './system-functions.ts'

type Context = Pick<CommandContext, 'read' | 'blobs' | 'engine' | 'extensions' | 'signal'>

/** Where a message belongs. */
interface Place {
  readonly screen?: string
  /** Of the screen; absent: a screen of its own. */
  readonly screenType?: string
  readonly object?: string
  readonly property?: string
}

/** A station that was compiled: its model holds also what has faults, as far as it can be shown. */
export interface CompiledStation {
  readonly model: StationModel
  readonly messages: readonly HmiMessage[]
}

/** Classes of alarms that need no acknowledgement: warnings, information, diagnosis, system. */
const isUnacknowledged = /^(warnings?|informations?|system|diagnos\w*( events)?|notifications?|.*(no|without) ack\w*)$/i

/** Most messages that are kept. */
const mostMessages = 5000

export async function compileStation(ctx: Context, station: Device): Promise<CompiledStation> {
  const compiler = new StationCompiler(ctx, station)
  return compiler.compile()
}

class StationCompiler {
  readonly #ctx: Context
  readonly #station: Device
  readonly #variables: Variables
  readonly #messages: HmiMessage[] = []
  readonly #indexes = new Map<string, number | undefined>()
  readonly #model: ModelVariable[] = []
  readonly #usedGraphics = new Set<string>()

  constructor(ctx: Context, station: Device) {
    this.#ctx = ctx
    this.#station = station
    this.#variables = new Variables(ctx, station)
  }

  async compile(): Promise<CompiledStation> {
    const { id } = this.#station
    const screens = allScreensOf(this.#ctx, id)
    const items = new Map(screens.map((screen) => [screen.id, itemsOf(this.#ctx, screen.id)]))
    await this.#variables.prepare([...this.#namesIn([...items.values()].flat())])
    this.#checkTags()
    const start = this.#startScreen(hmiCollections.screen.of(this.#ctx, id))
    const compiled: ModelScreen[] = []
    const popups: ModelPopup[] = []
    for (const screen of screens) {
      this.#ctx.signal.throwIfAborted()
      const kind = screenKindOf(screen.content.screenType)
      if (kind === 'screen') compiled.push(this.#screen(screen, items))
      else if (kind === 'popup') popups.push(this.#screen(screen, items))
      else if (kind === 'slide-in') popups.push({ ...this.#screen(screen, items), edge: edgeOf(screen.name) })
      else if (kind !== 'template' && (items.get(screen.id) ?? []).length > 0) {
        const text = `"${screen.name}" is not shown: it is a ${screen.content.screenType}`
        this.#tell('hmi-not-shown', text, 'Put its objects into the template of the screens.', placeOf(screen))
      }
      await new Promise((resolve) => setImmediate(resolve))
    }
    const alarms = this.#alarms()
    const scripts = this.#scripts()
    const { width, height } = resolutionOf(this.#ctx, this.#station)
    const textLists = Object.fromEntries(
      hmiCollections['text-list'].of(this.#ctx, id).map(({ name, content }) => [name.toLowerCase(), content.entries]),
    )
    const graphicLists = this.#graphicLists()
    const model = {
      station: this.#station.name,
      width,
      height,
      startScreen: start,
      cultures: requireProject(this.#ctx).cultures,
      variables: this.#model,
      plcs: plcsOf(this.#ctx, this.#station).map(({ name }) => name),
      screens: compiled,
      popups,
      textLists,
      graphicLists,
      graphics: await this.#graphics(),
      scripts,
      alarms,
    }
    const version = createHash('sha256').update(JSON.stringify(model)).digest('base64url').slice(0, 22)
    return { messages: this.#messages, model: { version, ...model } }
  }

  #tell(
    code: HmiCode,
    description: string,
    hint: string,
    place: Place = {},
    at: { line?: number; column?: number } = {},
  ) {
    if (this.#messages.length >= mostMessages) return
    const { screen = '', object = '', property = '', ...of } = place
    this.#messages.push({ state: severityOf(code), code, description, hint, screen, ...of, object, property, ...at })
  }

  /** All paths and names of tags that anything follows. */
  *#namesIn(items: readonly HmiItem[]): Generator<string> {
    for (const { bindings, events } of items) {
      for (const { tag } of bindings) yield tag
      for (const { actions } of events)
        for (const action of actions) {
          const name = variableParameter(action)
          if (name !== undefined) yield name
          if (screenParameter(action) !== undefined) yield* Object.values(action.parameters)
        }
    }
    for (const tag of this.#ctx.read(hmiTags).find('byDevice', this.#station.id)) {
      yield tag.name
      for (const end of ['Upper', 'Lower'] as const) {
        const limit = limitOf(tag, end)
        if (limit !== undefined && 'tag' in limit) yield limit.tag
      }
    }
    for (const { content } of hmiCollections.alarm.of(this.#ctx, this.#station.id)) yield content.tag
    for (const { content } of hmiCollections.script.of(this.#ctx, this.#station.id)) yield* variablesIn(content.source)
    for (const { content } of hmiCollections['library-type'].of(this.#ctx, this.#station.id))
      yield* content.items.flatMap(({ bindings }) => bindings.map(({ tag }) => tag))
  }

  #checkTags() {
    for (const tag of this.#ctx.read(hmiTags).find('byDevice', this.#station.id)) {
      const found = this.#variables.find(tag.name)
      const faults = 'code' in found ? [found] : limitsOf(tag.name, found, false)
      for (const { code, message, hint } of faults) this.#tell(code, message, hint, { object: tag.name })
      if (tag.connection !== '' && !hmiCollections.connection.find(this.#ctx, this.#station.id, tag.connection)) {
        const text = `HMI tag "${tag.name}": there is no connection "${tag.connection}"`
        this.#tell('hmi-missing-reference', text, 'Create it, or correct the name.', { object: tag.name })
      }
      if (/^true$/i.test(tag.attributes.LinearScaling ?? '')) {
        const text = `The linear scaling of "${tag.name}" is not applied: it has the value of the PLC here`
        this.#tell('hmi-not-applied', text, 'Give the bindings of its objects the converter Scale.', {
          object: tag.name,
        })
      }
    }
  }

  #startScreen(screens: readonly HmiObject<'screen'>[]): string {
    const set = this.#ctx.read(stationSettings).get(this.#station.id)?.startScreen
    const wanted = set === undefined ? undefined : screens.find(({ name }) => name.toLowerCase() === set.toLowerCase())
    if (set !== undefined && wanted === undefined)
      this.#tell('hmi-missing-reference', `The start screen "${set}" does not exist`, 'Choose another one.')
    const [first] = [...screens].sort((a, b) => a.content.number - b.content.number)
    if (first === undefined)
      this.#tell('hmi-no-screen', `"${this.#station.name}" has no screen`, 'Create one and put objects on it.')
    return (wanted ?? first)?.name ?? ''
  }

  #screen(screen: HmiObject<'screen'>, all: ReadonlyMap<string, readonly HmiItem[]>): ModelScreen {
    const { name, content } = screen
    const own = all.get(screen.id) ?? []
    const found = hmiCollections.template.find(this.#ctx, this.#station.id, content.template)
    if (content.template !== '' && found === undefined) {
      const hint = `Import the template, or clear the field.${this.#others(content.template, ['template'])}`
      this.#tell('hmi-missing-reference', `There is no template "${content.template}"`, hint, placeOf(screen))
    }
    const template = found === undefined ? [] : (all.get(found.id) ?? [])
    const inLayers = [...own].sort((a, b) => a.layer - b.layer)
    const isHidden = new Set(content.layers.filter(({ visible }) => !visible).map(({ index }) => index))
    const items = [...template, ...inLayers.filter(({ layer }) => !isHidden.has(layer))]
    return {
      name,
      number: content.number,
      width: content.width,
      height: content.height,
      backColor: content.backColor,
      items: items.flatMap((item) => this.#item(item, { ...placeOf(screen), object: item.name }, content) ?? []),
    }
  }

  #item(item: HmiItem, place: Place, area: { width: number; height: number }): ModelItem | undefined {
    const { type, left, top, width, height } = item
    if (itemTypes[type] === undefined) {
      this.#tell('hmi-not-shown', `A ${type} is not drawn`, 'It stays in the project and its export.', place)
      return undefined
    }
    if (type === 'Group' || type === 'SoftKey') return undefined
    if (left >= area.width || top >= area.height || left + width < 0 || top + height < 0) {
      const text = `"${item.name}" lies at ${left}, ${top}; the screen has ${area.width} x ${area.height}`
      this.#tell('hmi-outside', text, 'Move it.', place)
    }
    this.#links(item, place)
    for (const { actions } of item.events) for (const action of actions) this.#action(action, place)
    const { name, properties, texts, links, events } = item
    const made = { name, type, left, top, width, height, properties, texts, links, events }
    if (type === 'FaceplateInstance') return this.#faceplate(item, made, place)
    const bindings = item.bindings.flatMap((binding) => this.#binding(binding, item, place) ?? [])
    return { ...made, bindings, ...defined({ format: this.#format(item, bindings, place) }) }
  }

  /** The format of a field; one that is not known or does not fit is told. */
  #format({ type, properties }: HmiItem, bindings: readonly ModelBinding[], place: Place): CompiledFormat | undefined {
    const bound = bindings.find(({ property }) => property === 'processValue')
    if (type !== 'IOField' || bound === undefined) return undefined
    const { format, fault } = formatOf(properties, this.#model[bound.variable]!.dataType)
    if (fault !== undefined) this.#tell('hmi-format', fault, formatHint, { ...place, property: 'formatPattern' })
    return format
  }

  #binding(binding: HmiBinding, item: HmiItem, place: Place): ModelBinding | undefined {
    const { property, tag, converter } = binding
    const at = { ...place, property }
    const expected = propertiesOf(item.type)[property]
    if (expected === undefined) {
      const text = `The property ${property} of a ${item.type} is not shown`
      this.#tell('hmi-not-shown', text, `These are: ${Object.keys(propertiesOf(item.type)).join(', ')}.`, at)
      return undefined
    }
    const variable = this.#variable(tag, at, isWrittenBy(item, property))
    if (variable === undefined) return undefined
    const { dataType } = this.#model[variable]!
    const made = converter === undefined ? undefined : converters[converter]
    const isBool = /^bool$/i.test(dataType)
    const isNumber = isNumeric(dataType)
    const wrong =
      made?.takes === 'boolean' && !isBool
        ? `${converter} takes a Bool, "${tag}" is ${dataType}`
        : made?.takes === 'number' && !isNumber
          ? `${converter} takes a number, "${tag}" is ${dataType}`
          : made === undefined && expected === 'colour'
            ? `"${tag}" is ${dataType}; a colour needs a converter`
            : made === undefined && expected === 'number' && !isNumber
              ? `${property} takes a number, "${tag}" is ${dataType}`
              : undefined
    if (wrong !== undefined) {
      const hint = `Take another variable, or a converter that fits: ${convertersFor(expected).join(', ')}.`
      this.#tell('hmi-wrong-type', wrong, hint, at)
      return undefined
    }
    const compiled = made?.compile(binding.params ?? {})
    if (compiled?.kind === 'list')
      this.#requireList(compiled.of === 'text' ? 'text-list' : 'graphic-list', compiled.list, at)
    const list = compiled?.kind === 'list' ? { ...compiled, list: compiled.list.toLowerCase() } : compiled
    return { property, variable, ...defined({ converter: list }) }
  }

  #requireList(kind: 'text-list' | 'graphic-list', name: string, place: Place) {
    const list = hmiCollections[kind].find(this.#ctx, this.#station.id, name)
    const noun = kind === 'text-list' ? 'text list' : 'graphic list'
    if (list === undefined)
      this.#tell('hmi-missing-reference', `There is no ${noun} "${name}"`, 'Create or import it.', place)
  }

  #links(item: HmiItem, place: Place) {
    const { textList, pictureList, picture, graphicList, graphic } = item.links
    if (textList !== undefined) this.#requireList('text-list', textList, place)
    const list = pictureList ?? graphicList
    if (list !== undefined) this.#requireList('graphic-list', list, place)
    const image = picture ?? graphic
    if (image !== undefined) this.#graphic(image, place)
  }

  #graphic(name: string, place: Place) {
    const found = hmiCollections.graphic.find(this.#ctx, this.#station.id, name)
    if (found === undefined)
      this.#tell('hmi-missing-reference', `There is no project graphic "${name}"`, 'Import the image.', place)
    else if (found.content.image === '')
      this.#tell('hmi-graphic-empty', `The graphic "${name}" has no image`, 'Import the image.', place)
    else this.#usedGraphics.add(found.name)
  }

  #action(action: HmiAction, place: Place) {
    const { id } = this.#station
    const name = variableParameter(action)
    if (name !== undefined && name !== '') this.#variable(name, place, true)
    const shown = screenParameter(action)
    if (shown !== undefined) {
      if (shown.kinds.every((kind) => hmiCollections[kind].find(this.#ctx, id, shown.name) === undefined)) {
        const { noun } = screenKinds[shown.kinds[0]!]
        const hint = `Correct the name.${this.#others(shown.name, shown.kinds)}`
        this.#tell('hmi-missing-reference', `There is no ${noun} "${shown.name}"`, hint, place)
      }
      this.#coordinates(action, place)
      return
    }
    if (runsFunction(action.function)) return
    if (hmiCollections.script.find(this.#ctx, id, action.function) !== undefined) return
    const hint = `These do: ${systemFunctions.join(', ')}; and the scripts of the station.`
    this.#tell('hmi-not-run', `The function ${action.function} does nothing here`, hint, place)
  }

  /** Which screens of other kinds have a name, as a sentence. */
  #others(name: string, kinds: readonly ScreenKind[]): string {
    const others = screenKindNames.filter(
      (kind) => !kinds.includes(kind) && hmiCollections[kind].find(this.#ctx, this.#station.id, name) !== undefined,
    )
    const nouns = others.map((kind) => screenKinds[kind].noun).join(' and a ')
    return nouns === '' ? '' : ` There is a ${nouns} of this name.`
  }

  /** Where a popup opens may be in tags. */
  #coordinates({ parameters }: HmiAction, place: Place) {
    for (const [key, text] of Object.entries(parameters))
      if (/^(x|y) coordinate$|^(left|top)$/i.test(key.trim()) && text.trim() !== '' && Number.isNaN(Number(text)))
        this.#variable(text, { ...place, property: key })
  }

  /** Index of a variable; undefined when the program does not have it. That and what it does not allow is told. */
  #variable(name: string, place: Place, isWritten = false): number | undefined {
    const key = name.toLowerCase()
    const found = this.#variables.find(name)
    if ('code' in found) {
      this.#tell(found.code, found.message, found.hint, place)
      return undefined
    }
    for (const { code, message, hint } of limitsOf(name, found, isWritten)) this.#tell(code, message, hint, place)
    const known = this.#indexes.get(key)
    if (known !== undefined) return known
    const { plc, path, dataType, isWritable, isInternal } = found
    const start = isInternal === true ? this.#variables.tag(name)?.attributes.StartValue : undefined
    const index = this.#model.length
    this.#model.push({
      name,
      dataType,
      isWritable,
      ...(plc === undefined ? {} : { plc, path }),
      ...defined({ startValue: start }),
    })
    this.#indexes.set(key, index)
    // After it is known: a tag may be the limit of another one that limits it.
    const [low, high] = [this.#limit(name, 'Lower', dataType), this.#limit(name, 'Upper', dataType)]
    if (low !== undefined || high !== undefined)
      this.#model[index] = { ...this.#model[index]!, ...defined({ low, high }) }
    return index
  }

  /** The limit of an HMI tag at one end; one that cannot be applied is told. */
  #limit(name: string, end: 'Upper' | 'Lower', dataType: string): ModelLimit | undefined {
    const tag = this.#variables.tag(name)
    const limit = tag && limitOf(tag, end)
    if (tag === undefined || limit === undefined) return undefined
    const place = { object: tag.name }
    const hint = 'Give a constant, or an HMI tag that is a number.'
    if ('fault' in limit) this.#tell('hmi-not-applied', limit.fault, hint, place)
    else if (!isNumeric(dataType) || /time/i.test(dataType))
      this.#tell('hmi-not-applied', `The limits of "${tag.name}" are not applied: it is ${dataType}`, hint, place)
    else if ('value' in limit) return limit
    else {
      const variable = this.#variable(limit.tag, place)
      return variable === undefined ? undefined : { variable }
    }
    return undefined
  }

  /** The objects of a faceplate follow the variables that the instance binds to its properties. */
  #faceplate(item: HmiItem, made: Omit<ModelItem, 'bindings'>, place: Place): ModelItem | undefined {
    const name = item.links.faceplate ?? item.links.type ?? ''
    const type = hmiCollections['library-type'].find(this.#ctx, this.#station.id, name)
    if (type === undefined) {
      this.#tell('hmi-missing-reference', `There is no library type "${name}"`, 'Set links.faceplate to one.', place)
      return undefined
    }
    const { content }: { content: LibraryTypeContent } = type
    const bound = new Map(item.bindings.map(({ property, tag }) => [property.toLowerCase(), tag]))
    const own = new Set(content.properties.map((property) => property.name.toLowerCase()))
    /** The variable of the instance for a tag in the faceplate; undefined: its property has none, which is reported. */
    const ofInstance = (name: string): string | undefined => {
      const dot = name.indexOf('.')
      const head = (dot < 0 ? name : name.slice(0, dot)).toLowerCase()
      if (!own.has(head)) return name
      const tag = bound.get(head)
      if (tag !== undefined) return `${tag}${dot < 0 ? '' : name.slice(dot)}`
      const text = `"${item.name}" gives the property "${head}" of "${type.name}" no variable`
      const at = { ...place, property: head }
      this.#tell('hmi-missing-binding', text, `Bind it: { property: "${head}", tag: "…" }.`, at)
      return undefined
    }
    const items = content.items.flatMap((inner): ModelItem[] => {
      const bindings = inner.bindings.flatMap((binding): HmiBinding[] => {
        const tag = ofInstance(binding.tag)
        return tag === undefined ? [] : [{ ...binding, tag }]
      })
      const events = inner.events.map((one) => ({
        ...one,
        actions: one.actions.map((action) => withVariable(action, ofInstance)),
      }))
      const at = { ...place, object: `${item.name}/${inner.name}` }
      return [this.#inner({ ...inner, bindings, events }, at, content)].flatMap((one) => one ?? [])
    })
    return { ...made, bindings: [], items, innerWidth: content.width, innerHeight: content.height }
  }

  /** An object inside a faceplate: its variables were not known before, and faceplates are not nested. */
  #inner(item: HmiItem, place: Place, area: { width: number; height: number }): ModelItem | undefined {
    if (item.type !== 'FaceplateInstance') return this.#item(item, place, area)
    this.#tell('hmi-not-shown', 'A faceplate in a faceplate is not drawn', 'Put its objects into the outer one.', place)
    return undefined
  }

  #alarms(): ModelAlarm[] {
    return hmiCollections.alarm.of(this.#ctx, this.#station.id).flatMap(({ name, content }) => {
      const place = { object: name }
      const variable = this.#variable(content.tag, place)
      if (variable === undefined) return []
      const { dataType } = this.#model[variable]!
      const { alarmType: type, number, alarmClass, bit, limit, mode, text } = content
      const needsAcknowledgement = content.needsAcknowledgement ?? !isUnacknowledged.test(alarmClass)
      if (this.#model[variable]!.plc === undefined)
        this.#tell(
          'hmi-not-run',
          `Alarm "${name}" follows the internal tag "${content.tag}"`,
          'Internal tags have a value in each page only: take a variable of the PLC.',
          place,
        )
      if (type === 'analog' && !isNumeric(dataType))
        this.#tell('hmi-wrong-type', `"${content.tag}" is ${dataType}, no number`, 'An analog alarm needs one.', place)
      return [{ name, number, alarmClass, needsAcknowledgement, variable, type, bit, limit, mode, text }]
    })
  }

  #scripts(): StationModel['scripts'] {
    const scripts: Record<string, StationModel['scripts'][string]> = {}
    for (const { name, content } of hmiCollections.script.of(this.#ctx, this.#station.id)) {
      const place = { object: name }
      if (content.language !== 'JavaScript') {
        this.#tell('hmi-not-run', `"${name}" is a ${content.language}`, 'Write it in JavaScript.', place)
        continue
      }
      const fault = scriptFault(content.parameters, content.source)
      if (fault === undefined) {
        const variables = variablesIn(content.source).flatMap((one) => this.#variable(one, place) ?? [])
        scripts[name] = { parameters: content.parameters, source: content.source, variables }
      } else {
        const { message, line, column } = fault
        this.#tell('hmi-script-syntax', `Script "${name}": ${message}`, 'Correct the script.', place, { line, column })
      }
    }
    return scripts
  }

  #graphicLists(): StationModel['graphicLists'] {
    const lists = hmiCollections['graphic-list'].of(this.#ctx, this.#station.id)
    for (const { name, content } of lists)
      for (const { graphic } of content.entries) if (graphic !== '') this.#graphic(graphic, { object: name })
    return Object.fromEntries(lists.map(({ name, content }) => [name.toLowerCase(), content.entries]))
  }

  async #graphics(): Promise<Record<string, string>> {
    const graphics: Record<string, string> = {}
    for (const name of this.#usedGraphics) {
      const { content } = hmiCollections.graphic.find(this.#ctx, this.#station.id, name)!
      const bytes = await this.#ctx.blobs.get(content.image)
      graphics[name.toLowerCase()] = `data:${content.mediaType};base64,${bytes.toString('base64')}`
    }
    return graphics
  }
}

/** The place of what is on a screen. */
function placeOf({ name, content: { screenType } }: HmiObject<'screen'>): Place {
  return screenType === 'Screen' ? { screen: name } : { screen: name, screenType }
}

function isNumeric(dataType: string): boolean {
  return /^(byte|word|dword|lword|sint|int|dint|lint|usint|uint|udint|ulint|real|lreal|char|time|ltime|s5time)$/i.test(
    dataType,
  )
}
