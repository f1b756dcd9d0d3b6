/** True for a text that begins a block of a source, where only its statements are expected. */
export function isWholeBlock(text: string): boolean {
  return /^\s*(?:\/\/[^\n]*\n\s*|\(\*[\s\S]*?\*\)\s*)*(?:ORGANIZATION_BLOCK|FUNCTION_BLOCK|FUNCTION)\s/i.test(text)
}
