/**
 * Everything that the PLC library does with the files of a program, each under a name: what tests of size (how work
 * grows, how deep a text may be) run on generated files.
 */

import { factsOf } from '../plc/documentation/facts.ts'
import { htmlOf } from '../plc/documentation/html.ts'
import { markdownOf } from '../plc/documentation/markdown.ts'
import { comparePrograms } from '../plc/edit/compare-programs.ts'
import { contentText } from '../plc/edit/content-text.ts'
import { content } from '../plc/edit/document.ts'
import { type ImportedFile, importFile } from '../plc/formats/import.ts'
import { programOf } from '../plc/formats/simatic-sd/import.ts'
import { writeSd } from '../plc/formats/simatic-sd/write.ts'
import { writeSimaticMl } from '../plc/formats/simaticml/write.ts'
import { formatSource } from '../plc/formats/source/format.ts'
import { writeSource } from '../plc/formats/source/write-source.ts'
import { specificationOf } from '../plc/generate/specification-of.ts'
import { LanguageService } from '../plc/language-service/service.ts'
import { mergeFile } from '../plc/merge/file.ts'
import { FormatError } from '../plc/model/fault.ts'
import type { ImportedObject } from '../plc/model/object.ts'
import { mutantsOf } from '../plc/program-tests/mutants.ts'
import { networkPictures } from '../plc/render/block-picture.ts'
import { type CheckedProgram, checkProgram } from '../plc/review/check.ts'
import { defaultConfig } from '../plc/review/config.ts'
import { rules } from '../plc/review/rules.ts'
import { renameInSource } from '../plc/uses/rename-source.ts'
import { usesOf } from '../plc/uses/uses-of.ts'

const culture = 'en-US'

export interface ProgramText {
  readonly path: string
  readonly text: string
}

/** The files of a program, and what the passes before have made of them. */
export interface PassInput {
  readonly files: readonly ProgramText[]
  readonly read: readonly ImportedFile[]
  readonly objects: readonly ImportedObject[]
}

export async function passInput(files: readonly ProgramText[]): Promise<PassInput> {
  const read: ImportedFile[] = []
  for (const { path, text } of files) read.push(await importFile(bytesOf(text), { path, checkCode: true }))
  return { files, read, objects: read.flatMap(({ objects }) => objects) }
}

const bytesOf = (text: string) => new TextEncoder().encode(text)

/** What a format or an edit refuses by name is an answer. */
function orRefused(run: () => unknown): unknown {
  try {
    return run()
  } catch (error) {
    if (error instanceof FormatError) return error.faults
    throw error
  }
}

/** Every rule counts, also those that are off by default. */
const allRules = new Map(rules.map(({ code, severity }) => [code, { severity, options: {} }]))

export function checked({ files }: Pick<PassInput, 'files'>): Promise<CheckedProgram> {
  const given = files.map(({ path, text }) => ({ path, bytes: bytesOf(text) }))
  return checkProgram(given, [], { ...defaultConfig, rules: allRules })
}

/** A few offsets in the names of a text: its first, its last, and some between. */
function offsetsIn(text: string): number[] {
  const last = text.length - 1
  return [0.1, 0.3, 0.5, 0.7, 0.9, 0.99].map((part) => {
    const from = Math.floor(last * part)
    const at = text.slice(from).search(/[A-Za-z_]\w/)
    return at < 0 ? from : from + at
  })
}

function serviceOf(files: readonly ProgramText[]): LanguageService {
  const service = new LanguageService()
  for (const { path, text } of files) service.files.setText(path, text)
  return service
}

function atOffsets(files: readonly ProgramText[], ask: (s: LanguageService, path: string, at: number) => unknown) {
  const service = serviceOf(files)
  return files.slice(0, 1).flatMap(({ path, text }) => offsetsIn(text).map((at) => ask(service, path, at)))
}

/** The passes by name. */
export const programPasses: Readonly<Record<string, (input: PassInput) => unknown>> = {
  import: ({ files }) => passInput(files),
  check: checked,
  format: ({ files }) => files.map(({ text }) => formatSource(text)),
  uses: ({ objects }) => objects.map((object) => usesOf(object)),
  rename: ({ files }) => files.map(({ text }) => orRefused(() => renameInSource(text, 'a', 'another'))),
  'text of contents': ({ objects }) => objects.map((object) => orRefused(() => contentText(object, culture))),
  contents: ({ objects }) => objects.map((object) => JSON.stringify(content(object, culture))),
  specification: ({ objects }) => objects.map((object) => orRefused(() => specificationOf(object))),
  'write SimaticML': ({ objects }) =>
    objects.map((object) => orRefused(() => writeSimaticMl(object, { version: 'V21', culture }))),
  'write source': ({ objects }) => objects.map((object) => orRefused(() => writeSource(object, culture))),
  'write SIMATIC SD': ({ objects }) => {
    const program = programOf([], { objects })
    return objects.map((object) => orRefused(() => writeSd(object, { program })))
  },
  compare: ({ objects }) => comparePrograms(objects, structuredClone(objects)),
  documentation: ({ objects }) => {
    const facts = factsOf(objects)
    return [htmlOf([{ facts }], { title: 't', culture }), markdownOf([{ facts }], { title: 't', culture })]
  },
  pictures: ({ objects }) =>
    objects.map((object) => object.networks.map((_, i) => networkPictures(object, i, culture))),
  mutants: ({ objects }) => objects.map((object) => [...mutantsOf(object)].length),
  merge: ({ files }) =>
    Promise.all(
      files.map(({ path, text }) => {
        const [base, ours, theirs] = ['', '\n', '\n\n'].map((end) => bytesOf(text + end))
        return mergeFile({ path, base: base!, ours: ours!, theirs: theirs!, names: { ours: 'a', theirs: 'b' } }).catch(
          (error: unknown) => {
            if (!(error instanceof FormatError)) throw error
          },
        )
      }),
    ),
  hover: ({ files }) => atOffsets(files, (service, path, at) => service.hover(path, at)),
  references: ({ files }) => atOffsets(files, (service, path, at) => service.references(path, at)),
  'rename in editor': ({ files }) => atOffsets(files, (service, path, at) => service.rename(path, at, 'another')),
  completion: ({ files }) => atOffsets(files, (service, path, at) => service.complete(path, at)),
  outline: ({ files }) => {
    const service = serviceOf(files)
    return files.map(({ path }) => service.symbols(path))
  },
}
