/** The reading and writing of tags, loaded with the first tag that is asked for. */
let loading: Promise<typeof import('./tags/index.ts')> | undefined

/** Kept, because `import()` of a module that is loaded still costs a quarter of a batch read (the loader of TypeScript is asked each time). */
export function tagTools(): Promise<typeof import('./tags/index.ts')> {
  loading ??= import('./tags/index.ts')
  return loading
}
