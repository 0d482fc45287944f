import type { Findings } from './findings.ts';

const share = (value: number | null): string => (value === null ? 'none' : value.toFixed(3));

/** The columns of {@link figuresOf}. */
export const COLUMNS = [
  'open calls',
  'coverage, calls',
  'coverage, money',
  'at once, money',
  'precision, calls',
  'precision, money',
  'wrong, calls',
  'wrongly charged, money',
  'ECE',
  'over-confidence',
] as const;

/** The figures of a protocol, in the order of {@link COLUMNS}. */
export const figuresOf = (findings: Findings): string[] => [
  findings.open_calls.toLocaleString('en-US'),
  share(findings.coverage.calls),
  share(findings.coverage.money),
  share(findings.covered_at_once.money),
  share(findings.precision.calls),
  share(findings.precision.money),
  share(findings.wrong_shown.calls),
  share(findings.wrong_charged.money),
  share(findings.calibration_error),
  share(findings.over_confidence),
];

/** The results of a protocol as plain text for a terminal. Each line ends with a line feed. */
export const renderFindings = (findings: Findings): string => {
  const { title, trainings, goals } = findings;
  const reasons = Object.entries(trainings.failed).map(([criterion, failed]) => `${criterion} ${failed}`);
  const why = reasons.length === 0 ? '' : `; failed: ${reasons.join(', ')}`;
  const figures = figuresOf(findings);
  return [
    title,
    ...COLUMNS.map((column, at) => `  ${column.padEnd(24)}${(figures[at] ?? '').padStart(8)}`),
    `  gate: ${trainings.passed} of ${trainings.trained} trainings passed${why}`,
    ...goals.map(({ goal, value, bound, met }) => {
      const limit = 'at_least' in bound ? `at least ${bound.at_least}` : `at most ${bound.at_most}`;
      return `  ${met ? 'met   ' : 'MISSED'}  ${goal}: ${share(value)}, ${limit}`;
    }),
    '',
    '',
  ].join('\n');
};
