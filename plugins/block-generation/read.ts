/** Reads objects of a program as specifications. */

import { notFound, type QueryContext } from '../../core/index.ts'
import type { Device } from '../devices/index.ts'
import { declaredFor, exportAsXml, programContributor, requireReadable } from '../program-objects/index.ts'
import { requireProject } from '../projects/index.ts'
import { generateWork } from './generate.ts'

/**
 * The specification of a block or type, by its name.
 * @throws GatewayError `not_found`; `conflict` for a protected block
 */
export async function specificationIn(ctx: QueryContext, device: Device, name: string, networks: 'text' | 'graph') {
  const parts = ctx.extensions(programContributor)
  const object = parts
    .map((part) => part.find?.(ctx, device, name))
    .find((found) => found?.category === 'block' || found?.category === 'type')
  if (object?.stored === undefined)
    throw notFound(
      'block or PLC data type',
      name,
      parts.flatMap((part) =>
        part.objects(ctx, device).flatMap((one) => (/^(?:block|type)$/.test(one.category) ? [one.name] : [])),
      ),
    )
  const stored = { language: '', isKnowHowProtected: false, ...object.stored }
  requireReadable(stored)
  const { content } = await exportAsXml(ctx, stored)
  const declared = await declaredFor(ctx, device, [content.replaceAll('&quot;', '"'), ...namesIn(content)], [])
  const { version } = requireProject(ctx)
  return generateWork(ctx, 'readSpecification', { xml: content, version, declared, networks }, content.length)
}

/** Names in attributes, which are without the quotes of the language. */
function namesIn(xml: string): string[] {
  return [...new Set([...xml.matchAll(/\sName="([^"]{1,200})"/g)].map(([, name]) => `"${name}"`))]
}
