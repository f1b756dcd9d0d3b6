/**
 * Technology objects of S7-1500 and S7-1500T: structures of their data blocks (TIA Portal help, "Tags of the
 * positioning axis technology object" and similar pages, technology version 8), in the short form of system-types.ts.
 * Axes of every kind have the members of the richest one, in one order, so that a block that takes a speed axis takes a
 * positioning axis too. Technology objects of S7-1200 have other members
 * (technology-objects-1200.ts).
 */
import type { InterfaceSection } from '../model/object.ts'
import type { Type } from './type.ts'

/** Members that all of them begin with; this project chose the order. */
const motion =
  'Position:LReal ActualPosition:LReal Velocity:LReal ActualVelocity:LReal ActualSpeed:LReal Acceleration:LReal ActualAcceleration:LReal'
const state = (word: string) =>
  `StatusWord:DWord=16#${word} ErrorWord:DWord WarningWord:DWord ErrorDetail:TO_Struct_ErrorDetail StatusWord2:DWord`
const shared =
  'CrossPlcSynchronousOperation:TO_Struct_CrossPlcSynchronousOperation Extrapolation:TO_Struct_Extrapolation LoadGear:TO_Struct_LoadGear ' +
  'Properties:TO_Struct_Properties Units:TO_Struct_Units Mechanics:TO_Struct_Mechanics Modulo:TO_Struct_Modulo Homing:TO_Struct_Homing ' +
  'StandstillSignal:TO_Struct_StandstillSignal StatusProvidedLeadingValue:TO_Struct_StatusProvidedLeadingValue ' +
  'StatusExtrapolation:TO_Struct_StatusExtrapolation ActualModuloCycle:DInt'
const axis =
  `${motion} ${state('80')} DynamicDefaults:TO_Struct_DynamicDefaults ${shared} OperativeSensor:UDInt=1 ModuloCycle:DInt VelocitySetpoint:LReal ` +
  'Simulation:TO_Struct_AxisSimulation VirtualAxis:TO_Struct_VirtualAxis Actor:TO_Struct_Actor TorqueLimiting:TO_Struct_TorqueLimiting ' +
  'Clamping:TO_Struct_Clamping Sensor:Array[1..4]_of_TO_Struct_Sensor DynamicLimits:TO_Struct_DynamicLimits ' +
  'PositionLimits_SW:TO_Struct_PositionLimitsSW PositionLimits_HW:TO_Struct_PositionLimitsHW Override:TO_Struct_Override ' +
  'PositionControl:TO_Struct_PositionControl TorquePreControl:TO_Struct_TorquePreControl SetpointFilter:TO_Struct_SetpointFilter ' +
  'DynamicAxisModel:TO_Struct_DynamicAxisModel FollowingError:TO_Struct_FollowingError ' +
  'PositioningMonitoring:TO_Struct_PositionMonitoring StatusPositioning:TO_Struct_StatusPositioning StatusDrive:TO_Struct_StatusDrive ' +
  'StatusServo:TO_Struct_StatusServo StatusSensor:Array[1..4]_of_TO_Struct_StatusSensor ' +
  'StatusSynchronizedMotion:TO_Struct_StatusSynchronizedMotion StatusKinematicsMotion:DWord StatusTorqueData:TO_Struct_StatusTorqueData ' +
  'StatusMotionIn:TO_Struct_StatusMotionIn StatusInterpreterMotion:TO_Struct_StatusInterpreterMotion'
const axes = ['TO_Axis', 'TO_SpeedAxis', 'TO_PositioningAxis', 'TO_SynchronousAxis', 'TO_Axis_PTO']
const cam = (points: number) =>
  `${state('0')} Point:Array[1..${points}]_of_TO_Cam_Struct_PointData ValidPoint:Array[1..${points}]_of_Bool ` +
  'Segment:Array[1..50]_of_TO_Cam_Struct_SegmentData ValidSegment:Array[1..50]_of_Bool ' +
  'InterpolationSettings:TO_Cam_Struct_InterpolationSettings StatusCam:TO_Cam_Struct_StatusCam'
