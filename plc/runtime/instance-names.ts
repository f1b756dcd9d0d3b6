/**
 * GetInstanceName and GetInstancePath: the name or path of the instance that a function block works on. The names of
 * the routines contain the calling block, `instance.path@Motor`, so that a controller knows which paths are needed.
 * Names that are cut end with `…`, as the S7-1200 manual says.
 */
import type { LinkedProgram } from '../compiler/codegen/linked-program.ts'
import { shortened } from '../library/routine-names.ts'
import type { Routine, RuntimeContext } from './context.ts'
import { writeText } from './texts.ts'

const pattern = /^instance\.(name|path)@(.*)$/s

/** Returns the function blocks of a program that read the names of their instances. */
export function functionBlocksThatAsk({ routines }: Pick<LinkedProgram, 'routines'>): string[] {
  return routines.flatMap(({ name }) => pattern.exec(name)?.[2] ?? [])
}

/** Returns the key of an instance: two instances may have one address, but not of one function block. */
export function instanceKey(functionBlock: string, address: number): string {
  return `${functionBlock.toLowerCase()}@${address}`
}

/** The last part of a path: the member with its indices; for a data block its name in quotes. */
function lastOf(path: string): string {
  return /^"[^"]*"$/.test(path) ? path : (/[^.]*$/.exec(path)?.[0] ?? path)
}

export function instanceRoutines(context: RuntimeContext): Readonly<Record<string, Routine>> {
  const routines: Record<string, Routine> = {}
  for (const { name } of context.program.routines) {
    const [, kind, block] = pattern.exec(name) ?? []
    if (block === undefined) continue
    /** The text is a little-endian WString. */
    routines[name] = (instance: number, text: number, size: number) => {
      const path = context.instancePath(block, instance)
      const all = path === undefined || kind === 'path' ? (path ?? '') : lastOf(path)
      writeText(context, { address: text, isWide: true, isStandard: false }, shortened(all, size))
      if (path === undefined) context.fail()
      return undefined
    }
  }
  return routines
}
