/** Attributes of Gantry's own in AML files; other programs leave them alone. */

/** Of a communication interface: its device number in its IO system, for which CAx has no place. */
export const deviceNumberAttribute = 'DeviceNumber'