const sensor =
  'Existent:Bool Type:DInt InverseDirection:Bool System:DInt MountingMode:DInt DataAdaption:DInt ActualVelocityMode:DInt ' +
  'Interface:TO_Struct_SensorInterface Parameter:TO_Struct_SensorParameter Backlash:TO_Struct_Backlash ' +
  'ActiveHoming:TO_Struct_SensorActiveHoming PassiveHoming:TO_Struct_SensorPassiveHoming MeasuringGear:TO_Struct_SensorMeasuringGear'
const value = 'Position:LReal Velocity:LReal Acceleration:LReal'

/** Lines `NAME member:Type …`. */
export const technologyObjectStructures = `
TO_Struct_ErrorDetail Number:UDInt Reaction:DInt
TO_Struct_DynamicDefaults Velocity:LReal=100.0 Acceleration:LReal=1000.0 Deceleration:LReal=1000.0 Jerk:LReal=10000.0 EmergencyDeceleration:LReal=10000.0
TO_Struct_DynamicLimits MaxVelocity:LReal Velocity:LReal MaxAcceleration:LReal MaxDeceleration:LReal MaxJerk:LReal
TO_Struct_AxisSimulation Mode:UDInt
TO_Struct_VirtualAxis Mode:UDInt
TO_Struct_ActorInterface AddressIn:VREF AddressOut:VREF EnableDriveOutput:Bool EnableDriveOutputAddress:VREF DriveReadyInput:Bool DriveReadyInputAddress:VREF EnableTorqueData:Bool TorqueDataAddressIn:VREF TorqueDataAddressOut:VREF
TO_Struct_ActorDriveParameter ReferenceSpeed:LReal MaxSpeed:LReal ReferenceTorque:LReal MotorInertia:LReal
TO_Struct_LinearMotorActorDriveParameter ReferenceVelocity:LReal MaxVelocity:LReal ReferenceForce:LReal MotorMass:LReal
TO_Struct_Actor Type:DInt=1 InverseDirection:Bool DataAdaption:DInt Efficiency:LReal=1.0 MotorType:DInt LoadInertia:LReal RemoveEnableReaction:Word=16#7 Interface:TO_Struct_ActorInterface DriveParameter:TO_Struct_ActorDriveParameter LinearMotorDriveParameter:TO_Struct_LinearMotorActorDriveParameter
TO_Struct_TorqueLimitingLimitDefaults Torque:LReal Force:LReal
TO_Struct_TorqueLimiting LimitBase:DInt PositionBasedMonitorings:DInt LimitDefaults:TO_Struct_TorqueLimitingLimitDefaults
TO_Struct_Clamping FollowingErrorDeviation:LReal PositionTolerance:LReal
TO_Struct_SensorInterface AddressIn:VREF AddressOut:VREF Number:UDInt
TO_Struct_SensorParameter Resolution:LReal StepsPerRevolution:UDInt FineResolutionXist1:UDInt FineResolutionXist2:UDInt DeterminableRevolutions:UDInt DistancePerRevolution:LReal BehaviorGx_XIST1:DInt ReferenceSpeed:LReal ReferenceVelocity:LReal
TO_Struct_Backlash Enable:Bool Size:LReal Velocity:LReal DirectionAbsoluteHoming:DInt
TO_Struct_SensorActiveHoming Mode:DInt SideInput:Bool Direction:DInt DigitalInputAddress:VREF HomePositionOffset:LReal SwitchLevel:Bool
TO_Struct_SensorPassiveHoming Mode:DInt SideInput:Bool Direction:DInt DigitalInputAddress:VREF SwitchLevel:Bool
TO_Struct_SensorMeasuringGear Numerator:UDInt=1 Denominator:UDInt=1
TO_Struct_Sensor ${sensor}
TO_Struct_ExternalEncoder_Sensor ${sensor}
TO_Struct_CrossPlcLeadingValueInterface EnableLeadingValueOutput:Bool AddressOut:VREF
TO_Struct_CrossPlcSynchronousOperation Interface:Array[1..8]_of_TO_Struct_CrossPlcLeadingValueInterface LocalLeadingValueDelayTime:LReal
TO_Struct_ExtrapolationSettings SystemDefinedExtrapolation:DInt ExtrapolatedVelocityMode:DInt
TO_Struct_ExtrapolationPositionFilter T1:LReal T2:LReal
TO_Struct_ExtrapolationVelocityFilter T1:LReal T2:LReal
TO_Struct_ExtrapolationVelocityTolerance Range:LReal
TO_Struct_ExtrapolationHysteresis Value:LReal
TO_Struct_Extrapolation LeadingAxisDependentTime:LReal FollowingAxisDependentTime:LReal Settings:TO_Struct_ExtrapolationSettings PositionFilter:TO_Struct_ExtrapolationPositionFilter VelocityFilter:TO_Struct_ExtrapolationVelocityFilter VelocityTolerance:TO_Struct_ExtrapolationVelocityTolerance Hysteresis:TO_Struct_ExtrapolationHysteresis
TO_Struct_LoadGear Numerator:UDInt=1 Denominator:UDInt=1
TO_Struct_Properties MotionType:DInt
TO_Struct_Units LengthUnit:UDInt VelocityUnit:UDInt TimeUnit:UDInt TorqueUnit:UDInt ForceUnit:UDInt MassUnit:UDInt InertiaUnit:UDInt
TO_Struct_Mechanics LeadScrew:LReal
TO_Struct_Modulo Enable:Bool Length:LReal=360.0 StartValue:LReal
TO_Struct_PositionLimitsSW Active:Bool MinPosition:LReal MaxPosition:LReal LimitReachedBehavior:DInt LimitExceededBehavior:DInt
TO_Struct_PositionLimitsHW Active:Bool MinSwitchLevel:Bool MinSwitchAddress:VREF MaxSwitchLevel:Bool MaxSwitchAddress:VREF Mode:DInt ApproachBehavior:DInt
TO_Struct_Homing AutoReversal:Bool ApproachDirection:Bool ApproachVelocity:LReal ReferencingVelocity:LReal HomePosition:LReal
TO_Struct_Override Velocity:LReal=100.0
TO_Struct_PositionDifferenceQuantification Mode:DInt Value:LReal
TO_Struct_PositionControl Kv:LReal Kpc:LReal EnableDSC:Bool SmoothingTimeByChangeDifference:LReal InitialOperativeSensor:UDInt=1 ControlDifferenceQuantization:TO_Struct_PositionDifferenceQuantification VelocityModePowerOn:DInt
TO_Struct_TorquePreControl Mode:DInt Scale:LReal
TO_Struct_DynamicFilter Mode:DInt T1:LReal T2:LReal Tt:LReal
TO_Struct_SetpointFilter DynamicFilter:TO_Struct_DynamicFilter
TO_Struct_DynamicAxisModel VelocityTimeConstant:LReal AdditionalPositionTimeConstant:LReal CurrentTimeConstant:LReal
TO_Struct_FollowingError EnableMonitoring:Bool MinValue:LReal MaxValue:LReal MinVelocity:LReal WarningLevel:LReal AdditionalSetpointDelayTime:LReal
TO_Struct_PositionMonitoring ToleranceTime:LReal MinDwellTime:LReal Window:LReal
TO_Struct_StandstillSignal VelocityThreshold:LReal MinDwellTime:LReal
TO_Struct_StatusPositioning Distance:LReal TargetPosition:LReal TargetPositionModuloCycle:DInt FollowingError:LReal SetpointExecutionTime:LReal SuperimposedDistance:LReal
TO_Struct_StatusDrive InOperation:Bool CommunicationOK:Bool=TRUE Error:Bool AdaptionState:DInt
TO_Struct_StatusServo BalancedPosition:LReal ControlDifference:LReal PositionAfterDynamicFilter:LReal
TO_Struct_ProvidedLeadingValue ${value}
TO_Struct_StatusProvidedLeadingValue DelayedLeadingValue:TO_Struct_ProvidedLeadingValue
TO_Struct_StatusSensor State:DInt CommunicationOK:Bool=TRUE Error:Bool AbsEncoderOffset:LReal Control:Bool Position:LReal Velocity:LReal AdaptionState:DInt ModuloCycle:DInt Adjusted:DInt
TO_Struct_StatusExtrapolation FilteredPosition:LReal FilteredVelocity:LReal ExtrapolatedPosition:LReal ExtrapolatedVelocity:LReal
TO_Struct_EffectiveLeadingValue ${value}
TO_Struct_FunctionLeadingValue Position:LReal
TO_Struct_FunctionFollowingValue ${value}
TO_Struct_StatusSynchronizedMotion FunctionState:DInt WaitingFunctionState:DInt PhaseShift:LReal ActualMaster:DB_ANY ActualCam:DB_ANY MasterOffset:LReal MasterScaling:LReal=1.0 SlaveOffset:LReal SlaveScaling:LReal=1.0 Offset:LReal EffectiveLeadingValue:TO_Struct_EffectiveLeadingValue FunctionLeadingValue:TO_Struct_FunctionLeadingValue FunctionFollowingValue:TO_Struct_FunctionFollowingValue StatusWord:DWord
TO_Struct_StatusTorqueData CommandAdditiveTorqueActive:DInt CommandTorqueRangeActive:DInt ActualTorque:LReal ActualForce:LReal TotalTorqueAdditive:LReal TotalForceAdditive:LReal
TO_Struct_StatusMotionIn FunctionState:DInt StatusWord:DWord
TO_Struct_StatusInterpreterMotion Interpreter:DB_ANY StatusWord:DWord
${axes.map((name) => `${name} ${axis}`).join('\n')}
TO_ExternalEncoder ${motion} ${state('0')} DynamicDefaults:TO_Struct_DynamicDefaults ${shared} Sensor:TO_Struct_ExternalEncoder_Sensor StatusSensor:TO_Struct_StatusSensor
TO_Struct_LeadingAxisProxy_Interface AddressIn:VREF
TO_Struct_LeadingAxisProxy_Parameter LocalLeadingValueDelayTime:LReal ToleranceTimeExternalLeadingValueInvalid:LReal
TO_Struct_LeadingAxisProxy_StatusData ModuloLength:LReal ModuloStartValue:LReal AdjustmentTime:LReal
TO_LeadingAxisProxy ${motion} ${state('0')} Interface:TO_Struct_LeadingAxisProxy_Interface Parameter:TO_Struct_LeadingAxisProxy_Parameter StatusExternalLeadingValue:TO_Struct_LeadingAxisProxy_StatusData
TO_Cam_Struct_PointData x:LReal y:LReal
TO_Cam_Struct_SegmentData xmin:LReal xmax:LReal a0:LReal a1:LReal a2:LReal a3:LReal a4:LReal a5:LReal a6:LReal sineAmplitude:LReal sinePeriod:LReal sinePhase:LReal
TO_Cam_Struct_InterpolationSettings InterpolationMode:DInt BoundaryConditions:DInt
TO_Cam_Struct_StatusCam StartLeadingValue:LReal EndLeadingValue:LReal NumberOfValidPoints:DInt NumberOfValidSegments:DInt
TO_Cam ${cam(1000)}
TO_Cam_10k ${cam(10_000)}
TO_MeasuringInput_Struct_Parameter MeasuringInputType:DInt PROFIdriveProbeNumber:UDInt MeasuringRangeActivationTime:LReal MeasuringRangeAdditionalActivationTime:LReal CorrectionTime:LReal
TO_MeasuringInput_Struct_Interface Address:VREF
TO_MeasuringInput_Struct_Units LengthUnit:UDInt TimeUnit:UDInt
TO_MeasuringInput_Struct_MeasuringValues MeasuredValue1:LReal MeasuredValue2:LReal MeasuredValue1Counter:UDInt MeasuredValue2Counter:UDInt LostEdgeCounter1:UDInt LostEdgeCounter2:UDInt
TO_MeasuringInput ${state('0')} Status:DInt InputState:Bool Parameter:TO_MeasuringInput_Struct_Parameter Interface:TO_MeasuringInput_Struct_Interface Units:TO_MeasuringInput_Struct_Units MeasuredValues:TO_MeasuringInput_Struct_MeasuringValues
TO_OutputCam_Struct_Parameter OutputCamType:DInt PositionType:DInt OnCompensation:LReal OffCompensation:LReal Hysteresis:LReal
TO_OutputCam_Struct_Interface EnableOutput:Bool Address:VREF LogicOperation:DInt
TO_OutputCam_Struct_Units LengthUnit:UDInt TimeUnit:UDInt
TO_OutputCam ${state('0')} CamOutput:Bool Parameter:TO_OutputCam_Struct_Parameter Interface:TO_OutputCam_Struct_Interface Units:TO_OutputCam_Struct_Units
TO_CamTrack_Struct_CamData OnPosition:LReal OffPosition:LReal Duration:LReal Existent:Bool
TO_CamTrack_Struct_Parameter CamTrackType:DInt PositionType:DInt ReferencePosition:LReal CamTrackLength:LReal=360.0 CamMasking:DWord OnCompensation:LReal OffCompensation:LReal Hysteresis:LReal Cam:Array[1..32]_of_TO_CamTrack_Struct_CamData
TO_CamTrack_Struct_Interface EnableOutput:Bool Address:VREF
TO_CamTrack_Struct_Units LengthUnit:UDInt TimeUnit:UDInt
TO_CamTrack ${state('0')} Status:DInt TrackOutput:Bool SingleCamState:DWord TrackPosition:LReal MatchPosition:LReal Parameter:TO_CamTrack_Struct_Parameter Interface:TO_CamTrack_Struct_Interface Units:TO_CamTrack_Struct_Units
`

