/** Markdown of one line as elements: code, bold, links of the gateway; nothing of it is inserted as HTML. */
import type { ComponentChildren, JSX } from 'preact'

const marks = /`([^`]+)`|\*\*([^*]+)\*\*|(?<![\w*])\*([^*\s][^*]*)\*(?![\w*])|\[((?:`[^`]*`|[^\]`])+)\]\(([^)\s]*)\)/g

/** Only pages of this gateway: a text can come from a program, and a link in it from anybody. */
const isOwn = (address: string) => /^(\/(#\/|docs\b|api\/)|#\/)/.test(address)

/** @param text with the marks of Markdown; a link to another place than this gateway is shown as its text */
export function Marked({ text }: { readonly text: string }): JSX.Element {
  const parts: ComponentChildren[] = []
  let end = 0
  for (const found of text.matchAll(marks)) {
    const [whole, code, bold, italic, title = '', address = ''] = found
    parts.push(text.slice(end, found.index))
    end = found.index + whole.length
    if (code !== undefined) parts.push(<code>{code}</code>)
    else if (bold !== undefined)
      parts.push(
        <b>
          <Marked text={bold} />
        </b>,
      )
    else if (italic !== undefined)
      parts.push(
        <i>
          <Marked text={italic} />
        </i>,
      )
    else if (isOwn(address)) parts.push(<Link address={address} title={title} />)
    else parts.push(<Marked text={title} />)
  }
  parts.push(text.slice(end))
  return <>{parts}</>
}

/** A place of the studio in this page; a page of the manual beside it. */
function Link({ address, title }: { readonly address: string; readonly title: string }): JSX.Element {
  const isHere = /^\/?#\//.test(address)
  const beside = isHere ? {} : { target: '_blank', rel: 'noreferrer' }
  return (
    <a href={isHere ? address.replace(/^\//, '') : address} {...beside}>
      <Marked text={title} />
    </a>
  )
}
