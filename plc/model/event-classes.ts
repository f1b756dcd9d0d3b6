/** Event classes of organization blocks. */

/** Event class of an OB by its number (docs/plc-semantics.md#organization-blocks). */
export const eventClasses: readonly (readonly [from: number, to: number, eventClass: string])[] = [
  [1, 1, 'ProgramCycle'],
  [10, 17, 'TimeOfDay'],
  [20, 23, 'TimeDelayInterrupt'],
  [30, 38, 'CyclicInterrupt'],
  [40, 47, 'HardwareInterrupt'],
  [61, 64, 'SynchronousCycle'],
  [80, 80, 'TimeErrorInterrupt'],
  [82, 82, 'DiagnosticErrorInterrupt'],
  [83, 83, 'PullOrPlugOfModules'],
  [86, 86, 'RackOrStationFailure'],
  [100, 100, 'Startup'],
  [121, 121, 'ProgrammingError'],
  [122, 122, 'IOAccessError'],
]

/** Returns the event class of an OB by its number; any number not listed is cyclic. */
export function classOf(number: number): string {
  return eventClasses.find(([from, to]) => number >= from && number <= to)?.[2] ?? 'ProgramCycle'
}
