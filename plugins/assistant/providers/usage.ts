/** The tokens of an answer. */
export interface Usage {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly totalTokens: number
}

export const noUsage: Usage = { inputTokens: 0, outputTokens: 0, totalTokens: 0 }
