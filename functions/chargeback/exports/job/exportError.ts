import type { ExportFailure } from '../../../../schemas/chargeback/exportEvents.ts';

/** Error names that the state machine matches, by failure reason. */
const ERROR_NAMES = {
  too_large: 'ExportTooLarge',
  inconsistent: 'ExportInconsistent',
} as const satisfies Partial<Record<ExportFailure, string>>;

/** A permanent failure of an export. The state machine does not retry it. */
export class ExportError extends Error {
  constructor(reason: keyof typeof ERROR_NAMES, message: string) {
    super(message);
    this.name = ERROR_NAMES[reason];
  }
}

/** Maps the name of the last error of a step to a failure reason. */
export const reasonOf = (error: string): ExportFailure => {
  if (error === ERROR_NAMES.too_large) return 'too_large';
  if (error === ERROR_NAMES.inconsistent) return 'inconsistent';
  return error === 'States.Timeout' ? 'timed_out' : 'internal';
};
