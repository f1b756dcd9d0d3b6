/** Reports of verifications: the newest are kept, each with the job that made it. */
import { collection, domainEvent, notFound, on, type Slice, type SliceReader } from '../../../core/index.ts'

/** Number of reports that are kept. */
const keptReports = 50

/** A report of a verification. */
export interface VerificationReport {
  /** The id of the job that made it. */
  readonly id: string
  /** Milliseconds since the epoch. */
  readonly createdAt: number
  readonly actor: string
  readonly project: string
  readonly sourceName: string
  /** SHA-256 of the spec, in hexadecimal digits. */
  readonly specHash: string
  /** SHA-256 over the verified blocks, in hexadecimal digits. */
  readonly programHash: string
  readonly result: 'passed' | 'incomplete' | 'failed'
  readonly phases: number
  readonly checks: number
  readonly failed: number
  /** Blob: the report as HTML. */
  readonly html: string
  readonly size: number
}

/** Newest last. */
export const verificationReports = collection<VerificationReport>('design-spec.reports')

/** A verification was done and its report kept. */
export const verificationReported = domainEvent<VerificationReport>(
  'design-spec.verification-reported',
  'Phases of the design spec were verified',
)

/** Keeps the newest reports. */
export const reportReductions: Slice['reductions'] = [
  on(verificationReported, (write, report) => {
    const reports = write(verificationReports)
    reports.set(report.id, report)
    const [oldest] = reports.keys()
    if (reports.size > keptReports && oldest !== undefined) reports.delete(oldest)
  }),
]

/** A report by the id of its job. @throws GatewayError `not_found` */
export function findReport(ctx: { read: SliceReader }, id: string): VerificationReport {
  const reports = ctx.read(verificationReports)
  const report = reports.get(id)
  if (report) return report
  throw notFound('verification report', id, reports.keys())
}
