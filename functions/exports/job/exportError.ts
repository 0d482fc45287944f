import type { ExportFailure } from '../../../schemas/exports.ts';

/** Names of errors as a state machine tells them, by the reason they fail an export with. */
const NAMES = {
  too_large: 'ExportTooLarge',
  inconsistent: 'ExportInconsistent',
} as const satisfies Partial<Record<ExportFailure, string>>;

/** Fails an export for a reason that trying again would not change. */
export class ExportError extends Error {
  constructor(reason: keyof typeof NAMES, message: string) {
    super(message);
    this.name = NAMES[reason];
  }
}

/** Why an export failed, by the name of the error that a step threw last. */
export const reasonOf = (error: string): ExportFailure => {
  if (error === NAMES.too_large) return 'too_large';
  if (error === NAMES.inconsistent) return 'inconsistent';
  return error === 'States.Timeout' ? 'timed_out' : 'internal';
};
