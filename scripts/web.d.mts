/** The files of a page of `web/`: contents by file name. */
export function bundlePage(name: string): Promise<Map<string, string | Uint8Array>>
