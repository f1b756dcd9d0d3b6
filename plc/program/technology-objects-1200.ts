/**
 * The axis of S7-1200: the members of its data block and the structures in it, as TIA Portal V16 to V19 expands them in
 * exports (technology versions 6 and 7), in the short form of system-types.ts. A structure has the same name as that of
 * S7-1500 and other members. The axis is ready, switched on or not, and stands still.
 */
import type { InterfaceSection } from '../model/object.ts'

/** Lines `NAME member:Type …`. */
export const structuresOf1200 = `
TO_Struct_ActorInterface AddressIn:VREF AddressOut:VREF EnableDriveOutput:VREF DriveReadyInput:VREF PTO:DWord
TO_Struct_ActorDriveParameter ReferenceSpeed:Real MaxSpeed:Real PulsesPerDriveRevolution:DInt
TO_Struct_Actor Type:DInt InverseDirection:Bool DirectionMode:Int DataAdaption:DInt Interface:TO_Struct_ActorInterface DriveParameter:TO_Struct_ActorDriveParameter
TO_Struct_SensorInterface AddressIn:VREF AddressOut:VREF Type:DInt Number:UDInt HSC:DWord
TO_Struct_SensorParameter Resolution:Real StepsPerRevolution:UDInt FineResolutionXist1:UDInt FineResolutionXist2:UDInt DeterminableRevolutions:UDInt DistancePerRevolution:Real
TO_Struct_SensorActiveHoming Mode:DInt SideInput:Bool DigitalInputAddress:VREF HomePositionOffset:Real SwitchLevel:Bool
TO_Struct_SensorPassiveHoming Mode:DInt SideInput:Bool DigitalInputAddress:VREF SwitchLevel:Bool
TO_Struct_Sensor Type:DInt InverseDirection:Bool System:DInt MountingMode:DInt DataAdaption:DInt Interface:TO_Struct_SensorInterface Parameter:TO_Struct_SensorParameter ActiveHoming:TO_Struct_SensorActiveHoming PassiveHoming:TO_Struct_SensorPassiveHoming
TO_Struct_Units LengthUnit:Int
TO_Struct_Mechanics LeadScrew:Real
TO_Struct_DynamicLimits MinVelocity:Real MaxVelocity:Real
TO_Struct_DynamicDefaults Acceleration:Real Deceleration:Real EmergencyDeceleration:Real Jerk:Real
TO_Struct_Modulo Enable:Bool StartValue:Real Length:Real
TO_Struct_PositionLimitsSW Active:Bool MinPosition:Real MaxPosition:Real
TO_Struct_PositionLimitsHW Active:Bool MinSwitchLevel:Bool MinSwitchAddress:VREF MaxSwitchLevel:Bool MaxSwitchAddress:VREF
TO_Struct_Homing AutoReversal:Bool ApproachDirection:Bool ApproachVelocity:Real ReferencingVelocity:Real
TO_Struct_PositionControl Kv:Real Kpc:Real
TO_Struct_FollowingError EnableMonitoring:Bool MinValue:Real MaxValue:Real MinVelocity:Real
TO_Struct_PositioningMonitoring ToleranceTime:Real MinDwellTime:Real Window:Real
TO_Struct_StandstillSignal VelocityThreshold:Real MinDwellTime:Real
TO_Struct_Simulation Mode:UDInt
TO_Struct_StatusPositioning Distance:Real TargetPosition:Real FollowingError:Real
TO_Struct_StatusDrive InOperation:Bool CommunicationOK:Bool=TRUE Error:Bool AdaptionState:DInt
TO_Struct_StatusSensor State:DInt CommunicationOK:Bool=TRUE AbsEncoderOffset:Real AdaptionState:DInt
TO_Struct_StatusBits Activated:Bool=TRUE Enable:Bool AxisSimulation:Bool NonPositionControlled:Bool HomingDone:Bool Done:Bool Error:Bool Standstill:Bool=TRUE PositioningCommand:Bool VelocityCommand:Bool HomingCommand:Bool CommandTableActive:Bool ConstantVelocity:Bool Accelerating:Bool Decelerating:Bool ControlPanelActive:Bool DriveReady:Bool=TRUE RestartRequired:Bool SWLimitMinActive:Bool SWLimitMaxActive:Bool HWLimitMinActive:Bool HWLimitMaxActive:Bool
TO_Struct_ErrorBits SystemFault:Bool ConfigFault:Bool DriveFault:Bool SWLimit:Bool HWLimit:Bool DirectionFault:Bool HWUsed:Bool SensorFault:Bool CommunicationFault:Bool FollowingError:Bool PositioningFault:Bool AdaptionError:Bool
TO_Struct_ControlPanelInputCmd ReqCounter:DInt Type:DInt Position:Real Velocity:Real Acceleration:Real Jerk:Real Param:DInt
TO_Struct_ControlPanelInput TimeOut:DInt EsLifeSign:DInt Command:Array[1..1]_of_TO_Struct_ControlPanelInputCmd
TO_Struct_ControlPanelOutputCmd AckCounter:DInt ErrorID:Word ErrorInfo:Word Done:Bool Aborted:Bool Error:Bool
TO_Struct_ControlPanelOutput RTLifeSign:DInt Command:Array[1..1]_of_TO_Struct_ControlPanelOutputCmd
TO_Struct_ControlPanel Input:TO_Struct_ControlPanelInput Output:TO_Struct_ControlPanelOutput
TO_Struct_Internal Id:Int Value:Real
`

/**
 * The axis itself; the more general kinds have the same members, so that a block that takes one of them is given the
 * axis.
 */
export const axisOf1200 =
  'Position:Real Velocity:Real ActualPosition:Real ActualVelocity:Real Actor:TO_Struct_Actor ' +
  'Sensor:Array[1..1]_of_TO_Struct_Sensor Units:TO_Struct_Units Mechanics:TO_Struct_Mechanics ' +
  'DynamicLimits:TO_Struct_DynamicLimits DynamicDefaults:TO_Struct_DynamicDefaults Modulo:TO_Struct_Modulo ' +
  'PositionLimits_SW:TO_Struct_PositionLimitsSW PositionLimits_HW:TO_Struct_PositionLimitsHW Homing:TO_Struct_Homing ' +
  'PositionControl:TO_Struct_PositionControl FollowingError:TO_Struct_FollowingError ' +
  'PositioningMonitoring:TO_Struct_PositioningMonitoring StandstillSignal:TO_Struct_StandstillSignal ' +
  'Simulation:TO_Struct_Simulation StatusPositioning:TO_Struct_StatusPositioning StatusDrive:TO_Struct_StatusDrive ' +
  'StatusSensor:Array[1..1]_of_TO_Struct_StatusSensor StatusBits:TO_Struct_StatusBits ErrorBits:TO_Struct_ErrorBits ' +
  'ControlPanel:TO_Struct_ControlPanel Internal:Array[1..4]_of_TO_Struct_Internal'

/** Whether a data block is such an axis: older technology versions have `MotionStatus`. */
export function isAxisOf1200(sections: readonly InterfaceSection[]): boolean {
  const names = new Set(sections.flatMap(({ members }) => members.map(({ name }) => name.toUpperCase())))
  return names.has('STATUSBITS') && !names.has('MOTIONSTATUS')
}
