/**
 * Global libraries of TIA Portal: recognised, and refused with what to do. Their content is in a form that is not read
 * here.
 */
import { basename } from 'node:path'
import { problem } from '../../core/index.ts'
import { describeTiaProject } from '../projects/index.ts'

/** The header file `<Name>.alNN` of a library of TIA Portal. */
export const tiaHeader = /\.al\d+(_\d+)?$/i

const suggestion =
  'In TIA Portal, export the objects of the library (from a project that has instances of them, or with its version control interface), import the files here, and make types and master copies of them: POST /api/project/library/types/versions, POST /api/libraries/global/master-copies.'

/** The refusal of a library by its header file. */
export async function refuseTiaHeader(path: string, header: Uint8Array) {
  const { type, name, version } = await describeTiaProject(header)
  const what = `a global library of TIA Portal${version ? ` ${version}` : ''}${name ? ` ("${name}")` : ''}`
  if (type !== 'Library' && name === undefined && version === undefined)
    return problem('unacceptable_content', `"${basename(path)}" is called like a library of TIA Portal, and is none.`)
  return problem('unacceptable_content', `"${basename(path)}" is ${what}; its content cannot be read here.`, {
    suggestion,
  })
}

/** The refusal of an archive. @param header its header file, where it has one */
export async function refuseTiaArchive(path: string, header: Uint8Array | undefined) {
  const { type, name, version } = header ? await describeTiaProject(header) : { type: 'Library' }
  const of = `TIA Portal${version ? ` ${version}` : ''}${name ? ` ("${name}")` : ''}`
  if (type !== 'Library')
    return problem(
      'unacceptable_content',
      `"${basename(path)}" is the archive of a project of ${of}, not of a library.`,
      {
        suggestion: 'POST /api/projects/actions/create-from-archive opens it.',
      },
    )
  return problem(
    'unacceptable_content',
    `"${basename(path)}" is the archive of a global library of ${of}; its content cannot be read here.`,
    { suggestion },
  )
}
