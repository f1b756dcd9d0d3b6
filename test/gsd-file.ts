/**
 * A small GSDML file of our own: an access point with a fixed, an allowed and a plugged module; in itself a submodule
 * that is part of it, one that is fixed, and one that is plugged.
 */
export const gsdFileName = 'GSDML-V2.4-Example-Valve-20240101.xml'

const text = (id: string, value: string) => `<Text TextId="${id}" Value="${value}"/>`
const submodule = (id: string, subslot: number, data: string) =>
  `<VirtualSubmoduleItem ID="${id}" SubmoduleIdentNumber="0x1" FixedInSubslots="${subslot}"><IOData>${data}</IOData><ModuleInfo><Name TextId="T_${id}"/></ModuleInfo></VirtualSubmoduleItem>`
const module = (id: string, submodules: string, useable = '') =>
  `<ModuleItem ID="${id}" ModuleIdentNumber="0x10"><ModuleInfo><Name TextId="T_${id}"/><InfoText TextId="T_${id}"/></ModuleInfo><VirtualSubmoduleList>${submodules}</VirtualSubmoduleList>${useable}</ModuleItem>`

export const gsdFile = `<?xml version="1.0" encoding="utf-8"?>
<ISO15745Profile xmlns="http://www.profibus.com/GSDML/2003/11/DeviceProfile">
<ProfileBody>
<DeviceIdentity VendorID="0x0999" DeviceID="0x0001"><InfoText TextId="T_DAP"/><VendorName Value="Example"/></DeviceIdentity>
<DeviceFunction><Family MainFamily="I/O" ProductFamily="Valve"/></DeviceFunction>
<ApplicationProcess>
<DeviceAccessPointList>
<DeviceAccessPointItem ID="DAP 1" ModuleIdentNumber="0x1" PhysicalSlots="0..4" FixedInSlots="0" DNS_CompatibleName="valve">
<ModuleInfo><Name TextId="T_DAP"/><InfoText TextId="T_DAP"/><OrderNumber Value="EX-100"/><SoftwareRelease Value="V1.2"/></ModuleInfo>
<IOConfigData MaxInputLength="64" MaxOutputLength="64"/>
<UseableModules>
<ModuleItemRef ModuleItemTarget="STATUS" FixedInSlots="1"/>
<ModuleItemRef ModuleItemTarget="VALVES" AllowedInSlots="2..4" UsedInSlots="2"/>
</UseableModules>
<VirtualSubmoduleList>${submodule('D1', 2, '<Input><DataItem DataType="Unsigned8"/></Input>')}</VirtualSubmoduleList>
<UseableSubmodules><SubmoduleItemRef SubmoduleItemTarget="COUNTER" AllowedInSubslots="3..4" FixedInSubslots="3" UsedInSubslots="4"/></UseableSubmodules>
<SystemDefinedSubmoduleList>
<InterfaceSubmoduleItem ID="IF" SubslotNumber="32768" SubmoduleIdentNumber="0x2" TextId="T_IF"/>
<PortSubmoduleItem ID="PORT1" SubslotNumber="32769" SubmoduleIdentNumber="0x3" TextId="T_PORT"/>
</SystemDefinedSubmoduleList>
</DeviceAccessPointItem>
</DeviceAccessPointList>
<ModuleList>
${module('STATUS', submodule('S1', 1, '<Input><DataItem DataType="Unsigned16"/><DataItem DataType="Float32"/></Input>'))}
${module('VALVES', submodule('V1', 1, '<Output><DataItem DataType="OctetString" Length="3"/></Output>'), '<UseableSubmodules><SubmoduleItemRef SubmoduleItemTarget="COUNTER" AllowedInSubslots="2..3"/></UseableSubmodules>')}
</ModuleList>
<SubmoduleList>
<SubmoduleItem ID="COUNTER" SubmoduleIdentNumber="0x20"><IOData><Input><DataItem DataType="Unsigned32"/></Input></IOData><ModuleInfo><Name TextId="T_COUNTER"/></ModuleInfo></SubmoduleItem>
</SubmoduleList>
<ExternalTextList>
<PrimaryLanguage>${text('T_DAP', 'Valve island')}${text('T_IF', 'Interface')}${text('T_PORT', 'Port 1')}${text('T_STATUS', 'Status')}${text('T_VALVES', 'Valves 24')}${text('T_D1', 'Supply')}${text('T_S1', 'State')}${text('T_V1', 'Coils')}${text('T_COUNTER', 'Counter')}</PrimaryLanguage>
<Language xml:lang="de">${text('T_DAP', 'Ventilinsel')}</Language>
</ExternalTextList>
</ApplicationProcess>
</ProfileBody>
</ISO15745Profile>
`
