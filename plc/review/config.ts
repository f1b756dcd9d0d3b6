/** `gantry.yml`: how a folder is checked. Faults have line and column, and say what is allowed. */
import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, type YAMLMap } from 'yaml'
import { nearest } from '../../lib/nearest.ts'
import { defined } from '../../lib/optional.ts'
import { tooDeepInYaml, yamlTooDeep } from '../../lib/yaml-depth.ts'
import { diagnosticCodes } from '../diagnostics/codes.ts'
import type { Severity } from '../diagnostics/diagnostic-code.ts'
import type { FormatOptions } from '../languages/scl/format.ts'
import { LineIndex } from '../model/fault.ts'
import {
  configFields,
  deviceFields,
  failLevels,
  formatFields,
  formatStyles,
  keywordCases,
  ruleLevels,
  severities,
} from './config-schema.ts'
import { contributedCode } from './contributed-rule.ts'
import type { OptionValue, Rule, RuleOption } from './rule.ts'
import { rulesByCode } from './rules.ts'

export type FailLevel = (typeof failLevels)[number]

export interface RuleSetting {
  readonly severity?: Severity | 'off'
  readonly options: Readonly<Record<string, OptionValue>>
}

/** Line and column in the file, from 1. */
export interface ConfigPlace {
  readonly line: number
  readonly column: number
}

/** A controller, and the folders (below the one that is checked) that its program is in. */
export interface ConfiguredDevice {
  readonly name: string
  readonly folders: readonly string[]
}

export interface ReviewConfig {
  readonly devices: readonly ConfiguredDevice[]
  /** Patterns of paths that are left out; `*` means any characters. */
  readonly ignore: readonly string[]
  /** Patterns of names that libraries supply: that they are missing is no finding. */
  readonly libraries: readonly string[]
  /** Of texts in external sources. */
  readonly culture: string
  /** The lowest severity that fails the check. */
  readonly failOn: FailLevel
  /** Severity of what is missing in the folder. */
  readonly missing: Severity
  /** How sources are written. */
  readonly format: FormatOptions
  /** Folders of plugins, each with its place in the file. */
  readonly plugins: readonly (ConfigPlace & { readonly folder: string })[]
  /** By code: rules of the review and of plugins, and warnings of the compiler. */
  readonly rules: ReadonlyMap<string, RuleSetting>
}

export const defaultConfig: ReviewConfig = {
  devices: [],
  ignore: [],
  libraries: [],
  culture: 'en-US',
  failOn: 'error',
  missing: 'warning',
  format: {},
  plugins: [],
  rules: new Map(),
}

/** What is wrong in the file. */
export interface ConfigFault extends ConfigPlace {
  readonly message: string
}

/** What is known of rules of plugins when a file is read. */
export interface KnownRules {
  readonly rules: readonly Rule[]
  /** These are all: a setting of another one is a fault. Without it one is accepted in a file that names plugins. */
  readonly isComplete: boolean
}

export interface ReadConfig {
  readonly config: ReviewConfig
  readonly faults: readonly ConfigFault[]
}

/** Reads the text of `gantry.yml`. What has a fault keeps its default. */
export function readConfig(text: string, known: KnownRules = { rules: [], isComplete: false }): ReadConfig {
  return new ConfigReader(text, known).read()
}

class ConfigReader {
  readonly #lines = new LineCounter()
  readonly #faults: ConfigFault[] = []
  readonly #text: string
  readonly #known: ReadonlyMap<string, Rule>
  /** Rules that are not known may be those of plugins. */
  #isLenient: boolean

  constructor(text: string, { rules, isComplete }: KnownRules) {
    this.#text = text
    this.#known = new Map([...rulesByCode, ...rules.map((rule) => [rule.code, rule] as const)])
    this.#isLenient = !isComplete
  }

