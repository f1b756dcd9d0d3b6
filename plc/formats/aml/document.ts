/**
 * A CAEX 2.15 document (AutomationML) as typed data: instance hierarchies with their elements, attributes, interfaces
 * and links. What has no field of its own is kept as XML, so that it can be written back. CAEX fixes the order of the
 * kinds of children (Attribute, ExternalInterface, InternalElement, SupportedRoleClass, InternalLink); only the order
 * within a kind has a meaning.
 *
 * Source: docs/formats.md#hardware-as-aml; IEC 62424 (CAEX), IEC 62714 (AutomationML).
 */

/** An element that is kept as it is. */
export interface KeptXml {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly content: readonly (KeptXml | string)[]
}

/** The text around the interpreted children. */
export interface KeptAround {
  /** XML attributes that have no field. */
  readonly further?: Readonly<Record<string, string>>
  /** Children before (Description, Version, Copyright, AdditionalInformation). */
  readonly before?: readonly KeptXml[]
  /** Children behind (RoleRequirements, MappingObject, libraries). */
  readonly after?: readonly KeptXml[]
}

/** An attribute; attributes nest. */
export interface AmlAttribute extends KeptAround {
  readonly name: string
  /** `xs:string`, `xs:int` … absent: a list or structure. */
  readonly dataType?: string
  /** Absent: it has no Value element. */
  readonly value?: string
  /** `CorrespondingAttributePath` of RefSemantic, e.g. `OrderedListType`. */
  readonly semantic?: string
  readonly attributes: readonly AmlAttribute[]
  /** Line in the file it was read from. */
  readonly line?: number
}

/** An ExternalInterface: an end of links (logical end point, channel, tag). */
export interface AmlInterface extends KeptAround {
  readonly id?: string
  readonly name: string
  /** `CommunicationInterfaceClassLib/LogicalEndPoint`. */
  readonly classPath?: string
  readonly attributes: readonly AmlAttribute[]
  readonly line?: number
}

/** An InternalLink. A side is `<id of the element>:<name of the interface>`. */
export interface AmlLink extends KeptAround {
  readonly name: string
  readonly sideA: string
  readonly sideB: string
  readonly line?: number
}

/** An InternalElement. */
export interface AmlElement extends KeptAround {
  /** GUID. Empty: the file has none. */
  readonly id: string
  readonly name: string
  readonly attributes: readonly AmlAttribute[]
  readonly interfaces: readonly AmlInterface[]
  readonly elements: readonly AmlElement[]
  /** Paths of its SupportedRoleClass elements. */
  readonly roles: readonly string[]
  readonly links: readonly AmlLink[]
  readonly line?: number
}

/** An InstanceHierarchy. */
export interface AmlHierarchy extends KeptAround {
  readonly name: string
  readonly elements: readonly AmlElement[]
}

/** A file. */
export interface AmlDocument extends KeptAround {
  readonly fileName: string
  readonly hierarchies: readonly AmlHierarchy[]
}

/** Writer of a file: what its WriterHeader says. */
export interface AmlWriter {
  readonly name: string
  /** `V17` for `1700`; absent: no version of TIA Portal. */
  readonly version?: string
  /** RFC 3339. */
  readonly writtenAt?: string
}

/** A side of a link, taken apart; undefined when it is not `<id>:<interface>`. */
export function sideOf(text: string): { readonly id: string; readonly name: string } | undefined {
  const [, id, name] = /^\{?([^:{}]+)\}?:(.+)$/s.exec(text) ?? []
  return id === undefined || name === undefined ? undefined : { id: idKey(id), name }
}

/** GUIDs are compared without braces and case. */
export function idKey(id: string): string {
  return id.replace(/^\{|\}$/g, '').toLowerCase()
}

/** The value of an attribute of a name. */
export function valueNamed(holder: { readonly attributes: readonly AmlAttribute[] }, name: string): string | undefined {
  return attributeOf(holder, name)?.value
}

/** The attribute of a name. */
export function attributeOf(
  { attributes }: { readonly attributes: readonly AmlAttribute[] },
  name: string,
): AmlAttribute | undefined {
  return attributes.find((one) => one.name === name)
}
