/** Makes the package that a download loads. */
import type { LoadPackage } from './contract.ts'

/**
 * Makes the package with this manifest.
 * @param hashOf the hash function of blobs (`blobHash` of plugins/blocks)
 */
export function loadPackage(
  manifest: { readonly program: string },
  blobs: ReadonlyMap<string, Uint8Array>,
  hashOf: (text: string) => string,
): LoadPackage {
  const text = JSON.stringify(manifest)
  return { hash: hashOf(text), manifest: text, program: manifest.program, blobs }
}