  read(): ReadConfig {
    const deep = tooDeepInYaml(this.#text)
    if (deep !== undefined) {
      const place = new LineIndex(this.#text).at(deep)
      return { config: defaultConfig, faults: [{ ...place, message: `${yamlTooDeep}.` }] }
    }
    const document = parseDocument(this.#text, { lineCounter: this.#lines, prettyErrors: false })
    for (const { pos, message } of [...document.errors, ...document.warnings]) this.#faultAt(pos[0], `${message}.`)
    const root = document.contents
    if (root === null) return { config: defaultConfig, faults: this.#faults }
    if (!isMap(root)) {
      this.#fault(root as Node, `this is no mapping; allowed are the fields ${configFields.join(', ')}.`)
      return { config: defaultConfig, faults: this.#faults }
    }
    const config = { ...defaultConfig } as { -readonly [K in keyof ReviewConfig]: ReviewConfig[K] }
    this.#isLenient &&= root.has('plugins')
    for (const [name, key, value] of this.#entries(root)) {
      if (name === 'devices') config.devices = this.#devices(value)
      else if (name === 'ignore') config.ignore = this.#texts(value, name)
      else if (name === 'libraries') config.libraries = this.#texts(value, name)
      else if (name === 'culture') config.culture = this.#oneText(value, name) ?? config.culture
      else if (name === 'failOn') config.failOn = this.#choice(value, name, failLevels) ?? config.failOn
      else if (name === 'missing') config.missing = this.#choice(value, name, severities) ?? config.missing
      else if (name === 'format') config.format = this.#format(value)
      else if (name === 'plugins') config.plugins = this.#plugins(value)
      else if (name === 'rules') config.rules = this.#rules(value)
      else this.#fault(key, `there is no field "${name}"; allowed are ${configFields.join(', ')}.`)
    }
    return { config, faults: this.#faults }
  }

  #fault(node: Node | null | undefined, message: string): void {
    this.#faultAt(node?.range?.[0] ?? 0, message)
  }

  #faultAt(offset: number, message: string): void {
    this.#faults.push({ ...this.#placeAt(offset), message })
  }

  #placeAt(offset: number): ConfigPlace {
    const { line, col } = this.#lines.linePos(offset)
    return { line: Math.max(1, line), column: Math.max(1, col) }
  }

  #entries(map: YAMLMap): [name: string, key: Node, value: Node | null][] {
    return map.items.map(({ key, value }) => [
      isScalar(key) ? String(key.value) : String(key),
      key as Node,
      value as Node | null,
    ])
  }

  #texts(node: Node | null, name: string): string[] {
    if (isScalar(node) && typeof node.value === 'string') return [node.value]
    if (!isSeq(node)) {
      this.#fault(node, `"${name}" is a list of texts.`)
      return []
    }
    return node.items.flatMap((item) => {
      if (isScalar(item) && (typeof item.value === 'string' || typeof item.value === 'number'))
        return [String(item.value)]
      this.#fault(item as Node, `"${name}" is a list of texts.`)
      return []
    })
  }

  #plugins(node: Node | null): ReviewConfig['plugins'] {
    const found: ReviewConfig['plugins'][number][] = []
    for (const item of isSeq(node) ? node.items : [node]) {
      const folder = isScalar(item) && typeof item.value === 'string' ? item.value : ''
      if (folder === '') this.#fault(item as Node, '"plugins" is a list of folders.')
      else if (/^[a-z][a-z0-9+.-]+:/i.test(folder))
        this.#fault(item as Node, `"${folder}" is no folder: only plugins of this machine are loaded.`)
      else found.push({ folder, ...this.#placeAt((item as Node).range?.[0] ?? 0) })
    }
    return found
  }

  #oneText(node: Node | null, name: string): string | undefined {
    if (isScalar(node) && typeof node.value === 'string' && node.value !== '') return node.value
    this.#fault(node, `"${name}" is a text.`)
    return undefined
  }

  #choice<T extends string>(node: Node | null, name: string, allowed: readonly T[]): T | undefined {
    // YAML 1.1 tools write `off` as the value false.
    const text = isScalar(node) ? (node.value === false ? 'off' : String(node.value)) : undefined
    const found = allowed.find((one) => one === text)
    if (found === undefined) this.#fault(node, `"${name}" is one of ${allowed.join(', ')}.`)
    return found
  }

  #devices(node: Node | null): ConfiguredDevice[] {
    if (!isSeq(node)) {
      this.#fault(node, '"devices" is a list of { name, folder }.')
      return []
    }
    return node.items.flatMap((item) => {
      if (isScalar(item) && typeof item.value === 'string') return [{ name: item.value, folders: [item.value] }]
      if (!isMap(item)) {
        this.#fault(item as Node, 'a device is { name, folder }.')
        return []
      }
      let name: string | undefined
      let folders: readonly string[] | undefined
      for (const [field, key, value] of this.#entries(item))
        if (field === 'name') name = this.#oneText(value, 'name')
        else if (field === 'folder' || field === 'folders') folders = this.#texts(value, field)
        else this.#fault(key, `a device has no field "${field}"; allowed are ${Object.keys(deviceFields).join(', ')}.`)
      if (name === undefined) {
        this.#fault(item, 'a device needs a name.')
        return []
      }
      return [{ name, folders: (folders ?? [name]).map((one) => one.replace(/^\.?\/|\/$/g, '')) }]
    })
  }

