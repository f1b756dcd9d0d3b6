/**
 * The answers of the OpenAPI document that are problems. Codes are listed, since some generators of clients (orval)
 * make names of the keys and cannot read `4XX`; `default` is any other code.
 */

const problemContent = { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } }
const problem = (description: string) => ({ description, content: problemContent })

/** For `components.responses`. */
export const errorResponses = {
  BadRequest: problem('The input is not what the operation takes.'),
  Unauthorized: {
    description: 'No API key, or one that is not known.',
    headers: { 'WWW-Authenticate': { schema: { type: 'string' } } },
    content: problemContent,
  },
  Forbidden: problem('The caller may not do this.'),
  NotFound: problem('There is no such object.'),
  Conflict: problem('The state does not allow it: no project is open, the name is taken, …'),
  PreconditionFailed: problem('The object is not as If-Match says.'),
  ContentTooLarge: problem('The body is larger than the gateway takes.'),
  UnsupportedMediaType: problem('The body has a media type that the operation does not take.'),
  UnprocessableContent: problem('The content cannot be used as it is.'),
  TooManyRequests: problem('Too many requests in a short time.'),
  InternalServerError: problem('The gateway has failed.'),
  ServiceUnavailable: problem('The gateway cannot fulfil the request now.'),
  OtherProblem: problem('Any other problem. All codes: GET /api/errors.'),
}

const names = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  412: 'PreconditionFailed',
  413: 'ContentTooLarge',
  415: 'UnsupportedMediaType',
  422: 'UnprocessableContent',
  429: 'TooManyRequests',
  500: 'InternalServerError',
  503: 'ServiceUnavailable',
  default: 'OtherProblem',
} as const satisfies Record<number | 'default', keyof typeof errorResponses>

/**
 * The problems of a route, for its `responses`.
 * @param hasBody it takes a body
 * @param isConditional it takes If-Match
 */
export function errorsOf({ hasBody, isConditional }: { readonly hasBody: boolean; readonly isConditional: boolean }) {
  const left = new Set([...(hasBody ? [] : ['413', '415']), ...(isConditional ? [] : ['412'])])
  const listed = Object.entries(names).filter(([status]) => !left.has(status))
  return Object.fromEntries(listed.map(([status, name]) => [status, { $ref: `#/components/responses/${name}` }]))
}
