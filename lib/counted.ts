/**
 * A number with its noun, as a sentence has it: `1 cycle`, `3 cycles`.
 * @param many of nouns that do not take an s
 */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}
