import "../contract/require-node.ts";
/** Studies: cases × arms × seeds, with controls, statistics and reports (product spec §5). */
export { buildAdviceSections } from "./advise/advice-sections.ts";
export { countToSettle, measureEvidence } from "./advise/evidence.ts";
export { collectPilotArms } from "./advise/pilot-arms.ts";
export { type Advice, type PilotArm, reachAdvice } from "./advise/reach-advice.ts";
export { buildCertificateSections } from "./certify/certificate-sections.ts";
export { type Chosen, chooseThreshold, type Labelled } from "./certify/choose-threshold.ts";
export { labelCases, labelStudy } from "./certify/label-decisions.ts";
export { makeCertificate } from "./certify/make-certificate.ts";
export { DatasetSchema } from "./datasets/dataset-schema.ts";
export { compareStudies, type StudyComparison } from "./compare/compare-studies.ts";
export { type CasePair, compareTwoArms, type TwoArms } from "./compare/compare-two-arms.ts";
export { type Dataset, loadDataset } from "./datasets/load-dataset.ts";
export { formats, formatsOf } from "./datasets/formats.ts";
export type { StudyCase } from "./datasets/study-case.ts";
export { type FlipRow, flipLedger } from "./ledger/flip-ledger.ts";
export { roundVotes } from "./ledger/round-votes.ts";
export { type LabArm, labArms } from "./lab/lab-arms.ts";
export { type LabCase, makeLabCases } from "./lab/lab-case.ts";
export { readAxis, runLab, spanGrid } from "./lab/lab-grid.ts";
export { buildLabSections, writeLabPage } from "./lab/lab-sections.ts";
export { type LabPoint, runLabPoint } from "./lab/run-lab.ts";
export { htmlReport, markdownReport } from "./report/study-document.ts";
export { buildStudySections } from "./report/study-sections.ts";
export { writeReports } from "./report/write-reports.ts";
export { type ResultRow, ResultRowSchema, type Scorecard, ScorecardSchema } from "./results/scorecard.ts";
export { type StudyManifest, StudyManifestSchema } from "./results/study-manifest.ts";
export { runStudy, type StudyOptions, type StudyProgress, type StudyRun } from "./run/run-study.ts";
export { readStudyFolder, readStudyResults } from "./run/study-folder.ts";
export { bootstrapMean, bootstrapStatistics, pairedBootstrap } from "./statistics/bootstrap.ts";
export { calibration } from "./statistics/calibration.ts";
export {
  detectableAccuracyDifference,
  detectableMeanDifference,
  boundDifference,
} from "./statistics/detectable-effect.ts";
export { errorCorrelations } from "./statistics/error-correlation.ts";
export { holm } from "./statistics/holm.ts";
export { cohensKappa } from "./statistics/kappa.ts";
export { mcnemar, mcnemarOf } from "./statistics/mcnemar.ts";
export { riskCoverage } from "./statistics/risk-coverage.ts";
export { wilson } from "./statistics/wilson.ts";
export { bundledStudies, findBundledStudy, findStudyFile } from "./study-file/find-study.ts";
export { parseStudy, readStudy } from "./study-file/read-study.ts";
export { type Study, StudySchema } from "./study-file/study-schema.ts";
export { type StudySummary, summariseStudy } from "./summary/summarise-study.ts";
