/** The example of the documentation, which uses every feature of a spec. A test loads, compiles and checks it. */
export const fullExample = `[CmTypes]
CmType;Variable;Direction;DataType;Description
Valve;Open;Out;Bool;Open command
Valve;Opened;In;Bool;Limit switch open
Valve;Closed;In;Bool;Limit switch closed
Heater;Enable;Out;Bool;Release
Heater;Setpoint;Out;Real;Setpoint in degC
Tank;Level;In;Real;Level in %
Tank;Temperature;In;Real;Temperature in degC

[PhaseTypes]
PhaseType;States;Description
Fill;Basic;Fills the tank to a level
Heat;ISA88;Heats the tank and keeps it warm

[Parameters]
PhaseType;Parameter;DataType;Unit;Default;Min;Max;Description
Fill;TargetLevel;Real;%;80.0;10.0;95.0;Level after filling
Heat;TargetTemperature;Real;degC;65.0;20.0;90.0;Temperature to be kept
Heat;SoakTime;Time;;T#10m;T#10s;T#2h;Time at temperature

[Phases]
PhaseType;Step;StepName;IsInitial;IsFinal;EntryAction;Condition;NextStep;WhileAction;ExitAction;MinTime;Timeout;OnTimeout;AlarmText;Comment
Fill;1;OpenInlet;TRUE;;"Valve.Open:=TRUE";"Valve.Opened";2;;;;T#10s;Hold;The inlet valve does not open;
Fill;2;WaitLevel;;;;"Tank.Level>=TargetLevel";3;;"Valve.Open:=FALSE";;T#20m;Alarm;;The pump delivers 5 % in a minute
Fill;3;CloseInlet;;;;"Valve.Closed";4;;;T#1s;T#10s;Abort;The inlet valve does not close;
Fill;4;Filled;;TRUE;;;;;;;;;;
Heat;1;HeatUp;TRUE;;"Heater.Enable:=TRUE";"Tank.Temperature>=TargetTemperature";2;"Heater.Setpoint:=TargetTemperature+5";;;T#1h;Stop;Heating takes too long;
Heat;2;Soak;;;"Heater.Setpoint:=TargetTemperature";"TRUE";3;;"Heater.Enable:=FALSE";SoakTime;;;;
Heat;3;Heated;;TRUE;;;;;;;;;;

[Commands]
PhaseType;Command;Action;Condition
Fill;Hold;"Valve.Open:=FALSE";
Fill;Restart;"Valve.Open:=TRUE";
Fill;Abort;"Valve.Open:=FALSE";
Heat;Hold;"Heater.Enable:=FALSE";"Tank.Temperature<80"
Heat;Restart;"Heater.Enable:=TRUE";
Heat;Stop;"Heater.Enable:=FALSE; Heater.Setpoint:=0";
Heat;Abort;"Heater.Enable:=FALSE; Heater.Setpoint:=0";

[Interlocks]
CmType;Variable;BlockedWhen;SafeValue;Reason
Valve;Open;"Tank.Level>=98";FALSE;The tank is full
Heater;Enable;"Tank.Level<20";FALSE;The level is too low for heating
`
