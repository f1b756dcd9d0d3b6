export declare const packageDir: string
export declare const treeDir: string
export declare function compiledTree(from?: string, to?: string): Promise<string | undefined>
