/** The routes of browser sessions in the OpenAPI document (docs/design.md#browser-sessions): they are no operations. */
import { errorsOf } from './error-responses.ts'

const errors = errorsOf({ hasBody: false, isConditional: false })

const caller = {
  type: 'object',
  required: ['name', 'access'],
  properties: {
    name: { type: 'string', description: 'The name of the key, and of the client when it sends X-Client-Id.' },
    access: { type: 'string', enum: ['viewer', 'engineer', 'operator', 'admin'] },
    csrfToken: { type: 'string', description: 'Of a session: what X-CSRF-Token needs.' },
    endsInSeconds: { type: 'integer', description: 'Of a session: when it ends without another request.' },
  },
}

const content = { 'application/json': { schema: caller } }

export const sessionPaths = {
  '/api/session': {
    get: {
      operationId: 'session.get',
      parameters: [],
      summary: 'Who calls, and what the key allows',
      responses: { 200: { description: 'The caller.', content }, ...errors },
    },
    post: {
      operationId: 'session.create',
      parameters: [],
      summary: 'Begin a session of a browser',
      description: 'Exchanges an API key, or the token of the link that the start of the gateway prints, for a cookie.',
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: {
              oneOf: [
                { type: 'object', required: ['key'], properties: { key: { type: 'string' } } },
                { type: 'object', required: ['token'], properties: { token: { type: 'string' } } },
              ],
            },
          },
        },
      },
      responses: {
        200: { description: 'The caller; the cookie is set.', content },
        ...errorsOf({ hasBody: true, isConditional: false }),
      },
      security: [],
    },
    delete: {
      operationId: 'session.end',
      parameters: [],
      summary: 'End the session of this browser',
      responses: { 204: { description: 'It has ended, and its streams with it.' }, ...errors },
    },
  },
}