  #format(node: Node | null): FormatOptions {
    if (!isMap(node)) {
      this.#fault(node, '"format" is a mapping: { style: tia }.')
      return {}
    }
    const found: { -readonly [K in keyof FormatOptions]: FormatOptions[K] } = {}
    let indent: Node | undefined
    for (const [name, key, value] of this.#entries(node)) {
      if (name === 'style') {
        if (this.#choice(value, name, formatStyles) === 'tia') found.style = 'tia'
      } else if (name === 'keywords')
        Object.assign(found, defined({ keywords: this.#choice(value, name, keywordCases) }))
      else if (name !== 'indent')
        this.#fault(key, `"format" has no field "${name}"; allowed are ${Object.keys(formatFields).join(', ')}.`)
      else {
        indent = key
        const blanks = isScalar(value) ? (value.value === 'tab' ? 0 : value.value) : undefined
        const isTab = isScalar(value) && value.value === 'tab'
        if (typeof blanks === 'number' && Number.isInteger(blanks) && (isTab || (blanks >= 1 && blanks <= 8)))
          found.indent = blanks
        else this.#fault(value, '"indent" is a number of blanks from 1 to 8, or tab.')
      }
    }
    if (found.style === 'tia' && indent !== undefined)
      this.#fault(indent, '"indent" has no effect with style: tia; leave it out.')
    return found
  }

  #rules(node: Node | null): Map<string, RuleSetting> {
    const found = new Map<string, RuleSetting>()
    if (!isMap(node)) {
      this.#fault(node, '"rules" has the codes of rules with off, information, warning, error or options.')
      return found
    }
    for (const [code, key, value] of this.#entries(node)) {
      const rule = this.#known.get(code)
      const compiler = diagnosticCodes.get(code)
      const isForeign = rule === undefined && this.#isLenient && contributedCode.test(code)
      if (rule === undefined && compiler === undefined && !isForeign) {
        const near = nearest(code, [...this.#known.keys(), ...diagnosticCodes.keys()])
        this.#fault(key, `there is no rule "${code}"${near ? `; do you mean "${near}"?` : '.'}`)
        continue
      }
      // The options of a rule that is not known are read by who knows it.
      if (isForeign) continue
      const setting = this.#setting(code, value, rule?.options ?? {})
      if (setting === undefined) continue
      if (compiler?.severity === 'error' && setting.severity !== undefined && setting.severity !== 'error')
        this.#fault(value, `"${code}" is an error of the compiler: the block would not run, so it stays an error.`)
      else found.set(code, setting)
    }
    return found
  }

  #setting(code: string, node: Node | null, known: Readonly<Record<string, RuleOption>>): RuleSetting | undefined {
    if (!isMap(node)) {
      const severity = this.#choice(node, code, ruleLevels)
      return severity && { severity, options: {} }
    }
    let severity: RuleSetting['severity']
    const options: Record<string, OptionValue> = {}
    for (const [name, key, value] of this.#entries(node)) {
      if (name === 'severity') severity = this.#choice(value, name, ruleLevels)
      else if (known[name] === undefined)
        this.#fault(
          key,
          `"${code}" has no option "${name}"; allowed are ${['severity', ...Object.keys(known)].join(', ')}.`,
        )
      else {
        const option = this.#option(name, value, known[name].value)
        if (option !== undefined) options[name] = option
      }
    }
    return { ...defined({ severity }), options }
  }

  #option(name: string, node: Node | null, like: OptionValue): OptionValue | undefined {
    if (Array.isArray(like)) return this.#texts(node, name)
    const value: unknown = isScalar(node) ? node.value : undefined
    if (typeof like === 'string' && name === 'pattern' && typeof value === 'string') {
      try {
        new RegExp(value, 'u')
      } catch (error) {
        this.#fault(node, `"${name}" is no regular expression: ${(error as Error).message}.`)
        return undefined
      }
    }
    if (typeof value === typeof like && (typeof value !== 'number' || value >= 0)) return value as OptionValue
    this.#fault(
      node,
      `"${name}" is a ${typeof like === 'boolean' ? 'yes or no (true, false)' : typeof like === 'number' ? 'number from 0' : 'text'}.`,
    )
    return undefined
  }
}