/** Whether a type is that of a technology object: a parameter of it refers to the object itself, never to a copy. */
export function isTechnologyObject(type: Type): boolean {
  return type.kind === 'struct' && type.isSystem && /^TO_/i.test(type.name ?? '') && !/_Struct_/i.test(type.name ?? '')
}

/** Whether a copy of a technology object in a file is one of S7-1200, whose members differ from those of S7-1500. */
export function isOfOtherFamily(sections: readonly InterfaceSection[]): boolean {
  return sections.some(({ members, base = [] }) =>
    [...members, ...base.flatMap((one) => one.members)].some((one) => /^(StatusBits|MotionStatus)$/i.test(one.name)),
  )
}

/** The more general kinds of each kind, by names in upper case (TIA Portal help, "Data types" of Motion Control). */
const general: Readonly<Record<string, readonly string[]>> = {
  TO_SPEEDAXIS: ['TO_AXIS', 'TO_OBJECT'],
  TO_POSITIONINGAXIS: ['TO_SPEEDAXIS', 'TO_AXIS', 'TO_OBJECT'],
  TO_SYNCHRONOUSAXIS: ['TO_POSITIONINGAXIS', 'TO_SPEEDAXIS', 'TO_AXIS', 'TO_OBJECT'],
  TO_EXTERNALENCODER: ['TO_AXIS', 'TO_OBJECT'],
}

/** Whether a parameter of one kind of technology object accepts another kind. */
export function takesTechnologyObject(wanted: Type, given: Type): boolean {
  return isTechnologyObject(wanted) && isTechnologyObject(given) && isKindOf(nameOf(given), nameOf(wanted))
}

/** Whether a kind of technology object is also another kind; case and quotes do not matter. */
export function isKindOf(own: string, wanted: string): boolean {
  const [one, other] = [own, wanted].map((name) => name.replaceAll('"', '').toUpperCase()) as [string, string]
  return one === other || (general[one]?.includes(other) ?? false)
}

function nameOf(type: Type): string {
  return type.kind === 'struct' ? (type.name ?? '') : ''
}
