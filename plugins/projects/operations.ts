/** The operations of the projects plugin. What they do is loaded on first use. */
import type { Operation } from '../../core/index.ts'

export const projectOperations: readonly Operation[] = []
