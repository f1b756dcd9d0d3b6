/** Which driver makes the controller of an instance. */
import type { Controller, ControllerOptions } from '../controller/contract.ts'
import { type ControllerDriver, type DrivenInstance, virtualDriver } from './driver-point.ts'

/** The controller of an instance, by the driver that was contributed last of those that drive it. */
export async function drivenController(
  drivers: readonly ControllerDriver[],
  instance: DrivenInstance,
  options: ControllerOptions,
): Promise<Controller> {
  // The built-in one drives what is left, wherever it is in the order of the plugins.
  const driver = drivers.findLast((one) => one !== virtualDriver && one.drives(instance)) ?? virtualDriver
  if (driver.controller !== undefined) return driver.controller(options)
  const { DeviceController } = await import('./device-controller.ts')
  return DeviceController.open(driver, options)
}
