/** The page on hardware, served at /api/docs/sections/hardware. */

export const hardwarePage = `The hardware of a device is a tree: rack, modules, submodules and interfaces, ports. A new device has what is built in; an
ET 200SP interface module comes with a BusAdapter. \`GET /api/devices/{deviceName}/hardware-details\` shows the whole tree, with
order numbers, firmware, I/O addresses, channels and their tags, parameters, and the attributes of an imported file that Gantry
keeps and does not interpret.

## Modules

| what | route |
|---|---|
| where a module fits, or what fits a slot | \`GET /api/devices/compatible-slots?deviceName=PLC_1&orderNumber=…\` (or \`&slot=4\`) |
| plug | \`POST /api/devices/{deviceName}/modules\` |
| move | \`POST /api/devices/{deviceName}/modules/{moduleName}/actions/move\` |
| rename, address, comment, parameters | \`PATCH /api/devices/{deviceName}/modules/{moduleName}\` |
| replace by another type | \`POST /api/devices/{deviceName}/modules/{moduleName}/actions/replace\` |
| unplug | \`DELETE /api/devices/{deviceName}/modules/{moduleName}\` |
| channels, by module, tag or address | \`GET /api/devices/{deviceName}/channels\` |

Rules by station:

| station | slots |
|---|---|
| S7-1500 | 0 power supply, 1 CPU, 2 to 31 modules and further power supplies |
| ET 200MP | 0 power supply, 1 interface module, 2 to 31 (BA, DP: to 13) |
| ET 200SP | 0 interface module with its BusAdapter (0.127); modules from 1 on: BA 12, ST 32, HS 30, HF 64; then a server module |
| ET 200SP with CPU | 1 CPU with a BusAdapter (1.127), 2 to 4 communications processors, 2 to 65 modules, then a server module |
| S7-1200 | 1 CPU, 1.3 one signal, communication or battery board, 2 to 9 signal modules (CPU 1212C: 2 and 3, 1211C: none), 101 to 103 communication modules |
| S7-300 | 1 power supply, 2 CPU, 3 interface module, 4 to 11 modules; up to three further racks, see below |
| S7-400 | 1 power supply, 3 CPU, then modules up to the end of the rack; up to 21 further racks, see below |

What does not fit is refused (409) with the reason and the slots that would do. The catalog has the modules that were seen in
public projects; of S7-300 and S7-400 there are a few common ones. I/O sizes of technology, failsafe and IO-Link modules that no export
confirms, and modules whose I/O the catalog does not tell, are named in the \`warnings\` of plugging and replacing.

**Racks of S7-300.** IM 360 in slot 3 of rack 0 connects up to three racks, each with an IM 361 in its slot 3; IM 365 in both
connects one, for signal modules only. Plugging the interface module of a rack makes the rack, unplugging it takes the rack
away, which is refused while it has other modules or a rack follows. A CPU 312 has one rack. Places in further racks are
written \`1/4\`: rack 1, slot 4; \`rack\` names it in requests, the default is rack 0.

**Racks of S7-400.** Rack 0 is a UR1; further racks have the numbers 1 to 21, each with an IM 461 in its last slot. Plugging that
makes the rack: a UR2 with slot 9, a UR1 with slot 18. \`…/modules/{rack}/actions/replace\` with the name of a rack (\`UR2_1\`) makes it
another kind when its modules fit there:

| rack | slots | as | communication bus |
|---|---|---|---|
| UR1, UR2 | 18, 9 | rack 0 or further rack | yes |
| CR2, CR3 | 18, 4 | rack 0 | yes |
| ER1, ER2 | 18, 9 | further rack | no |

Rack 0 takes six send IMs. One IM 460-0, 460-3 or 460-4 connects eight racks (two lines of four); one IM 460-1, of which there may be
two, connects two and supplies them, so these have no power supply. Communication modules need the communication bus: racks 1 to 6
with IM 461-0 or 461-3. PS 407 10A has two slots, 20A three, CPU 414-3, 416-3 and 417-4 two. The CPU stays in slot 3, so rack 0
takes no PS 407 20A. Lengths of cables and currents are not checked. Redundant racks (UR2-H) are not built here.

**BaseUnits** of ET 200SP are parameters of the module: \`baseUnit\` (A0, A1, B0 …, as the module needs) and
\`potentialGroup\` (\`new\`: a light BaseUnit, \`left\`: a dark one that continues the group to its left). The first module opens a
group.

## I/O addresses

A module gets addresses as TIA Portal gives them: on S7-1500 and ET 200 the next free byte, digital and analog alike (analog:
even); on S7-1200 by the slot (signal modules 8, 12 … and 96, 112 …, the board 4 and 80); on S7-300 by rack and slot (4 bytes digital,
16 analog from 256 on; rack 1 begins with 32 and 384); on S7-400 the next free byte, analog from 512 on. Where that is taken, the next free byte. The modules of a controller and those of its IO devices share
one address space: no two overlap, whatever is plugged, moved or replaced.

## Hardware identifiers

Modules, head modules, interfaces, ports, IO devices and IO systems have numbers that are unique in the space of a controller. Programs
name them by system constants (\`GET /api/devices/{deviceName}/tag-tables/{tableName}/constants/system\` of the default tag table):
\`Local~PROFINET_interface_1\`, \`Local~DI_32x24VDC_HF_1\`, \`Local~PROFINET_IO-System\`, \`IO_1~IODevice\`, \`IO_1~Head\`. Characters that
names of constants do not have become \`_\`. Items of an imported file, which has no numbers, get the next free ones in their order.
A tag or block with the name of a system constant is meant in its place.

## Networks

An IO device belongs to a controller after \`POST /api/devices/{deviceName}/actions/assign-io-controller\`: both are in one subnet,
the controller has an IO system (number 100 and up), the device has the next free number. On PROFIBUS it is a DP master system,
and the slave has a bus address. Addresses that the controller has given to others are changed and told. The converted PROFINET
name is the one that goes over the network: \`plc_1\` is \`plcxb1d0ed\`. Characters whose replacement is not known give none.

Cables between ports are at \`/api/projects/topology\`, S7 connections at \`/api/projects/connections\`, subnets at
\`/api/projects/subnets\`; \`GET /api/projects/infrastructure\` shows all of it.

## Compiling

\`POST /api/devices/{deviceName}/actions/compile-sync\` with \`"scope": "hardware"\` checks addresses, names, IO systems and modules.
Every message has \`device\`, \`slot\` (of a module), \`code\` and \`hint\`.

## In a virtual controller

A download takes the configured modules along (\`GET /api/simulation/instances/{name}/modules\`). **Without any plugged I/O module
the whole periphery exists**, so that programs run on a bare CPU. With modules, an access past the process image (\`%IW4:P\`) to
bytes that no module has raises OB 122. \`POST …/modules/{moduleName}/actions/pull\` pulls a module: OB 83, its inputs are 0, direct
accesses raise OB 122; the name of an IO device lets all of its modules fail: OB 86. \`…/actions/plug\` ends it; switching the
controller off does too. \`DeviceStates\`, \`ModuleStates\` and \`RD_ADDR\` answer from the loaded hardware and from what is pulled; bit 1 of
\`ModuleStates\` is slot 0. S7 connections are loaded too: GET, PUT, BSEND and others find their partners by the \`localId\` (\`partnerId\` at the
other end); a connection of the instance with the same ID takes its place. OB 122 comes as an event of its priority, not in the
middle of the access; a missing OB 122 never stops the controller, as on S7-1500.
`
