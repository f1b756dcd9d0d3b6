/** One server-sent event (WHATWG HTML, 9.2). */
export interface StreamEvent {
  readonly event?: string
  readonly id?: string
  readonly data: unknown
}
