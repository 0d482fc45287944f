import type { Findings, PeriodFigures, PredictorFigures, TrainingFigures } from './findings.ts';

const count = (value: number): string => value.toLocaleString('en-US');
const share = (value: number | null): string => (value === null ? 'none' : value.toFixed(4));
const time = (value: number | null): string => (value === null ? 'none' : value.toFixed(0));

const ROWS: readonly (readonly [string, (figures: PredictorFigures) => string])[] = [
  ['predictions', ({ n }) => count(n)],
  ['accuracy', ({ accuracy }) => share(accuracy)],
  ['calibration error (ECE)', ({ calibration_error }) => share(calibration_error)],
  ['  after the ceilings', ({ capped_calibration_error }) => share(capped_calibration_error)],
  ['over-confidence after them', ({ capped_over_confidence }) => share(capped_over_confidence)],
  ['Brier score', ({ brier }) => share(brier)],
  ['precision at .80', ({ precision }) => share(precision)],
  ['coverage at .80', ({ coverage }) => share(coverage)],
  ['p50 of one prediction, µs', ({ p50_us }) => time(p50_us)],
  ['p99 of one prediction, µs', ({ p99_us }) => time(p99_us)],
];

const row = (name: string, cells: readonly string[]): string =>
  `  ${name.padEnd(27)}${cells.map((cell) => cell.padStart(12)).join('')}`;

const renderTrainings = ({ trained, passed, failed, cpu_seconds }: TrainingFigures): string => {
  const reasons = Object.entries(failed).map(([criterion, trainings]) => `${criterion} ${trainings}`);
  const why = reasons.length === 0 ? '' : `; failed: ${reasons.join(', ')}`;
  return `  gate: ${passed} of ${trained} trainings passed${why}; ${cpu_seconds.toFixed(1)} s of training`;
};

const renderPeriod = ({ from_hour, to_hour, trained, passed, model, served }: PeriodFigures): string =>
  row(`hour ${from_hour.toFixed(1)} to ${to_hour.toFixed(1)}`, [
    `${passed}/${trained}`,
    share(model.calibration_error),
    share(model.precision),
    share(model.coverage),
    share(served.calibration_error),
    share(served.precision),
    share(served.coverage),
  ]);

/** The results of a protocol as plain text for a terminal. Each line ends with a line feed. */
export const renderFindings = (findings: Findings): string => {
  const { title, trainings, heuristic, model, served, periods, goals } = findings;
  return [
    title,
    row('', ['heuristic', 'as trained', 'as served']),
    ...ROWS.map(([name, of]) => row(name, [of(heuristic), of(model), of(served)])),
    renderTrainings(trainings),
    row('', ['', 'as trained', '', '', 'as served', '', '']),
    row('by period', ['gate', 'ECE', 'precision', 'coverage', 'ECE', 'precision', 'coverage']),
    ...periods.map(renderPeriod),
    ...goals.map(({ goal, value, bound, met }) => {
      const shown = value !== null && value > 2 ? value.toFixed(0) : share(value);
      return `  ${met ? 'met   ' : 'MISSED'}  ${goal}: ${shown}, ${bound}`;
    }),
    '',
    '',
  ].join('\n');
};
