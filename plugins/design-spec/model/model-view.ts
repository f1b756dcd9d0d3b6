/** The responses that show a model (docs/design.md#design-specs): exactly these fields. */
import { type DesignModel, unitTypesOf } from './model.ts'

/** Response of `GET /api/design-spec/model`. */
export interface ModelView {
  areas: {
    name: string
    processCells: {
      name: string
      unitTypes: {
        name: string
        /** `variables` is the number of variables. */
        cmTypes: { name: string; variables: number }[]
        /** `steps` is the number of steps. */
        phases: { name: string; steps: number }[]
      }[]
    }[]
  }[]
}

/** The model with names and counts. */
export function modelView(model: DesignModel): ModelView {
  return {
    areas: model.areas.map((area) => ({
      name: area.name,
      processCells: area.processCells.map((cell) => ({
        name: cell.name,
        unitTypes: cell.unitTypes.map((unit) => ({
          name: unit.name,
          cmTypes: unit.cmTypes.map((cmType) => ({ name: cmType.name, variables: cmType.variables.length })),
          phases: unit.phases.map((phase) => ({ name: phase.name, steps: phase.steps.length })),
        })),
      })),
    })),
  }
}

/** An element of the response of `GET /api/design-spec/phases`, which is an array. */
export interface PhaseView {
  name: string
  /** Names of the steps, in the order of their numbers. */
  steps: string[]
}

/** All phases with their step names, in model order. */
export function phasesView(model: DesignModel): PhaseView[] {
  return [...unitTypesOf(model)].flatMap(({ unit }) =>
    unit.phases.map((phase) => ({ name: phase.name, steps: phase.steps.map((step) => step.name) })),
  )
}

/** Response of `POST /api/design-spec/load`: the number of objects of each kind in the model. */
export interface LoadCounts {
  success: true
  areas: number
  processCells: number
  unitTypes: number
  cmTypes: number
  phases: number
}

/** Counts the objects of a model. A control-module type that two unit types share is counted in both. */
export function loadCounts(model: DesignModel): LoadCounts {
  const units = [...unitTypesOf(model)].map(({ unit }) => unit)
  const cells = model.areas.flatMap((area) => area.processCells)
  return {
    success: true,
    areas: model.areas.length,
    processCells: cells.length,
    unitTypes: units.length,
    cmTypes: units.reduce((sum, unit) => sum + unit.cmTypes.length, 0),
    phases: units.reduce((sum, unit) => sum + unit.phases.length, 0),
  }
}
